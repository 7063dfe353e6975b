"""What is stored holds no die and no key: dumps, the files of the database, shared caches."""

import io
import re
import tomllib
from pathlib import Path

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.db import connection

from games import rules
from games.models import Game, Round
from games.models.secret import GameSecret
from tests.cast import act, cups, give_turn, seat_of, table
from tests.oracle import Book, Kind

ROOT = Path(__file__).parents[3]
CACHING = (
    "django.views.decorators.cache.cache_page",
    "django.middleware.cache.CacheMiddleware",
    "django.middleware.cache.FetchFromCacheMiddleware",
    "django.middleware.cache.UpdateCacheMiddleware",
)
KEPT = {
    "components/bag.html",
    "components/bid_line.html",
    "components/footer_links.html",
    "components/game_links.html",
    "components/game_scripts.html",
    "components/head_links.html",
    "components/language_buttons.html",
    "components/manner_link.html",
    "components/move_buttons.html",
    "components/player_links.html",
    "components/seat.html",
    "components/standing.html",
    "games/fragments/last_round.html",
    "games/fragments/tale.html",  # what everybody may read of it, from when he last moved on
}


def second_round() -> Game:
    """Return a game in its second round, with a bid in it."""
    game = table(("alice", "bob"))
    give_turn(game, "alice")
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("20x4")))
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    return act(game, rules.MakeBid(game.to_act, rules.Bid.parse("2x4")))


@pytest.mark.django_db
def test_a_dump_holds_no_key_and_no_covered_die(oracle: Book) -> None:
    game = second_round()
    out = io.StringIO()
    call_command("dumpdata", stdout=out)
    assert "games.gamesecret" in out.getvalue(), "the ciphertext belongs to a backup"
    assert not oracle.search(out.getvalue())
    hidden = [", ".join(map(str, cup)) for cup in cups(game) if len(cup) > 3]
    assert len(hidden) == 2
    lifted = re.findall(r'"dice": \[([^]]*)\]', out.getvalue())
    assert len(lifted) == 4, "two cups, in the log and in the round's result"
    assert not [cup for cup in hidden if cup in out.getvalue().replace("\n", " ")]


@pytest.mark.django_db(transaction=True)
def test_the_database_itself_holds_no_key(oracle: Book) -> None:
    second_round()
    assert {token.kind for token in oracle.tokens.values()} >= {Kind.SEED, Kind.CUP, Kind.SALT}
    for text in _everything_stored():
        oracle.look("the database", text)
    assert not oracle.leaks


def _everything_stored() -> list[bytes]:
    """Return every byte of SQLite's files, or every row of every table of PostgreSQL."""
    if connection.vendor == "sqlite":
        connection.cursor().execute("PRAGMA wal_checkpoint")
        name = str(connection.settings_dict["NAME"])
        return [path.read_bytes() for path in Path(name).parent.glob(f"{Path(name).name}*")]
    rows = []
    with connection.cursor() as cursor:
        for name in connection.introspection.table_names():
            cursor.execute(f'SELECT t::text FROM "{name}" t')
            rows += [row[0].encode() for row in cursor.fetchall()]
    return rows


@pytest.mark.django_db
def test_a_round_s_row_holds_no_die_before_the_rules_lift_it() -> None:
    game = second_round()
    assert Round.objects.get(game=game, number=2).result is None
    fields = {field.name for field in Round._meta.get_fields()}
    assert not {name for name in fields if re.search(r"dice|cup|face|key", name)}


def test_the_secret_is_no_part_of_an_admin_site_nor_of_a_text() -> None:
    assert not apps.is_installed("django.contrib.admin"), "register no secret, and test it here"
    assert repr(GameSecret()) == "<GameSecret>"
    assert str(GameSecret()) == "a seed"


def test_no_answer_is_kept_by_a_shared_cache() -> None:
    assert not [name for name in settings.MIDDLEWARE if "cache" in name.lower()]
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    banned = config["tool"]["ruff"]["lint"]["flake8-tidy-imports"]["banned-api"]
    assert [name for name in CACHING if name not in banned] == []
    shared = re.compile(r"\bpublic\s*=\s*True|cache_page|[^_]s_?maxage")
    for package in ("accounts", "games", "perudo_site"):
        for path in (ROOT / package).rglob("*.py"):
            assert not shared.search(path.read_text()), path.relative_to(ROOT)


def test_no_template_keeps_a_part_of_a_page_for_others() -> None:
    for path in (ROOT / "templates").rglob("*.*"):
        if path.suffix in (".html", ".txt"):
            text = path.read_text()
            assert not re.search(r"\{%-?\s*(cache\b|load[^%]*\bcache\b)", text), path.name


def test_what_is_kept_between_pages_is_listed_here_and_told_to_nobody_alone() -> None:
    """``{% kept %}`` hands one reader's bytes to the next: think before you add a line here."""
    found = {
        (name, values.strip())
        for path in (ROOT / "templates").rglob("*.html")
        for name, values in re.findall(r'\{% kept(?:_each)? "([^"]+)"(.*?)%\}', path.read_text())
    }
    assert {name for name, _ in found} == KEPT
    assert not [values for _, values in found if re.search(r"\b(own|me|view|hand|dice)\b", values)]
