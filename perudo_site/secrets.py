"""Secrets of a development machine: made once, kept in a file that only its owner reads."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured


def keep_secret(name: str, path: Path, *, allowed: bool) -> str:
    """Return 64 hex digits kept in ``path``, made at the first call.

    :raises ImproperlyConfigured: in production, where a secret must come from the environment;
        or when the file cannot be written or read.
    """
    if not allowed:
        raise ImproperlyConfigured(
            f"Set {name} in the environment (or PERUDO_DEVELOPMENT=1 on your own machine)."
        )
    try:
        if not path.exists():
            _make(path)
        return path.read_text().strip()
    except OSError as error:
        raise ImproperlyConfigured(
            f"Cannot keep {name} in {path} ({error.strerror}): set PERUDO_VAR to a folder of yours."
        ) from error


def _make(path: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    # Written whole, then linked: of two processes that start together both read the same one.
    handle, draft = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(handle, "w") as file:
        file.write(secrets.token_hex(32))
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)
    os.unlink(draft)
