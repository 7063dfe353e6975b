"""Who may come in: the decorators of the game's views.

Strangers are turned away first and alike: a private game that is not theirs answers as an address
that never was. Every page here may hold its reader's own dice, so none is ever stored by a cache.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.db import OperationalError
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.views.decorators.cache import cache_control

from games import wording
from games.models import Game
from games.selectors import Tie, Viewer, find_game, find_seated_game, tie_of
from games.services.lobby import Player
from games.store import SeedUnavailable

logger = logging.getLogger(__name__)

P = ParamSpec("P")
View = Callable[..., HttpResponseBase]


@dataclass(frozen=True, slots=True)
class Visit:
    """A request to one game: when it arrived, who asks, and the game, which he may know of.

    Only for views and services: no template ever gets one.
    """

    now: datetime
    viewer: Viewer
    game: Game


@dataclass(frozen=True, slots=True)
class SeatVisit(Visit):
    """A request by somebody who sits in the game, on seat ``seat``."""

    player: Player
    seat: int


def viewer_of(request: HttpRequest) -> Viewer:
    """Return who looks."""
    return Viewer(request.user.pk if request.user.is_authenticated else None)


def player_of(request: HttpRequest) -> Player:
    """Return who acts.

    :raises PermissionDenied: nobody is signed in (a view forgot its decorator).
    """
    if not request.user.is_authenticated:
        raise PermissionDenied
    return Player(request.user.pk, request.user.display_name)


def private_page(view: View) -> View:
    """Keep the answer out of every cache; it depends on the cookie and on who asks for it."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            response = view(request, *args, **kwargs)
        except SeedUnavailable as error:
            logger.critical("%s", error)  # the key's name and the game's code, no more
            response = _unavailable(after_seconds=600)
        except OperationalError as error:
            # A lock that was not given up in time, or a database that is away: nothing is done.
            logger.error("database: %s", type(error).__name__)
            response = _unavailable(after_seconds=5)
        patch_vary_headers(response, ("Cookie", "HX-Request"))
        return response

    return cache_control(private=True, no_store=True)(guarded)


def _unavailable(*, after_seconds: int) -> HttpResponse:
    """Return a page that takes neither a session nor a database to make."""
    page = HttpResponse(render_to_string("503.html"), status=503)
    page["Retry-After"] = str(after_seconds)
    return page


def signed_in(view: View) -> View:
    """Lead visitors to the log-in page and back; the answer is never stored."""
    return private_page(login_required(view))


def game_visible(
    view: Callable[Concatenate[HttpRequest, Visit, P], HttpResponseBase],
) -> View:
    """Give the view its :class:`Visit`, or answer 404 to whoever may not know of the game."""

    @wraps(view)
    def guarded(
        request: HttpRequest, code: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        now = timezone.now()  # first of all: a move counts from its arrival
        viewer = viewer_of(request)
        return view(request, Visit(now, viewer, _find(code, viewer)), *args, **kwargs)

    return private_page(guarded)


def seat_required(
    view: Callable[Concatenate[HttpRequest, SeatVisit, P], HttpResponseBase],
) -> View:
    """Give the view its :class:`SeatVisit`: 404 for strangers, 403 for mere onlookers.

    Whoever held a seat, or is about to, is led to the game's page, and told why if he sent
    something.
    """

    @wraps(view)
    def guarded(
        request: HttpRequest, code: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        now = timezone.now()
        viewer = viewer_of(request)
        game, seat = _find_seated(code, viewer)
        if seat is None:
            return _without_seat(request, game, viewer)
        visit = SeatVisit(now, viewer, game, player_of(request), seat)
        return view(request, visit, *args, **kwargs)

    return private_page(guarded)


def _without_seat(request: HttpRequest, game: Game, viewer: Viewer) -> HttpResponseBase:
    why = {Tie.FORMER: "takeover.retired", Tie.HEIR: "takeover.not-yet"}
    tie = tie_of(game, viewer)
    if tie is None:
        raise PermissionDenied
    if request.method == "POST":
        messages.info(request, wording.seat_refusal(why[tie]))
    return HttpResponseRedirect(reverse("game", args=[game.code]))


def post_or_back(view: View) -> View:
    """Let only POST through; anything else is led to the game's page.

    A refused POST shows the game under this address, and whoever reloads or changes the language
    there comes back by GET. It changes nothing.
    """

    @wraps(view)
    def guarded(request: HttpRequest, code: str, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.method != "POST":
            return HttpResponseRedirect(reverse("game", args=[code]))
        return view(request, code, *args, **kwargs)

    return guarded


def _find(code: str, viewer: Viewer) -> Game:
    try:
        return find_game(code, viewer)
    except Game.DoesNotExist as error:
        raise Http404 from error


def _find_seated(code: str, viewer: Viewer) -> tuple[Game, int | None]:
    try:
        return find_seated_game(code, viewer)
    except Game.DoesNotExist as error:
        raise Http404 from error
