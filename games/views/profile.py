"""A player's public page."""

from django.http import Http404, HttpRequest, HttpResponseBase
from django.template.response import TemplateResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from games import portraits, stats, wording
from games.avatars import avatar
from games.selectors.careers import Portrait, portrait
from games.selectors.profile import Profile, profile
from games.selectors.ratings import rating_curve
from games.services import places
from games.views.access import private_page, viewer_of
from games.views.sharing import player_card
from games.wording.statistics import medal_words, sample_sentence


@require_safe
@private_page
def player(request: HttpRequest, player: str) -> HttpResponseBase:
    """Show who plays here under a name; to himself also what brings him further."""
    viewer = viewer_of(request)
    found = profile(player, viewer)
    if found is None:
        raise Http404
    drawn = portrait(found.user_id, viewer)
    known = found.reliability
    context: dict[str, object] = {
        "profile": found,
        "avatar": avatar(found.name),
        "reliability": wording.reliability_sentence(known),
        "answers": wording.answers_sentence(found.answers),
        "has_face_to_face": "/" not in found.name,
        "share": player_card(request, found.name, portraits.summary(drawn)),
        **_statistics(drawn),
        **_rating(found, drawn),
    }
    if found.is_me:
        context |= _private(found, drawn)
    return TemplateResponse(request, "games/profile.html", context)


def _statistics(drawn: Portrait) -> dict[str, object]:
    """Return what is shown of finished games; what is hidden from the reader is empty already."""
    sums = drawn.sums
    return {
        "hidden": drawn.hidden,
        "results": portraits.results(drawn.tallies, among_people=True),
        "overall": portraits.rates(portraits.OVERALL, sums),
        "bot_results": portraits.results(drawn.tallies, among_people=False),
        "style": portraits.style(drawn),
        "accuracy": portraits.rates(portraits.ACCURACY, sums),
        "for_fun": portraits.rates(portraits.FOR_FUN, sums),
        "luck": portraits.luck(sums),
        "streaks": drawn.streaks if drawn.games else None,
        "rivals": portraits.rivals(drawn.rivals),
        "medals": tuple((medal_words(medal.code), medal.game) for medal in drawn.medals),
        "recent": drawn.results,
        "sample": sample_sentence(stats.LEAST_OCCASIONS),
    }


def _rating(found: Profile, drawn: Portrait) -> dict[str, object]:
    """Return a player's rating and its curve, unless he hides them from the reader."""
    if drawn.hidden.statistics and not found.is_me:
        return {}
    games = rating_curve(found.user_id, newest=100)
    return {
        "rating": games[-1].after if games else None,
        "curve": portraits.rating_curve(games),
    }


def _private(found: Profile, drawn: Portrait) -> dict[str, object]:
    """Return what only he himself reads."""
    known, own = found.reliability, drawn.own or {}
    return {
        "next_step": wording.next_step_sentence(known.next_step()),
        "most_tables": places.most_tables(known.games),
        "banned_until": places.banned_until(found.user_id, now=timezone.now()),
        "lessons": portraits.lessons(own),
        "losses": portraits.losses(own),
    }
