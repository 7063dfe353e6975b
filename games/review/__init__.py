"""The review of a finished game: pure, and blind to what came of a decision when it judges it."""

from games.review.analysis import Decision, Mark, Review, Weighed, review_of
from games.review.kept import VERSION, from_json, to_json
from games.review.options import CALZA, DUDO, WAIT, Option, Position, options
from games.review.winning import win_chance, win_chances

__all__ = [
    "CALZA",
    "DUDO",
    "VERSION",
    "WAIT",
    "Decision",
    "Mark",
    "Option",
    "Position",
    "Review",
    "Weighed",
    "from_json",
    "options",
    "review_of",
    "to_json",
    "win_chance",
    "win_chances",
]
