"""A finished game replayed move by move, and pictures of a game for sharing."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from games import verdicts
from games.models import GameStatus, Round
from games.selectors import Viewer, table_page, waiting_room
from games.selectors.replay import Moment, Place, end_of, replay_moment
from games.selectors.review import review_for
from games.views import moments, sharing
from games.views.access import Visit, game_visible


@require_safe
@game_visible
def replay(request: HttpRequest, visit: Visit, number: int = 1, move: int = 0) -> HttpResponseBase:
    """Show one moment of a game that is over, as the table or one of its seats saw it."""
    eyes, every_cup = _eyes(request)
    moment = _moment(visit, (number, move), visit.viewer, eyes=eyes, every_cup=every_cup)
    card = sharing.moment_card(request, moment)
    context = {
        **moments.context(moment, now=visit.now),
        "verdict": _verdict(visit, moment),
        "link": card.url,
        "share": None if moment.game.is_private else card,
    }
    return TemplateResponse(request, "games/replay.html", context)


@require_safe
@game_visible
def picture(request: HttpRequest, visit: Visit, kind: str) -> HttpResponseBase:
    """Draw the game as an onlooker sees it now."""
    match GameStatus(visit.game.status):
        case GameStatus.OPEN:
            drawn = sharing.picture_of_room(waiting_room(visit.game, Viewer()))
        case GameStatus.ACTIVE:
            page = table_page(visit.game, Viewer())
            if page.view is None:  # it ended while it was looked at
                raise Http404
            drawn = sharing.picture_of_table(page, page.view)
        case GameStatus.FINISHED:
            drawn = sharing.picture_of_moment(_moment(visit, end_of(visit.game), Viewer()))
        case GameStatus.CANCELLED:
            raise Http404
    return sharing.answer(request, drawn, kind)


@require_safe
@game_visible
def moment_picture(
    request: HttpRequest, visit: Visit, number: int, move: int, kind: str
) -> HttpResponseBase:
    """Draw a moment of a game that is over, as everybody saw it."""
    moment = _moment(visit, (number, move), Viewer())
    return sharing.answer(request, sharing.picture_of_moment(moment), kind)


def _moment(
    visit: Visit, place: Place, viewer: Viewer, *, eyes: int | None = None, every_cup: bool = False
) -> Moment:
    try:
        return replay_moment(visit.game, place, viewer, eyes=eyes, every_cup=every_cup)
    except Round.DoesNotExist as error:
        raise Http404 from error


def _verdict(visit: Visit, moment: Moment) -> verdicts.VerdictLine | None:
    """Return what the review says of the move that led to this moment."""
    for decision in review_for(visit.game, visit.viewer).decisions:
        if (decision.number, decision.move) == (moment.number, moment.move):
            return verdicts.verdict_line(decision, moment.names)
    return None


def _eyes(request: HttpRequest) -> tuple[int | None, bool]:
    """Return whose eyes the reader chose, and whether every cup is to be open.

    :raises Http404: it is none of the links on the page.
    """
    chosen = request.GET.get("as", "")
    if chosen in ("", moments.EVERY_CUP):
        return None, chosen == moments.EVERY_CUP
    if not (chosen.isascii() and chosen.isdigit() and len(chosen) < 3):
        raise Http404
    return int(chosen), False
