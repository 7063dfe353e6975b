"""One line a measurement: ours over the floor, the gate, and whether it is met."""

import json
import operator
import os
import platform
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.meter import Pairs

_HOLDS = {"<=": operator.le, ">=": operator.ge, "==": operator.eq}
_COLUMNS = ("", "what", "on", "ours", "floor", "ours / floor (min–max)", "gate", "")


@dataclass(frozen=True, slots=True)
class Gate:
    """What a figure must be: ``Gate("<=", 1.25)``."""

    sign: str
    bound: float

    def holds(self, figure: float) -> bool:
        """Return whether ``figure`` passes."""
        return bool(_HOLDS[self.sign](figure, self.bound))

    def __str__(self) -> str:
        return f"{self.sign} {self.bound:g}"


@dataclass(frozen=True, slots=True)
class Line:
    """A measurement. ``figure`` is what the gate judges: a ratio, or a number by itself.

    :ivar ours: what ours came to, with its unit; ``floor`` the same of what it is compared with.
    """

    key: str
    what: str
    database: str
    figure: float
    gate: Gate | None
    ours: str = ""
    floor: str = ""
    low: float | None = None
    high: float | None = None
    note: str = ""

    @property
    def is_met(self) -> bool | None:
        """Return whether the gate is met; None where there is none."""
        return None if self.gate is None else self.gate.holds(self.figure)

    def to_dict(self) -> dict[str, Any]:
        """Return the line as JSON values."""
        return {**asdict(self), "met": self.is_met}

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> "Line":
        """Read what :meth:`to_dict` wrote."""
        gate = Gate(**data["gate"]) if data["gate"] else None
        return cls(**{**{k: v for k, v in data.items() if k != "met"}, "gate": gate})


def cost_line(
    key: str, what: str, database: str, pairs: Pairs, gate: Gate | None, note: str = ""
) -> Line:
    """Return a line that compares CPU milliseconds for one operation: less is better."""
    return Line(
        key=key,
        what=what,
        database=database,
        figure=pairs.ratio,
        gate=gate,
        ours=f"{pairs.ours.ms:.2f} ms",
        floor=f"{pairs.floor.ms:.2f} ms",
        low=pairs.low,
        high=pairs.high,
        note=note,
    )


def rate_line(
    key: str, what: str, database: str, pairs: Pairs, gate: Gate | None, note: str = ""
) -> Line:
    """Return a line that compares operations for one CPU second: more is better."""
    return Line(
        key=key,
        what=what,
        database=database,
        figure=1 / pairs.ratio,
        gate=gate,
        ours=f"{1000 / pairs.ours.ms:,.0f}/s",
        floor=f"{1000 / pairs.floor.ms:,.0f}/s",
        low=1 / pairs.high,
        high=1 / pairs.low,
        note=note,
    )


def table(lines: Sequence[Line]) -> str:
    """Return the lines as a Markdown table."""
    rows = [_COLUMNS, tuple("-" * max(2, len(title)) for title in _COLUMNS)]
    rows += [_cells(line) for line in lines]
    widths = [max(len(row[column]) for row in rows) for column in range(len(_COLUMNS))]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    )


def _cells(line: Line) -> tuple[str, ...]:
    spread = "" if line.low is None else f" ({line.low:.2f}–{line.high:.2f})"
    figure = f"{line.figure:.2f}" if line.floor else f"{line.figure:g}"
    verdict = {True: "met", False: "MISSED", None: ""}[line.is_met]
    gate = str(line.gate) if line.gate else "none"
    what = f"{line.what}; {line.note}" if line.note else line.what
    return (line.key, what, line.database, line.ours, line.floor, figure + spread, gate, verdict)


def document(lines: Sequence[Line], *, size: str, load: Sequence[float]) -> str:
    """Return the whole run as JSON.

    :param load: the machine's load average before and after: how busy its other users were.
    """
    return json.dumps(
        {
            "size": size,
            "python": platform.python_version(),
            "system": f"{platform.system()} {platform.machine()}",
            "cores": os.cpu_count(),
            "load": list(load),
            "lines": [line.to_dict() for line in lines],
        },
        indent=2,
    )
