"""Whatever is sent, nobody gets a 500 and nothing is played that the rules refuse."""

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.models import Bid, Game
from tests.cast import give_turn
from tests.integration.games.pages import address, browser, live_table

pytestmark = pytest.mark.django_db

ODD = (
    "", "0", "-1", "1", "2", "٣", "3x4", "0x4", "3x7", "٣x4", "3x4\n", "3x4\x00", "\x00", "1e9",
    "9" * 30, "99999999999x6", "bid", "dudo", "calza", "resign", "on", "💥", "\ufeff3x4",
)  # fmt: skip
TEXT = st.one_of(st.text(max_size=12), st.sampled_from(ODD))
FIELDS = st.dictionaries(
    st.sampled_from(["version", "idem_key", "act", "bid", "ready", "opener", "emails", "name"]),
    TEXT,
)
SETTINGS = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
FINE = {200, 302, 303, 403, 404, 405, 409, 422}


@pytest.fixture
def game() -> Game:
    game = live_table("alice", "bob")
    give_turn(game, "alice")
    return game


@SETTINGS
@given(fields=FIELDS)
def test_a_move_of_garbage_is_refused(game: Game, fields: dict[str, str]) -> None:
    answer = browser("alice").post(address(game, "play/"), fields)
    assert answer.status_code in FINE
    if answer.status_code != 303:
        assert "version" not in fields or not Bid.objects.filter(round__game=game).exists()


@SETTINGS
@given(fields=FIELDS, rest=st.sampled_from(["ready/", "start/", "invite/", "bots/", "back/"]))
def test_other_forms_take_garbage_calmly(game: Game, fields: dict[str, str], rest: str) -> None:
    assert browser("alice").post(address(game, rest), fields).status_code in FINE


@SETTINGS
@given(fields=st.dictionaries(st.sampled_from(["since", "bid", "rules", "next"]), TEXT))
def test_queries_of_garbage_are_only_looks(game: Game, fields: dict[str, str]) -> None:
    alice = browser("alice")
    for path in (address(game), "/games/new/", "/", "/lobby/"):
        assert alice.get(path, fields).status_code in (*FINE, 204)


@SETTINGS
@given(
    fields=st.dictionaries(
        st.sampled_from(
            ["rules", "seats", "bots", "start_dice", "turn_seconds", "visibility", "name",
             "custom-reveal", "custom-calza.window", "bga-calza"]
        ),
        TEXT,
    )
)  # fmt: skip
def test_a_new_game_of_garbage_is_refused(fields: dict[str, Any]) -> None:
    assert browser("alice").post("/games/new/", fields).status_code in FINE


@pytest.mark.parametrize(
    "path",
    [
        "/g/%00%00%00%00%00%00%00%00%00%00/",
        "/g/ABCDEFGHJK/",
        "/g/../",
        "/g/0000000000/rounds/99999999999999999999/",
        "/g/0000000000/rounds/-1/",
        "/g/0000000000/rounds/٣/",
        "/join/%00/",
        "/join/x/",
        "/rules/%00/",
    ],
)
def test_what_cannot_be_an_address_is_none(path: str) -> None:
    for method in ("get", "post"):
        assert getattr(browser("alice"), method)(path).status_code == 404


def test_round_numbers_beyond_any_game_are_not_found() -> None:
    game = live_table("alice", "bob")
    assert browser("alice").get(address(game, "rounds/999999/")).status_code == 404
