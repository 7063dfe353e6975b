"""Celery's part: ring the bell. What is due stands in the database, and the services find it."""

from celery import shared_task
from django.utils import timezone

from games.services import deadlines, outbox, webhooks


@shared_task(name="games.tasks.expire_turns")
def expire_turns() -> int:
    """Move bots and play missed turns; return how many games were moved on."""
    return deadlines.expire_turns(now=timezone.now())


@shared_task(name="games.tasks.relay_outbox")
def relay_outbox() -> int:
    """Send the mails that are due, then tell the webhooks; return how many rows were settled."""
    settled = 0
    while batch := outbox.relay(now=timezone.now()):
        settled += batch
    while hooks := webhooks.deliver(now=timezone.now()):
        settled += outbox.settled(hooks)
    return settled
