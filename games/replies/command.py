"""What a line says: one command, or why it is none."""

from dataclasses import dataclass, field
from enum import StrEnum

from games.orders import Order, OrderError
from games.rules import Bid

MOST_SAID = 280
"""Characters of a ``say:`` line."""


class Verb(StrEnum):
    """What a player may ask for."""

    BID = "bid"
    DUDO = "dudo"
    CALZA = "calza"
    PASS = "pass"  # noqa: S105
    """Understood, and refused with the reason: in Perudo nobody passes."""
    ORDER = "order"
    CANCEL = "cancel"
    """Take the standing order back."""
    MY_DICE = "my-dice"
    STATUS = "status"
    HISTORY = "history"
    HELP = "help"
    SAY = "say"
    STOP_MAIL = "stop-mail"
    ACCEPT = "accept"
    """Take the seat that an invitation offers."""
    DECLINE = "decline"


@dataclass(frozen=True, slots=True)
class Command:
    """One thing that the player asks for. Whether it is allowed is for others to say."""

    verb: Verb
    bid: Bid | None = None
    """Of ``BID`` alone."""
    order: Order | None = None
    """Of ``ORDER`` alone; ``str(order)`` is its canonical text."""
    said: str = ""
    """Of ``SAY`` alone: cleaned, one line, 1 to 280 characters; the filter is the caller's."""
    code: str | None = None
    """The game's code that stood in front, as the caller wrote it in ``codes``."""


class Reason(StrEnum):
    """Why nothing was understood: stable codes, for whoever words the answer."""

    EMPTY = "empty"
    BOTTOM_POST = "bottom-post"
    """Our own text came first: please write above it."""
    UNKNOWN = "unknown"
    """The words are no command."""
    TWO_READINGS = "two-readings"
    """It could be one of ``readings``, or something else again."""
    TEXT_AND_HTML = "text-and-html"
    """The two parts of the mail say different things: ``readings``."""
    TWO_COMMANDS = "two-commands"
    """A command, and more: one line, one command."""
    QUESTION = "question"
    """A command with a question mark behind it."""
    NO_FACE = "no-face"
    """A number of dice, and of what?"""
    NO_QUANTITY = "no-quantity"
    """A face, and how many?"""
    BAD_QUANTITY = "bad-quantity"
    """No dice at all, or more than ``most``."""
    BAD_FACE = "bad-face"
    """There are faces 1 to 6."""
    BAD_ORDER = "bad-order"
    """``order_error`` says what is wrong with the standing order."""
    SAYS_NOTHING = "says-nothing"
    """``say:`` with nothing behind it."""
    TOO_LONG = "too-long"
    """The line, or what is to be said, is longer than any command."""
    # The mail rather than its line: Incoming.trouble by the same code.
    TOO_BIG = "too-big"
    HEADERS_TOO_BIG = "headers-too-big"
    TOO_MANY_PARTS = "too-many-parts"
    TOO_DEEP = "too-deep"
    ENCRYPTED = "encrypted"
    ONLY_ATTACHMENTS = "only-attachments"
    UNREADABLE = "unreadable"


@dataclass(frozen=True, slots=True)
class Unread:
    """Say why there is no command. ``shown`` is what we read, safe to quote back."""

    reason: Reason
    shown: str = ""
    readings: tuple[Command, ...] = ()
    """What it might have meant: at most two, for the answer to show side by side."""
    order_error: OrderError | None = field(default=None, compare=False)
    most: int | None = None
    """The limit that was passed: dice on the table, characters."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A command that stood in the subject of an empty mail: only ever done by a confirm link."""

    command: Command
    shown: str
