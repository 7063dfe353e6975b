"""No answer says more than its reader may know, and no address stands anywhere but in his mails."""

import logging

import pytest
from django.conf import settings
from django.core import mail as django_mail
from django.core.cache import cache
from django.db import connection
from pytest_django import Settings

from games import rules
from games.mail import answers
from games.mail import render as rendering
from games.mail.render import render
from games.models import Game, InboundMail, OutboxKind, OutboxMessage, ReplyToken, Seat
from tests.cast import NOON, act, give_turn, later, person, seat_of, table
from tests.integration.contexts import check_context
from tests.integration.games.mailing import parts_of, preheader_of
from tests.integration.games.test_mail_secrecy import other_dice
from tests.integration.mail.letters import answer, deliver, mail_to, opened_by, reply, send_mails
from tests.oracle import Book, Kind

pytestmark = pytest.mark.django_db

LANGUAGES = [code for code, _ in settings.LANGUAGES]


def answered(language: str) -> Game:
    """Return a game in which alice has written all that she can think of."""
    game = opened_by("alice", "bob", "carol")
    alice = person("alice")
    alice.language = language
    alice.save()
    lines = ("status", "my dice", "dudo", "next: 3 fours else dudo", "say: hello", "cancel")
    for minute, line in enumerate(lines):
        answer("alice", "turn", line, now=later(minutes=minute))
    sent = mail_to("alice", "turn")
    deliver(reply(sent, "5 fours", headers={"Subject": "Fwd: x"}), sent.reply_to[0])
    assert answer("alice", "turn", "5 fours", now=later(minutes=9)).outcome == "played"
    return game


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_answer_depends_on_a_die_but_the_mail_of_ones_own(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = rendering.render_to_string

    def checked(name: str, context: dict[str, object]) -> str:
        check_context(context)
        return real(name, context)

    monkeypatch.setattr(rendering, "render_to_string", checked)
    answered(language)
    rows = OutboxMessage.objects.filter(kind__in=answers.KINDS).select_related("seat")
    kinds = {row.kind for row in rows}
    assert kinds == answers.KINDS - {OutboxKind.CONFIRM}
    for row in rows:
        mail = render(row, now=later(minutes=10))
        assert mail is not None
        with other_dice(spare=row.seat.number):
            same = render(row, now=later(minutes=10))
        with other_dice(spare=None):
            changed = render(row, now=later(minutes=10))
        assert same is not None
        assert changed is not None
        assert parts_of(same) == parts_of(mail)
        if row.kind != OutboxKind.CUP:
            assert parts_of(changed) == parts_of(mail)
            continue
        assert str(changed.body) != str(mail.body)
        assert changed.subject == mail.subject
        assert preheader_of(changed) == preheader_of(mail)
        assert changed.extra_headers == mail.extra_headers


def test_a_confirmation_depends_on_no_die(settings: Settings) -> None:
    settings.MAIL_WITHOUT_BORDER = "confirm"
    opened_by("alice", "bob")
    answer("alice", "turn", "5 fours")
    row = OutboxMessage.objects.get(kind="confirm")
    mail = render(row, now=NOON)
    assert mail is not None
    with other_dice(spare=None):
        changed = render(row, now=NOON)
    assert changed is not None
    assert parts_of(changed) == parts_of(mail)


def test_every_address_is_in_the_mails_of_one_person_alone() -> None:
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    for step in range(6):
        game.refresh_from_db()
        bid = rules.Bid(step + 1, 3)
        game = act(game, rules.MakeBid(game.to_act, bid), now=later(minutes=step))
        send_mails(now=later(minutes=step, seconds=30))
    owners: dict[str, set[str]] = {}
    for sent in django_mail.outbox:
        raw = sent.message().as_string() + sent.from_email
        for purpose in sent.purposes:
            assert purpose.local_part() in raw
            owners.setdefault(purpose.local_part(), set()).add(sent.to[0])
    assert len(owners) > 10
    assert all(len(people) == 1 for people in owners.values())
    for token in ReplyToken.objects.select_related("user"):
        assert token.user is not None


def test_an_address_in_a_log_a_cache_or_a_statement_is_seen(oracle: Book) -> None:
    opened_by("alice", "bob")
    address = mail_to("alice", "turn").reply_to[0]
    with oracle.expecting() as leaks:
        logging.getLogger("games").warning("mail for %s", address.upper())
        cache.set("x", address)
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s", [address])
    assert {leak.what for leak in leaks} == {str(Kind.ADDRESS)}
    assert len(leaks) >= 3


def test_what_came_in_is_in_no_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    opened_by("alice", "bob")
    sent = mail_to("alice", "turn")
    raw = reply(sent, "hush hush 13446")
    deliver(raw, sent.reply_to[0])
    deliver(b"\xff\xfe broken \x00", sent.reply_to[0])
    ours = [record for record in caplog.records if record.name.startswith(("games", "perudo"))]
    told = " ".join(record.getMessage() for record in ours)
    assert "hush" not in told
    assert "13446" not in told
    assert sent.reply_to[0][2:] not in told
    assert "alice@" not in told


def test_what_a_player_writes_is_read_by_nobody_else() -> None:
    game = opened_by("alice", "bob")
    answer("alice", "turn", "I hold three sixes, dear bob")
    answer("alice", "turn", "5 fours", now=later(minutes=1))
    send_mails(now=later(minutes=2))
    for sent in django_mail.outbox:
        if sent.to == ["bob@example.org"]:
            assert "three sixes" not in sent.message().as_string()
    assert seat_of(game, "bob").dice == 5


def test_a_copy_of_ones_data_holds_ones_own_mails() -> None:
    from games import selectors

    opened_by("alice", "bob")
    answer("alice", "turn", "say: hello there")
    alice, bob = person("alice").pk, person("bob").pk
    assert [row["first_line"] for row in selectors.mails_of(alice)] == ["say: hello there"]
    assert [row["text"] for row in selectors.said_by(alice)] == ["hello there"]
    assert selectors.mails_of(bob) == selectors.said_by(bob) == []


def test_a_closed_account_leaves_no_mail_behind() -> None:
    from accounts import services as accounts

    opened_by("alice", "bob")
    answer("alice", "turn", "say: hello there")
    accounts.close_account(user=person("alice"), now=later(minutes=5))
    assert not InboundMail.objects.exists()
    assert not ReplyToken.objects.filter(seat__user__isnull=True).exists()
    assert Seat.objects.filter(user__isnull=True).exists()
