"""An invitation is accepted by an answer."""

import pytest

from games import rules
from games.models import Game, GameStatus, Seat
from games.services import lobby
from games.services.receiving import Outcome
from tests.cast import NOON, later, person, player
from tests.integration.mail.letters import answer, deliver, mail_to, reply

pytestmark = pytest.mark.django_db


@pytest.fixture
def room() -> Game:
    """A waiting room for two, to which alice has invited bob."""
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    person("bob")
    invite(game, "bob")
    return game


def invite(game: Game, name: str) -> None:
    lobby.invite(
        game_id=game.pk,
        player=player(person("alice")),
        emails=[f"{name}@example.org"],
        language="en",
        now=NOON,
    )


@pytest.mark.parametrize("word", ["yes", "ok", "sì", "oui", "sí", "Yes!"])
def test_yes_takes_the_seat_and_a_full_table_begins(room: Game, word: str) -> None:
    assert "«yes»" in mail_to("bob", "invitation").body
    assert answer("bob", "invitation", word).outcome is Outcome.JOINED
    room.refresh_from_db()
    assert room.status == GameStatus.ACTIVE
    assert "You have your seat" in mail_to("bob", "answer", now=later(minutes=1)).body


def test_no_leaves_the_seat_free_without_a_word(room: Game) -> None:
    assert answer("bob", "invitation", "no").outcome is Outcome.DECLINED
    assert Seat.objects.filter(game=room).count() == 1


def test_a_move_is_no_answer_to_an_invitation(room: Game) -> None:
    done = answer("bob", "invitation", "dudo")
    assert done.reason == "only-yes"
    refused = mail_to("bob", "refusal", now=later(minutes=1))
    assert "Answer “yes” to take the seat" in refused.body
    assert answer("bob", "refusal", "yes", now=later(minutes=2)).outcome is Outcome.JOINED


def test_somebody_else_cannot_accept(room: Game) -> None:
    sent = mail_to("bob", "invitation")
    raw = reply(sent, "yes", sender=person("mallory").email)
    assert deliver(raw, sent.reply_to[0]).outcome is Outcome.WRONG_SENDER
    assert Seat.objects.filter(game=room).count() == 1


def test_an_address_without_an_account_is_led_to_the_page(room: Game) -> None:
    invite(room, "dave")
    sent = mail_to("dave", "invitation")
    assert sent.reply_to[0].startswith("Perudo by Post")
    assert "«yes»" not in sent.body


def test_a_table_that_is_full_by_then_says_so(room: Game) -> None:
    sent = mail_to("bob", "invitation")
    lobby.join(game_id=room.pk, player=player(person("carol")), now=NOON)
    done = deliver(reply(sent, "yes"), sent.reply_to[0], now=later(minutes=1))
    assert (done.outcome, done.reason) == (Outcome.GONE, "lobby.full")
    assert "All seats are taken." in mail_to("bob", "refusal", now=later(minutes=2)).body


def test_an_old_invitation_is_no_seat(room: Game) -> None:
    sent = mail_to("bob", "invitation")
    done = deliver(reply(sent, "yes"), sent.reply_to[0], now=later(days=8))
    assert done.outcome in (Outcome.GONE, Outcome.UNKNOWN)
    assert Seat.objects.filter(game=room).count() == 1
