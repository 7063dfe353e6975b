"""What a finishing order makes of ratings: laws of the arithmetic."""

import random
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from openskill.models import BradleyTerryPart

from games import ratings
from games.ratings import NEW, Exit, Rating, ranks, rate

MOST = 10

values = st.builds(
    Rating,
    mu=st.floats(0, 50).map(lambda value: round(value, 6)),
    sigma=st.floats(1, 8).map(lambda value: round(value, 6)),
    games=st.integers(0, 500),
)


@st.composite
def games(draw: st.DrawFn, *, least: int = 2) -> list[tuple[Rating, int]]:
    """Return ratings and ranks of a game, ties among them."""
    count = draw(st.integers(least, MOST))
    places = draw(st.lists(st.integers(1, count), min_size=count, max_size=count))
    return [(draw(values), place) for place in places]


@given(games(), st.randoms(use_true_random=False))
def test_who_sits_where_changes_nothing(
    game: list[tuple[Rating, int]], chance: random.Random
) -> None:
    order = list(range(len(game)))
    chance.shuffle(order)
    straight = rate(game)
    shuffled = rate([game[at] for at in order])
    for at, value in enumerate(straight):
        moved = shuffled[order.index(at)]
        # Sums in another order may differ in the last digit.
        assert (moved.mu, moved.sigma) == pytest.approx((value.mu, value.sigma), abs=2e-6)


@given(games(), st.data())
def test_a_better_place_is_never_worth_less(
    game: list[tuple[Rating, int]], data: st.DataObject
) -> None:
    me = data.draw(st.integers(0, len(game) - 1))
    better = data.draw(st.integers(1, game[me][1]))
    moved = [(who, better if at == me else place) for at, (who, place) in enumerate(game)]
    assert rate(moved)[me].mu >= rate(game)[me].mu


def test_a_better_place_is_worth_more_at_the_largest_table_too() -> None:
    """Compared with their neighbours alone, they would lose by it: these are stronger there."""
    strong = [5.0, 45.0, 25.0, 5.0, 45.0, 45.0, 5.0, 45.0, 45.0]
    me = Rating(25.0, 6.0)

    def mine(place: int) -> float:
        others = [Rating(mu, 6.0) for mu in strong]
        table = [*others[: place - 1], me, *others[place - 1 :]]
        return rate([(who, at) for at, who in enumerate(table, 1)])[place - 1].mu

    assert mine(5) > mine(6)


def test_those_who_tie_at_a_large_table_all_lose_alike() -> None:
    winner, *others = rate([(NEW, 1)] + [(NEW, 2)] * (MOST - 1))
    assert winner.mu > NEW.mu
    assert len(set(others)) == 1


@given(st.integers(2, MOST), values)
def test_equals_who_tie_stay_equal_and_keep_their_strength(count: int, who: Rating) -> None:
    after = rate([(who, 1)] * count)
    assert len(set(after)) == 1
    assert after[0].mu == pytest.approx(who.mu, abs=1e-5)


@given(games())
def test_only_order_counts_not_how_places_are_numbered(game: list[tuple[Rating, int]]) -> None:
    assert rate(game) == rate([(who, place * 7 + 3) for who, place in game])


@given(games())
def test_a_game_counts_as_one_more_and_sigma_stays_positive(
    game: list[tuple[Rating, int]],
) -> None:
    for (before, _place), after in zip(game, rate(game), strict=True):
        assert after.games == before.games + 1
        assert 0 < after.sigma < before.sigma + ratings.TAU


@given(values, values)
def test_whoever_beats_somebody_wins_points_and_the_other_loses_some(
    one: Rating, other: Rating
) -> None:
    winner, loser = rate([(one, 1), (other, 2)])
    assert winner.mu > one.mu
    assert loser.mu < other.mu


@given(games())
def test_rating_a_game_leaves_nothing_behind_for_the_next(game: list[tuple[Rating, int]]) -> None:
    """The model is shared by all games: what one leaves in it would count in the next."""
    before = rate([(NEW, 1), (NEW, 2)])
    rate(game)
    assert rate([(NEW, 1), (NEW, 2)]) == before


def test_up_to_five_players_are_rated_as_the_package_does_it_by_itself() -> None:
    model = BradleyTerryPart(beta=50 / 3)
    teams = [[model.rating(mu=mu, sigma=6.0)] for mu in (20.0, 25.0, 31.0, 28.0, 22.0)]
    expected = model.rate(teams, ranks=[1.0, 3.0, 2.0, 5.0, 4.0])
    players = [Rating(mu, 6.0) for mu in (20.0, 25.0, 31.0, 28.0, 22.0)]
    found = rate(list(zip(players, (1, 3, 2, 5, 4), strict=True)))
    assert [value.mu for value in found] == [round(team[0].mu, 6) for team in expected]
    assert [value.sigma for value in found] == [round(team[0].sigma, 6) for team in expected]


def test_one_player_alone_is_no_game() -> None:
    with pytest.raises(ValueError, match="two players or more"):
        rate([(NEW, 1)])


def test_everybody_begins_at_1500_with_a_mark_until_the_fifteenth_game() -> None:
    assert (NEW.number, NEW.low, NEW.high) == (1500, 1450, 1550)
    assert Rating(25 + 400 / 6, 6.0).number == 1900
    assert Rating(games=14).is_provisional
    assert not Rating(games=15).is_provisional


# --- the finishing order --------------------------------------------------------------------------

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def test_whoever_is_out_later_is_placed_higher_and_the_winner_is_first() -> None:
    assert ranks([Exit(3), Exit(None), Exit(9)]) == (3, 1, 2)


def test_whoever_is_retired_is_below_those_still_in_and_above_those_out_before() -> None:
    retired = Exit(4, NOON)
    assert ranks([Exit(4), retired, Exit(5), Exit(None)]) == (4, 3, 2, 1)


def test_those_who_are_retired_at_one_moment_tie() -> None:
    later = Exit(4, NOON + timedelta(hours=1))
    assert ranks([Exit(4, NOON), Exit(4, NOON), later, Exit(None)]) == (3, 3, 2, 1)


# --- boards ---------------------------------------------------------------------------------------


def test_a_game_counts_for_all_its_rules_its_seats_and_its_season() -> None:
    boards = ratings.boards_of(ruleset="bga", seats=4, ended_at=NOON)
    assert [board.key for board in boards] == ["all", "rules-bga", "seats-4", "season-2026-04"]


@pytest.mark.parametrize(
    ("ended", "first"),
    [
        ("2026-01-01T00:00:00+00:00", "2026-01-01"),
        ("2026-03-31T23:59:59+00:00", "2026-01-01"),
        ("2026-04-01T01:00:00+02:00", "2026-01-01"),
        ("2026-12-31T23:30:00-01:00", "2027-01-01"),
    ],
)
def test_a_season_is_a_quarter_by_utc(ended: str, first: str) -> None:
    assert ratings.season_of(datetime.fromisoformat(ended)).isoformat() == first
