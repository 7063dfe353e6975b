"""The transcript of a game with a beacon, checked by the verifier that anybody may download."""

import hashlib
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from py_arkworks_bls12381 import Scalar

from games import fairness, rules
from games.models import Game, GameStatus
from games.selectors.log import transcript
from games.services import moves, restore, rolling
from tests import drand
from tests.cast import person, table
from tests.integration.games.beacons import A_DAY, current, kinds, relay, sweep

__all__ = ["relay"]

pytestmark = pytest.mark.django_db

VERIFIER = Path(__file__).parents[3] / "games/static/games/verify_perudo.py"


@pytest.fixture
def verdicts(relay: drand.Relay) -> Callable[[Game], dict[str, tuple[str, str]]]:
    """The verifier of one who trusts the tests' beacon, and has its answers."""
    module = runpy.run_path(str(VERIFIER))
    trusted = fairness.canonical(drand.CHAIN.payload()).encode()
    module["check"].__globals__["QUICKNET"] = hashlib.sha256(trusted).hexdigest()

    def check(game: Game) -> dict[str, tuple[str, str]]:
        payloads = [event.payload for event in game.events.all()]
        numbers = {payload["beacon_round"] for payload in payloads if "beacon_round" in payload}
        answers = {str(number): drand.sign(number).hex() for number in numbers - {0}}
        found: Any = module["check"](transcript(game).encode(), published=answers)
        return {finding.check: (finding.status, finding.words) for finding in found}

    return check


def play_to_the_end(game: Game) -> None:
    for _ in range(400):
        game.refresh_from_db()
        if game.status != GameStatus.ACTIVE:
            return
        sweep(game)
    raise AssertionError("the game does not end")


def failures(found: dict[str, tuple[str, str]]) -> list[tuple[str, tuple[str, str]]]:
    return [item for item in found.items() if item[1][0] == "FAIL"]


def test_the_verifier_passes_a_whole_game(
    relay: drand.Relay, verdicts: Callable[[Game], dict[str, tuple[str, str]]]
) -> None:
    game = table(("alice", "bob"), bots=1, turn_seconds=3600)
    assert not failures(verdicts(game))  # the first roll is awaited
    play_to_the_end(game)
    found = verdicts(game)
    assert not failures(found)
    assert found["V4"][0] == "PASS"


def test_the_verifier_passes_a_game_in_which_everything_happened(
    relay: drand.Relay, verdicts: Callable[[Game], dict[str, tuple[str, str]]]
) -> None:
    game = table(("alice", "bob", "carol", "dave"), turn_seconds=3600)
    moves.resign(game_id=game.pk, user_id=person("dave").pk, now=game.created_at)
    relay.trouble = "away"
    tomorrow = current(game).opened_at + A_DAY
    for name in ("alice", "bob"):
        rolling.vote(game_id=game.pk, user_id=person(name).pk, now=tomorrow)
    relay.trouble = ""
    assert restore.roll_anew(code=game.code, restored_at=tomorrow + A_DAY, now=tomorrow + A_DAY)
    play_to_the_end(game)
    assert {"resign", "fallback", "epoch", "open"} <= set(kinds(game))
    found = verdicts(game)
    assert not failures(found)
    assert "vote" in found["V8"][1]


def test_the_verifier_refuses_a_value_that_the_beacon_never_signed(
    relay: drand.Relay, verdicts: Callable[[Game], dict[str, tuple[str, str]]]
) -> None:
    game = table(("alice", "bob"), ruleset=rules.with_start_dice(rules.find_ruleset("bga"), 1))
    number = current(game).beacon_round
    forged = drand.sign(number, key=Scalar(666))
    # The operator's own code may do what it likes: the log tells on it.
    assert game.wake_at is not None
    rolling.roll(
        game_id=game.pk,
        pulse=fairness.pulse_of(forged, chain="quicknet", number=number),
        now=game.wake_at,
    )
    assert [name for name, _ in failures(verdicts(game))] == ["V4"]
