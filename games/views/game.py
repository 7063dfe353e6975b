"""The game's one page: waiting room, table, or what became of it."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.forms import ContributionForm, InviteForm
from games.models import GameStatus
from games.selectors import TablePage, find_game, table_page, waiting_room
from games.services import presence
from games.views import boards, sharing
from games.views.access import Visit, game_visible
from games.views.handovers import handover_panel
from games.views.playing import manner_of
from games.views.telling import news_since

LOOKS_APART = timedelta(minutes=1)

MY_TURN = "X-My-Turn"
"""A header for a page that is open but hidden: it asks by HEAD, which counts as no look."""

FRAGMENTS = {
    GameStatus.OPEN: "games/fragments/waiting_room.html",
    GameStatus.ACTIVE: "games/fragments/table.html",
    GameStatus.FINISHED: "games/fragments/finished.html",
    GameStatus.CANCELLED: "games/fragments/cancelled.html",
}


@require_safe
@game_visible
def game(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Show the game; with ``?since=`` of the newest position there is nothing to show (204)."""
    since = request.GET.get("since", "")
    if since and since == _position_key(visit):
        return HttpResponse(status=204)
    return show(request, visit, chosen=request.GET.get("bid", ""), since=_version_in(since))


def show(
    request: HttpRequest,
    visit: Visit,
    *,
    status: int = 200,
    notices: Sequence[boards.Notice] = (),
    chosen: str = "",
    since: int | None = None,
    form: InviteForm | None = None,
    contribution_form: ContributionForm | None = None,
) -> TemplateResponse:
    """Answer with the game as it stands: the whole page, or for htmx the part that changes.

    :param chosen: the bid that its reader had ticked.
    :param since: the version that his page showed: what was done after it is read out to him.
    :param form: an invitation form with its errors.
    :param contribution_form: a contribution with its errors.
    """
    state = GameStatus(visit.game.status)
    context: boards.Context
    if state is GameStatus.OPEN:
        room = waiting_room(visit.game, visit.viewer)
        link = reverse("join", args=[room.invite_token]) if room.invite_token else ""
        share = sharing.table_card(request, room)
        context = boards.room_context(
            room,
            now=visit.now,
            invite_url=request.build_absolute_uri(link) if link else "",
            form=form,
            contribution_form=contribution_form,
        )
    else:
        page = table_page(visit.game, visit.viewer)
        _note_look(request, visit, page)
        share = sharing.table_card(request, page)
        if state is GameStatus.ACTIVE:
            manner = manner_of(request)
            context = boards.table_context(page, now=visit.now, manner=manner, chosen=chosen)
        else:
            context = boards.finished_context(page)
        context["handover"] = handover_panel(request, page)
        if since is not None and by_htmx(request):
            context["news"] = news_since(visit.game, page, since)
    context["notices"] = tuple(notices)
    context["fragment"] = FRAGMENTS[state]
    context["share"] = share
    context["as_fragment"] = by_htmx(request)
    template = FRAGMENTS[state] if by_htmx(request) else "games/game.html"
    response = TemplateResponse(request, template, context, status=status)
    if context.get("is_my_turn"):
        response[MY_TURN] = "1"
    return response


def show_again(
    request: HttpRequest,
    visit: Visit,
    *,
    status: int = 200,
    notices: Sequence[boards.Notice] = (),
    chosen: str = "",
    since: int | None = None,
) -> TemplateResponse:
    """Read the game anew, after something changed it, and show it."""
    game = find_game(visit.game.code, visit.viewer)
    visit = replace(visit, game=game)
    return show(request, visit, status=status, notices=notices, chosen=chosen, since=since)


def by_htmx(request: HttpRequest) -> bool:
    """Return whether the page's script asks, which wants the fragment alone."""
    return "HX-Request" in request.headers


def _note_look(request: HttpRequest, visit: Visit, page: TablePage) -> None:
    """Note that somebody looks at his turn, once a minute at most; what a browser guesses is none.

    An open page asks for news only while it can be seen (``play.js``).
    """
    is_guess = "prefetch" in request.headers.get("Sec-Purpose", request.headers.get("Purpose", ""))
    if page.me is None or not page.is_my_turn or request.method == "HEAD" or is_guess:
        return
    if page.looked_at is None or visit.now - page.looked_at >= LOOKS_APART:
        version = visit.game.version
        presence.look(seat_id=page.me.seat_id, version=version, now=visit.now)


def _version_in(key: str) -> int | None:
    """Return the version that a position's key begins with, or None for any other text."""
    digits = key.partition("-")[0]
    return int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else None


def _position_key(visit: Visit) -> str:
    if visit.game.status == GameStatus.OPEN:
        return boards.room_key(waiting_room(visit.game, visit.viewer))
    game = visit.game
    return boards.table_key(
        game.version,
        game.turn_deadline_at,
        has_vote=game.vote is not None,
        handovers=game.handovers,
    )
