"""What tells one mail from another."""

import hashlib

from games.replies.incoming import Incoming
from games.replies.lines import fold


def repeat_key(incoming: Incoming, *, token: str) -> str:
    """Return 64 hex digits that are the same for every copy of this mail to this token.

    The Message-ID names a mail; where there is none, its sender, date and first line do. The same
    words in another mail are another mail: two turns in a row may both be ``dudo``.
    """
    if incoming.message_id:
        named = ["id", incoming.message_id]
    else:
        line = incoming.text or incoming.html
        named = ["no-id", *incoming.senders, "", incoming.date, fold(line.text) if line else ""]
    # A separator that none of them holds: they are single lines.
    return hashlib.sha256("\n".join([token, *named]).encode("utf-8", "replace")).hexdigest()
