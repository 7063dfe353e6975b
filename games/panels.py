"""What the components of a page draw: frozen values of words and numbers, and how to make them.

A panel is made from a :class:`games.rules.TableView` or a :class:`games.rules.RoundOutcome`, so it
can hold no die that its reader may not see. The templates under ``templates/components/`` name the
panel they draw.
"""

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from games.rules import (
    ACE,
    Bid,
    Cup,
    DiceCounts,
    Mode,
    RoundOutcome,
    TableView,
    chance_exact_for,
    chance_for,
)
from games.wording import (
    chance_text,
    lifting_sentence,
    outcome_story,
    standing_odds_sentence,
    tally_text,
)

LADDER_COLUMNS = 5
"""Rungs side by side on a phone: the five numbers; in palifico the ace makes a sixth."""

NEAR_ROWS = 3
"""Rows of the ladder that are open from the start; the rest is one scroll away."""


@dataclass(frozen=True, slots=True)
class Person:
    """Who sits on a seat. ``present`` is False while the absence rule moves for them.

    ``retired`` says that nobody does any more: the name is that of who did last.
    ``away_until`` is the last day of an absence that they announced, while it lasts.
    """

    name: str
    bot: bool = False
    present: bool = True
    away_until: date | None = None
    retired: bool = False
    mail_fails: bool = False


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
    away_until: date | None = None
    retired: bool = False
    mail_fails: bool = False


@dataclass(frozen=True, slots=True)
class LadderBlock:
    """Bids in ``columns`` columns, row by row; None keeps a column where no bid is legal."""

    columns: int
    bids: tuple[Bid | None, ...]


@dataclass(frozen=True, slots=True)
class Ladder:
    """The bids a player may choose from: the next ones, and below them the higher ones.

    ``chosen`` is the one of them to keep ticked; ``odds`` say how likely each is, where the table
    shows that.
    """

    near: tuple[LadderBlock, ...]
    far: tuple[LadderBlock, ...]
    chosen: Bid | None = None
    odds: Mapping[Bid, str] | None = None


@dataclass(frozen=True, slots=True)
class ShownDie:
    """A lifted die, and whether it counts for the bid."""

    face: int
    counts: bool


@dataclass(frozen=True, slots=True)
class CupPanel:
    """A lifted cup: its dice, how many count, and the count of all cups up to this one.

    ``tally`` says that count, and what it is held against.
    """

    name: str
    dice: tuple[ShownDie, ...]
    matching: int
    running: int
    tally: str = ""


@dataclass(frozen=True, slots=True)
class RevealPanel:
    """The end of a round: the bid that was judged, the cups as they were lifted, what follows.

    ``covered`` names those whose cups the rules left where they were; ``start`` is what is said
    before the first cup is lifted.
    """

    quantity: int
    face: int
    held: bool
    count: int
    cups: tuple[CupPanel, ...]
    headline: str
    consequences: tuple[str, ...]
    covered: tuple[str, ...]
    start: str = ""


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
            absent=not people[seat.seat].present and not people[seat.seat].retired,
            away_until=people[seat.seat].away_until,
            retired=people[seat.seat].retired,
            mail_fails=people[seat.seat].mail_fails,
        )
        for seat in seats
    )


def may_have_odds(view: TableView) -> bool:
    """Return whether the viewer has dice to reckon with, at a table that hides no counts."""
    return bool(view.own_dice) and view.rules.dice_counts is DiceCounts.SHOWN


def standing_odds(view: TableView) -> str:
    """Return how likely the standing bid is by the viewer's own dice; nothing before the first."""
    if view.standing is None:
        return ""
    bid = view.standing.bid
    return standing_odds_sentence(
        bid,
        holds=chance_for(view, bid),
        exact=chance_exact_for(view, bid) if view.may_calza else None,
    )


def odds_of(view: TableView, bids: Iterable[Bid]) -> Mapping[Bid, str]:
    """Return how likely each bid is by the viewer's own dice."""
    return {bid: chance_text(chance_for(view, bid)) for bid in bids}


def ladder(
    bids: Iterable[Bid], *, mode: Mode, chosen: str = "", odds: Mapping[Bid, str] | None = None
) -> Ladder:
    """Return the legal ``bids`` as a ladder; ``chosen`` is the notation of a bid to keep ticked."""
    numbers: list[Bid] = []
    aces = [] if mode is Mode.NORMAL else numbers
    ticked = None
    for bid in bids:
        (aces if bid.face == ACE else numbers).append(bid)
        if chosen and str(bid) == chosen:
            ticked = bid
    near: list[LadderBlock] = []
    far: list[LadderBlock] = []
    for group in (numbers,) if aces is numbers else (numbers, aces):
        for kept, block in zip((near, far), _blocks(group), strict=True):
            if block.bids:
                kept.append(block)
    return Ladder(tuple(near), tuple(far), ticked, odds)


def reveal(
    outcome: RoundOutcome,
    names: Sequence[str],
    *,
    mode: Mode,
    covered: Iterable[int] = (),
    automatic: bool = False,
    retired: Container[int] = (),
) -> RevealPanel | None:
    """Return how a round that had mode ``mode`` ended, or None when no cup was lifted.

    ``covered`` are the seats in the round whose cups were not lifted; ``automatic`` says that the
    clock called for the caller; ``retired`` are the seats that nobody holds any more.
    """
    bid = outcome.bid
    if bid is None or outcome.count is None:
        return None
    cups: list[CupPanel] = []
    running = 0
    for cup in outcome.lifted:
        running += cup.matching
        dice = shown_dice(cup.dice, bid, mode=mode)
        tally = tally_text(running, bid, outcome.kind)
        cups.append(CupPanel(names[cup.seat], dice, cup.matching, running, tally))
    headline, *consequences = outcome_story(outcome, names, automatic=automatic, retired=retired)
    return RevealPanel(
        quantity=bid.quantity,
        face=bid.face,
        held=bool(outcome.held),
        count=outcome.count,
        cups=tuple(cups),
        headline=headline,
        consequences=tuple(consequences),
        covered=tuple(names[seat] for seat in covered),
        start=lifting_sentence(bid),
    )


def shown_dice(cup: Cup, bid: Bid | None, *, mode: Mode) -> tuple[ShownDie, ...]:
    """Return a cup's dice, marked where they count for ``bid``; without one, none is marked."""
    wild = mode is Mode.NORMAL
    return tuple(
        ShownDie(face, bid is not None and (face == bid.face or (wild and face == ACE)))
        for face in cup
    )


def _blocks(bids: Sequence[Bid]) -> tuple[LadderBlock, LadderBlock]:
    """Return the near and the far block of bids that are ordered by rank."""
    faces = sorted({bid.face for bid in bids})
    if len(faces) < 2:  # one face: the quantities run on from left to right
        cut = LADDER_COLUMNS * (1 if faces == [ACE] else 2)
        columns, rungs = LADDER_COLUMNS, tuple[Bid | None, ...](bids)
    else:
        columns = len(faces)
        cut = columns * NEAR_ROWS
        column = {face: place for place, face in enumerate(faces)}
        rows: dict[int, list[Bid | None]] = {}
        for bid in bids:
            row = rows.get(bid.quantity) or rows.setdefault(bid.quantity, [None] * columns)
            row[column[bid.face]] = bid
        rungs = tuple([bid for quantity in sorted(rows) for bid in rows[quantity]])
    return LadderBlock(columns, rungs[:cut]), LadderBlock(columns, rungs[cut:])
