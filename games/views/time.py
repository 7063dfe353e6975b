"""The clocks of a table: everybody's time, every rule about it, and what one may do."""

from collections.abc import Callable
from datetime import UTC, datetime

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import wording
from games.clock import ClockRefusal, Question, Result
from games.models import GameStatus
from games.selectors import TimePage, time_page
from games.selectors.time import SeatTime
from games.services import more_time, voting
from games.services.errors import StaleMove
from games.views.access import SeatVisit, Visit, game_visible, seat_required
from games.views.boards import Context, title_of
from games.views.play import HttpResponseSeeOther

_QUESTIONS = frozenset(question.value for question in Question)


@require_http_methods(["GET", "HEAD", "POST"])
def time(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show the clocks of a game under way; a POST does what its ``act`` names."""
    return _act(request, code) if request.method == "POST" else _show(request, code)


@game_visible
def _show(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    if visit.game.status != GameStatus.ACTIVE:
        return HttpResponseSeeOther(reverse("game", args=[visit.game.code]))
    page = time_page(visit.game, visit.viewer, now=visit.now)
    return TemplateResponse(request, "games/time.html", _context(page, visit))


@seat_required
def _act(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Do one thing, say what came of it, and show the clocks again."""
    try:
        said = _do(request, visit)
    except StaleMove:
        messages.info(request, _("The game had moved on meanwhile: nothing was done."))
    except ClockRefusal as refusal:
        messages.error(request, wording.clock_refusal(refusal.code, refusal.params))
    else:
        if said:
            messages.success(request, said)
    return HttpResponseSeeOther(reverse("game_time", args=[visit.game.code]))


def _do(request: HttpRequest, visit: SeatVisit) -> str:
    """Do what the form says; return what to tell its sender.

    :raises ClockRefusal: it may not be done.
    :raises StaleMove: the form is about another turn, or cannot be read.
    """
    game_id, user_id, now = visit.game.pk, visit.player.user_id, visit.now
    act, asked = request.POST.get("act", ""), request.POST.get("question", "")
    on_turn: dict[str, Callable[..., None]] = {
        "token": more_time.take_extension,
        "gift": more_time.give,
        "nudge": more_time.nudge,
    }
    if act in on_turn:
        deadline = _instant(request.POST.get("deadline", ""))
        if deadline is None:
            raise StaleMove(visit.game.version)
        on_turn[act](game_id=game_id, user_id=user_id, deadline=deadline, now=now)
        return {
            "token": _("This turn has 24 hours more."),
            "gift": _("You have given 24 hours."),
            "nudge": _("A mail is on its way."),
        }[act]
    if act not in ("propose", "aye", "nay") or asked not in _QUESTIONS:
        raise StaleMove(visit.game.version)
    question = Question(asked)
    if act == "propose":
        result = voting.propose(game_id=game_id, user_id=user_id, question=question, now=now)
    else:
        result = voting.cast(
            game_id=game_id, user_id=user_id, question=question, aye=act == "aye", now=now
        )
    return {
        Result.OPEN: _("Your vote counts. The others have been asked."),
        Result.PASSED: _("It is decided: more than half are for it."),
        Result.FAILED: _("It is decided: there is no majority for it."),
        Result.LAPSED: _("This vote is closed."),
    }[result]


def _instant(text: str) -> datetime | None:
    """Return the deadline that a form was about, None if it cannot be read."""
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return instant if instant.tzinfo is not None else instant.replace(tzinfo=UTC)


def _context(page: TimePage, visit: Visit) -> Context:
    vote = page.vote
    return {
        "title": title_of(page.game),
        "game": page.game,
        "page": page,
        "now": visit.now,
        "left": "" if page.left is None else wording.time_left(page.left),
        "seats": tuple(
            (each, _bank_text(each, by_parts=page.game.day_parts)) for each in page.seats
        ),
        "lines": (
            *wording.table_lines(gate=0, new_welcome=True, day_parts=page.game.day_parts),
            *wording.clock_lines(page.game.clock),
        ),
        "has_bank": bool(page.game.clock.cap),
        "deadline_key": page.deadline_at.isoformat() if page.deadline_at else "",
        "question": wording.question_text(vote.question) if vote else "",
        "questions": tuple(
            (question.value, wording.question_text(question)) for question in page.questions
        ),
        "why_not_token": _said(page.why_not_token),
        "why_not_gift": _said(page.why_not_gift),
        "why_not_nudge": _said(page.why_not_nudge),
    }


def _bank_text(seat: SeatTime, *, by_parts: bool) -> str:
    if seat.bank:
        return wording.time_left(seat.bank)
    return _("less than 6 hours") if by_parts else _("nothing")


def _said(refusal: ClockRefusal | None) -> str:
    return wording.clock_refusal(refusal.code, refusal.params) if refusal else ""
