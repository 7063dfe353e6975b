"""Names of faces and bids: "ace", "4 fives", "5 dice"."""

from collections.abc import Sequence
from types import MappingProxyType

from django.utils.translation import gettext, ngettext, ngettext_lazy

from games.rules import Bid

# Lazy, because one process speaks several languages; whole phrases, because a language may put the
# number elsewhere or bend the word after it.
_FACES = MappingProxyType(
    {
        1: ngettext_lazy("ace", "aces"),
        2: ngettext_lazy("two", "twos"),
        3: ngettext_lazy("three", "threes"),
        4: ngettext_lazy("four", "fours"),
        5: ngettext_lazy("five", "fives"),
        6: ngettext_lazy("six", "sixes"),
    }
)
_BIDS = MappingProxyType(
    {
        1: ngettext_lazy("%(quantity)d ace", "%(quantity)d aces", "quantity"),
        2: ngettext_lazy("%(quantity)d two", "%(quantity)d twos", "quantity"),
        3: ngettext_lazy("%(quantity)d three", "%(quantity)d threes", "quantity"),
        4: ngettext_lazy("%(quantity)d four", "%(quantity)d fours", "quantity"),
        5: ngettext_lazy("%(quantity)d five", "%(quantity)d fives", "quantity"),
        6: ngettext_lazy("%(quantity)d six", "%(quantity)d sixes", "quantity"),
    }
)


def face_name(face: int, count: int = 1) -> str:
    """Return the name of ``face`` (1 is the ace) for ``count`` dice: "five", "fives"."""
    return str(_FACES[face] % count)


def bid_text(bid: Bid) -> str:
    """Return a bid as it is said: "4 fives", "1 ace"."""
    return quantity_text(bid.quantity, bid.face)


def quantity_text(quantity: int, face: int) -> str:
    """Return "4 fives" for any quantity, also 0, which no bid may name."""
    return str(_BIDS[face] % {"quantity": quantity})


def dice_text(dice: Sequence[int]) -> str:
    """Return the faces of some dice as words: "ace, two, two, five"."""
    return gettext(", ").join([face_name(face) for face in dice])


def dice_count_text(count: int) -> str:
    """Return "5 dice" or "1 die"."""
    return ngettext("%(count)d die", "%(count)d dice", count) % {"count": count}
