"""A mail that waits for its player to say that it is his."""

from games.mail.confirming import confirm_token
from games.models import Game, InboundMail, MailState
from tests.cast import NOON, seat_of


def waiting_mail(game: Game, name: str) -> str:
    """Return the token of the page on which ``name`` confirms a mail with a bid of three threes."""
    seat = seat_of(game, name)
    mail, _ = InboundMail.objects.get_or_create(
        key="5" * 64,
        defaults={
            "door": "smtp",
            "received_at": NOON,
            "handled_at": NOON,
            "kid": "dev",
            "sealed": b"-",
            "state": MailState.DONE,
            "outcome": "confirming",
            "detail": {"reading": {"verb": "bid", "bid": "3x3"}},
            "user_id": seat.user_id,
            "seat": seat,
            "game": game,
        },
    )
    return confirm_token(mail.pk)
