"""Two programs that answer every mail, for a day: they are not fed."""

from collections import Counter
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from email.utils import make_msgid

import pytest
from django.core import mail as django_mail
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from games.models import Event, InboundMail, OutboxKind
from games.services import deadlines, outbox, receiving
from games.services.receiving import Outcome
from tests.cast import table
from tests.integration.mail_game.post import BORDER

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

START = datetime(2026, 11, 21, 12, tzinfo=UTC)
DAY, TICK = timedelta(hours=24), timedelta(minutes=5)
ANSWERS = {
    OutboxKind.ACK, OutboxKind.REFUSAL, OutboxKind.ANSWER, OutboxKind.CONFIRM, OutboxKind.CUP,
    OutboxKind.WARNING,
}  # fmt: skip
MOST = 10

# How answering programs give themselves away, from those that do to those that do not at all.
SIGNS: dict[str, dict[str, str]] = {
    "as the standard says": {"Auto-Submitted": "auto-replied"},
    "as old ones do": {"Precedence": "bulk"},
    "by the subject": {"Subject": "Automatic reply: your turn"},
    "not at all": {},
}


def answer(sent: EmailMultiAlternatives, signs: dict[str, str], *, number: int) -> bytes:
    """Return what an answering program makes of one of our mails."""
    letter = EmailMessage()
    letter["Authentication-Results"] = f"{BORDER}; dmarc=pass header.from=example.org"
    letter["From"], letter["To"] = sent.to[0], sent.reply_to[0]
    letter["Message-ID"] = make_msgid(domain="example.org")
    letter["In-Reply-To"] = sent.extra_headers["Message-ID"]
    if "Subject" not in signs:
        letter["Subject"] = f"Re: {sent.subject}"
    for name, value in signs.items():
        letter[name] = value
    letter.set_content(f"I am away until Monday (case {number})\n\n{sent.body}")
    return letter.as_bytes()


@pytest.mark.parametrize("signs", SIGNS.values(), ids=SIGNS)
def test_two_answering_programs_get_at_most_ten_answers_a_day(
    settings: Settings, signs: dict[str, str]
) -> None:
    settings.MAIL_AUTHSERV_ID = BORDER
    table(("alice", "bob"), now=START, turn_seconds=3_600)
    seen, now = 0, START
    while now < START + DAY:
        now += TICK
        deadlines.expire_turns(now=now)
        outbox.relay(now=now)
        fresh, seen = django_mail.outbox[seen:], len(django_mail.outbox)
        for number, sent in enumerate(fresh, start=seen):
            assert isinstance(sent, EmailMultiAlternatives)
            raw = answer(sent, signs, number=number)
            # The refused address of no reply refuses them too.
            if receiving.knows(recipient=sent.reply_to[0]):
                receiving.store(
                    raw=raw,
                    recipient=sent.reply_to[0],
                    received_at=now,
                    door="smtp",
                    sender=sent.to[0],
                )
        receiving.sweep(now=now)
    kinds = Counter(sent.extra_headers["X-Perudo-Mail"] for sent in django_mail.outbox)
    answers = sum(kinds[kind] for kind in ANSWERS)
    assert InboundMail.objects.count() > 4, "they did answer"
    assert answers <= (MOST if not signs else 0), kinds
    # Nothing that they said was played: what moved, moved because their time was up.
    assert not InboundMail.objects.filter(outcome=Outcome.PLAYED).exists()
    moves = Event.objects.filter(kind__in=("bid", "dudo", "calza"))
    assert not moves.filter(is_auto=False).exists()
