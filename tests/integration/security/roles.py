"""Everybody who may come to an address, and every address there is."""

import re
from collections.abc import Iterable, Iterator

from django.apps import apps
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver

from games import rules
from games.mail.stopping import StopTopic, stop_token
from games.models import Game, Seat, Topic, Wishes
from tests.cast import act, eliminate, give_turn, person, seat_of, table
from tests.integration.mail.waiting import waiting_mail

SEATED = ("alice", "bob", "carol", "hal")
"""Player to move, rival, eliminated, host."""
ROLES = (*SEATED, "onlooker", "mallory", "anonymous", "staff")
"""And: a signed-in spectator of an open table, a stranger to a private one, nobody, and staff."""

FEED = "a1" * 13
"""The secret of alice's calendar and feed."""
REVOKED = stop_token(StopTopic(user_id=1, version=99, topic=Topic.TURN))
"""What stops mails, after its owner has made it void: a POST changes nothing."""

_PARAMETER = re.compile(r"<(?:(\w+):)?(\w+)>")


def world(role: str) -> Game:
    """Return a game that ``role`` comes to: private to strangers and staff. Alice is to move."""
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    game = table(
        ("hal", "alice", "bob", "carol"), ruleset=ruleset, is_private=role in ("mallory", "staff")
    )
    give_turn(game, "carol")
    game = act(game, rules.MakeBid(seat_of(game, "carol").number, rules.Bid.parse("20x6")))
    game = act(game, rules.Dudo(game.to_act))
    eliminate(game, "carol")
    give_turn(game, "bob")
    game = act(game, rules.MakeBid(seat_of(game, "bob").number, rules.Bid.parse("2x3")))
    give_turn_only(game, "alice")
    Wishes.objects.create(user=person("alice"), feed_token=FEED)
    return game


def give_turn_only(game: Game, name: str) -> None:
    """Let ``name`` be next, whatever the order of the seats is."""
    Game.objects.filter(pk=game.pk).update(to_act=seat_of(game, name).number)
    game.refresh_from_db()


def browser(role: str) -> Client:
    """Return a browser in which ``role`` is signed in."""
    client = Client()
    if role != "anonymous":
        user = person("moderating" if role == "staff" else role)
        user.is_staff = user.is_superuser = role == "staff"
        user.save(update_fields=["is_staff", "is_superuser"])
        client.force_login(user)
        client.get("/rules/")  # the first visit of a session has its own row
    return client


def routes() -> dict[str, str]:
    """Return every address of the site by name: the pattern, as Django writes it."""
    return dict(_walk(get_resolver().url_patterns, ""))


def _walk(patterns: Iterable[URLPattern | URLResolver], before: str) -> Iterator[tuple[str, str]]:
    for pattern in patterns:
        here = before + str(pattern.pattern)
        if isinstance(pattern, URLResolver):
            yield from _walk(pattern.url_patterns, here)
        elif pattern.name:
            yield pattern.name, f"/{here}"


def address(route: str, game: Game) -> str:
    """Return an address of this pattern that leads somewhere in ``game``."""
    values = {
        "code": game.code,
        "player": "Alice",
        "rival": "Bob",
        "board": "season",
        "token": game.invite_token,
        "stop_token": REVOKED,
        "feed_token": FEED,
        "number": "1",
        "step": "1",
        "move": "0",
        "kind": "png",
        "seat_id": str(game.seats.order_by("-number").values_list("pk", flat=True)[0]),
        "pk": "1",
        "name": "bga",
    }
    if "confirm_token" in route:
        values["confirm_token"] = waiting_mail(game, "alice")
    return _PARAMETER.sub(lambda found: values[found[2]], route)


def everything() -> dict[str, list[object]]:
    """Return every row of the site, but for sessions and what is counted for limits.

    Not either when a player looked at his turn: it is about him, and nothing of the game's.
    """
    looks = {"seen_version", "seen_at"}
    models = (
        model
        for label in ("games", "accounts", "account", "mfa", "usersessions")
        for model in apps.get_app_config(label).get_models()
    )
    return {
        model._meta.label: [
            {name: value for name, value in row.items() if name not in looks or model is not Seat}
            for row in model._default_manager.order_by("pk").values()
        ]
        for model in models
    }
