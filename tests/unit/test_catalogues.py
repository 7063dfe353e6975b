"""The translations: whole, of one mind about what there is to translate, and compiled."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from babel.messages import Catalog
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po

ROOT = Path(__file__).parents[2]
LANGUAGES = ("it", "fr", "es")
_PLACEHOLDER = re.compile(r"%\(\w+\)[sd]|\{\w*\}|%%")


def catalogue(language: str, root: Path = ROOT) -> Catalog:
    with (root / f"locale/{language}/LC_MESSAGES/django.po").open("rb") as file:
        return read_po(file, locale=language)


def strings(value: str | Sequence[str]) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def by_id(entries: Catalog) -> dict[tuple[str | None, tuple[str, ...]], tuple[str, ...]]:
    return {(_context(m.context), strings(m.id)): strings(m.string) for m in entries if m.id}


def _context(value: str | bytes | None) -> str | None:
    return value.decode() if isinstance(value, bytes) else value  # a compiled one gives bytes


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_string_is_translated_with_its_placeholders(language: str) -> None:
    for message in catalogue(language):
        if not message.id:
            continue
        assert not message.fuzzy, message.id
        wanted = set(_PLACEHOLDER.findall(strings(message.id)[-1]))
        for form in strings(message.string):
            assert form, message.id
            assert set(_PLACEHOLDER.findall(form)) <= wanted, message.id


def test_all_languages_translate_the_same_strings() -> None:
    first, *others = (set(by_id(catalogue(language))) for language in LANGUAGES)
    for other in others:
        assert other == first


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    with (ROOT / f"locale/{language}/LC_MESSAGES/django.mo").open("rb") as file:
        compiled = read_mo(file)
    assert by_id(compiled) == by_id(catalogue(language))


@pytest.mark.skipif(shutil.which("xgettext") is None, reason="needs GNU gettext to extract")
def test_the_catalogues_hold_the_strings_of_the_code(tmp_path: Path) -> None:
    for name in ("games", "accounts", "perudo_site", "templates", "locale"):
        shutil.copytree(ROOT / name, tmp_path / name)
    shutil.copy(ROOT / "manage.py", tmp_path)
    subprocess.run(
        [sys.executable, "manage.py", "makemessages", "-l", "it", "--no-obsolete"],
        cwd=tmp_path,
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "perudo_site.settings"},
        check=True,
        capture_output=True,
    )
    assert set(by_id(catalogue("it", tmp_path))) == set(by_id(catalogue("it")))
