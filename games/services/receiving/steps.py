"""The steps that a mail goes through (docs/mail.md): what it is, who wrote it, what it says."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import IntegrityError, transaction
from django.db.models import Sum

from games import replies, store
from games.mail.addresses import mail_domain
from games.models import (
    Game,
    GameStatus,
    InboundMail,
    OutboxKind,
    ReplyToken,
    Seat,
    TokenKind,
)
from games.replies import Command, Effect, Incoming, Offer, Reason, Trust, Unread
from games.rules import DiceCounts
from games.services import wishes
from games.services.receiving import answers, faults, joining, senders
from games.services.receiving.commands import HARMLESS, Job, Result, perform, reading_of, refused
from games.services.receiving.keeping import Parcel
from games.services.receiving.outcomes import Outcome
from games.services.receiving.strays import version_answered
from games.services.receiving.warnings import stop_of, warn

_SIGNS_OF_A_LIST = frozenset({"machine.list-id", "machine.precedence"})

# What may be repeated in a header of ours.
_MESSAGE_ID = re.compile(r"<[\x21-\x3b\x3d\x3f-\x7e]{1,240}>")


@dataclass(frozen=True, slots=True)
class Case:
    """A mail, the address that it was sent to, and what it says.

    :ivar is_stray: it came to the address that we write from, not to one that we gave out.
    """

    mail: InboundMail
    token: ReplyToken
    incoming: Incoming
    is_stray: bool = False


def decide(case: Case, parcel: Parcel, *, now: datetime) -> Result:
    """Do what a mail asks for, if it may; return what became of it."""
    mail, token, incoming = case.mail, case.token, case.incoming
    _note_who(case)
    early = _no_letter(case, parcel, now=now)
    if early is not None:
        return early
    if not _is_first(mail, incoming):
        return Result(Outcome.REPEAT)
    if token.revoked_at is not None:
        return Result(Outcome.REPLACED)
    if token.seat is not None and token.seat.user_id != token.user_id:
        return Result(Outcome.GONE)  # somebody else holds the seat by now
    if token.kind == TokenKind.GAME and answers.is_over_share(mail, now=now):
        return Result(Outcome.TOO_MANY)
    trust = senders.judge(token, incoming, parcel)
    if trust.effect is Effect.REFUSE:
        return warn(token, Outcome.WRONG_SENDER, trust, now=now)
    if incoming.forward:
        passed_on = Trust(Effect.REFUSE, incoming.forward, tell_account=True, rotate=True)
        return warn(token, Outcome.FORWARDED, passed_on, now=now)
    return _read(case, is_sure=trust.effect is Effect.ACT and not case.is_stray, now=now)


def confirmed(case: Case, *, now: datetime) -> Result:
    """Do what a mail asks for, whose player has confirmed it."""
    found = _command(case)
    command = found.command if isinstance(found, Offer) else found
    if isinstance(command, Unread):
        return _unread(command)
    return _act(case, command, arrived_at=None, now=now)


def resumed(case: Case, *, now: datetime) -> Result:
    """Play a move that was held, as if it were played when it came."""
    mail = case.mail
    if mail.seat is None or mail.seat.user_id != mail.user_id or not mail.seat.takes_replies:
        return Result(Outcome.GONE)  # somebody else's seat by now, or play by mail was stopped
    command = _command(case)
    if not isinstance(command, Command):
        # It was read once: what makes it read otherwise is that the game has moved on.
        return refused(Outcome.OVER, "turn-over")
    return _act(case, command, arrived_at=mail.received_at, now=now)


def _no_letter(case: Case, parcel: Parcel, *, now: datetime) -> Result | None:
    """Deal with what no person wrote to be read: reports, stops, automatic answers."""
    token, incoming = case.token, case.incoming
    source = incoming.message_id or case.mail.key
    if token.kind == TokenKind.BOUNCE:
        if incoming.complaint is not None:
            faults.note_complaint(token, source=source, now=now)
            return Result(Outcome.COMPLAINT)
        if incoming.bounce is None:
            return Result(Outcome.AUTO)
        faults.note_bounce(token, incoming.bounce, source=source, now=now)
        return Result(Outcome.BOUNCE, detail={"status": incoming.bounce.status[:20]})
    if incoming.bounce is not None or incoming.complaint is not None:
        return Result(Outcome.AUTO)
    if token.kind == TokenKind.LEAVE:
        # A mail program may send this by itself; whoever has the address may, as with a link.
        wishes.stop(stop_of(token), now=now)
        return Result(Outcome.STOPPED)
    if incoming.mailing_list and set(incoming.machine) <= _SIGNS_OF_A_LIST:
        return None  # a person may have written it: he is told why it is not played
    sign = senders.machine_sign(incoming, parcel)
    return Result(Outcome.AUTO, detail={"sign": sign}) if sign else None


def _read(case: Case, *, is_sure: bool, now: datetime) -> Result:
    """Find the one command of a mail, and do it or ask for a confirmation."""
    found = _command(case)
    if isinstance(found, Unread):
        return _unread(found)
    if isinstance(found, Offer):
        case.mail.first_line = found.shown[:80]
        return _ask(found.command)
    if is_sure or found.verb in HARMLESS:
        return _act(case, found, arrived_at=case.mail.received_at, now=now)
    return _ask(found)


def _ask(command: Command) -> Result:
    return Result(Outcome.CONFIRMING, OutboxKind.CONFIRM, {"reading": reading_of(command)})


def _act(case: Case, command: Command, *, arrived_at: datetime | None, now: datetime) -> Result:
    if case.token.kind == TokenKind.INVITATION:
        return joining.answer(case.token, command, now=now)
    seat = _seat_of(case, command)
    if seat is None:
        return refused(Outcome.UNREAD, "which-game", code=case.token.game.code)
    case.mail.seat, case.mail.game = seat, seat.game
    seen = _seen(case, seat.game)
    job = Job(case.mail, case.token, seat.game, seat, seen, arrived_at)
    result = perform(job, command, now=now)
    copied = replies.others(case.incoming, our_domains=our_domains())
    if copied and result.answer == OutboxKind.ACK:
        result.detail["copied"] = True
    return result


def our_domains() -> tuple[str, str]:
    """Return the domains that mail comes to and goes from."""
    return settings.INBOUND_DOMAIN, mail_domain()


def _seen(case: Case, game: Game) -> int | None:
    """Return the version that a mail answers, as its address or the mail it answers tells."""
    token = case.token
    match TokenKind(token.kind):
        case TokenKind.MOVE:
            return token.version
        case TokenKind.DIGEST:
            # The digest told of a turn only if that had begun when it was sent.
            started = game.turn_started_at
            told = started is not None and started <= token.created_at
            return game.version if told else 0
        case _:
            return version_answered(case.incoming, case.mail.seat, game)


def _seat_of(case: Case, command: Command) -> Seat | None:
    """Return the seat that a command is for; a digest is about several."""
    token = case.token
    if token.kind != TokenKind.DIGEST:
        return token.seat
    if token.user is None or command.code is None:
        return None
    seats = Seat.objects.select_related("user__wishes", "game__current_round")
    return seats.filter(user=token.user, game__code=command.code).first()


def _command(case: Case) -> Command | Offer | Unread:
    return replies.command_of(case.incoming, most=_most_dice(case.token), codes=_codes(case.token))


def _codes(token: ReplyToken) -> Sequence[str]:
    """Return the games that may be named before a command."""
    if token.kind != TokenKind.DIGEST or token.user is None:
        return (token.game.code,)
    mine = Seat.objects.filter(user=token.user, game__status=GameStatus.ACTIVE)
    return tuple(mine.values_list("game__code", flat=True))


def _most_dice(token: ReplyToken) -> int | None:
    """Return how many dice a bid may name: those on the table, where everybody may count them.

    A table may let its players bid higher; once somebody has, we count no more.
    """
    game = token.game
    if token.kind not in (TokenKind.MOVE, TokenKind.GAME):
        return None
    if store.ruleset_of(game).dice_counts is DiceCounts.HIDDEN:
        return None
    total: int = Seat.objects.filter(game=game).aggregate(total=Sum("dice"))["total"] or 0
    return total if total > (game.bid_quantity or 0) else None


def _unread(found: Unread) -> Result:
    result = refused(Outcome.UNREAD, found.reason.value)
    if found.most is not None:
        result.detail["params"] = {"most": found.most}
    if found.readings:
        result.detail["readings"] = [reading_of(command) for command in found.readings]
    if found.reason is Reason.BAD_ORDER and found.order_error is not None:
        error = found.order_error
        result.detail["order_error"] = {"code": error.code, "params": dict(error.params)}
    return result


def _note_who(case: Case) -> None:
    """Keep of a mail what an answer to it says."""
    mail, token, incoming = case.mail, case.token, case.incoming
    mail.user_id, mail.seat_id, mail.game_id = token.user_id, token.seat_id, token.game_id
    mail.message_id = incoming.message_id if _MESSAGE_ID.fullmatch(incoming.message_id) else ""
    mail.writer = senders.writer_of(incoming)
    line = incoming.text or incoming.html
    mail.first_line = line.shown[:80] if line is not None else ""


def _is_first(mail: InboundMail, incoming: Incoming) -> bool:
    """Return whether no other copy of this mail was here before, and note that this one was."""
    key = replies.repeat_key(incoming, token=mail.recipient)
    try:
        with transaction.atomic():
            InboundMail.objects.filter(pk=mail.pk).update(repeat_key=key)
    except IntegrityError:
        return False
    mail.repeat_key = key
    return True
