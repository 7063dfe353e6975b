"""What happens when a mail is not its player's: he is told, and gets another address."""

from datetime import datetime

from games.mail.stopping import Stop, StopAddress, StopGame, StopTopic
from games.models import (
    GameStatus,
    OutboxKind,
    OutboxMessage,
    ReplyToken,
    Seat,
    Topic,
)
from games.replies import Trust
from games.services import notices, tokens
from games.services.receiving.commands import Result
from games.services.receiving.outcomes import Outcome


def warn(token: ReplyToken, outcome: Outcome, trust: Trust, *, now: datetime) -> Result:
    """Do nothing that the mail asks for; replace its address, and tell the account alone."""
    if trust.rotate and token.seat is not None:
        tokens.replace(token.seat, now=now)
        _tell_turn_again(token.seat, now=now)
    told = trust.tell_account and token.user_id is not None
    detail: dict[str, object] = {"reason": trust.code, "renewed": trust.rotate}
    return Result(outcome, OutboxKind.WARNING if told else None, detail)


def stop_of(token: ReplyToken) -> Stop:
    """Return what mail to a leave address stops."""
    if token.user_id is None:
        return StopAddress(token.subject)
    if token.subject:
        return StopTopic(token.user_id, token.version, Topic(token.subject))
    return StopGame(token.user_id, token.version, token.game.code)


def _tell_turn_again(seat: Seat, *, now: datetime) -> None:
    """Write the mail of a turn once more, with the address that replaces the one others know."""
    game = seat.game
    on_turn = game.status == GameStatus.ACTIVE and game.to_act == seat.number
    if not on_turn or game.running_since is None or game.current_round is None:
        return
    row = OutboxMessage(
        dedupe=f"{game.pk}:{game.version}:{seat.pk}:turn:again:{seat.addresses_renewed + 1}",
        kind=OutboxKind.TURN,
        game_id=game.pk,
        seat_id=seat.pk,
        version=game.version,
        round_number=game.current_round.number,
        due_at=now,
        created_at=now,
    )
    notices.save([row])
