"""Every address × every role × every method: who is let in, and that looking changes nothing.

What a page shows to whom, byte for byte: ``tests/integration/test_route_matrix.py``.
"""

import pytest

from tests.integration.security.roles import (
    ROLES,
    SEATED,
    address,
    browser,
    everything,
    routes,
    world,
)

pytestmark = pytest.mark.django_db

REFUSED = ("TRACE", "PUT", "PATCH", "DELETE", "OPTIONS", "CONNECT", "PROPFIND")

# The status of an empty POST: those who sit there, an onlooker, a stranger to a private game,
# nobody, and staff who came to a private game. A stranger is told that there is no such page.
SEAT = "{} 403 404 403 404"
POSTS = {
    "game_play": SEAT.format(422),
    "game_resign": SEAT.format(303),
    "game_back": SEAT.format(303),
    "game_pass": SEAT.format(303),
    "game_roll": SEAT.format(303),
    "game_withdraw": SEAT.format(403),
    "game_order": SEAT.format(422),
    "game_time": SEAT.format(303),
    "game_leave": SEAT.format(302),
    "game_ready": SEAT.format(409),
    "game_contribution": SEAT.format(422),
    "game_start": SEAT.format(409),
    "game_invite": SEAT.format(422),
    "game_add_bot": SEAT.format(409),
    "game_remove_seat": SEAT.format(409),
    "rematch": SEAT.format(302),
    "game_join": "409 409 404 302 404",
    "join": "302 409 409 409 409",  # the game has begun: the link opens nothing any more
    "game_new": "422 422 422 302 422",
    "game_quick": "302 302 302 302 302",
    "settings": "422 422 422 302 422",
    "notices": "422 422 422 302 422",
    "device": "422 422 422 302 422",
    "hours": "422 422 422 302 422",
    "profile_settings": "302 302 302 302 302",  # nothing hidden is nothing stored
    "stop": "422 422 422 422 422",  # nobody ticked its box
    "mail_settings": "302 302 302 302 302",
    "mail_confirm": "422 422 422 422 422",  # nothing was chosen
    "prove_by_code": "200 200 200 302 200",
    "set_language": "302 302 302 302 302",
    "playing": "302 302 302 302 302",  # of the browser, not of anybody
}
# What does something with an empty POST, which is tried last and by nobody else.
DO_SOMETHING = {"game_resign", "game_back", "game_quick"}
# Served to whoever is not signed in: pages for everybody, and the ways in.
OPEN = {
    "manifest", "offline", "live", "ready", "learn", "learn_step", "game_rules", "home", "lobby",
    "rules", "rules_preset", "fairness", "join", "game", "rounds",
    "stop", "order_help", "mail_help", "mail_confirm", "profile", "feed_calendar", "feed_turns",
    "against", "portrait", "statistics",
    "playing", "game_time", "worker", "ranking", "ranking_board", "picture",
    "history", "transcript", "game_check", "styleguide", "account_login", "account_signup",
    "account_request_login_code", "account_reset_password", "account_inactive",
    "account_password_reset_completed",
}  # fmt: skip
COLUMN = {**dict.fromkeys(SEATED, 0), "onlooker": 1, "mallory": 2, "anonymous": 3, "staff": 4}


@pytest.mark.parametrize("role", ROLES)
def test_looking_changes_nothing_and_other_methods_are_refused(role: str) -> None:
    game, client = world(role), browser(role)
    pages = {name: address(route, game) for name, route in routes().items()}
    before = everything()
    for name, page in pages.items():
        got = client.get(page)
        head = client.head(page)
        assert head.status_code == got.status_code, name
        assert head.content == b"", name
        if role == "anonymous" and got.status_code == 200:
            assert name in OPEN, name
        for method in REFUSED:
            answer = client.generic(method, page)
            assert answer.status_code == 405, (name, method)
            assert answer["Allow"] == "GET, HEAD, POST"
            assert answer.content == b"", "TRACE tells nobody his own cookies"
    assert everything() == before


@pytest.mark.parametrize("role", ROLES)
def test_only_who_may_does_something(role: str) -> None:
    game, client = world(role), browser(role)
    pages = {name: address(route, game) for name, route in routes().items() if name in POSTS}
    assert pages.keys() == POSTS.keys()
    before = everything()
    for name in sorted(pages, key=DO_SOMETHING.__contains__):
        if name in DO_SOMETHING and role not in ("onlooker", "mallory", "anonymous", "staff"):
            continue
        if name == "game_quick" and role != "anonymous":
            continue
        wanted = int(POSTS[name].split()[COLUMN[role]])
        status = client.post(pages[name]).status_code
        # Who has no dice in the round is led back to the table: there is no order to leave.
        assert status == wanted or (name == "game_order" and status == 303), name
    assert everything() == before


def test_every_form_of_the_game_has_its_row() -> None:
    """A new address of the game that takes a POST is listed above, or answers 405."""
    game, client = world("anonymous"), browser("mallory")
    for name, route in routes().items():
        own = not name.startswith(("account_", "mfa_", "usersessions_", "socialaccount_"))
        if own and name not in POSTS and name not in {"close_account"}:
            assert client.post(address(route, game)).status_code in (404, 405), name


@pytest.mark.parametrize("field", ["game_start", "game_add_bot", "game_remove_seat"])
def test_what_is_the_host_s_is_refused_to_every_other_seat(field: str) -> None:
    from django.utils import timezone

    from games import rules
    from games.services import lobby
    from tests.cast import person, player

    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=4, turn_seconds=86_400)
    now = timezone.now()
    game = lobby.create_game(host=player(person("hal")), new=new, now=now)
    for name in ("alice", "bob"):
        lobby.join(game_id=game.pk, player=player(person(name)), now=now)
    before = everything()
    page = address(routes()[field], game)
    client = browser("alice")
    # Logging in writes its own row; the game's are the same.
    assert client.post(page).status_code == 403
    after = everything()
    assert {k: v for k, v in after.items() if k.startswith("games.")} == {
        k: v for k, v in before.items() if k.startswith("games.")
    }


def test_staff_have_no_page_of_their_own() -> None:
    """There is no admin, and being staff opens no private game (matrix above)."""
    game = world("staff")
    client = browser("staff")
    assert client.get(f"/g/{game.code}/").status_code == 404
    assert not any("admin" in route for route in routes().values())
