"""What the browser's verifier may find, and the sentences that the server has for it."""

import re
from pathlib import Path

from games.wording.checks import CHECKS, check_sentences, check_titles

SCRIPTS = Path(__file__).resolve().parents[3] / "games" / "static" / "games" / "js"
SOURCE = "".join(path.read_text(encoding="utf-8") for path in sorted(SCRIPTS.glob("verify*.js")))
TOLD = {f"V8.{kind}" for kind in ("epoch", "rekey", "fallback")}
"""Put together from the kind of an event."""


def codes() -> set[str]:
    """Return every code that stands in the scripts."""
    return set(re.findall(r'"((?:V\d|own)\.[a-z-]+[a-z0-9-]*)"', SOURCE)) | TOLD


def test_every_finding_has_a_sentence_and_no_sentence_is_left_over() -> None:
    sentences = {code for code in check_sentences() if "." in code and not code.endswith(".unread")}
    assert codes() == sentences
    assert set(check_titles()) == set(CHECKS)


def test_the_page_says_nothing_that_the_server_has_no_words_for() -> None:
    page = (SCRIPTS / "verify-page.js").read_text(encoding="utf-8")
    said = set(re.findall(r'say\("([a-z-]+)"', page)) | {"all-holds", "holds"}
    assert said <= set(check_sentences())
    assert {code for code in check_sentences() if "." not in code} - {"loading"} == said


def test_a_sentence_asks_only_for_what_a_finding_brings() -> None:
    known = {"line", "lines", "rounds", "keys", "player", "round", "seals", "newer", "name"}
    for code, sentence in check_sentences().items():
        assert set(re.findall(r"{(\w+)}", sentence)) <= known, code


def test_the_scripts_use_nothing_that_a_strict_policy_forbids() -> None:
    for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "eval(", "Function(", ".style"):
        assert word not in SOURCE
