"""To whom a mail goes, and in which language and zone it is written."""

from dataclasses import dataclass
from datetime import UTC, tzinfo

from django.conf import settings
from django.contrib.auth import get_user_model

from games.models import Game, Invitation, Seat


@dataclass(frozen=True, slots=True)
class Recipient:
    """One person and nobody else. ``key`` names him in threads; it is no address.

    ``user_id`` is 0 for an address that has no account.
    """

    key: str
    user_id: int
    address: str
    language: str
    zone: tzinfo
    wants_dice: bool


def player_of(seat: Seat) -> Recipient | None:
    """Return the player on ``seat``, or None when there is no account to write to.

    An account can only be used, so a seat only be taken, with a verified address; changing it
    takes effect when the new one is verified.
    """
    user = seat.user
    if user is None or not user.is_active or not user.email:
        return None
    return Recipient(
        key=f"seat:{seat.pk}",
        user_id=user.pk,
        address=user.email,
        language=user.language,
        zone=user.zone,
        wants_dice=user.dice_in_mail,
    )


def guest_of(invitation: Invitation) -> Recipient | None:
    """Return whom an invitation asks.

    An address that has an account is written to as its player reads; one that we know nothing about
    reads the language of the page it was typed on, and UTC. Only its reader sees the difference.
    """
    user = invitation.user
    address = user.email if user else invitation.email
    if user is None:
        people = get_user_model().objects.filter(email=address, is_active=True)
        user = people.first()
    elif not user.is_active or not address:
        return None
    return Recipient(
        key=f"invitation:{invitation.pk}",
        user_id=user.pk if user else 0,
        address=address,
        language=user.language if user else invitation.language or settings.LANGUAGE_CODE,
        zone=user.zone if user else UTC,
        wants_dice=False,
    )


def has_joined(game: Game, guest: Recipient) -> bool:
    """Return whether somebody with the invited address sits in the game already."""
    return Seat.objects.filter(game=game, user__email__iexact=guest.address).exists()
