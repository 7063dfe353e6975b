"""A player's public page."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games import wording
from games.selectors.profile import profile
from games.services import places
from games.views.access import private_page, viewer_of


@require_safe
@private_page
def player(request: HttpRequest, player: str) -> HttpResponseBase:
    """Show who plays here under a name; to himself also what brings him further."""
    found = profile(player, viewer_of(request))
    if found is None:
        raise Http404
    known = found.reliability
    context: dict[str, object] = {
        "profile": found,
        "reliability": wording.reliability_sentence(known),
        "answers": wording.answers_sentence(found.answers),
    }
    if found.is_me:
        context["next_step"] = wording.next_step_sentence(known.next_step())
        context["most_tables"] = places.most_tables(known.games)
        context["banned_until"] = places.banned_until(found.user_id, now=timezone.now())
    return TemplateResponse(request, "games/profile.html", context)
