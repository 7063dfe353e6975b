"""Nobody can tell whether a rival has left a standing order, until it acts.

Twin worlds again, this time with the same dice: they differ in bob's order alone. It is left while
others are to move, and then waits on his own turn. All addresses, mails and deadlines of everybody
else must be the same to the byte.
"""

import re
from dataclasses import dataclass

import pytest

from games import rules
from games.models import Conduct, Event, Game, Order
from games.services import deadlines, orders
from tests.cast import NOON, act, person, seat_of
from tests.integration.secrecy.tours import Report, differences, look
from tests.integration.secrecy.worlds import PEOPLE, World

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(300)]

OTHERS = ("alice", "carol", "sam", "olga", "nobody")
_BOUNDARY = re.compile(r"={15}\d+==")
"""Drawn when the test writes a mail out, and so once more for each of bob's own."""
ORDERS = ("", "dudo below 30%; calza on 9x6; else least", "bid 20x5; else dudo")


@dataclass
class OrderWorld(World):
    """A world in which bob has left an order, or none; with ``on_turn`` it is his turn by now."""

    text: str = ""
    on_turn: bool = False
    deadline: object = None

    def play(self) -> None:
        """Play as far as bob's turn, and let his order be looked at."""
        super().play()
        for name in PEOPLE:  # known well enough for a forecast
            paces = {"known": 20, "low": 3600, "median": 9000, "high": 20_000}
            Conduct.objects.update_or_create(user=person(name), defaults=paces)
        if self.text:
            orders.leave(
                game_id=self.live.pk,
                user_id=person("bob").pk,
                text=self.text,
                waits=True,
                round_number=Game.objects.get(pk=self.live.pk).current_round.number,
                now=NOON,
            )
        if self.on_turn:
            alice = seat_of(self.live, "alice").number
            self.live = act(self.live, rules.MakeBid(alice, rules.Bid.parse("3x3")))
            assert deadlines.expire_turns(now=NOON) == bool(self.text)
            self.post()
        assert Order.objects.exists() == bool(self.text)
        self.live = Game.objects.select_related("current_round").get(pk=self.live.pk)
        newest = Event.objects.filter(game=self.live).latest("seq")
        self.deadline = (self.live.turn_deadline_at, self.live.turn_started_at, newest.digest)


def seen(world: OrderWorld, viewers: tuple[str, ...]) -> Report:
    return look(world, viewers, ["en"])


def letters_to_others(report: Report) -> list[tuple[str, str, str]]:
    return [
        (kind, to, _BOUNDARY.sub("", text)) for kind, to, text in report.letters if "bob" not in to
    ]


@pytest.mark.parametrize("on_turn", [False, True], ids=["before his turn", "on his turn"])
def test_a_rivals_order_changes_nothing_for_others_until_it_acts(on_turn: bool) -> None:
    look(World(), ("nobody",), ["en"])  # what is made once a process is made now
    worlds = [OrderWorld(text=text, on_turn=on_turn) for text in ORDERS]
    first, *others = [seen(world, OTHERS) for world in worlds]
    assert len(first.answers) > 100
    assert any(b"The game ends about" in answer.body for answer in first.answers.values())
    for world, other in zip(worlds[1:], others, strict=True):
        assert world.deadline == worlds[0].deadline
        assert differences(first.answers, other.answers) == []
        assert letters_to_others(other) == letters_to_others(first) != []


def test_its_owner_does_see_it() -> None:
    """The test above would prove nothing if an order changed nothing."""
    without, with_one = [seen(OrderWorld(text=text), ("bob",)) for text in ORDERS[:2]]
    differ = {line.partition(":")[0] for line in differences(without.answers, with_one.answers)}
    table = f"bob en /g/{without.code}/"
    assert {table, f"{table}order/"} <= differ
