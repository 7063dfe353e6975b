"""Answers to players' mails in words: why nothing was played, and what was read."""

from collections.abc import Mapping
from datetime import datetime
from types import MappingProxyType

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.orders import OrderError, parse
from games.rules import Bid, RuleViolation
from games.rules.errors import ALL_CODES
from games.wording.dice import bid_text
from games.wording.orders import order_lines, order_refusal
from games.wording.refusals import refusal
from games.wording.waiting import lobby_refusal

_REASONS = MappingProxyType(
    {
        # what was not understood
        "empty": gettext_lazy("There is nothing in your mail above our text."),
        "bottom-post": gettext_lazy(
            "Our own text comes first in your mail. Please write your line above it, at the top."
        ),
        "unknown": gettext_lazy(
            "We need the number of dice and the face, or one word such as dudo, and nothing else "
            "on the line."
        ),
        "two-readings": gettext_lazy("It can be read in two ways, and we never guess."),
        "text-and-html": gettext_lazy(
            "Your mail holds two versions that say different things, and we never guess."
        ),
        "two-commands": gettext_lazy("There is more than one command on the line."),
        "question": gettext_lazy("With a question mark it is a question, and not a move."),
        "no-face": gettext_lazy("There is a number of dice, but no face."),
        "no-quantity": gettext_lazy("There is a face, but not how many dice."),
        "bad-quantity": gettext_lazy("A bid names at least 1 die."),
        "bad-quantity-most": gettext_lazy(
            "A bid names from 1 to %(most)s dice here: so many are on the table."
        ),
        "bad-face": gettext_lazy("A die has the faces 1 to 6."),
        "bad-order": gettext_lazy("The standing order cannot be read."),
        "says-nothing": gettext_lazy("There is nothing behind “say:”."),
        "too-long": gettext_lazy("The line is too long."),
        "too-big": gettext_lazy("Your mail is larger than one megabyte, so it was not read."),
        "headers-too-big": gettext_lazy(
            "The header of your mail is too large, so it was not read."
        ),
        "too-many-parts": gettext_lazy("Your mail has too many parts, so it was not read."),
        "too-deep": gettext_lazy("Your mail has too many parts, so it was not read."),
        "encrypted": gettext_lazy("Your mail is encrypted, and we have no key to it."),
        "only-attachments": gettext_lazy(
            "There are only attachments in your mail, and we open none. Write the line as text."
        ),
        "unreadable": gettext_lazy("Your mail could not be read. Write the line as plain text."),
        "which-game": gettext_lazy(
            "Several games wait for you: write the code of the game before the line, such as "
            "“%(code)s: dudo”."
        ),
        # what may not be
        "pass": gettext_lazy("In Perudo nobody passes: bid higher, or call dudo."),
        "game-address": gettext_lazy(
            "The mail that you answered takes no moves. Answer this one: its address is that of "
            "your turn."
        ),
        "late": gettext_lazy("It came after your time was up."),
        "turn-over": gettext_lazy("The turn that you answered is over."),
        "other-round": gettext_lazy(
            "Another round has begun since the mail that you answered: look at your dice once more."
        ),
        "no-dice": gettext_lazy("You have no dice in this round."),
        "say-quote": gettext_lazy(
            "A line that quotes a mail is not shown to others: it could hold your dice."
        ),
        "say-link": gettext_lazy("A line with an address or a link in it is not shown to others."),
        "say-dice": gettext_lazy(
            "A line with so many digits from 1 to 6 is not shown to others: they could be your "
            "dice."
        ),
        # invitations
        "only-yes": gettext_lazy("Answer “yes” to take the seat, and “no” to leave it."),
        "no-account": gettext_lazy(
            "A seat belongs to an account, and there is none with your address yet. Follow the "
            "link in the invitation to make one."
        ),
        "invitation-over": gettext_lazy("The invitation is not good any more."),
        # who wrote
        "sender.forged": gettext_lazy(
            "Somebody sent a mail in your name that your mail provider did not send."
        ),
        "sender.stranger": gettext_lazy(
            "Somebody wrote to your private game address from another address than yours."
        ),
        "sender.unverified": gettext_lazy(
            "A mail came from an address that you have added but not confirmed. Confirm it first, "
            "then it may play."
        ),
        "sender.list": gettext_lazy(
            "A mail to your private game address came through a mailing list."
        ),
        "sender.count": gettext_lazy(
            "A mail to your private game address named no sender, or more than one."
        ),
        "forward": gettext_lazy(
            "A mail of ours was forwarded to your private game address: whoever did it has seen "
            "that address."
        ),
    }
)


def reply_reason(code: str, params: Mapping[str, object]) -> str:
    """Return why nothing was played, or what somebody else did."""
    if code in ALL_CODES:
        return refusal(RuleViolation(code, **params))
    if code.startswith(("lobby.", "clock.")):
        return lobby_refusal(code, {key: _moment(value) for key, value in params.items()})
    if code.startswith("forward."):
        code = "forward"
    if code == "bad-quantity" and "most" in params:
        code = "bad-quantity-most"
    return str(_REASONS.get(code, _REASONS["unknown"])) % params


_OUTCOMES = MappingProxyType(
    {
        "played": gettext_lazy("played"),
        "held": gettext_lazy("to be played in a moment: until then you can take it back"),
        "taken-back": gettext_lazy("the move was taken back"),
        "ordered": gettext_lazy("a standing order"),
        "withdrawn": gettext_lazy("your standing order was withdrawn"),
        "dice": gettext_lazy("your dice went to you"),
        "told": gettext_lazy("answered"),
        "said": gettext_lazy("said at the table"),
        "stopped": gettext_lazy("mails were stopped"),
        "joined": gettext_lazy("you took the seat"),
        "declined": gettext_lazy("you left the seat to others"),
        "confirming": gettext_lazy("a link went to you: nothing is played before you press it"),
        "replaced": gettext_lazy("the address was replaced before: nothing was played"),
        "gone": gettext_lazy("nothing was played"),
        "too-many": gettext_lazy("too many mails within a day: nothing was played"),
        "failed": gettext_lazy("it could not be handled: nothing was played"),
    }
)
_ONLY_A_MAIL = frozenset({"dice", "told", "confirming"})


def outcome_text(outcome: str, reason: str, *, is_answered: bool) -> str:
    """Return what became of a mail, by the codes that were kept of it.

    :param is_answered: whether a mail went out, which is all that some outcomes are.
    """
    if outcome in _OUTCOMES and (is_answered or outcome not in _ONLY_A_MAIL):
        return str(_OUTCOMES[outcome])
    if reason in _REASONS and "%" not in str(_REASONS[reason]):
        return str(_REASONS[reason])
    return _("nothing was played")


def order_error_text(code: str, params: Mapping[str, str | int]) -> str:
    """Return what is wrong with the words of a standing order."""
    return order_refusal(OrderError(code, **params))


def reading_text(verb: str, bid: str = "", order: str = "") -> str:
    """Return what was read, spelled out: "5 fours (5 × 4)", "dudo"."""
    if bid:
        read = Bid.parse(bid)
        return _("%(bid)s (%(quantity)d × %(face)d)") % {
            "bid": bid_text(read),
            "quantity": read.quantity,
            "face": read.face,
        }
    if order:
        return _("standing order: %(order)s") % {"order": order}
    return verb


def order_reading(order: str) -> tuple[str, ...]:
    """Return a standing order in full sentences."""
    return order_lines(parse(order))


def _moment(value: object) -> object:
    try:
        return datetime.fromisoformat(value) if isinstance(value, str) else value
    except ValueError:
        return value
