"""A game looked back on: its rounds, its record, and the next one with the same people."""

from datetime import datetime

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import panels, wording
from games.models import Event, GameStatus, Round
from games.rules.record import dump
from games.selectors import RoundPage, history, record_of, round_page
from games.selectors.log import transcript as public_log
from games.selectors.talk import talk_of
from games.selectors.values import retired_seats
from games.services import lobby
from games.services.errors import LobbyRefusal
from games.views.access import SeatVisit, Visit, game_visible, post_or_back, seat_required
from games.views.boards import last_round, title_of
from games.views.handovers import told_in
from games.views.times import timed
from games.wording.wild import wild_face


@require_safe
@game_visible
def rounds(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Tell how every round of the game ended."""
    told = history(visit.game, visit.viewer)
    retired = retired_seats(told.seats)
    context = {
        "title": title_of(told.game),
        "game": told.game,
        "now": visit.now,
        "rounds": tuple(
            (
                last_round(closed, told.names_in(closed.number), retired=retired),
                told_in(told.seats, closed.number),
            )
            for closed in told.rounds
        ),
        "current": told_in(told.seats, told.current)
        if visit.game.status == GameStatus.ACTIVE
        else (),
        "is_over": visit.game.status == GameStatus.FINISHED,
        "talk": talk_of(visit.game),
    }
    return TemplateResponse(request, "games/rounds.html", context)


@require_safe
@game_visible
def round_(request: HttpRequest, visit: Visit, number: int) -> HttpResponseBase:
    """Show one closed round: its bids, the cups that were lifted, and how it ended."""
    try:
        page = round_page(visit.game, number, visit.viewer)
    except Round.DoesNotExist as error:
        raise Http404 from error
    return TemplateResponse(request, "games/round.html", _round_context(page, now=visit.now))


@require_safe
@game_visible
def record(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Give a finished game as a file of JSON lines."""
    if visit.game.status != GameStatus.FINISHED:
        raise Http404
    return HttpResponse(
        dump(record_of(visit.game)),
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="perudo-{visit.game.code}.jsonl"'},
    )


@require_safe
@game_visible
def record_text(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Tell a finished game as a file of sentences."""
    if visit.game.status != GameStatus.FINISHED:
        raise Http404
    return HttpResponse(
        "".join(f"{line}\n" for line in wording.record_lines(record_of(visit.game))),
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="perudo-{visit.game.code}.txt"'},
    )


@require_safe
@game_visible
def transcript(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Give the game's public log as a file that anybody can check (docs/pf1.md)."""
    try:
        text = public_log(visit.game)
    except Event.DoesNotExist as error:
        raise Http404 from error
    name = f"perudo-{visit.game.code}-transcript.jsonl"
    return HttpResponse(
        text,
        content_type="application/jsonl; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


@post_or_back
@seat_required
def rematch(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Open the next game with the same people, or join it where another player was quicker."""
    try:
        again = lobby.rematch(game=visit.game, player=visit.player, now=visit.now)
    except LobbyRefusal as refusal:
        messages.error(request, wording.lobby_refusal(refusal.code, refusal.params))
        return HttpResponseRedirect(reverse("game", args=[visit.game.code]))
    return HttpResponseRedirect(reverse("game", args=[again.code]))


def _round_context(page: RoundPage, *, now: datetime) -> dict[str, object]:
    told = last_round(page.closed, page.names, retired=retired_seats(page.seats))
    return {
        "title": title_of(page.game),
        "game": page.game,
        "number": page.number,
        "previous": page.number - 1,
        "next": page.number + 1 if page.number < page.last_number else None,
        "last_number": page.last_number,
        "wild": wild_face(page.game.ruleset.name),
        "mode_sentence": wording.mode_sentence(page.mode),
        "now": now,
        "bids": timed(page.bids, now=now, by_parts=page.game.day_parts),
        "told": told,
        "covered_cups": tuple(
            panels.CupPanel(page.names[seat], _plain(dice), 0, 0)
            for seat, dice in page.covered_cups
        ),
        "own_cup": page.own_cup,
        "covered_note": _covered_note(page),
        "is_over": page.game.status is GameStatus.FINISHED,
    }


def _plain(dice: tuple[int, ...]) -> tuple[panels.ShownDie, ...]:
    return tuple(panels.ShownDie(face, counts=True) for face in dice)


def _covered_note(page: RoundPage) -> str:
    """Return why some cups of the round are not shown."""
    if not page.closed.covered or page.covered_cups:
        return ""
    if page.game.status is GameStatus.FINISHED:
        return _("The cups that the rules did not lift stay covered: this table chose it so.")
    return _("The cups that the rules did not lift stay covered while the game lasts.")
