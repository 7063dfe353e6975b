"""Which notices are no longer worth sending when their time comes."""

import pytest

from accounts.models import User
from games import rules
from games.mail.render import render
from games.models import OutboxMessage, Seat
from games.services import moves
from tests.cast import NOON, act, give_turn, later, person, seat_of, table
from tests.integration.games.mailing import (
    bid,
    mail_to,
    notice,
    opened_by_alice,
    seat_to_the_left,
    sent_mail,
    settle,
)

pytestmark = pytest.mark.django_db


def test_a_turn_notice_whose_version_has_passed_is_superseded() -> None:
    game = opened_by_alice()
    turn, reminder = notice(game, "turn", "bob"), notice(game, "reminder", "bob")
    act(game, bid(game, "bob", "20x5"))
    assert render(turn, now=NOON) is None
    assert render(reminder, now=NOON) is None


def test_a_turn_that_begins_anew_is_told_by_its_own_notice_alone() -> None:
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    OutboxMessage.objects.filter(kind="turn").update(seat=seat_of(game, "alice"))
    old = notice(game, "turn", "alice")
    assert render(old, now=NOON) is not None
    game = act(game, rules.Resign(seat_of(game, "bob").number))
    assert game.to_act == seat_of(game, "alice").number
    assert render(old, now=NOON) is None
    assert mail_to(game, "turn", "alice") is not None


def test_a_turn_notice_after_its_deadline_is_superseded() -> None:
    game = opened_by_alice()
    assert mail_to(game, "turn", "bob", now=later(hours=23, minutes=59)) is not None
    assert mail_to(game, "turn", "bob", now=later(days=1)) is None
    assert mail_to(game, "reminder", "bob", now=later(days=1)) is None


def test_a_reminder_from_before_the_clock_was_started_again_is_superseded() -> None:
    game = opened_by_alice()
    old = notice(game, "reminder", "bob")
    Seat.objects.filter(pk=seat_of(game, "bob").pk).update(is_absent=True, missed_in_a_row=2)
    assert render(old, now=later(hours=1)) is None
    moves.come_back(game_id=game.pk, user_id=person("bob").pk, now=later(hours=1))
    assert render(old, now=later(hours=1)) is None
    assert mail_to(game, "reminder", "bob", now=later(hours=21)) is not None


def test_old_news_is_superseded_by_playing_and_by_newer_news() -> None:
    game = opened_by_alice()
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    over = notice(game, "round_over", "bob")
    assert render(over, now=NOON) is not None
    game = act(game, bid(game, "alice", "1x5"))
    assert render(over, now=NOON) is None  # his turn notice tells this too
    assert "Bob called dudo" in str(sent_mail(game, "turn", "bob").body)
    OutboxMessage.objects.filter(kind="turn", seat=seat_of(game, "bob")).delete()
    assert render(over, now=NOON) is not None
    act(game, bid(game, "bob", "20x5"))
    assert render(over, now=NOON) is None


def test_round_over_after_the_game_is_superseded() -> None:
    game = opened_by_alice("alice", "bob", "carol")
    act(game, rules.Dudo(seat_of(game, seat_to_the_left(game, "alice")).number))
    over = OutboxMessage.objects.filter(kind="round_over").first()
    assert over is not None
    for name in ("alice", "bob"):
        act(game, rules.Resign(seat_of(game, name).number))
    assert render(over, now=NOON) is None
    assert mail_to(game, "game_over", "carol") is not None


def test_round_over_tells_again_only_what_no_mail_has_told() -> None:
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    listener = ({"bob", "carol"} - {seat_to_the_left(game, "alice")}).pop()
    for told in (False, True):
        game = act(game, bid(game, "alice", "20x4"))
        game = act(game, rules.Dudo(seat_of(game, seat_to_the_left(game, "alice")).number))
        body = str(sent_mail(game, "round_over", listener).body)
        assert ("Round 1:" in body) is False
        assert "Alice loses a die." in body
        if not told:
            settle(notice(game, "round_over", listener))
    OutboxMessage.objects.filter(seat=seat_of(game, listener)).exclude(
        pk=notice(game, "round_over", listener).pk
    ).delete()
    assert "Round 1:" in str(sent_mail(game, "round_over", listener).body)


def test_started_is_superseded_once_his_own_turn_has_come() -> None:
    game = table()
    waiting = "bob" if game.to_act == seat_of(game, "alice").number else "alice"
    assert mail_to(game, "started", waiting) is not None
    first = "alice" if waiting == "bob" else "bob"
    game = act(game, bid(game, first, "1x4"))
    assert mail_to(game, "started", waiting) is None
    assert "Board Game Arena" in str(sent_mail(game, "turn", waiting).body)


def test_nobody_writes_to_an_account_that_is_gone_or_shut() -> None:
    game = opened_by_alice()
    User.objects.filter(pk=person("bob").pk).update(is_active=False)
    assert mail_to(game, "turn", "bob") is None
    row = notice(game, "turn", "bob")
    User.objects.filter(pk=person("bob").pk).delete()
    assert render(row, now=NOON) is None
