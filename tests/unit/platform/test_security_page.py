"""docs/security.md promises tests: they exist, and every line of it names one or says why not."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "security.md").read_text()
NAMED = re.compile(r"`((?:unit|integration|functional)/[\w/]+\.py)(?:::(\w+))?`")


def test_every_test_that_is_named_exists() -> None:
    missing = [
        f"{path}::{name}"
        for path, name in NAMED.findall(PAGE)
        if not (ROOT / "tests" / path).exists()
        or (name and f"def {name}(" not in (ROOT / "tests" / path).read_text())
    ]
    assert missing == []


def test_every_line_that_is_done_names_a_test() -> None:
    done, _, _ = PAGE.partition("## Not applicable")
    rows = [line for line in done.splitlines() if line.startswith("| ")][1:]
    assert len(rows) > 40
    assert [row for row in rows if not NAMED.search(row)] == []


def test_a_report_of_a_hole_finds_its_way() -> None:
    told = (ROOT / "SECURITY.md").read_text()
    assert "docs/security.md" in told
    assert "24 hours" in told
