"""What a player wants to be told, for his own page; and who reads a feed at a secret address."""

from dataclasses import dataclass
from datetime import datetime, time, tzinfo

from games.models import (
    GameStatus,
    Mode,
    PushSubscription,
    Seat,
    Topic,
    Webhook,
    WebhookForm,
    Wishes,
)


@dataclass(frozen=True, slots=True)
class MutableGame:
    """A game that a player may want no notices about."""

    code: str
    name: str
    is_muted: bool


@dataclass(frozen=True, slots=True)
class Hook:
    """A player's webhook and how it went last: a code and when, or nothing."""

    form: WebhookForm
    url: str
    key: str
    last_error: str
    failed_at: datetime | None


@dataclass(frozen=True, slots=True)
class Device:
    """A device that shows turns, and how it went last; ``digest`` is how it knows itself."""

    pk: int
    digest: str
    name: str
    created_at: datetime
    last_ok_at: datetime | None
    failures: int
    failed_at: datetime | None
    last_error: str


@dataclass(frozen=True, slots=True)
class WishesPage:
    """A player's wishes; ``feed_token`` is empty until he has asked for the feeds."""

    mode: Mode
    digest_at: time
    topics: tuple[Topic, ...]
    games: tuple[MutableGame, ...]
    feed_token: str
    hook: Hook | None
    devices: tuple[Device, ...]


@dataclass(frozen=True, slots=True)
class FeedReader:
    """Whose feed an address is, and how its owner reads."""

    user_id: int
    language: str
    zone: tzinfo


def wishes_page(user_id: int) -> WishesPage:
    """Return what a player wants to be told, and the games that he may mute."""
    wishes = Wishes.objects.filter(pk=user_id).first() or Wishes(user_id=user_id)
    live = Seat.objects.filter(
        user_id=user_id, game__status__in=(GameStatus.OPEN, GameStatus.ACTIVE)
    )
    games = live.order_by("-game__created_at", "-pk").values_list(
        "game__code", "game__name", "is_muted"
    )
    return WishesPage(
        mode=Mode(wishes.mode),
        digest_at=wishes.digest_at,
        topics=tuple(topic for topic in Topic if topic not in wishes.stopped),
        games=tuple(MutableGame(*row) for row in games),
        feed_token=wishes.feed_token or "",
        hook=_hook(user_id),
        devices=_devices(user_id),
    )


def _devices(user_id: int) -> tuple[Device, ...]:
    rows = PushSubscription.objects.filter(user_id=user_id).order_by("-created_at", "-pk")
    names = (
        "pk", "digest", "device", "created_at", "last_ok_at", "failures", "failed_at", "last_error"
    )  # fmt: skip
    return tuple(Device(*row) for row in rows.values_list(*names))


def _hook(user_id: int) -> Hook | None:
    row = Webhook.objects.filter(pk=user_id).first()
    if row is None:
        return None
    return Hook(WebhookForm(row.form), row.url, row.key, row.last_error, row.failed_at)


def exported_wishes(user_id: int) -> dict[str, object]:
    """Return what is kept of a player's wishes, made of what JSON knows.

    Secret addresses are named and not handed out: a copy of one would be a key, not knowledge.
    """
    page = wishes_page(user_id)
    return {
        "mode": page.mode.value,
        "digest_at": f"{page.digest_at:%H:%M}",
        "topics": [topic.value for topic in page.topics],
        "muted_games": [game.code for game in page.games if game.is_muted],
        "has_feeds": bool(page.feed_token),
        "webhook": page.hook.form.value if page.hook else None,
        "devices": [
            {
                "name": device.name,
                "added_at": device.created_at.isoformat(),
                "last_ok_at": device.last_ok_at.isoformat() if device.last_ok_at else None,
                "failed_at": device.failed_at.isoformat() if device.failed_at else None,
                "last_error": device.last_error,
            }
            for device in page.devices
        ],
    }


def feed_reader(token: str) -> FeedReader | None:
    """Return whose secret address ``token`` is, None if it is nobody's, or not any more."""
    found = Wishes.objects.filter(feed_token=token, user__is_active=True).select_related("user")
    wishes = found.first()
    if wishes is None:
        return None
    return FeedReader(wishes.user_id, wishes.user.language, wishes.user.zone)
