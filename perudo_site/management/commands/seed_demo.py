"""Fill a site that a person can look at: players, finished games, games under way."""

import random
from argparse import ArgumentParser
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from games import rules
from games.bots import BOTS, DEFAULT_BOT
from games.models import Game, GameStatus, OutboxMessage, OutboxStatus, Seat
from games.selectors import Viewer, find_game, table_page
from games.services import commit, lobby, moves

PASSWORD = "perudo-demo"  # noqa: S105 - printed on the screen, and only on a development machine
PEOPLE = (
    ("alice", "Alice", "Europe/London", "en"),
    ("bob", "Bob", "America/New_York", "en"),
    ("carla", "Carla", "Europe/Rome", "it"),
    ("denis", "Denis", "Europe/Paris", "fr"),
    ("elena", "Elena", "America/Lima", "es"),
    ("fulvio", "Fulvio", "Europe/Rome", "it"),
)


@dataclass(frozen=True, slots=True)
class Table:
    """A table to set: who sits there, by which rules, how far it gets."""

    name: str
    people: tuple[str, ...]
    preset: str
    days_ago: int
    bots: int = 0
    most_moves: int = 2_000  # and a few more until ``stop_at`` is to move
    calza: bool = False
    start_dice: int = 5
    is_private: bool = False
    stop_at: str = ""


FINISHED = (
    Table("Friday night", ("alice", "bob", "carla", "denis"), "piatnik", 30),
    Table("Over coffee", ("alice", "elena"), "bga", 20, calza=True),
    Table("The six of us", ("alice", "bob", "carla", "denis", "elena", "fulvio"), "wikipedia", 28),
    Table("Against the machine", ("alice",), "asmodee", 9, bots=3),
)
UNDER_WAY = (
    Table("Office round", ("alice", "bob", "carla", "denis"), "asmodee", 3, most_moves=23),
    Table(
        "Slow and steady",
        ("bob", "alice", "elena"),
        "wikipedia",
        2,
        most_moves=12,
        calza=True,
        stop_at="alice",
    ),
    Table("Testa di lama", ("fulvio", "carla", "alice"), "piatnik", 2, most_moves=9),
    Table(
        "Lunch break", ("alice", "fulvio"), "bga", 1, most_moves=6, start_dice=3, stop_at="alice"
    ),
)
WAITING = (
    Table("Come and play", ("bob", "carla"), "bga", 0),
    Table("First game, be gentle", ("elena",), "wikipedia", 0),
)


class Command(BaseCommand):
    """Make the demo's people and tables, once."""

    help = "Fill a development site with players, finished games and games under way."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--seed", type=int, default=7, help="draw other games")

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.DEVELOPMENT:
            raise CommandError("seed_demo makes accounts with a known password: development only.")
        if User.objects.filter(email="alice@example.org").exists():
            self.stdout.write("The demo is here already. Log in as alice@example.org.")
            return
        chance = random.Random(options["seed"])  # noqa: S311 - which demo, not whose dice
        now = timezone.now()
        with transaction.atomic():
            people = {
                key: accounts.create_user(
                    email=f"{key}@example.org",
                    display_name=name,
                    password=PASSWORD,
                    time_zone=zone,
                    language=language,
                )
                for key, name, zone, language in PEOPLE
            }
            for table in (*FINISHED, *UNDER_WAY):
                _play(table, people, chance, now=now)
            for table in WAITING:
                _open(table, people, seats=4, now=now - timedelta(minutes=20))
            _forget_old_mail(now=now)
        counts = {status: Game.objects.filter(status=status).count() for status in GameStatus}
        self.stdout.write(
            f"{len(people)} people, {counts[GameStatus.FINISHED]} finished games, "
            f"{counts[GameStatus.ACTIVE]} under way, {counts[GameStatus.OPEN]} waiting rooms.\n"
            f"Log in as alice@example.org (or bob, carla, denis, elena, fulvio) "
            f"with the password {PASSWORD}."
        )


def _open(table: Table, people: dict[str, User], *, seats: int, now: datetime) -> Game:
    ruleset = rules.find_ruleset(table.preset)
    if "calza" in rules.preset_options(table.preset):
        ruleset = rules.with_options(ruleset, {"calza": table.calza})
    ruleset = rules.with_start_dice(ruleset, table.start_dice)
    users = [people[key] for key in table.people]
    new = lobby.NewGame(
        ruleset=ruleset,
        seats=seats,
        turn_seconds=86_400,
        is_private=table.is_private,
        bots=table.bots,
        name=table.name,
        with_beacon=False,  # weeks are played here in a second
    )
    game = lobby.create_game(host=_player(users[0]), new=new, now=now)
    for user in users[1:]:
        lobby.join(game_id=game.pk, player=_player(user), now=now)
    return game


def _play(table: Table, people: dict[str, User], chance: random.Random, *, now: datetime) -> None:
    """Play a table to its end, or as far as it is to get, each move at a human distance."""
    moment = now - timedelta(days=table.days_ago)
    game = _open(table, people, seats=len(table.people) + table.bots, now=moment)
    host = people[table.people[0]]
    for key in table.people[1:]:
        lobby.set_ready(game_id=game.pk, user_id=people[key].pk, is_ready=True, now=moment)
    game.refresh_from_db()
    if game.status == GameStatus.OPEN:
        lobby.start(game_id=game.pk, host_id=host.pk, now=moment)
    pace = (now - moment) / (table.most_moves if table in UNDER_WAY else 250)
    for made in range(table.most_moves + len(table.people)):
        game = find_game(game.code, Viewer(host.pk))
        if game.status != GameStatus.ACTIVE:
            break
        if made >= table.most_moves and _is_turn_of(game, people.get(table.stop_at)):
            break
        moment += pace * chance.uniform(0.2, 1.2)
        _move(game, min(moment, now), luck=chance.random())


def _is_turn_of(game: Game, user: User | None) -> bool:
    """Return whether ``user`` is to move; without one, whoever is to move will do."""
    seat = Seat.objects.get(game=game, number=commit.turn_of(game))
    return user is None or seat.user_id == user.pk


def _move(game: Game, moment: datetime, *, luck: float) -> None:
    seat = Seat.objects.get(game=game, number=commit.turn_of(game))
    if seat.bot:
        moves.play_for_seat(
            game_id=game.pk,
            expected_version=game.version,
            choose=lambda view, seat: BOTS[seat.bot](view, luck=luck),
            now=max(moment, game.wake_at or moment),
        )
        return
    view = table_page(game, Viewer(seat.user_id)).view
    if view is None:
        raise CommandError(f"game {game.code} shows no table to its player")
    moves.play(
        game_id=game.pk,
        action=BOTS[DEFAULT_BOT](view, luck=luck),
        expected_version=game.version,
        now=moment,
    )


def _forget_old_mail(*, now: datetime) -> None:
    """Withdraw all notices but those of the turns that are open now."""
    OutboxMessage.objects.filter(created_at__lt=now - timedelta(hours=30)).update(
        status=OutboxStatus.SUPERSEDED
    )


def _player(user: User) -> lobby.Player:
    return lobby.Player(user.pk, user.display_name)
