"""The settings read from the environment, each time in a fresh interpreter."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
PRODUCTION = {"SECRET_KEY": "x" * 50, "SEED_KEYS": "1:" + "ab" * 32, "ALLOWED_HOSTS": "a.example"}


def ask(tmp_path: Path, *names: str, **environment: str) -> list[object]:
    """Return settings by name as a site with this environment has them."""
    result = run(f"import json; print(json.dumps([{', '.join(names)}]))", tmp_path, **environment)
    assert result.returncode == 0, result.stderr
    answer: list[object] = json.loads(result.stdout)
    return answer


def run(script: str, tmp_path: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", f"from perudo_site.settings import *; {script}"],
        env={"PATH": os.environ["PATH"], "PERUDO_VAR": str(tmp_path), **environment},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("missing", ["SECRET_KEY", "SEED_KEYS"])
def test_production_refuses_to_start_without_its_secrets(tmp_path: Path, missing: str) -> None:
    rest = {name: value for name, value in PRODUCTION.items() if name != missing}
    result = run("pass", tmp_path, **rest)
    assert result.returncode != 0
    assert f"Set {missing} in the environment" in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_production_sends_no_notifications_until_it_is_given_a_key(tmp_path: Path) -> None:
    assert ask(tmp_path, "VAPID_KEY", **PRODUCTION) == [""]
    assert ask(tmp_path, "VAPID_KEY", VAPID_KEY="cd" * 32, **PRODUCTION) == ["cd" * 32]
    assert list(tmp_path.iterdir()) == []


def test_production_is_closed_by_default(tmp_path: Path) -> None:
    names = ("DEBUG", "DEVELOPMENT", "MAILBOX_ENABLED", "SESSION_COOKIE_SECURE", "ALLOWED_HOSTS")
    assert ask(tmp_path, *names, **PRODUCTION) == [False, False, False, True, ["a.example"]]


def test_development_makes_its_secrets_once_and_for_its_owner_only(tmp_path: Path) -> None:
    first = ask(tmp_path, "SECRET_KEY", "SEED_KEYS", "VAPID_KEY", PERUDO_DEVELOPMENT="1")
    second = ask(tmp_path, "SECRET_KEY", "SEED_KEYS", "VAPID_KEY", PERUDO_DEVELOPMENT="1")
    assert first == second
    assert len(set(map(str, first))) == 3, "a key for each purpose"
    assert all(path.stat().st_mode & 0o077 == 0 for path in tmp_path.iterdir())


@pytest.mark.parametrize(
    ("address", "broker", "cache"),
    [
        ("redis://h:6379", "redis://h:6379/0", "redis://h:6379/1"),
        ("redis://:pw@h:6379/5", "redis://:pw@h:6379/0", "redis://:pw@h:6379/1"),
        ("rediss://h/?a=b", "rediss://h/0?a=b", "rediss://h/1?a=b"),
        ("unix:///v/s", "redis+socket:///v/s?virtual_host=0", "unix:///v/s?db=1"),
    ],
)
def test_one_redis_address_serves_broker_and_cache(
    tmp_path: Path, address: str, broker: str, cache: str
) -> None:
    names = ("CELERY_BROKER_URL", "CACHES['default']['LOCATION']")
    answer = ask(tmp_path, *names, PERUDO_DEVELOPMENT="1", REDIS_URL=address)
    assert answer == [broker, cache]
