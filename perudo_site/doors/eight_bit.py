"""Mails in old 8-bit character sets, from two providers whose views in anymail expect UTF-8.

Refused, such a mail would be posted again and again, and never arrive.
"""

import json
from base64 import b64decode
from typing import Any

from anymail.inbound import AnymailInboundMessage
from anymail.signals import AnymailInboundEvent, EventType
from anymail.webhooks.postal import PostalInboundWebhookView
from anymail.webhooks.sparkpost import SparkPostInboundWebhookView
from django.http import HttpRequest


class Postal(PostalInboundWebhookView):  # type: ignore[misc]
    """Postal's webhook. The signature has been checked when events are read."""

    def parse_events(self, request: HttpRequest) -> list[Any]:
        """Return the one mail of a post."""
        try:
            return list(super().parse_events(request))
        except UnicodeDecodeError:
            post = json.loads(request.body)
            return [_event(post["message"], post["mail_from"], post["rcpt_to"], is_base64=True)]


class SparkPost(SparkPostInboundWebhookView):  # type: ignore[misc]
    """SparkPost's webhook. The secret has been checked when events are read."""

    def parse_events(self, request: HttpRequest) -> list[Any]:
        """Return the mails of a post."""
        try:
            return list(super().parse_events(request))
        except UnicodeDecodeError:
            posts = [each["msys"]["relay_message"] for each in json.loads(request.body)]
            return [
                _event(
                    post["content"]["email_rfc822"],
                    post["msg_from"],
                    post["rcpt_to"],
                    is_base64=post["content"]["email_rfc822_is_base64"],
                )
                for post in posts
            ]


def _event(source: str, sender: str, recipient: str, *, is_base64: bool) -> Any:
    raw = b64decode(source) if is_base64 else source.encode()
    message = AnymailInboundMessage.parse_raw_mime_bytes(raw)
    message.envelope_sender, message.envelope_recipient = sender, recipient
    return AnymailInboundEvent(event_type=EventType.INBOUND, message=message)
