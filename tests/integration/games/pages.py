"""How the tests of the pages look at a page and press its buttons."""

import re
from typing import Any

from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from games import rules
from games.models import Game
from tests.cast import act, person, seat_of, table

_INPUT = re.compile(r"<input\b[^>]*>")
_ATTRIBUTE = re.compile(r'([\w-]+)="([^"]*)"')


def browser(name: str = "") -> Client:
    """Return a browser in which ``name`` is signed in, or nobody is."""
    client = Client()
    if name:
        client.force_login(person(name))
    return client


def live_table(*names: str, **choices: Any) -> Game:
    """Return a game that has just begun: pages read the clock."""
    return table(names or ("alice", "bob"), now=timezone.now(), **choices)


def bid(game: Game, name: str, text: str) -> Game:
    """Let ``name`` bid, and return the game after it."""
    action = rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text))
    return act(game, action, now=timezone.now())


def dudo(game: Game, name: str) -> Game:
    """Let ``name`` doubt, and return the game after it."""
    return act(game, rules.Dudo(seat_of(game, name).number), now=timezone.now())


def address(game: Game, rest: str = "") -> str:
    """Return the address of a game's page."""
    return f"/g/{game.code}/{rest}"


def text(response: HttpResponse) -> str:
    """Return the page as its reader sees the source."""
    return response.content.decode()


def inputs(html: str, name: str) -> list[dict[str, str]]:
    """Return the attributes of all inputs called ``name``."""
    tags = [tag for tag in _INPUT.findall(html) if f'name="{name}"' in tag]
    return [
        {**dict(_ATTRIBUTE.findall(tag)), **({"checked": ""} if " checked" in tag else {})}
        for tag in tags
    ]


def offered(html: str) -> list[str]:
    """Return the bids that a page offers."""
    return [field["value"] for field in inputs(html, "bid")]


def ticked(html: str) -> list[str]:
    """Return the bids that are chosen on a page."""
    return [field["value"] for field in inputs(html, "bid") if "checked" in field]


def move(client: Client, game: Game, **fields: Any) -> dict[str, Any]:
    """Return the fields of the move form that ``client`` sees, with those filled in."""
    html = text(client.get(address(game)))
    return {
        "version": inputs(html, "version")[0]["value"],
        "idem_key": inputs(html, "idem_key")[0]["value"],
        **fields,
    }
