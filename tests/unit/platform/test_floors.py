"""The linter's contracts name what exists, so that they bind it."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

import games.models

ROOT = Path(__file__).parents[3]
FLOOR_0 = ("rules", "fairness", "clock", "orders", "bots", "ratings")
# No law yet: start-up, migrations, words.
WITHOUT_FLOOR = {"apps", "migrations"}


def contract(name: str) -> dict[str, Any]:
    config = tomllib.loads((ROOT / "pyproject.toml").read_text())
    found: dict[str, Any] = next(
        each for each in config["tool"]["importlinter"]["contracts"] if each["id"] == name
    )
    return found


@pytest.mark.parametrize("name", FLOOR_0)
def test_every_pure_package_is_bound_by_the_pure_contract(name: str) -> None:
    exists = (ROOT / "games" / name / "__init__.py").exists()
    assert (f"games.{name}" in contract("pure")["source_modules"]) == exists


def test_every_module_of_games_has_a_floor() -> None:
    floors = set(re.findall(r"games\.(\w+)", " ".join(contract("floors")["layers"])))
    modules = {path.stem for path in (ROOT / "games").glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in (ROOT / "games").glob("*/__init__.py")}
    assert (modules | packages) - WITHOUT_FLOOR <= floors


def test_the_secret_model_has_no_name_in_the_models_package() -> None:
    # Exported there, it could be imported past the linter's contract.
    assert "GameSecret" not in vars(games.models)


def test_no_page_is_cached_for_others() -> None:
    for folder in ("accounts", "games", "perudo_site"):
        for path in (ROOT / folder).rglob("*.py"):
            assert "cache_page" not in path.read_text(), path
