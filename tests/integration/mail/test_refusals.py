"""Nothing was played: what the mail that says so tells, and how many of them one may get."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import translation

from games import rules
from games.mail import parts
from games.models import Bid, Game, GameStatus, OutboxMessage, Seat
from games.replies import Command, Verb, parse_command
from games.rules import find_ruleset, position, view_for
from games.services import deadlines, moves
from games.services.receiving import Outcome
from tests.cast import NOON, act, later, person, seat_of
from tests.integration.mail.letters import (
    answer,
    deliver,
    mail_to,
    mails_to,
    opened_by,
    reply,
    send_mails,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    return opened_by("alice", "bob", "carol")


def refusal(name: str = "alice", *, minutes: int = 1) -> str:
    return str(mail_to(name, "refusal", now=later(minutes=minutes)).body)


def move(game: Game, name: str, text: str) -> Game:
    return act(game, rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text)))


def mover_of(game: Game) -> str:
    game.refresh_from_db()
    seat = Seat.objects.select_related("user").get(game=game, number=game.to_act)
    return str(seat.user.display_name.lower())


@pytest.mark.parametrize(
    ("line", "reason", "says"),
    [
        ("i think 5 maybe 6 fours", "", "«i think 5 maybe 6 fours»"),
        ("dudo?", "question", "question mark"),
        ("five", "no-face", "no face"),
        ("fours", "no-quantity", "how many"),
        ("31 fours", "bad-quantity", "from 1 to 15 dice"),
        ("5 sevens", "", "Nothing was played."),
        ("5 fours dudo", "", "Nothing was played."),
        ("> 5 fours", "bottom-post", "above it"),
        ("pass", "pass", "nobody passes"),
        ("yes", "unknown", "We need the number of dice"),
    ],
)
def test_what_is_no_command_plays_nothing_and_is_read_back(
    game: Game, line: str, reason: str, says: str
) -> None:
    done = answer("alice", "turn", line)
    assert not Bid.objects.exists()
    assert done.outcome in (Outcome.UNREAD, Outcome.ILLEGAL)
    if reason:
        assert done.reason == reason
    body = refusal()
    assert body.count("Nothing was played.") == 1
    assert says in body
    assert "Time: until Tuesday 5 May, 12:00 UTC" in body


def test_the_mail_that_refuses_can_be_answered_with_a_move(game: Game) -> None:
    answer("alice", "turn", "5 elephants")
    sent = mail_to("alice", "refusal", now=later(minutes=1))
    assert sent.reply_to == mail_to("alice", "turn").reply_to
    example = re.search(r"for example: «([^»]+)»", sent.body)
    assert example
    assert answer("alice", "refusal", example[1], now=later(minutes=2)).outcome is Outcome.PLAYED


def test_an_empty_mail_is_told_to_be_empty(game: Game) -> None:
    assert answer("alice", "turn", "").reason in ("empty", "bottom-post")


def test_a_bid_that_the_rules_refuse_is_explained_with_what_is_legal(game: Game) -> None:
    game = move(game, "alice", "4x4")
    mover = mover_of(game)
    done = answer(mover, "turn", "3 fours", now=later(minutes=1))
    assert (done.outcome, done.reason) == (Outcome.ILLEGAL, "bid.not-a-raise")
    body = refusal(mover, minutes=2)
    assert "3 fours does not raise 4 fours." in body
    assert "The standing bid: 4 fours by Alice." in body
    assert "«4 fives»" in body
    assert "«dudo»" in body


def test_a_turn_that_is_over_is_told_with_what_was_played(game: Game) -> None:
    sent = mail_to("alice", "turn")
    assert answer("alice", "turn", "5 fours").outcome is Outcome.PLAYED
    done = deliver(reply(sent, "6 fours"), sent.reply_to[0], now=later(minutes=1))
    assert done.outcome is Outcome.OVER
    body = refusal(minutes=2)
    assert "The turn that you answered is over." in body
    assert "Alice bid 5 fours." in body
    assert mail_to("alice", "refusal").reply_to[0].startswith("g-")


def test_a_late_mail_is_told_both_times(game: Game) -> None:
    sent = mail_to("alice", "turn")
    done = deliver(reply(sent, "5 fours"), sent.reply_to[0], now=later(days=1, seconds=5))
    assert done.outcome is Outcome.LATE
    body = str(mail_to("alice", "refusal", now=later(days=1, seconds=10)).body)
    assert "received Tuesday 5 May, 12:00 UTC" in body
    assert "your time ran until Tuesday 5 May, 12:00 UTC" in body


def test_after_the_automatic_move_a_mail_is_told_what_was_played_instead(game: Game) -> None:
    sent = mail_to("alice", "turn")
    deadlines.expire_turns(now=later(hours=25))
    done = deliver(reply(sent, "5 fours"), sent.reply_to[0], now=later(hours=26))
    assert done.outcome is Outcome.OVER
    assert "Alice ran out of time; the automatic move bid" in refusal(minutes=26 * 60 + 1)


def test_the_address_of_the_game_takes_no_moves_and_says_whose_turn_it_is(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    done = answer("alice", "ack", "6 fours", now=later(minutes=1))
    assert (done.outcome, done.reason) == (Outcome.ILLEGAL, "turn.not-yours")
    body = refusal(minutes=2)
    assert f"{mover_of(game).title()} is to move, until" in body
    assert "«next: 6 fours else dudo»" in body


def test_the_address_of_the_game_takes_an_order_for_the_next_turn(game: Game) -> None:
    answer("alice", "turn", "2 fours")
    done = answer("alice", "ack", "next: dudo", now=later(minutes=1))
    assert done.outcome is Outcome.ORDERED
    mail = mail_to("alice", "ack", now=later(minutes=2))
    assert "Your standing order:" in mail.body


def test_a_game_that_is_over_answers_that_and_takes_no_more(game: Game) -> None:
    sent = mail_to("alice", "turn")
    for name in ("bob", "carol"):
        moves.resign(game_id=game.pk, user_id=person(name).pk, now=NOON)
    done = deliver(reply(sent, "5 fours"), sent.reply_to[0], now=later(minutes=1))
    assert done.outcome is Outcome.GONE
    game.refresh_from_db()
    assert game.status == GameStatus.FINISHED
    told = mail_to("alice", "refusal", now=later(minutes=2))
    assert "The game is over." in told.body
    assert "localhost" in told.reply_to[0]
    assert "##-" not in told.body


@pytest.mark.parametrize(
    ("kind", "content", "reason"),
    [
        ("multipart/encrypted; protocol=\"application/pgp-encrypted\"; boundary=x",
         "--x\nContent-Type: application/pgp-encrypted\n\nVersion: 1\n--x--\n", "encrypted"),
        ("application/pdf", "JVBERi0=", "only-attachments"),
        ("text/plain", "x" * 1_100_000, "too-big"),
    ],
)  # fmt: skip
def test_mails_that_hold_no_text_for_us_say_which(
    game: Game, kind: str, content: str, reason: str
) -> None:
    sent = mail_to("alice", "turn")
    head = (
        "From: alice@example.org\nSubject: Re: x\nMessage-ID: <1@example.org>\n"
        f"MIME-Version: 1.0\nContent-Type: {kind}\n\n"
    )
    done = deliver((head + content).encode(), sent.reply_to[0])
    assert (done.outcome, done.reason) == (Outcome.UNREAD, reason)
    assert mail_to("alice", "refusal", now=later(minutes=1)).reply_to == sent.reply_to


def test_a_mail_without_text_whose_subject_is_a_move_is_confirmed_by_a_link(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = b"From: alice@example.org\nSubject: 5 fours\nMessage-ID: <2@example.org>\n\n\n"
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.CONFIRMING
    assert not Bid.objects.exists()


def test_six_refusals_an_hour_and_no_more(game: Game) -> None:
    lines = ["five", "fours", "dudo?", "pass", "yes", "99 fours", "say:", "5 fours, 6 fives"]
    for number, line in enumerate(lines):
        answer("alice", "turn", line, now=later(minutes=number))
    send_mails(now=later(minutes=30))
    assert mails_to("alice").count("refusal") == 6


def test_one_of_a_reason_a_day_beyond_the_third(game: Game) -> None:
    for hour in range(6):
        answer("alice", "turn", "dudo?", now=later(hours=2 * hour))
    send_mails(now=later(hours=13))
    assert mails_to("alice").count("refusal") == 4


def test_what_is_not_answered_stands_on_the_players_page(game: Game, client: Client) -> None:
    for hour in range(6):
        answer("alice", "turn", "dudo?", now=later(hours=hour))
    client.force_login(person("alice"))
    page = client.get("/settings/mail/").content.decode()
    assert page.count("«dudo?»") == 6
    assert page.count("no mail answers it") == 2


def test_the_page_does_not_say_that_dice_went_out_when_none_did(game: Game, client: Client) -> None:
    for number in range(6):
        answer("alice", "turn", "my dice", now=later(minutes=number))
    client.force_login(person("alice"))
    page = client.get("/settings/mail/").content.decode()
    assert page.count("your dice went to you") == 5
    assert page.count("nothing was played") == 1


def test_all_automatic_answers_to_an_account_stop_at_ten_an_hour(game: Game) -> None:
    for number in range(14):
        answer("alice", "turn", "help", now=later(minutes=number))
    send_mails(now=later(minutes=20))
    assert mails_to("alice").count("answer") == 10


def test_an_account_that_is_silenced_can_still_play_and_is_told(game: Game) -> None:
    for number in range(14):
        answer("alice", "turn", "help", now=later(minutes=number))
    assert answer("alice", "turn", "5 fours", now=later(minutes=15)).outcome is Outcome.PLAYED
    assert "Played: 5 fours" in str(mail_to("alice", "ack", now=later(minutes=16)).body)


def test_a_quick_player_is_told_of_every_move_and_gets_answers_all_the_same() -> None:
    duel = opened_by("alice", "bob")
    for number in range(24):
        bid = f"{number // 3 + 1}x{(4, 5, 6)[number % 3]}"
        answer(mover_of(duel), "turn", bid, now=later(minutes=number))
    answer("alice", "ack", "help", now=later(minutes=30))
    send_mails(now=later(minutes=31))
    assert mails_to("alice").count("ack") == 12
    assert mails_to("alice").count("answer") == 1


def test_the_address_of_the_game_takes_thirty_mails_a_day(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    done = [answer("alice", "ack", "status", now=later(minutes=n + 1)) for n in range(32)]
    assert [each.outcome for each in done].count(Outcome.TOO_MANY) == 2


@pytest.mark.parametrize("language", ["en", "it", "fr", "es"])
def test_every_example_is_read_as_what_it_says_in_the_readers_language(language: str) -> None:
    calza = rules.with_options(find_ruleset("bga"), {"calza": True})
    cups = ((5, 5, 1, 2), (3, 3, 3, 6), (2, 2, 4, 4))
    with translation.override(language):
        for bid in (None, rules.Bid(1, 6), rules.Bid(4, 5), rules.Bid(3, 1), rules.Bid(11, 2)):
            view = view_for(position(calza, counts=(4, 4, 4), bid=bid, cups=cups), 0)
            shown = parts.examples(view)
            read = [parse_command(text) for text in shown]
            assert all(isinstance(command, Command) for command in read), (shown, read)
            bids = [command.bid for command in read if command.verb is Verb.BID]
            assert tuple(bids) == view.least_raises


def test_a_bad_order_is_explained_by_its_own_words(game: Game) -> None:
    done = answer("alice", "turn", "next: dudo below thirty")
    assert done.reason == "bad-order"
    assert "thirty" in refusal()


def test_a_mail_again_is_the_same_mail(game: Game) -> None:
    answer("alice", "turn", "dudo?")
    send_mails(now=later(minutes=1))
    row = OutboxMessage.objects.get(kind="refusal")
    from games.mail.render import render

    first, second = (render(row, now=NOON + timedelta(minutes=1)) for _ in range(2))
    assert first is not None
    assert second is not None
    assert first.body == second.body
    assert first.extra_headers == second.extra_headers
