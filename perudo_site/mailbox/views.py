"""Read the mail that a development site sent. Asks for no sign-in: one signs in by mail."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp, csp_update
from django import forms
from django.conf import settings
from django.core.paginator import Paginator
from django.http import (
    Http404,
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
)
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_POST, require_safe

from perudo_site.mailbox import answering
from perudo_site.mailbox.models import MailboxMessage
from perudo_site.mailbox.reading import open_links_elsewhere, read, read_source
from perudo_site.mailbox.store import conversation, newest_first

V = TypeVar("V", bound=Callable[..., HttpResponseBase])
PAGE_SIZE = 50
FRAME_CSP = {
    "default-src": [NONE],
    # Mails carry their style inline; nothing else does, and nothing here runs.
    "style-src": [UNSAFE_INLINE],
    "img-src": [SELF, "data:"],
    "form-action": [NONE],
    "base-uri": [NONE],
    "frame-ancestors": [SELF],
    "sandbox": ["allow-popups", "allow-popups-to-escape-sandbox"],
}


class AnswerForm(forms.Form):
    """What one answers to a mail."""

    text = forms.CharField(
        label=gettext_lazy("Your answer"),
        max_length=20_000,
        widget=forms.Textarea({"rows": 3, "autocomplete": "off"}),
    )


def development_only(view: V) -> V:
    """Answer 404 unless this is a development site, asked for by its own local name."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        host = urlsplit(f"//{request.get_host()}").hostname
        local = {"localhost", "127.0.0.1", "::1", settings.HOST}
        if not (settings.DEVELOPMENT and settings.MAILBOX_ENABLED and host in local):
            raise Http404
        return view(request, *args, **kwargs)

    return cast(V, guarded)


@require_safe
@development_only
@never_cache
def message_list(request: HttpRequest) -> HttpResponse:
    """List the mails, newest first; ``?to=`` keeps one recipient's."""
    to = request.GET.get("to", "")
    page = Paginator(newest_first(to=to), PAGE_SIZE).get_page(request.GET.get("page"))
    return TemplateResponse(request, "mailbox/list.html", {"page": page, "to": to})


@require_safe
@development_only
@never_cache
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
def message_detail(request: HttpRequest, pk: int) -> HttpResponse:
    """Show one mail: text, HTML in a frame, headers, source."""
    return _message_page(request, get_object_or_404(MailboxMessage, pk=pk), AnswerForm())


@require_POST
@development_only
@never_cache
@csp_update({"frame-src": [SELF]})  # type: ignore[arg-type]
def message_reply(request: HttpRequest, pk: int) -> HttpResponse:
    """Answer a mail as whoever it was to: back over SMTP, as a mail program would."""
    message = get_object_or_404(MailboxMessage, pk=pk)
    form = AnswerForm(request.POST)
    if not form.is_valid():
        return _message_page(request, message, form, status=422)
    try:
        answering.send(message, text=form.cleaned_data["text"], now=timezone.now())
    except answering.NotTaken as error:
        form.add_error("text", _("The listener did not take it: %(why)s") % {"why": error.reply})
    except ValueError:
        form.add_error("text", _("This mail cannot be answered."))
    if form.errors:
        return _message_page(request, message, form, status=422)
    return HttpResponseRedirect(reverse("mailbox_message", args=[pk]) + "#thread", status=303)


@require_safe
@development_only
@never_cache
def message_thread(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the conversation of a mail; 204 when ``?newest=`` still is the newest one in it."""
    thread = _thread(get_object_or_404(MailboxMessage, pk=pk))
    if request.GET.get("newest") == str(thread["newest"]):
        return HttpResponse(status=204)
    return TemplateResponse(request, "mailbox/thread.html", thread)


def _message_page(
    request: HttpRequest, message: MailboxMessage, form: AnswerForm, *, status: int = 200
) -> HttpResponse:
    raw = bytes(message.raw)
    context = {
        "message": message,
        "reading": read(raw),
        "source": read_source(raw),
        "answer_to": answering.answer_to(message),
        "form": form,
        **_thread(message),
    }
    return TemplateResponse(request, "mailbox/message.html", context, status=status)


def _thread(message: MailboxMessage) -> dict[str, object]:
    mails = conversation(message)
    return {
        "mail_id": message.pk,
        "newest": mails[-1].pk,
        "thread": [(mail, read(bytes(mail.raw)).text or "") for mail in mails],
    }


@require_safe
@development_only
@never_cache
@xframe_options_sameorigin
@csp(FRAME_CSP)  # type: ignore[arg-type]
def message_html(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the HTML part alone, for the frame."""
    html = read(bytes(get_object_or_404(MailboxMessage, pk=pk).raw)).html
    if html is None:
        raise Http404
    return HttpResponse(open_links_elsewhere(html), content_type="text/html; charset=utf-8")
