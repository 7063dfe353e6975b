"""Games in which seats are left, retired, taken over, given back and left again, in any order.

The same world as in the simulation, with people who mostly stay away and others who take their
seats. No history leaves a game without a deadline, an end, or with two players on one seat.
"""

from random import Random

import pytest

from games import rules
from games.models import Game, GameStatus, Seat
from games.rules.record import replay
from games.selectors import record_of
from games.services import deadlines, lobby
from tests.cast import person, player
from tests.integration.games.test_simulation import World

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PEOPLE = ["alice", "bob", "carol", "dave", "erin", "frank", "gina", "hugo", "ida", "jack"]
STEPS = 90


class Hands(World):
    """One table of four people, and six who look for a seat."""

    def step(self) -> None:
        """Let one thing happen."""
        what = self.chance.choices(
            [self.move, self.wait, self.come_back, self.resign, self.stay_away, self.take_over,
             self.vote, self.order, self.time, self.mails, self.close_account],
            [30, 25, 2, 0.5, 12, 16, 8, 5, 2, 2, 0.5],
        )[0]  # fmt: skip
        what()

    def begin(self) -> None:
        """Start a game with many dice, so that it lasts."""
        new = lobby.NewGame(
            rules.find_ruleset("bga"), seats=4, turn_seconds=86_400, clock=self.any_clock()
        )
        host, *guests = PEOPLE[:4]
        game = lobby.create_game(host=player(person(host)), new=new, now=self.now)
        for name in guests:
            lobby.join(game_id=game.pk, player=player(person(name)), now=self.now)
            lobby.set_ready(game_id=game.pk, user_id=person(name).pk, is_ready=True, now=self.now)


@pytest.mark.parametrize("seed", range(8))
def test_whoever_comes_and_goes_every_game_stays_whole_and_ends(seed: int) -> None:
    world = Hands(Random(seed), people=list(PEOPLE))
    world.begin()
    for _ in range(STEPS):
        world.step()
        world.check()
    for _ in range(900):
        if not world.games(GameStatus.ACTIVE):
            break
        game = world.games(GameStatus.ACTIVE)[0]
        assert game.wake_at is not None
        world.now = max(world.now, game.wake_at)
        deadlines.expire_turns(now=world.now)
    world.check()
    game = Game.objects.get()
    assert game.status in (GameStatus.FINISHED, GameStatus.CANCELLED)
    assert not Seat.objects.filter(heir__isnull=False).exists()
    if game.status == GameStatus.FINISHED:
        assert not replay(record_of(game))
