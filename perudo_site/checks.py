"""System checks: what must not be so in production, with the reason and the way out."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core.checks import CheckMessage, Error, Info, Tags, Warning, register

from games import beacon, webpush

NETWORK_FILE_SYSTEMS = frozenset(
    {"nfs", "nfs4", "cifs", "smb3", "smbfs", "fuse.sshfs", "9p", "afs"}
)


@register(Tags.security)
def check_production(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Refuse a production site that is open where it must be shut, or cannot be reached."""
    if settings.DEVELOPMENT:
        return []
    found: list[CheckMessage] = []
    if settings.MAILBOX_ENABLED:
        found.append(
            Error(
                "The mailbox page is on in production: everybody could read everybody's mail, "
                "sign-in codes included.",
                hint="Unset MAILBOX_ENABLED.",
                id="perudo_site.E001",
            )
        )
    if not settings.SITE_URL.startswith("https://"):
        found.append(
            Error(
                f"SITE_URL is {settings.SITE_URL}: links in mails would not be https.",
                hint="Set SITE_URL to the address that players see, such as "
                "https://perudo.example.org.",
                id="perudo_site.E002",
            )
        )
    if not settings.ALLOWED_HOSTS or "*" in settings.ALLOWED_HOSTS:
        found.append(
            Error(
                "ALLOWED_HOSTS must name this site's hosts.",
                hint="Set ALLOWED_HOSTS, for instance to perudo.example.org.",
                id="perudo_site.E003",
            )
        )
    if settings.SECRET_KEY in {part for key in settings.SEED_KEYS for part in key.split(":")}:
        found.append(
            Error(
                "SEED_KEYS repeats SECRET_KEY: whoever learns one could open all games.",
                hint="Make a key for each purpose; deploy/env.example says how.",
                id="perudo_site.E006",
            )
        )
    if _mail_goes_to_the_mailbox():
        found.append(
            Error(
                "Mail has nowhere to go.",
                hint="Set EMAIL_URL to an SMTP server, or EMAIL_BACKEND to an anymail provider.",
                id="perudo_site.E005",
            )
        )
    if not settings.REDIS_URL:
        found.append(
            Warning(
                "REDIS_URL is not set: nothing wakes the worker, so turns and mails wait for "
                "`manage.py expire_turns` and `manage.py relay_outbox`.",
                hint="Set REDIS_URL, or start everything with `manage.py up`, which brings Valkey.",
                id="perudo_site.W001",
            )
        )
    return found


@register(Tags.security)
def check_pushes(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Refuse a key that signs nothing; without one, say what is missing."""
    if not settings.VAPID_KEY:
        return [
            Info(
                "VAPID_KEY is not set: players are offered no notifications on their devices.",
                hint="deploy/env.example says how one is made.",
                id="perudo_site.I001",
            )
        ]
    try:
        webpush.signing_key(settings.VAPID_KEY)
    except ValueError:
        return [
            Error(
                "VAPID_KEY is no signing key, so that no notification could be sent.",
                hint="It has 64 hex digits; deploy/env.example says how one is made.",
                id="perudo_site.E009",
            )
        ]
    return []


@register(Tags.security)
def check_relays(app_configs: Sequence[AppConfig] | None, **options: Any) -> list[CheckMessage]:
    """Refuse a relay of the beacon that would never be asked: rolls would wait for ever."""
    found: list[CheckMessage] = []
    for url in settings.BEACON_URLS:
        try:
            beacon.relay(url)
        except ValueError:
            found.append(
                Error(
                    f"BEACON_URLS names {url!r}, which is no https address.",
                    hint="Name relays as https://host, with commas between them.",
                    id="perudo_site.E007",
                )
            )
    return found


def _mail_goes_to_the_mailbox() -> bool:
    return (
        settings.EMAIL_BACKEND == "django.core.mail.backends.smtp.EmailBackend"
        and settings.EMAIL_HOST == "127.0.0.1"
        and settings.EMAIL_PORT == settings.MAIL_PORT
    )


@register(Tags.database)
def check_sqlite_is_local(
    app_configs: Sequence[AppConfig] | None, **options: Any
) -> list[CheckMessage]:
    """Refuse SQLite on a network file system: its write-ahead log needs shared memory."""
    database = settings.DATABASES["default"]
    if not database["ENGINE"].endswith("sqlite3"):
        return []
    kind = file_system_of(Path(database["NAME"]), mounts=_mounts())
    if kind not in NETWORK_FILE_SYSTEMS:
        return []
    return [
        Error(
            f"The SQLite database {database['NAME']} lies on a network file system ({kind}), "
            "where its write-ahead log can lose moves.",
            hint="Set PERUDO_VAR to a folder on a local disk, or DATABASE_URL to a PostgreSQL.",
            id="perudo_site.E004",
        )
    ]


def file_system_of(path: Path, *, mounts: str) -> str:
    """Return the type of the file system that holds ``path``, from the text of /proc/mounts."""
    where = path.absolute()
    best, kind = -1, ""
    for line in mounts.splitlines():
        _, folder, this_kind, *_ = line.split(" ")
        # The kernel writes a space as \040.
        mount = Path(folder.replace("\\040", " "))
        if where.is_relative_to(mount) and len(mount.parts) >= best:
            best, kind = len(mount.parts), this_kind
    return kind


def _mounts() -> str:
    try:
        return Path("/proc/mounts").read_text()
    except OSError:
        return ""  # not Linux
