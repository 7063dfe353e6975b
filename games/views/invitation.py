"""The page behind an invitation link. It works before one has an account."""

from datetime import datetime

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from games import wording
from games.models import Game
from games.selectors import InvitePage, InviteState, invite_page
from games.services import lobby, takeovers
from games.services.errors import LobbyRefusal, SeatRefusal
from games.views.access import player_of, private_page, viewer_of
from games.views.boards import rules_context, title_of


@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def join_by_link(request: HttpRequest, token: str) -> HttpResponseBase:
    """Tell who invites to what; POST takes a seat. Visitors sign up or log in first.

    In a game that has begun it is a seat that nobody holds any more.
    """
    now = timezone.now()
    try:
        game, page = invite_page(token, viewer_of(request), now=now)
    except Game.DoesNotExist:
        return TemplateResponse(request, "games/invitation_gone.html", status=404)
    refusal = ""
    if (request.method == "POST" and page.state in _DOORS) or page.i_sit:
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        refusal = "" if page.i_sit else _enter(request, game, page, now=now)
        if not refusal:
            return HttpResponseRedirect(reverse("game", args=[game.code]))
        game, page = invite_page(token, viewer_of(request), now=now)
    back = urlencode({"next": request.path})
    context = {
        **rules_context(page.game),
        "title": title_of(page.game),
        "page": page,
        "refusal": refusal,
        "rating": _rating(page),
        "login_url": f"{reverse('account_login')}?{back}",
        "signup_url": f"{reverse('account_signup')}?{back}",
    }
    is_refused = request.method == "POST"
    return TemplateResponse(
        request, "games/invitation.html", context, status=409 if is_refused else 200
    )


def _rating(page: InvitePage) -> str:
    """Return whether the game counts for the rating of whoever comes by this link."""
    if page.state is InviteState.VACANT and page.game.is_rated:
        return wording.unrated_seat_sentence()
    return wording.rating_tag(is_rated=page.game.is_rated).sentence


_DOORS = (InviteState.OPEN, InviteState.VACANT)


def _enter(request: HttpRequest, game: Game, page: InvitePage, *, now: datetime) -> str:
    """Take a seat in the waiting room, or one that is free at the table; return why not."""
    player = player_of(request)
    try:
        if page.state is InviteState.OPEN:
            lobby.join(game_id=game.pk, player=player, now=now)
            return ""
        asked = request.POST.get("seat", "")
        seat_id = next((seat.seat_id for seat in page.vacant if str(seat.seat_id) == asked), 0)
        takeovers.take_over(game_id=game.pk, seat_id=seat_id, player=player, now=now)
    except LobbyRefusal as error:
        return wording.lobby_refusal(error.code, error.params)
    except SeatRefusal as error:
        return wording.seat_refusal(error.code)
    return ""
