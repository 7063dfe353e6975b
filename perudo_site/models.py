"""Tables of the site itself: the mailbox of a development machine and the database cache."""

from django.db import models

from perudo_site.mailbox.models import MailboxMessage

__all__ = ["CacheEntry", "MailboxMessage"]


class CacheEntry(models.Model):
    """The table of Django's database cache, made by a migration like every other table."""

    cache_key = models.CharField(max_length=255, primary_key=True)
    value = models.TextField()
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        # Never the key or the value: a rate limit's key names an address.
        return f"cache entry until {self.expires}"
