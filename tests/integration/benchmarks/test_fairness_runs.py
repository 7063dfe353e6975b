"""The checks of PF1 in bulk run from end to end, on a few games."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import dice
from benchmarks.transcripts import KINDS, Tally, Verdict, count, judge, tell

pytestmark = pytest.mark.one_database
ROOT = Path(__file__).parents[3]


def run(module: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", f"benchmarks.{module}", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
    )


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("node") is None, reason="the browser's verifier runs in node")
def test_both_verifiers_agree_on_some_games() -> None:
    done = run("transcripts", "--count", "80", "--jobs", "1")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The verifiers agree." in done.stdout


@pytest.mark.slow
def test_without_node_the_comparison_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    done = run("transcripts", "--count", "4")
    assert done.returncode == 2
    assert "there is none" in done.stdout


def test_every_game_is_told_in_four_ways_and_the_same_for_the_same_seed() -> None:
    told = dict(tell(7))
    assert tuple(told) == KINDS
    assert told == dict(tell(7))
    assert len(set(told.values())) == len(KINDS)
    assert not judge(told["valid"]).failed
    assert judge(told["byte"]).failed


def test_a_verdict_that_differs_is_counted_and_named() -> None:
    tally = Tally()
    refused = Verdict(frozenset({("V5", 3)}))
    count(tally, "value", refused, Verdict(frozenset()), "seed 1, value")
    count(tally, "value", refused, refused, "seed 2, value")
    assert tally.counts["value", "differ"] == 1
    assert tally.counts["value", "same check"] == 1
    assert tally.differing == ["seed 1, value: verify_perudo.py V5:3 / verify.js ok"]


@pytest.mark.slow
def test_some_dice_are_rolled_and_tested() -> None:
    done = run("dice", "--dice", "60000")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "60,000" in done.stdout
    assert "All even." in done.stdout


@pytest.mark.parametrize(
    ("chi2", "freedom", "p"),
    # Quantiles of chi-square from its tables.
    [(4.351, 5, 0.5), (11.070, 5, 0.05), (15.086, 5, 0.01), (49.802, 35, 0.05), (57.342, 35, 0.01)],
)
def test_the_tail_of_chi_square_is_near_its_tables(chi2: float, freedom: int, p: float) -> None:
    assert dice.upper_tail(chi2, freedom) == pytest.approx(p, rel=0.05)


def test_loaded_dice_are_found() -> None:
    fair, loaded = [10_000] * 6, [10_000] * 5 + [10_700]
    assert dice.evenness("fair", fair).p > 0.99
    assert dice.evenness("loaded", loaded).p < dice.LEAST


def test_neighbours_are_counted_in_pairs_that_share_no_die() -> None:
    counts = dice.roll_games(0, 3)
    lines = {line.what: line for line in dice.lines(counts)}
    assert lines["faces"].dice == 3 * dice.A_GAME
    assert lines["neighbours"].dice == 3 * dice.SEATS * dice.ROUNDS * (dice.DICE // 2)
