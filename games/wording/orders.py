"""Standing orders in words: what one says, what it would do, and why a text is none."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.orders import (
    Ask,
    AtLeast,
    Call,
    Explained,
    Order,
    OrderError,
    OrderWarning,
    Phrase,
    Row,
    explain,
)
from games.rules import Bid, Calza, Dudo, MakeBid, RuleViolation
from games.wording.dice import bid_text, face_name
from games.wording.refusals import refusal

_REFUSALS = MappingProxyType(
    {
        "order.empty": gettext_lazy(
            "There is nothing here yet: write an order such as “dudo below 30%%”."
        ),
        "order.too-long": gettext_lazy("An order has at most %(most)s characters."),
        "order.too-many-clauses": gettext_lazy("An order has at most %(most)s parts."),
        "order.too-many-rungs": gettext_lazy("One part names at most %(most)s bids."),
        "order.too-many-conditions": gettext_lazy("One part has at most %(most)s conditions."),
        "order.word": gettext_lazy(
            "“%(word)s” (character %(position)s) was not expected: here we need %(wanted)s."
        ),
        "order.ends": gettext_lazy(
            "The text ends (character %(position)s) where we need %(wanted)s."
        ),
        "order.bid": gettext_lazy(
            "“%(word)s” (character %(position)s) is no bid: we need 1 to %(most)s dice and a face "
            "from 1 to 6."
        ),
        "order.percent": gettext_lazy(
            "“%(word)s” (character %(position)s) is no chance: we need 1 to 99 percent, with "
            "below, above or from."
        ),
        "order.after-else": gettext_lazy(
            "“%(word)s” (character %(position)s) comes too late: nothing follows the last “else”."
        ),
        "order.pass": gettext_lazy("“%(word)s” (character %(position)s): in Perudo nobody passes."),
    }
)
_EXPECTED = MappingProxyType(
    {
        "act": gettext_lazy("what to do (bid, dudo, calza, least or ask)"),
        "bid": gettext_lazy("a bid such as 4x5"),
        "condition": gettext_lazy("a condition such as “below 30%%”, “from 8” or “on 6x5”"),
        "face": gettext_lazy("a face from 1 to 6"),
        "number": gettext_lazy("a bid such as 7x5, a number of dice or a percentage"),
        "end": gettext_lazy("a semicolon or the end"),
    }
)
_WARNINGS = MappingProxyType(
    {
        "order.unreachable": gettext_lazy("“%(part)s” never comes to act: look at its place."),
        "order.calza-refused": gettext_lazy("“%(part)s” is never played. %(why)s"),
        "order.rung-illegal": gettext_lazy(
            "%(bid)s is never a legal raise here, so it is passed over."
        ),
        "order.rung-unused": gettext_lazy("%(bid)s is never played: another bid goes before it."),
    }
)
_ASKS = MappingProxyType(
    {
        "order.ask": gettext_lazy("It asks you"),
        "order.nothing-left": gettext_lazy("It asks you: nothing in it applies any more"),
        "order.no-raise": gettext_lazy("It asks you: the table’s limit leaves no raise"),
    }
)
_ACTS = MappingProxyType(
    {
        "act.bid": gettext_lazy("bid %(bid)s"),
        "act.ladder": gettext_lazy("bid the first of these that is a legal raise: %(bids)s"),
        "act.at-least": gettext_lazy("bid %(bid)s, or as few more of them as it takes"),
        "act.dudo": gettext_lazy("call dudo"),
        "act.calza": gettext_lazy("call calza"),
        "act.least": gettext_lazy("make the lowest raise"),
        "act.ask": gettext_lazy("ask me"),
    }
)
_CONDITIONS = MappingProxyType(
    {
        "if.opening": gettext_lazy("I open the round"),
        "if.bid-below": gettext_lazy("the bid is lower than %(bid)s"),
        "if.bid-from": gettext_lazy("the bid is %(bid)s or higher"),
        "if.bid-above": gettext_lazy("the bid is higher than %(bid)s"),
        "if.bid-on": gettext_lazy("the bid is just %(bid)s"),
        "if.quantity-below": gettext_lazy("it names fewer than %(quantity)s dice"),
        "if.quantity-from": gettext_lazy("it names %(quantity)s dice or more"),
        "if.quantity-above": gettext_lazy("it names more than %(quantity)s dice"),
        "if.quantity-on": gettext_lazy("it names just %(quantity)s dice"),
        "if.face-below": gettext_lazy("it is on %(face)s and names fewer than %(quantity)s"),
        "if.face-from": gettext_lazy("it is on %(face)s and names %(quantity)s or more"),
        "if.face-above": gettext_lazy("it is on %(face)s and names more than %(quantity)s"),
        "if.face-on": gettext_lazy("it is on %(face)s and names just %(quantity)s"),
        "if.holds-below": gettext_lazy("the chance that it holds is below %(percent)s %%"),
        "if.holds-from": gettext_lazy("the chance that it holds is %(percent)s %% or more"),
        "if.holds-above": gettext_lazy("the chance that it holds is above %(percent)s %%"),
        "if.exact-below": gettext_lazy("the chance that it is exact is below %(percent)s %%"),
        "if.exact-from": gettext_lazy("the chance that it is exact is %(percent)s %% or more"),
        "if.exact-above": gettext_lazy("the chance that it is exact is above %(percent)s %%"),
    }
)
_AND = pgettext_lazy("between two conditions of an order", " and ")


def order_refusal(error: OrderError) -> str:
    """Return why a text is no order: the word, its place, and what was wanted there."""
    wanted = _EXPECTED[str(error.params["expected"])] % {} if "expected" in error.params else ""
    return str(_REFUSALS[error.code]) % {**error.params, "wanted": wanted}


def order_lines(order: Order) -> tuple[str, ...]:
    """Return an order in sentences, one for each of its parts and the last for what is left."""
    *parts, last = explain(order)
    fallback = _("In all other cases: %(act)s.") if parts else _("Always: %(act)s.")
    return (*(_line(part) for part in parts), fallback % {"act": _phrase(_ACTS, last.act)})


def shown_action(row: Row) -> str:
    """Return what an order does on the bids of one row of its preview."""
    match row.action:
        case MakeBid(_, bid):
            return _("It bids %(bid)s") % {"bid": bid_text(bid)}
        case Dudo():
            return _("It calls dudo")
        case Calza():
            return _("It calls calza")
        case AtLeast(bid):
            return _("It bids the fewest %(face)s that are legal") % {
                "face": face_name(bid.face, 2)
            }
        case Ask():
            return ask_sentence(row.action)
        case Call():
            return _("It makes the lowest raise")


def order_bids(first: Bid | None, last: Bid | None) -> str:
    """Return the bids of one row of a preview; None is the player's own opening."""
    if first is None or last is None:
        return _("You open")
    if first == last:
        return bid_text(first)
    return _("%(first)s to %(last)s") % {"first": bid_text(first), "last": bid_text(last)}


def chance_range(least: float, most: float) -> str:
    """Return a range of chances in whole percent."""
    low, high = round(100 * least), round(100 * most)
    if low == high:
        return _("%(chance)s %%") % {"chance": low}
    return _("%(low)s–%(high)s %%") % {"low": low, "high": high}


def ask_sentence(ask: Ask) -> str:
    """Return that an order asks its player, and why."""
    if ask.refusal is not None:
        return _("It asks you: %(why)s") % {"why": refusal(ask.refusal)}
    return str(_ASKS[ask.code])


def order_warning(warning: OrderWarning, order: Order) -> str:
    """Return what in an order its player may not have meant."""
    if warning.clause is None:
        part = f"else {order.fallback}"
    else:
        part = str(order.clauses[warning.clause])
    return str(_WARNINGS[warning.code]) % {
        "part": part,
        "bid": "" if warning.bid is None else bid_text(warning.bid),
        "why": refusal(RuleViolation(warning.refusal)) if warning.refusal else "",
    }


def _line(part: Explained) -> str:
    act = _phrase(_ACTS, part.act)
    if not part.conditions:
        return _("Where that can be done: %(act)s.") % {"act": act}
    conditions = str(_AND).join(_phrase(_CONDITIONS, each) for each in part.conditions)
    return _("If %(conditions)s: %(act)s.") % {"conditions": conditions, "act": act}


def _phrase(sentences: Mapping[str, object], phrase: Phrase) -> str:
    said = {key: _said(key, value) for key, value in phrase.values.items()}
    return str(sentences[phrase.code]) % said


def _said(key: str, value: int | Bid | Sequence[Bid]) -> object:
    if isinstance(value, Bid):
        return bid_text(value)
    if isinstance(value, Sequence):
        return _(", ").join(bid_text(bid) for bid in value)
    return face_name(value, 2) if key == "face" else value
