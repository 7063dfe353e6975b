"""Which line of a mail counts: that of its text, unless the HTML says another thing."""

from collections.abc import Collection
from dataclasses import replace

from games.replies.command import Command, Offer, Reason, Unread
from games.replies.grammar import parse_command
from games.replies.incoming import Incoming, Line
from games.replies.lines import shown


def command_of(
    incoming: Incoming, *, most: int | None = None, codes: Collection[str] = ()
) -> Command | Offer | Unread:
    """Return the one command of a mail, an offer to confirm one, or why there is none.

    :param most: the most dice that a bid may name (those on the table); None: 99.
    :param codes: the games that may be named in front of a command, as in ``friday: 5 fours``.
    """
    if incoming.trouble is not None:
        return Unread(Reason(incoming.trouble.value))
    first = incoming.text or incoming.html
    if first is None:
        return _of_subject(incoming, most=most, codes=codes)
    read = _of_line(first, most=most, codes=codes)
    second = incoming.html if incoming.text is not None else None
    if second is None or not isinstance(read, Command):
        return read
    other = _of_line(second, most=most, codes=codes)
    if isinstance(other, Command) and other != read:
        return Unread(Reason.TEXT_AND_HTML, shown=first.shown, readings=(read, other))
    return read


def _of_line(line: Line, *, most: int | None, codes: Collection[str]) -> Command | Unread:
    if line.is_quote:
        return Unread(Reason.BOTTOM_POST, shown=line.shown)
    read = parse_command(line.text, most=most, codes=codes)
    return replace(read, shown=line.shown) if isinstance(read, Unread) else read


def _of_subject(incoming: Incoming, *, most: int | None, codes: Collection[str]) -> Offer | Unread:
    """Look at the subject of a mail without text: what it says is done after a confirmation.

    That of an answer begins with ``Re:``, and so is no command.
    """
    read = parse_command(incoming.subject, most=most, codes=codes)
    return (
        Offer(read, shown(incoming.subject)) if isinstance(read, Command) else Unread(Reason.EMPTY)
    )
