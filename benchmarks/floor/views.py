"""The floor's page and its move, behind the site's own middleware."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from benchmarks.floor.models import FloorMove
from benchmarks.floor.moves import orm_move

MOVES_ON_PAGE = 48


@login_required
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the last moves of a game: session, user, one indexed query, 15 KB of HTML."""
    moves = FloorMove.objects.filter(game_id=pk).order_by("-number")[:MOVES_ON_PAGE]
    return render(request, "floor/page.html", {"pk": pk, "moves": moves})


@login_required
@require_POST
def play(request: HttpRequest, pk: int) -> HttpResponse:
    """Make a move: session, user, one transaction by the ORM, a redirect."""
    if request.user.pk is not None:
        orm_move(pk, request.user.pk, now=timezone.now())
    return redirect("floor_page", pk=pk)
