"""The review of a finished game: made once when it is counted, and never telling a covered die."""

import re
from dataclasses import replace

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games import review, rules
from games.models import Game, Review
from games.selectors.review import review_for
from games.selectors.visible import Viewer
from games.services import statistics
from tests.cast import person, table
from tests.integration.games.seasons import SHORT, season

pytestmark = pytest.mark.django_db

COVERED = replace(
    SHORT,
    reveal=rules.Reveal.CLOCKWISE_EARLY_STOP,
    covered_cups_after_game=rules.CoveredCups.NEVER,
)


def page(game: Game, name: str = "") -> str:
    client = Client()
    if name:
        client.force_login(person(name))
    answer = client.get(f"/g/{game.code}/review/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_counting_a_game_keeps_its_review() -> None:
    (game,) = season("alice", "bob", games=1)
    statistics.count_games()
    kept = review.from_json(Review.objects.get(pk=game.pk).told)
    assert review.to_json(kept) == review.to_json(review_for(game, Viewer()))
    assert kept.decisions
    assert sum(kept.chances[-1]) == 1


def test_a_review_can_be_read_before_the_game_is_counted() -> None:
    (game,) = season("alice", "bob", games=1)
    before = page(game, "alice")
    statistics.count_games()
    assert _told(page(game, "alice")) == _told(before)


def _told(text: str) -> str:
    return re.sub(
        r'value="[^"]*"|"token": "[^"]*"|nonce="[^"]*"', "", text[: text.index("</main>")]
    )


def test_a_game_under_way_has_no_review() -> None:
    game = table(("alice", "bob"))
    client = Client()
    client.force_login(person("alice"))
    assert client.get(f"/g/{game.code}/review/").status_code == 404


def test_a_covered_cup_is_judged_for_nobody_but_its_owner() -> None:
    games = season("alice", "bob", "carol", games=4, ruleset=COVERED, seed=5)
    statistics.count_games()
    hidden = 0
    for game in games:
        game.refresh_from_db()
        seats = {seat.user_id: seat.number for seat in game.seats.all()}
        public = review_for(game, Viewer()).decisions
        mine = seats[person("alice").pk]
        own = review_for(game, Viewer(person("alice").pk)).decisions
        for seen, told in zip(public, own, strict=True):
            assert seen.count is None or told.count == seen.count
            if seen.weighed is not None:
                continue
            hidden += 1
            assert (told.weighed is not None) is (told.seat == mine)
    assert hidden, "some cup was never lifted"


def test_the_replay_tells_what_the_review_says_of_a_move() -> None:
    (game,) = season("alice", "bob", games=1)
    statistics.count_games()
    text = Client()
    text.force_login(person("alice"))
    shown = text.get(f"/g/{game.code}/replay/1/1/").content.decode()
    assert "How good was it?" in shown
    assert "How good was it?" not in text.get(f"/g/{game.code}/replay/1/0/").content.decode()


def test_a_review_takes_as_many_queries_however_long_the_game_was() -> None:
    long = season("alice", "bob", games=1, ruleset=replace(SHORT, start_dice=5))[0]
    short = season("alice", "bob", games=1, ruleset=replace(SHORT, start_dice=1))[0]
    statistics.count_games()
    client = Client()
    client.force_login(person("alice"))
    counts = []
    for game in (short, long):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(f"/g/{game.code}/review/")
        counts.append(len(queries))
    assert counts[0] == counts[1]
