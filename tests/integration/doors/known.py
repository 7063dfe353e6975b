"""Addresses that the site has given out, for tests of what is sent to them."""

from datetime import UTC, datetime

from games.mail.addresses import turn_purpose
from games.models import Game, InboundMail
from games.services import tokens
from games.services.receiving import keeping
from tests.cast import seat_of


def turn_address(game: Game, name: str, *, now: datetime | None = None) -> str:
    """Return where ``name`` answers the turn that is on now, as his turn mail names it."""
    purpose = turn_purpose(game, seat_of(game, name), version=game.version)
    tokens.issue([purpose], now=now or datetime.now(UTC))
    return purpose.address()


def stored() -> list[tuple[InboundMail, keeping.Parcel]]:
    """Return the mails that were taken in, opened."""
    return [(mail, keeping.open_parcel(mail)) for mail in InboundMail.objects.order_by("pk")]
