"""The time for calza in words."""

from datetime import datetime

from django.utils.translation import gettext as _

from games.wording.clocks import in_words


def window_sentence(until: datetime | None) -> str:
    """Return until when calls on a bid are collected, in the active zone, and what that means.

    :param until: None where the table does not tell moments.
    """
    if until is None:
        return _(
            "Everybody has two of his waking hours to call calza on this bid. Nobody sees a call "
            "before they are over, and what the next player does waits until then."
        )
    sentence = _(
        "Calls of calza on this bid are collected until %(at)s, or until everybody has spoken. "
        "Nobody sees a call before, and what the next player does waits until then."
    )
    return sentence % {"at": in_words(until)}
