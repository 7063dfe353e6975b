"""What a device shows: that it is one's turn, and in which game. No die, no bid, nobody's name.

A notification stands on the screen of a locked phone, whoever looks at it. Its form is that of
declarative web push (W3C, Push API): where a browser knows it, it needs no worker to show it.
"""

import json

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.mail.letters import link
from games.mail.words import game_title
from games.models import Game

FORM = 8030
"""What tells a declarative message from others (the number of the RFC)."""


def turn_alert(game: Game) -> bytes:
    """Return what a device shows of a turn, in the language that is active.

    ``tag`` makes the next one of this game take its place.
    """
    title = _("Your turn in %(title)s") % {"title": game_title(game)}
    return _alert(title, url=link("game", game.code), tag=game.code)


def trial_alert() -> bytes:
    """Return what the test button sends."""
    text = _("This is a test: here your turns will be announced.")
    return _alert(text, url=link("notices"), tag="test")


def _alert(title: str, *, url: str, tag: str) -> bytes:
    told = {"title": title, "navigate": url, "tag": tag, "lang": get_language() or ""}
    return json.dumps({"web_push": FORM, "notification": told}, ensure_ascii=False).encode()
