"""Who is believed: every row of the table of senders, by our own border and by a provider."""

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from pytest_django import Settings

from games.models import Bid, Game, ReplyToken, Wishes
from games.services.receiving import Outcome
from tests.cast import later, person, seat_of
from tests.integration.mail.letters import (
    Handled,
    deliver,
    mail_to,
    mails_to,
    opened_by,
    reply,
    send_mails,
)

pytestmark = pytest.mark.django_db

BORDER = "mx.perudo.example"
PASS = "dmarc=pass header.from=example.org"
FAIL = "dmarc=fail header.from=example.org"
NONE = "dmarc=none header.from=example.org; spf=none; dkim=none"
ALIGNED = "dmarc=none header.from=example.org; dkim=pass header.d=example.org"


@pytest.fixture(autouse=True)
def _border(settings: Settings) -> None:
    settings.MAIL_AUTHSERV_ID = BORDER
    settings.MAIL_WITHOUT_BORDER = "confirm"


@pytest.fixture
def game() -> Game:
    return opened_by("alice", "bob")


def write(result: str, *, sender: str = "alice@example.org", **headers: str) -> Handled:
    """Let somebody answer alice's turn with a bid; the border found ``result``."""
    sent = mail_to("alice", "turn")
    fields = {"Authentication-Results": f"{BORDER}; {result}", **headers}
    return deliver(reply(sent, "5 fours", sender=sender, headers=fields), sent.reply_to[0])


@pytest.mark.parametrize("result", [PASS, ALIGNED])
def test_a_verified_address_that_the_border_proves_acts(game: Game, result: str) -> None:
    assert write(result).outcome is Outcome.PLAYED
    assert Bid.objects.count() == 1


def test_a_verified_address_that_nobody_proves_gets_a_link_and_plays_nothing(game: Game) -> None:
    assert write(NONE).outcome is Outcome.CONFIRMING
    assert not Bid.objects.exists()
    asked = mail_to("alice", "confirm", now=later(minutes=1))
    assert "5 fours (5 × 4)" in asked.body
    assert asked.to == ["alice@example.org"]


def test_without_a_border_every_mail_is_confirmed(game: Game, settings: Settings) -> None:
    settings.MAIL_AUTHSERV_ID = ""
    assert write(PASS).outcome is Outcome.CONFIRMING


def test_an_account_may_ask_for_a_link_each_time(game: Game) -> None:
    Wishes.objects.create(user=person("alice"), confirms_replies=True)
    assert write(PASS).outcome is Outcome.CONFIRMING
    assert not Bid.objects.exists()


def test_a_forged_mail_is_refused_its_address_replaced_and_the_account_told(game: Game) -> None:
    old = mail_to("alice", "turn").reply_to
    done = write(FAIL)
    assert (done.outcome, done.reason) == (Outcome.WRONG_SENDER, "sender.forged")
    assert not Bid.objects.exists()
    warned = mail_to("alice", "warning", now=later(minutes=1))
    assert "your mail provider did not send" in warned.body
    fresh = mail_to("alice", "turn", now=later(minutes=1))
    assert fresh.reply_to != old
    # The old address plays nothing any more, even by its owner; the new one does.
    proven = {"Authentication-Results": f"{BORDER}; {PASS}"}
    to_old = deliver(reply(fresh, "5 fours", to=old[0], headers=proven), old[0])
    assert to_old.outcome is Outcome.REPLACED
    to_new = deliver(reply(fresh, "5 fours", headers=proven), fresh.reply_to[0])
    assert to_new.outcome is Outcome.PLAYED


def test_a_stranger_is_not_answered_and_the_account_is_told(game: Game) -> None:
    person("mallory")
    done = write(PASS, sender="mallory@example.org")
    assert (done.outcome, done.reason) == (Outcome.WRONG_SENDER, "sender.stranger")
    assert not Bid.objects.exists()
    send_mails(now=later(minutes=1))
    assert "warning" in mails_to("alice")
    assert mails_to("mallory") == []
    assert ReplyToken.objects.get(digest=done.row.recipient).revoked_at is not None


def test_an_address_that_is_not_confirmed_yet_plays_nothing(game: Game) -> None:
    EmailAddress.objects.create(user=person("alice"), email="a@example.org", verified=False)
    done = write(PASS, sender="a@example.org")
    assert (done.outcome, done.reason) == (Outcome.WRONG_SENDER, "sender.unverified")
    warned = mail_to("alice", "warning", now=later(minutes=1))
    assert "not confirmed" in warned.body
    assert ReplyToken.objects.get(digest=done.row.recipient).revoked_at is None


def test_a_second_verified_address_of_the_account_plays(game: Game) -> None:
    EmailAddress.objects.create(user=person("alice"), email="a@example.org", verified=True)
    assert write(PASS, sender="a@example.org").outcome is Outcome.PLAYED


@pytest.mark.parametrize("sender", ["alice+x@example.org", "a.lice@example.org"])
def test_nothing_is_stripped_from_an_address(game: Game, sender: str) -> None:
    assert write(PASS, sender=sender).reason == "sender.stranger"


def test_the_case_of_the_domain_does_not_matter(game: Game) -> None:
    assert write(PASS, sender="alice@EXAMPLE.org").outcome is Outcome.PLAYED


def test_two_senders_are_none(game: Game) -> None:
    done = write(PASS, sender="alice@example.org, bob@example.org")
    assert (done.outcome, done.reason) == (Outcome.WRONG_SENDER, "sender.count")


@pytest.mark.parametrize("headers", [{"List-Id": "<friends.example.org>"}, {"Precedence": "list"}])
def test_what_came_through_a_mailing_list_is_refused_and_told(
    game: Game, headers: dict[str, str]
) -> None:
    done = write(PASS, **headers)
    assert (done.outcome, done.reason) == (Outcome.WRONG_SENDER, "sender.list")
    assert "mailing list" in mail_to("alice", "warning", now=later(minutes=1)).body


def test_a_verdict_that_came_with_the_mail_is_not_our_borders(game: Game) -> None:
    forged = f"{BORDER}; {FAIL}"
    sent = mail_to("alice", "turn")
    raw = reply(sent, "5 fours", headers={"X-Was": "1"})
    both = f"Authentication-Results: {forged}\nAuthentication-Results: {BORDER}; {PASS}\n"
    done = deliver(both.encode() + raw, sent.reply_to[0])
    assert done.reason == "sender.forged"


def test_the_reply_to_of_a_mail_is_never_read(game: Game) -> None:
    done = write(PASS, sender="mallory@example.org", **{"Reply-To": "alice@example.org"})
    assert done.outcome is Outcome.WRONG_SENDER


@pytest.mark.parametrize(
    ("verdicts", "outcome"),
    [
        ({"dmarc": "pass"}, Outcome.PLAYED),
        ({"dmarc": "none", "spf": "pass example.org"}, Outcome.PLAYED),
        ({"dmarc": "none", "spf": "pass elsewhere.example"}, Outcome.CONFIRMING),
        ({"dmarc": "fail"}, Outcome.WRONG_SENDER),
    ],
)
def test_a_providers_verdicts_take_the_place_of_headers(
    game: Game, verdicts: dict[str, str], outcome: Outcome
) -> None:
    sent = mail_to("alice", "turn")
    done = deliver(reply(sent, "5 fours"), sent.reply_to[0], door="amazon_ses", verdicts=verdicts)
    assert done.outcome is outcome


def test_a_forwarded_mail_plays_nothing_and_its_address_is_replaced(game: Game) -> None:
    done = write(PASS, Subject="Fwd: [game] Round 1")
    assert done.outcome is Outcome.FORWARDED
    assert not Bid.objects.exists()
    assert "forwarded" in mail_to("alice", "warning", now=later(minutes=1)).body
    assert seat_of(game, "alice").addresses_renewed == 1


def test_others_who_got_a_copy_are_named_as_such_in_the_ack(game: Game) -> None:
    assert write(PASS, Cc="carol@example.org").outcome is Outcome.PLAYED
    assert "Others got a copy" in mail_to("alice", "ack", now=later(minutes=1)).body


def test_questions_of_an_unproven_sender_are_answered_to_the_account(game: Game) -> None:
    sent = mail_to("alice", "turn")
    fields = {"Authentication-Results": f"{BORDER}; {NONE}"}
    done = deliver(reply(sent, "status", headers=fields), sent.reply_to[0])
    assert done.outcome is Outcome.TOLD
    assert mail_to("alice", "answer", now=later(minutes=1)).to == ["alice@example.org"]


def test_play_by_mail_can_be_stopped_for_a_game_from_the_ack(game: Game, client: Client) -> None:
    assert write(PASS).outcome is Outcome.PLAYED
    ack = mail_to("alice", "ack", now=later(minutes=1))
    link = ack.body.partition("Stop play by mail in this game: ")[2].split()[0]
    path = link.removeprefix("http://127.0.0.1:8000")
    assert client.get(path).status_code == 200
    assert seat_of(game, "alice").takes_replies
    assert client.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert not seat_of(game, "alice").takes_replies
    assert ReplyToken.objects.filter(kind="g", revoked_at=None).count() == 0
