"""The rules of one game, each with an example."""

from datetime import timedelta

from django.http import HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.views.decorators.http import require_safe

from games import wording
from games.selectors.rules import rules_of
from games.views.access import Visit, game_visible
from games.views.boards import table_rules, title_of
from games.wording.rule_examples import explain
from games.wording.wild import wild_face


@require_safe
@game_visible
def game_rules(request: HttpRequest, visit: Visit) -> HttpResponseBase:
    """Explain every rule that this game set when it began, a custom one's own toggles too."""
    game = rules_of(visit.game)
    context = {
        "title": title_of(game),
        "code": game.code,
        "rules_title": wording.ruleset_title(game.ruleset.name),
        "turn_time": wording.time_left(timedelta(seconds=game.turn_seconds)),
        "table_lines": table_rules(game),
        "rules": explain(game.ruleset),
        "wild": wild_face(game.ruleset.name),
    }
    return TemplateResponse(request, "games/game_rules.html", context)
