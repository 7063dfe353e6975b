"""The finishing order of those who began a game."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

_BEFORE = datetime.min.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Exit:
    """When a player left a game.

    :ivar after_round: the round whose end he did not survive (by a lost die or a resignation), or
        the newest that had ended when his seat was retired; None if he stayed to the end and won.
    :ivar retired_at: when his seat was retired, if that is how he left.
    """

    after_round: int | None
    retired_at: datetime | None = None

    def _key(self) -> tuple[float, datetime]:
        last = float("inf") if self.after_round is None else float(self.after_round)
        return last, self.retired_at or _BEFORE


def ranks(exits: Sequence[Exit]) -> tuple[int, ...]:
    """Return the rank of each: who left later is better, and who left in one event is tied.

    So whoever resigns, runs out of time or is retired is below all who were still in.
    """
    keys = [leaving._key() for leaving in exits]
    return tuple(1 + sum(other > key for other in keys) for key in keys)
