"""The devices that show a player's turns: kept and forgotten."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models.functions import Coalesce

from games import outgoing, webpush
from games.models import PushSubscription
from games.models.push import endpoint_digest

MOST_DEVICES = 10
"""How many one player has: one more takes the place of the one that was silent for longest."""


@dataclass(frozen=True, slots=True)
class NewDevice:
    """What a browser says when it has subscribed; the name is ours."""

    endpoint: str
    p256dh: str
    auth: str
    name: str


@transaction.atomic
def keep(*, user_id: int, device: NewDevice, now: datetime, replaces: str = "") -> None:
    """Store a device of a player, or what has changed about it.

    A browser belongs to whoever signed in last: nobody else's turns are shown there any more.

    :param replaces: the address that this browser had before, if its push service changed it.
    :raises Refused: ``outgoing.url``, ``outgoing.port``: no address that a push service may have.
    :raises ValueError: its keys are none.
    """
    outgoing.check_url(device.endpoint)
    webpush.receiver(device.p256dh, device.auth)
    # Two browsers at once count one after the other.
    get_user_model().objects.select_for_update().get(pk=user_id)
    own = PushSubscription.objects.filter(user_id=user_id)
    digest = endpoint_digest(device.endpoint)
    if replaces and replaces != device.endpoint:
        own.filter(digest=endpoint_digest(replaces)).delete()
    PushSubscription.objects.filter(digest=digest).exclude(user_id=user_id).delete()
    said = {
        "endpoint": device.endpoint,
        "p256dh": device.p256dh,
        "auth": device.auth,
        "device": device.name,
        "last_error": "",
        "failures": 0,
        "failed_at": None,
    }
    PushSubscription.objects.update_or_create(
        user_id=user_id, digest=digest, defaults=said, create_defaults={**said, "created_at": now}
    )
    lively = own.order_by(Coalesce("last_ok_at", "created_at").desc(), "-pk")
    surplus = list(lively.values_list("pk", flat=True)[MOST_DEVICES:])
    own.filter(pk__in=surplus).delete()


def forget(*, user_id: int, device_id: int) -> None:
    """Tell a device of a player nothing any more. Done twice, it is the same."""
    PushSubscription.objects.filter(user_id=user_id, pk=device_id).delete()


def forget_browser(*, user_id: int, endpoint: str) -> None:
    """Tell the device at ``endpoint`` nothing any more, if it is one of this player's."""
    PushSubscription.objects.filter(user_id=user_id, digest=endpoint_digest(endpoint)).delete()
