"""What the components of a page draw: frozen values of words and numbers, and how to make them.

A panel is made from a :class:`games.rules.TableView` or a :class:`games.rules.RoundOutcome`, so it
can hold no die that its reader may not see. The templates under ``templates/components/`` name the
panel they draw.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from games.rules import ACE, FACES, Bid, Mode, RoundOutcome, TableView
from games.wording import outcome_story

LADDER_COLUMNS = 5
"""Rungs side by side on a phone: the five numbers; in palifico the ace makes a sixth."""

NEAR_ROWS = 3
"""Rows of the ladder that are open from the start; the rest is one tap away."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits on a seat. ``present`` is False while the absence rule moves for them."""

    name: str
    bot: bool = False
    present: bool = True


@dataclass(frozen=True, slots=True)
class SeatPanel:
    """A seat at the table. ``dice`` is None where the table hides it."""

    number: int
    name: str
    dice: int | None
    out: bool
    place: int | None
    to_move: bool
    opener: bool
    you: bool
    bot: bool
    absent: bool


@dataclass(frozen=True, slots=True)
class Rung:
    """One bid that may be chosen, and whether it is. The tag ``rungs`` finds the words for it."""

    quantity: int
    face: int
    checked: bool


@dataclass(frozen=True, slots=True)
class LadderBlock:
    """Rungs in ``columns`` columns, row by row; None keeps a column where no bid is legal."""

    columns: int
    rungs: tuple[Rung | None, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """The bids a player may choose from: the next ones, and behind a summary the higher ones.

    ``far_open`` is true when the chosen bid is one of the higher ones and must be seen.
    """

    near: tuple[LadderBlock, ...]
    far: tuple[LadderBlock, ...]
    far_open: bool


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A lifted die, and whether it counts for the bid."""

    face: int
    counts: bool


@dataclass(frozen=True, slots=True)
class CupPanel:
    """A lifted cup: its dice, how many count, and the count of all cups up to this one."""

    name: str
    dice: tuple[ShownDie, ...]
    matching: int
    running: int


@dataclass(frozen=True, slots=True)
class RevealPanel:
    """The end of a round: the bid that was judged, the cups as they were lifted, what follows.

    ``covered`` names those whose cups the rules left where they were.
    """

    quantity: int
    face: int
    held: bool
    count: int
    cups: tuple[CupPanel, ...]
    headline: str
    consequences: tuple[str, ...]
    covered: tuple[str, ...]


def seat_panels(view: TableView, people: Sequence[Person]) -> tuple[SeatPanel, ...]:
    """Return the seats in order of play, the viewer's own first where he has one."""
    first = view.viewer or 0
    seats = (*view.seats[first:], *view.seats[:first])
    return tuple(
        SeatPanel(
            number=seat.seat,
            name=people[seat.seat].name,
            dice=seat.dice,
            out=seat.out,
            place=seat.place,
            to_move=seat.seat == view.to_act,
            opener=seat.seat == view.opener and not seat.out,
            you=seat.seat == view.viewer,
            bot=people[seat.seat].bot,
            absent=not people[seat.seat].present,
        )
        for seat in seats
    )


def ladder(bids: Iterable[Bid], *, mode: Mode, chosen: str = "") -> Ladder:
    """Return the legal ``bids`` as a ladder; ``chosen`` is the notation of a bid to keep ticked."""
    offered = tuple(bids)
    wild_aces = mode is Mode.NORMAL
    numbers = [bid for bid in offered if not (wild_aces and bid.face == ACE)]
    aces = [bid for bid in offered if wild_aces and bid.face == ACE]
    near: list[LadderBlock] = []
    far: list[LadderBlock] = []
    for group in (numbers, aces):
        for kept, block in zip((near, far), _blocks(group, chosen=chosen), strict=True):
            if block.rungs:
                kept.append(block)
    far_open = any(rung.checked for block in far for rung in block.rungs if rung is not None)
    return Ladder(tuple(near), tuple(far), far_open)


def reveal(
    outcome: RoundOutcome,
    names: Sequence[str],
    *,
    mode: Mode,
    covered: Iterable[int] = (),
    automatic: bool = False,
) -> RevealPanel | None:
    """Return how a round that had mode ``mode`` ended, or None when no cup was lifted.

    ``covered`` are the seats in the round whose cups were not lifted; ``automatic`` says that the
    clock called for the caller.
    """
    bid = outcome.bid
    if bid is None or outcome.count is None:
        return None
    wild = mode is Mode.NORMAL
    cups: list[CupPanel] = []
    running = 0
    for cup in outcome.lifted:
        running += cup.matching
        dice = tuple(
            ShownDie(face, face == bid.face or (wild and face == ACE)) for face in cup.dice
        )
        cups.append(CupPanel(names[cup.seat], dice, cup.matching, running))
    headline, *consequences = outcome_story(outcome, names, automatic=automatic)
    return RevealPanel(
        quantity=bid.quantity,
        face=bid.face,
        held=bool(outcome.held),
        count=outcome.count,
        cups=tuple(cups),
        headline=headline,
        consequences=tuple(consequences),
        covered=tuple(names[seat] for seat in covered),
    )


def _blocks(bids: Sequence[Bid], *, chosen: str) -> tuple[LadderBlock, LadderBlock]:
    """Return the near and the far block of bids that are ordered by rank."""
    faces = [face for face in FACES if any(bid.face == face for bid in bids)]
    if len(faces) < 2:  # one face: the quantities run on from left to right
        rungs: list[Rung | None] = [_rung(bid, chosen) for bid in bids]
        cut = LADDER_COLUMNS * (1 if faces == [ACE] else 2)
        columns = LADDER_COLUMNS
    else:
        columns = len(faces)
        quantities = sorted({bid.quantity for bid in bids})
        legal = {(bid.quantity, bid.face): bid for bid in bids}
        rungs = [
            _rung(legal[quantity, face], chosen) if (quantity, face) in legal else None
            for quantity in quantities
            for face in faces
        ]
        cut = columns * NEAR_ROWS
    return LadderBlock(columns, tuple(rungs[:cut])), LadderBlock(columns, tuple(rungs[cut:]))


def _rung(bid: Bid, chosen: str) -> Rung:
    return Rung(bid.quantity, bid.face, str(bid) == chosen)
