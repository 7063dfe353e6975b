"""Webhooks: kept, tried, and told of turns through the outbox, behind the outgoing guard."""

import hashlib
import logging
from collections import Counter
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.utils import timezone, translation

from games import outgoing
from games.mail import hooks
from games.models import (
    Channel,
    Game,
    OutboxMessage,
    OutboxStatus,
    Seat,
    Webhook,
    WebhookForm,
)
from games.services import fanout, outbox
from games.services.outbox import Fate

logger = logging.getLogger(__name__)

GUARD: Final = outgoing.Guard()
BATCH = 10
"""Each may take five seconds, and a lease holds a minute: it is renewed before each."""

TESTS_APART = timedelta(seconds=10)
_GONE = (401, 403, 404, 410)
"""Answers of a webhook that is there no more: it is not asked again for this turn."""


@transaction.atomic
def keep(*, user_id: int, form: WebhookForm, url: str) -> None:
    """Store a player's webhook, or take it away if ``url`` is empty.

    Its signing key stays while the address does.

    :raises Refused: ``outgoing.url``, ``outgoing.port``: no address that a webhook may have.
    """
    if not url:
        Webhook.objects.filter(pk=user_id).delete()
        return
    outgoing.check_url(url)
    fresh = {"form": form, "url": url, "last_error": "", "failed_at": None}
    known = Webhook.objects.filter(pk=user_id).first()
    if known is not None and known.url == url:
        Webhook.objects.filter(pk=user_id).update(**fresh)
        return
    Webhook.objects.filter(pk=user_id).delete()
    Webhook.objects.create(user_id=user_id, **fresh)


def try_out(*, user_id: int, now: datetime) -> bool:
    """Send a test to a player's webhook; return whether the other side took it.

    What went wrong stands in the row. Within ten seconds of the last try nothing is sent.
    """
    last = now - TESTS_APART
    free = Webhook.objects.filter(pk=user_id).exclude(tested_at__gt=last)
    if not free.update(tested_at=now):
        return False
    hook = Webhook.objects.get(pk=user_id)
    form = WebhookForm(hook.form)
    message_id = _message_id(f"test:{user_id}:{now.timestamp()}")
    error = _post(hook, hooks.trial_payload(form), message_id=message_id, now=now)
    _note(hook, error, now=now)
    return not error


def deliver(*, now: datetime, limit: int = BATCH) -> Counter[Fate]:
    """Tell webhooks of the turns that are due; return what became of the rows."""
    messages = outbox.claim(now=now, limit=limit, channel=Channel.WEBHOOK)
    clock = outbox.clock_from(now)
    return Counter(_deliver(message, now=clock()) for message in messages)


def _deliver(message: OutboxMessage, *, now: datetime) -> Fate:
    if not outbox.mark(message, lease_until=now + outbox.LEASE):
        return Fate.TAKEN
    game = Game.objects.select_related("current_round").get(pk=message.game_id)
    seats = Seat.objects.select_related("user__wishes", "user__webhook")
    seat = seats.get(outboxmessage=message)
    hook: Webhook | None = getattr(seat.user, "webhook", None)
    if hook is None or not fanout.is_wanted(message, game, seat, now=now):
        outbox.mark(message, status=OutboxStatus.SUPERSEDED, lease_until=None, last_error="")
        return Fate.SUPERSEDED
    with translation.override(hook.user.language), timezone.override(hook.user.zone):
        payload = hooks.turn_payload(WebhookForm(hook.form), game)
    # The same row is the same message however often it is sent: its receiver can tell.
    message_id = _message_id(f"{game.gid}:{message.dedupe}")
    error = _post(hook, payload, message_id=message_id, now=now)
    _note(hook, error, now=now)
    if error:
        is_final = error in {f"status {status}" for status in _GONE} | outgoing.MALFORMED
        return outbox.put_off(message, error, is_final=is_final, now=now)
    done = outbox.mark(
        message, status=OutboxStatus.SENT, sent_at=now, lease_until=None, last_error=""
    )
    return Fate.SENT if done else Fate.TAKEN


def _post(hook: Webhook, payload: bytes, *, message_id: str, now: datetime) -> str:
    """Return nothing if the other side took it, else a code that says why not."""
    try:
        headers = {
            "Content-Type": "application/json",
            **outgoing.sign(
                payload, key=bytes.fromhex(hook.key), message_id=message_id, sent_at=now
            ),
        }
        answer = GUARD.post(hook.url, payload=payload, headers=headers)
    except outgoing.Refused as refused:
        return refused.code
    return "" if answer.is_ok else f"status {answer.status}"


def _note(hook: Webhook, error: str, *, now: datetime) -> None:
    """Write how it went, unless the address has changed since."""
    same = Webhook.objects.filter(pk=hook.pk, url=hook.url)
    same.update(last_error=error, failed_at=now if error else None)


def _message_id(what: str) -> str:
    return f"msg_{hashlib.sha256(what.encode()).hexdigest()[:32]}"
