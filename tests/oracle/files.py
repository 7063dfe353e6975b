"""A tap on files: what is written to the site's folder is looked through when the test ends."""

import os
import sys
from pathlib import Path

from tests.oracle.book import book

LARGEST = 20_000_000
_KEYS = frozenset({"secret_key", "seed_key"})
_written: set[str] = set()
_folder: list[str] = []


def install(folder: Path) -> None:
    """Note every file that Python opens for writing in ``folder``."""
    _folder.append(str(folder))
    sys.addaudithook(_hook)


def _hook(event: str, args: tuple[object, ...]) -> None:
    if event != "open":
        return
    path, _, flags = args
    is_ours = isinstance(path, str) and path.startswith(_folder[0])
    if is_ours and isinstance(flags, int) and flags & (os.O_WRONLY | os.O_RDWR):
        _written.add(str(path))


def forget() -> None:
    """Begin with no file."""
    _written.clear()


def look() -> None:
    """Look through the files that were written."""
    for name in sorted(_written):
        path = Path(name)
        if path.name in _KEYS or not path.is_file() or path.stat().st_size > LARGEST:
            continue
        book.look(f"the file {path.name}", path.read_bytes())
    _written.clear()
