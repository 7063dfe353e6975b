"""Mail, bounces and complaints that a provider posts to us, read and checked by anymail."""

import hashlib
import logging
import re
from collections.abc import Callable
from datetime import datetime
from email.errors import MessageError
from email.message import EmailMessage
from email.policy import EmailPolicy, compat32
from email.utils import getaddresses
from typing import Any, Final

import anymail.signals
from anymail.signals import EventType, RejectReason
from django.core.exceptions import SuspiciousOperation
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.urls import URLPattern, path
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from games.models import FaultKind
from games.services import receiving
from perudo_site.doors import providers
from perudo_site.doors.verdicts import verdicts

logger = logging.getLogger(__name__)

LARGEST_BODY: Final = 2 * 1024 * 1024
"""Bytes of a post; larger ones are refused unread."""

# Nothing is folded anew: what the writer's program wrote is what we keep.
_AS_WRITTEN: Final = EmailPolicy(refold_source="none", linesep="\r\n")
_UNWANTED: Final = (EventType.COMPLAINED, EventType.UNSUBSCRIBED)
_LOST: Final = (EventType.BOUNCED, EventType.REJECTED)
_SUPPRESSED: Final = (RejectReason.BOUNCED, RejectReason.INVALID)
# A status of RFC 3463 that may pass, or a provider's word for it.
_FOR_NOW: Final = re.compile(r"\b4\.\d{1,3}\.\d{1,3}\b|\b(soft|transient)", re.IGNORECASE)
# What a mailbox's server says for good; Postal calls that a failure, not a bounce.
_FOR_GOOD: Final = re.compile(r"^\s*5\d\d\b|\b5\.\d{1,3}\.\d{1,3}\b")
_RECIPIENT_FIELDS: Final = ("X-Original-To", "Delivered-To", "To", "Cc")


def urlpatterns(names: list[str]) -> list[URLPattern]:
    """Return the addresses of these providers' webhooks, of those that a secret guards."""
    return [
        path(
            f"{name}/{address}/",
            _guarded(providers.view_class(name, kind).as_view(), name),  # type: ignore[attr-defined]
            name=f"mail_{name}_{address}",
        )
        for name in names
        for kind in providers.KINDS
        if name in providers.PROVIDERS and providers.is_guarded(name, kind)
        for address in providers.addresses(name, kind)
    ]


def connect() -> None:
    """Connect what providers tell with what we do about it."""
    anymail.signals.inbound.connect(_receive, dispatch_uid="perudo_site.mail_in")
    anymail.signals.tracking.connect(_note, dispatch_uid="perudo_site.mail_events")


def _guarded(
    view: Callable[[HttpRequest], HttpResponseBase], provider: str
) -> Callable[[HttpRequest], HttpResponseBase]:
    """Cap the body, and keep what was posted out of the log when it cannot be dealt with."""

    @csrf_exempt
    def answer(request: HttpRequest) -> HttpResponseBase:
        if int(request.META.get("CONTENT_LENGTH") or 0) > LARGEST_BODY:
            return HttpResponse(status=413)
        try:
            return view(request)
        except SuspiciousOperation as error:
            # Not signed by whom we know. Anybody may send that: no traceback fills the log with it.
            logger.warning("a post of %s was refused: %s", provider, type(error).__name__)
            return HttpResponse(status=400)
        except (ArithmeticError, LookupError, MessageError, TypeError, ValueError) as error:
            # The same post will fail again; a provider that is told so stops trying.
            logger.error("a post of %s cannot be read: %s", provider, type(error).__name__)
            return HttpResponse(status=422)
        except Exception as error:  # noqa: BLE001 - recorded, and the provider tries again
            logger.error("a post of %s was not taken: %s", provider, type(error).__name__)
            return HttpResponse(status=503, headers={"Retry-After": "60"})

    return answer


def _receive(sender: object, *, event: Any, esp_name: str, **kwargs: Any) -> None:
    """Store the mail of an inbound event for the address of ours that it was sent to."""
    if event is None or event.message is None:  # a provider's own test
        return
    message = event.message
    raw = source(message)
    for recipient in _recipients(message):
        if receiving.knows(recipient=recipient):
            receiving.store(
                raw=raw,
                recipient=recipient,
                received_at=_when(event.timestamp, now=timezone.now()),
                door=sender_name(esp_name),
                sender=message.envelope_sender or "",
                verdicts=verdicts(esp_name, event),
            )
            return
    logger.info("a mail of %s is for nobody here", esp_name)


def _note(sender: object, *, event: Any, esp_name: str, **kwargs: Any) -> None:
    """Hand on that a mail of ours did not arrive, or was not wanted."""
    kind = _fault(event)
    if kind is None or not event.recipient:
        return
    name = event.event_id or f"{event.message_id}:{event.recipient}:{event.event_type}"
    receiving.report(
        address=event.recipient, kind=kind, source=f"{esp_name}:{name}", now=timezone.now()
    )


def _fault(event: Any) -> FaultKind | None:
    """Return what an event says of an address; None: nothing, or nothing yet.

    What a provider does not even send because of an earlier complaint or bounce counts as one.
    """
    reason = event.reject_reason
    if event.event_type in _UNWANTED or reason in (RejectReason.SPAM, RejectReason.UNSUBSCRIBED):
        return FaultKind.COMPLAINT
    if event.event_type == EventType.FAILED and _FOR_GOOD.search(event.mta_response or ""):
        return FaultKind.HARD
    if event.event_type not in _LOST:
        return None
    if event.event_type == EventType.REJECTED and reason not in _SUPPRESSED:
        return None  # our own account with the provider, not the reader's mailbox
    said = f"{event.mta_response or ''} {event.description or ''}"
    return FaultKind.SOFT if _FOR_NOW.search(said) else FaultKind.HARD


def sender_name(esp_name: str) -> str:
    """Return a provider's name as a door: "Amazon SES" is ``amazon_ses``."""
    return esp_name.lower().replace(" ", "_")


def source(message: EmailMessage) -> bytes:
    """Return a mail as text again: the same bytes for the same post.

    :raises ValueError: it cannot be written down.
    """
    _name_boundaries(message)
    try:
        return message.as_bytes(policy=_AS_WRITTEN)
    except Exception as error:  # noqa: BLE001 - broken mails raise anything; there is another way
        logger.info("a mail is written down the old way: %s", type(error).__name__)
    try:
        return message.as_bytes(policy=compat32.clone(linesep="\r\n"))
    except Exception as error:
        raise ValueError("a mail that cannot be written down") from error


def _name_boundaries(message: EmailMessage) -> None:
    """Give parts that anymail put together boundaries that are no matter of chance."""
    for number, part in enumerate(message.walk()):
        if part.get_content_maintype() == "multipart" and part.get_boundary() is None:
            name = f"{message.get('Message-ID', '')}:{number}"
            part.set_boundary(f"={hashlib.sha256(name.encode()).hexdigest()[:32]}=")


def _recipients(message: Any) -> list[str]:
    """Return for whom a mail may be: as the envelope says; only without one, its header."""
    if message.envelope_recipient:
        return [message.envelope_recipient]
    found = []
    for name in _RECIPIENT_FIELDS:
        values = [str(value) for value in message.get_all(name, [])]
        found += [address for _, address in getaddresses(values) if address]
    return found


def _when(received_at: datetime | None, *, now: datetime) -> datetime:
    """Return when the provider had the mail: arrival decides, and never lies ahead."""
    return min(received_at, now) if received_at else now
