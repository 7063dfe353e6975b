"""A seat that changes hands hands on no dice: not to who comes, not to who goes, not to who waits.

Twin worlds once more. In the game under way fred's seat was retired and hanna has taken it over;
erin's has been retired too, and heidi waits for the next roll. Whoever looks must get the same
bytes whatever lies under the cups that are not his: also when another's cup lay on the same seat.
"""

from collections import defaultdict
from datetime import timedelta
from typing import Any

import pytest
from django.http import HttpResponse

from games import rules, store
from games.models import Game, Seat
from games.services import deadlines, moves, outbox, takeovers
from games.services.waking import GRACE
from tests.cast import NOON, act, give_turn, person, player, seat_of, table
from tests.integration.games.handing import make_absent, vacant
from tests.integration.secrecy.test_oracle import _answer
from tests.integration.secrecy.tours import Report, differences, look
from tests.integration.secrecy.worlds import World
from tests.oracle import Book

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(300)]

WEEK = timedelta(days=7)
NAMES = ("alice", "fred", "erin", "carol")


class HandedWorld(World):
    """Round 2, with fred's last cup and erin's, ended with no cup lifted; round 3 goes on."""

    def play(self) -> None:
        """Play as far as the first turn of hanna's first round."""
        for name in (*NAMES, "hanna", "heidi", "olga", "sam"):
            if person(name).display_name.lower() == self.spare:
                self.spare_id = person(name).pk
        self.live = table(NAMES, is_private=False)
        self.over = self.room = self.live
        give_turn(self.live, "carol")
        carol = seat_of(self.live, "carol").number
        self.live = act(self.live, rules.MakeBid(carol, rules.Bid.parse("20x6")))
        self.live = act(self.live, rules.Dudo(self.live.to_act))
        fred = self._retire("fred")
        self._promise(fred, "hanna")
        self.live = act(self.live, rules.Resign(carol))
        erin = self._retire("erin")
        self._promise(erin, "heidi")
        give_turn(self.live, "alice")
        alice = seat_of(self.live, "alice").number
        self.live = act(self.live, rules.MakeBid(alice, rules.Bid.parse("2x3")))
        Game.objects.filter(pk=self.live.pk).update(to_act=seat_of(self.live, "hanna").number)
        self.post()
        self.live = Game.objects.select_related("current_round").get(pk=self.live.pk)

    def _retire(self, name: str) -> Seat:
        make_absent(self.live, name, since=NOON - WEEK - GRACE)
        Game.objects.filter(pk=self.live.pk).update(wake_at=NOON)
        assert deadlines.expire_turns(now=NOON) == 1
        outbox.relay(now=NOON)
        self.live.refresh_from_db()
        return vacant(self.live, name)

    def _promise(self, seat: Seat, name: str) -> None:
        takeovers.take_over(
            game_id=self.live.pk, seat_id=seat.pk, player=player(person(name)), now=NOON
        )

    @property
    def values(self) -> dict[str, list[object]]:
        """Return what may stand in an address: of the one game that there is, and no more."""
        of_the_game: dict[str, list[object]] = {
            "code": [self.live.code],
            "token": [self.live.invite_token],
            "number": [1, 2, 3],
            "step": [1],
            "move": [0, 1],
            "kind": ["svg", "png"],
            "seat_id": [seat_of(self.live, "hanna").pk],
            "player": ["Fred", "Hanna"],
            "rival": ["Hanna"],
        }
        return defaultdict(list, of_the_game)


@pytest.fixture(autouse=True)
def _warm() -> None:
    """Let what is made once a process be made before the twins are compared."""
    if not _made:
        look(HandedWorld(), ("nobody",), ["en"])
        _made.append(True)


_made: list[bool] = []


def seen(viewer: str, **choices: Any) -> Report:
    return look(HandedWorld(**choices), (viewer,), ["en"], short=True)


@pytest.mark.parametrize(
    "viewer", ["fred", "hanna", "erin", "heidi", "alice", "carol", "sam", "olga", "nobody"]
)
@pytest.mark.parametrize("other", [1, 8])
def test_each_gets_the_same_bytes_whatever_lies_under_the_cups_of_others(
    viewer: str, other: int
) -> None:
    one = seen(viewer)
    twin = seen(viewer, other=other, spare=viewer)
    assert len(one.answers) > 15
    assert differences(one.answers, twin.answers) == []
    mine = [letter for letter in one.letters if viewer in letter[1]]
    assert mine == [letter for letter in twin.letters if viewer in letter[1]]


@pytest.mark.parametrize(
    ("viewer", "spare", "page"),
    [
        ("fred", "hanna", "rounds/2/"),  # his last cup
        ("erin", "hanna", "rounds/2/"),
        ("hanna", "fred", ""),  # her first one
    ],
)
def test_the_cups_of_ones_own_rounds_are_seen(viewer: str, spare: str, page: str) -> None:
    """The test above would prove nothing if other dice changed nothing for them."""
    one, twin = seen(viewer), seen(viewer, other=1, spare=spare)
    differ = {line.partition(": ")[0] for line in differences(one.answers, twin.answers)}
    assert f"{viewer} en /g/{one.code}/{page}" in differ


@pytest.mark.parametrize("viewer", ["heidi", "olga", "nobody"])
def test_who_waits_sees_what_a_stranger_sees_of_every_cup(viewer: str) -> None:
    one, twin = seen(viewer), seen(viewer, other=1)
    assert differences(one.answers, twin.answers) == []


# --- keys ---------------------------------------------------------------------------------------


def retired_and_promised(game: Game, old: str, new: str) -> Seat:
    make_absent(game, old, since=NOON - WEEK - GRACE)
    Game.objects.filter(pk=game.pk).update(wake_at=NOON)
    deadlines.expire_turns(now=NOON)
    seat = vacant(game, old)
    takeovers.take_over(game_id=game.pk, seat_id=seat.pk, player=player(person(new)), now=NOON)
    return seat


def leaks_of(oracle: Book, key: str, reader: str) -> bool:
    with oracle.expecting() as leaks:
        _answer(HttpResponse(key), reader=person(reader))
    return bool(leaks)


def test_the_oracle_knows_whose_cup_it_was_in_which_round(oracle: Book) -> None:
    game = table(("alice", "bob", "carol"))
    seat = retired_and_promised(game, "carol", "dave")
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    first = store.open_dice(game).cup_key(game.current_round, seat.number)
    for name in ("carol", "dave"):
        assert leaks_of(oracle, first, name), "the round of the retirement is not over"
    moves.resign(game_id=game.pk, user_id=person("bob").pk, now=NOON)
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    second = store.open_dice(game).cup_key(game.current_round, seat.number)
    assert not leaks_of(oracle, first, "carol")
    assert leaks_of(oracle, first, "dave")
    assert leaks_of(oracle, second, "carol")
    assert not leaks_of(oracle, second, "dave")


def test_a_re_rolled_round_is_not_the_old_players_any_more(oracle: Book) -> None:
    from games.services import restore

    game = table(("alice", "bob", "carol"))
    seat = retired_and_promised(game, "carol", "dave")
    assert restore.roll_anew(
        code=game.code, restored_at=NOON + timedelta(hours=1), now=NOON + timedelta(hours=2)
    )
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    seat.refresh_from_db()
    assert seat.user == person("dave"), "it is a roll: he begins with it"
    key = store.open_dice(game).cup_key(game.current_round, seat.number)
    assert leaks_of(oracle, key, "carol")
    assert not leaks_of(oracle, key, "dave")
