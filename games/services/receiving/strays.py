"""Which of our mails one answers: for programs that answer the address that we write from."""

from email.utils import parseaddr

from allauth.account.models import EmailAddress
from django.conf import settings

from games.mail.addresses import is_open, turn_purpose
from games.mail.envelope import message_id
from games.mail.recipients import Recipient, player_of
from games.models import Game, GameStatus, OutboxMessage, Seat
from games.replies import Incoming
from games.services.receiving.keeping import Parcel

MOST_ROWS = 50


def is_sender(address: str) -> bool:
    """Return whether that is the address that the site writes from, and mail comes in at all."""
    if not is_open():
        return False
    ours = parseaddr(settings.DEFAULT_FROM_EMAIL)[1].lower()
    return address.strip().strip("<>").lower() == ours


def recipient_of(incoming: Incoming, parcel: Parcel) -> str:
    """Return the digest of the address that a mail to our sender should have gone to, or nothing.

    Some programs answer From and not Reply-To. Such a mail is only ever done by a confirm link.
    """
    if not is_sender(parcel.recipient) or len(incoming.senders) != 1:
        return ""
    owners = EmailAddress.objects.filter(email__iexact=incoming.senders[0], verified=True)
    seats = Seat.objects.select_related("user", "game__current_round").filter(
        user__in=owners.values("user"), game__status=GameStatus.ACTIVE
    )
    for seat in seats:
        game = seat.game
        if game.to_act == seat.number and version_answered(incoming, seat, game) == game.version:
            return turn_purpose(game, seat, version=game.version).digest()
    return ""


def version_answered(incoming: Incoming, seat: Seat | None, game: Game) -> int | None:
    """Return the version of the game that the mail was about which is answered; None: not known."""
    player: Recipient | None = player_of(seat) if seat is not None else None
    if seat is None or player is None or not incoming.in_reply_to:
        return None
    asked = set(incoming.in_reply_to)
    rows = OutboxMessage.objects.filter(seat=seat, game=game).order_by("-pk")
    for dedupe, version in rows.values_list("dedupe", "version")[:MOST_ROWS]:
        if message_id(game, dedupe) in asked:
            return version
    return None
