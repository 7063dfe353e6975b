"""What is shown of a game elsewhere: pictures, and the card that other sites make of a link.

All of it is what an onlooker sees, whoever asks.
"""

from dataclasses import dataclass

from allauth.core.internal import ratelimit
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _

from games import panels, pictures, wording
from games.avatars import avatar
from games.models import GameStatus
from games.rules import OutcomeKind, RoundOutcome, TableView
from games.selectors import TablePage, WaitingRoom
from games.selectors.replay import Moment
from games.selectors.values import SeatInfo, retired_seats
from games.views.boards import title_of
from games.wording.wild import wild_face

_LIMITS = {"picture": "120/m/ip"}
_TYPES = {"svg": "image/svg+xml; charset=utf-8", "png": "image/png"}


@dataclass(frozen=True, slots=True)
class ShareCard:
    """What other sites show of a link to this page; addresses are absolute."""

    title: str
    text: str
    url: str
    picture: str


def table_card(request: HttpRequest, page: TablePage | WaitingRoom) -> ShareCard | None:
    """Return the card of a game's page; None where there is no picture to show."""
    game = page.game
    if game.is_private or game.status is GameStatus.CANCELLED:
        return None
    caption = room_caption(page) if isinstance(page, WaitingRoom) else table_caption(page)
    return ShareCard(
        title=title_of(game),
        text=caption,
        url=request.build_absolute_uri(reverse("game", args=[game.code])),
        picture=request.build_absolute_uri(reverse("picture", args=[game.code, "png"])),
    )


def moment_card(request: HttpRequest, moment: Moment) -> ShareCard:
    """Return the card of a moment of a finished game, as everybody saw it."""
    place = [moment.game.code, moment.number, moment.move]
    return ShareCard(
        title=f"{title_of(moment.game)} · {moment_title(moment)}",
        text=caption_of(moment),
        url=request.build_absolute_uri(reverse("replay_moment", args=place)),
        picture=request.build_absolute_uri(reverse("moment_picture", args=[*place, "png"])),
    )


def player_card(request: HttpRequest, name: str, text: str) -> ShareCard | None:
    """Return the card of a player's page; None where its picture could have no address."""
    if "/" in name:
        return None
    return ShareCard(
        title=name,
        text=text,
        url=request.build_absolute_uri(reverse("profile", args=[name])),
        picture=request.build_absolute_uri(reverse("portrait", args=[name, "png"])),
    )


def answer(request: HttpRequest, picture: pictures.Picture, kind: str) -> HttpResponse:
    """Answer with a picture; how often one asks is limited, for drawing takes work."""
    busy: HttpResponse | None = ratelimit.consume_or_429(
        request, app="games", action="picture", config=_LIMITS, limit_get=True
    )
    if busy is not None:
        return busy
    drawing = pictures.svg(picture)
    body = drawing if kind == "svg" else pictures.png(drawing)
    return HttpResponse(body, content_type=_TYPES[kind])


def picture_of_player(name: str, text: str) -> pictures.Picture:
    """Return the picture of a player."""
    return pictures.Picture(
        site=settings.SITE_NAME,
        title=name,
        subtitle="",
        caption=text,
        wild=wild_face("").key,
        bid=None,
        seats=(),
        avatar=avatar(name),
    )


def picture_of_room(room: WaitingRoom) -> pictures.Picture:
    """Return the picture of a game that has not begun."""
    dice = room.game.ruleset.start_dice
    return pictures.Picture(
        site=settings.SITE_NAME,
        title=title_of(room.game),
        subtitle=wording.ruleset_title(room.game.ruleset.name),
        caption=room_caption(room),
        wild=wild_face(room.game.ruleset.name).key,
        bid=None,
        seats=tuple(pictures.PictureSeat(seat.name, dice, is_out=False) for seat in room.seats),
    )


def picture_of_table(page: TablePage, view: TableView) -> pictures.Picture:
    """Return the picture of a game under way; ``view`` is an onlooker's."""
    return pictures.Picture(
        site=settings.SITE_NAME,
        title=title_of(page.game),
        subtitle=_("Round %(number)d") % {"number": view.round_number},
        caption=table_caption(page),
        wild=wild_face(page.game.ruleset.name).key,
        bid=_numbers(view),
        seats=_seats(view, page.names, to_act=view.to_act),
    )


def picture_of_moment(moment: Moment) -> pictures.Picture:
    """Return the picture of a moment of a game that is over: lifted cups once they were lifted."""
    outcome = moment.closed.outcome
    lifted = {
        cup.seat: panels.shown_dice(cup.dice, outcome.bid, mode=moment.mode)
        for cup in outcome.lifted
        if moment.is_end
    }
    return pictures.Picture(
        site=settings.SITE_NAME,
        title=title_of(moment.game),
        subtitle=_("Round %(number)d") % {"number": moment.number},
        caption=caption_of(moment),
        wild=wild_face(moment.game.ruleset.name).key,
        bid=_numbers(moment.view),
        seats=_seats(moment.view, moment.names, to_act=moment.view.to_act, lifted=lifted),
    )


def room_caption(room: WaitingRoom) -> str:
    """Return what stands under the name of a game that has not begun."""
    return _("Waiting for players: %(taken)d of %(seats)d seats are taken.") % {
        "taken": len(room.seats),
        "seats": room.game.seats_wanted,
    }


def table_caption(page: TablePage) -> str:
    """Return what happened last in a game, for everybody's eyes."""
    if page.game.ended_by:
        return wording.called_off_sentence(page.game.ended_by)
    if page.view is None:
        return _won(page.seats)
    if page.bids:
        last = page.bids[-1]
        return wording.bid_sentence(last.name, last.bid, automatic=last.is_auto)
    if page.view.to_act is None:
        return _("The dice are about to be rolled")
    return wording.rolled_sentence(page.names[page.view.opener], is_rolled=True)


def moment_title(moment: Moment) -> str:
    """Return where in the game a moment is."""
    if not moment.move:
        return _("Round %(number)d") % {"number": moment.number}
    return _("Round %(number)d, move %(move)d") % {"number": moment.number, "move": moment.move}


def caption_of(moment: Moment) -> str:
    """Return what happened at a moment, in a sentence; at the very end, who won."""
    if moment.after is None:
        return _won(moment.seats)
    if moment.is_end:
        return wording.call_sentence(
            moment.closed.outcome, moment.names, automatic=moment.closed.is_auto
        )
    if moment.move:
        bid = moment.bids[moment.move - 1]
        return wording.bid_sentence(bid.name, bid.bid, automatic=bid.is_auto)
    return wording.rolled_sentence(moment.names[moment.view.opener], is_rolled=moment.is_rolled)


def call_word(outcome: RoundOutcome) -> str:
    """Return in a word how a round ended, for a list of its moves."""
    match outcome.kind:
        case OutcomeKind.DUDO:
            return _("dudo")
        case OutcomeKind.CALZA:
            return _("calza")
        case OutcomeKind.RESIGN:
            return _("left the game")
        case OutcomeKind.FORFEIT:
            return _("out of time")


def _won(seats: tuple[SeatInfo, ...]) -> str:
    winner = next((seat for seat in seats if seat.place == 1), None)
    if winner is None:
        return _("The game is over.")
    is_nobodys = winner.number in retired_seats(seats)
    return wording.won_sentence(winner.name, is_nobodys=is_nobodys)


def _numbers(view: TableView) -> tuple[int, int] | None:
    return None if view.standing is None else (view.standing.bid.quantity, view.standing.bid.face)


def _seats(
    view: TableView,
    names: tuple[str, ...],
    *,
    to_act: int | None,
    lifted: dict[int, tuple[panels.ShownDie, ...]] | None = None,
) -> tuple[pictures.PictureSeat, ...]:
    return tuple(
        pictures.PictureSeat(
            name=names[seat.seat],
            dice=seat.dice,
            is_out=seat.out,
            is_to_move=seat.seat == to_act,
            cup=(lifted or {}).get(seat.seat, ()),
        )
        for seat in view.seats
    )
