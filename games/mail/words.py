"""Small pieces of text that only mails need."""

import unicodedata
from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import get_language, gettext, pgettext

from games.models import Game
from games.rules import Bid
from games.wording import bid_text, zone_text


def one_line(text: str) -> str:
    """Return ``text`` without what could break out of a line or turn its direction.

    Names are checked where they are typed; a mail does not rely on it.
    """
    kept = "".join(
        " " if char.isspace() else char
        for char in text
        if char.isspace() or unicodedata.category(char)[0] != "C"
    )
    return " ".join(kept.split())


def game_title(game: Game) -> str:
    """Return how a game is called outside its own pages."""
    return title_of(game.name, game.code)


def title_of(name: str, code: str) -> str:
    """Return a game's name, or its code when it has none.

    A name that mail programs would turn into a link is not repeated: anybody may type it, and
    anybody may be invited.
    """
    name = one_line(name)
    looks_like_link = any(sign in name for sign in ("://", "@", "/", "www.")) or any(
        "." in word.strip(".…") for word in name.split()
    )
    return code if looks_like_link or not name else name


def moment_text(at: datetime) -> str:
    """Return a time in the zone that is active: "Tuesday 5 May, 14:00 CEST"."""
    local = timezone.localtime(at)
    pattern = pgettext("date format of mails: Tuesday 5 May, 14:00", "l j F, H:i")
    text = date_format(local, pattern)
    # Django writes Italian days and months with a capital, which they never have in a sentence.
    return f"{text.lower() if get_language() == 'it' else text} {zone_text(local)}"


def second_text(at: datetime) -> str:
    """Return a time of day to the second, in the zone that is active: "14:03:30 CEST"."""
    local = timezone.localtime(at)
    return f"{local:%H:%M:%S} {zone_text(local)}"


def bids_text(bids: Sequence[Bid]) -> str:
    """Return bids one after the other: "4 fours, 4 fives, 2 aces"."""
    return gettext(", ").join([bid_text(bid) for bid in bids])


def masked(address: str) -> str:
    """Return an address so that its owner knows it and nobody else can use it: "a…@example.org"."""
    local, _, domain = one_line(address).rpartition("@")
    return f"{local[:1]}…@{domain}"[:120] if local else ""
