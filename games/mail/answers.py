"""What the answers to players' mails say. None holds a hidden die but the mail that was asked for.

They are rendered when they are sent, from what the mail's row says was read and done.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.utils.translation import gettext as _

from games import wording
from games.mail import parts
from games.mail.confirming import confirm_link
from games.mail.letters import MOST_ROUNDS, Context, link
from games.mail.stopping import StopReplies, stop_link
from games.mail.wanted import wishes_of
from games.mail.words import moment_text, one_line, second_text
from games.models import Game, GameStatus, InboundMail, OutboxKind, OutboxMessage, Seat
from games.rules import DiceCounts, TableView
from games.selectors import Viewer, history
from games.selectors.history import GameHistory
from games.selectors.since import happened_next
from games.selectors.story import Story, story_for
from games.selectors.values import ClosedRound, retired_seats
from games.wording.mail_help import mail_help

KINDS = frozenset(
    {
        OutboxKind.CUP,
        OutboxKind.ACK,
        OutboxKind.REFUSAL,
        OutboxKind.ANSWER,
        OutboxKind.CONFIRM,
        OutboxKind.WARNING,
    }
)
"""The mails that are about a mail of the player, and say nothing of their own."""


@dataclass(frozen=True, slots=True)
class NextPart:
    """Who is to move now, and until when where a clock runs."""

    name: str
    is_me: bool
    deadline: parts.DeadlinePart | None


def to_player(
    message: OutboxMessage,
    game: Game,
    seat: Seat,
    *,
    wants_dice: bool,
    can_reply: bool,
    now: datetime,
) -> Context:
    """Return what an answer says to the player on ``seat``, in the language that is active."""
    mail = _mail_of(message)
    context = _of_mail(mail, game)
    context["round_number"] = message.round_number
    match OutboxKind(message.kind):
        case OutboxKind.CUP:
            context |= _cup(game, seat, wants_dice=wants_dice)
        case OutboxKind.ACK:
            context |= _ack(mail, game, seat, now=now)
        case OutboxKind.REFUSAL:
            context |= _refusal(mail, game, seat, can_reply=can_reply, now=now)
        case OutboxKind.ANSWER:
            context |= _answer(mail, game, seat, can_reply=can_reply, now=now)
        case OutboxKind.CONFIRM:
            context |= _confirm(mail)
        case OutboxKind.WARNING:
            context |= _warning(mail)
    return context


def to_guest(message: OutboxMessage, game: Game) -> Context:
    """Return what is answered to somebody who was invited."""
    mail = _mail_of(message)
    context = _of_mail(mail, game) | {"is_guest": True, "what": mail.detail.get("what", "")}
    if message.kind == OutboxKind.CONFIRM:
        return context | _confirm(mail)
    if message.kind == OutboxKind.REFUSAL:
        context |= {"line": mail.first_line, **_reason(mail), "preheader": _("Nothing was done.")}
    return {"preheader": "", **context}


def _of_mail(mail: InboundMail, game: Game) -> Context:
    return {
        "game_url": link("game", game.code),
        "help_url": link("mail_help"),
        "settings_url": link("notices"),
        "site_url": link("home"),
        "site_name": settings.SITE_NAME,
        "writer": mail.writer,
        "received": moment_text(mail.received_at),
        "seals": [],
    }


def _cup(game: Game, seat: Seat, *, wants_dice: bool) -> Context:
    story = story_for(game, seat.number, most_rounds=1, with_dice=wants_dice)
    view = _view_of(story)
    return {
        "preheader": _("What you asked for."),
        "round_number": view.round_number,
        "dice": parts.dice_part(view),
    }


def _ack(mail: InboundMail, game: Game, seat: Seat, *, now: datetime) -> Context:
    detail: dict[str, Any] = mail.detail
    order = detail["reading"].get("order", "")
    said = _reading(detail["reading"])
    version = wishes_of(seat).links_version
    held_until, waits_until = detail.get("held_until", ""), detail.get("waits_until", "")
    preheader = _("Your order stands.") if order else _("Played: %(move)s.") % {"move": said}
    if waits_until:
        preheader = _("It will be played: %(move)s.") % {"move": said}
    return {
        "preheader": preheader,
        "reading": said,
        "order_lines": wording.order_reading(order) if order else (),
        "left": detail.get("left", ""),
        "held_until": moment_text(datetime.fromisoformat(held_until)) if held_until else "",
        "waits_until": second_text(datetime.fromisoformat(waits_until)) if waits_until else "",
        "cancel_word": mail_help().cancel,
        "move": detail.get("version", 0),
        "is_copied": bool(detail.get("copied")),
        "disown_url": stop_link(StopReplies(seat.user_id or 0, version, game.code)),
        **_standing(game, seat, now=now),
    }


def _refusal(
    mail: InboundMail, game: Game, seat: Seat, *, can_reply: bool, now: datetime
) -> Context:
    context = {
        "preheader": _("Nothing was played."),
        "line": mail.first_line,
        **_reason(mail),
        **_standing(game, seat, now=now),
        "can_reply": can_reply,
    }
    seen = mail.detail.get("params", {}).get("seen")
    if isinstance(seen, int):
        context["played_instead"] = _played_after(game, seat, seen)
    return context


def _answer(
    mail: InboundMail, game: Game, seat: Seat, *, can_reply: bool, now: datetime
) -> Context:
    what = mail.detail["what"]
    context: Context = {"what": what, "can_reply": can_reply, "preheader": _about(what)}
    if what == "history":
        told = history(game, Viewer(seat.user_id))
        context["history"] = [
            (each.number, _sentences(each, told)) for each in told.rounds[:MOST_ROUNDS]
        ]
    return context | _standing(game, seat, now=now)


def _sentences(closed: ClosedRound, told: GameHistory) -> tuple[str, ...]:
    plain = tuple(one_line(name) for name in told.names_in(closed.number))
    return wording.outcome_story(
        closed.outcome, plain, automatic=closed.is_auto, retired=retired_seats(told.seats)
    )


def _about(what: str) -> str:
    return {
        "status": _("How the game stands."),
        "history": _("How the last rounds ended."),
        "help": _("What you can write."),
        "withdrawn": _("Your order is withdrawn."),
        "no-order": _("You have left no order."),
        "taken-back": _("Your move is taken back."),
        "said": _("Your line stands at the table."),
        "stopped": _("You get no more mails about this game."),
        "joined": _("You have your seat."),
    }[what]


def _standing(game: Game, seat: Seat, *, now: datetime) -> Context:
    """Return where the game stands: the bid, who is to move, until when, and what may be said."""
    if game.status != GameStatus.ACTIVE or game.current_round is None:
        return {"is_over": game.status != GameStatus.OPEN}
    story = story_for(game, seat.number, most_rounds=1)
    view, names = _view_of(story), _names(story)
    is_mine = view.to_act == seat.number
    return {
        # The mail itself is of the round that was answered: its subject says so, as its thread.
        "current_round": view.round_number,
        "mode": wording.mode_sentence(view.mode),
        "bids": parts.bid_lines(story.bids, names),
        "seats": parts.seat_parts(story, view, names),
        "hidden_counts": view.rules.dice_counts is DiceCounts.HIDDEN,
        "standing": parts.standing_text(view, names),
        "examples": parts.examples(view) if is_mine else (),
        "next": _next(game, story, now=now),
        "is_out": not seat.dice,
    }


def _next(game: Game, story: Story, *, now: datetime) -> NextPart | None:
    """Return who is to move, and until when, if a clock runs for him."""
    view = _view_of(story)
    if view.to_act is None:
        return None
    mover = story.seats[view.to_act]
    has_time = game.running_since is not None
    return NextPart(
        name=one_line(mover.name),
        is_me=mover.is_me,
        deadline=parts.deadline_part(game, now=now) if has_time else None,
    )


def _confirm(mail: InboundMail) -> Context:
    return {
        "preheader": _("Nothing has been played yet."),
        "reading": _reading(mail.detail["reading"]),
        "confirm_url": confirm_link(mail.pk),
    }


def _warning(mail: InboundMail) -> Context:
    return {
        "preheader": _("Nothing was played."),
        "is_renewed": bool(mail.detail.get("renewed")),
        **_reason(mail),
    }


def _reason(mail: InboundMail) -> Context:
    detail: dict[str, Any] = mail.detail
    params = detail.get("params", {})
    sentence = wording.reply_reason(detail.get("reason", ""), params)
    if error := detail.get("order_error"):
        sentence = wording.order_error_text(error["code"], error["params"])
    deadline = params.get("deadline")
    return {
        "reason": sentence,
        "readings": tuple(_reading(each) for each in detail.get("readings", ())),
        "deadline_was": moment_text(datetime.fromisoformat(deadline)) if deadline else "",
    }


def _reading(read: dict[str, str]) -> str:
    return wording.reading_text(read["verb"], read.get("bid", ""), read.get("order", ""))


def _played_after(game: Game, seat: Seat, version: int) -> tuple[str, ...]:
    """Return what was done in a turn that is over."""
    done = happened_next(game, version)
    if done is None:
        return ()
    story = story_for(game, seat.number, most_rounds=1)
    names = _names(story)
    if done.bid is not None:
        return (wording.bid_sentence(names[done.seat], done.bid, automatic=done.is_auto),)
    if done.outcome is None:
        return ()
    return wording.outcome_story(
        done.outcome, names, automatic=done.is_auto, retired=retired_seats(story.seats)
    )


def _names(story: Story) -> tuple[str, ...]:
    return tuple(one_line(seat.name) for seat in story.seats)


def _view_of(story: Story) -> TableView:
    if story.view is None:
        raise ValueError("the game is over")
    return story.view


def _mail_of(message: OutboxMessage) -> InboundMail:
    if message.inbound is None:
        raise ValueError(f"outbox {message.pk} answers no mail")
    return message.inbound
