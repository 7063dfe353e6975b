"""Mails of a player, for himself: one that waits for him to confirm it, and the last ones."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, tzinfo

from games.models import FaultKind, GameStatus, InboundMail, MailFault, Seat, Wishes

NEWEST = 10
MOST_WAITING = 50
_MOVES = frozenset({"bid", "dudo", "calza"})


@dataclass(frozen=True, slots=True)
class Waiting:
    """A mail that is done as soon as its player says that it is his.

    ``reading`` is what was read: a verb, and the bid or the order in its canonical form. ``zone``
    is its player's; until ``deadline_at`` he has time, if it is his turn.
    """

    mail_id: int
    code: str
    name: str
    received_at: datetime
    writer: str
    reading: dict[str, str]
    is_waiting: bool
    zone: tzinfo
    deadline_at: datetime | None


@dataclass(frozen=True, slots=True)
class SentMail:
    """One mail of a player, and the stable codes of what became of it."""

    code: str
    received_at: datetime
    line: str
    outcome: str
    reason: str
    was_answered: bool


def waiting_mail(mail_id: int) -> Waiting | None:
    """Return the mail of that number, if it waits for its player or has done so."""
    mail = InboundMail.objects.filter(pk=mail_id).select_related("game", "seat", "user").first()
    return _waiting(mail) if mail is not None else None


def mails_waiting(user_id: int) -> tuple[Waiting, ...]:
    """Return the mails that an account has still to say are its own, the newest first.

    One with a move is left out when the turn in which it came is over: nothing can come of it.
    """
    rows = InboundMail.objects.filter(
        user_id=user_id, outcome="confirming", handled_at__isnull=False, sealed__isnull=False
    ).select_related("game", "seat", "user")
    newest = rows.order_by("-received_at", "-pk")[:MOST_WAITING]
    return tuple(_still_of_use(newest))[:NEWEST]


def _still_of_use(mails: Iterable[InboundMail]) -> Iterator[Waiting]:
    for mail in mails:
        waiting = _waiting(mail)
        if waiting is None or mail.game is None:
            continue
        began = mail.game.turn_started_at
        is_of_this_turn = (
            waiting.deadline_at is not None and began is not None and began <= mail.received_at
        )
        if is_of_this_turn or waiting.reading["verb"] not in _MOVES:
            yield waiting


def _waiting(mail: InboundMail) -> Waiting | None:
    game, seat = mail.game, mail.seat
    if game is None or "reading" not in mail.detail:
        return None
    is_turn = seat is not None and game.status == GameStatus.ACTIVE and game.to_act == seat.number
    return Waiting(
        mail_id=mail.pk,
        code=game.code,
        name=game.name,
        received_at=mail.received_at,
        writer=mail.writer,
        reading=mail.detail["reading"],
        is_waiting=mail.outcome == "confirming" and mail.sealed is not None,
        zone=mail.user.zone if mail.user is not None else UTC,
        deadline_at=game.turn_deadline_at if is_turn else None,
    )


@dataclass(frozen=True, slots=True)
class ReplyGame:
    """A game of a player, and whether he may play it by mail."""

    code: str
    name: str
    takes_replies: bool


@dataclass(frozen=True, slots=True)
class MailPage:
    """What a player's mail does, and what became of his last mails."""

    fails: bool
    complained: bool
    confirms: bool
    holds: bool
    games: tuple[ReplyGame, ...]
    waiting: tuple[Waiting, ...]
    mails: tuple[SentMail, ...]


def mail_page(user_id: int) -> MailPage:
    """Return how mail of and to an account goes."""
    wishes = Wishes.objects.filter(pk=user_id).first()
    live = Seat.objects.filter(
        user_id=user_id, game__status__in=(GameStatus.OPEN, GameStatus.ACTIVE)
    )
    rows = list(
        live.order_by("-game__created_at", "-pk").values_list(
            "game__code", "game__name", "takes_replies", "mail_fails"
        )
    )
    complaints = MailFault.objects.filter(user_id=user_id, kind=FaultKind.COMPLAINT)
    return MailPage(
        fails=any(row[3] for row in rows),
        complained=complaints.exists(),
        confirms=wishes is not None and wishes.confirms_replies,
        holds=wishes is not None and wishes.holds_replies,
        games=tuple(ReplyGame(*row[:3]) for row in rows),
        waiting=mails_waiting(user_id),
        mails=newest_mails(user_id),
    )


def newest_mails(user_id: int, *, most: int = NEWEST) -> tuple[SentMail, ...]:
    """Return the last mails that came for an account's seats, the newest first."""
    rows = InboundMail.objects.filter(user_id=user_id, handled_at__isnull=False)
    rows = rows.exclude(outcome__in=("repeat", "bounce", "auto", "complaint"))
    newest = rows.select_related("game").defer("sealed").order_by("-received_at", "-pk")[:most]
    return tuple(
        SentMail(
            code=mail.game.code if mail.game else "",
            received_at=mail.received_at,
            line=mail.first_line,
            outcome=mail.outcome,
            reason=str(mail.detail.get("reason", "")),
            was_answered=bool(mail.answer),
        )
        for mail in newest
    )


def mails_of(user_id: int) -> list[dict[str, object]]:
    """Return what is kept of the mails for an account's seats, for himself."""
    rows = InboundMail.objects.filter(user_id=user_id).select_related("game").defer("sealed")
    return [
        {
            "game": mail.game.code if mail.game else "",
            "received_at": mail.received_at.isoformat(),
            "from": mail.writer,
            "first_line": mail.first_line,
            "outcome": mail.outcome,
        }
        for mail in rows.order_by("pk")
    ]
