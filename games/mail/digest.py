"""The daily digest: all games that wait for one player in one mail, and no die in it."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils.translation import ngettext

from games import wording
from games.mail.letters import Context, link
from games.mail.parts import HALF_A_MINUTE, paused_text
from games.mail.words import moment_text, title_of
from games.selectors.turns import Turn, turns_of


@dataclass(frozen=True, slots=True)
class WaitingPart:
    """A game that waits for the reader: until when, what happens then, and where."""

    title: str
    code: str
    round_number: int
    at: str
    left: str
    paused: str
    time_up: str
    url: str


def digest(user_id: int, *, now: datetime) -> Context:
    """Return what a digest says to a player, the soonest deadline first; empty if none waits."""
    turns = [turn for turn in turns_of(user_id) if turn.deadline_at > now and not turn.is_muted]
    if not turns:
        return {}
    count = len(turns)
    headline = ngettext("%(n)d game waits for you", "%(n)d games wait for you", count)
    return {
        "title": settings.SITE_NAME,
        "headline": headline % {"n": count},
        "preheader": title_of(turns[0].name, turns[0].code),
        "games": [_part(turn, now=now) for turn in turns],
        "settings_url": link("notices"),
        "site_url": link("home"),
        "site_name": settings.SITE_NAME,
    }


def _part(turn: Turn, *, now: datetime) -> WaitingPart:
    return WaitingPart(
        title=title_of(turn.name, turn.code),
        code=turn.code,
        round_number=turn.round_number,
        at=moment_text(turn.deadline_at),
        left=wording.time_left(turn.deadline_at - now + HALF_A_MINUTE),
        paused=paused_text(turn.paused_until, now=now),
        time_up=wording.time_up_warning(turn.time_out),
        url=link("game", turn.code),
    )
