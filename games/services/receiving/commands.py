"""What a command that came by mail does. Nothing here decides what is legal: the services do."""

from dataclasses import dataclass, field
from datetime import datetime

from games import rules
from games.mail.stopping import StopGame
from games.mail.wanted import wishes_of
from games.models import (
    Game,
    GameStatus,
    InboundMail,
    Order,
    OutboxKind,
    ReplyToken,
    Saying,
    Seat,
    TokenKind,
)
from games.replies import Command, Verb
from games.services import moves, tokens, wishes
from games.services import orders as standing_orders
from games.services.errors import StaleMove, TurnExpired
from games.services.receiving import holding
from games.services.receiving.outcomes import Outcome
from games.services.receiving.talk import why_not_said

Detail = dict[str, object]

_MOVES = (Verb.BID, Verb.DUDO, Verb.CALZA)
_QUERIES = {Verb.STATUS: "status", Verb.HISTORY: "history", Verb.HELP: "help"}
HARMLESS = frozenset(_QUERIES)
"""What changes nothing, and is answered to the account whoever asks in its name."""


@dataclass(frozen=True, slots=True)
class Job:
    """A mail of a player about one of his games.

    :ivar seen: the version that he answers; None where the mail does not tell.
    :ivar arrived_at: when it came in, which decides; None for what he confirms this moment.
    """

    mail: InboundMail
    token: ReplyToken
    game: Game
    seat: Seat
    seen: int | None
    arrived_at: datetime | None


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a command, and what kind of mail says so."""

    outcome: Outcome
    answer: OutboxKind | None = None
    detail: Detail = field(default_factory=dict)


def refused(outcome: Outcome, reason: str, **params: object) -> Result:
    """Return that nothing was done, and why: a code and its values."""
    said = {key: value if isinstance(value, int | str) else str(value)
            for key, value in params.items()}  # fmt: skip
    return Result(outcome, OutboxKind.REFUSAL, {"reason": reason, "params": said})


def perform(job: Job, command: Command, *, now: datetime) -> Result:
    """Do what a player asks for."""
    if command.verb in _QUERIES:
        return Result(Outcome.TOLD, OutboxKind.ANSWER, {"what": _QUERIES[command.verb]})
    if command.verb is Verb.STOP_MAIL:
        return _stop_mail(job, now=now)
    if job.game.status != GameStatus.ACTIVE:
        return refused(Outcome.GONE, "game.over")
    if command.verb in _MOVES:
        return _move(job, command, now=now)
    match command.verb:
        case Verb.ORDER:
            return _leave_order(job, command, now=now)
        case Verb.CANCEL:
            return _cancel(job, now=now)
        case Verb.MY_DICE:
            current = job.game.current_round
            if not job.seat.dice or current is None or not current.is_rolled:
                return refused(Outcome.ILLEGAL, "no-dice")
            return Result(Outcome.DICE, OutboxKind.CUP)
        case Verb.SAY:
            return _say(job, command.said, now=now)
        case Verb.PASS:
            return refused(Outcome.ILLEGAL, "pass")
    return refused(Outcome.UNREAD, "unknown")


def reading_of(command: Command) -> Detail:
    """Return what was read, for whoever spells it out."""
    read: Detail = {"verb": command.verb.value}
    if command.bid is not None:
        read["bid"] = str(command.bid)
    if command.order is not None:
        read["order"] = str(command.order)
    return read


def _move(job: Job, command: Command, *, now: datetime) -> Result:
    said: Detail
    is_mine = job.game.to_act == job.seat.number
    if job.token.spent_at is not None:
        return refused(Outcome.OVER, "turn-over", seen=job.token.version)
    if job.seen is None or job.token.kind == TokenKind.GAME:
        return refused(Outcome.ILLEGAL, "game-address" if is_mine else "turn.not-yours")
    action = _action(command, job.seat.number)
    try:
        if holding.is_wanted(job.mail, job.seat, arrived_at=job.arrived_at):
            until = holding.hold(job.mail, job.seat, action, expected_version=job.seen, now=now)
            if until is not None:
                said = {"reading": reading_of(command), "waits_until": until.isoformat()}
                return Result(Outcome.HELD, OutboxKind.ACK, said)
        played = moves.play(
            game_id=job.game.pk,
            action=action,
            expected_version=job.seen,
            now=now,
            idem_key=f"mail:{job.mail.pk}",
            arrived_at=job.arrived_at,
        )
    except TurnExpired:
        return refused(Outcome.LATE, "late", deadline=_iso(job.game.turn_deadline_at))
    except StaleMove:
        return refused(Outcome.OVER, "turn-over", seen=job.seen)
    except rules.RuleViolation as violation:
        return refused(Outcome.ILLEGAL, violation.code, **violation.params)
    # A move that waits for others' calls may be taken back, or another be made in its place.
    if job.token.kind == TokenKind.MOVE and played.held_until is None:
        tokens.spend(job.token, by=job.mail.key, now=now)
    said = {
        "reading": reading_of(command),
        "version": played.version,
        "held_until": _iso(played.held_until),
    }
    return Result(Outcome.PLAYED, OutboxKind.ACK, said)


def _action(command: Command, seat: int) -> rules.Move:
    if command.bid is not None:
        return rules.MakeBid(seat, command.bid)
    return rules.Dudo(seat) if command.verb is Verb.DUDO else rules.Calza(seat)


def _leave_order(job: Job, command: Command, *, now: datetime) -> Result:
    current = job.game.current_round
    if current is not None and job.seen is not None and job.seen < current.seal_seq:
        return refused(Outcome.OVER, "other-round")  # with other dice he would say another thing
    deadline = job.game.turn_deadline_at
    in_time = deadline is None or now <= deadline
    try:
        left = standing_orders.leave(
            game_id=job.game.pk,
            user_id=_user_id(job),
            text=str(command.order),
            waits=True,  # it gives itself away no more than a quick answer does
            round_number=current.number if current else 0,
            now=now if in_time else job.arrived_at or now,
        )
    except TurnExpired:
        return refused(Outcome.LATE, "late", deadline=_iso(deadline))
    except StaleMove:
        return refused(Outcome.OVER, "other-round")
    except rules.RuleViolation as violation:
        return refused(Outcome.ILLEGAL, violation.code, **violation.params)
    said: Detail = {"reading": reading_of(command), "left": left.value}
    return Result(Outcome.ORDERED, OutboxKind.ACK, said)


def _cancel(job: Job, *, now: datetime) -> Result:
    if holding.take_back(job.seat, now=now):
        return Result(Outcome.TAKEN_BACK, OutboxKind.ANSWER, {"what": "taken-back"})
    what = "withdrawn" if Order.objects.filter(pk=job.seat.pk).exists() else "no-order"
    standing_orders.cancel(game_id=job.game.pk, user_id=_user_id(job), now=now)
    return Result(Outcome.WITHDRAWN, OutboxKind.ANSWER, {"what": what})


def _say(job: Job, text: str, *, now: datetime) -> Result:
    reason = why_not_said(text, dice=job.seat.dice)
    if reason:
        return refused(Outcome.ILLEGAL, reason)
    Saying.objects.create(
        user_id=_user_id(job), game=job.game, version=job.game.version, text=text, said_at=now
    )
    return Result(Outcome.SAID, OutboxKind.ANSWER, {"what": "said"})


def _stop_mail(job: Job, *, now: datetime) -> Result:
    version = wishes_of(job.seat).links_version
    wishes.stop(StopGame(_user_id(job), version, job.game.code), now=now)
    return Result(Outcome.STOPPED, OutboxKind.ANSWER, {"what": "stopped"})


def _user_id(job: Job) -> int:
    if job.seat.user_id is None:
        raise ValueError(f"nobody sits on seat {job.seat.pk}")
    return job.seat.user_id


def _iso(at: datetime | None) -> str:
    return at.isoformat() if at else ""
