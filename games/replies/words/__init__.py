"""The words of mails by language: commands that only mails know, and what mail programs write.

Numbers, faces and calls are those of standing orders (``games.orders.words``).
"""

from games.replies.lines import spoken
from games.replies.words.english import ENGLISH
from games.replies.words.french import FRENCH
from games.replies.words.italian import ITALIAN
from games.replies.words.others import OTHERS
from games.replies.words.spanish import SPANISH
from games.replies.words.table import Habits, Words

LANGUAGES: tuple[Words, ...] = (ENGLISH, ITALIAN, FRENCH, SPANISH)
"""The languages of players: all of their commands are always on."""

HABITS: tuple[Habits, ...] = (*[words.habits for words in LANGUAGES], *OTHERS)
"""What mail programs write by themselves, in these languages and some more."""


def every(name: str) -> tuple[str, ...]:
    """Return the folded phrases of one row of all players' languages, each once."""
    found = [phrase for words in LANGUAGES for phrase in spoken(getattr(words, name))]
    return tuple(dict.fromkeys(found))


def habits(name: str) -> tuple[str, ...]:
    """Return the folded phrases of one row of all mail programs' languages, each once."""
    found = [phrase for each in HABITS for phrase in spoken(getattr(each, name))]
    return tuple(dict.fromkeys(found))


__all__ = ["HABITS", "LANGUAGES", "Habits", "Words", "every", "habits", "spoken"]
