"""A finished game as statistics read it: rounds, bids, results, and the cups as far as they show.

:meth:`PlayedGame.as_read_by` takes away what a reader may not know. Statistics are given nothing
else, so none can count a cup that stayed covered to anybody but its owner.
"""

from dataclasses import dataclass, replace

from games.rules import Bid, CoveredCups, Cup, Mode, RoundOutcome, Ruleset


@dataclass(frozen=True, slots=True)
class PlayedBid:
    """A bid, its seat, and whether the clock made it."""

    seat: int
    bid: Bid
    is_auto: bool = False


@dataclass(frozen=True, slots=True)
class PlayedRound:
    """A closed round.

    ``cups`` has one cup a seat: ``()`` for a seat without dice and None where it is covered, and is
    None for a round that ended before it was rolled. ``holders`` are the players by seat: None
    where a bot sat, nobody, or somebody who is gone. ``is_auto``: the clock closed it.
    """

    number: int
    mode: Mode
    palifico_by: int | None
    counts: tuple[int, ...]
    bids: tuple[PlayedBid, ...]
    outcome: RoundOutcome
    cups: tuple[Cup | None, ...] | None
    holders: tuple[int | None, ...]
    is_auto: bool = False

    def seat_of(self, player: int) -> int | None:
        """Return the seat that ``player`` held, with dice, in this round."""
        for seat, holder in enumerate(self.holders):
            if holder == player and self.counts[seat]:
                return seat
        return None

    def whole_roll(self) -> tuple[Cup, ...] | None:
        """Return every cup, if all of them are known."""
        if self.cups is None or any(cup is None for cup in self.cups):
            return None
        return tuple(cup or () for cup in self.cups)


@dataclass(frozen=True, slots=True)
class Finisher:
    """A player's part in a game: his seat, the place he took, and if he is who held it last.

    ``has_left``: he resigned, or his seat was retired.
    """

    player: int
    seat: int
    place: int
    has_left: bool = False


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """A finished game, with all that its record holds.

    ``is_among_people`` says that at least two people played in it. ``finishers`` are the people who
    are still known, by place.
    """

    rules: Ruleset
    seats: int
    rounds: tuple[PlayedRound, ...]
    finishers: tuple[Finisher, ...]
    is_among_people: bool

    @property
    def is_void(self) -> bool:
        """Return whether nobody lost a die by play: it has no result that says anything."""
        return all(each.outcome.loser is None for each in self.rounds)

    @property
    def opens_cups(self) -> bool:
        """Return whether the covered cups were opened when it ended (docs/rules.md R-72)."""
        return self.rules.covered_cups_after_game is CoveredCups.AFTER_END

    def as_read_by(self, player: int | None) -> "PlayedGame":
        """Return the game with the cups that ``player`` may know, or everybody, for None."""
        if self.opens_cups:
            return self
        return replace(self, rounds=tuple(_covered(each, player) for each in self.rounds))


def _covered(played: PlayedRound, player: int | None) -> PlayedRound:
    if played.cups is None:
        return played
    lifted = {cup.seat for cup in played.outcome.lifted}
    cups = tuple(
        cup if seat in lifted or not played.counts[seat] or _is_his(played, seat, player) else None
        for seat, cup in enumerate(played.cups)
    )
    return replace(played, cups=cups)


def _is_his(played: PlayedRound, seat: int, player: int | None) -> bool:
    return player is not None and played.holders[seat] == player
