"""What happened at a table, told to somebody who comes back to it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import wording
from games.models import Game
from games.selectors import TablePage, happened_since
from games.selectors.missed import Missed
from games.selectors.values import BidLine, retired_seats

NEWS = 5
"""At most so many moves are read out when a page has brought itself up to date."""


@dataclass(frozen=True, slots=True)
class Chapter:
    """A round as it is told: the open one has no title."""

    title: str
    sentences: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Tale:
    """What happened since its reader's last turn; ``is_cut`` says that there was more before."""

    title: str
    chapters: tuple[Chapter, ...]
    is_cut: bool


def tale_of(page: TablePage) -> Tale | None:
    """Return what the viewer has missed, or None where that is nothing."""
    missed = page.missed
    if missed is None or not (missed.rounds or missed.bids):
        return None
    return Tale(
        title=_("So far") if missed.is_first else _("Since your last turn"),
        chapters=_chapters(page, missed),
        is_cut=missed.is_cut,
    )


def _chapters(page: TablePage, missed: Missed) -> tuple[Chapter, ...]:
    nobodys = retired_seats(page.seats)
    closed = [
        Chapter(
            title=_("Round %(number)d") % {"number": told.closed.number},
            sentences=(
                *_bid_sentences(told.bids),
                *wording.outcome_story(
                    told.closed.outcome,
                    told.names,
                    automatic=told.closed.is_auto,
                    retired=nobodys,
                ),
            ),
        )
        for told in missed.rounds
    ]
    if missed.bids:
        number = page.view.round_number if page.view else 0
        title = _("Round %(number)d") % {"number": number} if closed else ""
        closed.append(Chapter(title, _bid_sentences(missed.bids)))
    return tuple(closed)


def _bid_sentences(bids: tuple[BidLine, ...]) -> tuple[str, ...]:
    return tuple(wording.bid_sentence(line.name, line.bid, automatic=line.is_auto) for line in bids)


def news_since(game: Game, page: TablePage, version: int) -> tuple[str, ...]:
    """Return what was done at the table after ``version``, in sentences."""
    nobodys = retired_seats(page.seats)
    lines: list[str] = []
    for done in happened_since(game, version, most=NEWS):
        if done.bid is not None:
            name = page.names[done.seat]
            lines.append(wording.bid_sentence(name, done.bid, automatic=done.is_auto))
        elif done.outcome is not None:
            lines += wording.outcome_story(
                done.outcome, page.names, automatic=done.is_auto, retired=nobodys
            )
    return tuple(lines)
