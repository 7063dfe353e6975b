"""A player's hours: nights, weekends, absences, and the pause for an emergency."""

from collections.abc import Callable
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from games import wording
from games.clock import ClockRefusal
from games.forms import AbsenceForm, HoursForm
from games.forms.hours import NO_NIGHT
from games.selectors import HoursPage, hours_page
from games.services import hours as service
from games.views.access import player_of, signed_in


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def hours(request: HttpRequest) -> HttpResponseBase:
    """Show a player's hours; a POST changes what its ``act`` names."""
    now, user_id, zone = timezone.now(), player_of(request).user_id, _zone_of(request)
    page = hours_page(user_id, zone=zone, now=now)
    act = request.POST.get("act", "")
    form = _hours_form(request, page, zone, is_sent=act == "hours")
    absence_form = AbsenceForm(request.POST if act == "away" else None)
    status = 200
    if request.method == "POST":
        done = _act(request, act, form, absence_form)
        if done is not None:
            messages.success(request, done)
            return HttpResponseRedirect(reverse("hours"))
        status = 422
    refusal = page.why_no_emergency
    context = {
        "page": page,
        "form": form,
        "absence_form": absence_form,
        "now": now,
        "why_no_emergency": wording.clock_refusal(refusal.code, refusal.params) if refusal else "",
    }
    return TemplateResponse(request, "games/hours.html", context, status=status)


def _act(request: HttpRequest, act: str, form: HoursForm, absence_form: AbsenceForm) -> str | None:
    """Do what was asked for; return what to say of it, None when it was not done."""
    who: dict[str, Any] = {"user_id": player_of(request).user_id, "now": timezone.now()}
    match act:
        case "hours":
            said = _("Your hours are saved. Deadlines that they move have moved.")
            return _try(form, lambda: service.set_week(**who, **form.cleaned_data), said)
        case "away":
            days = absence_form
            said = _(
                "Your absence is announced. In each game it counts from the first roll after it "
                "begins; until then no deadline moves."
            )
            return _try(days, lambda: service.go_away(**who, **days.cleaned_data), said)
        case "call_off":
            service.call_off(absence_id=request.POST.get("absence", ""), **who)
            return _("Your absence is called off.")
        case "emergency":
            try:
                service.stop_everything(**who)
            except ClockRefusal as refusal:
                messages.error(request, wording.clock_refusal(refusal.code, refusal.params))
                return None
            return _("All your clocks stand still for 72 hours.")
    return None


def _try(form: HoursForm | AbsenceForm, action: Callable[[], None], said: str) -> str | None:
    """Do ``action`` if the form is valid; return ``said``, or None with the refusal in the form."""
    if not form.is_valid():
        return None
    try:
        action()
    except ClockRefusal as refusal:
        form.add_error(None, wording.clock_refusal(refusal.code, refusal.params))
        return None
    return said


def _zone_of(request: HttpRequest) -> str:
    """Return the zone of the player's account."""
    return str(getattr(request.user, "time_zone", "UTC"))


def _hours_form(request: HttpRequest, page: HoursPage, zone: str, *, is_sent: bool) -> HoursForm:
    zones = (page.zone, zone)
    if is_sent:
        return HoursForm(request.POST, zones=zones)
    initial = {
        "night": f"{page.night:%H:%M}" if page.night else NO_NIGHT,
        "zone": page.zone,
        "weekend": [str(day) for day in page.weekend],
    }
    return HoursForm(initial=initial, zones=zones)
