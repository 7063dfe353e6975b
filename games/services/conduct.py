"""Counting how players keep their turns, round by round, once a round is over.

A closed round is a duty by itself, found by its ``misses`` being empty and counted once, so no move
takes a moment longer for it. What comes out stands in :class:`games.models.Conduct` and can be
worked out again from the log (``manage.py count_rounds --anew``).
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction

from games import clock, timing
from games.models import Conduct, Event, Game, GameStatus, Hours, Round, Seat, Tenure
from games.selectors.conduct import reliability_of
from games.services.attendance import MISSES_TO_ABSENCE

MOST_ANSWERS = 50
"""So many of a player's newest answers tell how long he takes."""

RAN_OUT = timedelta(minutes=30)
"""What the clock played after less did not run out: no turn is shorter than an hour."""

_BY_HAND = ("bid", "dudo", "calza")
_TURNS = (*_BY_HAND, "resign", "forfeit")
_FIELDS = (
    *("kept", "missed", "games", "played_on"),
    *("answers", "known", "low", "median", "high", "counted_at"),
)


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn of the log: whose it was, since when, and how it ended.

    ``seq`` is the number of its event. ``is_missed``: the clock ran out; what an absent seat has
    played at once is neither missed nor kept.
    """

    seq: int
    seat: int
    started_at: datetime
    ended_at: datetime
    is_kept: bool
    is_missed: bool


def count_rounds(*, now: datetime, limit: int = 200) -> int:
    """Count the rounds that are over and not counted yet, oldest first; return how many."""
    waiting = Round.objects.filter(closed_at__isnull=False, misses__isnull=True)
    due = list(waiting.order_by("closed_at").values_list("pk", flat=True)[:limit])
    return sum(_count(round_id, now=now) for round_id in due)


@transaction.atomic
def count_anew(*, now: datetime) -> int:
    """Forget what was counted and count all of it again; return how many rounds.

    How a turn was missed is remembered with its round; how long turns took is reckoned by the hours
    that their players keep today.
    """
    counted = Round.objects.filter(misses__isnull=False).order_by("closed_at", "pk")
    rows: dict[int, Conduct] = {}
    count = 0
    for row in counted.select_related("game").iterator():
        count += 1
        told = _Told.of(row)
        for user_id in told.people:
            rows.setdefault(user_id, Conduct(user_id=user_id))
        known = row.misses or {}
        told.enter(rows, {int(seq): clock.Miss(how) for seq, how in known.items()}, now=now)
    Conduct.objects.all().delete()
    Conduct.objects.bulk_create(rows.values())
    return count


@transaction.atomic
def _count(round_id: int, *, now: datetime) -> bool:
    """Count one round, unless somebody else does, or has; return whether it was counted."""
    uncounted = Round.objects.select_for_update(skip_locked=True, of=("self",))
    row = uncounted.select_related("game").filter(pk=round_id, misses__isnull=True).first()
    if row is None:
        return False
    told = _Told.of(row)
    misses = told.misses()
    told.enter(_take(told.people), misses, now=now, is_saved=True)
    row.misses = {str(seq): how.value for seq, how in misses.items()}
    row.save(update_fields=["misses"])
    return True


def ensure(user_id: int) -> Conduct:
    """Return a player's row, locked until the transaction ends; it is made if he has none.

    Whoever locks it and a game locks this first.
    """
    return _take([user_id])[user_id]


def _take(user_ids: Iterable[int]) -> dict[int, Conduct]:
    """Lock the rows of players in the order of their keys, and make those that are missing."""
    wanted = sorted(set(user_ids))
    known = set(Conduct.objects.filter(pk__in=wanted).values_list("pk", flat=True))
    missing = [Conduct(user_id=user_id) for user_id in wanted if user_id not in known]
    if missing:
        Conduct.objects.bulk_create(missing, ignore_conflicts=True)
    rows = Conduct.objects.select_for_update().filter(pk__in=wanted).order_by("pk")
    return {row.pk: row for row in rows}


@dataclass(frozen=True, slots=True)
class _Told:
    """What there is to know of a closed round: its turns, and who played on which seat."""

    row: Round
    seats: Mapping[int, Seat]
    players: Mapping[int, int]
    hours: Mapping[int, Hours]
    handed_on: int
    turns: tuple[Turn, ...]

    @classmethod
    def of(cls, row: Round) -> "_Told":
        """Read it."""
        seats = {seat.number: seat for seat in Seat.objects.filter(game_id=row.game_id)}
        earlier = list(Tenure.objects.filter(game_id=row.game_id))
        holders = {number: _holder(seat, earlier, row.number) for number, seat in seats.items()}
        players = {number: user_id for number, user_id in holders.items() if user_id is not None}
        events = Event.objects.filter(game_id=row.game_id, round_number__lte=row.number)
        # Whoever took a seat over has not missed the turns of the player before him.
        begun = {number: seat.held_from for number, seat in seats.items()}
        turns = turns_of(row, events.order_by("seq"), begun=begun)
        hours = Hours.objects.in_bulk(players.values())
        return cls(row, seats, players, hours, len(earlier), tuple(turns))

    @property
    def people(self) -> list[int]:
        """Return the accounts of those who had dice in it, or finished their game with it."""
        playing = [user_id for seat, user_id in self.players.items() if self.row.counts[seat]]
        return [*playing, *self._finishers()]

    def misses(self) -> dict[int, clock.Miss]:
        """Return how each missed turn of a person was missed, by the number of its event."""
        return {
            turn.seq: self._how(turn)
            for turn in self.turns
            if turn.is_missed and turn.seat in self.players
        }

    def enter(
        self,
        rows: Mapping[int, Conduct],
        misses: Mapping[int, clock.Miss],
        *,
        now: datetime,
        is_saved: bool = False,
    ) -> None:
        """Add what happened to the rows of its players, and write them if they are ``is_saved``."""
        for turn in self.turns:
            user_id = self.players.get(turn.seat)
            if user_id is not None and (turn.is_kept or turn.seq in misses):
                self._enter(rows[user_id], turn, misses.get(turn.seq))
        for user_id in self._finishers():
            rows[user_id].games += 1
        for row in rows.values():
            row.counted_at = now
        if is_saved:
            Conduct.objects.bulk_update(rows.values(), _FIELDS)

    def _enter(self, row: Conduct, turn: Turn, miss: clock.Miss | None) -> None:
        hours = self.hours.get(row.pk)
        zone = timing.zone_of(hours.zone if hours else "UTC")
        known = reliability_of(row)
        if miss is None:
            known = known.after_turn(turn.ended_at.astimezone(zone).date())
        else:
            known = known.after_miss(miss)
        if turn.seq - 1 in self.seats[turn.seat].token_turns[1:]:
            known = known.after_silent_extension()
        row.kept, row.missed, row.played_on = known.kept, known.missed, known.played_on
        awake = clock.Quiet(
            zone,
            night=hours.night if hours else None,
            weekend=frozenset(hours.weekend if hours else ()),
        )
        took = awake.between(turn.started_at, turn.ended_at)
        row.answers = [*row.answers, round(took.total_seconds())][-MOST_ANSWERS:]
        _summarise(row)

    def _how(self, turn: Turn) -> clock.Miss:
        """Return the notice that was given of a missed turn."""
        hours = self.hours.get(self.players[turn.seat])
        absences = hours.absences if hours else ()
        for away in absences:
            announced = datetime.fromisoformat(away["announced_at"])
            start, end = (datetime.fromisoformat(away[key]) for key in ("start", "end"))
            if announced <= turn.started_at and start <= turn.ended_at and turn.started_at < end:
                return clock.Miss.ANNOUNCED
        if turn.seq - 1 in self.seats[turn.seat].token_turns:
            return clock.Miss.TOKEN
        return clock.Miss.SILENT

    def _finishers(self) -> list[int]:
        """Return who has finished a game against people with this round."""
        game: Game = self.row.game
        is_last = game.status == GameStatus.FINISHED and game.current_round_id == self.row.pk
        against_people = sum(not seat.bot for seat in self.seats.values()) + self.handed_on > 1
        if not (is_last and against_people):
            return []
        return [
            user_id
            for number, user_id in self.players.items()
            if not self.seats[number].has_resigned
        ]


def turns_of(row: Round, events: Iterable[Event], *, begun: Mapping[int, int]) -> Iterator[Turn]:
    """Yield the turns of a round from the log of its game up to its end.

    A calza out of turn is no turn, and who resigns has neither kept nor missed one.

    :param begun: by seat, the first round of a player who took it over.
    """
    missed_in_a_row: dict[int, int] = {}
    on_turn, started_at = row.opener, row.opened_at
    for event in events:
        seat = event.seat
        if seat is not None and event.kind in _TURNS:
            if event.round_number < begun[seat] <= row.number:
                continue
            missed = missed_in_a_row.get(seat, 0)
            if event.round_number == row.number and seat == on_turn:
                took = event.made_at - started_at
                yield Turn(
                    seq=event.seq,
                    seat=seat,
                    started_at=started_at,
                    ended_at=event.made_at,
                    is_kept=not event.is_auto and event.kind in _BY_HAND,
                    is_missed=event.is_auto and missed < MISSES_TO_ABSENCE and took >= RAN_OUT,
                )
            missed_in_a_row[seat] = missed + 1 if event.is_auto else 0
        if event.round_number == row.number:
            on_turn = _next(row, seat) if event.kind == "bid" and seat is not None else row.opener
        started_at = event.made_at


def _holder(seat: Seat, earlier: Iterable[Tenure], number: int) -> int | None:
    """Return who held a seat in a round: the record of it is his, whoever holds it now."""
    for tenure in earlier:
        if tenure.seat_id == seat.pk and tenure.from_round <= number <= tenure.to_round:
            return tenure.user_id
    return seat.user_id if number >= seat.held_from else None


def _next(row: Round, seat: int) -> int:
    """Return who is to move after a bid by ``seat``."""
    dice: list[int] = row.counts
    around = [*range(seat + 1, len(dice)), *range(seat)]
    following: int = next(number for number in around if dice[number])
    return following


def _summarise(row: Conduct) -> None:
    found = clock.Answers.of([timedelta(seconds=each) for each in row.answers])
    if found is None:
        return
    row.known = found.count
    row.low, row.median, row.high = (
        round(each.total_seconds()) for each in (found.low, found.median, found.high)
    )
