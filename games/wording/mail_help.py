"""What a player can write by mail, by example, in the words of each language (docs/mail.md).

The lines of one place mean the same in every language; all are understood whatever one reads.
"""

from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import get_language

BIDS = MappingProxyType(
    {
        "en": ("5 fours", "five 4s", "5x4"),
        "it": ("5 quattro", "cinque 4", "5x4"),
        "fr": ("5 quatre", "cinq 4", "5x4"),
        "es": ("5 cuatros", "cinco 4", "5x4"),
    }
)
ACES = MappingProxyType({"en": "2 aces", "it": "2 assi", "fr": "2 as", "es": "2 ases"})
CALLS = MappingProxyType(
    {
        "en": ("dudo", "calza"),
        "it": ("dubito", "calza"),
        "fr": ("je doute", "calza"),
        "es": ("dudo", "calzo"),
    }
)
ORDERS = MappingProxyType(
    {
        "en": ("next: 6 fours else dudo", "cancel"),
        "it": ("prossima: 6 quattro altrimenti dudo", "annulla"),
        "fr": ("ensuite : 6 quatre sinon dudo", "annule"),
        "es": ("próxima: 6 cuatros si no dudo", "cancela"),
    }
)
QUESTIONS = MappingProxyType(
    {
        "en": ("my dice", "status", "history", "help"),
        "it": ("i miei dadi", "stato", "storico", "aiuto"),
        "fr": ("mes dés", "état", "historique", "aide"),
        "es": ("mis dados", "estado", "historial", "ayuda"),
    }
)
REST = MappingProxyType(
    {
        "en": ("say: good luck", "stop mail", "yes"),
        "it": ("dire: buona fortuna", "basta mail", "sì"),
        "fr": ("dire : bonne chance", "plus de mails", "oui"),
        "es": ("decir: buena suerte", "no más correo", "sí"),
    }
)
"""A line to the table, no more mails, and a seat taken."""


@dataclass(frozen=True, slots=True)
class MailHelp:
    """Lines to write, in one language; ``others`` is the first bid in all the other ones."""

    bids: tuple[str, ...]
    others: tuple[str, ...]
    aces: str
    dudo: str
    calza: str
    order: str
    cancel: str
    dice: str
    questions: tuple[str, ...]
    say: str
    stop: str
    accept: str


def mail_help() -> MailHelp:
    """Return the lines in the language that is active; the English ones where it has none."""
    asked = (get_language() or "en").partition("-")[0]
    language = asked if asked in BIDS else "en"
    dudo, calza = CALLS[language]
    order, cancel = ORDERS[language]
    dice, *questions = QUESTIONS[language]
    say, stop, accept = REST[language]
    return MailHelp(
        bids=BIDS[language],
        others=tuple(lines[0] for code, lines in BIDS.items() if code != language),
        aces=ACES[language],
        dudo=dudo,
        calza=calza,
        order=order,
        cancel=cancel,
        dice=dice,
        questions=tuple(questions),
        say=say,
        stop=stop,
        accept=accept,
    )
