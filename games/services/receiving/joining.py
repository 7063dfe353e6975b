"""Taking a seat by answering an invitation."""

from datetime import datetime

from django.contrib.auth import get_user_model
from django.db import transaction

from games.mail.recipients import guest_of
from games.models import GameStatus, OutboxKind, ReplyToken
from games.replies import Command, Verb
from games.services import lobby
from games.services.errors import LobbyRefusal
from games.services.receiving.commands import Result, refused
from games.services.receiving.outcomes import Outcome


def answer(token: ReplyToken, command: Command, *, now: datetime) -> Result:
    """Do what somebody who was invited answers: take the seat and be ready, or not."""
    match command.verb:
        case Verb.ACCEPT:
            return _accept(token, now=now)
        case Verb.DECLINE:
            return Result(Outcome.DECLINED)
        case Verb.HELP:
            return Result(Outcome.TOLD, OutboxKind.ANSWER, {"what": "help"})
    return refused(Outcome.UNREAD, "only-yes")


def _accept(token: ReplyToken, *, now: datetime) -> Result:
    invitation = token.invitation
    guest = guest_of(invitation) if invitation is not None else None
    if invitation is None or guest is None or now >= invitation.expires_at:
        return refused(Outcome.GONE, "invitation-over")
    if not guest.user_id:
        return refused(Outcome.ILLEGAL, "no-account")
    if token.game.status != GameStatus.OPEN:
        return refused(Outcome.GONE, "lobby.not-open")
    try:
        with transaction.atomic():
            lobby.join(game_id=token.game_id, player=_player(guest.user_id), now=now)
            lobby.set_ready(game_id=token.game_id, user_id=guest.user_id, is_ready=True, now=now)
    except LobbyRefusal as refusal:
        return refused(Outcome.GONE, refusal.code, **refusal.params)
    return Result(Outcome.JOINED, OutboxKind.ANSWER, {"what": "joined"})


def _player(user_id: int) -> lobby.Player:
    user = get_user_model().objects.get(pk=user_id)
    return lobby.Player(user.pk, user.display_name)
