"""What other parts of the site may want to know about an account."""

from django.dispatch import Signal

# Sent inside the transaction that erases an account, before its row goes, with ``user`` and
# ``now``. A receiver that raises stops the deletion: nothing is half erased.
account_closing = Signal()

# Sent when a person asks for all that is kept about him, with ``user`` and ``now``. A receiver
# returns a name and a value made of what JSON knows.
account_exporting = Signal()
