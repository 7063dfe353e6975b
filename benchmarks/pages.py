"""P1 to P6 and M2: the table's page and a posted move, through the whole stack in this process."""

import gzip
import re
from collections.abc import Callable
from datetime import timedelta
from random import Random

from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks import scenario
from benchmarks.floor.models import FloorGame, FloorMove
from benchmarks.meter import Batch, Meter, compare
from benchmarks.moves import statements
from benchmarks.report import Gate, Line, cost_line
from benchmarks.site import Visitor, visitors
from benchmarks.sizes import Size
from games import rules
from games.models import Seat
from games.templatetags.kept import forget_kept

SHORT_BIDS, LONG_BIDS = 6, 20
"""Bids in the round that the page shows: long games are those in which people raise for long."""


def lines(meter: Meter, size: Size) -> list[Line]:
    """Measure the page of the seat to move, in a short game and in a long one, and a POST."""
    database = connection.vendor
    everybody = visitors(scenario.people())
    short = _Table(everybody, size.short_game, doubt=0.2, bids=min(SHORT_BIDS, size.short_game))
    long = _Table(everybody, size.long_game, doubt=0.03, bids=min(LONG_BIDS, size.long_game))
    floor = _floor_page(everybody[0], size.pages)
    to_move = compare(meter, ours=short.page(size.pages), floor=floor, pairs=size.pairs)
    waits = compare(meter, ours=short.page(size.pages, ahead=1), floor=floor, pairs=size.pairs)
    first = compare(
        meter, ours=short.page(size.pages, is_first=True), floor=floor, pairs=size.pairs
    )
    longer = compare(
        meter, ours=long.page(size.pages), floor=short.page(size.pages), pairs=size.pairs
    )
    unchanged = compare(
        meter,
        ours=short.page(size.pages, since=True),
        floor=short.page(size.pages),
        pairs=size.pairs,
    )
    posted = compare(
        meter,
        ours=_post(everybody, size.posts),
        floor=_floor_post(everybody[0], size.posts),
        pairs=size.pairs,
    )
    page = f"table page, 6 players, {size.short_game} moves"
    return [
        cost_line("P1", f"{page}, to move", database, to_move, Gate("<=", 1.0)),
        cost_line("P1w", f"{page}, waiting", database, waits, Gate("<=", 1.0)),
        cost_line("P1f", f"{page}, nothing kept from before", database, first, None),
        _queries([short, long, _Table(everybody, size.short_game, doubt=0.2, bids=2, players=2)]),
        cost_line(
            "P3",
            f"{size.long_game} moves against {size.short_game}",
            database,
            longer,
            Gate("<=", 2.0),
        ),
        cost_line("P5", "nothing new (204) against the page", database, unchanged, Gate("<=", 0.6)),
        _weight(short),
        cost_line("M2", "POST of a move", database, posted, Gate("<=", 1.4)),
    ]


class _Table:
    """A game under way and the visitors who play in it."""

    def __init__(
        self, everybody: list[Visitor], most: int, *, doubt: float, bids: int, players: int = 6
    ) -> None:
        for attempt in range(50):  # some random games end before they are long enough
            planned = scenario.plan(
                Random(attempt), most=most, players=players, doubt=doubt, bids=bids
            )
            if len(planned.steps) == most or players == 2:
                break
        if players == 2:
            planned = scenario.Plan(planned.game, planned.steps[:bids])
        scenario.play(planned)
        self._game = planned.game
        self._game.refresh_from_db()
        self.path = f"/g/{self._game.code}/"
        users = [user.pk for user in scenario.people()]
        seats = Seat.objects.filter(game=self._game).order_by("number")
        self._seats = [everybody[users.index(seat.user_id)] for seat in seats if seat.user_id]
        self._in = [seat.number for seat in seats if seat.dice]

    def visitor(self, ahead: int = 0) -> Visitor:
        """Return who is to move, or sits so many seats ahead of him among those still in."""
        turn = self._in.index(self._game.to_act or 0)
        return self._seats[self._in[(turn + ahead) % len(self._in)]]

    def page(
        self, count: int, *, ahead: int = 0, since: bool = False, is_first: bool = False
    ) -> Batch:
        """Return batches of requests for the game's page.

        :param since: ask whether there is anything new, which there is not.
        :param is_first: forget before each request what others' requests have rendered.
        """
        visitor, path = self.visitor(ahead), self.path
        found = re.search(rb'data-since="([^"]+)"', visitor.get(path)[1])
        if found is None:
            raise RuntimeError(f"{path} does not say which position it shows")
        query = f"since={found[1].decode()}" if since else ""
        expected = 204 if since else 200

        def prepare() -> Callable[[], int]:
            def run() -> int:
                for _ in range(count):
                    if is_first:
                        forget_kept()
                    status, body = visitor.get(path, query)
                    if status != expected or (not since and len(body) < 5_000):
                        raise RuntimeError(f"{path}: {status}, {len(body)} bytes")
                return count

            return run

        return prepare


def _floor_page(visitor: Visitor, count: int) -> Batch:
    game, player = FloorGame.objects.create(), scenario.people()[0]
    FloorMove.objects.bulk_create(
        FloorMove(
            game=game,
            number=number,
            player=player,
            quantity=1 + number,
            face=2,
            made_at=scenario.NOW + timedelta(minutes=number),
        )
        for number in range(60)
    )

    def prepare() -> Callable[[], int]:
        def run() -> int:
            for _ in range(count):
                status, body = visitor.get(f"/floor/{game.pk}/")
                if status != 200 or not 14_000 < len(body) < 16_500:
                    raise RuntimeError(f"floor: {status}, {len(body)} bytes")
            return count

        return run

    return prepare


def _queries(tables: list[_Table]) -> Line:
    counts = []
    for table in tables:
        for ahead in (0, 1):
            visitor = table.visitor(ahead)
            visitor.get(table.path)
            with CaptureQueriesContext(connection) as captured:
                visitor.get(table.path)
            counts.append(statements(captured))
    return Line(
        key="P2",
        what="queries per page: short, long, two players; to move and waiting",
        database=connection.vendor,
        figure=max(counts),
        gate=Gate("<=", 7),
        note="/".join(map(str, counts)),
    )


def _weight(table: _Table) -> Line:
    _, body = table.visitor().get(table.path)
    return Line(
        key="P6",
        what="HTML of the page, KB gzipped",
        database=connection.vendor,
        figure=round(len(gzip.compress(body)) / 1000, 1),
        gate=Gate("<=", 6),
        note=f"{len(body) / 1000:.1f} KB plain",
    )


def _post(everybody: list[Visitor], count: int) -> Batch:
    chance = Random(2)
    users = [user.pk for user in scenario.people()]

    def prepare() -> Callable[[], int]:
        posts: list[tuple[Visitor, str, dict[str, object]]] = []
        for planned in scenario.plans(chance, moves_in_all=count):
            path = f"/g/{planned.game.code}/play/"
            seats = Seat.objects.filter(game=planned.game).order_by("number")
            seated = [everybody[users.index(seat.user_id)] for seat in seats if seat.user_id]
            for version, step in zip(scenario.versions(planned), planned.steps, strict=False):
                posts.append((seated[step.action.seat], path, form(step.action, version)))

        def run() -> int:
            for visitor, path, fields in posts:
                if (status := visitor.post(path, fields)) != 303:
                    raise RuntimeError(f"{path}: {status}")
            return len(posts)

        return run

    return prepare


def form(action: rules.Move, version: int, *, tab: int = 0) -> dict[str, object]:
    """Return a move as the page's form sends it; every tab has a key of its own."""
    fields: dict[str, object] = {"version": version, "idem_key": f"tab{tab}"}
    if isinstance(action, rules.MakeBid):
        return {**fields, "act": "bid", "bid": str(action.bid)}
    return {**fields, "act": "dudo"}


def _floor_post(visitor: Visitor, count: int) -> Batch:
    def prepare() -> Callable[[], int]:
        path = f"/floor/{FloorGame.objects.create().pk}/play/"

        def run() -> int:
            for _ in range(count):
                if (status := visitor.post(path, {"quantity": 3, "face": 4})) != 302:
                    raise RuntimeError(f"{path}: {status}")
            return count

        return run

    return prepare
