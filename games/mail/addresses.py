"""The addresses that we give out so that somebody can write back (docs/adr/0011).

An address is one letter for what it is for, a hyphen and 26 characters of Crockford's base32: 130
bits of an HMAC over the one thing that it is for. So the reminders of a turn carry the address of
its first mail, and yet the database holds nothing but the SHA-256 of it.
"""

import hashlib
import hmac
import re
from dataclasses import dataclass
from datetime import timedelta
from email.utils import parseaddr

from django.conf import settings
from django.utils.crypto import salted_hmac

from games.mail.recipients import Recipient
from games.mail.stopping import address_digest
from games.models import (
    Game,
    GameStatus,
    Invitation,
    OutboxKind,
    OutboxMessage,
    Seat,
    TokenKind,
    Topic,
)

_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
_LENGTH = 26
_ADDRESS = re.compile(rf"([a-z])-([0-9a-hjkmnp-tv-z]{{{_LENGTH}}})", re.ASCII)
# What clients and people make of a token: capitals, and letters that look like digits.
_FOLD = str.maketrans({"o": "0", "i": "1", "l": "1"})

_DAY = timedelta(days=1)
LIFE = {
    # A turn lasts at most a month; its address then says for 90 days that it is over.
    TokenKind.MOVE: 120 * _DAY,
    TokenKind.GAME: 365 * _DAY,
    TokenKind.DIGEST: 7 * _DAY,
    TokenKind.INVITATION: 7 * _DAY,
    TokenKind.LEAVE: 365 * _DAY,
    TokenKind.BOUNCE: 90 * _DAY,
}
TOMBSTONE = 90 * _DAY
"""How long an address that is used up still answers that it is."""

_ON_TURN = (OutboxKind.TURN, OutboxKind.REMINDER, OutboxKind.NUDGE)
_OF_THE_MOMENT = (OutboxKind.REFUSAL, OutboxKind.ANSWER)
_NO_REPLY = (
    *(OutboxKind.CUP, OutboxKind.CONFIRM, OutboxKind.WARNING),
    *(OutboxKind.RETIRED, OutboxKind.TOO_LATE),
)


@dataclass(frozen=True, slots=True)
class Purpose:
    """The one thing that an address is for; ``renewed`` counts how often it had to be replaced."""

    kind: TokenKind
    game_id: int
    user_id: int | None = None
    seat_id: int | None = None
    invitation_id: int | None = None
    version: int = 0
    subject: str = ""
    renewed: int = 0

    def address(self) -> str:
        """Return the whole address, in the domain that takes mail in."""
        return f"{self.local_part()}@{settings.INBOUND_DOMAIN}"

    def local_part(self) -> str:
        """Return what stands before the @; the same each time."""
        values = (self.game_id, self.user_id, self.seat_id, self.invitation_id)
        named = ":".join(map(str, (*values, self.version, self.subject, self.renewed)))
        mac = salted_hmac("games.mail.addresses", f"{self.kind.value}:{named}", algorithm="sha256")
        number = int.from_bytes(mac.digest()[:17], "big") >> 6
        digits = [_ALPHABET[number >> 5 * place & 31] for place in reversed(range(_LENGTH))]
        return f"{self.kind.value}-{''.join(digits)}"

    def digest(self) -> str:
        """Return the name under which the address is kept."""
        return digest_of(self.local_part())


@dataclass(frozen=True, slots=True)
class Addresses:
    """The addresses of ours that a mail carries, each where there is one.

    ``reply`` is where it is answered, ``leave`` stops mails like it, ``bounce`` gets it back when
    it cannot be delivered (VERP).
    """

    reply: Purpose | None = None
    leave: Purpose | None = None
    bounce: Purpose | None = None

    def purposes(self) -> tuple[Purpose, ...]:
        """Return what must be known before the mail goes out."""
        found = (self.reply, self.leave, self.bounce)
        return tuple(purpose for purpose in found if purpose is not None)


def is_open() -> bool:
    """Return whether this site takes mail in at all."""
    return bool(settings.INBOUND_DOMAIN)


def digest_of(local_part: str) -> str:
    """Return the SHA-256 of a local part that has been folded."""
    return hashlib.sha256(f"reply:{local_part}".encode()).hexdigest()


def read_address(address: str) -> tuple[TokenKind, str] | None:
    """Return kind and digest of an address that could be one of ours, None for any other.

    Case is folded, and what is easily mistaken for a digit is read as one.
    """
    local, at, domain = address.strip().strip("<>").lower().rpartition("@")
    if (
        not at
        or not is_open()
        or not hmac.compare_digest(domain.rstrip(".").encode(), settings.INBOUND_DOMAIN.encode())
    ):
        return None
    letter, hyphen, rest = local.partition("-")
    found = _ADDRESS.fullmatch(f"{letter}{hyphen}{rest.translate(_FOLD)}")
    if found is None or found[1] not in TokenKind.values:
        return None
    return TokenKind(found[1]), digest_of(found[0])


def mail_domain() -> str:
    """Return the domain that the site writes from."""
    return parseaddr(settings.DEFAULT_FROM_EMAIL)[1].rpartition("@")[2] or "localhost"


def no_reply() -> str:
    """Return the address that nobody reads: its mail is refused."""
    return f"noreply@{mail_domain()}"


def of_player(
    message: OutboxMessage, game: Game, seat: Seat, player: Recipient, *, links_version: int
) -> Addresses:
    """Return the addresses in a mail to a player; ``links_version`` is that of his stop links."""
    if not is_open():
        return Addresses()
    leave = Purpose(
        TokenKind.LEAVE,
        game.pk,
        user_id=player.user_id,
        version=links_version,
        subject=Topic.TURN.value if message.kind == OutboxKind.DIGEST else "",
    )
    return Addresses(
        reply=reply_to(message, game, seat) if seat.user_id == player.user_id else None,
        leave=leave,
        bounce=_bounce(game, player.user_id, None, player.address),
    )


def of_guest(game: Game, invitation: Invitation, guest: Recipient) -> Addresses:
    """Return the addresses in a mail to somebody who is invited."""
    if not is_open():
        return Addresses()
    return Addresses(
        # A seat belongs to an account: whoever has none yet follows the link.
        reply=Purpose(TokenKind.INVITATION, game.pk, invitation_id=invitation.pk)
        if guest.user_id
        else None,
        leave=Purpose(
            TokenKind.LEAVE,
            game.pk,
            invitation_id=invitation.pk,
            subject=address_digest(guest.address),
        ),
        bounce=_bounce(game, guest.user_id, invitation.pk, guest.address),
    )


def reply_to(message: OutboxMessage, game: Game, seat: Seat) -> Purpose | None:
    """Return where a player answers a mail: to his turn, or to the game; None: nowhere.

    An answer of ours to somebody who is to move carries the address of that turn again.
    """
    kind = OutboxKind(message.kind)
    if not is_open() or not seat.takes_replies or kind in _NO_REPLY:
        return None
    if kind == OutboxKind.DIGEST:
        return digest_purpose(message, seat)
    if game.status != GameStatus.ACTIVE:
        return None
    on_turn = game.to_act == seat.number and game.running_since is not None
    if kind in _ON_TURN or (kind in _OF_THE_MOMENT and on_turn):
        return turn_purpose(game, seat, version=game.version)
    return game_purpose(game, seat)


def turn_purpose(game: Game, seat: Seat, *, version: int) -> Purpose:
    """Return what the address of one turn of one player is for."""
    return Purpose(
        TokenKind.MOVE,
        game.pk,
        user_id=seat.user_id,
        seat_id=seat.pk,
        version=version,
        renewed=seat.addresses_renewed,
    )


def game_purpose(game: Game, seat: Seat) -> Purpose:
    """Return what the address of one player in one game is for."""
    return Purpose(
        TokenKind.GAME,
        game.pk,
        user_id=seat.user_id,
        seat_id=seat.pk,
        renewed=seat.addresses_renewed,
    )


def digest_purpose(message: OutboxMessage, seat: Seat) -> Purpose:
    """Return what the address of one digest is for: commands with the game's code before them."""
    return Purpose(
        TokenKind.DIGEST,
        message.game_id,
        user_id=seat.user_id,
        seat_id=seat.pk,
        version=int(message.due_at.timestamp()) // 86_400,
        renewed=seat.addresses_renewed,
    )


def _bounce(game: Game, user_id: int, invitation_id: int | None, address: str) -> Purpose:
    """Return what the envelope's sender is for: it tells whose mail it was that came back."""
    return Purpose(
        TokenKind.BOUNCE,
        game.pk,
        user_id=user_id or None,
        invitation_id=invitation_id,
        subject=address_digest(address),
    )
