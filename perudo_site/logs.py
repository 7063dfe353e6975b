"""What a log must tell, and what it must not."""

import logging
import re
import time
from typing import Final

# Where a page is asked for and refused, Django's request log names its address: an invitation's,
# or one that confirms a mail.
_INVITATION: Final = re.compile(r"(/join/)\w{26}|(/answer/)[\w:-]+")
# Whoever knows the address that we gave to a player could write in his place.
_REPLY: Final = re.compile(r"\b([a-z]-)[0-9a-z]{26}\b(?=@|%40)", re.IGNORECASE)
# Line ends, terminal escapes and bidi controls: somebody else's text must not look like our line.
_CONTROLS: Final = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]"
)


class OneLine(logging.Formatter):
    """Writes a record so that nothing in it can pass for another record, nor for an invitation.

    Times are UTC. Whatever follows the first line (a traceback) is indented; control characters
    are spelled out.
    """

    converter = staticmethod(time.gmtime)
    default_time_format = "%Y-%m-%dT%H:%M:%S"
    default_msec_format = "%s.%03dZ"

    def __init__(self) -> None:
        super().__init__("{asctime} {levelname} {name} {message}", style="{")

    def formatMessage(self, record: logging.LogRecord) -> str:
        """Return the first line, whatever ends of lines the message holds."""
        return super().formatMessage(record).replace("\n", "\\n")

    def format(self, record: logging.LogRecord) -> str:
        """Return the whole record, without the tokens of invitations."""
        text = super().format(record).replace("\n", "\n    ")
        text = _CONTROLS.sub(lambda found: ascii(found[0])[1:-1], text)
        return without_tokens(text)


def without_tokens(text: str) -> str:
    """Return ``text`` with the secret parts cut out of the addresses in it."""
    return _REPLY.sub(r"\1…", _INVITATION.sub(lambda found: f"{found[1] or found[2]}…", text))
