"""What the tests of mails share."""

import re
from datetime import datetime

from django.core.mail import EmailMultiAlternatives

from games import rules
from games.mail.render import render
from games.models import Game, OutboxKind, OutboxMessage, OutboxStatus, Seat
from games.services import notices
from tests.cast import NOON, act, give_turn, seat_of, table


def notice(game: Game, kind: str, name: str) -> OutboxMessage:
    """Return the newest notice of one kind to ``name``; reminders are planned with their turn's."""
    rows = OutboxMessage.objects.filter(game=game, kind=kind, seat=seat_of(game, name))
    if kind == OutboxKind.REMINDER and not rows.exists():
        turn = notice(game, OutboxKind.TURN, name)
        notices.plan_reminders(turn, now=turn.created_at)
    return rows.order_by("-pk")[:1].get()


def mail_to(
    game: Game, kind: str, name: str, *, now: datetime = NOON
) -> EmailMultiAlternatives | None:
    """Return the newest mail of one kind to ``name``, or None when it is superseded."""
    return render(notice(game, kind, name), now=now)


def sent_mail(game: Game, kind: str, name: str, *, now: datetime = NOON) -> EmailMultiAlternatives:
    """Return the newest mail of one kind to ``name``; it must not be superseded."""
    mail = mail_to(game, kind, name, now=now)
    assert mail is not None, f"the {kind} notice to {name} is superseded"
    return mail


def html_of(mail: EmailMultiAlternatives) -> str:
    """Return the HTML part."""
    ((content, kind),) = mail.alternatives
    assert kind == "text/html"
    assert isinstance(content, str)
    return content


def preheader_of(mail: EmailMultiAlternatives) -> str:
    """Return what a list of mails shows beside the subject."""
    found = re.search(r'<div class="preheader"[^>]*>(.*?)</div>', html_of(mail), re.DOTALL)
    assert found
    return found[1]


def parts_of(mail: EmailMultiAlternatives) -> tuple[object, ...]:
    """Return everything that makes the mail, without the boundary that differs each time."""
    return (
        mail.subject, mail.from_email, tuple(mail.to), tuple(mail.reply_to), mail.body,
        html_of(mail), tuple(sorted(mail.extra_headers.items())),
    )  # fmt: skip


def links_of(mail: EmailMultiAlternatives) -> set[str]:
    """Return every address that either part leads to."""
    text = str(mail.body)
    return set(re.findall(r'href="([^"]+)"', html_of(mail))) | set(
        re.findall(r"https?://\S+", text)
    )


def settle(*messages: OutboxMessage) -> None:
    """Mark notices as sent."""
    keys = [message.pk for message in messages]
    OutboxMessage.objects.filter(pk__in=keys).update(status=OutboxStatus.SENT)


def bid(game: Game, name: str, text: str) -> rules.MakeBid:
    return rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text))


def opened_by_alice(*names: str, **options: object) -> Game:
    """Return a game in which alice has opened the first round with 20 fours."""
    game = table(names or ("alice", "bob"), **options)
    give_turn(game, "alice")
    return act(game, bid(game, "alice", "20x4"))


def seat_to_the_left(game: Game, name: str) -> str:
    number = (seat_of(game, name).number + 1) % Seat.objects.filter(game=game).count()
    seat = Seat.objects.select_related("user").get(game=game, number=number)
    assert seat.user is not None
    return seat.user.display_name.lower()
