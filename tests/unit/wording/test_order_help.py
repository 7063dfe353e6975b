"""The help page for orders: every line on it is an order, and says what it does."""

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from django.utils.html import escape

from games.orders import parse
from games.wording.order_help import ACTS, CONDITIONS, WHOLE, order_help

LANGUAGES = [code for code, _ in settings.LANGUAGES]
TABLES = {"acts": ACTS, "conditions": CONDITIONS, "whole": WHOLE}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", TABLES)
def test_every_line_is_read_and_means_the_same_in_every_language(name: str, language: str) -> None:
    lines = TABLES[name]
    english = [str(parse(line)) for line in lines["en"]]
    assert [str(parse(line)) for line in lines[language]] == english
    assert len(set(english)) == len(english)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_shows_them_in_the_readers_language(language: str) -> None:
    page = Client().get("/orders/", headers={"accept-language": language}).content.decode()
    with translation.override(language):
        shown = order_help()
    for example in (*shown.acts, *shown.conditions, *shown.whole):
        assert f"<code>{escape(example.written)}</code>" in page
        assert escape(example.says[0]) in page
        assert example.stored == str(parse(example.stored))


def test_all_that_an_order_can_do_and_every_kind_of_condition_is_on_it() -> None:
    acts = " ".join(str(parse(line)) for line in ACTS["en"])
    for act in ("bid 7x5", "bid 4x5, 5x5", "bid at least", "least", "dudo", "calza on", "ask"):
        assert act in acts
    conditions = " ".join(str(parse(line)) for line in CONDITIONS["en"])
    for each in ("below 7x5", "from 7x5", "above 7x5", "on 7x5", "from 8", "on 5s from 8", "30%"):
        assert each in conditions
    assert "if opening" in conditions
    assert " and " in conditions


def test_a_language_without_a_grammar_gets_the_english_one() -> None:
    with translation.override("de"):
        assert order_help().whole[0].written == WHOLE["en"][0]
