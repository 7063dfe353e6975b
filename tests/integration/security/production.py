"""A production site in a process of its own, on the settings of ``deploy/env.example``."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[3]
SECRETS = {
    "SECRET_KEY": "not-a-real-key-but-a-long-one-" * 2,
    "SEED_KEYS": "2026:" + "ab" * 32,
    "VAPID_KEY": "cd" * 32,
}


def environment(folder: Path, **changes: str) -> dict[str, str]:
    """Return the example's settings, with secrets, on SQLite, and with no Redis that answers."""
    example = (ROOT / "deploy" / "env.example").read_text().splitlines()
    pairs = (line.split("=", 1) for line in example if line and not line.startswith("#"))
    return {
        "PATH": os.environ["PATH"],
        **{name: value for name, value in pairs if value},
        **SECRETS,
        "PERUDO_VAR": str(folder),
        "DATABASE_URL": f"sqlite:///{folder / 'site.sqlite3'}",
        "REDIS_URL": "redis://127.0.0.1:1",
        "DJANGO_SETTINGS_MODULE": "perudo_site.settings",
        **changes,
    }


def run(script: str, folder: Path, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run a script on such a site; an empty value takes a setting away."""
    given = {name: value for name, value in environment(folder, **changes).items() if value}
    return subprocess.run(
        [sys.executable, "-c", script],
        env=given,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def ask(script: str, folder: Path, **changes: str) -> Any:
    """Return what the last line of a script's output says, as JSON."""
    done = run(script, folder, **changes)
    if done.returncode:
        raise AssertionError(done.stderr)
    return json.loads(done.stdout.splitlines()[-1])
