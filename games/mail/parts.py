"""The pieces that several mails are made of: rounds told, the seats, what may be answered."""

from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext as _

from games import panels, timing
from games.mail.words import bids_text, moment_text, one_line
from games.models import Game
from games.panels import CupPanel, SeatPanel
from games.rules import TableView
from games.selectors.story import Story, ToldBid, ToldRound
from games.selectors.talk import Said
from games.wording import (
    bid_sentence,
    bid_text,
    dice_count_text,
    dice_text,
    outcome_story,
    pause_sentence,
    raises_odds_sentence,
    time_left,
)

HALF_A_MINUTE = timedelta(seconds=30)


@dataclass(frozen=True, slots=True)
class RoundPart:
    """A closed round: what was bid, the call, the cups as they were lifted, what came of it."""

    number: int
    bids: tuple[str, ...]
    call: str
    cups: tuple[CupPanel, ...]
    consequences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SeatPart:
    """A seat at the table; ``dice`` is empty where the table does not show how many there are."""

    name: str
    you: bool
    bot: bool
    absent: bool
    place: int | None
    dice: str


@dataclass(frozen=True, slots=True)
class DeadlinePart:
    """Until when: the time in the reader's zone, and how much of it is left.

    ``paused`` says that the table stands still, and how long; empty where it does not.
    """

    at: str
    left: str
    paused: str


@dataclass(frozen=True, slots=True)
class DicePart:
    """The reader's own dice, each as a digit and all of them in words."""

    faces: tuple[int, ...]
    words: str


@dataclass(frozen=True, slots=True)
class AnswersPart:
    """What the game page accepts now, a sentence each."""

    sentences: tuple[str, ...]


def round_part(told: ToldRound, names: Sequence[str], *, retired: Container[int] = ()) -> RoundPart:
    """Return how a closed round is told; ``retired`` are the seats that nobody holds any more."""
    closed = told.closed
    reveal = panels.reveal(closed.outcome, names, mode=closed.mode)
    call, *consequences = outcome_story(
        closed.outcome, names, automatic=closed.is_auto, retired=retired
    )
    return RoundPart(
        number=closed.number,
        bids=bid_lines(told.bids, names),
        call=call,
        cups=reveal.cups if reveal else (),
        consequences=tuple(consequences),
    )


def bid_lines(bids: Sequence[ToldBid], names: Sequence[str]) -> tuple[str, ...]:
    """Return a sentence for each bid."""
    return tuple(bid_sentence(names[told.seat], told.bid, automatic=told.is_auto) for told in bids)


def seat_parts(story: Story, view: TableView, names: Sequence[str]) -> tuple[SeatPart, ...]:
    """Return the seats in order of play, the reader's own first."""
    people = [
        panels.Person(name, bot=seat.bot, present=seat.present)
        for name, seat in zip(names, story.seats, strict=True)
    ]
    return tuple(_seat_part(panel) for panel in panels.seat_panels(view, people))


def deadline_part(game: Game, *, now: datetime) -> DeadlinePart:
    """Return until when the seat to move may think.

    :raises ValueError: nobody is to move.
    """
    deadline = game.turn_deadline_at
    if deadline is None:
        raise ValueError(f"game {game.pk} is not under way")
    # Rounded to the minute: a turn of a day does not begin with "23 hours 59 minutes left".
    left = time_left(deadline - now + HALF_A_MINUTE)
    paused = paused_text(timing.pause_end(game.pauses), now=now)
    return DeadlinePart(moment_text(deadline), left, paused)


def paused_text(until: datetime | None, *, now: datetime) -> str:
    """Return that a table stands still until then; nothing once it goes on."""
    return pause_sentence(moment_text(until)) if until is not None and until > now else ""


def dice_part(view: TableView) -> DicePart | None:
    """Return the reader's own dice, or None when the view was made without them."""
    if not view.own_dice:
        return None
    return DicePart(view.own_dice, dice_text(view.own_dice))


def odds_line(view: TableView) -> str:
    """Return how likely the bids in question are by the reader's own dice.

    Nothing where the view was made without them, or the table hides how many dice there are.
    """
    if not panels.may_have_odds(view):
        return ""
    least = panels.odds_of(view, view.least_raises)
    told = (panels.standing_odds(view), raises_odds_sentence(least) if least else "")
    return " ".join(filter(None, told))


def answers_part(view: TableView, names: Sequence[str]) -> AnswersPart:
    """Return what the reader may do now."""
    sentences: list[str] = []
    least = bids_text(view.least_raises)
    standing = view.standing
    if standing is None:
        sentences.append(_("Open the round. The lowest bids are: %(bids)s.") % {"bids": least})
        return AnswersPart(tuple(sentences))
    said = {"bid": bid_text(standing.bid), "name": names[standing.seat]}
    if least:
        sentences.append(_("Raise. The lowest raises are: %(bids)s.") % {"bids": least})
    if view.may_dudo:
        sentences.append(
            _("Call dudo on %(bid)s by %(name)s, if you think there are fewer.") % said
        )
    if view.may_calza:
        sentences.append(_("Call calza on %(bid)s by %(name)s, if you think it is exact.") % said)
    return AnswersPart(tuple(sentences))


def talk_lines(talk: Sequence[Said]) -> tuple[str, ...]:
    """Return a sentence for each line that was said at the table."""
    return tuple(
        _("%(name)s says: «%(text)s»") % {"name": one_line(said.name), "text": one_line(said.text)}
        for said in talk
    )


def standing_text(view: TableView, names: Sequence[str]) -> str:
    """Return "4 fours by Carl", or nothing before the first bid."""
    if view.standing is None:
        return ""
    return _("%(bid)s by %(name)s") % {
        "bid": bid_text(view.standing.bid),
        "name": names[view.standing.seat],
    }


def examples(view: TableView) -> tuple[str, ...]:
    """Return what the reader may answer now, each as he could write it: "5 fours", "dudo"."""
    calls = [call for call, may in (("dudo", view.may_dudo), ("calza", view.may_calza)) if may]
    return (*(bid_text(bid) for bid in view.least_raises), *calls)


def two_examples(view: TableView) -> tuple[str, ...]:
    """Return two things of different kinds that the reader may answer, if there are two."""
    bids = [bid_text(bid) for bid in view.least_raises]
    if not bids or not view.may_dudo:
        return examples(view)[:2]
    return (bids[0], "dudo")


def _seat_part(panel: SeatPanel) -> SeatPart:
    return SeatPart(
        name=panel.name,
        you=panel.you,
        bot=panel.bot,
        absent=panel.absent,
        place=panel.place if panel.out else None,
        dice=dice_count_text(panel.dice) if panel.dice else "",
    )
