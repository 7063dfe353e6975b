"""The addresses that we give out: one player, one game, one turn, one use, and a digest at rest."""

import re

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import Settings

from games.mail.addresses import Purpose, digest_of, read_address
from games.models import Bid, Game, InboundMail, ReplyToken, TokenKind
from games.services import receiving
from games.services.receiving import Outcome
from perudo_site.logs import without_tokens
from tests.cast import later
from tests.integration.games.mailing import sent_mail
from tests.integration.mail.letters import (
    answer,
    deliver,
    mail_to,
    opened_by,
    reply,
    send_mails,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return opened_by("alice", "bob")


def purposes() -> st.SearchStrategy[Purpose]:
    return st.builds(
        Purpose,
        kind=st.sampled_from(TokenKind),
        game_id=st.integers(1, 10**9),
        user_id=st.none() | st.integers(1, 10**9),
        seat_id=st.none() | st.integers(1, 10**9),
        version=st.integers(0, 10**6),
        renewed=st.integers(0, 100),
    )


@given(purposes())
def test_an_address_is_28_signs_and_is_read_back_however_it_is_written(purpose: Purpose) -> None:
    local = purpose.local_part()
    assert re.fullmatch(r"[a-z]-[0-9a-hjkmnp-tv-z]{26}", local)
    found = (purpose.kind, purpose.digest())
    worse = local[:2] + local[2:].replace("0", "O").replace("1", "l")
    for written in (local, local.upper(), worse, worse.upper()):
        assert read_address(f"<{written}@IN.localhost>") == found
    assert purpose.digest() == digest_of(local)


@given(purposes(), purposes())
def test_two_purposes_have_two_addresses(one: Purpose, other: Purpose) -> None:
    assert (one == other) == (one.local_part() == other.local_part())


@given(st.text(max_size=60))
def test_no_other_text_is_an_address(text: str) -> None:
    assert read_address(text) is None
    found = read_address(f"{text}@in.localhost")
    assert found is None or re.fullmatch(r"(?s)\s*<?[a-z]-.{26}", text.lower())


def test_reminders_of_a_turn_carry_its_address_and_other_turns_do_not(game: Game) -> None:
    turn = mail_to("alice", "turn")
    reminder = mail_to("alice", "reminder", now=later(hours=20))
    assert reminder.reply_to == turn.reply_to
    assert answer("alice", "reminder", "5 fours", now=later(hours=20)).outcome is Outcome.PLAYED
    assert mail_to("bob", "turn", now=later(hours=20)).reply_to != turn.reply_to


def test_the_database_holds_digests_and_no_address(game: Game) -> None:
    sent = mail_to("alice", "turn")
    local = sent.reply_to[0].partition("@")[0]
    token = ReplyToken.objects.get(kind="m")
    assert token.digest == digest_of(local)
    assert token.user.email == "alice@example.org"
    deliver(reply(sent, "5 fours"), sent.reply_to[0])
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f'SELECT * FROM "{table}"')
            assert local[2:] not in repr(cursor.fetchall()), table


def test_doors_take_mail_for_known_addresses_alone(game: Game) -> None:
    address = mail_to("alice", "turn").reply_to[0]
    assert receiving.knows(recipient=address)
    assert receiving.knows(recipient=address.upper())
    last = "0" if address[27] != "0" else "1"
    assert not receiving.knows(recipient=address[:27] + last + address[28:])
    assert not receiving.knows(recipient="g" + address[1:])
    assert not receiving.knows(recipient=address.replace("in.localhost", "example.org"))
    assert not receiving.knows(recipient="noreply@localhost")
    assert receiving.knows(recipient="game@localhost")


def test_an_altered_address_and_one_of_another_kind_are_nobodys(game: Game) -> None:
    sent = mail_to("alice", "turn")
    address = sent.reply_to[0]
    for wrong in (f"g{address[1:]}", f"{address[:5]}zzz{address[8:]}"):
        assert deliver(reply(sent, "5 fours"), wrong).outcome is Outcome.UNKNOWN


def test_another_players_address_does_not_play_for_oneself(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = reply(sent, "5 fours", sender="bob@example.org")
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.WRONG_SENDER


def test_the_address_says_which_game_and_not_the_mail_that_is_answered(game: Game) -> None:
    sent = mail_to("alice", "turn")
    other = opened_by("alice", "carol")
    send_mails()
    to_other = mail_to("alice", "turn").reply_to[0]
    assert to_other != sent.reply_to[0]
    assert deliver(reply(sent, "5 fours"), to_other).outcome is Outcome.PLAYED
    assert [bid.round.game_id for bid in Bid.objects.all()] == [other.pk]
    assert mail_to("alice", "ack").extra_headers["List-Id"].startswith(other.code)


def test_without_a_domain_mails_say_how_to_play_on_the_page(game: Game, settings: Settings) -> None:
    settings.INBOUND_DOMAIN = ""
    sent = sent_mail(game, "turn", "alice")
    assert sent.reply_to == ["Perudo by Post <game@localhost>"]
    assert sent.from_email == "Perudo by Post <game@localhost>"
    assert "On the game page you can:" in sent.body
    assert "##-" not in sent.body
    assert "mailto:" not in sent.extra_headers["List-Unsubscribe"]


def test_no_address_and_no_link_is_left_in_a_log_line(game: Game) -> None:
    address = mail_to("alice", "turn").reply_to[0]
    line = f"rcpt {address} {address.upper()} GET /answer/MTI:abcdefghijklmnop_-/ 404"
    told = without_tokens(line)
    assert address[2:28] not in told.lower()
    assert "abcdefghijklmnop" not in told
    assert "@in.localhost" in told


def test_what_has_been_kept_long_enough_is_forgotten(game: Game) -> None:
    done = answer("alice", "turn", "5 fours")
    kept = InboundMail.objects.filter(pk=done.row.pk, sealed__isnull=False)
    receiving.forget(now=later(days=13))
    assert kept.exists()
    receiving.forget(now=later(days=15))
    assert not kept.exists()
    done.row.refresh_from_db()
    assert done.row.first_line == "5 fours"
    assert ReplyToken.objects.filter(kind="m", spent_at__isnull=False).exists()
    receiving.forget(now=later(days=91))
    assert not ReplyToken.objects.filter(kind="m", spent_at__isnull=False).exists()


def test_a_mail_at_rest_is_encrypted_and_bound_to_its_row(game: Game) -> None:
    from games import keyring
    from games.services.receiving.keeping import open_parcel

    sent = mail_to("alice", "turn")
    row = deliver(reply(sent, "5 fours and a secret"), sent.reply_to[0]).row
    assert b"secret" not in bytes(row.sealed)
    assert b"5 fours and a secret" in open_parcel(row).raw
    row.key = "00" * 32
    with pytest.raises(keyring.KeyUnavailable):
        open_parcel(row)
