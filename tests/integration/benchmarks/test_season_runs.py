"""The long measurements of pace, deadlines and times run from end to end, on a few games."""

import random
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks import timing

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
def test_a_season_of_one_game_is_played_to_its_end_in_every_way() -> None:
    done = run("pace", "--games", "1", "--seats", "2", "--orders", "0.9")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    row = [cell.strip() for cell in done.stdout.splitlines()[2].split("|")[1:-1]]
    assert row[0] == "2"
    assert all(float(days) > 0 for days in (row[3], row[4], row[7], row[9]))
    assert row[5] != "0%"


@pytest.mark.slow
def test_due_turns_are_drained_in_order_by_one_sweeper_and_once_by_several() -> None:
    sizes = ("--due", "20", "--few", "40", "--many", "80", "--at-once", "20", "--seconds", "1")
    done = run("deadlines", *sizes)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    lines = {line.split("|")[1].strip(): line for line in done.stdout.splitlines() if "|" in line}
    assert lines.keys() >= {"D1", "D2", "D3", "D3o", "D4"}
    assert "met" in lines["D4"]
    assert "met" in lines["D3o"]


@pytest.mark.slow
def test_the_times_of_answers_are_compared_for_each_kind_of_request() -> None:
    done = run("timing", "--count", "40")
    assert done.returncode in (0, 1), done.stdout + done.stderr
    assert done.stdout.count(" t = ") == 4
    assert "40 requests each" in done.stdout


def test_a_time_that_depends_on_the_dice_is_told_from_chance() -> None:
    chance = random.Random(1)
    same = [[100 + chance.gauss(0, 10) for _ in range(2000)] for _ in range(2)]
    assert abs(timing.welch(*same)) < timing.MOST
    slower = [value + 2 for value in same[1]]
    assert timing.welch(same[0], slower) < -timing.MOST


@pytest.mark.slow
def test_ratings_foretell_a_simulated_season_as_well_as_is_asked() -> None:
    done = run("ratings", "--seasons", "4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "No other rating is better." in done.stdout
