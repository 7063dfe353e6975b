"""Play a record again through the engine and say what differs from what is written in it."""

from collections.abc import Iterator
from dataclasses import dataclass

from games.rules.engine import apply
from games.rules.errors import RuleViolation
from games.rules.outcome import RoundOutcome
from games.rules.record.model import Entry, GameRecord, MoveEntry, ResultEntry, RollEntry
from games.rules.state import GameState, Roll, new_game

# Stands in for a die that the reader never saw. Its face is without effect: a cup that the rules
# lift must be in the record, and one that they don't lift is not counted.
UNKNOWN_DIE = 2


@dataclass(frozen=True, slots=True)
class Difference:
    """What the record says on ``line`` (from 1) is not what the rules say."""

    line: int
    reason: str

    def __str__(self) -> str:
        """Return place and reason as one sentence."""
        return f"line {self.line}: {self.reason}"


def replay(record: GameRecord) -> list[Difference]:
    """Return where the rules disagree with ``record``, in the order of its lines; [] when nowhere.

    An action that the rules refuse ends the comparison, as nothing after it has a position to stand
    on. A cup that was never shown is taken to hold the dice the seat had left; a result that would
    lift it cannot be judged, which is a difference too.
    """
    try:
        new_game(record.rules, seats=len(record.seats), opener=record.opener)
    except RuleViolation as violation:
        return [Difference(1, violation.message)]
    found = list(_Replay(record).differences())
    if record.damaged:
        end = len(record.entries) + 2
        found.append(Difference(end, "The checksum does not fit: a line was changed."))
    return found


class _Unjudgeable(Exception):
    """The rules lift a cup whose dice the record does not show."""


class _Replay:
    def __init__(self, record: GameRecord) -> None:
        self.record = record
        self.state: GameState = new_game(
            record.rules, seats=len(record.seats), opener=record.opener
        )
        self.hidden: frozenset[int] = frozenset()  # seats whose cup this round is not shown
        self.due: RoundOutcome | None = None  # computed, and not yet met by a result line

    def differences(self) -> Iterator[Difference]:
        end = len(self.record.entries) + 2
        for line, entry in enumerate(self.record.entries, start=2):
            try:
                yield from self._step(line, entry)
            except RuleViolation as violation:
                yield Difference(line, f"The rules refuse this: {violation.message}")
                return
            except _Unjudgeable as missing:
                yield Difference(line, str(missing))
                return
        if self.due is not None:
            yield Difference(end, "The result of the last round is missing.")
        for seat, place in enumerate(self.record.places):
            computed = self.state.seats[seat].place
            if place != computed:
                yield _differs(end, f"the place of seat {seat}", place, computed)

    def _step(self, line: int, entry: Entry) -> Iterator[Difference]:
        if isinstance(entry, ResultEntry):
            if self.due is None:
                yield Difference(line, "A result is given, but no round has ended here.")
            else:
                yield from _compare(line, entry.outcome, self.due)
            self.due = None
            return
        if self.due is not None:
            self.due = None
            yield Difference(line, "The result of the round before is missing.")
        if isinstance(entry, RollEntry):
            self._roll(entry)
        else:
            self._move(entry)

    def _roll(self, entry: RollEntry) -> None:
        cups = tuple(
            (UNKNOWN_DIE,) * self.state.seats[seat].dice if cup is None else cup
            for seat, cup in enumerate(entry.cups)
        )
        self.state = apply(self.state, Roll(cups)).state
        self.hidden = frozenset(
            seat for seat, cup in enumerate(entry.cups) if cup is None and cups[seat]
        )

    def _move(self, entry: MoveEntry) -> None:
        applied = apply(self.state, entry.move)
        if applied.outcome is not None:
            for cup in applied.outcome.lifted:
                if cup.seat in self.hidden:
                    raise _Unjudgeable(
                        f"The rules lift the cup of seat {cup.seat} here, and the record does not "
                        "show its dice."
                    )
        self.state, self.due = applied.state, applied.outcome


def _compare(line: int, written: RoundOutcome, computed: RoundOutcome) -> Iterator[Difference]:
    recorded = written.to_dict()
    for name, value in computed.to_dict().items():
        if recorded.get(name) != value:
            yield _differs(line, f'"{name}"', recorded.get(name), value)


def _differs(line: int, what: str, written: object, computed: object) -> Difference:
    return Difference(
        line, f"In the record {what} is {_plain(written)}, by the rules {_plain(computed)}."
    )


def _plain(value: object) -> str:
    """Return a value of an outcome as a reader would say it."""
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, list):
        return str(value)
    cups = [
        f"seat {cup['seat']}: {' '.join(map(str, cup['dice']))} ({cup['matching']})"
        for cup in value
    ]
    return "; ".join(cups) or "nothing"
