"""What one does in a waiting room: come, get ready, invite, start, go."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import wording
from games.forms import ContributionForm, InviteForm
from games.models import ContributionKind, GameStatus
from games.services import contributing, lobby
from games.services.errors import LobbyRefusal
from games.views.access import (
    SeatVisit,
    Visit,
    game_visible,
    player_of,
    post_or_back,
    seat_required,
)
from games.views.boards import Notice
from games.views.game import by_htmx, show, show_again


@post_or_back
@game_visible
def join(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Take a seat in an open game."""
    if not request.user.is_authenticated:
        return redirect_to_login(_page(visit))
    player = player_of(request)
    return _do(
        request, visit, lambda: lobby.join(game_id=visit.game.pk, player=player, now=visit.now)
    )


@post_or_back
@seat_required
def ready(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Say that one is ready (``ready=1``), or not yet."""
    return _do(
        request,
        visit,
        lambda: lobby.set_ready(
            game_id=visit.game.pk,
            user_id=visit.player.user_id,
            is_ready=request.POST.get("ready") == "1",
            now=visit.now,
        ),
    )


@post_or_back
@seat_required
def start(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Start with the players that are there; the host may name who opens."""
    opener = request.POST.get("opener", "")
    return _do(
        request,
        visit,
        lambda: lobby.start(
            game_id=visit.game.pk,
            host_id=visit.player.user_id,
            now=visit.now,
            opener=int(opener) if opener in OPENERS else None,
        ),
    )


@post_or_back
@seat_required
def remove_seat(request: HttpRequest, visit: SeatVisit, seat_id: int) -> HttpResponseBase:
    """Let the host free a seat."""
    return _do(
        request,
        visit,
        lambda: lobby.remove_seat(
            game_id=visit.game.pk, host_id=visit.player.user_id, seat_id=seat_id, now=visit.now
        ),
    )


@post_or_back
@seat_required
def add_bot(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Let the host give a seat to a bot."""
    return _do(
        request,
        visit,
        lambda: lobby.add_bot(game_id=visit.game.pk, host_id=visit.player.user_id, now=visit.now),
    )


@post_or_back
@seat_required
def invite(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Mail an invitation to each address; wrong ones are named and nothing is sent."""
    form = InviteForm(request.POST)
    if not form.is_valid():
        return show(request, visit, status=422, form=form)
    try:
        count = lobby.invite(
            game_id=visit.game.pk,
            player=visit.player,
            emails=form.cleaned_data["emails"],
            language=get_language() or "",
            now=visit.now,
        )
    except LobbyRefusal as refusal:
        form.add_error("emails", wording.lobby_refusal(refusal.code, refusal.params))
        return show(request, visit, status=409, form=form)
    if count:
        said = ngettext(
            "%(n)d invitation is on its way.", "%(n)d invitations are on their way.", count
        )
        messages.success(request, said % {"n": count})
    else:
        messages.info(request, _("They have been invited already."))
    return HttpResponseRedirect(_page(visit))


@post_or_back
@seat_required
def contribute(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Add a phrase, or bytes that the browser made, to the game's randomness."""
    form = ContributionForm(request.POST)
    if not form.is_valid():
        return show(request, visit, status=422, contribution_form=form)
    kind, raw = form.contribution()
    return _do(
        request,
        visit,
        lambda: contributing.contribute(
            game_id=visit.game.pk,
            user_id=visit.player.user_id,
            kind=kind,
            raw=raw,
            now=visit.now,
            unless_given=kind is ContributionKind.RANDOM,
        ),
    )


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required
def leave(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Give up one's seat; the host, whose leaving cancels the game, is asked first."""
    is_host = visit.game.host_id == visit.player.user_id
    if visit.game.status != GameStatus.OPEN:
        return HttpResponseRedirect(_page(visit))
    if request.method != "POST":
        return TemplateResponse(request, "games/confirm.html", _question(visit, is_host=is_host))
    try:
        lobby.leave(game_id=visit.game.pk, user_id=visit.player.user_id, now=visit.now)
    except LobbyRefusal as refusal:
        return _refused(request, visit, refusal)
    messages.success(
        request, _("The game is cancelled.") if is_host else _("You have left the game.")
    )
    return HttpResponseRedirect(reverse("home"))


OPENERS = frozenset(str(number) for number in range(10))


def _question(visit: SeatVisit, *, is_host: bool) -> dict[str, object]:
    if is_host:
        words = {
            "title": _("Cancel the game?"),
            "text": _("Nobody can join any more, and everybody who sits here is told by mail."),
            "yes": _("Cancel the game"),
            "no": _("Keep it open"),
        }
    else:
        words = {
            "title": _("Give up your seat?"),
            "text": _("Your seat becomes free for somebody else."),
            "yes": _("Give up my seat"),
            "no": _("Stay"),
        }
    return {**words, "back_url": _page(visit)}


def _do(request: HttpRequest, visit: Visit, action: Callable[[], None]) -> HttpResponseBase:
    """Do one thing in the waiting room and show it; or show it with the reason why not."""
    try:
        action()
    except LobbyRefusal as refusal:
        return _refused(request, visit, refusal)
    if by_htmx(request):
        return show_again(request, visit)
    return HttpResponseRedirect(_page(visit))


def _refused(request: HttpRequest, visit: Visit, refusal: LobbyRefusal) -> HttpResponseBase:
    status = 403 if refusal.code == "lobby.host-only" else 409
    notice = Notice(wording.lobby_refusal(refusal.code, refusal.params))
    return show_again(request, visit, status=status, notices=[notice])


def _page(visit: Visit) -> str:
    return reverse("game", args=[visit.game.code])
