"""The benchmarks run from end to end. What they measure is no matter of a test."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
EVERY_LINE = {
    *("E1f", "E2f", "E3", "M1", "M1r", "M2", "M3", "M5", "M5t"),
    *("P1", "P1f", "P1w", "P2", "P3", "P5", "P6"),
    *("N1", "N2", "N3", "N4"),
}


@pytest.mark.one_database
@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgres"])
def test_a_tiny_run_gives_every_line(tmp_path: Path, database: str) -> None:
    figures = tmp_path / "figures.json"
    done = subprocess.run(
        [
            *(sys.executable, "-m", "benchmarks", "--size", "tiny"),
            *("--database", database, "--json", str(figures)),
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=110,
    )
    # A gate may be missed: so little is done that nothing is measured.
    assert done.returncode in (0, 1), done.stderr
    lines = json.loads(figures.read_text())["lines"]
    assert {line["key"] for line in lines} == EVERY_LINE
    assert all(line["figure"] >= 0 for line in lines)
    assert all(line["key"] in done.stdout for line in lines)
    exact = {line["key"]: line["met"] for line in lines}
    assert all(exact[key] for key in ("M3", "M5", "P2"))  # counts, not times
