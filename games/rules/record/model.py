"""A whole game as values: who sat where, what was rolled, said and decided."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from games.rules.engine import apply
from games.rules.outcome import RoundOutcome
from games.rules.ruleset import Ruleset
from games.rules.state import Action, Cup, Forfeit, Roll, SeatAction, new_game


@dataclass(frozen=True, slots=True)
class RollEntry:
    """The dice of a round, a cup a seat; None is a cup that was never shown to the reader."""

    cups: tuple[Cup | None, ...]


@dataclass(frozen=True, slots=True)
class MoveEntry:
    """What happened on a seat; ``auto`` marks what the clock did, a forfeit among it always."""

    move: SeatAction
    auto: bool = False


@dataclass(frozen=True, slots=True)
class ResultEntry:
    """How the round came out, as it was told at the table."""

    outcome: RoundOutcome


Entry = RollEntry | MoveEntry | ResultEntry


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game from its opening on; ``entries[i]`` stands on line ``i + 2`` of the text.

    ``places`` has a place for each seat, 1 for the winner, None for a seat still in when the record
    was made. ``damaged`` is set by the reader where the text carries a checksum that does not fit.
    """

    rules: Ruleset
    seats: tuple[str, ...]
    opener: int
    entries: tuple[Entry, ...]
    places: tuple[int | None, ...]
    meta: Mapping[str, str] = field(default_factory=dict)
    damaged: bool = field(default=False, compare=False)


def record_game(
    rules: Ruleset,
    *,
    seats: Iterable[str],
    opener: int,
    actions: Iterable[Action | MoveEntry],
    meta: Mapping[str, str] | None = None,
) -> GameRecord:
    """Play ``actions`` through the engine and write down what comes of them.

    Wrap a move in ``MoveEntry(move, auto=True)`` to mark it as the clock's.

    :raises RuleViolation: the rules refuse one of the actions.
    """
    labels = tuple(clean_label(label) for label in seats)
    state = new_game(rules, seats=len(labels), opener=opener)
    entries: list[Entry] = []
    for item in actions:
        action, auto = (item.move, item.auto) if isinstance(item, MoveEntry) else (item, False)
        applied = apply(state, action)
        state = applied.state
        if isinstance(action, Roll):
            entries.append(RollEntry(tuple(action.cups)))
        else:
            entries.append(MoveEntry(action, auto or isinstance(action, Forfeit)))
        if applied.outcome is not None:
            entries.append(ResultEntry(applied.outcome))
    places = tuple(seat.place for seat in state.seats)
    return GameRecord(rules, labels, opener, tuple(entries), places, meta or {})


def without_covered_cups(record: GameRecord, *, keep: int | None = None) -> GameRecord:
    """Return the record with only those dice in it that were lifted, and the cups of seat ``keep``.

    This is what may be published of a table that never shows its covered cups, and of a game that
    is still going on.
    """
    entries = list(record.entries)
    for index, entry in enumerate(entries):
        if isinstance(entry, RollEntry):
            open_seats = _lifted_after(entries[index + 1 :]) | {keep}
            entries[index] = RollEntry(
                tuple(
                    cup if seat in open_seats or not cup else None
                    for seat, cup in enumerate(entry.cups)
                )
            )
    return replace(record, entries=tuple(entries))


def _lifted_after(entries: Iterable[Entry]) -> set[int | None]:
    """Return the seats whose cups the round's result lifts; none where the round has no result."""
    for entry in entries:
        if isinstance(entry, ResultEntry):
            return {cup.seat for cup in entry.outcome.lifted}
        if isinstance(entry, RollEntry):
            break
    return set()


# Characters that turn the direction of writing: they could make one seat's name read as another's.
_BIDI_CONTROLS = frozenset(
    "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
MAX_LABEL = 80


def is_clean(text: str) -> bool:
    """Tell whether ``text`` can be printed on one line as it is: a seat's label, a bit of meta."""
    if len(text) > MAX_LABEL or any(sign in _BIDI_CONTROLS for sign in text):
        return False
    # A zero-width joiner is not "printable", yet names are written with it.
    return text.replace("\u200d", "").replace("\u200c", "").isprintable()


def clean_label(text: str) -> str:
    """Return ``text`` cut to size, with a replacement sign for what is not printable."""
    return "".join(sign if is_clean(sign) else "\ufffd" for sign in text[:MAX_LABEL])
