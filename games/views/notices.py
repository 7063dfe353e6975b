"""What a player is told and how; the links in mails that stop them; calendar and feed."""

import re
from dataclasses import dataclass
from hashlib import sha256

from django.contrib import messages
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe

from games import wording
from games.forms import NoticesForm, WebhookAddressForm
from games.mail import atom, calendar
from games.mail.stopping import Stop, StopAddress, StopGame, StopReplies, read_stop
from games.models import WebhookForm
from games.selectors.turns import absences_of, turns_of
from games.selectors.wishes import Device, FeedReader, WishesPage, feed_reader, wishes_page
from games.services import devices, pushes, webhooks, wishes
from games.views.access import player_of, private_page, signed_in

_KEY = re.compile(r"\A[1-9][0-9]{0,17}\Z")


@dataclass(frozen=True, slots=True)
class DeviceLine:
    """A device in the list, and in words what went wrong last."""

    device: Device
    trouble: str


@require_http_methods(["GET", "HEAD", "POST"])
@signed_in
def notices(request: HttpRequest) -> HttpResponseBase:
    """Show what a player wants to be told; a POST changes what its ``act`` names."""
    user_id = player_of(request).user_id
    page = wishes_page(user_id)
    act = request.POST.get("act", "")
    form = NoticesForm(request.POST if act == "wishes" else None, page=page)
    hook_form = WebhookAddressForm(request.POST if act == "webhook" else None, page=page)
    done = None
    if request.method == "POST":
        done = (
            _act(act, form, user_id=user_id)
            or _act_on_hook(act, hook_form, user_id=user_id)
            or _act_on_device(act, request.POST.get("device", ""), user_id=user_id)
        )
    if done:
        messages.success(request, done)
        return HttpResponseRedirect(reverse("notices"))
    context = {
        "form": form,
        "hook_form": hook_form,
        "hook": page.hook,
        "hook_error": wording.webhook_error(page.hook.last_error) if page.hook else "",
        "is_signed": page.hook is not None and page.hook.form is WebhookForm.JSON,
        "push_key": pushes.public_key(),
        "devices": [
            DeviceLine(device, wording.webhook_error(device.last_error)) for device in page.devices
        ],
        **_addresses(request, page),
    }
    status = 422 if request.method == "POST" else 200
    return TemplateResponse(request, "games/notices.html", context, status=status)


def _act(act: str, form: NoticesForm, *, user_id: int) -> str | None:
    """Do what was asked for; return what to say of it, None when it was not done."""
    match act:
        case "wishes" if form.is_valid():
            wishes.choose(user_id=user_id, **{"muted": [], **form.cleaned_data})
            return _("Your choice is saved.")
        case "feeds":
            wishes.renew_feeds(user_id=user_id)
            return _("Calendar and feed have new addresses.")
        case "links":
            wishes.revoke_links(user_id=user_id)
            return _("The stop links in the mails that you have got are void.")
    return None


def _act_on_hook(act: str, form: WebhookAddressForm, *, user_id: int) -> str | None:
    """Do what was asked for of the webhook; what became of a test stands on the page."""
    match act:
        case "webhook" if form.is_valid():
            webhooks.keep(user_id=user_id, **form.cleaned_data)
            return _("Your choice is saved.")
        case "webhook_test":
            if webhooks.try_out(user_id=user_id, now=timezone.now()):
                return _("The test has arrived.")
            return _("The test has not arrived, or the last one was a moment ago.")
    return None


def _act_on_device(act: str, device: str, *, user_id: int) -> str | None:
    """Do what was asked for of one of the player's devices."""
    if not _KEY.match(device):
        return None
    match act:
        case "device_remove":
            devices.forget(user_id=user_id, device_id=int(device))
            return _("That device shows no notifications any more.")
        case "device_test":
            if pushes.try_out(user_id=user_id, device_id=int(device), now=timezone.now()):
                return _("The test is on its way to the device.")
            return _("The test has not arrived, or the last one was a moment ago.")
    return None


def _addresses(request: HttpRequest, page: WishesPage) -> dict[str, str]:
    if not page.feed_token:
        return {"calendar_url": "", "feed_url": ""}
    names = {"calendar_url": "feed_calendar", "feed_url": "feed_turns"}
    return {
        key: request.build_absolute_uri(reverse(name, args=[page.feed_token]))
        for key, name in names.items()
    }


@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
@private_page
def stop(request: HttpRequest, stop_token: str) -> HttpResponseBase:
    """Ask whether to stop mails; a POST, by the reader or his mail program (RFC 8058), does it.

    Whoever holds the link may: it is in its reader's mail and good for this one thing. It needs no
    session, so it protects none, and it answers alike when nothing was left to stop.
    """
    what = read_stop(stop_token)
    if what is None:
        raise Http404
    is_post = request.method == "POST"
    is_done = is_post and _is_meant(request)
    if is_done and not wishes.stop(what, now=timezone.now()):
        raise Http404
    context = {"is_done": is_done, "is_missing": is_post and not is_done, "what": _what(what)}
    status = 422 if context["is_missing"] else 200
    return TemplateResponse(request, "games/stop.html", context, status=status)


def _is_meant(request: HttpRequest) -> bool:
    """Return whether a mail program or a person asks, not a scanner that sends every form.

    Nobody ticks the page's box for it, and it does not write what RFC 8058 has programs write.
    """
    return request.POST.get("List-Unsubscribe") == "One-Click" or "sure" in request.POST


def _what(what: Stop) -> str:
    match what:
        case StopAddress():
            return _("invitations to your address")
        case StopReplies(code=code):
            return _("addresses to play by mail with in the game %(code)s") % {"code": code}
        case StopGame(code=code):
            return _("mails about the game %(code)s") % {"code": code}
    return _("mails of one kind: %(topic)s") % {"topic": what.topic.label}


@require_safe
@private_page
def feed_calendar(request: HttpRequest, feed_token: str) -> HttpResponseBase:
    """Give the calendar of whoever has this secret address."""
    reader = _reader(feed_token)
    with translation.override(reader.language), timezone.override(reader.zone):
        body = calendar.calendar(turns_of(reader.user_id), absences_of(reader.user_id))
    return _feed(request, body, "text/calendar; charset=utf-8")


@require_safe
@private_page
def feed_turns(request: HttpRequest, feed_token: str) -> HttpResponseBase:
    """Give the feed of turns of whoever has this secret address."""
    reader = _reader(feed_token)
    address = request.build_absolute_uri(request.path)
    with translation.override(reader.language), timezone.override(reader.zone):
        body = atom.feed(turns_of(reader.user_id), address=address)
    return _feed(request, body, "application/atom+xml; charset=utf-8")


def _reader(token: str) -> FeedReader:
    reader = feed_reader(token)
    if reader is None:
        raise Http404
    return reader


def _feed(request: HttpRequest, body: bytes, content_type: str) -> HttpResponseBase:
    """Answer with a feed, or that it is as its reader has it (304); no cache keeps it."""
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    response = HttpResponse(body, content_type=content_type)
    answer = get_conditional_response(request, etag=etag, response=response) or response
    answer["ETag"] = etag
    return answer
