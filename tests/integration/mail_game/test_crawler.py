"""Scanners open every link of a mail, and some send every form behind it: nothing changes."""

from datetime import UTC, datetime, timedelta

import pytest
from django.core import mail as django_mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from games.services import deadlines, outbox, receiving
from tests.integration.doors.known import turn_address
from tests.integration.mail.letters import opened_by
from tests.integration.mail_game.crawler import Crawler
from tests.integration.mail_game.playing import open_room
from tests.integration.security.roles import everything
from tests.unit.replies.letters import letter

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def write(name: str, line: str, *, to: str, now: datetime) -> None:
    """Let a mail come in that nobody vouches for."""
    raw = letter(line).replace(b"alice@", f"{name}@".encode())
    raw = raw.replace(b"<one@", f"<{name}-{line[:4].strip()}@".encode())
    receiving.store(raw=raw, recipient=to, received_at=now, door="smtp", sender="x@example.org")
    receiving.sweep(now=now)
    outbox.relay(now=now)


def text_of(sent: EmailMultiAlternatives) -> str:
    """Return everything in a mail that a program could take for a link."""
    html = "\n".join(str(part) for part, _ in sent.alternatives)
    return "\n".join([str(sent.body), html.replace("&amp;", "&"), str(sent.extra_headers)])


def test_who_opens_every_link_and_sends_every_form_changes_nothing(settings: Settings) -> None:
    settings.MAIL_WITHOUT_BORDER = "confirm"
    now = datetime.now(UTC)
    open_room()  # invitations
    game = opened_by("alice", "bob", now=now, turn_seconds=3_600)
    outbox.relay(now=now)
    alices, bobs = turn_address(game, "alice", now=now), turn_address(game, "bob", now=now)
    write("alice", "1 two", to=alices, now=now)  # a link to confirm it
    write("alice", "perhaps 1 two", to=alices, now=now)  # a refusal
    write("alice", "status", to=alices, now=now)
    write("mallory", "1 two", to=bobs, now=now)  # a warning
    for hours in (0.6, 0.9, 1.2, 2.5):  # reminders, and turns that were missed
        later = now + timedelta(hours=hours)
        deadlines.expire_turns(now=later)
        outbox.relay(now=later)
    sent = [mail for mail in django_mail.outbox if isinstance(mail, EmailMultiAlternatives)]
    kinds = {mail.extra_headers["X-Perudo-Mail"] for mail in sent}
    assert kinds >= {"invitation", "turn", "reminder", "confirm", "refusal", "answer", "warning"}
    before = everything()
    crawler = Crawler()
    for mail in sent:
        crawler.crawl(text_of(mail))
    opened = {page.split("/")[1] for page, status in crawler.visited if status == 200}
    assert opened >= {"stop", "answer", "join", "help", "settings"}
    assert {page.split("/")[1] for page, _ in crawler.posted} >= {"stop", "answer"}
    after = everything()
    assert {name for name in before if before[name] != after[name]} == set()
