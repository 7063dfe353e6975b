"""The page behind an invitation link. It works before one has an account."""

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods

from games import wording
from games.models import Game
from games.selectors import InviteState, invite_page
from games.services import lobby
from games.services.errors import LobbyRefusal
from games.views.access import player_of, private_page, viewer_of
from games.views.boards import rules_context, title_of


@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def join_by_link(request: HttpRequest, token: str) -> HttpResponseBase:
    """Tell who invites to what; POST takes a seat. Visitors sign up or log in first."""
    now = timezone.now()
    try:
        game, page = invite_page(token, viewer_of(request), now=now)
    except Game.DoesNotExist:
        return TemplateResponse(request, "games/invitation_gone.html", status=404)
    refusal = ""
    if (request.method == "POST" and page.state is InviteState.OPEN) or page.i_sit:
        if not request.user.is_authenticated:
            return redirect_to_login(request.path)
        try:
            if not page.i_sit:
                lobby.join(game_id=game.pk, player=player_of(request), now=now)
        except LobbyRefusal as error:
            refusal = wording.lobby_refusal(error.code, error.params)
            game, page = invite_page(token, viewer_of(request), now=now)
        else:
            return HttpResponseRedirect(reverse("game", args=[game.code]))
    back = urlencode({"next": request.path})
    context = {
        **rules_context(page.game),
        "title": title_of(page.game),
        "page": page,
        "refusal": refusal,
        "login_url": f"{reverse('account_login')}?{back}",
        "signup_url": f"{reverse('account_signup')}?{back}",
    }
    is_refused = request.method == "POST"
    return TemplateResponse(
        request, "games/invitation.html", context, status=409 if is_refused else 200
    )
