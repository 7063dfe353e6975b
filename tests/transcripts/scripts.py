"""Whole games written by hand, small enough to read, for the golden transcripts.

A line is ``roll`` with a word of faces a seat (``-`` for a seat that is out), a bid of the seat to
act, ``dudo``, ``calza WHO`` or ``resign WHO``.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from games.rules import (
    PRESETS,
    Action,
    Bid,
    BidCap,
    Calza,
    CalzaRules,
    CalzaWindow,
    Dudo,
    GameRecord,
    GameState,
    MakeBid,
    RaiseMode,
    Resign,
    Roll,
    Ruleset,
    apply,
    new_game,
    record_game,
    with_options,
    with_start_dice,
)

CAST = ("alice", "bob", "carol", "dave")


@dataclass(frozen=True)
class Script:
    """A game: what it shows, its rules, who opens, and its lines."""

    title: str
    rules: Ruleset
    seats: int
    opener: str
    lines: str

    def record(self) -> GameRecord:
        """Play the lines and return the game as a record."""
        opener = CAST.index(self.opener)
        state = new_game(self.rules, seats=self.seats, opener=opener)
        return record_game(
            self.rules,
            seats=CAST[: self.seats],
            opener=opener,
            actions=tuple(self._actions(state)),
            meta={"title": self.title},
        )

    def _actions(self, state: GameState) -> Iterator[Action]:
        for line in self.lines.strip().splitlines():
            for words in line.split(";"):
                action = _read(words.split(), state.round.to_act)
                yield action
                state = apply(state, action).state


def _read(words: list[str], to_act: int) -> Action:
    match words:
        case ["roll", *cups]:
            return Roll(tuple(tuple(int(die) for die in cup if die != "-") for cup in cups))
        case ["dudo"]:
            return Dudo(to_act)
        case ["calza", who]:
            return Calza(CAST.index(who))
        case ["resign", who]:
            return Resign(CAST.index(who))
        case [bid]:
            return MakeBid(to_act, Bid.parse(bid))
    raise ValueError(f"no action: {' '.join(words)}")


_ASMODEE = with_options(PRESETS["asmodee"], {"palifico": True, "calza": True})

SCRIPTS = {
    "piatnik": Script(
        title="early stop, one-die players changing the face, no palifico between two",
        rules=with_start_dice(PRESETS["piatnik"], 2),
        seats=4,
        opener="alice",
        lines="""
            roll 44 13 56 22; 1x4; 2x4; 2x6; dudo
            roll 44 45 61 4; 1x4; 2x4; 3x4; dudo
            roll 53 22 5 6; 1x5; 1x6; 2x6; 3x6; 4x2; dudo
            roll 13 54 - 6; 1x3; 1x1; 3x4; dudo
            roll 16 1 - 1; 1x1; 2x1; dudo
            roll 3 3 - 5; 1x3; 2x3; 3x3; dudo
            roll 2 5 - -; 1x6; dudo
        """,
    ),
    "bga": Script(
        title="calza in and out of turn, in palifico and between two; palifico once a player",
        rules=with_start_dice(with_options(PRESETS["bga"], {"calza": True}), 3),
        seats=3,
        opener="bob",
        lines="""
            roll 441 253 166; 2x6; 4x6; calza bob
            roll 222 333 456; 3x3; 4x3; dudo
            roll 111 234 55; 3x5; 4x5; calza carol
            roll 411 443 4; 2x4; 4x4; calza carol
            roll 666 555 22; 9x2; dudo
            roll 123 123 6; 2x6; 1x1; 3x2; dudo
            roll 332 654 -; 2x3; calza bob
            roll 112 346 -; 1x5; resign bob
        """,
    ),
    "asmodee": Script(
        title="the optional last die and bull's eye, counts hidden",
        rules=with_start_dice(_ASMODEE, 2),
        seats=3,
        opener="carol",
        lines="""
            roll 16 26 34; 2x6; calza bob
            roll 14 4 44; 1x4; 3x4; dudo
            roll 5 2 11; 1x5; 2x5; dudo
            roll 6 - 25; 1x5; 1x1; dudo
        """,
    ),
    "wikipedia": Script(
        title="resignations in and out of palifico",
        rules=with_start_dice(with_options(PRESETS["wikipedia"], {"calza": True}), 2),
        seats=4,
        opener="dave",
        lines="""
            roll 55 51 32 61; 3x5; 4x5; 5x5; dudo
            roll 22 23 2 45; 1x2; 3x2; resign bob
            roll 22 - 2 45; 2x2; 3x2; dudo
            roll 6 - 6 61; 1x6; 2x6; resign alice
            roll - - 3 14; 1x3; 1x1; dudo
        """,
    ),
    "custom": Script(
        title="raising one way, bids capped at the dice in play, calza on one's turn only",
        rules=replace(
            with_start_dice(PRESETS["bga"], 2),
            name="custom",
            raise_mode=RaiseMode.ONE_WAY,
            bid_cap=BidCap.DICE_IN_PLAY,
            calza=CalzaRules(enabled=True, needs_lost_die=True, window=CalzaWindow.TURN_ONLY),
        ),
        seats=2,
        opener="alice",
        lines="""
            roll 24 12; 1x2; 2x2; 3x2; dudo
            roll 33 3; 1x3; 2x3; calza bob
        """,
    ),
}
