"""More time at the table, and less patience: extensions, gifts, nudges, votes."""

from datetime import datetime, timedelta

import pytest

from games import rules
from games.clock import VOTE_TIME, ClockRefusal, Question, Result, find_clock, plain
from games.mail.render import render
from games.models import Event, Game, GameStatus, OutboxMessage, OutboxStatus
from games.services import deadlines, lobby, more_time, moves, voting
from games.services.errors import StaleMove
from tests.cast import act, give_turn, person, player, seat_of, set_dice
from tests.cast import table as plain_table
from tests.integration.games.handing import retire
from tests.integration.games.test_clocks import HOUR, NOON, at, bid
from tests.integration.games.test_hours import hers, newest

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)
PAUSE, EXTEND, CANCEL = Question.PAUSE, Question.EXTEND, Question.CANCEL


def ask(game: Game, name: str) -> dict[str, object]:
    """Return what names a player, and the deadline that he sees."""
    game = newest(game)
    return {
        "game_id": game.pk,
        "user_id": person(name).pk,
        "deadline": game.turn_deadline_at,
    }


def four(now: datetime = NOON) -> Game:
    """Return a game of four people with a day a turn; alice is to move."""
    game = plain_table(("alice", "bob", "carol", "dave"), now=now)
    give_turn(game, "alice")
    return game


def vote(game: Game, name: str, question: Question, *, aye: bool, now: datetime = NOON) -> Result:
    user_id = person(name).pk
    return voting.cast(game_id=game.pk, user_id=user_id, question=question, aye=aye, now=now)


def propose(game: Game, name: str, question: Question, *, now: datetime = NOON) -> Result:
    return voting.propose(game_id=game.pk, user_id=person(name).pk, question=question, now=now)


# --- extensions -----------------------------------------------------------------------------------


def test_an_extension_is_a_day_for_this_turn_and_there_are_two_a_game() -> None:
    game = hers(plain(86_400))
    for count in (1, 2):
        more_time.take_extension(**ask(game, "alice"), now=at(10, 13))
        assert newest(game).turn_deadline_at == NOON + (1 + count) * DAY
    with pytest.raises(ClockRefusal, match="Both of your extensions"):
        more_time.take_extension(**ask(game, "alice"), now=at(10, 13))
    assert newest(game).turn_deadline_at == NOON + 3 * DAY


def test_an_extension_leaves_the_bank_alone_and_lapses_with_the_turn() -> None:
    game = hers(find_clock("standard"))
    more_time.take_extension(**ask(game, "alice"), now=at(10, 12))
    assert (newest(game).turn_base, newest(game).turn_extra) == (48 * HOUR, DAY)
    game = bid(game, "alice", "2x3", at=at(10, 13))
    assert seat_of(game, "alice").bank == 48 * HOUR
    assert game.turn_extra == timedelta()


def test_a_double_click_takes_one_extension() -> None:
    game = hers(plain(86_400))
    asked = ask(game, "alice")
    more_time.take_extension(**asked, now=at(10, 13))
    with pytest.raises(StaleMove):
        more_time.take_extension(**asked, now=at(10, 13))
    assert seat_of(game, "alice").tokens_used == 1


def test_what_has_run_out_is_not_extended() -> None:
    game = hers(plain(86_400))
    with pytest.raises(ClockRefusal, match="run out"):
        more_time.take_extension(**ask(game, "alice"), now=at(11, 12) + timedelta(seconds=1))
    assert seat_of(game, "alice").tokens_used == 0
    assert deadlines.expire_turns(now=at(11, 13)) == 1


def test_nobody_extends_the_turn_of_another() -> None:
    game = hers(plain(86_400))
    for name in ("bob", "mallory"):
        with pytest.raises(ClockRefusal):
            more_time.take_extension(**ask(game, name), now=at(10, 13))
    assert newest(game).turn_deadline_at == NOON + DAY


# --- gifts ----------------------------------------------------------------------------------------


def test_each_opponent_gives_a_day_once_a_game() -> None:
    game = four()
    for days, name in enumerate(("bob", "carol"), start=2):
        more_time.give(**ask(game, name), now=NOON)
        assert newest(game).turn_deadline_at == NOON + days * DAY
        with pytest.raises(ClockRefusal, match="already given"):
            more_time.give(**ask(game, name), now=NOON)
    with pytest.raises(ClockRefusal, match="himself"):
        more_time.give(**ask(game, "alice"), now=NOON)


def test_whoever_is_out_or_was_never_in_gives_nothing() -> None:
    game = four()
    set_dice(game, dave=0)
    for name in ("dave", "mallory"):
        with pytest.raises(ClockRefusal, match="still in the game"):
            more_time.give(**ask(game, name), now=NOON)


def test_a_bot_needs_no_time() -> None:
    game = plain_table(("alice",), bots=1, now=NOON)
    if newest(game).to_act == seat_of(game, "alice").number:
        game = bid(game, "alice", "1x2", at=NOON)
    with pytest.raises(ClockRefusal, match="No clock runs"):
        more_time.give(**ask(game, "alice"), now=NOON)


# --- nudges ---------------------------------------------------------------------------------------


def nudges(game: Game) -> list[OutboxMessage]:
    return list(OutboxMessage.objects.filter(game=game, kind="nudge").select_related("seat"))


def test_a_nudge_comes_after_half_of_the_time_and_once_a_day() -> None:
    game = four()
    with pytest.raises(ClockRefusal, match="half"):
        more_time.nudge(**ask(game, "bob"), now=NOON + 11 * HOUR)
    more_time.nudge(**ask(game, "bob"), now=NOON + 12 * HOUR)
    with pytest.raises(ClockRefusal, match="again on"):
        more_time.nudge(**ask(game, "carol"), now=NOON + 13 * HOUR)
    assert [each.seat for each in nudges(game)] == [seat_of(game, "alice")]


def test_a_gift_makes_half_of_the_time_later() -> None:
    game = four()
    more_time.give(**ask(game, "bob"), now=NOON)
    with pytest.raises(ClockRefusal, match="half"):
        more_time.nudge(**ask(game, "bob"), now=NOON + 23 * HOUR)
    more_time.nudge(**ask(game, "bob"), now=NOON + 24 * HOUR)


def test_a_nudge_asks_for_the_move_unless_it_was_made_meanwhile() -> None:
    game = four()
    more_time.nudge(**ask(game, "bob"), now=NOON + 12 * HOUR)
    mail = render(nudges(game)[0], now=NOON + 12 * HOUR)
    assert mail is not None
    assert "Somebody at the table would like to play on." in str(mail.body)
    bid(game, "alice", "2x3", at=NOON + 13 * HOUR)
    assert render(nudges(game)[0], now=NOON + 13 * HOUR) is None


# --- votes ----------------------------------------------------------------------------------------


def test_more_than_half_of_those_who_are_in_pause_the_table() -> None:
    game = four()
    assert propose(game, "bob", PAUSE) is Result.OPEN
    assert vote(game, "carol", PAUSE, aye=True) is Result.OPEN, "two of four are no majority"
    assert vote(game, "dave", PAUSE, aye=True, now=NOON + HOUR) is Result.PASSED
    game = newest(game)
    assert game.turn_deadline_at == NOON + 4 * DAY
    assert game.vote is None
    game = bid(game, "alice", "2x3", at=NOON + 2 * HOUR)
    assert game.turn_deadline_at == NOON + HOUR + 4 * DAY, "the next clock stands still too"


def test_a_pause_during_a_pause_comes_after_it() -> None:
    game = hers(plain(86_400))
    for _ in range(2):
        propose(game, "alice", PAUSE, now=at(10, 13))
        vote(game, "bob", PAUSE, aye=True, now=at(10, 13))
    assert newest(game).turn_deadline_at == at(17, 12)


def test_a_vote_gives_the_turn_a_day_unless_it_has_passed_on() -> None:
    game = four()
    propose(game, "bob", EXTEND)
    vote(game, "carol", EXTEND, aye=True)
    assert vote(game, "dave", EXTEND, aye=True) is Result.PASSED
    assert newest(game).turn_deadline_at == NOON + 2 * DAY
    propose(game, "bob", EXTEND)
    bid(game, "alice", "2x3", at=NOON)
    with pytest.raises(ClockRefusal, match="closed"):
        vote(game, "carol", EXTEND, aye=True)


def test_a_vote_fails_with_half_against_it_and_lapses_after_two_days() -> None:
    game = four()
    propose(game, "bob", PAUSE)
    assert vote(game, "carol", PAUSE, aye=False) is Result.OPEN
    assert vote(game, "dave", PAUSE, aye=False) is Result.FAILED
    propose(game, "bob", PAUSE)
    with pytest.raises(ClockRefusal, match="closed"):
        vote(game, "carol", PAUSE, aye=True, now=NOON + 2 * DAY)
    assert propose(game, "carol", CANCEL, now=NOON + 2 * DAY) is Result.OPEN


def test_votes_are_one_at_a_time_one_each_and_of_those_who_are_in() -> None:
    game = four()
    propose(game, "bob", PAUSE)
    with pytest.raises(ClockRefusal, match="Another vote"):
        propose(game, "carol", CANCEL)
    assert propose(game, "bob", PAUSE) is Result.OPEN, "his own again"
    with pytest.raises(ClockRefusal, match="already voted"):
        vote(game, "bob", PAUSE, aye=False)
    with pytest.raises(ClockRefusal, match="still in the game"):
        vote(game, "mallory", PAUSE, aye=True)
    set_dice(game, dave=0)
    with pytest.raises(ClockRefusal, match="still in the game"):
        vote(game, "dave", PAUSE, aye=True)
    assert vote(game, "carol", PAUSE, aye=True) is Result.PASSED, "two of three"


def test_those_who_have_not_voted_are_asked_once_and_only_while_it_matters() -> None:
    game = four()
    propose(game, "bob", CANCEL)
    vote(game, "carol", CANCEL, aye=True)
    asked = OutboxMessage.objects.filter(game=game, kind="vote").order_by("seat__user__email")
    assert [each.seat.user.display_name for each in asked] == ["Alice", "Carol", "Dave"]
    assert [render(each, now=NOON) is not None for each in asked] == [True, False, True]
    mail = render(asked[0], now=NOON)
    assert mail is not None
    assert "Call the game off, without a winner?" in str(mail.body)
    assert f"/g/{game.code}/time/" in str(mail.body)
    vote(game, "dave", CANCEL, aye=True)
    assert [render(each, now=NOON) for each in asked] == [None, None, None]


def test_whoever_proposes_again_and_again_writes_once_a_day() -> None:
    game = hers(plain(86_400))
    for hour in range(3):
        propose(game, "alice", PAUSE, now=NOON + hour * HOUR)
        vote(game, "bob", PAUSE, aye=False, now=NOON + hour * HOUR)
    assert OutboxMessage.objects.filter(game=game, kind="vote").count() == 1


def test_a_game_that_is_voted_off_ends_without_a_winner_and_opens_its_seed() -> None:
    game = hers(plain(86_400))
    game = bid(game, "alice", "2x3", at=NOON)
    propose(game, "bob", CANCEL)
    assert vote(game, "alice", CANCEL, aye=True) is Result.PASSED
    game = newest(game)
    assert (game.status, game.ended_by, game.wake_at) == (GameStatus.CANCELLED, "vote", None)
    last = Event.objects.filter(game=game).order_by("seq").last()
    assert last is not None
    assert (last.kind, last.payload["reason"], last.seq) == ("open", "cancelled", game.version)
    for name in ("alice", "bob"):
        told = OutboxMessage.objects.get(game=game, kind="cancelled", seat=seat_of(game, name))
        mail = render(told, now=NOON)
        assert mail is not None
        assert "The players voted to call the game off." in str(mail.body)
        assert "before it began" not in str(mail.body)
    pending = OutboxMessage.objects.filter(game=game, status=OutboxStatus.PENDING)
    assert [render(each, now=NOON) for each in pending.exclude(kind="cancelled")] == [
        None for _ in pending.exclude(kind="cancelled")
    ]
    with pytest.raises(StaleMove):
        act(game, rules.Dudo(seat_of(game, "bob").number), now=NOON)
    with pytest.raises(ClockRefusal):
        vote(game, "alice", CANCEL, aye=True)


def test_alone_among_bots_one_voice_decides() -> None:
    game = plain_table(("alice",), bots=2, now=NOON)
    assert propose(game, "alice", CANCEL) is Result.PASSED
    assert newest(game).status == GameStatus.CANCELLED


def test_a_pause_on_a_bots_turn_counts_for_the_next_clock() -> None:
    game = plain_table(("alice",), bots=1, now=NOON)
    if newest(game).to_act == seat_of(game, "alice").number:
        bid(game, "alice", "1x2", at=NOON)
    assert propose(game, "alice", PAUSE) is Result.PASSED
    game = newest(game)
    deadlines.expire_turns(now=NOON + timedelta(seconds=10))
    game = newest(game)
    while game.to_act != seat_of(game, "alice").number:
        deadlines.expire_turns(now=NOON + timedelta(seconds=20))
        game = newest(game)
    assert game.turn_deadline_at is not None
    assert game.turn_deadline_at == NOON + 4 * DAY


def test_a_vote_in_a_waiting_room_is_refused() -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3)
    room = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    with pytest.raises(ClockRefusal):
        propose(room, "alice", PAUSE)


@pytest.mark.parametrize("question", [PAUSE, CANCEL])
def test_a_vote_passes_when_those_who_are_left_have_a_majority(question: Question) -> None:
    game = four()
    propose(game, "bob", question)
    assert vote(game, "carol", question, aye=True) is Result.OPEN
    moves.resign(game_id=game.pk, user_id=person("dave").pk, now=NOON)
    game.refresh_from_db()
    assert game.vote is None
    assert (len(game.pauses), game.status) == (
        (1, GameStatus.ACTIVE) if question is PAUSE else (0, GameStatus.CANCELLED)
    )


def test_a_vote_passes_when_a_seat_that_is_retired_has_left_a_majority() -> None:
    game = four()
    propose(game, "bob", PAUSE)
    vote(game, "carol", PAUSE, aye=True)
    retire(game, "dave", now=NOON)
    game.refresh_from_db()
    assert (game.vote, len(game.pauses)) == (None, 1)


def test_a_vote_that_has_lapsed_is_decided_by_nobody_s_leaving() -> None:
    game = four()
    propose(game, "bob", PAUSE)
    vote(game, "carol", PAUSE, aye=True)
    moves.resign(game_id=game.pk, user_id=person("dave").pk, now=NOON + VOTE_TIME)
    game.refresh_from_db()
    assert game.pauses == []


def test_who_resigns_counts_no_more() -> None:
    game = four()
    propose(game, "bob", PAUSE)
    moves.resign(game_id=game.pk, user_id=person("dave").pk, now=NOON)
    assert vote(game, "carol", PAUSE, aye=True) is Result.PASSED
