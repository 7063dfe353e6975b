"""Nobody can tell whether a rival has called, passed or moved until the time for calza is over.

Twin worlds again, with the same dice: they differ in what one player has done since alice's bid.
All addresses, mails and deadlines of everybody else must be the same to the byte.
"""

from dataclasses import dataclass, replace

import pytest

from games import rules
from games.models import Event, Game, Hours, Order, Round, Seat
from games.services import moves
from tests.cast import NOON, act, give_turn, seat_of, table
from tests.integration.secrecy.test_rivals_orders import letters_to_others
from tests.integration.secrecy.tours import Report, differences, look
from tests.integration.secrecy.worlds import World

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(300)]

SEATED = ("alice", "bob", "carol", "dave")
BGA = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
WINDOW = replace(BGA, name="custom", calza=replace(BGA.calza, window=rules.CalzaWindow.GRACE))
STEPS_TO_BOB = {"calza": 2, "pass": 2, "bid": 1, "dudo": 1}


@dataclass
class CallWorld(World):
    """A world in which bob sits ``steps`` to the left of alice, who has bid, and does something."""

    steps: int = 2
    deed: str = ""
    moments: object = None

    def play(self) -> None:
        """Let alice bid, and bob do what nobody is to see."""
        super().play()
        self.live = table(SEATED, ruleset=WINDOW, is_private=False)
        Hours.objects.update(night=None)
        self._seat_bob()
        give_turn(self.live, "alice")
        alice = seat_of(self.live, "alice").number
        self.live = act(self.live, rules.MakeBid(alice, rules.Bid.parse("2x3")))
        self._do(seat_of(self.live, "bob"))
        self.post()
        self.live = game = Game.objects.select_related("current_round").get(pk=self.live.pk)
        newest = Event.objects.filter(game=game).latest("seq")
        self.moments = (game.calza_until, game.turn_deadline_at, game.wake_at, newest.digest)

    def _seat_bob(self) -> None:
        """Let bob change places, before a die is looked at, with whoever sits where he should."""
        alice, bob = seat_of(self.live, "alice"), seat_of(self.live, "bob")
        other = Seat.objects.get(game=self.live, number=(alice.number + self.steps) % len(SEATED))
        if other != bob:
            mine, theirs = bob.user_id, other.user_id
            Seat.objects.filter(pk=bob.pk).update(user_id=None)
            Seat.objects.filter(pk=other.pk).update(user_id=mine)
            Seat.objects.filter(pk=bob.pk).update(user_id=theirs)

    def _do(self, bob: Seat) -> None:
        actions: dict[str, rules.Move] = {
            "calza": rules.Calza(bob.number),
            "bid": rules.MakeBid(bob.number, rules.Bid.parse("9x5")),
            "dudo": rules.Dudo(bob.number),
        }
        if self.deed in actions:
            played = moves.play(
                game_id=self.live.pk,
                action=actions[self.deed],
                expected_version=self.live.version,
                now=NOON,
            )
            assert played.held_until is not None
            assert Order.objects.filter(pk=bob.pk).exists()
        elif self.deed == "pass":
            assert bob.user_id is not None
            moves.pass_calza(game_id=self.live.pk, user_id=bob.user_id, round_number=1, now=NOON)
            assert Round.objects.get(pk=self.live.current_round_id).calza_passes == [bob.number]


def seen(world: CallWorld, *viewers: str) -> Report:
    return look(world, viewers, ["en"], short=True)


@pytest.mark.parametrize("steps", [1, 2])
def test_what_a_rival_does_meanwhile_changes_nothing_for_others(steps: int) -> None:
    look(World(), ("nobody",), ["en"])  # what is made once a process is made now
    deeds = ["", *(deed for deed, place in STEPS_TO_BOB.items() if place == steps)]
    worlds = [CallWorld(steps=steps, deed=deed) for deed in deeds]
    others = ("alice", "carol", "dave", "sam", "nobody")
    first, *rest = [seen(world, *others) for world in worlds]
    assert len(first.answers) > 20
    for world, report in zip(worlds[1:], rest, strict=True):
        assert world.moments == worlds[0].moments
        assert differences(first.answers, report.answers) == []
        assert letters_to_others(report) == letters_to_others(first) != []


@pytest.mark.parametrize("deed", STEPS_TO_BOB)
def test_who_did_it_sees_it(deed: str) -> None:
    """The test above would prove nothing if it changed nothing."""
    steps = STEPS_TO_BOB[deed]
    without, with_it = [seen(CallWorld(steps=steps, deed=each), "bob") for each in ("", deed)]
    differ = {line.partition(":")[0] for line in differences(without.answers, with_it.answers)}
    assert f"bob en /g/{without.code}/" in differ
