"""Read the mail that a development site sent. Asks for no sign-in: one signs in by mail."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast
from urllib.parse import urlsplit

from csp.constants import NONE, SELF, UNSAFE_INLINE
from csp.decorators import csp, csp_update
from django.conf import settings
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_safe

from perudo_site.mailbox.models import MailboxMessage
from perudo_site.mailbox.reading import open_links_elsewhere, read, read_source
from perudo_site.mailbox.store import newest_first

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
    message = get_object_or_404(MailboxMessage, pk=pk)
    raw = bytes(message.raw)
    context = {"message": message, "reading": read(raw), "source": read_source(raw)}
    return TemplateResponse(request, "mailbox/message.html", context)


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
