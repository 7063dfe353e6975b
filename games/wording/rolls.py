"""Rolls that wait for public randomness, in words."""

from datetime import timedelta

from django.utils.translation import gettext as _
from django.utils.translation import ngettext


def waiting_sentence(number: int, left: timedelta) -> str:
    """Return what round ``number`` waits for, and how long that takes or that it is late."""
    seconds = -(-left // timedelta(seconds=1))
    if seconds <= 0:
        return _(
            "The dice of round %(number)d wait for public randomness, which is late. "
            "Nobody’s time runs meanwhile."
        ) % {"number": number}
    return ngettext(
        "The dice of round %(number)d wait for public randomness (about %(count)d second).",
        "The dice of round %(number)d wait for public randomness (about %(count)d seconds).",
        seconds,
    ) % {"number": number, "count": seconds}


def vote_sentence(votes: int, voters: int) -> str:
    """Return what the table may decide after a day of waiting, and how far it has got."""
    return _(
        "The source of public randomness has been silent for a day. If more than half of the "
        "players still in want it, this round is rolled without; the game’s log says so for ever. "
        "So far %(votes)d of %(voters)d want it."
    ) % {"votes": votes, "voters": voters}
