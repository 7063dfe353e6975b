"""Play by mail at a table that collects calls of calza: what was written is not played at once."""

import pytest

from games.models import Bid, Game, Order
from games.services import deadlines
from games.services.receiving import Outcome
from tests.cast import later, seat_of
from tests.integration.games.test_calza_window import around, fresh, opened
from tests.integration.mail.letters import answer, mail_to

pytestmark = pytest.mark.django_db


@pytest.fixture
def game() -> Game:
    """Alice has bid 2 threes at noon, and others may call that exact for two hours."""
    return opened()


@pytest.fixture
def following(game: Game) -> str:
    """The player whose move waits for the calls of the others."""
    return around(game)[0]


def order_of(game: Game, name: str) -> str:
    return Order.objects.get(seat=seat_of(game, name)).text


def test_a_move_by_mail_waits_for_the_calls_and_says_so(game: Game, following: str) -> None:
    assert answer(following, "turn", "3 threes").outcome is Outcome.PLAYED
    told = str(mail_to(following, "ack").body)
    assert "Played: 3 threes (3 × 3)." in told
    assert "It counts when the time for calza is over: Monday 4 May, 14:00 UTC." in told
    assert Bid.objects.count() == 1
    deadlines.expire_turns(now=later(hours=2))
    assert (fresh(game).bid_quantity, fresh(game).bid_face) == (3, 3)


def test_a_move_that_waits_can_be_taken_back_and_another_be_made(
    game: Game, following: str
) -> None:
    answer(following, "turn", "3 threes")
    assert answer(following, "ack", "cancel").outcome is Outcome.WITHDRAWN
    assert not Order.objects.exists()
    assert answer(following, "turn", "3 fours", now=later(minutes=1)).outcome is Outcome.PLAYED
    assert "3x4" in order_of(game, following)


def test_a_second_thought_takes_the_place_of_a_move_that_waits(game: Game, following: str) -> None:
    answer(following, "turn", "3 threes")
    assert answer(following, "turn", "3 fours", now=later(minutes=1)).outcome is Outcome.PLAYED
    deadlines.expire_turns(now=later(hours=2))
    assert [(bid.quantity, bid.face) for bid in Bid.objects.order_by("pk")] == [(2, 3), (3, 4)]
    assert answer(following, "turn", "3 fives", now=later(hours=3)).outcome is Outcome.OVER
