"""The grammar of standing orders by example, in each of its languages (docs/orders.md).

What a line means is said by what reads it, so that neither can be wrong without the other. The
lines of one place mean the same in every language.
"""

from dataclasses import dataclass
from types import MappingProxyType

from django.utils.translation import get_language

from games.orders import parse
from games.wording.orders import order_lines

ACTS = MappingProxyType(
    {
        "en": (
            *("bid 7x5", "bid 4x5, 5x5, 6x3", "bid at least 4x5", "least"),
            *("dudo", "calza on 6x5", "ask"),
        ),
        "it": (
            *("dico 7x5", "dico 4x5, 5x5, 6x3", "dico almeno 4x5", "il minimo"),
            *("dubito", "calza su 6x5", "chiedimi"),
        ),
        "fr": (
            *("je dis 7x5", "je dis 4x5, 5x5, 6x3", "je dis au moins 4x5", "le minimum"),
            *("je doute", "calza sur 6x5", "demande"),
        ),
        "es": (
            *("digo 7x5", "digo 4x5, 5x5, 6x3", "digo al menos 4x5", "lo mínimo"),
            *("dudo", "calzo en 6x5", "pregunta"),
        ),
    }
)
"""What an order can do."""

CONDITIONS = MappingProxyType(
    {
        "en": (
            *("dudo below 7x5", "dudo from 7x5", "dudo above 7x5", "dudo on 7x5"),
            *("dudo from 8", "dudo on 5s from 8", "dudo below 30%", "calza exact from 45%"),
            *("bid 3x4 if opening", "ask if from 3x2 and below 8"),
        ),
        "it": (
            *("dubito sotto 7x5", "dubito da 7x5", "dubito sopra 7x5", "dubito su 7x5"),
            *("dubito da 8", "dubito su cinque da 8", "dubito sotto il 30%"),
            *("calza esatto da 45%", "dico 3x4 se apro", "chiedi se da 3x2 e sotto 8"),
        ),
        "fr": (
            *("je doute sous 7x5", "je doute à partir de 7x5", "je doute au-dessus de 7x5"),
            *("je doute sur 7x5", "je doute à partir de 8", "je doute sur cinq à partir de 8"),
            *("je doute sous 30 %", "calza exact à partir de 45 %", "je dis 3x4 quand j'ouvre"),
            "demande si à partir de 3x2 et sous 8",
        ),
        "es": (
            *("dudo por debajo de 7x5", "dudo desde 7x5", "dudo más de 7x5", "dudo en 7x5"),
            *("dudo desde 8", "dudo en cincos desde 8", "dudo menos de 30 %"),
            *("calzo exacto desde 45 %", "digo 3x4 si abro", "pregunta si desde 3x2 y menos de 8"),
        ),
    }
)
"""When it does it."""

WHOLE = MappingProxyType(
    {
        "en": (
            "if below 7x5 bid 7x5; else dudo",
            "dudo below 30%; bid 4x5, 5x5, 6x3; ask from 8",
            "calza on 6x5; bid 3x4 if opening; else least",
        ),
        "it": (
            "se sotto 7x5 dico 7x5; altrimenti dubito",
            "dubito sotto il 30%; rilancio a 4x5, 5x5, 6x3; chiedimi da 8",
            "calza su 6x5; in apertura 3x4; sennò il minimo",
        ),
        "fr": (
            "si sous 7x5 je dis 7x5 ; sinon je doute",
            "je doute sous 30 % ; relance à 4x5, 5x5, 6x3 ; demande à partir de 8",
            "calza sur 6x5 ; je dis 3x4 quand j'ouvre ; sinon le minimum",
        ),
        "es": (
            "si menos de 7x5 digo 7x5; si no dudo",
            "dudo menos de 30 %; subo a 4x5, 5x5, 6x3; pregunta desde 8",
            "calzo en 6x5; digo 3x4 si abro; si no lo mínimo",
        ),
    }
)
"""Orders with several parts."""


@dataclass(frozen=True, slots=True)
class OrderExample:
    """A line as it may be written, as it is stored, and what it says."""

    written: str
    stored: str
    says: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class OrderHelp:
    """The grammar, in the language that is active; English where it has none."""

    acts: tuple[OrderExample, ...]
    conditions: tuple[OrderExample, ...]
    whole: tuple[OrderExample, ...]


def order_help() -> OrderHelp:
    """Return the grammar of orders by example."""
    language = (get_language() or "en").partition("-")[0]
    acts, conditions, whole = (
        tuple(map(_example, lines.get(language, lines["en"])))
        for lines in (ACTS, CONDITIONS, WHOLE)
    )
    return OrderHelp(acts, conditions, whole)


def _example(written: str) -> OrderExample:
    order = parse(written)
    return OrderExample(written, str(order), order_lines(order))
