"""A move by mail: from the turn's mail to the answer, the table and the acknowledgement."""

from datetime import datetime, timedelta

import pytest
from django.core import mail as django_mail

from games import rules
from games.models import (
    Bid,
    Event,
    Game,
    GameStatus,
    InboundMail,
    Order,
    ReplyToken,
    Saying,
    Seat,
)
from games.services import deadlines, receiving
from games.services.receiving import Outcome
from tests.cast import NOON, act, later, person, seat_of, set_dice
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
    """A game in which alice opens the first round."""
    return opened_by("alice", "bob", "carol")


def newest(game: Game) -> rules.Bid:
    row = Bid.objects.filter(round__game=game).latest("pk")
    return rules.Bid(row.quantity, row.face)


def after_a_bid(game: Game, text: str = "3x4") -> tuple[Game, str]:
    """Let alice bid; return the game, and who is to move now."""
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse(text)))
    seat = Seat.objects.select_related("user").get(game=game, number=game.to_act)
    return game, seat.user.display_name.lower()


def test_a_bid_by_mail_is_played_and_spelled_out(game: Game) -> None:
    done = answer("alice", "turn", "5 fours")
    assert done.outcome is Outcome.PLAYED
    assert newest(game) == rules.Bid(5, 4)
    ack = mail_to("alice", "ack", now=later(minutes=1))
    assert "Played: 5 fours (5 × 4)." in ack.body
    assert "from a…@example.org" in ack.body
    assert ack.extra_headers["In-Reply-To"] == done.row.message_id
    assert ack.extra_headers["Auto-Submitted"] == "auto-replied"
    assert ack.subject == mail_to("alice", "turn").subject
    assert ReplyToken.objects.get(kind="m", spent_at__isnull=False).spent_by == done.row.key


@pytest.mark.parametrize(
    "line", ["cinque quattro", "cinq quatre", "cinco cuatros", "5x4", "5 × 4", "“5 fours”"]
)
def test_all_four_languages_are_read_whatever_the_players_own(game: Game, line: str) -> None:
    assert answer("alice", "turn", line).outcome is Outcome.PLAYED
    assert newest(game) == rules.Bid(5, 4)


def test_a_dudo_by_mail_ends_the_round(game: Game) -> None:
    game, mover = after_a_bid(game, "20x4")
    assert answer(mover, "turn", "dudo", now=later(minutes=5)).outcome is Outcome.PLAYED
    game.refresh_from_db()
    assert game.current_round.number == 2
    assert "Played: dudo." in mail_to(mover, "ack", now=later(minutes=6)).body


def test_what_ended_a_players_game_is_acknowledged_even_to_who_wants_no_acks(game: Game) -> None:
    from games.models import Wishes

    game, mover = after_a_bid(game, "1x4")
    set_dice(game, **{mover: 1})
    Wishes.objects.create(user=person(mover), stopped=["ack"])
    done = answer(mover, "turn", "dudo", now=later(minutes=5))
    assert done.outcome is Outcome.PLAYED
    is_out = not seat_of(game, mover).dice
    send_mails(now=later(minutes=6))
    assert ("ack" in mails_to(mover)) == is_out


def test_acknowledgements_can_be_switched_off(game: Game) -> None:
    from games.models import Wishes

    Wishes.objects.create(user=person("alice"), stopped=["ack"])
    assert answer("alice", "turn", "5 fours").outcome is Outcome.PLAYED
    send_mails(now=later(minutes=1))
    assert "ack" not in mails_to("alice")


def in_the_last_second(game: Game) -> tuple[int, datetime]:
    """Let alice's bid come in when her time ends; return its number and that moment."""
    sent = mail_to("alice", "turn")
    game.refresh_from_db()
    ends = game.turn_deadline_at
    assert ends is not None
    mail_id = receiving.store(
        raw=reply(sent, "5 fours"),
        recipient=sent.reply_to[0],
        received_at=ends,
        door="smtp",
        sender="alice@example.org",
    )
    return mail_id, ends


def test_a_mail_that_came_in_time_counts_however_late_it_is_handled(game: Game) -> None:
    _, in_time = in_the_last_second(game)
    late = in_time + timedelta(minutes=10)
    deadlines.expire_turns(now=late)
    bid = Event.objects.get(game=game, kind="bid")
    assert not bid.is_auto
    assert bid.made_at == in_time
    game.refresh_from_db()
    assert game.turn_started_at == late  # and nobody else's time is taken for it


def test_the_clock_waits_for_a_mail_that_another_process_is_at(game: Game) -> None:
    mail_id, in_time = in_the_last_second(game)
    late = in_time + timedelta(minutes=1)
    busy = InboundMail.objects.filter(pk=mail_id)
    busy.update(lease_until=late + timedelta(seconds=1))
    deadlines.expire_turns(now=late)
    assert not Bid.objects.exists()
    deadlines.expire_turns(now=late + timedelta(seconds=2))
    assert not Event.objects.get(game=game, kind="bid").is_auto


def test_the_clock_goes_on_once_the_mail_is_handled(game: Game) -> None:
    sent = mail_to("alice", "turn")
    game.refresh_from_db()
    deliver(reply(sent, "hello"), sent.reply_to[0], now=later(hours=1))
    deadlines.expire_turns(now=later(hours=25))
    assert Event.objects.get(game=game, kind="bid").is_auto


def test_an_order_by_mail_stands_and_is_told_in_full_words(game: Game) -> None:
    game, mover = after_a_bid(game)
    done = answer(mover, "turn", "next: 6 fours else dudo", now=later(minutes=5))
    assert done.outcome is Outcome.ORDERED
    # It acts after a while, as a quick answer would.
    order = Order.objects.get()
    assert order.text == "bid 6x4; else dudo"
    assert order.waits
    ack = mail_to(mover, "ack", now=later(minutes=6))
    assert "Where that can be done: bid 6 fours." in ack.body
    assert "when the round ends" in ack.body
    assert answer(mover, "turn", "cancel", now=later(minutes=7)).outcome is Outcome.WITHDRAWN
    assert not Order.objects.exists()


def test_an_order_to_a_mail_of_an_earlier_round_is_not_left(game: Game) -> None:
    game, mover = after_a_bid(game, "20x4")
    sent = mail_to(mover, "turn", now=later(minutes=1))
    act(game, rules.Dudo(game.to_act), now=later(minutes=2))
    done = deliver(reply(sent, "next: dudo"), sent.reply_to[0], now=later(minutes=3))
    assert done.reason == "other-round"
    assert not Order.objects.exists()


def test_my_dice_come_in_a_mail_of_their_own_to_the_accounts_address(game: Game) -> None:
    sent = mail_to("alice", "turn")
    raw = reply(sent, "my dice", sender="Alice <alice@example.org>")
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.DICE
    cup = mail_to("alice", "cup", now=later(minutes=1))
    assert cup.to == ["alice@example.org"]
    assert cup.reply_to == ["noreply@localhost"]
    assert "In-Reply-To" not in cup.extra_headers
    assert "References" not in cup.extra_headers
    dice = sent.body.split("Your dice:\n")[1].splitlines()[0]
    assert dice in cup.body
    assert dice not in cup.subject


def test_whoever_wants_no_dice_by_mail_gets_none_on_asking(game: Game) -> None:
    alice = person("alice")
    alice.dice_in_mail = False
    alice.save()
    assert answer("alice", "turn", "my dice").outcome is Outcome.DICE
    assert (
        "You chose not to have them in your mails"
        in mail_to("alice", "cup", now=later(minutes=1)).body
    )


def test_dice_are_mailed_five_times_an_hour_at_most(game: Game) -> None:
    for minute in range(7):
        answer("alice", "turn", "my dice", now=later(minutes=minute))
    send_mails(now=later(minutes=8))
    assert mails_to("alice").count("cup") == 5


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("status", "Nobody has bid yet."),
        ("stato", "Nobody has bid yet."),
        ("history", "No round is over yet."),
        ("help", "«dudo» to doubt the bid"),
    ],
)
def test_questions_are_answered_with_the_address_of_the_turn(
    game: Game, line: str, says: str
) -> None:
    turn = mail_to("alice", "turn")
    assert answer("alice", "turn", line).outcome is Outcome.TOLD
    told = mail_to("alice", "answer", now=later(minutes=1))
    assert says in told.body
    assert told.reply_to == turn.reply_to
    assert answer("alice", "answer", "5 fours", now=later(minutes=2)).outcome is Outcome.PLAYED


def test_the_mail_that_tells_of_a_dudo_stays_in_the_round_that_it_ended(game: Game) -> None:
    game, caller = after_a_bid(game)
    turn = mail_to(caller, "turn")
    assert answer(caller, "turn", "dudo").outcome is Outcome.PLAYED
    ack = mail_to(caller, "ack", now=later(minutes=1))
    assert ack.subject == turn.subject
    assert ack.extra_headers["References"].split()[0] == turn.extra_headers["References"]
    assert "round 1; received" in ack.body


def test_what_is_said_at_the_table_is_in_the_next_mails_of_the_others(game: Game) -> None:
    assert answer("alice", "turn", "say: good luck, all").outcome is Outcome.SAID
    assert answer("alice", "turn", "5 fours", now=later(minutes=1)).outcome is Outcome.PLAYED
    game.refresh_from_db()
    mover = Seat.objects.select_related("user").get(game=game, number=game.to_act)
    told = mail_to(mover.user.display_name.lower(), "turn", now=later(minutes=2))
    assert "Alice says: «good luck, all»" in told.body


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("say: see > here", "say-quote"),
        ("say: write to bob@example.org", "say-link"),
        ("say: look at www.example.org", "say-link"),
        ("say: I have 1 3 4 4 6", "say-dice"),
        ("say: 13446!", "say-dice"),
    ],
)
def test_a_line_that_could_give_something_away_is_not_said(
    game: Game, line: str, reason: str
) -> None:
    done = answer("alice", "turn", line)
    assert (done.outcome, done.reason) == (Outcome.ILLEGAL, reason)
    assert not Saying.objects.exists()


def test_stop_mail_stops_the_mails_of_this_game_and_says_so_once(game: Game) -> None:
    assert answer("alice", "turn", "stop mail").outcome is Outcome.STOPPED
    assert seat_of(game, "alice").is_muted
    assert "You get no more mails" in mail_to("alice", "answer", now=later(minutes=1)).body


def test_a_mail_to_the_leave_address_stops_them_without_an_answer(game: Game) -> None:
    sent = mail_to("alice", "turn")
    address = sent.extra_headers["List-Unsubscribe"].partition("mailto:")[2].rstrip(">")
    before = len(django_mail.outbox)
    assert deliver(reply(sent, "unsubscribe"), address).outcome is Outcome.STOPPED
    assert seat_of(game, "alice").is_muted
    assert not send_mails(now=later(minutes=1))
    assert len(django_mail.outbox) == before


def test_a_digest_is_answered_with_the_code_of_the_game() -> None:
    from games.models import Mode, Wishes

    Wishes.objects.create(user=person("alice"), mode=Mode.DIGEST)
    game = opened_by("alice", "bob", turn_seconds=3 * 86_400)
    other = opened_by("alice", "carol", turn_seconds=3 * 86_400)
    send_mails(now=NOON)
    at = later(hours=24)
    sent = mail_to("alice", "digest", now=at)
    assert sent.reply_to[0].startswith("d-")
    assert f"{game.code}: dudo" in sent.body or f"{other.code}: dudo" in sent.body
    done = deliver(reply(sent, f"{other.code}: 2 threes"), sent.reply_to[0], now=at)
    assert done.outcome is Outcome.PLAYED
    assert newest(other) == rules.Bid(2, 3)
    again = deliver(reply(sent, f"{other.code}: 3 threes"), sent.reply_to[0], now=at)
    assert again.reason == "turn.not-yours"
    unnamed = deliver(reply(sent, "2 threes"), sent.reply_to[0], now=at)
    assert unnamed.reason == "which-game"
    game.refresh_from_db()
    assert game.bid_quantity is None
    assert game.status == GameStatus.ACTIVE
