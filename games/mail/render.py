"""One notice -> one mail, as its recipient's eyes should see it at the moment of sending."""

import re
from datetime import datetime
from functools import lru_cache

import css_inline
from django.core.mail import EmailMultiAlternatives
from django.template.loader import render_to_string
from django.utils import timezone, translation

from games.mail import envelope, letters
from games.mail.recipients import Recipient, guest_of, player_of
from games.mail.relevance import is_current, is_open_to
from games.mail.words import game_title, one_line
from games.models import Game, Invitation, OutboxMessage, Seat


def render(message: OutboxMessage, *, now: datetime) -> EmailMultiAlternatives | None:
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
) -> EmailMultiAlternatives | None:
    people = Invitation.objects.select_related("user", "invited_by")
    invitation = people.get(pk=invitation_id)
    guest = guest_of(invitation)
    if guest is None or not is_open_to(guest, game, invitation, now=now):
        return None
    with translation.override(guest.language), timezone.override(guest.zone):
        return _compose(message, game, guest, letters.invitation(game, invitation), now=now)


def _to_player(
    message: OutboxMessage, game: Game, seat_id: int, *, now: datetime
) -> EmailMultiAlternatives | None:
    seat = Seat.objects.select_related("user").get(pk=seat_id)
    player = player_of(seat)
    if player is None or not is_current(message, game, seat, now=now):
        return None
    with translation.override(player.language), timezone.override(player.zone):
        context = letters.to_player(message, game, seat, wants_dice=player.wants_dice, now=now)
        return _compose(message, game, player, context, now=now)


def _compose(
    message: OutboxMessage,
    game: Game,
    recipient: Recipient,
    context: letters.Context,
    *,
    now: datetime,
) -> EmailMultiAlternatives:
    base = f"emails/{message.kind}"
    whole = {"title": game_title(game), "language": recipient.language, **context}
    return envelope.seal(
        message,
        game,
        recipient,
        subject=one_line(render_to_string(f"{base}-subject.txt", whole)),
        text=_tidy(render_to_string(f"{base}-body.txt", whole)),
        html=_inliner().inline(render_to_string(f"{base}-body.html", whole)),
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
