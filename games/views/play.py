"""Moves: bid, dudo, calza, leaving, coming back, and a vote on a roll that waits."""

import re

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import rules, wording
from games.forms import SentMove
from games.models import GameStatus
from games.rules import RuleViolation
from games.selectors import find_game, table_page
from games.services import moves, rolling
from games.services.errors import SeatRefusal, StaleMove, TurnExpired
from games.views import boards
from games.views.access import SeatVisit, post_or_back, seat_required
from games.views.game import by_htmx, show_again
from games.views.telling import news_since

_ROUND = re.compile(r"[0-9]{1,9}", re.ASCII)


class HttpResponseSeeOther(HttpResponseRedirect):
    """Lead a browser on after a POST, by GET (RFC 9110, 15.4.4)."""

    status_code = 303


@post_or_back
@seat_required
def play(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Play a move, or say why it was not played and keep what was chosen."""
    sent = SentMove.read(request.POST)
    chosen = request.POST.get("bid", "")[:10]
    if sent is None:
        return _refuse(request, visit, 422, [_("This move could not be read.")], chosen)
    try:
        if visit.game.status == GameStatus.OPEN:
            # Seats are drawn at the start: by the time this is played, the number may be another's.
            raise StaleMove(visit.game.version)
        action = _action(sent, visit.seat)
        played = moves.play(
            game_id=visit.game.pk,
            action=action,
            expected_version=sent.version,
            now=visit.now,
            idem_key=sent.key_of_answer(),
        )
    except TurnExpired:
        late = _("Your move arrived after your time was up, so it was not played.")
        return _refuse(request, visit, 409, [late], chosen)
    except StaleMove:
        return _refuse(request, visit, 409, _why_stale(sent, visit), chosen)
    except RuleViolation as violation:
        return _refuse(request, visit, 422, [wording.refusal(violation)], chosen)
    held = _("Your move is noted. It counts when the time for calza is over.")
    if by_htmx(request):
        notices = [boards.Notice(held, "info")] if played.held_until else []
        return show_again(request, visit, notices=notices, since=sent.version)
    if played.held_until:
        messages.info(request, held)
    return HttpResponseSeeOther(reverse("game", args=[visit.game.code]))


@post_or_back
@seat_required
def pass_calza(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Say that this player will call no calza in the open round."""
    seen = request.POST.get("round", "")
    try:
        moves.pass_calza(
            game_id=visit.game.pk,
            user_id=visit.player.user_id,
            round_number=int(seen) if _ROUND.fullmatch(seen) else 0,
            now=visit.now,
        )
    except StaleMove:
        messages.info(request, _("Another round has begun."))
    except RuleViolation as violation:
        messages.error(request, wording.refusal(violation))
    return HttpResponseSeeOther(reverse("game", args=[visit.game.code]))


@require_http_methods(["GET", "HEAD", "POST"])
@seat_required
def resign(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Ask once more, then give up the seat for good."""
    home = reverse("game", args=[visit.game.code])
    if visit.game.status != GameStatus.ACTIVE:
        return HttpResponseSeeOther(home)
    if request.method == "POST":
        try:
            moves.resign(game_id=visit.game.pk, user_id=visit.player.user_id, now=visit.now)
        except RuleViolation as violation:
            messages.error(request, wording.refusal(violation))
        return HttpResponseSeeOther(home)
    return TemplateResponse(
        request,
        "games/confirm.html",
        {
            "title": _("Leave the game?"),
            "text": _(
                "Your dice go out of play and you take the last place of those who are still in. "
                "The others roll again and play on. You cannot come back."
            ),
            "yes": _("Leave the game"),
            "no": _("Stay"),
            "back_url": home,
        },
    )


@post_or_back
@seat_required
def come_back(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """End the player's absence: he moves for himself again."""
    try:
        moves.come_back(game_id=visit.game.pk, user_id=visit.player.user_id, now=visit.now)
    except SeatRefusal as refusal:
        messages.error(request, wording.seat_refusal(refusal.code))
    return HttpResponseSeeOther(reverse("game", args=[visit.game.code]))


@post_or_back
@seat_required
def roll(request: HttpRequest, visit: SeatVisit) -> HttpResponseBase:
    """Vote to roll a round that has waited for a day without its public randomness."""
    try:
        rolling.vote(game_id=visit.game.pk, user_id=visit.player.user_id, now=visit.now)
    except StaleMove:
        messages.info(request, _("There is nothing to vote on: the dice are rolled, or still due."))
    except RuleViolation as violation:
        messages.error(request, wording.refusal(violation))
    return HttpResponseSeeOther(reverse("game", args=[visit.game.code]))


def _action(sent: SentMove, seat: int) -> rules.Move:
    """Return the move that was sent.

    :raises RuleViolation: ``bid.unreadable``.
    """
    match sent.act:
        case "dudo":
            return rules.Dudo(seat)
        case "calza":
            return rules.Calza(seat)
        case _:
            return rules.MakeBid(seat, rules.Bid.parse(sent.bid))


def _why_stale(sent: SentMove, visit: SeatVisit) -> list[str]:
    """Return that the game moved on, and what happened since the page was shown."""
    said = {
        "bid": _("Your bid was not played: the game had moved on."),
        "dudo": _("Your dudo was not played: the game had moved on."),
        "calza": _("Your calza was not played: the game had moved on."),
    }
    page = table_page(find_game(visit.game.code, visit.viewer), visit.viewer)
    return [said[sent.act], *news_since(visit.game, page, sent.version)]


def _refuse(
    request: HttpRequest, visit: SeatVisit, status: int, lines: list[str], chosen: str
) -> HttpResponseBase:
    """Show the newest position with the reason; what was chosen stays ticked, or is named."""
    notices = [boards.Notice(" ".join(lines))]
    return show_again(request, visit, status=status, notices=notices, chosen=chosen)
