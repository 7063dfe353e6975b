"""The state of a game and the actions that change it: frozen values, no behaviour of their own.

Seats are numbered 0 to n-1. Play goes to the left, which is +1 modulo n past seats without dice.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from games.rules.bid import Bid, Mode
from games.rules.errors import RuleViolation
from games.rules.ruleset import Ruleset

Cup = tuple[int, ...]
"""The faces of one seat's dice in one round, in the order they were rolled."""


class Phase(StrEnum):
    """What the game waits for: a roll, a move, or nothing any more."""

    ROLL = "roll"
    BID = "bid"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class SeatState:
    """A seat's dice, whether it has had its palifico round, and its place once that is known."""

    dice: int
    palifico_done: bool = False
    place: int | None = None


@dataclass(frozen=True, slots=True)
class PlacedBid:
    """A bid and the seat that made it."""

    seat: int
    bid: Bid


@dataclass(frozen=True, slots=True)
class RoundState:
    """One round. ``mode`` and ``opener`` are fixed when it is created (R-46, R-60).

    ``bids`` may hold the standing bid alone: earlier ones are not needed to judge. ``cups`` has one
    cup a seat, ``()`` for a seat that is out, and is None before the roll or where the caller did
    not load the dice.
    """

    number: int
    mode: Mode
    opener: int
    to_act: int
    palifico_by: int | None = None
    bids: tuple[PlacedBid, ...] = ()
    cups: tuple[Cup, ...] | None = None

    @property
    def standing(self) -> PlacedBid | None:
        """Return the bid that stands, or None when the round has not been opened."""
        return self.bids[-1] if self.bids else None


@dataclass(frozen=True, slots=True)
class GameState:
    """A whole game at one moment: with the actions from here on it is all the rules need."""

    rules: Ruleset
    seats: tuple[SeatState, ...]
    round: RoundState
    phase: Phase

    @property
    def dice_in_play(self) -> int:
        """Return the number of dice that all seats have together."""
        return sum([seat.dice for seat in self.seats])

    @property
    def dice_at_start(self) -> int:
        """Return the number of dice that all seats had together when the game began."""
        return self.rules.start_dice * len(self.seats)

    @property
    def seats_in(self) -> int:
        """Return the number of seats that are still in."""
        return sum([seat.dice > 0 for seat in self.seats])

    @property
    def winner(self) -> int | None:
        """Return the seat that has won, or None while the game goes on."""
        if self.phase is not Phase.OVER:
            return None
        return next(number for number, seat in enumerate(self.seats) if seat.dice)


@dataclass(frozen=True, slots=True)
class Roll:
    """Put the dice of a new round under the cups. Chance is an argument: the caller rolled."""

    cups: tuple[Cup, ...]


@dataclass(frozen=True, slots=True)
class MakeBid:
    """Open the round or raise."""

    seat: int
    bid: Bid


@dataclass(frozen=True, slots=True)
class Dudo:
    """Doubt the standing bid."""

    seat: int


@dataclass(frozen=True, slots=True)
class Calza:
    """Call the standing bid exact."""

    seat: int


@dataclass(frozen=True, slots=True)
class Resign:
    """Leave the game for good."""

    seat: int


@dataclass(frozen=True, slots=True)
class Forfeit:
    """Lose a die because the time is up: no player's move, only his clock's (R-83)."""

    seat: int


Move = MakeBid | Dudo | Calza | Resign
"""What a player may do."""

SeatAction = Move | Forfeit
"""What may happen on a seat; a roll is chance's own action."""

Action = Roll | SeatAction


def seats_from(seats: Sequence[SeatState], first: int) -> Iterator[int]:
    """Yield the seats still in, clockwise, beginning with ``first`` where it is in."""
    size = len(seats)
    for step in range(size):
        number = (first + step) % size
        if seats[number].dice:
            yield number


def left_of(seats: Sequence[SeatState], seat: int) -> int:
    """Return the first seat still in to the left of ``seat``, which may itself be out."""
    size = len(seats)
    number = (seat + 1) % size
    while not seats[number].dice:
        number = (number + 1) % size
    return number


def new_game(rules: Ruleset, *, seats: int, opener: int) -> GameState:
    """Return a game before its first roll.

    :raises RuleViolation: ``game.seats`` when the table is too small or too large.
    :raises ValueError: ``opener`` is not one of the seats.
    """
    if not 2 <= seats <= rules.max_players:
        raise RuleViolation("game.seats", most=rules.max_players)
    if not 0 <= opener < seats:
        raise ValueError(f"opener {opener} is not one of {seats} seats")
    return GameState(
        rules=rules,
        seats=(SeatState(rules.start_dice),) * seats,
        round=RoundState(number=1, mode=Mode.NORMAL, opener=opener, to_act=opener),
        phase=Phase.ROLL,
    )
