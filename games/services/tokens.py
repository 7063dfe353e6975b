"""The addresses that we gave out, as rows: issued with a mail, found, used up, replaced."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import F

from games.mail.addresses import LIFE, TOMBSTONE, Purpose, read_address
from games.models import ReplyToken, Seat, TokenKind


def issue(purposes: Iterable[Purpose], *, now: datetime) -> None:
    """Make addresses known before the mail that carries them goes out. Done twice, it is once."""
    rows = [
        ReplyToken(
            digest=purpose.digest(),
            kind=purpose.kind,
            game_id=purpose.game_id,
            user_id=purpose.user_id,
            seat_id=purpose.seat_id,
            invitation_id=purpose.invitation_id,
            version=purpose.version,
            subject=purpose.subject,
            created_at=now,
            expires_at=now + LIFE[purpose.kind],
        )
        for purpose in purposes
    ]
    if rows:
        ReplyToken.objects.bulk_create(
            rows,
            update_conflicts=True,
            update_fields=["expires_at"],
            unique_fields=["digest"],
        )


def is_known(recipient: str) -> bool:
    """Return whether we gave this address out; one that is used up still answers that it is."""
    found = read_address(recipient)
    return found is not None and ReplyToken.objects.filter(pk=found[1]).exists()


def find(digest: str, *, now: datetime) -> ReplyToken | None:
    """Return the address that was written to, locked, so that two mails to it come in turn."""
    known = ReplyToken.objects.select_for_update(of=("self",)).filter(pk=digest, expires_at__gt=now)
    return known.select_related("user", "seat__user", "seat__game", "invitation", "game").first()


def spend(token: ReplyToken, *, by: str, now: datetime) -> None:
    """Use up the address of a turn, in the transaction that plays the move."""
    same_turn = ReplyToken.objects.filter(
        kind=TokenKind.MOVE, seat=token.seat, version=token.version, spent_at=None
    )
    same_turn.update(spent_at=now, spent_by=by, expires_at=now + TOMBSTONE)


def replace(seat: Seat, *, now: datetime) -> None:
    """Make what others may know of a seat's addresses worth nothing; the next mails bring new."""
    live = ReplyToken.objects.filter(seat=seat, revoked_at=None).exclude(
        kind__in=(TokenKind.LEAVE, TokenKind.BOUNCE)
    )
    live.update(revoked_at=now)
    Seat.objects.filter(pk=seat.pk).update(addresses_renewed=F("addresses_renewed") + 1)


def forget(*, now: datetime) -> int:
    """Delete the addresses whose time is over; return how many."""
    deleted, _ = ReplyToken.objects.filter(expires_at__lt=now).delete()
    return deleted
