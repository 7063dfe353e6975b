"""How much a run does: ``tiny`` shows that all works, ``quick`` takes a minute and a half."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Size:
    """Numbers of one run: pairs, and what one batch of each kind does."""

    pairs: int
    rounds: int
    moves: int
    pages: int
    posts: int
    turns: int
    mails: int
    short_game: int
    long_game: int


SIZES = {
    "tiny": Size(1, 50, 8, 2, 6, 3, 3, 8, 16),
    "quick": Size(9, 600, 100, 14, 50, 40, 20, 60, 500),
    "full": Size(31, 3_000, 200, 30, 80, 200, 40, 60, 500),
}
