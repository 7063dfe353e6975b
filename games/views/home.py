"""The first page, and a game within one click."""

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from games import wording
from games.clock import find_clock
from games.forms.clock import DEFAULT
from games.forms.new_game import NAME_LENGTH
from games.rules import find_ruleset
from games.selectors import my_games
from games.services import lobby
from games.services.errors import LobbyRefusal
from games.views import pages
from games.views.access import player_of, private_page, signed_in, viewer_of
from games.views.boards import card

QUICK_BOTS = 3


@require_safe
@private_page
def home(request: HttpRequest) -> HttpResponseBase:
    """Show my games, those that wait for me first; to a visitor, what this is."""
    if not request.user.is_authenticated:
        return pages.landing(request)
    mine = my_games(viewer_of(request))
    return TemplateResponse(
        request,
        "games/my_games.html",
        {
            "now": timezone.now(),
            "waiting": tuple(map(card, mine.waiting)),
            "running": tuple(map(card, mine.running)),
            "open": tuple(map(card, mine.open)),
            "ended": tuple(map(card, mine.ended)),
            "waiting_count": len(mine.waiting),
            "quick_bots": QUICK_BOTS,
        },
    )


@require_POST
@signed_in
def quick(request: HttpRequest) -> HttpResponseBase:
    """Start a game against bots at once."""
    player = player_of(request)
    new = lobby.NewGame(
        name=(_("%(name)s against bots") % {"name": player.name})[:NAME_LENGTH],
        ruleset=find_ruleset("bga"),
        seats=1 + QUICK_BOTS,
        clock=find_clock(DEFAULT),
        bots=QUICK_BOTS,
    )
    try:
        game = lobby.create_game(host=player, new=new, now=timezone.now())
    except LobbyRefusal as refusal:
        messages.error(request, wording.lobby_refusal(refusal.code, refusal.params))
        return HttpResponseRedirect(reverse("home"))
    return HttpResponseRedirect(reverse("game", args=[game.code]))
