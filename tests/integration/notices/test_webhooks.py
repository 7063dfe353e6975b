"""Webhooks: told of a turn through the outbox, tried again, and never of a die."""

import base64
import hmac
import json
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from django.core import mail as mailbox

from games import outgoing, rules
from games.mail.hooks import turn_payload
from games.models import (
    Game,
    Mode,
    OutboxMessage,
    OutboxStatus,
    Seat,
    Topic,
    Webhook,
    WebhookForm,
)
from games.services import outbox, webhooks, wishes
from games.services.outbox import Fate
from tests.cast import NOON, act, later, person, seat_of
from tests.integration.games.pages import browser, text
from tests.integration.notices.test_modes import alices_turn, wish
from tests.integration.security.stand_in import StandIn, answer, listening
from tests.integration.security.test_outgoing import here, url_of

pytestmark = pytest.mark.django_db

PAGE = "/settings/notices/"
OK = answer(b"HTTP/1.1 204 No Content\r\n\r\n")


@pytest.fixture
def channel(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[StandIn]:
    """Alice's webhook, served on this machine."""
    with listening(OK, tmp_path) as server:
        use(server, monkeypatch)
        yield server


def use(server: StandIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(webhooks, "GUARD", here(server))
    Webhook.objects.update_or_create(
        user=person("alice"), defaults={"form": "json", "url": url_of(server)}
    )


def hook() -> Webhook:
    return Webhook.objects.get(user=person("alice"))


def run(hours: float = 0) -> dict[Fate, int]:
    """Let the relays run; return what became of the webhooks' rows."""
    outbox.relay(now=later(hours=hours))
    return dict(webhooks.deliver(now=later(hours=hours)))


def bodies(server: StandIn) -> list[dict[str, object]]:
    return [json.loads(request.partition(b"\r\n\r\n")[2]) for request in server.requests]


def test_a_turn_is_announced_once_with_its_game_link_and_deadline(channel: StandIn) -> None:
    game = alices_turn()
    assert run() == {Fate.SENT: 1}
    assert run() == {}
    (told,) = bodies(channel)
    assert told == {
        "event": "turn",
        "game": game.code,
        "url": f"http://127.0.0.1:8000/g/{game.code}/",
        "text": f"{game.code}: your turn, until Thursday 7 May, 12:00 UTC.",
        "deadline": "2026-05-07T12:00:00+00:00",
    }
    assert len(mailbox.outbox) >= 1, "the mail goes out too"


def test_the_payload_is_signed_with_the_key_that_the_page_shows(channel: StandIn) -> None:
    alices_turn()
    run()
    head, _, body = channel.requests[0].partition(b"\r\n\r\n")
    said = dict(line.split(b": ", 1) for line in head.split(b"\r\n")[1:])
    signed = b".".join((said[b"webhook-id"], said[b"webhook-timestamp"], body))
    key = bytes.fromhex(hook().key)
    mac = base64.b64encode(hmac.digest(key, signed, "sha256"))
    assert said[b"webhook-signature"] == b"v1," + mac
    assert hook().key in text(browser("alice").get(PAGE))


def test_nothing_of_the_table_is_in_any_form() -> None:
    game = alices_turn()
    for form in WebhookForm:
        payload = turn_payload(form, game).decode()
        Seat.objects.filter(game=game).update(dice=1)
        game.bid_quantity = 9
        assert turn_payload(form, game).decode() == payload
        assert "Bob" not in payload


def test_a_name_calls_nobody_and_means_nothing_to_the_form() -> None:
    game = alices_turn()
    game.name = "<!here> *all*"
    discord = json.loads(turn_payload(WebhookForm.DISCORD, game))
    assert discord["allowed_mentions"] == {"parse": []}
    assert r"\*all\*" in discord["content"]
    slack = json.loads(turn_payload(WebhookForm.SLACK, game))
    assert "<!here>" not in slack["text"]
    assert "&lt;!here&gt;" in slack["text"]


def test_a_failure_is_tried_again_shown_and_forgotten_when_it_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    alices_turn()
    with listening(answer(b"HTTP/1.1 500 Oh\r\nContent-Length: 0\r\n\r\n"), tmp_path) as broken:
        use(broken, monkeypatch)
        assert run() == {Fate.PUT_OFF: 1}
    assert hook().last_error == "status 500"
    assert "status 500" in text(browser("alice").get(PAGE))
    assert run() == {}, "it pauses"
    with listening(OK, tmp_path) as mended:
        use(mended, monkeypatch)
        assert run(hours=1) == {Fate.SENT: 1}
        first = broken.requests[0].split(b"webhook-id: ")[1].split(b"\r\n")[0]
        assert first in mended.requests[0], "the receiver can tell that it is the same one"
    assert hook().last_error == ""


def test_what_is_gone_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alices_turn()
    with listening(answer(b"HTTP/1.1 410 Gone\r\nContent-Length: 0\r\n\r\n"), tmp_path) as gone:
        use(gone, monkeypatch)
        assert run() == {Fate.GIVEN_UP: 1}
    (row,) = OutboxMessage.objects.filter(channel="webhook")
    assert (row.status, row.last_error) == (OutboxStatus.DEAD, "status 410")


def test_a_webhook_that_fails_holds_no_mail_back(monkeypatch: pytest.MonkeyPatch) -> None:
    Webhook.objects.create(user=person("alice"), form="json", url="https://127.0.0.1/")
    alices_turn()
    assert run() == {Fate.PUT_OFF: 1}
    assert hook().last_error == "outgoing.address"
    assert ["alice@example.org"] in [mail.to for mail in mailbox.outbox]


def test_a_turn_that_is_over_is_not_announced(channel: StandIn) -> None:
    game = alices_turn()
    outbox.relay(now=NOON)
    act(game, rules.MakeBid(game.to_act, rules.Bid.parse("3x3")))
    assert dict(webhooks.deliver(now=NOON)) == {Fate.SUPERSEDED: 1}
    assert channel.requests == []


def test_a_muted_game_and_a_stopped_topic_are_silent_here_too(channel: StandIn) -> None:
    game = alices_turn()
    Seat.objects.filter(pk=seat_of(game, "alice").pk).update(is_muted=True)
    assert run() == {Fate.SUPERSEDED: 1}
    alices_turn("carol")
    wish(topics=[topic for topic in Topic if topic is not Topic.TURN])
    assert run() == {Fate.SUPERSEDED: 1}
    assert channel.requests == []


def test_every_turn_is_announced_while_mails_wait_for_the_digest(channel: StandIn) -> None:
    wish(mode=Mode.DIGEST)
    alices_turn("bob")
    alices_turn("carol")
    assert run() == {Fate.SENT: 2}
    assert ["alice@example.org"] not in [mail.to for mail in mailbox.outbox]


def test_an_announcement_changes_nothing_of_what_the_next_mail_tells(channel: StandIn) -> None:
    game = alices_turn()
    OutboxMessage.objects.filter(kind="turn").delete()
    row = OutboxMessage.objects.create(
        dedupe="x", kind="turn", channel="webhook", status="sent", game=game,
        seat=seat_of(game, "alice"), version=99, due_at=NOON, created_at=NOON, sent_at=NOON,
    )  # fmt: skip
    from games.selectors.story import told_until

    assert row.channel == "webhook"
    assert told_until(seat_of(game, "alice"), before=100) == 0


def test_a_row_that_two_relays_see_is_sent_once(channel: StandIn) -> None:
    alices_turn()
    outbox.relay(now=NOON)
    claimed = outbox.claim(now=NOON, limit=9, channel="webhook")
    assert dict(webhooks.deliver(now=NOON)) == {}
    assert len(claimed) == 1
    assert dict(webhooks.deliver(now=NOON + outbox.LEASE + timedelta(seconds=1))) == {Fate.SENT: 1}


# --- the page -------------------------------------------------------------------------------------


def test_the_test_button_says_whether_it_arrived_and_can_be_pressed_now_and_then(
    channel: StandIn,
) -> None:
    client = browser("alice")
    page = text(client.post(PAGE, {"act": "webhook_test"}, follow=True))
    assert "The test has arrived." in page
    (told,) = bodies(channel)
    assert told["event"] == "test"
    client.post(PAGE, {"act": "webhook_test"})
    assert len(channel.requests) == 1


def test_a_test_without_a_webhook_sends_nothing() -> None:
    assert not webhooks.try_out(user_id=person("alice").pk, now=NOON)


@pytest.mark.parametrize("url", ["http://example.org/x", "https://user@example.org/", "ftp:"])
def test_an_address_that_is_none_is_refused_in_words(url: str) -> None:
    answer = browser("alice").post(PAGE, {"act": "webhook", "form": "json", "url": url})
    assert answer.status_code == 422
    assert "has to begin with https" in text(answer)
    assert not Webhook.objects.exists()


def test_a_port_is_refused_by_its_name() -> None:
    answer = browser("alice").post(
        PAGE, {"act": "webhook", "form": "json", "url": "https://example.org:8443/x"}
    )
    assert answer.status_code == 422
    assert "A port cannot be chosen" in text(answer)


def test_the_service_refuses_it_too() -> None:
    with pytest.raises(outgoing.Refused):
        webhooks.keep(user_id=person("alice").pk, form=WebhookForm.JSON, url="http://x/")


def test_an_address_is_kept_with_its_key_replaced_and_taken_away() -> None:
    client = browser("alice")
    first = {"act": "webhook", "form": "slack", "url": "https://example.org/one"}
    client.post(PAGE, first)
    key = hook().key
    client.post(PAGE, {**first, "form": "json"})
    assert (hook().form, hook().key) == ("json", key)
    client.post(PAGE, {**first, "url": "https://example.org/two"})
    assert hook().key != key
    client.post(PAGE, {**first, "url": ""})
    assert not Webhook.objects.exists()
    assert not wishes.Wishes.objects.exists()


def test_a_webhook_s_address_and_key_are_nobody_else_s(channel: StandIn) -> None:
    game: Game = alices_turn()
    for name in ("bob", "alice"):
        page = text(browser(name).get(f"/g/{game.code}/"))
        assert hook().key not in page
        assert "/hook" not in page
    assert hook().url not in text(browser("bob").get(PAGE))
