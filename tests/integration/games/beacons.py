"""What the tests of games with a beacon share."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest
from pytest_django import Settings

from games import beacon, queries, rules
from games.models import Event, Game, Round
from games.services import deadlines
from tests import drand
from tests.cast import act

A_DAY = timedelta(hours=24)


@pytest.fixture
def relay(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[drand.Relay]:
    """A relay of the tests' own beacon; games made from now on are bound to it.

    The database's clock is far behind, so that a test's own time counts.
    """
    monkeypatch.setitem(beacon.CHAINS, "quicknet", drand.CHAIN)
    monkeypatch.setattr(queries, "clock", lambda game_id: datetime(2000, 1, 1, tzinfo=UTC))
    with drand.relay() as running:
        settings.BEACON_URLS = [running.url]
        yield running


def current(game: Game) -> Round:
    """Return the newest round."""
    return Round.objects.filter(game=game).order_by("-number")[0]


def kinds(game: Game) -> list[str]:
    """Return the kinds of the log's events."""
    return list(Event.objects.filter(game=game).order_by("seq").values_list("kind", flat=True))


def sweep(game: Game, *, late_by: timedelta = timedelta(0)) -> datetime:
    """Let the sweep come when the game is due, or later; return when that was."""
    game.refresh_from_db()
    assert game.wake_at is not None
    now = game.wake_at + late_by
    deadlines.expire_turns(now=now)
    game.refresh_from_db()
    return now


def play_round(game: Game, *, now: datetime) -> Game:
    """Let somebody bid more than there can be, and the next one doubt it."""
    game.refresh_from_db()
    assert game.to_act is not None
    game = act(game, rules.MakeBid(game.to_act, rules.Bid.parse("50x6")), now=now)
    assert game.to_act is not None
    return act(game, rules.Dudo(game.to_act), now=now)
