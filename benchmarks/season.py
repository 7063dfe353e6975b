"""Simulated games for :mod:`benchmarks.pace`: real services, and players who answer as people."""

import heapq
import statistics
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from zoneinfo import ZoneInfo

from accounts import services as accounts
from accounts.models import User
from benchmarks.scenario import NAMES
from games import clock, rules, store
from games.bots import BOTS
from games.models import Event, Game, GameStatus, Hours, Order, Seat, Tenure
from games.services import deadlines, lobby, moves, orders
from games.services.errors import StaleMove, TurnExpired

ZONE = "Europe/Rome"
MISSED = 0.25
"""The share of deadlines that players of such services miss."""

ANSWER = timedelta(hours=5)
"""The median of the time in which the others answer, awake."""

SPREAD = 0.9
"""The standard deviation of its logarithm."""

WAKING = (8, 22)
LOOKS_A_DAY = 2.0
"""How often a player looks at a game in which it is not his turn."""

LONGEST = timedelta(days=400)


@dataclass(frozen=True, slots=True)
class Season:
    """What the players of some games do. ``orders``: how readily one is left at a look, 0 to 1."""

    seats: int
    orders: float = 0.0
    silent: bool = False
    ladder: bool = True


@dataclass(slots=True)
class Played:
    """What became of a season: days and turns of its games, and how they were played."""

    days: list[float] = field(default_factory=list)
    turns: int = 0
    by_order: int = 0
    by_clock: int = 0
    deadlines: int = 0
    called_off: int = 0

    @property
    def median(self) -> float:
        """Return the median length of a game, in days."""
        return statistics.median(self.days)

    @property
    def ordered(self) -> float:
        """Return the share of the turns that orders played."""
        return self.by_order / max(1, self.turns)


class Table:
    """One game, and when each of its players looks at it next."""

    def __init__(self, season: Season, *, start: datetime, seed: int) -> None:
        self.season, self.chance, self.now = season, Random(seed), start
        self.start = start
        self.game_id = _begin(season.seats, now=start)
        self._looks: list[tuple[datetime, int]] = []
        self._expected: tuple[int, int] | None = None
        self.played, self._by_hand = Played(), 0
        for number in range(season.seats):
            if not self._is_silent(number):
                self._look_later(number)

    def run(self) -> Played:
        """Play the game to its end."""
        while (game := self._game()).status == GameStatus.ACTIVE:
            if self.now - self.start > LONGEST:
                raise RuntimeError(f"game {game.pk} does not end: {self.season}")
            self._expect(game)
            wake = game.wake_at or self.now + LONGEST
            if self._looks and self._looks[0][0] < wake:
                self.now, number = heapq.heappop(self._looks)
                self._look(game, number)
            else:
                self.now = max(self.now, wake)
                deadlines.expire_turns(now=self.now)
                self._note_clock(game)
        self.played.called_off = int(game.status == GameStatus.CANCELLED)
        self.played.days = [(self.now - self.start) / timedelta(days=1)]
        self._count()
        return self.played

    def _game(self) -> Game:
        return Game.objects.select_related("current_round").get(pk=self.game_id)

    def _is_silent(self, number: int) -> bool:
        return self.season.silent and number == 0

    def _expect(self, game: Game) -> None:
        """When a turn has come, draw when its player answers: in time, or after the deadline."""
        turn = (game.version, game.to_act or 0)
        if turn == self._expected or game.running_since is None:
            return
        self._expected = turn
        self.played.deadlines += 1
        number, deadline = turn[1], game.turn_deadline_at
        if self._is_silent(number) or deadline is None:
            return
        self._looks = [look for look in self._looks if look[1] != number]
        if self.chance.random() < MISSED:
            late = timedelta(hours=self.chance.uniform(1, 24))
            self._push(_awake(deadline + late), number)
            return
        hours = ANSWER * self.chance.lognormvariate(0, SPREAD)
        self._push(min(_awake(self.now + hours), deadline), number)

    def _look(self, game: Game, number: int) -> None:
        """Let a player do what he does when he looks: come back, move, leave an order."""
        user = self._user(number)
        moves.come_back(game_id=game.pk, user_id=user, now=self.now)
        game = self._game()
        if game.to_act == number and self._has_dice(number):
            action = _choice(game, number, self.chance)
            moves.play(game_id=game.pk, action=action, expected_version=game.version, now=self.now)
            self._by_hand += 1
        if self.chance.random() < self.season.orders and self._has_dice(number):
            self._leave_order(number, user)
        self._look_later(number)

    def _leave_order(self, number: int, user: int) -> None:
        game = self._game()
        row = game.current_round
        if game.status != GameStatus.ACTIVE or row is None or not row.is_rolled:
            return
        if Order.objects.filter(seat__game=game, seat__number=number).exists():
            return
        try:
            orders.leave(
                game_id=game.pk,
                user_id=user,
                text=_policy(game, number),
                waits=False,
                round_number=row.number,
                now=self.now,
            )
        except (rules.RuleViolation, StaleMove, TurnExpired):
            return

    def _note_clock(self, before: Game) -> None:
        if not self.season.ladder:
            # Without the ladder every turn of a silent seat takes its whole time.
            Seat.objects.filter(game=before).update(
                missed_in_a_row=0, is_absent=False, absent_since=None
            )

    def _count(self) -> None:
        acts = Event.objects.filter(game=self.game_id, kind__in=("bid", "dudo", "calza"))
        self.played.turns = acts.count()
        self.played.by_clock = acts.filter(is_auto=True).count()
        # A person's move by hand takes a look; what no look and no clock played, an order did.
        self.played.by_order = self.played.turns - self.played.by_clock - self._by_hand

    def _user(self, number: int) -> int:
        return (
            Seat.objects.values_list("user_id", flat=True).get(game=self.game_id, number=number)
            or 0
        )

    def _has_dice(self, number: int) -> bool:
        return Seat.objects.filter(game=self.game_id, number=number, dice__gt=0).exists()

    def _look_later(self, number: int) -> None:
        pause = timedelta(days=self.chance.expovariate(LOOKS_A_DAY))
        self._push(_awake(self.now + pause), number)

    def _push(self, at: datetime, number: int) -> None:
        heapq.heappush(self._looks, (at, number))


def _awake(moment: datetime) -> datetime:
    """Return ``moment``, or the morning after when it falls into the night."""
    local = moment.astimezone(ZoneInfo(ZONE))
    if WAKING[0] <= local.hour < WAKING[1]:
        return moment
    day = local.date() + timedelta(days=local.hour >= WAKING[1])
    morning = datetime.combine(day, datetime.min.time(), ZoneInfo(ZONE))
    return (morning + timedelta(hours=WAKING[0], minutes=local.minute)).astimezone(UTC)


def play(season: Season, *, games: int, first_seed: int = 0) -> Played:
    """Play games of a season one after the other, each begun at another hour of a week."""
    total = Played()
    for seed in range(first_seed, first_seed + games):
        start = datetime(2026, 9, 7, 6, tzinfo=UTC) + timedelta(hours=seed * 29 % 168)
        one = Table(season, start=_awake(start), seed=seed).run()
        total.called_off += one.called_off
        if one.called_off:
            continue
        total.days += one.days
        total.turns += one.turns
        total.by_order += one.by_order
        total.by_clock += one.by_clock
        total.deadlines += one.deadlines
    return total


def _begin(seats: int, *, now: datetime) -> int:
    """Return a game on the Standard clock that has just begun."""
    people = [_person(name) for name in NAMES[:seats]]
    Game.objects.filter(status=GameStatus.ACTIVE).delete()
    Tenure.objects.all().delete()  # seats left silently in other games keep nobody out of this one
    seated = [lobby.Player(user.pk, user.display_name) for user in people]
    new = lobby.NewGame(
        ruleset=rules.find_ruleset("bga"), seats=seats, clock=clock.find_clock("standard")
    )
    game = lobby.create_game(host=seated[0], new=new, now=now)
    for player in seated[1:]:
        lobby.join(game_id=game.pk, player=player, now=now)
        lobby.set_ready(game_id=game.pk, user_id=player.user_id, is_ready=True, now=now)
    return int(game.pk)


def _person(name: str) -> User:
    email = f"{name.lower()}@example.org"
    user = User.objects.filter(emailaddress__email=email).first()
    if user is None:
        user = accounts.create_user(email=email, display_name=name)
        Hours.objects.get_or_create(user=user, defaults={"zone": ZONE})
    return user


def _view(game: Game, number: int) -> rules.TableView:
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    bids = list(game.current_round.bids.order_by("number")) if game.current_round else []
    return rules.view_for(store.load_state(game, seats, bids=bids, with_dice=True), number)


def _choice(game: Game, number: int, chance: Random) -> rules.Move:
    return BOTS["paco"](_view(game, number), luck=chance.random())


def _policy(game: Game, number: int) -> str:
    """Return an order as players write them: a ladder of the face held most, dudo above it."""
    view = _view(game, number)
    own = list(view.own_dice or ())
    in_play = sum(seat.dice or 0 for seat in view.seats)
    face = max(range(2, 7), key=own.count)
    matching = own.count(face) + own.count(1)
    likely = max(1, matching + (in_play - len(own)) // 3)
    return f"dudo below 30%; bid {max(1, likely - 1)}x{face}, {likely}x{face}; else least"
