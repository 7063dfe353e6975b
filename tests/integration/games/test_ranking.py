"""The leaderboards: who stands on them, in which place, and what a page costs."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts import services as accounts
from accounts.models import User
from games.models import Privacy, Rating, RatingBook, Standing
from games.ratings import Board
from games.selectors.ratings import board_page, rating_curve, rating_of
from games.selectors.visible import Viewer
from games.services import ranking, ratings
from tests.cast import NOON, later, person
from tests.integration.games.pages import browser, text
from tests.integration.games.rated import rated_game

pytestmark = pytest.mark.django_db

ALL = Board("all")
DAY = timedelta(days=1)


def book() -> RatingBook:
    return RatingBook.objects.get_or_create(pk=1)[0]


def rated(
    name: str,
    mu: float,
    *,
    sigma: float = 6.0,
    games: int = 20,
    at: datetime = NOON,
    **groups: int,
) -> User:
    """Give somebody a rating of so many games, and so many of them on other boards."""
    user = person(name)
    Rating.objects.create(user=user, mu=mu, sigma=sigma, games=games)
    for board, count in {"all": games, **groups}.items():
        Standing.objects.create(
            user=user,
            board=board.replace("_", "-"),
            games=count,
            wins=count // 2,
            fair=count / 4,
            last_at=at,
        )
    return user


def names(board: Board = ALL, page: int = 1) -> list[str]:
    return [row.name for row in board_page(board, Viewer(), page=page).rows]


def crowd(count: int) -> None:
    """Let so many people stand on the board of all games, the first of them on top."""
    users = User.objects.bulk_create(
        User(email=f"p{n}@example.org", display_name=f"P{n}", display_key=f"p{n}")
        for n in range(1, count + 1)
    )
    Rating.objects.bulk_create(
        Rating(user=user, mu=40 - n / 1000, sigma=6, games=30) for n, user in enumerate(users)
    )
    Standing.objects.bulk_create(
        Standing(user=user, board="all", games=30, wins=3, fair=7, last_at=timezone.now())
        for user in users
    )
    ranking.rank(book(), now=timezone.now())


# --- places ---------------------------------------------------------------------------------------


def test_places_go_by_the_strength_less_its_uncertainty() -> None:
    rated("alice", 30.0, sigma=8.0)
    rated("bob", 29.0, sigma=5.0)
    rated("carol", 20.0)
    ranking.rank(book(), now=NOON)
    assert names() == ["Bob", "Alice", "Carol"]


def test_a_board_lists_who_has_played_enough_and_not_long_ago() -> None:
    rated("alice", 30.0, games=19)
    rated("bob", 29.0, at=NOON - 91 * DAY)
    rated("carol", 28.0, at=NOON - 90 * DAY)
    ranking.rank(book(), now=NOON)
    assert names() == ["Carol"]


def test_a_board_of_some_games_takes_five_of_them_and_goes_by_the_one_rating() -> None:
    rated("alice", 30.0, seats_2=4)
    rated("bob", 27.0, seats_2=9)
    rated("carol", 28.0, seats_2=5)
    rated("dora", 40.0, games=12, seats_2=12)
    ranking.rank(book(), now=NOON)
    assert names(Board.of_seats(2)) == ["Carol", "Bob"]


def test_whoever_stops_playing_loses_his_place_though_nothing_is_rated() -> None:
    rated("alice", 30.0)
    rated("bob", 29.0, at=NOON + 50 * DAY)
    assert ranking.rank_if_due(now=NOON) is None, "there is no book before the first game"
    book()
    assert ranking.rank_if_due(now=NOON) == 2
    assert ranking.rank_if_due(now=later(hours=1)) is None
    assert ranking.rank_if_due(now=NOON + 91 * DAY) == 2
    assert names() == ["Bob"]


def test_a_game_that_was_rated_moves_the_places_within_minutes() -> None:
    rated("alice", 26.0)
    rated("bob", 25.9)
    ranking.rank(book(), now=NOON)
    assert names() == ["Alice", "Bob"]
    rated_game("bob", "alice", ends=later(minutes=1))
    assert ratings.rate_games(now=later(minutes=2)) == 1
    assert names() == ["Alice", "Bob"], "for a while"
    assert ratings.rate_games(now=later(minutes=6)) == 0
    assert names() == ["Bob", "Alice"]


def test_ranking_writes_only_the_places_that_changed() -> None:
    for number in range(8):
        rated(f"player{number}", 40.0 - number)
    assert ranking.rank(book(), now=NOON) == 8
    Rating.objects.filter(user=person("player7")).update(mu=34.5)
    assert ranking.rank(book(), now=NOON) == 2
    assert names()[5:] == ["Player5", "Player7", "Player6"]


def test_whoever_hides_his_statistics_is_on_no_board() -> None:
    rated("alice", 30.0)
    rated("bob", 29.0)
    ranking.rank(book(), now=NOON)
    Privacy.objects.create(user=person("alice"), hides_statistics=True)
    Privacy.objects.create(user=person("bob"), hides_statistics=False)
    assert names() == ["Bob"], "at once"
    ranking.rank(book(), now=NOON)
    assert [row.place for row in board_page(ALL, Viewer(), page=1).rows] == [1]


def test_an_account_that_closes_leaves_the_boards() -> None:
    alice = rated("alice", 30.0)
    ranking.rank(book(), now=NOON)
    accounts.close_account(user=alice, now=NOON)
    assert names() == []


# --- the page -------------------------------------------------------------------------------------


def test_the_ranking_shows_numbers_games_and_wins_beside_those_of_chance() -> None:
    rated("alice", 30.0, games=40, at=timezone.now())
    ranking.rank(book(), now=timezone.now())
    html = text(browser().get("/ranking/"))
    assert 'href="/p/Alice/"' in html
    assert ">1530<" in html
    assert "±&nbsp;36" in html
    assert "20 <span" in html
    assert "(10)" in html


def test_my_own_place_is_told_on_every_page() -> None:
    crowd(120)
    me = rated("alice", 25.0, at=timezone.now())
    ranking.rank(book(), now=timezone.now())
    html = text(browser("alice").get("/ranking/"))
    assert "You are in place 121." in html
    assert 'href="?page=3"' in html
    page = board_page(ALL, Viewer(me.pk), page=3)
    assert [row.name for row in page.rows if row.is_me] == ["Alice"]
    assert "Page 3 of 3" in text(browser("alice").get("/ranking/?page=3"))


def test_who_is_not_listed_is_told_why() -> None:
    assert "you have finished 0." in text(browser("alice").get("/ranking/"))
    rated("bob", 25.0, games=25, at=timezone.now(), rules_bga=2)
    ranking.rank(book(), now=timezone.now())
    assert "5 rated games of this kind" in text(browser("bob").get("/ranking/rules-bga/"))
    Standing.objects.update(last_at=timezone.now() - 91 * DAY)
    ranking.rank(book(), now=timezone.now())
    assert "no rated game for 90 days" in text(browser("bob").get("/ranking/"))


def test_there_is_a_board_for_each_ruleset_each_size_and_this_season() -> None:
    now = timezone.now()
    rated("alice", 30.0, at=now, **{Board.of_season(now).key: 5, "seats-3": 5, "rules-bga": 5})
    ranking.rank(book(), now=now)
    for board in ("season", "seats-3", "rules-bga"):
        assert 'href="/p/Alice/"' in text(browser().get(f"/ranking/{board}/")), board
    for board in ("seats-4", "rules-custom", "rules-piatnik"):
        assert "Nobody is listed here yet." in text(browser().get(f"/ranking/{board}/")), board


@pytest.mark.parametrize("address", ["rules-poker/", "seats-1/", "seats-11/", "all/", "x/"])
def test_another_board_does_not_exist(address: str) -> None:
    assert browser().get(f"/ranking/{address}").status_code == 404


@pytest.mark.parametrize("asked", ["0", "99999999999", "-1", "x", "²", ""])
def test_a_page_that_is_none_is_the_nearest(asked: str) -> None:
    crowd(60)
    assert browser().get("/ranking/", {"page": asked}).status_code == 200


@pytest.mark.parametrize("name", ["", "alice"])
def test_a_page_takes_as_many_queries_whichever_it_is_and_however_many_play(name: str) -> None:
    crowd(3)
    client = browser(name)
    client.get("/ranking/")
    costs = []
    for asked in ("1", "1", "7", "99"):
        with CaptureQueriesContext(connection) as caught:
            assert client.get("/ranking/", {"page": asked}).status_code == 200
        costs.append(len(caught))
        if len(costs) == 1:
            User.objects.filter(email__startswith="p").delete()
            crowd(400)
    assert len(set(costs)) == 1
    assert costs[0] <= 6


# --- one player -----------------------------------------------------------------------------------


def test_a_player_has_no_rating_before_his_first_rated_game() -> None:
    assert rating_of(person("alice").pk) is None
    assert rating_curve(person("alice").pk) == ()


def test_the_curve_of_a_player_tells_each_game_the_oldest_first() -> None:
    rated_game("alice", "bob", ends=later(hours=1))
    rated_game("bob", "alice", ends=later(hours=2))
    ratings.rate_games(now=later(hours=3))
    first, second = rating_curve(person("alice").pk)
    assert (first.place, second.place) == (1, 2)
    assert first.before.number == 1500 < first.after.number
    assert second.before == first.after
    assert second.after == rating_of(person("alice").pk)
    assert rating_curve(person("alice").pk, newest=1) == (second,)


def test_a_player_gets_his_rating_with_all_that_is_kept_of_him() -> None:
    game = rated_game("alice", "bob")
    ratings.rate_games(now=later(hours=1))
    from games.selectors.ratings import exported_ratings

    kept = exported_ratings(person("alice").pk)
    assert kept["rated_games"] == 1
    assert [each["game"] for each in kept["changes"]] == [game.code]
    assert "all" in [each["board"] for each in kept["leaderboards"]]
