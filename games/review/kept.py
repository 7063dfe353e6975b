"""A review as JSON values, in lists without names: a game of six has some 150 decisions.

What can be told from a decision's own numbers is not kept.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from games.review.analysis import Decision, Review, Weighed
from games.review.options import Option
from games.rules import Bid

VERSION = 1
"""Of this form: reviews that were kept in another one are made again."""


def to_json(review: Review) -> dict[str, Any]:
    """Return a review as JSON values."""
    return {
        "version": VERSION,
        "decisions": [_row(decision) for decision in review.decisions],
        "chances": [list(each) for each in review.chances],
    }


def from_json(data: Mapping[str, Any]) -> Review:
    """Read what :func:`to_json` wrote (the project's own rows: trusted, not validated).

    :raises ValueError: it is of another version.
    """
    if data.get("version") != VERSION:
        raise ValueError(f"a review of version {data.get('version')}")
    return Review(
        decisions=tuple(_decision(row) for row in data["decisions"]),
        chances=tuple(tuple(each) for each in data["chances"]),
    )


def _row(decision: Decision) -> list[Any]:
    weighed = decision.weighed
    return [
        decision.number,
        decision.move,
        decision.seat,
        decision.action,
        str(decision.bid),
        decision.count,
        decision.came_true,
        decision.is_auto,
        decision.swing,
        None
        if weighed is None
        else [
            weighed.own,
            weighed.exact,
            weighed.informed,
            weighed.value,
            weighed.loss,
            [[option.action, option.value] for option in weighed.best],
        ],
    ]


def _decision(row: Sequence[Any]) -> Decision:
    *said, bid, count, came_true, is_auto, swing, weighed = row
    number, move, seat, action = said
    return Decision(
        number=number,
        move=move,
        seat=seat,
        action=action,
        bid=Bid.parse(bid),
        count=count,
        came_true=came_true,
        is_auto=is_auto,
        swing=swing,
        weighed=None if weighed is None else _weighed(weighed),
    )


def _weighed(row: Sequence[Any]) -> Weighed:
    own, exact, informed, value, loss, best = row
    return Weighed(own, exact, informed, value, loss, tuple(Option(*each) for each in best))
