"""Celery's part: ring the bell. What is due stands in the database, and the services find it."""

from celery import shared_task
from django.utils import timezone

from games.services import (
    conduct,
    deadlines,
    outbox,
    ratings,
    receiving,
    relay,
    statistics,
    tidying,
)


@shared_task(name="games.tasks.expire_turns")
def expire_turns() -> int:
    """Move bots and play missed turns; return how many games were moved on."""
    return deadlines.expire_turns(now=timezone.now())


@shared_task(name="games.tasks.relay_outbox")
def relay_outbox() -> int:
    """Send mails, announcements and pushes that are due; return how many rows were settled."""
    return outbox.settled(relay.deliver_all(clock=timezone.now))


@shared_task(name="games.tasks.count_rounds")
def count_rounds() -> int:
    """Count how players kept their turns in the rounds that are over; return how many rounds."""
    return conduct.count_rounds(now=timezone.now())


@shared_task(name="games.tasks.count_games")
def count_games() -> int:
    """Count the games that are over into statistics; return how many."""
    return statistics.count_games()


@shared_task(name="games.tasks.rate_games")
def rate_games() -> int:
    """Rate the games that are over; return how many."""
    return ratings.rate_games(now=timezone.now())


@shared_task(name="games.tasks.handle_mail")
def handle_mail(mail_id: int) -> str:
    """Handle a mail that a door has stored; return what became of it."""
    return receiving.handle(mail_id=mail_id, now=timezone.now())


@shared_task(name="games.tasks.take_mail_in")
def take_mail_in() -> int:
    """Handle the mails that no nudge has brought; return how many."""
    return receiving.sweep(now=timezone.now())


@shared_task(name="games.tasks.forget_mail")
def forget_mail() -> None:
    """Delete mails, and the addresses that they came to, whose time is over."""
    receiving.forget(now=timezone.now())


@shared_task(name="games.tasks.tidy")
def tidy() -> int:
    """Delete notices and invitations whose time is long over; return how many."""
    return tidying.purge(now=timezone.now())
