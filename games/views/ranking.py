"""The leaderboards."""

from datetime import datetime

from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games import ratings, wording
from games.forms.new_game import CUSTOM, MOST_SEATS
from games.ratings import Board
from games.rules import PRESETS
from games.selectors.ratings import board_page
from games.views.access import private_page, viewer_of

Tab = tuple[str, str, bool]
SEASON = "season"


@require_safe
@private_page
def ranking(request: HttpRequest, board: str = ratings.ALL) -> HttpResponseBase:
    """Show a page of a leaderboard, and where its reader stands."""
    now = timezone.now()
    boards = _boards(now)
    if board not in boards:
        raise Http404
    found, title = boards[board]
    asked = request.GET.get("page", "")
    number = int(asked) if asked.isascii() and asked.isdigit() and len(asked) < 8 else 1
    page = board_page(found, viewer_of(request), page=number)
    own = page.own
    return TemplateResponse(
        request,
        "games/ranking.html",
        {
            "title": title,
            "page": page,
            "is_group": found.is_group,
            "not_listed": wording.not_listed_sentence(
                games=own.rating.games, here=own.games, is_group=found.is_group
            )
            if own and own.place is None
            else "",
            "groups": _groups(boards, board),
            "thresholds": {
                "listed": ratings.LISTED_FROM,
                "group": ratings.LISTED_FROM_IN_GROUP,
                "days": ratings.ACTIVE_DAYS,
                "provisional": ratings.PROVISIONAL_BELOW,
            },
        },
    )


def _boards(now: datetime) -> dict[str, tuple[Board, str]]:
    """Return the boards by what stands in their addresses, each with its title."""
    rules = (*PRESETS, CUSTOM)
    seats = range(2, MOST_SEATS + 1)
    return {
        ratings.ALL: (Board(ratings.ALL), _("All games")),
        SEASON: (Board.of_season(now), wording.season_title(ratings.season_of(now))),
        **{f"rules-{name}": (Board.of_rules(name), wording.ruleset_title(name)) for name in rules},
        **{
            f"seats-{count}": (Board.of_seats(count), wording.seats_title(count)) for count in seats
        },
    }


def _groups(
    boards: dict[str, tuple[Board, str]], chosen: str
) -> tuple[tuple[str, tuple[Tab, ...]], ...]:
    """Return the links to the boards, in groups with their names."""

    def tabs(beginning: str) -> tuple[Tab, ...]:
        return tuple(
            (title, _address(name), name == chosen)
            for name, (_board, title) in boards.items()
            if name.startswith(beginning)
        )

    return (
        (_("Leaderboards"), (*tabs(ratings.ALL), *tabs(SEASON))),
        (_("By rules"), tabs("rules-")),
        (_("By number of players"), tabs("seats-")),
    )


def _address(name: str) -> str:
    return reverse("ranking") if name == ratings.ALL else reverse("ranking_board", args=[name])
