"""What the pages of a review show: lines of words, and the chart of the chances to win."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from games import charts
from games.review import Decision, Mark, Review
from games.wording.odds import chance_text
from games.wording.verdicts import (
    closeness_text,
    decision_odds_sentence,
    decision_sentence,
    options_text,
    swing_sentence,
    truth_sentence,
    verdict_sentence,
)


@dataclass(frozen=True, slots=True)
class VerdictLine:
    """A decision in words. ``mark`` is empty where there is nothing to blame."""

    number: int
    move: int
    mark: str
    said: str
    odds: str
    truth: str
    verdict: str
    swing: str
    best: str


@dataclass(frozen=True, slots=True)
class PlayerLine:
    """How close to the best a seat played; ``marks`` are how many of each, the lightest first."""

    name: str
    closeness: str
    decisions: int
    marks: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class RoundLines:
    """The decisions of a round; ``chances`` are the chances to win as it began, in words."""

    number: int
    chances: tuple[str, ...]
    lines: tuple[VerdictLine, ...]


MARKS = (Mark.DUBIOUS, Mark.MISTAKE, Mark.BLUNDER)


def verdict_line(decision: Decision, names: Sequence[str]) -> VerdictLine:
    """Return what is said of one decision; ``names`` are by seat, as in its round."""
    weighed = decision.weighed
    marked = weighed is not None and weighed.mark in MARKS
    return VerdictLine(
        number=decision.number,
        move=decision.move,
        mark=str(weighed.mark) if weighed is not None and marked else "",
        said=decision_sentence(decision, names[decision.seat]),
        odds=decision_odds_sentence(decision),
        truth=truth_sentence(decision),
        verdict=verdict_sentence(decision),
        swing=swing_sentence(decision),
        best="" if weighed is None else options_text(weighed),
    )


def player_lines(review: Review, names: Sequence[str]) -> tuple[PlayerLine, ...]:
    """Return a line for each seat."""
    return tuple(_player_line(review, seat, name) for seat, name in enumerate(names))


def _player_line(review: Review, seat: int, name: str) -> PlayerLine:
    weighed = [each.weighed for each in review.decisions if each.seat == seat and each.weighed]
    return PlayerLine(
        name=name,
        closeness=closeness_text(review.mean_loss(seat)),
        decisions=len(weighed),
        marks=tuple(sum(each.mark is mark for each in weighed) for mark in MARKS),
    )


def chance_chart(review: Review, names: Sequence[str]) -> charts.Lines:
    """Return the chances to win of all seats, before each round and at the end."""
    last = len(review.chances) - 1
    return charts.lines(
        [(name, [each[seat] for each in review.chances]) for seat, name in enumerate(names)],
        places=[str(place + 1) if place < last else _("end") for place in range(last + 1)],
    )


def chances_text(chances: Sequence[float]) -> tuple[str, ...]:
    """Return chances to win in words."""
    return tuple(chance_text(chance) for chance in chances)
