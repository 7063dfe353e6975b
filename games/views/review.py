"""The review of a finished game, on a page of its own."""

from itertools import groupby

from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from games import verdicts
from games.models import Round
from games.selectors.review import ReviewPage, review_page
from games.views.access import Visit, game_visible
from games.views.boards import title_of


@require_safe
@game_visible
def review(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Tell how good each decision of a game was, and what it could not know."""
    try:
        page = review_page(visit.game, visit.viewer)
    except Round.DoesNotExist as error:
        raise Http404 from error
    today = tuple(seat.name for seat in page.seats)
    context = {
        "title": title_of(page.game),
        "game": page.game,
        "names": today,
        "chart": verdicts.chance_chart(page.review, today),
        "at_end": verdicts.chances_text(page.review.chances[-1]) if page.review.chances else (),
        "players": verdicts.player_lines(page.review, today),
        "turning_points": tuple(
            verdicts.verdict_line(decision, _names(page, decision.number))
            for decision in page.review.turning_points()
        ),
        "rounds": _rounds(page),
        "is_whole": page.is_whole,
    }
    return TemplateResponse(request, "games/review.html", context)


def _rounds(page: ReviewPage) -> tuple[verdicts.RoundLines, ...]:
    by_round = {
        number: tuple(group)
        for number, group in groupby(page.review.decisions, key=lambda each: each.number)
    }
    return tuple(
        verdicts.RoundLines(
            number=number,
            chances=verdicts.chances_text(chances),
            lines=tuple(
                verdicts.verdict_line(decision, _names(page, number))
                for decision in by_round.get(number, ())
            ),
        )
        for number, chances in enumerate(page.review.chances[:-1], start=1)
    )


def _names(page: ReviewPage, number: int) -> tuple[str, ...]:
    """Return the names by seat of who sat there in a round."""
    return tuple(seat.in_round(number).name for seat in page.seats)
