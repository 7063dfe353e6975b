"""A fault at every line: run something again and again, and let each line of ours break once."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

OURS = str(Path(__file__).parents[3] / "games")
Line = tuple[str, int]


class Fault(Exception):
    """Stands for any error that nobody has thought of."""


def lines_of(run: Callable[[], object]) -> list[Line]:
    """Return the lines of the games app that ``run`` passes, in their order."""
    seen: dict[Line, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(OURS):
            return None
        if event == "line":
            seen[frame.f_code.co_filename, frame.f_lineno] = None
        return note

    _traced(run, note)
    return list(seen)


def break_at(line: Line, run: Callable[[], object]) -> bool:
    """Run with a fault at the first passing of ``line``; return whether it was passed."""
    met = False

    def strike(frame: FrameType, event: str, _: Any) -> Any:
        nonlocal met
        if met or frame.f_code.co_filename != line[0]:
            return None
        if event == "line" and frame.f_lineno == line[1]:
            met = True
            raise Fault
        return strike

    _traced(run, strike)
    return met


def _traced(run: Callable[[], object], trace: Callable[..., Any]) -> None:
    before = sys.gettrace()
    sys.settrace(trace)
    try:
        run()
    finally:
        sys.settrace(before)
