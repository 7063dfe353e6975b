"""The page of a table's clocks: who sees what, and what its buttons do."""

from datetime import UTC, timedelta
from itertools import pairwise

import pytest
from django.test import Client
from django.utils import timezone

from games.clock import EMERGENCY_TIME
from games.mail.digest import digest
from games.models import Game, GameStatus, Hours, OutboxMessage
from tests.cast import give_turn, person, seat_of
from tests.integration.games.mailing import html_of, sent_mail
from tests.integration.games.pages import address, bid, browser, inputs, live_table, text
from tests.integration.games.test_pages_queries import queries

pytestmark = pytest.mark.django_db


def page(game: Game, name: str = "alice") -> str:
    return text(browser(name).get(address(game, "time/")))


def press(client: Client, game: Game, act: str, **fields: str) -> str:
    """Press a button of the page and return the page that follows."""
    found = inputs(text(client.get(address(game, "time/"))), "deadline")
    deadline = {"deadline": found[0]["value"]} if found else {}
    answer = client.post(address(game, "time/"), {"act": act, **deadline, **fields}, follow=True)
    assert answer.redirect_chain
    return text(answer)


def alices() -> Game:
    """Return a game of three in which alice is to move."""
    game = live_table("alice", "bob", "carol")
    give_turn(game, "carol")
    game = bid(game, "carol", "1x2")
    while game.to_act != seat_of(game, "alice").number:
        game = bid(game, "bob", "2x2")
    return game


def test_everybody_sees_the_clocks_and_their_rules() -> None:
    game = alices()
    for name in ("alice", "bob"):
        shown = page(game, name)
        assert "Alice is to move." in shown
        assert "Rules of the clock" in shown
        assert "What is left of it lapses." in shown
    assert f'href="{address(game, "time/")}"' in text(browser("bob").get(address(game)))


def test_an_emergency_is_seen_at_the_table_while_it_lasts() -> None:
    game, now = alices(), timezone.now()
    over = now + EMERGENCY_TIME
    paused = Hours.objects.filter(user_id=seat_of(game, "alice").user_id)
    pages = (address(game), address(game, "time/"))
    told = [(None, False), (now, True), (now - EMERGENCY_TIME, False)]
    for since, is_away in told:
        paused.update(emergency_at=since, zone="UTC")
        for path in pages:
            shown = text(browser("bob").get(path))
            assert (f"away until {over.astimezone(UTC).day} " in shown) is is_away, (path, since)


def test_the_player_to_move_takes_time_and_the_others_give_it() -> None:
    game = alices()
    before = game.turn_deadline_at
    assert before is not None
    mine, other = page(game, "alice"), page(game, "bob")
    assert "Take 24 hours more" in mine
    assert "Give 24 hours more" not in mine
    assert "Take 24 hours more" not in other
    assert "This turn has 24 hours more." in press(browser("alice"), game, "token")
    assert "You have given 24 hours." in press(browser("bob"), game, "gift")
    game.refresh_from_db()
    assert game.turn_deadline_at == before + timedelta(days=2)
    assert "You have already given time" in page(game, "bob")


def test_a_form_that_is_sent_again_does_nothing_more() -> None:
    game, client = alices(), browser("alice")
    form = {"act": "token", "deadline": inputs(page(game), "deadline")[0]["value"]}
    for _ in range(2):
        answer = client.post(address(game, "time/"), form, follow=True)
    assert "nothing was done" in text(answer)
    assert seat_of(game, "alice").tokens_used == 1


def test_a_nudge_that_comes_too_early_is_refused_in_words() -> None:
    game = alices()
    assert "Nudge by mail" not in page(game, "bob")
    shown = press(browser("bob"), game, "nudge")
    assert "once half of the time for the turn is used" in shown
    assert not OutboxMessage.objects.filter(kind="nudge").exists()


def test_a_vote_is_seen_at_the_table_and_ends_the_game() -> None:
    game = alices()
    watched = browser("carol").get(address(game)).context["since"]
    press(browser("alice"), game, "propose", question="cancel")
    fresh = browser("carol").get(address(game, f"?since={watched}"))
    assert fresh.status_code == 200
    assert "Call the game off, without a winner?" in text(fresh)
    assert (
        browser("carol").get(address(game, f"?since={fresh.context['since']}")).status_code == 204
    )
    assert "For it: 1, against it: 0, of 3." in page(game, "bob")
    assert "I am for it" not in page(game, "alice")
    answer = press(browser("bob"), game, "aye", question="cancel")
    assert "The players voted to call the game off." in answer
    game.refresh_from_db()
    assert game.status == GameStatus.CANCELLED
    for rest in ("", "rounds/", "check/", "transcript"):
        assert browser("bob").get(address(game, rest)).status_code == 200


def test_a_pause_is_told_wherever_a_deadline_is_until_it_ends() -> None:
    game = alices()
    press(browser("bob"), game, "propose", question="pause")
    said = "clocks stand still until"
    assert said not in text(browser("alice").get(address(game)))
    press(browser("alice"), game, "aye", question="pause")
    for path in (address(game), address(game, "time/"), "/"):
        assert said in text(browser("alice").get(path)), path
    now = timezone.now() + timedelta(minutes=5)  # whoever has just looked gets no mail
    mail = sent_mail(game, "turn", "alice", now=now)
    assert said in str(mail.body)
    assert said in html_of(mail)
    assert said in str(digest(person("alice").pk, now=now)["games"])
    over = [[(now - timedelta(days=4)).isoformat(), (now - timedelta(days=1)).isoformat()]]
    Game.objects.filter(pk=game.pk).update(pauses=over)
    for path in (address(game), address(game, "time/"), "/"):
        assert said not in text(browser("alice").get(path)), path


def test_a_pause_that_follows_a_pause_is_told_with_the_end_of_both() -> None:
    game, now = alices(), timezone.now()
    days = [now + timedelta(days=count) for count in (-1, 2, 5)]
    pauses = [[start.isoformat(), end.isoformat()] for start, end in pairwise(days)]
    Game.objects.filter(pk=game.pk).update(pauses=pauses)
    assert f"stand still until {days[2]:%a} {days[2].day} " in page(game)


def test_there_is_no_page_before_the_start_or_after_the_end() -> None:
    game = alices()
    Game.objects.filter(pk=game.pk).update(status=GameStatus.OPEN)
    assert browser("alice").get(address(game, "time/")).status_code == 303


@pytest.mark.parametrize("garbage", ["", "x", "2026-13-99", "0001-01-01T00:00:00", "9" * 400])
def test_garbage_changes_nothing(garbage: str) -> None:
    game = alices()
    for act in ("token", "gift", "nudge", "propose", "aye", "nay", garbage):
        fields = {"act": act, "deadline": garbage, "question": garbage}
        answer = browser("alice").post(address(game, "time/"), fields)
        assert answer.status_code == 303
    after = Game.objects.get(pk=game.pk)
    assert (after.turn_deadline_at, after.vote) == (game.turn_deadline_at, None)


def test_onlookers_see_no_buttons_and_may_press_none() -> None:
    game = live_table("alice", "bob", is_private=False)
    shown = page(game, "mallory")
    assert "<button" not in shown.split("<main")[1].split("</main")[0]
    answer = browser("mallory").post(
        address(game, "time/"), {"act": "propose", "question": "pause"}
    )
    assert answer.status_code == 403
    assert Game.objects.get(pk=game.pk).vote is None


def test_the_page_takes_few_queries_and_an_open_vote_costs_the_table_none() -> None:
    game = alices()
    browser("alice").get(address(game))  # the first look of a turn is noted
    few, table = queries(address(game, "time/")), queries(address(game))
    assert few <= 7
    press(browser("alice"), game, "propose", question="pause")
    assert (queries(address(game, "time/")), queries(address(game))) == (few, table)
    assert timezone.now() > game.created_at
