"""Twin worlds: the same game played twice, with other dice under the cups that nobody may see.

Time stands still and chance is the same in both, so that every byte that differs between them can
come from a hidden die alone. The seed is the same too: only the faces are put in by hand, and the
seals, which bind them, are made without them.
"""

import re
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from dataclasses import replace as replace_field
from typing import Any

import pytest
import time_machine
from django.contrib.contenttypes.models import ContentType
from django.test import TestCase

from games import fairness, rules
from games.mail.stopping import StopGame, stop_token
from games.models import Game, Wishes
from games.services import devices, nudges, outbox, pushes, wishes
from games.templatetags.kept import forget_kept
from tests.cast import NOON, act, give_turn, person, player, seat_of, table
from tests.integration.mail.waiting import waiting_mail
from tests.integration.notices.browsers import Browser
from tests.integration.secrecy.stillness import Chance, put_in, same, undone
from tests.oracle import book, facts, taps

PEOPLE = ("alice", "bob", "carol", "olga", "sam")
COVERED = (2, 3)
"""The rounds of each game in which no cup is lifted: one ends by a resignation, one goes on."""

_OF_THE_PROCESS = re.compile(r" at 0x[0-9a-f]+|s[0-9]+_x[0-9]+")
"""Where things are in memory, and how Django numbers its savepoints."""
Sight = tuple[str, str]
"""The name of a tap and the text of what it saw."""


@dataclass
class World:
    """What there is: a game under way, one that is over and stays covered, a waiting room.

    ``other`` is 0 in the first of the twins; any other number gives other dice under the covered
    cups: 1 to 5 a mixture, 6 to 11 the same face everywhere. ``spare`` names whose dice are the
    same in both worlds.
    """

    other: int = 0
    spare: str | None = None
    spare_id: int = 0
    live: Game = field(init=False)
    over: Game = field(init=False)
    room: Game = field(init=False)
    sights: list[Sight] = field(default_factory=list)
    chance: Chance = field(default_factory=Chance)

    def faces(self, key_of_cup: bytes, dice: int) -> tuple[int, ...]:
        """Return what lies under a cup of this world."""
        place = book.place_of(key_of_cup)
        assert place.number is not None
        assert place.seat is not None
        is_spared = facts.holder_in(place.gid, place.seat, place.number) == self.spare_id
        first = place.number + place.seat
        shift = 0 if is_spared or place.number not in COVERED else self.other
        if shift > 5:
            return (shift - 5,) * dice
        return tuple((first + die + shift * (die + 1)) % 6 + 1 for die in range(dice))

    @property
    def values(self) -> dict[str, list[object]]:
        """Return what may stand in an address."""
        return {
            "code": [self.live.code, self.over.code, self.room.code],
            "token": [self.live.invite_token, self.room.invite_token],
            "name": ["bga"],
            "player": ["Alice", "Bob"],
            "rival": ["Bob"],
            "board": ["season", "seats-3"],
            "number": [1, 2],
            "step": [1],
            "move": [0, 1],
            "kind": ["svg", "png"],
            "seat_id": [seat_of(self.live, "bob").pk],
            "pk": [1],
            "stop_token": [stop_token(StopGame(person("alice").pk, 0, self.live.code))],
            "confirm_token": [waiting_mail(self.live, "alice")],
            "feed_token": list(
                Wishes.objects.exclude(feed_token=None).values_list("feed_token", flat=True)
            ),
        }

    def play(self) -> None:
        """Play the games as far as they go, and send the mails that are due after each step."""
        for name in PEOPLE:
            if person(name).display_name.lower() == self.spare:
                self.spare_id = person(name).pk
        # Her browser; the guard asks no push service on this machine.
        browser = devices.NewDevice(**Browser("https://127.0.0.1/push").said, name="Firefox")
        devices.keep(user_id=person("alice").pk, device=browser, now=NOON)
        never = replace_field(
            rules.find_ruleset("bga"), covered_cups_after_game=rules.CoveredCups.NEVER
        )
        self.live = self._first_rounds(
            table(("alice", "bob", "carol"), is_private=False, shows_odds=True)
        )
        bob = seat_of(self.live, "bob").number
        give_turn(self.live, "bob")
        self.live = act(self.live, rules.MakeBid(bob, rules.Bid.parse("2x3")))
        self.post()
        self.over = self._first_rounds(
            table(("alice", "bob", "carol"), ruleset=never, is_private=False)
        )
        alice = seat_of(self.over, "alice").number
        self.over = act(self.over, rules.Resign(alice))
        self.post()
        wishes.renew_feeds(user_id=person("alice").pk)
        self.room = _waiting_room()
        self.post()

    def _first_rounds(self, game: Game) -> Game:
        """A dudo lifts the cups of round 1; carol resigns and covers those of round 2."""
        self.post()
        give_turn(game, "carol")
        carol = seat_of(game, "carol").number
        game = act(game, rules.MakeBid(carol, rules.Bid.parse("15x6")))
        game = act(game, rules.Dudo(game.to_act))
        self.post()
        game = act(game, rules.Resign(carol))
        self.post()
        return game

    def post(self) -> None:
        """Let what waits for the commit run, and send what is due."""
        outbox.relay(now=NOON)
        while pushes.deliver(now=NOON, limit=1):  # one by one, for their order
            pass

    def see(self, tap: str, thing: object) -> None:
        """Note what passes a tap; of a push its text, which no two requests encrypt alike."""
        if tap not in ("response", "request"):
            self.sights.append((tap, _OF_THE_PROCESS.sub("", repr(thing))))

    def take_sights(self) -> list[Sight]:
        """Return what has passed since the last call."""
        taken, self.sights = self.sights, []
        return taken


def _waiting_room() -> Game:
    from games.services import lobby

    host = player(person("alice"))
    new = lobby.NewGame(rules.find_ruleset("bga"), seats=3, turn_seconds=86_400, is_private=False)
    room = lobby.create_game(host=host, new=new, now=NOON)
    lobby.invite(game_id=room.pk, player=host, emails=["zoe@example.org"], language="en", now=NOON)
    return room


@contextmanager
def living_in(world: World) -> Iterator[World]:
    """Let everything inside happen in ``world``, and undo it at the end."""
    with ExitStack() as stack, pytest.MonkeyPatch.context() as patch:
        stack.enter_context(time_machine.travel(NOON, tick=False))
        stack.enter_context(same(world.chance))
        patch.setattr(nudges, "GATHER_SECONDS", -1.0)
        patch.setattr(outbox, "clock_from", lambda now: lambda: now)
        nudges._quiet_until.clear()
        stack.enter_context(put_in(fairness.cup_dice, world.faces))
        real = fairness.sealed_cup

        def sealed(key_of_cup: bytes, dice: Any, **where: Any) -> fairness.SealedCup:
            return real(key_of_cup, (1,) * len(dice), **where)

        stack.enter_context(put_in(real, sealed))
        stack.enter_context(undone())
        forget_kept()
        ContentType.objects.clear_cache()
        stack.enter_context(taps.watching(world.see))
        with TestCase.captureOnCommitCallbacks(execute=True):
            world.play()
        yield world
    forget_kept()
