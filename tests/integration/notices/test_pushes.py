"""Pushes: a device is told of a turn through the outbox, in its reader's words, with no die."""

import logging
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.core.management import call_command
from pytest_django import Settings

from games import rules, webpush
from games.mail.alerts import turn_alert
from games.models import (
    Mode,
    OutboxMessage,
    OutboxStatus,
    PushSubscription,
    Seat,
    Topic,
    Wishes,
)
from games.services import devices, outbox, presence, pushes, relay
from games.services.outbox import Fate
from tests.cast import NOON, act, later, person, seat_of, table
from tests.integration.notices.browsers import Browser, Request, digest
from tests.integration.notices.test_modes import alices_turn, wish
from tests.integration.security.stand_in import StandIn, answer, listening
from tests.integration.security.test_outgoing import here, url_of

pytestmark = pytest.mark.django_db

TAKEN = answer(b"HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n")
PATH = "/push/v1/a-secret-of-one-browser"


def refusing(status: int, *headers: str) -> Any:
    lines = [f"HTTP/1.1 {status} No", "Content-Length: 0", *headers, "", ""]
    return answer("\r\n".join(lines).encode())


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """A push service on this machine, at which alice's browser has subscribed."""
    with listening(TAKEN, tmp_path) as server:
        use(server, monkeypatch)
        yield server


def use(server: StandIn, monkeypatch: pytest.MonkeyPatch, name: str = "alice") -> Browser:
    """Let the browser of ``name`` be subscribed at ``server``."""
    monkeypatch.setattr(pushes, "GUARD", here(server))
    browser = Browser(url_of(server, PATH))
    PushSubscription.objects.update_or_create(
        user=person(name),
        defaults={
            **browser.said,
            "digest": digest(browser.endpoint),
            "device": "Firefox · Android",
            "created_at": NOON,
        },
    )
    return browser


def device() -> PushSubscription:
    return PushSubscription.objects.get(user=person("alice"))


def run(**after: float) -> dict[Fate, int]:
    """Let the relays run; return what became of the rows of pushes."""
    outbox.relay(now=later(**after))
    return dict(pushes.deliver(now=later(**after)))


def read(server: StandIn) -> list[Request]:
    """Return what alice's browser was brought."""
    browser = Browser(url_of(server, PATH))
    return [browser.take(request) for request in server.requests]


def row() -> OutboxMessage:
    return OutboxMessage.objects.get(channel="push")


def test_a_turn_is_pushed_once_and_only_its_browser_can_read_it(service: StandIn) -> None:
    game = alices_turn()
    assert run() == {Fate.SENT: 1}
    assert run() == {}
    (told,) = read(service)
    assert told.text == {
        "web_push": 8030,
        "notification": {
            "title": f"Your turn in {game.code}",
            "navigate": f"http://127.0.0.1:8000/g/{game.code}/",
            "tag": game.code,
            "lang": "en",
        },
    }
    assert b"turn" not in service.requests[0].partition(b"\r\n\r\n")[2]
    assert row().status == OutboxStatus.SENT
    assert device().last_ok_at is not None


def test_the_site_shows_the_push_service_who_it_is(service: StandIn, settings: Settings) -> None:
    settings.DEFAULT_FROM_EMAIL = "Perudo <game@perudo.example.org>"
    alices_turn()
    run()
    (told,) = read(service)
    assert told.key == pushes.public_key()
    assert told.claims["aud"] == device().endpoint.removesuffix(PATH)
    assert told.claims["sub"] == "mailto:game@perudo.example.org"
    assert told.claims["exp"] == int((NOON + webpush.TOKEN_LIFE).timestamp())


def test_a_push_lives_as_long_as_its_turn_and_wakes_a_device_only_near_the_end(
    service: StandIn,
) -> None:
    alices_turn(seconds=3 * 86_400)
    alices_turn("carol", seconds=3600)
    run()
    slow, quick = sorted(read(service), key=lambda told: -int(told.headers["TTL"]))
    assert 3 * 86_400 - 60 < int(slow.headers["TTL"]) <= 3 * 86_400
    assert 3600 - 60 < int(quick.headers["TTL"]) <= 3600
    assert (slow.headers["Urgency"], quick.headers["Urgency"]) == ("normal", "high")


def test_a_newer_turn_of_a_game_replaces_one_that_waits_and_tells_nobody_which_game(
    service: StandIn, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = alices_turn()
    run()
    alice, bob = seat_of(game, "alice").number, seat_of(game, "bob").number
    act(game, rules.MakeBid(alice, rules.Bid.parse("3x3")), now=later(hours=1))
    act(game, rules.MakeBid(bob, rules.Bid.parse("4x3")), now=later(hours=2))
    run(hours=2)
    alices_turn("carol")
    run(hours=2)
    first, second, other = (told.headers["Topic"] for told in read(service))
    assert first == second != other
    assert len(first) == 32  # the most that RFC 8030 allows
    with listening(TAKEN, tmp_path) as elsewhere:
        PushSubscription.objects.all().delete()
        use(elsewhere, monkeypatch)
        act(game, rules.MakeBid(alice, rules.Bid.parse("5x3")), now=later(hours=3))
        act(game, rules.MakeBid(bob, rules.Bid.parse("6x3")), now=later(hours=3))
        run(hours=3)
        told = next(told for told in read(elsewhere) if game.code in str(told.text))
    assert told.headers["Topic"] not in (first, other), "another device, another name"


def test_it_speaks_its_reader_s_language(service: StandIn) -> None:
    user = person("alice")
    user.language = "it"
    user.save()
    alices_turn()
    run()
    (told,) = read(service)
    assert told.text["notification"]["lang"] == "it"


def test_nothing_of_the_table_is_in_it() -> None:
    game = alices_turn()
    alert = turn_alert(game)
    Seat.objects.filter(game=game).update(dice=1)
    game.bid_quantity = 9
    assert turn_alert(game) == alert
    assert b"Bob" not in alert
    game.name = "Friday night"
    assert b"Your turn in Friday night" in turn_alert(game)


def test_every_device_of_a_player_is_told_and_nobody_else_s(service: StandIn) -> None:
    for number, name in enumerate(("alice", "bob")):
        said = Browser(f"{url_of(service, PATH)}{number}").said
        devices_of = PushSubscription(user=person(name), digest=digest(said["endpoint"]), **said)
        devices_of.created_at = NOON
        devices_of.save()
    alices_turn()
    assert run() == {Fate.SENT: 2}
    targets = {request.split(b" ")[1] for request in service.requests}
    assert targets == {PATH.encode(), f"{PATH}0".encode()}


# --- what is not pushed ---------------------------------------------------------------------------


def test_a_turn_that_is_over_is_not_pushed(service: StandIn) -> None:
    game = alices_turn()
    outbox.relay(now=NOON)
    act(game, rules.MakeBid(game.to_act, rules.Bid.parse("3x3")))
    assert dict(pushes.deliver(now=NOON)) == {Fate.SUPERSEDED: 1}
    assert service.requests == []


def test_whoever_looks_at_his_turn_is_not_pushed_there(service: StandIn) -> None:
    game = alices_turn()
    presence.look(seat_id=seat_of(game, "alice").pk, version=game.version, now=NOON)
    assert run(seconds=30) == {Fate.SUPERSEDED: 1}
    assert service.requests == []


def test_a_muted_game_and_a_stopped_topic_are_silent_here_too(service: StandIn) -> None:
    game = alices_turn()
    Seat.objects.filter(pk=seat_of(game, "alice").pk).update(is_muted=True)
    assert run() == {Fate.SUPERSEDED: 1}
    alices_turn("carol")
    wish(topics=[topic for topic in Topic if topic is not Topic.TURN])
    assert run() == {Fate.SUPERSEDED: 1}
    assert service.requests == []


def test_every_turn_is_pushed_while_mails_wait_for_the_digest(service: StandIn) -> None:
    wish(mode=Mode.DIGEST)
    alices_turn("bob")
    alices_turn("carol")
    assert run() == {Fate.SENT: 2}


def test_only_turns_are_pushed(service: StandIn) -> None:
    table(("alice", "bob"))
    kinds = set(OutboxMessage.objects.exclude(kind="turn").values_list("kind", flat=True))
    assert "started" in kinds
    OutboxMessage.objects.filter(kind="turn").delete()
    assert run() == {}
    assert service.requests == []


def test_a_site_without_a_key_pushes_nothing(service: StandIn, settings: Settings) -> None:
    alices_turn()
    outbox.claim(now=NOON, limit=9, channel="mail")
    settings.VAPID_KEY = ""
    assert run(minutes=2) == {}
    assert not OutboxMessage.objects.filter(channel="push").exists()


def test_a_seat_that_is_somebody_else_s_by_now_is_not_pushed_to_the_old_player(
    service: StandIn,
) -> None:
    game = alices_turn()
    outbox.relay(now=NOON)
    Seat.objects.filter(pk=seat_of(game, "alice").pk).update(user=person("dora"))
    assert dict(pushes.deliver(now=NOON)) == {Fate.SUPERSEDED: 1}
    assert service.requests == []


# --- what goes wrong ------------------------------------------------------------------------------


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_forgotten(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    alices_turn()
    with listening(refusing(status), tmp_path) as gone:
        use(gone, monkeypatch)
        assert run() == {Fate.SUPERSEDED: 1}
        assert run(hours=1) == {}
        assert len(gone.requests) == 1
    assert not PushSubscription.objects.exists()
    assert not OutboxMessage.objects.filter(channel="push").exists()


@pytest.mark.parametrize("status", [400, 401, 403, 413])
def test_what_would_be_refused_again_is_not_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    alices_turn()
    with listening(refusing(status), tmp_path) as strict:
        use(strict, monkeypatch)
        assert run() == {Fate.GIVEN_UP: 1}
    assert (row().status, row().last_error) == (OutboxStatus.DEAD, f"status {status}")
    assert (device().last_error, device().failures) == (f"status {status}", 1)


@pytest.mark.parametrize("status", [429, 500, 503, 301])
def test_what_may_pass_is_tried_again_with_growing_pauses_and_forgotten_when_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    alices_turn()
    with listening(refusing(status), tmp_path) as busy:
        use(busy, monkeypatch)
        assert run() == {Fate.PUT_OFF: 1}
        first = row().due_at - NOON
        assert run(seconds=10) == {}, "it pauses"
        assert run(seconds=20) == {Fate.PUT_OFF: 1}
        second = row().due_at - later(seconds=20)
        assert second > 2 * first
    assert device().failures == 2
    with listening(TAKEN, tmp_path) as mended:
        use(mended, monkeypatch)
        assert run(hours=1) == {Fate.SENT: 1}
    assert (device().failures, device().last_error) == (0, "")


def test_a_push_service_says_how_long_it_wants_to_be_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alices_turn()
    with listening(refusing(429, "Retry-After: 900"), tmp_path) as busy:
        use(busy, monkeypatch)
        run()
    assert timedelta(minutes=15) <= row().due_at - NOON < timedelta(minutes=16)


def test_it_is_not_believed_when_it_wants_for_ever(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alices_turn()
    with listening(refusing(503, "Retry-After: 999999"), tmp_path) as busy:
        use(busy, monkeypatch)
        run()
    assert row().due_at - NOON <= outbox.LONGEST_PAUSE + timedelta(minutes=1)


def test_an_endpoint_inside_our_network_is_never_asked() -> None:
    said = {**Browser("https://127.0.0.1/x").said, "digest": "x", "created_at": NOON}
    PushSubscription.objects.create(user=person("alice"), **said)
    alices_turn()
    assert run() == {Fate.PUT_OFF: 1}
    assert device().last_error == "outgoing.address"


def test_a_row_that_two_relays_see_is_sent_once(service: StandIn) -> None:
    alices_turn()
    outbox.relay(now=NOON)
    assert len(outbox.claim(now=NOON, limit=9, channel="push")) == 1
    assert dict(pushes.deliver(now=NOON)) == {}
    late = NOON + outbox.LEASE + timedelta(seconds=1)
    assert dict(pushes.deliver(now=late)) == {Fate.SENT: 1}


def test_a_relay_that_wakes_up_late_sends_nothing_that_another_has_taken(
    service: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    alices_turn()
    outbox.relay(now=NOON)
    slow = outbox.claim(now=NOON, limit=9, channel="push")
    late = NOON + outbox.LEASE + timedelta(seconds=1)
    assert dict(pushes.deliver(now=late)) == {Fate.SENT: 1}
    monkeypatch.setattr(outbox, "claim", lambda **how: slow)
    assert dict(pushes.deliver(now=late)) == {Fate.TAKEN: 1}
    assert len(service.requests) == 1


def test_pushes_do_not_wait_for_a_mail_server(
    service: StandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: EmailBackend) -> None:
        raise ConnectionRefusedError

    monkeypatch.setattr(EmailBackend, "open", refuse)
    for rival in ("bob", "carol", "dora"):
        alices_turn(rival)
    fates = relay.deliver_all(clock=lambda: NOON)
    assert fates[Fate.NO_SERVER] == 1
    assert fates[Fate.SENT] == 3
    assert len(read(service)) == 3


def test_an_address_is_in_no_log_no_dump_and_no_row_of_the_outbox(
    caplog: pytest.LogCaptureFixture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    alices_turn()
    with listening(refusing(413), tmp_path) as strict:
        browser = use(strict, monkeypatch)
        run()
    dump = tmp_path / "dump.json"
    call_command("dumpdata", "games", output=str(dump), verbosity=0)
    dumped = dump.read_text()
    assert "pushsubscription" in dumped
    ours = "\n".join(r.getMessage() for r in caplog.records if r.name.startswith("games"))
    assert "413" in ours
    for secret in ("a-secret-of-one-browser", browser.said["p256dh"], browser.said["auth"]):
        assert secret not in dumped
        assert secret not in ours


# --- devices --------------------------------------------------------------------------------------


def keep(name: str = "alice", path: str = "one", **other: Any) -> None:
    said = Browser(f"https://push.example.org/{path}").said
    devices.keep(
        user_id=person(name).pk,
        device=devices.NewDevice(**said, name="Firefox"),
        now=other.pop("now", NOON),
        **other,
    )


def paths(name: str = "alice") -> list[str]:
    rows = PushSubscription.objects.filter(user=person(name)).order_by("pk")
    return [each.endpoint.rpartition("/")[2] for each in rows]


def test_a_device_that_is_kept_twice_is_one() -> None:
    keep()
    PushSubscription.objects.update(failures=3, last_error="status 500", failed_at=NOON)
    keep(now=later(days=1))
    assert paths() == ["one"]
    assert (device().failures, device().last_error, device().created_at) == (0, "", NOON)


def test_a_browser_shows_the_turns_of_whoever_signed_in_last(service: StandIn) -> None:
    keep("alice")
    keep("bob")
    assert (paths("alice")[1:], paths("bob")) == ([], ["one"])


def test_the_device_that_was_silent_for_longest_makes_room() -> None:
    for number in range(devices.MOST_DEVICES):
        keep(path=str(number), now=later(hours=number))
    PushSubscription.objects.filter(endpoint__endswith="/0").update(last_ok_at=later(days=9))
    keep(path="new", now=later(days=1))
    assert len(paths()) == devices.MOST_DEVICES
    assert "1" not in paths()
    assert {"0", "new"} <= set(paths())


def test_a_browser_whose_address_changed_is_still_one_device() -> None:
    keep("bob", path="bobs")
    keep(path="old")
    keep(path="new", replaces="https://push.example.org/old")
    assert paths() == ["new"]
    keep(path="newer", replaces="https://push.example.org/bobs")
    assert paths("bob") == ["bobs"], "nobody takes another's away"


def test_devices_vanish_with_the_account_and_are_named_in_the_export() -> None:
    from accounts import services as accounts
    from games.selectors.wishes import exported_wishes

    keep()
    told: Any = exported_wishes(person("alice").pk)["devices"]
    assert [each["name"] for each in told] == ["Firefox"]
    assert "push.example.org" not in str(told)
    alices_turn()
    run()
    accounts.close_account(user=person("alice"), now=NOON)
    assert not PushSubscription.objects.exists()
    assert not Wishes.objects.exists()
