"""What happened, for everybody's ears: no event ever holds a die that the rules did not lift.

Events name losses and gains, as they are said aloud at a table, but never how many dice are left.
"""

from dataclasses import dataclass
from typing import ClassVar

from games.rules.bid import Bid, Mode
from games.rules.state import Cup


@dataclass(frozen=True, slots=True)
class RoundRolled:
    """All seats rolled; what they rolled is not said."""

    kind: ClassVar[str] = "rolled"
    number: int


@dataclass(frozen=True, slots=True)
class BidMade:
    """A seat opened or raised."""

    kind: ClassVar[str] = "bid"
    seat: int
    bid: Bid


@dataclass(frozen=True, slots=True)
class DudoCalled:
    """A seat doubted the standing bid."""

    kind: ClassVar[str] = "dudo"
    seat: int


@dataclass(frozen=True, slots=True)
class CalzaCalled:
    """A seat called the standing bid exact."""

    kind: ClassVar[str] = "calza"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatResigned:
    """A seat left the game."""

    kind: ClassVar[str] = "resigned"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatForfeited:
    """A seat let its time run out."""

    kind: ClassVar[str] = "forfeited"
    seat: int


@dataclass(frozen=True, slots=True)
class CupLifted:
    """A cup was lifted; ``matching`` of its dice count for the bid."""

    kind: ClassVar[str] = "lifted"
    seat: int
    dice: Cup
    matching: int


@dataclass(frozen=True, slots=True)
class DieLost:
    """A seat lost one die."""

    kind: ClassVar[str] = "die_lost"
    seat: int


@dataclass(frozen=True, slots=True)
class DieGained:
    """A seat got a lost die back."""

    kind: ClassVar[str] = "die_gained"
    seat: int


@dataclass(frozen=True, slots=True)
class SeatOut:
    """A seat is out of the game and takes ``place`` (1 is the winner)."""

    kind: ClassVar[str] = "out"
    seat: int
    place: int


@dataclass(frozen=True, slots=True)
class RoundCreated:
    """A new round waits for its roll; its opener and mode will not change."""

    kind: ClassVar[str] = "round"
    number: int
    opener: int
    mode: Mode


@dataclass(frozen=True, slots=True)
class GameWon:
    """The last seat with a die has won."""

    kind: ClassVar[str] = "won"
    seat: int


Event = (
    RoundRolled
    | BidMade
    | DudoCalled
    | CalzaCalled
    | SeatResigned
    | SeatForfeited
    | CupLifted
    | DieLost
    | DieGained
    | SeatOut
    | RoundCreated
    | GameWon
)
