"""What the page of one moment of a finished game shows: values for its template, nothing else."""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games import panels, wording
from games.rules import Bid
from games.selectors.replay import Moment, Place
from games.selectors.values import retired_seats
from games.views import sharing
from games.views.boards import Context, last_round, title_of
from games.views.times import timed
from games.wording.wild import wild_face

EVERY_CUP = "all"
"""What an address says instead of a seat to see all cups that may be shown."""


@dataclass(frozen=True, slots=True)
class ReplaySeat:
    """A seat at a moment; ``cup`` has the dice to show of it, if any."""

    name: str
    dice: int | None
    out: bool
    bot: bool
    to_move: bool
    is_seen: bool
    cup: tuple[panels.ShownDie, ...]


@dataclass(frozen=True, slots=True)
class MoveLine:
    """A move in the list of a round's moves: a bid, or in ``word`` how the round ended.

    The roll has neither, and goes by its ``name``.
    """

    url: str
    is_current: bool
    name: str
    bid: Bid | None = None
    word: str = ""
    is_auto: bool = False
    when: str = ""


def context(moment: Moment, *, now: datetime) -> Context:
    """Return the table at that moment, and the ways to all others."""
    links, here = _Links(moment), (moment.number, moment.move)
    bids = moment.view.bids
    return {
        "title": title_of(moment.game),
        "game": moment.game,
        "at": sharing.moment_title(moment),
        "number": moment.number,
        "wild": wild_face(moment.game.ruleset.name),
        "caption": sharing.caption_of(moment),
        "mode_sentence": wording.mode_sentence(moment.mode),
        "standing": bids[-1].bid if bids else None,
        "seats": _seats(moment),
        "told": last_round(moment.closed, moment.names, retired=retired_seats(moment.seats))
        if moment.is_end
        else None,
        "moves": _moves(moment, links, now=now),
        "rounds": tuple(
            (number, links.to((number, 0)), number == moment.number)
            for number in range(1, moment.last_number + 1)
        ),
        "first": links.to((1, 0)) if moment.before else "",
        "before": links.to(moment.before) if moment.before else "",
        "after": links.to(moment.after) if moment.after else "",
        "last": links.to((moment.last_number, moment.last_moves[-1])) if moment.after else "",
        "eyes": links.eyes(),
        "stays_covered": bool(set(moment.closed.covered) - set(moment.choices)),
        "picture_kinds": tuple(
            (kind.upper(), reverse("moment_picture", args=[moment.game.code, *here, kind]))
            for kind in ("svg", "png")
        ),
    }


def _seats(moment: Moment) -> tuple[ReplaySeat, ...]:
    standing = moment.view.standing
    bid = None if standing is None else standing.bid
    return tuple(
        ReplaySeat(
            name=seat.name,
            dice=shown.dice,
            out=shown.out,
            bot=seat.bot,
            to_move=shown.seat == moment.view.to_act,
            is_seen=shown.seat == moment.eyes,
            cup=panels.shown_dice(cup, bid, mode=moment.mode) if cup else (),
        )
        for seat, shown, cup in zip(moment.seats, moment.view.seats, moment.cups, strict=True)
    )


def _moves(moment: Moment, links: "_Links", *, now: datetime) -> tuple[MoveLine, ...]:
    def at(move: int) -> tuple[str, bool]:
        return links.to((moment.number, move)), move == moment.move

    closed = moment.closed
    return (
        MoveLine(*at(0), _("The roll")),
        *(
            MoveLine(*at(made.number), made.name, bid=made.bid, is_auto=made.is_auto, when=when)
            for made, when in timed(moment.bids, now=now, by_parts=moment.game.day_parts)
        ),
        MoveLine(
            *at(len(moment.bids) + 1),
            moment.names[closed.outcome.caller],
            word=sharing.call_word(closed.outcome),
            is_auto=closed.is_auto,
        ),
    )


class _Links:
    """Addresses of moments, seen by the eyes that were chosen."""

    def __init__(self, moment: Moment) -> None:
        self._moment = moment
        chosen = EVERY_CUP if moment.every_cup else moment.eyes
        self._chosen = "" if chosen is None else str(chosen)

    def to(self, place: Place) -> str:
        return self._address(place, self._chosen)

    def eyes(self) -> tuple[tuple[str, str, bool], ...]:
        """Return the tabs from which one chooses whose eyes to look through."""
        moment = self._moment
        here = moment.number, moment.move
        seats = moment.choices if moment.eyes is None else {*moment.choices, moment.eyes}
        choices = [
            ("", pgettext("eyes", "Everybody")),
            *((str(seat), moment.names[seat]) for seat in sorted(seats)),
        ]
        if len(moment.choices) > 1:
            choices.append((EVERY_CUP, pgettext("eyes", "All cups open")))
        return tuple(
            (words, self._address(here, chosen), chosen == self._chosen)
            for chosen, words in choices
        )

    def _address(self, place: Place, chosen: str) -> str:
        path = reverse("replay_moment", args=[self._moment.game.code, *place])
        return f"{path}{f'?as={chosen}' if chosen else ''}#moment"
