"""The doors that mail comes in by: an SMTP or LMTP port, and the webhooks of mail providers.

Every door stores the raw mail through ``games.services.receiving`` before it says that it took it.
The third door, a pipe, is ``manage.py receive_mail``. See docs/mail.md.
"""
