"""Celery's part: what is due is found in the database."""

from celery import shared_task
from django.utils import timezone

from accounts import services


@shared_task(name="accounts.tasks.tidy")
def tidy() -> int:
    """Erase unfinished sign-ups and sessions that are over; return how many."""
    tidied = services.tidy(now=timezone.now())
    return tidied.sign_ups + tidied.sessions
