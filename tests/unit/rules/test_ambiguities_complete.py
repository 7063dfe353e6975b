"""The 48 ambiguities and the numbered rules are all there, and all tested."""

import re
from pathlib import Path

import games

HERE = Path(__file__).parent
DOCUMENT = (Path(games.__file__).parents[1] / "docs" / "rules.md").read_text("utf-8")
TESTS = "\n".join(
    path.read_text("utf-8")
    for folder in (HERE, HERE.parent / "clock")
    for path in sorted(folder.glob("test_*.py"))
)
CODE = "\n".join(
    path.read_text("utf-8")
    for folder in ("rules", "bots", "clock")
    for path in (Path(games.__file__).parent / folder).rglob("*.py")
)


def test_every_ambiguity_has_a_test_of_its_name() -> None:
    tested = {int(number) for number in re.findall(r"^def test_a(\d\d)_", TESTS, re.MULTILINE)}
    assert tested == set(range(1, 49))


def test_every_ambiguity_is_in_the_document() -> None:
    told = {int(number) for number in re.findall(r"^\| A(\d\d) \|", DOCUMENT, re.MULTILINE)}
    assert told == set(range(1, 49))


def test_every_rule_of_the_document_is_cited_by_a_test() -> None:
    rules = set(re.findall(r"^\| (R-\d\d) \|", DOCUMENT, re.MULTILINE))
    assert len(rules) > 40
    assert rules - set(re.findall(r"R-\d\d", TESTS)) == set()


def test_tests_and_code_cite_only_rules_that_exist() -> None:
    rules = set(re.findall(r"^\| (R-\d\d) \|", DOCUMENT, re.MULTILINE))
    assert set(re.findall(r"R-\d\d", TESTS + CODE)) - rules == set()
