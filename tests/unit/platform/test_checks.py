"""What must not be so in production is said before it starts."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from pytest_django import Settings

from perudo_site.checks import (
    check_production,
    check_pushes,
    check_relays,
    check_sqlite_is_local,
    file_system_of,
)
from perudo_site.doors.checks import check_border

SAFE: dict[str, Any] = {
    "DEVELOPMENT": False,
    "MAILBOX_ENABLED": False,
    "SITE_URL": "https://perudo.example.org",
    "ALLOWED_HOSTS": ["perudo.example.org"],
    "EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend",
    "EMAIL_HOST": "smtp.example.org",
    "REDIS_URL": "redis://cache.example.org",
}
MOUNTS = """\
/dev/vda1 / ext4 rw 0 0
server:/home /home nfs4 rw 0 0
/dev/vdb1 /home/alice ext4 rw 0 0
server:/x /mnt/my\\040share cifs rw 0 0
"""


def ids_with(settings: Settings, **changes: Any) -> list[str | None]:
    for name, value in {**SAFE, **changes}.items():
        setattr(settings, name, value)
    return [message.id for message in check_production(None)]


def test_a_safe_production_site_has_nothing_to_say(settings: Settings) -> None:
    assert ids_with(settings) == []


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"MAILBOX_ENABLED": True}, "perudo_site.E001"),
        ({"SITE_URL": "http://perudo.example.org"}, "perudo_site.E002"),
        ({"ALLOWED_HOSTS": []}, "perudo_site.E003"),
        ({"ALLOWED_HOSTS": ["*"]}, "perudo_site.E003"),
        ({"EMAIL_HOST": "127.0.0.1", "EMAIL_PORT": 8025}, "perudo_site.E005"),
        ({"SECRET_KEY": "ab" * 32, "SEED_KEYS": ["1:" + "ab" * 32]}, "perudo_site.E006"),
        ({"REDIS_URL": ""}, "perudo_site.W001"),
    ],
)
def test_an_unsafe_production_site_says_why(
    settings: Settings, changes: dict[str, Any], expected: str
) -> None:
    assert ids_with(settings, **changes) == [expected]


@pytest.mark.parametrize(
    ("key", "found"),
    [
        ("ab" * 32, []),
        ("", ["perudo_site.I001"]),
        ("ab", ["perudo_site.E009"]),
        ("f" * 64, ["perudo_site.E009"]),
        ("2026:" + "ab" * 32, ["perudo_site.E009"]),
    ],
)
def test_a_key_that_signs_no_notification_is_refused_and_a_missing_one_named(
    settings: Settings, key: str, found: list[str]
) -> None:
    settings.VAPID_KEY = key
    assert [message.id for message in check_pushes(None)] == found


def test_a_development_site_may_do_all_that(settings: Settings) -> None:
    assert ids_with(settings, DEVELOPMENT=True, MAILBOX_ENABLED=True, ALLOWED_HOSTS=[]) == []


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/srv/perudo.sqlite3", "ext4"),
        ("/home/bob/perudo.sqlite3", "nfs4"),
        ("/home/alice/perudo.sqlite3", "ext4"),
        ("/homer/perudo.sqlite3", "ext4"),
        ("/mnt/my share/perudo.sqlite3", "cifs"),
    ],
)
def test_the_file_system_of_a_path_is_that_of_the_nearest_mount(path: str, expected: str) -> None:
    assert file_system_of(Path(path), mounts=MOUNTS) == expected


def test_sqlite_on_a_network_file_system_is_refused(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    database = {"ENGINE": "django.db.backends.sqlite3", "NAME": "/home/bob/perudo.sqlite3"}
    site = SimpleNamespace(DATABASES={"default": database})
    monkeypatch.setattr("perudo_site.checks.settings", site)
    monkeypatch.setattr("perudo_site.checks._mounts", lambda: MOUNTS)
    assert [message.id for message in check_sqlite_is_local(None)] == ["perudo_site.E004"]
    database["NAME"] = "/srv/perudo.sqlite3"
    assert check_sqlite_is_local(None) == []


@pytest.mark.parametrize(
    ("url", "found"),
    [
        ("https://api.drand.sh", []),
        ("http://127.0.0.1:8080", []),
        ("http://api.drand.sh", ["perudo_site.E007"]),
        ("api.drand.sh", ["perudo_site.E007"]),
    ],
)
def test_a_relay_that_would_never_be_asked_is_named(
    settings: Settings, url: str, found: list[str]
) -> None:
    settings.BEACON_URLS = [url]
    assert [message.id for message in check_relays(None)] == found


@pytest.mark.parametrize(
    ("development", "believes", "found"),
    [
        (False, "confirm", []),
        (False, "trust-local", ["perudo_site.E010"]),
        (True, "trust-local", []),
        (True, "anybody", ["perudo_site.E010"]),
    ],
)
def test_a_sender_is_believed_by_his_word_at_home_only(
    settings: Settings, development: bool, believes: str, found: list[str]
) -> None:
    settings.DEVELOPMENT, settings.MAIL_WITHOUT_BORDER = development, believes
    assert [message.id for message in check_border(None)] == found
