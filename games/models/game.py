"""A game and its seats."""

import datetime as dt
from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.models.conduct import Conduct
from games.models.hours import Hours
from games.models.ids import new_code, new_gid, new_token
from games.models.order import Order

if TYPE_CHECKING:
    from games.models.tenure import Tenure


class GameStatus(models.TextChoices):
    OPEN = "open", _("waiting for players")
    ACTIVE = "active", _("under way")
    FINISHED = "finished", _("finished")
    CANCELLED = "cancelled", _("cancelled")


class Game(models.Model):
    """One match, from the waiting room to the winner.

    ``version`` is the sequence number of the newest :class:`~games.models.event.Event` and
    ``log_hash`` its hash; every move names the version it answers. The standing bid is kept here,
    beside ``version``, so that a bid is one update.
    """

    code = models.CharField(max_length=12, default=new_code, editable=False)
    name = models.CharField(max_length=40)
    status = models.CharField(max_length=10, choices=GameStatus, default=GameStatus.OPEN)
    host = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="hosted_games"
    )
    is_private = models.BooleanField(default=True)
    invite_token = models.CharField(max_length=26, default=new_token, editable=False)
    seats_wanted = models.PositiveSmallIntegerField()
    turn_seconds = models.PositiveIntegerField()
    ruleset = models.JSONField()
    rematch_of = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="rematch"
    )

    gid = models.CharField(max_length=32, default=new_gid, editable=False)
    commitment = models.CharField(max_length=64, editable=False)
    contributions = models.JSONField(
        null=True, blank=True, help_text="What players added to the seed, closed at the start."
    )
    former_seeds = models.JSONField(
        default=list, blank=True, help_text="Seeds replaced after a restore, public by then."
    )
    log_hash = models.CharField(max_length=64, blank=True, editable=False)
    chain = models.CharField(
        max_length=12,
        default="none",
        editable=False,
        help_text="The public beacon of its rolls, or none: fixed when the game is made.",
    )

    version = models.PositiveIntegerField(default=0)
    current_round = models.ForeignKey(
        "games.Round",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        db_index=False,
    )
    to_act = models.PositiveSmallIntegerField(null=True, blank=True)
    bids_made = models.PositiveSmallIntegerField(default=0)
    bid_seat = models.PositiveSmallIntegerField(null=True, blank=True)
    bid_quantity = models.PositiveIntegerField(null=True, blank=True)
    bid_face = models.PositiveSmallIntegerField(null=True, blank=True)

    clock = models.JSONField(
        null=True, blank=True, help_text="The table's clock; without one, plain turn_seconds."
    )
    gate = models.PositiveSmallIntegerField(
        default=0, help_text="The percentage of turns in time that a player needs to join, or 0."
    )
    new_welcome = models.BooleanField(
        default=True, help_text="Whether the gate lets those through who are new."
    )
    day_parts = models.BooleanField(
        default=False, help_text="Times of moves are shown as parts of the day, and deadlines are."
    )
    shows_odds = models.BooleanField(
        default=False, help_text="Whoever is to move sees the odds; such a game is never rated."
    )
    is_rated = models.BooleanField(
        default=False, help_text="Its end counts for the ratings of those who began it."
    )
    rated_as = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="Its number in the order in which games were rated; 0 if nothing was to rate.",
    )
    turn_base = models.DurationField(
        default=dt.timedelta, help_text="What is left of this turn's own time."
    )
    running_since = models.DateTimeField(
        null=True, blank=True, help_text="Since when that runs; nothing while it stands."
    )
    turn_extra = models.DurationField(
        default=dt.timedelta, help_text="What tokens, gifts and votes have added to this turn."
    )
    pauses = models.JSONField(default=list, blank=True)
    vote = models.JSONField(
        null=True, blank=True, help_text="What the table votes on, or voted on last."
    )
    ended_by = models.CharField(
        max_length=10, blank=True, help_text="Why a game under way was called off: vote, abandoned."
    )
    handovers = models.PositiveSmallIntegerField(
        default=0,
        help_text="How often a seat was retired, or promised to somebody, or not any more.",
    )
    calza_until = models.DateTimeField(
        null=True, blank=True, help_text="Until when calls on the bid are collected unseen."
    )
    turn_started_at = models.DateTimeField(null=True, blank=True)
    turn_deadline_at = models.DateTimeField(null=True, blank=True)
    wake_at = models.DateTimeField(
        null=True, blank=True, help_text="When the sweep has something to do in this game."
    )
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    counted = models.PositiveIntegerField(
        null=True, blank=True, help_text="Which game it was that statistics counted, from 1 on."
    )

    around: Sequence["Seat"] = ()
    """Its seats, where :func:`games.queries.lock_game` has read them with it."""

    class Meta:
        # A row that is written at every move carries no index that nothing looks up by: names
        # are constraints, since `unique=True` makes a second index for LIKE.
        constraints = [
            models.UniqueConstraint(fields=["code"], name="game_code"),
            models.UniqueConstraint(fields=["invite_token"], name="game_invite_token"),
            models.UniqueConstraint(fields=["gid"], name="game_gid"),
            models.CheckConstraint(
                name="game_active_has_a_turn",
                condition=~Q(status="active") | Q(to_act__isnull=False, wake_at__isnull=False),
            ),
            models.CheckConstraint(
                name="game_ended_has_no_wake",
                condition=~Q(status__in=("finished", "cancelled")) | Q(wake_at__isnull=True),
            ),
            models.UniqueConstraint(
                fields=["rated_as"], name="game_rated_once", condition=Q(rated_as__gt=0)
            ),
            models.CheckConstraint(
                name="game_with_odds_is_unrated", condition=~Q(shows_odds=True, is_rated=True)
            ),
            models.UniqueConstraint(
                fields=["counted"], name="game_counted_once", condition=Q(counted__isnull=False)
            ),
        ]
        indexes = [
            models.Index(fields=["wake_at"], name="game_wake", condition=Q(wake_at__isnull=False)),
            models.Index(
                fields=["-created_at"],
                name="game_lobby",
                condition=Q(status="open", is_private=False),
            ),
            models.Index(
                fields=["finished_at"],
                name="game_uncounted",
                condition=Q(status="finished", counted__isnull=True),
            ),
            models.Index(
                fields=["finished_at"],
                name="game_unrated",
                condition=Q(status="finished", is_rated=True, rated_as__isnull=True),
            ),
        ]

    def __str__(self) -> str:
        return self.code


class Seat(models.Model):
    """A player's place in a game. Seats are numbered to the left, from 0, in playing order."""

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="seats",
    )
    bot = models.CharField(max_length=20, blank=True, help_text="The kind of bot, or nothing.")
    name = models.CharField(max_length=40, help_text="Shown where there is no account.")
    is_ready = models.BooleanField(default=False)
    joined_at = models.DateTimeField()

    dice = models.PositiveSmallIntegerField(default=0)
    palifico_done = models.BooleanField(default=False)
    place = models.PositiveSmallIntegerField(null=True, blank=True)
    has_resigned = models.BooleanField(default=False)
    missed_in_a_row = models.PositiveSmallIntegerField(default=0)
    is_absent = models.BooleanField(default=False)
    absent_since = models.DateTimeField(null=True, blank=True)
    bank = models.DurationField(default=dt.timedelta, help_text="Time beside that of its turns.")
    tokens_used = models.PositiveSmallIntegerField(default=0)
    token_turns = models.JSONField(
        default=list, blank=True, help_text="The versions of the turns that they were used in."
    )
    gave_to = models.JSONField(
        default=list, blank=True, help_text="The seats that this one has given time to."
    )
    nudged_at = models.DateTimeField(null=True, blank=True)
    seen_version = models.PositiveIntegerField(
        default=0, help_text="The turn of its own that its player looked at last."
    )
    seen_at = models.DateTimeField(null=True, blank=True, help_text="When; to the minute.")
    is_muted = models.BooleanField(default=False, help_text="No notices about this game.")
    takes_replies = models.BooleanField(default=True, help_text="Its player may play by mail.")
    addresses_renewed = models.PositiveIntegerField(
        default=0, help_text="How often its addresses were replaced, because others knew them."
    )
    mail_fails = models.BooleanField(default=False, help_text="Mail to its player comes back.")
    mail_failed_at = models.DateTimeField(
        null=True, blank=True, help_text="When that began first in this game."
    )
    held_from = models.PositiveIntegerField(
        default=0, help_text="The first round of a player who took it over, or 0."
    )
    retired_at = models.DateTimeField(
        null=True, blank=True, help_text="Since when nobody holds it; it plays by itself."
    )
    heir = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="promised_seats",
        db_index=False,
        help_text="Who holds it from the next roll on.",
    )
    heir_bot = models.CharField(
        max_length=20, blank=True, help_text="The kind of bot that does, or nothing."
    )

    hours: Hours | None = None
    """Its player's hours, where :func:`games.queries.lock_game` has read them with the seat."""

    order: Order | None = None
    """Its player's standing order, where it was read with the seat."""

    conduct: Conduct | None = None
    """How its player has kept his turns, where it was read with the seat."""

    earlier: tuple["Tenure", ...] = ()
    """Who held it before, the first of them first, where that was read with the seat."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="seat_number_in_game"),
            models.UniqueConstraint(
                fields=["game", "user"], name="seat_one_per_user", condition=Q(user__isnull=False)
            ),
            models.UniqueConstraint(
                fields=["heir", "game"], name="seat_one_per_heir", condition=Q(heir__isnull=False)
            ),
            models.CheckConstraint(
                name="seat_retired_is_nobodys",
                condition=Q(retired_at__isnull=True) | Q(user__isnull=True, bot=""),
            ),
            models.CheckConstraint(
                name="seat_promised_is_retired",
                condition=Q(retired_at__isnull=False) | Q(heir__isnull=True, heir_bot=""),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.game_id}/{self.number}"

    @property
    def is_free(self) -> bool:
        """Return whether somebody may take this seat over."""
        is_promised = self.heir_id is not None or bool(self.heir_bot)
        return self.retired_at is not None and self.dice > 0 and not is_promised
