"""Invitations by mail: how many, and what they open. Called with the game's row locked."""

from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.db.models import Q

from games.models import Game, Invitation, OutboxKind, OutboxMessage, OutboxStatus, Removal
from games.models.ids import new_token
from games.services import notices
from games.services.errors import LobbyRefusal

MOST_A_DAY = 40
"""Invitations that one account may send within a day, those to a rematch among them."""
MOST_TO_ONE = 5
"""Invitations that are mailed to one address within a day, whoever sends them."""


def check_allowance(user_id: int, count: int, *, now: datetime) -> None:
    """Refuse ``count`` more invitations by an account that has sent its share of the last day.

    :raises LobbyRefusal: ``lobby.too-many-invitations``.
    """
    sent = Invitation.objects.filter(invited_by_id=user_id, created_at__gt=now - timedelta(days=1))
    if sent.count() + count > MOST_A_DAY:
        raise LobbyRefusal("lobby.too-many-invitations", most=MOST_A_DAY)


def write(
    game: Game,
    *,
    by: int,
    now: datetime,
    email: str = "",
    language: str = "",
    user_id: int | None = None,
) -> None:
    """Write one invitation, to an address or to an account, and its mail.

    Whoever is asked for a rematch finds it on the old game's page too, so where his mailbox has had
    its share of the day, the mail alone is left out.

    :raises LobbyRefusal: ``lobby.address-has-enough``.
    """
    has_enough = _mailed_today(email or _address_of(user_id or 0), now=now) >= MOST_TO_ONE
    if has_enough and email:
        raise LobbyRefusal("lobby.address-has-enough", email=email)
    invitation = Invitation.objects.create(
        game=game,
        email=email,
        user_id=user_id,
        language=language,
        invited_by_id=by,
        created_at=now,
    )
    if not has_enough:
        notices.save([notices.invitation_notice(game, invitation, now=now)])


def _address_of(user_id: int) -> str:
    address: str = get_user_model().objects.filter(pk=user_id).values_list("email", flat=True)[0]
    return address


def _mailed_today(address: str, *, now: datetime) -> int:
    """Return how many invitations went to ``address`` within a day, typed or by its account."""
    to_it = Q(invitation__email__iexact=address) | Q(invitation__user__email=address)
    sent = OutboxMessage.objects.filter(to_it, kind=OutboxKind.INVITATION)
    return sent.filter(created_at__gt=now - timedelta(days=1)).count()


def lock_out(game: Game, *, user_id: int, email: str) -> None:
    """Let somebody who was removed take no seat again, and his links open nothing any more.

    His invitations stay as they are otherwise: they are counted, and nobody mails him another.
    """
    Removal.objects.get_or_create(game=game, user_id=user_id)
    game.invite_token = new_token()
    game.save(update_fields=["invite_token"])
    invited = Q(user_id=user_id) | Q(email__iexact=email)
    for invitation in Invitation.objects.filter(invited, game=game):
        invitation.token = new_token()
        invitation.save(update_fields=["token"])
        unsent = OutboxMessage.objects.filter(invitation=invitation, status=OutboxStatus.PENDING)
        unsent.update(status=OutboxStatus.SUPERSEDED)
