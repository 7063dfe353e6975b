"""Notices on this device: the page, where a browser tells of itself, and the worker."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from games.models import PushSubscription
from games.services import devices, pushes
from tests.cast import NOON, person
from tests.integration.games.pages import browser, text
from tests.integration.notices.browsers import Browser, digest
from tests.integration.notices.test_pushes import TAKEN, read, refusing, use
from tests.integration.security.stand_in import listening

pytestmark = pytest.mark.django_db

PAGE = "/settings/notices/"
DEVICE = "/settings/notices/device/"
PHONE = (
    "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/142.0.0.0 Mobile Safari/537.36"
)
SAID = Browser("https://push.example.org/a-secret").said


def kept(name: str = "alice", path: str = "a-secret") -> PushSubscription:
    said = Browser(f"https://push.example.org/{path}").said
    new = devices.NewDevice(**said, name="Firefox · Linux")
    devices.keep(user_id=person(name).pk, device=new, now=NOON)
    return PushSubscription.objects.get(digest=digest(said["endpoint"]))


def test_a_browser_asks_for_key_and_token_and_tells_of_itself() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("alice"))
    asked = client.get(DEVICE).json()
    assert asked["key"] == pushes.public_key()
    assert client.post(DEVICE, SAID).status_code == 403, "not without the token"
    token = {"X-CSRFToken": asked["token"], "User-Agent": PHONE}
    answer = client.post(DEVICE, SAID, headers=token)
    assert (answer.status_code, answer.content) == (204, b"")
    row = PushSubscription.objects.get()
    assert (row.user, row.endpoint, row.device) == (
        person("alice"),
        SAID["endpoint"],
        "Chrome · Android",
    )


@pytest.mark.parametrize(
    "changed",
    [
        {"endpoint": ""},
        {"endpoint": "http://push.example.org/x"},
        {"endpoint": "https://push.example.org:8443/x"},
        {"endpoint": "https://me@push.example.org/x"},
        {"endpoint": "https://push.example.org/" + "x" * 1000},
        {"endpoint": "https://push.example.org/\x00"},
        {"p256dh": ""},
        {"p256dh": "B" + "A" * 86},
        {"auth": "AAAA"},
        {"auth": "é" * 22},
    ],
)
def test_what_no_browser_says_is_refused(changed: dict[str, str]) -> None:
    answer = browser("alice").post(DEVICE, {**SAID, **changed})
    assert answer.status_code == 422
    assert answer.json()["errors"]
    assert not PushSubscription.objects.exists()


def test_a_changed_address_takes_the_place_of_the_old_one() -> None:
    kept(path="old")
    said = {**SAID, "replaces": "https://push.example.org/old"}
    assert browser("alice").post(DEVICE, said).status_code == 204
    assert [row.endpoint for row in PushSubscription.objects.all()] == [SAID["endpoint"]]


def test_whoever_logs_out_is_shown_nothing_on_that_device_any_more() -> None:
    here, phone, bobs = kept(), kept(path="phone"), kept("bob", path="bobs")
    for name, endpoint in (("alice", bobs.endpoint), ("alice", ""), ("alice", here.endpoint)):
        browser(name).post("/accounts/logout/", {"device": endpoint})
    assert set(PushSubscription.objects.all()) == {phone, bobs}
    page = text(browser("alice").get("/accounts/logout/"))
    assert "data-logout" in page
    assert "Notifications on this device end." in page
    assert PAGE in text(browser("alice").get("/accounts/sessions/"))


def test_a_site_without_a_key_offers_nothing(settings: Settings) -> None:
    kept()
    settings.VAPID_KEY = ""
    client = browser("alice")
    assert "Notices on this device" not in text(client.get(PAGE))
    assert client.get(DEVICE).status_code == 404
    assert client.post(DEVICE, SAID).status_code == 404
    assert not pushes.try_out(
        user_id=person("alice").pk, device_id=PushSubscription.objects.get().pk, now=NOON
    )


# --- the page -------------------------------------------------------------------------------------


def test_the_page_lists_devices_and_how_they_do_and_tells_no_address() -> None:
    row = kept()
    page = text(browser("alice").get(PAGE))
    assert "Notices on this device" in page
    assert "To turn it on, your browser has to run scripts." in page
    assert "Firefox · Linux" in page
    assert f'data-digest="{row.digest}"' in page
    assert "has not arrived" not in page
    for secret in SAID.values():
        assert secret not in page
    PushSubscription.objects.update(last_error="status 503", failed_at=NOON, failures=1)
    assert "has not arrived: It answered with status 503." in text(browser("alice").get(PAGE))
    PushSubscription.objects.update(failures=3)
    assert "The last 3 have not arrived" in text(browser("alice").get(PAGE))


def test_a_device_is_removed_by_its_owner_alone() -> None:
    row = kept()
    act = {"act": "device_remove", "device": row.pk}
    browser("bob").post(PAGE, act)
    assert PushSubscription.objects.exists()
    page = text(browser("alice").post(PAGE, act, follow=True))
    assert "That device shows no notifications any more." in page
    assert not PushSubscription.objects.exists()
    assert browser("alice").post(PAGE, act).status_code == 302, "done twice, it is the same"


def test_the_test_button_says_whether_it_went_and_can_be_pressed_now_and_then(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening(TAKEN, tmp_path) as service:
        use(service, monkeypatch)
        act = {"act": "device_test", "device": PushSubscription.objects.get().pk}
        assert "on its way to the device" in text(browser("alice").post(PAGE, act, follow=True))
        (told,) = read(service)
        assert "This is a test" in told.text["notification"]["title"]
        assert told.text["notification"]["navigate"] == f"http://127.0.0.1:8000{PAGE}"
        assert (told.headers["TTL"], "Topic" in told.headers) == ("60", False)
        for name in ("alice", "bob"):
            said = text(browser(name).post(PAGE, act, follow=True))
            assert "The test has not arrived, or the last one was a moment ago." in said
        assert len(service.requests) == 1


def test_a_test_of_a_device_that_is_gone_forgets_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listening(refusing(410), tmp_path) as service:
        use(service, monkeypatch)
        act = {"act": "device_test", "device": PushSubscription.objects.get().pk}
        assert "has not arrived" in text(browser("alice").post(PAGE, act, follow=True))
    assert not PushSubscription.objects.exists()


@pytest.mark.parametrize("device", ["", "x", "-1", "0", "9" * 30, "1 or 1"])
@pytest.mark.parametrize("act", ["device_remove", "device_test"])
def test_garbage_names_no_device(act: str, device: str) -> None:
    kept()
    assert browser("alice").post(PAGE, {"act": act, "device": device}).status_code == 422
    assert PushSubscription.objects.exists()


def test_more_devices_ask_no_more_of_the_database(django_assert_max_num_queries: Any) -> None:
    client = browser("alice")
    kept()
    client.get(PAGE)
    with django_assert_max_num_queries(100) as one:
        client.get(PAGE)
    for number in range(5):
        kept(path=str(number))
    with django_assert_max_num_queries(len(one)):
        client.get(PAGE)


# --- the worker -----------------------------------------------------------------------------------


def test_the_worker_stands_at_the_root_as_a_script_under_the_site_s_policy(
    client: Client, settings: Settings
) -> None:
    settings.SITE_NAME = "</script>'\"Perudo"
    answer = client.get("/worker.js")
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/javascript; charset=utf-8"
    assert answer["Cache-Control"] == "no-cache"
    assert "unsafe" not in answer["Content-Security-Policy"]
    assert "connect-src 'self'" in answer["Content-Security-Policy"]
    script = text(answer)
    assert "</script>" not in script
    (line,) = (line for line in script.splitlines() if line.startswith("const KNOWN"))
    known = json.loads(json.loads(line.partition("(")[2].rstrip(");")))
    assert known["site"] == "</script>'\"Perudo"


@pytest.mark.parametrize(
    ("agent", "name"),
    [
        (PHONE, "Chrome · Android"),
        ("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
         "Firefox · Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
         "Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0", "Edge · Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like "
         "Gecko) Version/18.5 Mobile/15E148 Safari/604.1", "Safari · iPhone"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
         "Version/18.5 Safari/605.1.15", "Safari · Mac"),
        ("<script>alert(1)</script>", ""),
        ("", ""),
    ],
)  # fmt: skip
def test_a_device_is_called_after_its_browser_and_system(agent: str, name: str) -> None:
    from games.wording import device_name

    assert device_name(agent) == name
