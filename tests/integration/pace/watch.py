"""Somebody who watches a whole game, from the first roll to its end, with a wall clock of his own.

He keeps every player's clock by hand (``wall``), and at each step compares it with what the game's
rows, pages, mails and feeds say, and with what the service lets through.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

import pytest
import time_machine
from django.core import mail as mailbox
from django.db import transaction

from games import rules
from games.clock import ClockSettings
from games.models import Event, Game, GameStatus, OutboxMessage, OutboxStatus, Seat
from games.services import deadlines, hours, lobby, outbox, wishes
from games.services.errors import TurnExpired
from games.services.waking import GRACE
from tests.cast import act, person, player
from tests.integration.games.invariants import check_game
from tests.integration.games.pages import browser
from tests.integration.notices.test_feeds import events, feeds
from tests.integration.pace.wall import ABSENCE_CAP, BANK, BONUS, CAP, HOUR, Ledger, Span, Wall

SECOND = timedelta(seconds=1)
MOST_REMINDERS = 4


@contextmanager
def undone() -> Iterator[None]:
    """Let what happens in the block not have happened."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def as_told(at: datetime, wall: Wall) -> str:
    """Return an instant as a mail has to say it to its reader: "Tuesday 5 May, 14:00 CEST"."""
    local = at.astimezone(wall.zone)
    name = local.tzname() or ""
    return (
        f"{local:%A} {local.day} {local:%B}, {local:%H:%M} {name if name.isalpha() else wall.zone}"
    )


@dataclass
class Watch:
    """A game under way and what its players' own clocks say."""

    game_id: int
    walls: dict[str, Wall]
    now: datetime
    banks: dict[str, timedelta]
    trips: dict[str, list[Span]] = field(default_factory=dict)
    ledger: Ledger | None = None
    round_number: int = 0
    past: list[tuple[str, datetime, datetime]] = field(default_factory=list)
    """Who was on turn, from when to when."""

    @property
    def game(self) -> Game:
        return Game.objects.select_related("current_round").get(pk=self.game_id)

    @property
    def is_over(self) -> bool:
        return self.game.status != GameStatus.ACTIVE

    @property
    def on_turn(self) -> str:
        """Return who is to move; nothing where nobody holds the seat."""
        seat = Seat.objects.select_related("user").get(game=self.game_id, number=self.game.to_act)
        return seat.user.display_name.lower() if seat.user is not None else ""

    @property
    def deadline(self) -> datetime:
        """Return the deadline that the game's row has."""
        deadline = self.game.turn_deadline_at
        assert deadline is not None
        return deadline

    def left(self) -> timedelta:
        """Return what the seat on turn has left, turn and bank together."""
        assert self.ledger is not None
        return self.ledger.base + self.ledger.bank

    # --- what happens ---------------------------------------------------------------------------

    def action(self) -> rules.SeatAction:
        """Return the next move of the script: a small bid, one that cannot hold, and its dudo."""
        game = self.game
        assert game.to_act is not None
        if game.bids_made >= 2 or (game.bid_quantity or 0) >= 50:
            return rules.Dudo(game.to_act)
        return rules.MakeBid(
            game.to_act, rules.Bid(50 if game.bids_made else 1, game.bid_face or 2)
        )

    def move(self, *, at: datetime) -> None:
        """Let the player on turn move: nothing happened by itself until then."""
        name, ledger = self.on_turn, self.ledger
        assert ledger is not None
        version, started = self.game.version, ledger.since
        self.wait(at)
        deadlines.expire_turns(now=at)
        assert self.game.version == version
        ledger.settle(self.walls[name], at)
        act(self.game, self.action(), now=at)
        self.banks[name] = min(ledger.bank + BONUS, CAP)
        self._next(name, started)

    def miss(self) -> None:
        """Let the time run out, and the clock act."""
        name, ledger = self.on_turn, self.ledger
        assert ledger is not None
        ends, started = self.deadline, ledger.since
        self.wait(ends + GRACE)
        autos = self.autos()
        deadlines.expire_turns(now=self.now)
        assert self.autos() == autos + 1
        ledger.settle(self.walls[name], ends)
        self.banks[name] = ledger.bank
        self._next(name, started)

    def sweep(self) -> None:
        """Let happen by itself what is due next: a seat plays at once, or is retired."""
        at = self.game.wake_at
        assert at is not None
        self.wait(at)
        assert deadlines.expire_turns(now=at) == 1
        self.sync()

    def change(self, how: Callable[[], object]) -> None:
        """Let the time of the turn that runs be changed; what ran by the old rules is gone."""
        if self.ledger is not None:
            self.ledger.settle(self.walls[self.on_turn], self.now)
        how()
        self.sync()

    def stand_still(self, start: datetime, length: timedelta, *names: str) -> None:
        """Note that clocks stand still for a time: those of ``names``, or everybody's."""
        for name in names or tuple(self.walls):
            self.walls[name].still.append((start, start + length))

    def wait(self, until: datetime) -> None:
        """Let time pass and every mail go out as it falls due; what they say is checked."""
        for _ in range(200):
            pending = OutboxMessage.objects.filter(status=OutboxStatus.PENDING, due_at__lte=until)
            row = pending.order_by("due_at").first()
            if row is None:
                self.now = max(self.now, until)
                return
            self.now = max(self.now, row.due_at)
            self.post()
        raise AssertionError("a mail is never settled")

    def post(self) -> None:
        """Send what is due; a mail that tells of a turn names the deadline that counts."""
        mailbox.outbox.clear()
        outbox.relay(now=self.now)
        for mail in mailbox.outbox:
            if mail.extra_headers["X-Perudo-Mail"] in ("turn", "reminder"):
                wall = self.walls[self.on_turn]
                assert mail.to == [f"{self.on_turn}@example.org"]
                assert f"Time: until {as_told(self.deadline, wall)} (" in mail.body
                assert self.now < self.deadline

    # --- what has to be so ----------------------------------------------------------------------

    def sync(self) -> None:
        """Read where the game is; a turn that has just begun starts with its whole time."""
        game = self.game
        if game.status != GameStatus.ACTIVE:
            self.ledger = None
            return
        assert game.current_round is not None
        if game.current_round.number != self.round_number:
            self.round_number = game.current_round.number
            self._count_absences()
        if game.running_since is None:
            self.ledger = None
        elif self.ledger is None or self.ledger.version != game.version:
            assert game.turn_started_at == self.now
            over = [at for at in self._over(self.on_turn) if at > self.now]
            bank = self.banks[self.on_turn]
            self.ledger = Ledger(game.version, self.now, bank, over_at=min(over, default=None))

    def look(self) -> None:
        """Compare everything that tells of time; whoever looks leaves no trace."""
        check_game(self.game_id)
        game = self.game
        if game.status != GameStatus.ACTIVE:
            assert (game.wake_at, game.turn_deadline_at) == (None, None)
            return
        assert game.wake_at is not None
        assert game.wake_at >= self.now or game.running_since is None
        for seat in Seat.objects.filter(game=game, user__isnull=False).select_related("user"):
            assert seat.user is not None
            name = seat.user.display_name.lower()
            bank = self.banks[name]
            if self.ledger is not None and seat.number == game.to_act:
                bank = self.ledger.bank
            assert seat.bank == bank
            assert seat.bank <= CAP
        if self.ledger is None:
            return
        deadline = self.ledger.deadline(self.walls[self.on_turn])
        assert game.turn_deadline_at == deadline
        self._check_reminders(deadline)
        with undone():
            self._check_pages(game, deadline)
        self._check_enforced(deadline)

    def _check_pages(self, game: Game, deadline: datetime) -> None:
        iso = deadline.isoformat(timespec="seconds")
        others = [name for name in self.walls if name != self.on_turn]
        calendars = feeds(self.on_turn)["ics"], feeds(others[0])["ics"]
        with time_machine.travel(self.now, tick=False):
            table, clocks = f"/g/{game.code}/", f"/g/{game.code}/time/"
            for name, pages in ((self.on_turn, (table, clocks, "/")), (others[0], (table,))):
                client = browser(name)
                for page in pages:
                    html = client.get(page).content.decode()
                    assert f'<time datetime="{iso}">' in html, page
                    assert len(set(re.findall(r'<time datetime="([^"]+)">', html))) == 1, page
                    assert f'data-countdown="{iso}"' in html
            own, rivals = (events(browser().get(each).content) for each in calendars)
        turns = [each["DTSTART"] for each in own if each["UID"].startswith("turn-")]
        assert turns == [deadline.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")]
        assert not [each for each in rivals if each["UID"].startswith("turn-")]

    def _check_reminders(self, deadline: datetime) -> None:
        wall = self.walls[self.on_turn]
        turn = OutboxMessage.objects.filter(game=self.game_id, version=self.game.version)
        own = turn.filter(kind="reminder", seat__number=self.game.to_act)
        kept = own.exclude(status=OutboxStatus.SUPERSEDED)
        was_told = turn.filter(kind="turn", status=OutboxStatus.SENT).exists()
        assert was_told <= kept.count() <= MOST_REMINDERS
        for row in kept.filter(status=OutboxStatus.PENDING):
            assert row.due_at < deadline
            assert not Wall(wall.zone, wall.night).stands(row.due_at)
            if row.stage == "last":
                assert wall.ran(row.due_at, deadline) <= 3 * HOUR

    def _check_enforced(self, deadline: datetime) -> None:
        """A move at the deadline counts, one a second later does not, the clock waits its grace."""
        version, autos = self.game.version, self.autos()
        with undone():
            act(self.game, self.action(), now=deadline)
            assert self.game.version > version
        with undone(), pytest.raises(TurnExpired):
            act(self.game, self.action(), now=deadline + SECOND)
        with undone():
            deadlines.expire_turns(now=deadline + GRACE - SECOND)
            assert self.autos() == autos
        with undone():
            for _ in range(3):  # seats that are to be retired go first
                deadlines.expire_turns(now=deadline + GRACE)
            assert self.autos() > autos

    def autos(self) -> int:
        """Return how many moves the clock has made."""
        return Event.objects.filter(game=self.game_id, is_auto=True).count()

    def _next(self, name: str, started: datetime) -> None:
        self.past.append((name, started, self.now))
        self.sync()

    def _count_absences(self) -> None:
        """Let the absences count that had begun when these dice were rolled, up to their cap."""
        for name, trips in self.trips.items():
            for start, end in trips:
                span = start, min(end, start + ABSENCE_CAP)
                if start <= self.now and span not in self.walls[name].still:
                    self.walls[name].still.append(span)

    def _over(self, name: str) -> list[datetime]:
        """Return when absences that count have used up what the game waits for them."""
        trips = self.trips.get(name, [])
        counted = [(start, end) for start, end in trips if start <= self.now]
        return [start + ABSENCE_CAP for start, end in counted if end > start + ABSENCE_CAP]


def sit_down(
    walls: Mapping[str, Wall], clock: ClockSettings, *, now: datetime, dice: int = 4
) -> Watch:
    """Start a game among people of these walls, and watch it."""
    for name, wall in walls.items():
        user = person(name, time_zone=str(wall.zone))
        hours.ensure(user.pk)
        hours.set_week(
            user_id=user.pk,
            zone=str(wall.zone),
            night=wall.night,
            weekend=sorted(wall.weekend),
            now=now - timedelta(days=30),
        )
        wishes.renew_feeds(user_id=user.pk)
    host, *guests = walls
    ruleset = rules.with_start_dice(rules.find_ruleset("bga"), dice)
    new = lobby.NewGame(ruleset=ruleset, seats=len(walls), clock=clock)
    game = lobby.create_game(host=player(person(host)), new=new, now=now)
    for name in guests:
        lobby.join(game_id=game.pk, player=player(person(name)), now=now)
        lobby.set_ready(game_id=game.pk, user_id=person(name).pk, is_ready=True, now=now)
    watch = Watch(game.pk, dict(walls), now, dict.fromkeys(walls, BANK))
    watch.sync()
    watch.post()
    return watch
