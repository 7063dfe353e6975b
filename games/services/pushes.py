"""Pushes: what a player's devices show of his turns, sent through the outbox."""

import base64
import hmac
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import datetime, timedelta
from email.utils import parseaddr
from typing import Final

from django.conf import settings
from django.db.models import F
from django.utils import translation

from games import outgoing, webpush
from games.mail import alerts
from games.models import Channel, Game, OutboxMessage, OutboxStatus, PushSubscription, Seat
from games.services import fanout, outbox
from games.services.outbox import Fate

GUARD: Final = outgoing.Guard()
BATCH = 20
"""As many are sent side by side: together they take the five seconds of the slowest."""

TESTS_APART = timedelta(seconds=10)
TEST_LIFE = timedelta(minutes=1)
LONGEST_LIFE = timedelta(days=28)
"""How long push services keep a message at most for a device that is off."""
SOON = timedelta(hours=2)
"""Whoever has less time left is told even if his device saves its battery (RFC 8030, 5.3)."""

_GONE = frozenset({"status 404", "status 410"})
"""The device takes nothing any more, and never will (RFC 8030, 7.3)."""
_REFUSED = {"status 400", "status 401", "status 403", "status 413"} | outgoing.MALFORMED
"""The same message would be refused again."""


@dataclass(frozen=True, slots=True)
class _Parcel:
    """One message to one device, ready to be sent."""

    message: OutboxMessage
    device: PushSubscription
    text: bytes
    headers: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _Receipt:
    """How it went: nothing or a code, and for how long the push service wants to be left alone."""

    error: str = ""
    pause: timedelta = timedelta(0)


def public_key() -> str:
    """Return by what browsers know this site; nothing where it sends no pushes."""
    if not settings.VAPID_KEY:
        return ""
    return webpush.public_key(webpush.signing_key(settings.VAPID_KEY))


def deliver(*, now: datetime, limit: int = BATCH) -> Counter[Fate]:
    """Tell devices of the turns that are due; return what became of the rows."""
    messages = outbox.claim(now=now, limit=limit, channel=Channel.PUSH)
    clock = outbox.clock_from(now)
    fates: Counter[Fate] = Counter()
    parcels = []
    for message in messages:
        packed = _pack(message, now=clock())
        if isinstance(packed, Fate):
            fates[packed] += 1
        else:
            parcels.append(packed)
    if parcels:
        # The network alone: the database is asked by this thread.
        with ThreadPoolExecutor(max_workers=len(parcels)) as pool:
            receipts = list(pool.map(_send, parcels))
        for parcel, receipt in zip(parcels, receipts, strict=True):
            fates[_settle(parcel, receipt, now=clock())] += 1
    return fates


def try_out(*, user_id: int, device_id: int, now: datetime) -> bool:
    """Send a test to one of a player's devices; return whether its push service took it.

    What went wrong stands in the row; a device that is gone is forgotten. Within ten seconds of
    the last try nothing is sent.
    """
    own = PushSubscription.objects.filter(pk=device_id, user_id=user_id)
    free = own.exclude(tested_at__gt=now - TESTS_APART)
    if not public_key() or not free.update(tested_at=now):
        return False
    device = own.select_related("user").get()
    with translation.override(device.user.language):
        text = alerts.trial_alert()
    receipt = _post(device, text, _headers(device, life=TEST_LIFE, now=now))
    _note(device, receipt.error, now=now)
    return not receipt.error


def _pack(message: OutboxMessage, *, now: datetime) -> _Parcel | Fate:
    """Return the message to be sent, or what became of it otherwise."""
    if not outbox.mark(message, lease_until=now + outbox.LEASE):
        return Fate.TAKEN
    game = Game.objects.select_related("current_round").get(pk=message.game_id)
    seat = Seat.objects.select_related("user__wishes").get(outboxmessage=message)
    device = PushSubscription.objects.select_related("user").get(outboxmessage=message)
    is_his = seat.user_id == device.user_id and device.user.is_active
    if not (is_his and public_key() and fanout.is_wanted(message, game, seat, now=now)):
        outbox.mark(message, status=OutboxStatus.SUPERSEDED, lease_until=None, last_error="")
        return Fate.SUPERSEDED
    with translation.override(device.user.language):
        text = alerts.turn_alert(game)
    left = game.turn_deadline_at - now if game.turn_deadline_at else LONGEST_LIFE
    headers = _headers(device, life=left, game=game, now=now)
    return _Parcel(message, device, text, headers)


def _headers(
    device: PushSubscription, *, life: timedelta, now: datetime, game: Game | None = None
) -> dict[str, str]:
    """Return what the push service is told of a message that is worth nothing after ``life``."""
    key = webpush.signing_key(settings.VAPID_KEY)
    contact = f"mailto:{parseaddr(settings.DEFAULT_FROM_EMAIL)[1]}"
    told = {
        "Authorization": webpush.authorization(device.endpoint, key=key, contact=contact, now=now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(min(life, LONGEST_LIFE).total_seconds())),
        "Urgency": "high" if life <= SOON else "normal",
    }
    return told if game is None else {**told, "Topic": _topic(device, game)}


def _topic(device: PushSubscription, game: Game) -> str:
    """Return by what a newer message replaces one of the same game that was not delivered yet.

    It is another one on each device: push services do not learn who plays at one table.
    """
    what = f"{device.digest}:{game.gid}".encode()
    digest = hmac.digest(bytes.fromhex(settings.VAPID_KEY), what, "sha256")
    return base64.urlsafe_b64encode(digest[:24]).decode()


def _send(parcel: _Parcel) -> _Receipt:
    return _post(parcel.device, parcel.text, parcel.headers)


def _post(device: PushSubscription, text: bytes, headers: Mapping[str, str]) -> _Receipt:
    try:
        payload = webpush.encrypt(text, webpush.receiver(device.p256dh, device.auth))
        answer = GUARD.post(device.endpoint, payload=payload, headers=headers)
    except outgoing.Refused as refused:
        return _Receipt(refused.code)
    if answer.is_ok:
        return _Receipt()
    return _Receipt(f"status {answer.status}", timedelta(seconds=answer.retry_after))


def _settle(parcel: _Parcel, receipt: _Receipt, *, now: datetime) -> Fate:
    message, error = parcel.message, receipt.error
    _note(parcel.device, error, now=now)
    if error in _GONE:
        return Fate.SUPERSEDED  # the row went with the device
    if error:
        is_final = error in _REFUSED
        return outbox.put_off(message, error, is_final=is_final, now=now, at_least=receipt.pause)
    done = outbox.mark(
        message, status=OutboxStatus.SENT, sent_at=now, lease_until=None, last_error=""
    )
    return Fate.SENT if done else Fate.TAKEN


def _note(device: PushSubscription, error: str, *, now: datetime) -> None:
    """Write how it went; forget a device that is gone."""
    same = PushSubscription.objects.filter(pk=device.pk, endpoint=device.endpoint)
    if error in _GONE:
        same.delete()
    elif error:
        same.update(last_error=error, failed_at=now, failures=F("failures") + 1)
    else:
        same.update(last_error="", failed_at=None, failures=0, last_ok_at=now)
