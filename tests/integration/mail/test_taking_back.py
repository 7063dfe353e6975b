"""Moves by mail that wait 90 seconds, for a player who wants to be able to take them back."""

from collections.abc import Iterable
from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.urls import reverse

from games import rules
from games.mail.stopping import StopReplies
from games.models import Bid, Event, Game, InboundMail, MailState, Order, Wishes
from games.services import deadlines, receiving, wishes
from games.services.receiving import Outcome
from tests.cast import NOON, act, later, person, seat_of
from tests.integration.games.test_calza_window import around, opened
from tests.integration.mail.letters import (
    Handled,
    answer,
    deliver,
    mail_to,
    mails_to,
    opened_by,
    reply,
    send_mails,
)

pytestmark = pytest.mark.django_db

OVER = later(seconds=90)
"""When the time to take back a move that came at noon is over."""


@pytest.fixture
def game() -> Game:
    """Alice opens the first round, and her moves by mail wait."""
    opened = opened_by("alice", "bob")
    Wishes.objects.create(user=person("alice"), holds_replies=True)
    return opened


def bids() -> list[tuple[int, int, datetime]]:
    return list(Bid.objects.order_by("pk").values_list("quantity", "face", "made_at"))


def handled(mail: Handled) -> InboundMail:
    return InboundMail.objects.get(pk=mail.row.pk)


def sweep(*times: datetime) -> None:
    for at in times:
        receiving.sweep(now=at)


def bid_on_the_page(game: Game, name: str, bid: rules.Bid, *, now: datetime) -> None:
    act(game, rules.MakeBid(seat_of(game, name).number, bid), now=now)


# --- waiting -------------------------------------------------------------------------------------


def test_a_move_waits_for_ninety_seconds_and_counts_from_when_it_came(game: Game) -> None:
    mail = answer("alice", "turn", "5 fours")
    assert mail.outcome is Outcome.HELD
    sweep(later(seconds=1), later(seconds=89))
    assert bids() == []
    sweep(OVER)
    assert bids() == [(5, 4, NOON)]
    assert (handled(mail).state, handled(mail).outcome) == (MailState.DONE, Outcome.PLAYED)


def test_nothing_of_it_stands_in_the_game_before(game: Game) -> None:
    before = Game.objects.values().get(pk=game.pk), Event.objects.count()
    answer("alice", "turn", "5 fours")
    assert (Game.objects.values().get(pk=game.pk), Event.objects.count()) == before
    send_mails(now=later(seconds=80))
    assert mails_to("bob") == []


def test_the_answer_says_until_when_and_how_to_take_it_back(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    told = mail_to("alice", "ack")
    body = " ".join(str(told.body).split())
    assert "Not played yet: 5 fours (5 × 4)." in body
    assert "It will be played at 12:01:30 UTC." in body
    assert "answer this mail with “cancel”" in body
    assert "Played:" not in body
    html = str(told.alternatives[0][0])
    assert "12:01:30 UTC" in html


def test_the_answer_comes_once(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    sweep(OVER, OVER)
    send_mails(now=later(minutes=5))
    assert mails_to("alice").count("ack") == 1


def test_an_answer_that_goes_out_late_says_that_it_was_played(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    sweep(OVER)
    assert "Played: 5 fours (5 × 4)." in str(mail_to("alice", "ack", now=later(minutes=5)).body)


def test_whoever_has_not_asked_for_it_plays_at_once(game: Game) -> None:
    bid_on_the_page(game, "alice", rules.Bid(2, 2), now=NOON)
    assert answer("bob", "turn", "5 fours", now=later(minutes=1)).outcome is Outcome.PLAYED


def test_it_is_played_once_however_often_it_is_handled(game: Game) -> None:
    mail = answer("alice", "turn", "5 fours")
    for _ in range(3):
        assert receiving.handle(mail_id=mail.row.pk, now=later(seconds=30)) is Outcome.HELD
    for _ in range(3):
        assert receiving.handle(mail_id=mail.row.pk, now=OVER) is Outcome.PLAYED
    assert len(bids()) == 1


def test_a_mail_that_waited_elsewhere_as_long_is_played_at_once(game: Game) -> None:
    mail = answer("alice", "turn", "5 fours", handled_at=OVER)
    assert mail.outcome is Outcome.PLAYED
    assert bids() == [(5, 4, NOON)]


def test_a_move_that_the_rules_refuse_is_refused_at_once(game: Game) -> None:
    mail = answer("alice", "turn", "dudo")
    assert (mail.outcome, mail.row.state) == (Outcome.ILLEGAL, MailState.DONE)


def test_the_address_of_the_turn_is_used_up_when_it_is_played(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    sweep(OVER)
    assert answer("alice", "turn", "6 fours", now=later(minutes=2)).outcome is Outcome.OVER


# --- taking back ---------------------------------------------------------------------------------


def test_cancel_takes_it_back_and_another_move_may_follow(game: Game) -> None:
    mail = answer("alice", "turn", "5 fours")
    assert answer("alice", "ack", "cancel", now=later(seconds=60)).outcome is Outcome.TAKEN_BACK
    told = str(mail_to("alice", "answer", now=later(seconds=61)).body)
    assert "Your move is taken back. Nobody has known of it." in told
    sweep(OVER, later(minutes=10))
    assert bids() == []
    assert handled(mail).outcome == Outcome.TAKEN_BACK
    answer("alice", "answer", "6 fours", now=later(minutes=20))
    sweep(later(minutes=22))
    assert bids() == [(6, 4, later(minutes=20))]


def test_a_cancel_that_came_in_time_counts_however_late_it_is_handled(game: Game) -> None:
    mail = answer("alice", "turn", "5 fours")
    told = mail_to("alice", "ack")
    receiving.store(
        raw=reply(told, "cancel"),
        recipient=told.reply_to[0],
        received_at=later(seconds=89),
        door="smtp",
        sender="alice@example.org",
    )
    assert receiving.handle(mail_id=mail.row.pk, now=OVER) is Outcome.HELD
    sweep(later(minutes=3), later(minutes=4))
    assert bids() == []


def test_a_second_thought_takes_its_place(game: Game) -> None:
    first = answer("alice", "turn", "5 fours")
    answer("alice", "turn", "6 fours", now=later(seconds=60))
    sweep(OVER)
    assert bids() == []
    sweep(later(seconds=150))
    assert bids() == [(6, 4, later(seconds=60))]
    assert handled(first).outcome == Outcome.TAKEN_BACK


def test_a_second_thought_that_is_refused_leaves_it_as_it_was(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    assert answer("alice", "turn", "dudo", now=later(seconds=60)).outcome is Outcome.ILLEGAL
    sweep(OVER)
    assert bids() == [(5, 4, NOON)]


def test_a_copy_of_the_mail_does_not_make_it_wait_longer(game: Game) -> None:
    sent = mail_to("alice", "turn")
    letter = reply(sent, "5 fours")
    deliver(letter, sent.reply_to[0])
    copy = b"Received: by another way\r\n" + letter
    assert deliver(copy, sent.reply_to[0], now=later(seconds=60)).outcome is Outcome.REPEAT
    sweep(OVER)
    assert bids() == [(5, 4, NOON)]


def test_whoever_says_that_it_was_not_him_takes_it_back_too(game: Game) -> None:
    mail = answer("alice", "turn", "5 fours")
    stop = StopReplies(person("alice").pk, 0, game.code)
    assert wishes.stop(stop, now=later(seconds=30))
    sweep(OVER)
    assert bids() == []
    assert handled(mail).outcome == Outcome.GONE


# --- what comes between --------------------------------------------------------------------------


def test_a_move_on_the_page_drops_it_and_he_is_told(game: Game) -> None:
    mail = answer("alice", "turn", "5 fours")
    bid_on_the_page(game, "alice", rules.Bid(2, 2), now=later(seconds=30))
    sweep(OVER)
    assert [bid[:2] for bid in bids()] == [(2, 2)]
    assert handled(mail).outcome == Outcome.OVER
    told = str(mail_to("alice", "refusal", now=later(minutes=2)).body)
    assert "Nothing was played." in told
    assert "The turn that you answered is over." in told


def test_nobody_is_told_that_it_waits_when_it_was_dropped_before(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    bid_on_the_page(game, "alice", rules.Bid(2, 2), now=later(seconds=30))
    sweep(OVER)
    send_mails(now=later(minutes=2))
    assert mails_to("alice").count("refusal") == 1
    assert mails_to("alice").count("ack") == 0


@pytest.mark.parametrize("seconds_left", [0, 1, 60])
def test_near_the_deadline_it_is_played_at_the_deadline_and_before_the_clock_acts(
    game: Game, seconds_left: int
) -> None:
    deadline = Game.objects.get(pk=game.pk).turn_deadline_at
    assert deadline is not None
    came = deadline - timedelta(seconds=seconds_left)
    sent = mail_to("alice", "turn")
    deliver(reply(sent, "5 fours"), sent.reply_to[0], now=came)
    # The sweep of the clocks alone, and as late as it may be.
    deadlines.expire_turns(now=deadline + timedelta(minutes=1))
    assert bids() == [(5, 4, came)]
    assert not Event.objects.filter(is_auto=True).exists()


def test_a_deadline_that_was_moved_up_waits_for_it(game: Game) -> None:
    answer("alice", "turn", "5 fours")
    soon = later(seconds=10)
    Game.objects.filter(pk=game.pk).update(turn_deadline_at=soon, wake_at=soon)
    deadlines.expire_turns(now=later(seconds=60))
    assert bids() == []
    deadlines.expire_turns(now=OVER)
    assert bids() == [(5, 4, NOON)]


def test_one_that_cannot_be_handled_is_given_up_and_holds_up_nothing(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    mail = answer("alice", "turn", "5 fours")

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("games.services.receiving.steps.resumed", broken)
    sweep(*(OVER + timedelta(minutes=5 * times) for times in range(6)))
    assert (handled(mail).state, handled(mail).outcome) == (MailState.DEAD, Outcome.FAILED)
    deadlines.expire_turns(now=later(days=2))
    assert Event.objects.filter(is_auto=True).exists()


def test_where_calls_of_calza_are_collected_it_waits_for_them_afterwards() -> None:
    game = opened()  # at noon alice has bid; others may call that exact for two hours
    following = around(game)[0]
    Wishes.objects.create(user=person(following), holds_replies=True)
    answer(following, "turn", "3 threes")
    assert not Order.objects.exists()
    sweep(OVER)
    assert Order.objects.get(seat=seat_of(game, following)).made_at == NOON
    assert answer(following, "ack", "cancel", now=later(minutes=5)).outcome is Outcome.WITHDRAWN
    deadlines.expire_turns(now=later(hours=2))
    assert len(bids()) == 1


# --- the wish ------------------------------------------------------------------------------------


def choose(client: Client, chosen: Iterable[str]) -> None:
    client.force_login(person("alice"))
    client.post(reverse("mail_settings"), {"act": "replies", **dict.fromkeys(chosen, "1")})


def test_it_is_chosen_on_the_page_of_ones_mail(client: Client) -> None:
    choose(client, ["holds"])
    assert Wishes.objects.get(pk=person("alice").pk).holds_replies
    page = client.get(reverse("mail_settings")).content.decode()
    assert 'id="id_holds" checked' in page
    assert 'id="id_confirms" checked' not in page
    choose(client, [])
    assert 'id="id_holds" checked' not in client.get(reverse("mail_settings")).content.decode()


def test_a_move_that_a_link_confirmed_does_not_wait(game: Game) -> None:
    Wishes.objects.update(confirms_replies=True)
    mail = answer("alice", "turn", "5 fours")
    assert mail.outcome is Outcome.CONFIRMING
    result = receiving.confirm(mail_id=mail.row.pk, now=later(seconds=20))
    assert result is not None
    assert result.outcome is Outcome.PLAYED
    assert bids() == [(5, 4, later(seconds=20))]
