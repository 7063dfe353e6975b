"""One notice -> one mail, as its recipient's eyes should see it at the moment of sending."""

import re
from datetime import datetime
from functools import lru_cache

import css_inline
from django.template.loader import render_to_string
from django.utils import timezone, translation

from games.mail import addresses, answers, digest, envelope, letters
from games.mail.addresses import Addresses
from games.mail.envelope import Letter
from games.mail.recipients import Recipient, guest_of, player_of
from games.mail.relevance import is_current, is_open_to
from games.mail.stopping import Stop, StopAddress, StopGame, StopTopic, address_digest, stop_link
from games.mail.wanted import MOST_A_DAY, Way, mails_today, way_of, wishes_of
from games.mail.words import game_title, one_line
from games.models import CAPPED, TOPIC_OF, Game, Invitation, OutboxKind, OutboxMessage, Seat
from games.replies import MARKER


def render(message: OutboxMessage, *, now: datetime) -> Letter | None:
    """Return the mail that ``message`` stands for, or None when it is superseded.

    The position is read again here: only the newest news is worth a mail.
    """
    game = Game.objects.select_related("current_round").get(pk=message.game_id)
    if message.invitation_id is not None:
        return _to_guest(message, game, message.invitation_id, now=now)
    if message.seat_id is not None:
        return _to_player(message, game, message.seat_id, now=now)
    return None


def _to_guest(
    message: OutboxMessage, game: Game, invitation_id: int, *, now: datetime
) -> Letter | None:
    people = Invitation.objects.select_related("user", "invited_by")
    invitation = people.get(pk=invitation_id)
    guest = guest_of(invitation)
    if guest is None:
        return None
    stop = StopAddress(address_digest(guest.address))
    with translation.override(guest.language), timezone.override(guest.zone):
        if message.inbound_id is not None:
            context = answers.to_guest(message, game)
        elif is_open_to(guest, game, invitation, now=now):
            context = letters.invitation(game, invitation)
        else:
            return None
        context["stop_url"] = stop_link(stop)
        own = addresses.of_guest(game, invitation, guest)
        return _compose(message, game, guest, context, own, stop=stop, now=now)


def _to_player(message: OutboxMessage, game: Game, seat_id: int, *, now: datetime) -> Letter | None:
    seat = Seat.objects.select_related("user__wishes").get(pk=seat_id)
    if message.user is not None:  # about the seat, and not to whoever holds it
        seat.user, seat.is_muted = message.user, False
    player = player_of(seat)
    if player is None or way_of(message, game, seat, now=now) is not Way.NOW:
        return None
    version = wishes_of(seat).links_version
    own = addresses.of_player(message, game, seat, player, links_version=version)
    stop_game = StopGame(player.user_id, version, game.code)
    is_digest = message.kind == OutboxKind.DIGEST
    stop: Stop = stop_game
    with translation.override(player.language), timezone.override(player.zone):
        if is_digest:
            context = digest.digest(player.user_id, now=now)
            if context:
                context["is_capped"] = message.stage == CAPPED
        elif not is_current(message, game, seat, now=now):
            return None
        elif message.inbound_id is not None:
            context = answers.to_player(
                message,
                game,
                seat,
                wants_dice=player.wants_dice,
                can_reply=bool(own.reply),
                now=now,
            )
        else:
            context = letters.to_player(message, game, seat, wants_dice=player.wants_dice, now=now)
        if not context:
            return None
        if not is_digest:
            context["stop_game_url"] = stop_link(stop_game)
        if message.inbound_id is None and mails_today(seat, now=now) == MOST_A_DAY - 1:
            context["most_a_day"] = MOST_A_DAY
        topic = TOPIC_OF.get(OutboxKind(message.kind))
        if topic is not None:
            stop_topic = StopTopic(player.user_id, version, topic)
            stop = stop_topic if is_digest else stop_game
            context |= {"stop_url": stop_link(stop_topic), "topic": str(topic.label)}
        return _compose(message, game, player, context, own, stop=stop, now=now)


def _compose(
    message: OutboxMessage,
    game: Game,
    recipient: Recipient,
    context: letters.Context,
    own: Addresses,
    *,
    stop: Stop,
    now: datetime,
) -> Letter:
    base = f"emails/{message.kind}"
    whole = {
        "title": game_title(game),
        "language": recipient.language,
        "marker": MARKER if own.reply is not None else "",
        "help_url": letters.link("mail_help"),
        **context,
    }
    return envelope.seal(
        message,
        game,
        recipient,
        subject=one_line(render_to_string(f"{base}-subject.txt", whole)),
        text=_tidy(render_to_string(f"{base}-body.txt", whole)),
        html=_inliner().inline(render_to_string(f"{base}-body.html", whole)),
        stop_url=stop_link(stop),
        addresses=own,
        now=now,
    )


def _tidy(text: str) -> str:
    """Remove the blank lines and spaces that a template's tags leave behind."""
    lines = "\n".join([line.strip() for line in text.splitlines()])
    # "-- " marks the signature (RFC 3676, 4.3); its space is the one that stays.
    marked = re.sub(r"^--$", "-- ", lines, flags=re.MULTILINE)
    return re.sub(r"\n{3,}", "\n\n", marked).strip() + "\n"


@lru_cache(maxsize=1)
def _inliner() -> css_inline.CSSInliner:
    """Return what moves the style sheet into the tags; the rules for the dark stay in the head."""
    return css_inline.CSSInliner(keep_at_rules=True, load_remote_stylesheets=False)
