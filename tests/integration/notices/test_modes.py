"""How many mails a player's turns make: each at once, one until he returns, a daily digest."""

import re
from dataclasses import replace
from datetime import datetime, time, timedelta

import pytest
from django.core import mail as mailbox

from games import rules, timing
from games.clock import TimeOut
from games.mail.render import render
from games.models import Game, Mode, OutboxMessage, Seat, Topic, Wishes
from games.services import moves, outbox, presence, wishes
from tests.cast import NOON, act, give_turn, later, person, seat_of, table
from tests.integration.games.mailing import html_of

pytestmark = pytest.mark.django_db

DAY = timedelta(days=1)


def wish(name: str = "alice", **changes: object) -> None:
    chosen = {"mode": Mode.EACH, "digest_at": time(7, 30), "topics": list(Topic), "muted": []}
    wishes.choose(user_id=person(name).pk, **{**chosen, **changes})


def alices_turn(rival: str = "bob", *, now: datetime = NOON, seconds: int = 3 * 86_400) -> Game:
    """Return a game in which ``rival`` has bid and it is alice's turn since ``now``."""
    game = table(("alice", rival), turn_seconds=seconds, now=now)
    OutboxMessage.objects.filter(game=game).delete()
    give_turn(game, rival)
    return act(game, rules.MakeBid(game.to_act, rules.Bid.parse("2x3")), now=now)


def post(now: datetime = NOON) -> list[str]:
    """Send what is due; return the kinds of the mails that alice got."""
    mailbox.outbox.clear()
    while outbox.relay(now=now):
        pass
    return [
        mail.extra_headers["X-Perudo-Mail"]
        for mail in mailbox.outbox
        if mail.to == ["alice@example.org"]
    ]


def test_without_wishes_every_turn_is_told_at_once() -> None:
    alices_turn("bob")
    alices_turn("carol")
    assert post() == ["turn", "turn"]


# --- one mail until I return ----------------------------------------------------------------------


def test_one_mail_comes_until_its_reader_returns() -> None:
    wish(mode=Mode.AWAY)
    first = alices_turn("bob")
    assert post() == ["turn"]
    alices_turn("carol", now=later(hours=1))
    assert post(later(hours=1)) == []
    presence.look(seat_id=seat_of(first, "alice").pk, version=first.version, now=later(hours=2))
    alices_turn("dora", now=later(hours=3))
    assert post(later(hours=3)) == ["turn"]


def test_the_end_of_the_time_is_still_told_while_one_is_away() -> None:
    wish(mode=Mode.AWAY)
    alices_turn("bob")
    alices_turn("carol")
    assert post() == ["turn"]
    assert set(post(later(hours=70))) == {"reminder"}


def test_how_rounds_ended_is_not_told_apart_while_one_is_away() -> None:
    wish(mode=Mode.AWAY)
    game = table(("alice", "bob", "carol"))
    give_turn(game, "bob")
    game = act(game, rules.MakeBid(game.to_act, rules.Bid.parse("20x3")))
    moves.resign(game_id=game.pk, user_id=person("bob").pk, now=NOON)
    assert "round_over" not in post()


# --- the daily digest -----------------------------------------------------------------------------


def test_a_digest_tells_all_waiting_games_at_its_hour_soonest_deadline_first() -> None:
    wish(mode=Mode.DIGEST)
    Game.objects.filter(pk=alices_turn("bob", seconds=4 * 86_400).pk).update(name="Slow one")
    Game.objects.filter(pk=alices_turn("carol", seconds=2 * 86_400).pk).update(name="Quick one")
    assert post() == []
    assert post(later(hours=19, minutes=29)) == []
    assert post(later(hours=19, minutes=30)) == ["digest"]
    (mail,) = [mail for mail in mailbox.outbox if mail.to == ["alice@example.org"]]
    for part in (str(mail.body), html_of(mail)):
        assert "2 games wait for you" in part
        assert part.index("Quick one") < part.index("Slow one")
        assert "Wednesday 6 May, 12:00 UTC" in part
    assert mail.subject == "[Perudo by Post] 2 games wait for you"
    assert mail.extra_headers["List-Id"].startswith("digest <")


def test_a_digest_says_of_each_game_what_happens_when_its_time_is_up() -> None:
    wish(mode=Mode.DIGEST)
    alices_turn("bob", seconds=2 * 86_400)
    for rival, act_of_time, days in (("carol", TimeOut.LOSE_A_DIE, 3), ("dora", TimeOut.OUT, 4)):
        game = alices_turn(rival, seconds=days * 86_400)
        own = replace(timing.clock_of(game), time_out=act_of_time)
        Game.objects.filter(pk=game.pk).update(clock=own.to_dict())
    post()
    assert post(later(hours=19, minutes=30)) == ["digest"]
    (mail,) = [mail for mail in mailbox.outbox if mail.to == ["alice@example.org"]]
    wanted = [
        "the automatic move is played for you.",
        "you lose a die.",
        "you are out of the game: this table chose it so.",
    ]
    for part in (str(mail.body), html_of(mail)):
        said = re.findall(r"If you have not moved by then, ([^<\n]+)", part)
        assert said == wanted, "in the order of the games, each once"


def test_a_digest_holds_no_die_and_tells_nothing_of_the_table() -> None:
    wish(mode=Mode.DIGEST)
    game = alices_turn()
    post()
    texts = []
    for counts in (1, 5):
        Seat.objects.filter(game=game).update(dice=counts)
        row = OutboxMessage.objects.get(kind="digest")
        mail = render(row, now=row.due_at)
        texts.append((mail.subject, mail.body, html_of(mail)))
        game.bid_quantity = 9
        game.save()
    assert texts[0] == texts[1]
    assert "Bob" not in str(texts)
    assert "die " not in str(texts)
    assert "dice" not in str(texts)


def test_the_next_digest_comes_a_day_later_while_a_game_waits_and_then_no_more() -> None:
    wish(mode=Mode.DIGEST)
    game = alices_turn(seconds=7 * 86_400)
    post()
    first = later(hours=19, minutes=30)
    assert post(first) == ["digest"]
    assert post(first + DAY / 2) == []
    assert post(first + DAY) == ["digest"]
    act(game, rules.MakeBid(game.to_act, rules.Bid.parse("3x3")), now=first + DAY)
    assert post(first + 2 * DAY) == []
    assert post(first + 3 * DAY) == []
    assert not OutboxMessage.objects.filter(kind="digest", status="pending").exists()


def test_the_hour_is_the_reader_s_own() -> None:
    person("alice", time_zone="America/New_York")
    wish(mode=Mode.DIGEST, digest_at=time(18, 0))
    alices_turn()
    assert post() == []  # 8:00 in New York
    (row,) = OutboxMessage.objects.filter(kind="digest")
    assert row.due_at == later(hours=10)


def test_a_turn_that_would_be_over_by_then_is_told_at_once() -> None:
    wish(mode=Mode.DIGEST)
    alices_turn(seconds=12 * 3600)
    assert post() == ["turn"]
    assert not OutboxMessage.objects.filter(kind="digest").exists()


def test_two_turns_and_two_relays_make_one_digest_a_day() -> None:
    wish(mode=Mode.DIGEST)
    alices_turn("bob")
    alices_turn("carol")
    post()
    for row in OutboxMessage.objects.filter(kind="turn"):
        wishes.queue_digest(row, now=NOON)
    assert OutboxMessage.objects.filter(kind="digest").count() == 1


def test_whoever_changes_his_mind_gets_no_digest_any_more() -> None:
    wish(mode=Mode.DIGEST)
    alices_turn()
    post()
    wish(mode=Mode.EACH)
    assert "digest" not in post(later(hours=19, minutes=30))


def test_a_muted_game_is_in_no_digest() -> None:
    wish(mode=Mode.DIGEST)
    game = alices_turn("bob")
    alices_turn("carol")
    post()
    wish(mode=Mode.DIGEST, muted=[game.code])
    assert post(later(hours=19, minutes=30)) == ["digest"]
    assert "1 game waits for you" in str(mailbox.outbox[-1].body)


# --- kinds and games ------------------------------------------------------------------------------


@pytest.mark.parametrize("topic", list(Topic))
def test_a_topic_that_is_switched_off_is_not_told_and_the_others_are(topic: Topic) -> None:
    wish(topics=[each for each in Topic if each is not topic])
    alices_turn()
    told = post() + post(later(hours=70))
    assert ("turn" in told) == (topic is not Topic.TURN)
    assert ("reminder" in told) == (topic is not Topic.REMINDER)


def test_a_muted_game_is_silent_and_the_others_are_not() -> None:
    muted = alices_turn("bob")
    alices_turn("carol")
    wish(muted=[muted.code])
    assert post() == ["turn"]
    assert seat_of(muted, "alice").is_muted
    wish(muted=[])
    assert not Seat.objects.filter(is_muted=True).exists()


def test_nobody_mutes_a_game_that_is_not_his() -> None:
    game = alices_turn("bob")
    wish("mallory", muted=[game.code])
    assert not Seat.objects.filter(is_muted=True).exists()
    assert Wishes.objects.filter(user=person("mallory")).exists()
