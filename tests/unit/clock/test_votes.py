"""Votes of a table: more than half of all, once each, in time."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.clock.errors import ClockRefusal
from games.clock.votes import VOTE_TIME, Question, Result, Vote, open_vote
from tests.unit.clock.times import HOUR, at

pytestmark = pytest.mark.one_database

NOON = at("2026-06-10 12:00")
ALICE, BOB, DAVE, ERIN, MALLORY = 0, 1, 3, 4, 9  # carol's seat 2 is out of the game


def pause_vote(*seats: int) -> Vote:
    return open_vote(Question.PAUSE, seats=seats, by=ALICE, now=NOON)


def test_two_players_must_agree() -> None:
    vote = pause_vote(ALICE, BOB)
    assert vote.result(NOON) is Result.OPEN
    assert vote.silent == {BOB}
    assert vote.cast(BOB, aye=True, now=NOON).result(NOON) is Result.PASSED
    assert vote.cast(BOB, aye=False, now=NOON).result(NOON) is Result.FAILED


def test_half_of_the_table_is_no_majority() -> None:
    vote = pause_vote(ALICE, BOB, DAVE, ERIN).cast(BOB, aye=True, now=NOON)
    assert vote.result(NOON) is Result.OPEN
    assert vote.cast(DAVE, aye=True, now=NOON).result(NOON) is Result.PASSED
    against = vote.cast(DAVE, aye=False, now=NOON)
    assert against.result(NOON) is Result.OPEN
    assert against.cast(ERIN, aye=False, now=NOON).result(NOON) is Result.FAILED


def test_silence_is_no_consent() -> None:
    vote = pause_vote(ALICE, BOB, DAVE)
    assert vote.result(NOON + VOTE_TIME - timedelta(seconds=1)) is Result.OPEN
    assert vote.result(NOON + VOTE_TIME) is Result.LAPSED
    passed = vote.cast(BOB, aye=True, now=NOON + HOUR)
    assert passed.result(NOON + 10 * VOTE_TIME) is Result.PASSED


def test_only_the_living_vote_once_each_and_in_time() -> None:
    vote = pause_vote(ALICE, BOB, DAVE, ERIN).cast(BOB, aye=False, now=NOON)
    late = NOON + VOTE_TIME
    for seat, now, code in (
        (MALLORY, NOON, "vote.not-yours"),
        (2, NOON, "vote.not-yours"),
        (ALICE, NOON, "vote.again"),
        (BOB, NOON, "vote.again"),
        (DAVE, late, "vote.closed"),
    ):
        assert vote.why_not(seat, now=now).code == code
        with pytest.raises(ClockRefusal) as refused:
            vote.cast(seat, aye=True, now=now)
        assert refused.value.code == code
    with pytest.raises(ClockRefusal):
        open_vote(Question.CANCEL, seats=[BOB, DAVE], by=MALLORY, now=NOON)


def test_a_decided_vote_takes_no_more_voices() -> None:
    passed = pause_vote(ALICE, BOB, DAVE).cast(BOB, aye=True, now=NOON)
    assert passed.why_not(DAVE, now=NOON).code == "vote.closed"


def test_a_seat_that_leaves_counts_no_more() -> None:
    vote = pause_vote(ALICE, BOB, DAVE)
    assert vote.without(DAVE).result(NOON) is Result.OPEN
    assert vote.cast(BOB, aye=False, now=NOON).without(BOB).silent == {DAVE}
    four = pause_vote(ALICE, BOB, DAVE, ERIN).cast(BOB, aye=True, now=NOON)
    assert four.without(ERIN).result(NOON) is Result.PASSED


@settings(deadline=None)
@given(st.integers(1, 10), st.lists(st.booleans(), max_size=10))
def test_nobody_can_change_what_is_decided(seats: int, voices: list[bool]) -> None:
    vote = open_vote(Question.EXTEND, seats=range(seats), by=0, now=NOON)
    for seat, aye in enumerate(voices[: seats - 1], start=1):
        if vote.result(NOON) is not Result.OPEN:
            break
        vote = vote.cast(seat, aye=aye, now=NOON)
    all_for, all_against = len(vote.ayes | vote.silent), len(vote.ayes)
    expected = {
        (True, True): Result.PASSED,
        (True, False): Result.OPEN,
        (False, False): Result.FAILED,
    }[all_for > seats / 2, all_against > seats / 2]
    assert vote.result(NOON) is expected
