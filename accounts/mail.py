"""What can go wrong when a mail is handed over."""

import smtplib
from typing import Final

from anymail.exceptions import AnymailError

# No server, a server that hangs or refuses, and a provider's answer over HTTP.
MAIL_ERRORS: Final = (OSError, smtplib.SMTPException, AnymailError)
