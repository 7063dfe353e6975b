"""Seats that change hands: what the game's page says of them, and thinking better of one."""

from dataclasses import dataclass

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

from games import wording
from games.selectors import SeatInfo, TablePage, Tie, tie_of
from games.selectors.values import Earlier
from games.services import takeovers
from games.services.errors import SeatRefusal
from games.views.access import Visit, game_visible, player_of, post_or_back


@dataclass(frozen=True, slots=True)
class HandoverPanel:
    """What the table is told of seats that change hands.

    ``url`` is the link by which a free seat is taken over, or nothing; ``i_share_it`` says that the
    reader may pass it on and not use it. ``past`` is what he held himself before it was retired,
    and ``next_seat`` the seat that he holds from the next roll on. ``places`` are those that others
    took when theirs were.
    """

    free: tuple[str, ...]
    promised: tuple[str, ...]
    url: str
    i_share_it: bool
    past: Earlier | None
    next_seat: SeatInfo | None
    places: tuple[str, ...]


def handover_panel(request: HttpRequest, page: TablePage) -> HandoverPanel:
    """Return what to say of the seats of a game that has begun."""
    link = reverse("join", args=[page.invite_token]) if page.invite_token else ""
    retired = [seat for seat in page.seats if seat.is_retired]
    return HandoverPanel(
        free=tuple(wording.free_sentence(seat.name) for seat in retired if seat.is_free),
        promised=tuple(
            wording.promised_sentence(seat.name, seat.heir)
            for seat in retired
            if seat.heir and not seat.is_promised_to_me
        ),
        url=request.build_absolute_uri(link) if link else "",
        i_share_it=page.me is not None,
        past=page.past,
        next_seat=page.next_seat,
        places=tuple(
            wording.place_sentence(who.name, who.place)
            for seat in page.seats
            for who in seat.earlier
            if not who.is_me
        ),
    )


def told_in(seats: tuple[SeatInfo, ...], number: int) -> tuple[str, ...]:
    """Return what changed hands in a round, a sentence each."""
    lines = []
    for seat in seats:
        for who in seat.earlier:
            if max(who.to_round, 1) == number:
                lines.append(wording.retired_sentence(who.name))
            if who.until is not None and who.until + 1 == number:
                lines.append(wording.taken_sentence(who.name, seat.in_round(number).name))
    return tuple(lines)


@post_or_back
@game_visible
def withdraw(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Give back a seat that one was to take over with the next round."""
    if visit.viewer.user_id is None or tie_of(visit.game, visit.viewer) is not Tie.HEIR:
        raise PermissionDenied
    home = reverse("game", args=[visit.game.code])
    try:
        takeovers.withdraw(game_id=visit.game.pk, user_id=player_of(request).user_id)
    except SeatRefusal as refusal:
        messages.error(request, wording.seat_refusal(refusal.code))
        return HttpResponseRedirect(home)
    messages.success(request, _("The seat is free again for somebody else."))
    return HttpResponseRedirect(reverse("home") if visit.game.is_private else home)
