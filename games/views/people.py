"""Two players side by side, the whole site in numbers, and a player's own numbers as files."""

import csv

from django.contrib import messages
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
)
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from games import portraits, sitewide
from games.avatars import avatar
from games.forms.privacy import PrivacyForm
from games.selectors.careers import (
    exported_career,
    hidden_of,
    meeting,
    site_sums,
    statistics_rows,
)
from games.selectors.careers import portrait as drawn_portrait
from games.selectors.profile import profile
from games.selectors.visible import Viewer
from games.services import privacy
from games.views import sharing
from games.views.access import player_of, private_page, signed_in, viewer_of
from games.views.profile import player as page_of_player


@require_safe
@private_page
def against(request: HttpRequest, player: str, rival: str) -> HttpResponseBase:
    """Show how two players have done against each other."""
    try:
        return page_of_player(request, f"{player}/{rival}")  # a name may have a stroke in it
    except Http404:
        found = meeting(player, rival, viewer_of(request))
    if found is None:
        raise Http404
    context = {
        "names": found.names,
        "avatars": tuple(avatar(name) for name in found.names),
        "page": portraits.face_to_face(found),
    }
    return TemplateResponse(request, "games/against.html", context)


@require_safe
@private_page
def portrait(request: HttpRequest, player: str, kind: str) -> HttpResponseBase:
    """Draw a player as anybody may see him, for links to his page."""
    found = profile(player, Viewer())
    if found is None:
        raise Http404
    text = portraits.summary(drawn_portrait(found.user_id, Viewer()))
    return sharing.answer(request, sharing.picture_of_player(found.name, text), kind)


@require_safe
@private_page
def site(request: HttpRequest) -> HttpResponseBase:
    """Show what all finished games say."""
    return TemplateResponse(
        request, "pages/statistics.html", {"page": sitewide.page_of(site_sums())}
    )


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def settings(request: HttpRequest) -> HttpResponseBase:
    """Let a player hide parts of his page."""
    user_id = player_of(request).user_id
    hidden = hidden_of(user_id)
    initial = {"hides_statistics": hidden.statistics, "hides_history": hidden.history}
    form = PrivacyForm(request.POST if request.method == "POST" else None, initial=initial)
    if form.is_valid():
        choices = form.cleaned_data
        privacy.hide(
            user_id=user_id,
            statistics=choices["hides_statistics"],
            history=choices["hides_history"],
        )
        messages.success(request, _("Saved."))
        return HttpResponseRedirect(reverse("profile_settings"))
    context = {"form": form, "name": player_of(request).name}
    return TemplateResponse(request, "games/profile_settings.html", context)


@require_safe
@signed_in
def statistics_csv(request: HttpRequest) -> HttpResponseBase:
    """Give a player his statistics as a table."""
    answer = HttpResponse(
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": 'attachment; filename="perudo-statistics.csv"'},
    )
    names = ("ruleset", "seats", "among_people", "statistic", "value", "of")
    table = csv.DictWriter(answer, names)
    table.writeheader()
    table.writerows(statistics_rows(player_of(request).user_id))
    return answer


@require_safe
@signed_in
def statistics_json(request: HttpRequest) -> HttpResponseBase:
    """Give a player all that was counted of his games."""
    return JsonResponse(
        exported_career(player_of(request).user_id),
        headers={"Content-Disposition": 'attachment; filename="perudo-statistics.json"'},
    )
