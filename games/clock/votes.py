"""Votes of a table: to pause it, to give more time, to call the game off, to let bots in.

A vote passes with more than half of all seats that may vote, not of those that did: who does not
answer has not agreed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum

from games.clock.errors import ClockRefusal
from games.clock.quiet import utc

VOTE_TIME = timedelta(hours=48)
"""How long a vote is open: over a night and a working day for everybody."""


class Question(StrEnum):
    """What a table can vote on."""

    PAUSE = "pause"
    EXTEND = "extend"
    CANCEL = "cancel"
    BOT = "bot"


class Result(StrEnum):
    """How a vote stands."""

    OPEN = "open"
    PASSED = "passed"
    FAILED = "failed"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class Vote:
    """A vote among ``seats``, the people still in the game when it was opened or later."""

    question: Question
    seats: frozenset[int]
    opened_at: datetime
    ayes: frozenset[int] = field(default_factory=frozenset)
    noes: frozenset[int] = field(default_factory=frozenset)

    @property
    def closes_at(self) -> datetime:
        """Return the instant at which what is not decided lapses."""
        return utc(self.opened_at) + VOTE_TIME

    @property
    def silent(self) -> frozenset[int]:
        """Return the seats that have not voted: those to be told of it."""
        return self.seats - self.ayes - self.noes

    def result(self, now: datetime) -> Result:
        """Return how the vote stands at ``now``: decided as soon as no other vote can change it."""
        if len(self.ayes) * 2 > len(self.seats):
            return Result.PASSED
        if (len(self.seats) - len(self.noes)) * 2 <= len(self.seats):
            return Result.FAILED
        return Result.OPEN if utc(now) < self.closes_at else Result.LAPSED

    def why_not(self, seat: int, *, now: datetime) -> ClockRefusal | None:
        """Return why ``seat`` may not vote now, or None when it may."""
        if seat not in self.seats:
            return ClockRefusal("vote.not-yours")
        if seat not in self.silent:
            return ClockRefusal("vote.again")
        if self.result(now) is not Result.OPEN:
            return ClockRefusal("vote.closed")
        return None

    def cast(self, seat: int, *, aye: bool, now: datetime) -> "Vote":
        """Return the vote with the voice of ``seat``.

        :raises ClockRefusal: as :meth:`why_not` says.
        """
        if refused := self.why_not(seat, now=now):
            raise refused
        if aye:
            return replace(self, ayes=self.ayes | {seat})
        return replace(self, noes=self.noes | {seat})

    def why_not_beside(self, question: Question) -> ClockRefusal | None:
        """Return why ``question`` may not be put while this vote is open; the same one may."""
        return None if question is self.question else ClockRefusal("vote.another")

    def without(self, seat: int) -> "Vote":
        """Return the vote after ``seat`` left the game: it counts no more, for nor against."""
        gone = {seat}
        return Vote(
            self.question, self.seats - gone, self.opened_at, self.ayes - gone, self.noes - gone
        )


def why_no_bot(*, free_seats: int) -> ClockRefusal | None:
    """Return why nobody can ask for a bot, or None where a seat waits for a new player."""
    return None if free_seats else ClockRefusal("vote.no-seat")


def open_vote(question: Question, *, seats: Iterable[int], by: int, now: datetime) -> Vote:
    """Return a vote that ``by`` opened among the people still in the game; he is for it.

    :raises ClockRefusal: ``vote.not-yours``: he is none of them.
    """
    return Vote(question, frozenset(seats), utc(now)).cast(by, aye=True, now=now)
