"""Every address × every kind of viewer: the status, and no hidden die in context or body.

A page is rendered twice, with other dice under every cup that the viewer may not look under. If a
single byte differs, something hidden has got out. New addresses fail until they have a row here.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any

import pytest
from django.db import connection
from django.template import Context
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from games import rules, store
from games.mail.stopping import StopGame, stop_token
from games.models import Game, Round, Wishes
from tests.cast import act, eliminate, give_turn, person, seat_of, table
from tests.integration.contexts import check_context
from tests.integration.mail.waiting import waiting_mail

pytestmark = pytest.mark.django_db

VIEWERS = ("alice", "bob", "carol", "onlooker", "mallory", "anonymous")
"""To move, rival, eliminated, signed-in stranger at an open table and at a private one, nobody."""

# What differs between two answers though nothing happened: CSRF tokens and the keys of forms.
RANDOM = re.compile(
    rb'(name="(?:csrfmiddlewaretoken|idem_key)" value="|hx-headers="|"token": ")[^"]*"'
)

FEED = "a1" * 13
"""The secret of alice's calendar and feed."""

# For each address the status of a GET by each viewer: "alice bob carol onlooker mallory anonymous".
# A stranger at a private table is told that there is no such page, like anybody with a wrong code.
EVERYBODY = "200 200 200 200 200 200"
SIGNED_IN = "200 200 200 200 200 302"
TABLE = "200 200 200 200 404 200"  # an open table may be watched; a private one does not exist
MATRIX = {
    "home": EVERYBODY,
    "lobby": EVERYBODY,
    "rules": EVERYBODY,
    "rules_preset": EVERYBODY,
    "learn": EVERYBODY,
    "learn_step": EVERYBODY,
    "game_rules": TABLE,
    "order_help": EVERYBODY,
    "mail_help": EVERYBODY,
    "mail_settings": SIGNED_IN,
    "mail_confirm": EVERYBODY,  # who holds the link may say whether it was he
    "profile": EVERYBODY,
    "against": EVERYBODY,
    "portrait": EVERYBODY,
    "statistics": EVERYBODY,
    "profile_settings": SIGNED_IN,
    "statistics_csv": SIGNED_IN,
    "statistics_json": SIGNED_IN,
    "ranking": EVERYBODY,
    "ranking_board": EVERYBODY,
    "game_new": SIGNED_IN,
    "hours": SIGNED_IN,
    "notices": SIGNED_IN,
    "device": SIGNED_IN,
    "worker": EVERYBODY,
    "manifest": EVERYBODY,
    "offline": EVERYBODY,
    "stop": EVERYBODY,  # who holds the link may
    "feed_calendar": EVERYBODY,  # and who knows the address
    "feed_turns": EVERYBODY,
    "game": TABLE,
    "rounds": TABLE,
    "history": TABLE,
    "game_resign": "200 200 200 403 404 403",
    "game_order": "200 200 303 403 404 403",  # who has no dice has nothing to order
    "game_leave": "302 302 302 403 404 403",  # it has begun: leaving is resigning now
    "game_time": TABLE,
    "game_quick": "405 405 405 405 405 405",
    "playing": EVERYBODY,  # of the browser, not of anybody
    "transcript": TABLE,
    "game_check": TABLE,
    "fairness": EVERYBODY,
    "record": "404 404 404 404 404 404",  # a record holds every die: not before the end
    "record_text": "404 404 404 404 404 404",
    "replay": "404 404 404 404 404 404",  # nor is a game replayed before it
    "replay_moment": "404 404 404 404 404 404",
    "moment_picture": "404 404 404 404 404 404",
    "review": "404 404 404 404 404 404",
    "picture": TABLE,  # an onlooker's, whoever asks
    "join": "302 302 302 200 200 200",  # who holds the link may read what the game is
    **dict.fromkeys(
        (
            "game_play",
            "game_back",
            "game_pass",
            "game_roll",
            "game_withdraw",
            "game_contribution",
            "game_join",
            "game_ready",
            "game_start",
            "game_invite",
            "game_add_bot",
            "game_remove_seat",
            "rematch",
        ),
        "302 302 302 302 302 302",
    ),
}
# Addresses without a game's dice: accounts', the mailbox, health. They have tests of their own.
ELSEWHERE = re.compile(
    r"^(account_|mfa_|usersessions_|mailbox|live$|ready$|settings$|close_account|prove_by_code"
    r"|export_|set_language|styleguide|socialaccount_)"
)


def world_of(viewer: str) -> Game:
    """Return the game that ``viewer`` looks at: mallory's is private, and not hers."""
    return _game(is_private=viewer == "mallory")


def _game(*, is_private: bool) -> Game:
    """Carol is out, one round is closed, one bid stands, and alice is to move."""
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    game = table(("alice", "bob", "carol"), ruleset=ruleset, is_private=is_private)
    give_turn(game, "carol")
    number = seat_of(game, "carol").number
    game = act(game, rules.MakeBid(number, rules.Bid.parse("15x6")))
    game = act(game, rules.Dudo(game.to_act))
    eliminate(game, "carol")
    give_turn(game, "bob")
    Wishes.objects.create(user=person("alice"), feed_token=FEED)
    return act(game, rules.MakeBid(seat_of(game, "bob").number, rules.Bid.parse("2x3")))


def _names(patterns: Iterable[URLPattern | URLResolver]) -> Iterator[str]:
    for pattern in patterns:
        if isinstance(pattern, URLResolver):
            yield from _names(pattern.url_patterns)
        elif pattern.name:
            yield pattern.name


def _address(name: str, game: Game) -> str:
    arguments: dict[str, list[object]] = {
        "rules_preset": ["bga"],
        "learn_step": [2],
        "profile": ["Alice"],
        "against": ["Alice", "Bob"],
        "portrait": ["Alice", "svg"],
        "ranking_board": ["seats-3"],
        "history": [game.code, 1],
        "replay": [game.code],
        "review": [game.code],
        "replay_moment": [game.code, 1, 0],
        "moment_picture": [game.code, 1, 0, "png"],
        "picture": [game.code, "svg"],
        "record_text": [game.code],
        "game_remove_seat": [game.code, 1],
        "join": [game.invite_token],
        "stop": [stop_token(StopGame(person("alice").pk, 0, game.code))],
        "mail_confirm": [waiting_mail(game, "alice")],
        "feed_calendar": [FEED],
        "feed_turns": [FEED],
    }
    by_code = name in ("record", "rounds", "rematch", "transcript") or name.startswith("game_")
    plain = name in ("game_new", "game_quick")
    default: list[object] = [game.code] if name == "game" or (by_code and not plain) else []
    return reverse(name, args=arguments.get(name, default))


def _client(viewer: str) -> Client:
    client = Client()
    if viewer != "anonymous":
        client.force_login(person(viewer))
    return client


def _cases() -> list[tuple[str, str, int]]:
    return [
        (name, viewer, int(status))
        for name, row in MATRIX.items()
        for viewer, status in zip(VIEWERS, row.split(), strict=True)
    ]


def _shift_hidden_cups(monkeypatch: pytest.MonkeyPatch, game: Game, viewer: str) -> None:
    """Put other dice under every cup but the viewer's own."""
    real = store.Dice.cups
    own = game.seats.filter(user__email=f"{viewer}@example.org").first()
    mine = own.number if own else None

    def other(dice: store.Dice, row: Round, **how: Any) -> tuple[rules.Cup, ...]:
        return tuple(
            cup if seat == mine else tuple(face % 6 + 1 for face in cup)
            for seat, cup in enumerate(real(dice, row, **how))
        )

    monkeypatch.setattr(store.Dice, "cups", other)


def test_every_address_has_a_row() -> None:
    unknown = {
        name
        for name in _names(get_resolver().url_patterns)
        if name not in MATRIX and not ELSEWHERE.match(name)
    }
    assert not unknown, f"give these a row: {sorted(unknown)}"


@pytest.mark.parametrize(("name", "viewer", "status"), _cases())
def test_status_and_nothing_hidden(
    name: str, viewer: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = world_of(viewer)
    address = _address(name, game)
    client = _client(viewer)
    client.get(address)  # the first visit may set a cookie
    with CaptureQueriesContext(connection) as queries:
        before = client.get(address)
    assert before.status_code == status
    check_context(dict_of(before), reader_may_be_there=True)
    _shift_hidden_cups(monkeypatch, game, viewer)
    with CaptureQueriesContext(connection) as queries_after:
        after = client.get(address)
    assert after.status_code == status
    assert RANDOM.sub(b"", after.content) == RANDOM.sub(b"", before.content)
    assert set(after.headers) == set(before.headers)
    assert len(queries_after) == len(queries)


def dict_of(response: Any) -> dict[str, Any]:
    """Return everything that was handed to the templates of ``response``."""
    context = getattr(response, "context", None)
    if context is None:
        return {}
    left_out = {"request", "csrf_token", "messages", "perms", "block", "form", "view"}
    # One template that includes none has a context, several have a list of them.
    given = context.flatten() if isinstance(context, Context) else context
    return {key: given[key] for key in given.keys() - left_out}


def test_the_truth_does_differ_between_the_two_renderings(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The matrix would prove nothing if shifting the cups changed nothing."""
    game = world_of("alice")
    client = _client("alice")
    address = _address("game", game)
    before = client.get(address)
    _shift_hidden_cups(monkeypatch, game, "bob")  # bob keeps his, so alice's own dice change
    after = client.get(address)
    assert RANDOM.sub(b"", after.content) != RANDOM.sub(b"", before.content)


@pytest.mark.parametrize("viewer", ["onlooker", "mallory", "anonymous"])
def test_posts_of_strangers_change_nothing(viewer: str) -> None:
    game = world_of(viewer)
    before = game.version
    client = _client(viewer)
    for name in (
        "game_play",
        "game_order",
        "game_resign",
        "game_back",
        "game_pass",
        "game_roll",
        "game_time",
        "rematch",
        "game_start",
        "game_ready",
    ):
        response = client.post(
            _address(name, game), {"version": game.version, "act": "dudo", "idem_key": "k"}
        )
        assert response.status_code in (302, 403, 404, 409), (name, response.status_code)
        if viewer == "mallory":
            assert response.status_code == 404
        game.refresh_from_db()
        assert game.version == before


POSTS_ONLY = (
    "game_play",
    "game_back",
    "game_pass",
    "game_roll",
    "game_leave",
    "game_ready",
    "game_start",
    "rematch",
)


@pytest.mark.parametrize("viewer", VIEWERS)
def test_get_changes_nothing(viewer: str) -> None:
    game = world_of(viewer)
    before = game.version
    for name in POSTS_ONLY:
        response = _client(viewer).get(_address(name, game))
        assert response.status_code in (302, 403, 404, 405), name
    game.refresh_from_db()
    assert game.version == before
