"""What a log must not tell."""

import logging
import re

# Where an invitation is asked for and refused, Django's request log names its address.
_INVITATION = re.compile(r"(/join/)\w{26}")


class HideTokens(logging.Filter):
    """Take the tokens out of the addresses in a line: whoever reads a log was not invited."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Let every line through, without its tokens."""
        line = record.getMessage()
        hidden = _INVITATION.sub(r"\1…", line)
        if hidden != line:
            record.msg, record.args = hidden, ()
        return True
