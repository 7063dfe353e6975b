"""What may be said at a table by mail: one line that gives nothing away, by mistake or not."""

import re

from games.replies import MARKER

_ADDRESS = re.compile(r"@|://|www\.|\b[a-z0-9-]{1,63}\.[a-z]{2,24}\b", re.IGNORECASE)
_BETWEEN = re.compile(r"[\s,.;:/|+&_-]{1,3}")
_FACES = re.compile(r"[1-6]+", re.ASCII)


def why_not_said(text: str, *, dice: int) -> str:
    """Return the code of the reason why a line is not shown to the others, or nothing.

    A quote may hold a mail that had dice in it; so does a run of as many faces as the player has
    dice, with whatever stands between them.

    :param text: one line, cleaned.
    :param dice: how many its writer has.
    """
    if ">" in text or MARKER in text:
        return "say-quote"
    if _ADDRESS.search(text):
        return "say-link"
    together = _BETWEEN.sub("", text)
    if dice and any(len(run) >= dice for run in _FACES.findall(together)):
        return "say-dice"
    return ""
