"""A finished game replayed move by move, by whoever may see it, and pictures of games."""

import re
from dataclasses import replace
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from games import rules, store
from games.models import Bid, Game, Round
from games.rules import CoveredCups, DiceCounts, find_ruleset
from games.selectors import Viewer
from games.selectors.replay import end_of, replay_moment
from tests.cast import give_turn, person, seat_of
from tests.integration.games.pages import address, bid, browser, dudo, live_table, text
from tests.integration.games.test_pages_history import finished

pytestmark = pytest.mark.django_db

EVERYBODY = Viewer()
DIE = re.compile(r'#die-([0-6])"')
PIATNIK = find_ruleset("piatnik")
"""It stops lifting cups as soon as the bid is proved, so that some stay covered."""


def silent_game(*names: str, seed: str = "history") -> Game:
    """Return a finished open game of a table where covered cups stay covered for good."""
    silent = replace(PIATNIK, name="custom", covered_cups_after_game=CoveredCups.NEVER)
    return finished(
        *(names or ("alice", "bob", "carol")), seed=seed, ruleset=silent, is_private=False
    )


def truth(game: Game, number: int) -> tuple[rules.Cup, ...]:
    return store.load_cups(game, Round.objects.get(game=game, number=number))


def moment(game: Game, number: int, move: int, query: str = "") -> str:
    return address(game, f"replay/{number}/{move}/{query}")


def covered_round(game: Game) -> tuple[int, int]:
    """Return a round of the game, and a seat whose cup stayed covered in it."""
    for row in Round.objects.filter(game=game).order_by("number"):
        outcome = rules.RoundOutcome.from_dict(row.result)
        lifted = {cup.seat for cup in outcome.lifted}
        for seat, dice in enumerate(row.counts):
            if dice and seat not in lifted:
                return row.number, seat
    raise AssertionError("every cup of this game was lifted")


def go(html: str, name: str) -> str | None:
    found = re.search(rf'href="([^"#]+)#moment"[^>]*data-go="{name}"', html)
    return found[1] if found else None


def test_next_leads_through_every_move_of_the_game_to_its_end_and_back() -> None:
    game = finished("alice", "bob", "carol")
    bob, way = browser("bob"), list[str]()
    place: str | None = address(game, "replay/")
    while place:
        way.append(place)
        place = go(text(bob.get(place)), "next")
    assert len(way) == Bid.objects.filter(round__game=game).count() + 2 * game.rounds.count()
    number, last = end_of(game)
    assert way[-1] == moment(game, number, last)
    way[0] = moment(game, 1, 0)
    for before, after in pairwise(way):
        assert go(text(bob.get(after)), "prev") == before
    middle = text(bob.get(way[len(way) // 2]))
    assert (go(middle, "first"), go(middle, "last")) == (way[0], way[-1])
    assert go(text(bob.get(way[0])), "prev") is None


def test_a_moment_tells_what_was_bid_and_who_was_next() -> None:
    game = finished("alice", "bob", "carol")
    first = Bid.objects.filter(round__game=game, round__number=1).order_by("number")[0]
    html = text(browser("alice").get(moment(game, 1, 1)))
    name = game.seats.get(number=first.seat).user.display_name
    said = rules.Bid(first.quantity, first.face)
    assert f"{name} bid {wording_of(said)}." in html
    seen = replay_moment(game, (1, 1), EVERYBODY)
    assert seen.view.to_act == (first.seat + 1) % 3
    assert [str(placed.bid) for placed in seen.view.bids] == [str(said)]
    assert seen.view.standing is not None


def wording_of(said: rules.Bid) -> str:
    from games.wording import bid_text

    return bid_text(said)


def test_the_move_that_is_shown_is_the_only_one_marked() -> None:
    game = finished("alice", "bob")
    last = replay_moment(game, (1, 0), EVERYBODY).last_moves[0]
    for move in range(last + 1):
        html = text(browser("alice").get(moment(game, 1, move)))
        assert html.count('aria-current="step"') == 1
        marked = html.partition('aria-current="step"')[0].rpartition("href=")[2]
        assert f"/replay/1/{move}/#moment" in marked


def test_cups_are_lifted_at_the_end_of_a_round_and_not_before() -> None:
    game = finished("alice", "bob", "carol", is_private=False)
    last = replay_moment(game, (1, 0), EVERYBODY).last_moves[0]
    client = browser()
    assert "data-reveal-cup" not in text(client.get(moment(game, 1, last - 1)))
    html = text(client.get(moment(game, 1, last)))
    outcome = rules.RoundOutcome.from_dict(game.rounds.get(number=1).result)
    assert html.count("data-reveal-cup") == len(outcome.lifted)
    assert outcome.bid is not None
    assert f"{outcome.bid.quantity} needed" in html


def test_a_seat_s_eyes_see_its_own_dice_and_no_others() -> None:
    game = finished("alice", "bob", "carol")
    cups = truth(game, 1)
    for seat in range(3):
        seen = replay_moment(game, (1, 0), EVERYBODY, eyes=seat)
        assert [cup for cup in seen.cups if cup is not None] == [cups[seat]]
        assert seen.cups[seat] == seen.view.own_dice == cups[seat]
    assert replay_moment(game, (1, 0), EVERYBODY).cups == (None, None, None)
    assert replay_moment(game, (1, 0), EVERYBODY, every_cup=True).cups == cups


def test_the_page_shows_the_dice_that_were_chosen() -> None:
    game = finished("alice", "bob")
    alice = browser("alice")
    cups = truth(game, 1)
    plain = DIE.findall(board(text(alice.get(moment(game, 1, 0)))))
    assert plain == []
    for seat in (0, 1):
        faces = DIE.findall(board(text(alice.get(moment(game, 1, 0, f"?as={seat}")))))
        assert faces == [str(face) for face in cups[seat]]
    every = DIE.findall(board(text(alice.get(moment(game, 1, 0, "?as=all")))))
    assert every == [str(face) for cup in cups for face in cup]


def board(html: str) -> str:
    """Return the part of a page of the replay that shows the table."""
    return html.partition('class="table-top"')[2].partition("</section>")[0]


def test_the_eyes_that_were_chosen_stay_chosen_from_move_to_move() -> None:
    game = finished("alice", "bob")
    html = text(browser("alice").get(moment(game, 1, 0, "?as=1")))
    assert go(html, "next") == moment(game, 1, 1, "?as=1")


def test_a_cup_that_stays_covered_is_shown_to_its_owner_alone() -> None:
    game = silent_game()
    number, seat = covered_round(game)
    owner = game.seats.get(number=seat).user
    cup = truth(game, number)[seat]
    for viewer in (*(person(name) for name in ("alice", "bob", "carol", "mallory")), None):
        who = Viewer(viewer.pk if viewer else None)
        through = replay_moment(game, (number, 0), who, eyes=seat)
        every = replay_moment(game, (number, 0), who, every_cup=True)
        is_owner = viewer == owner
        assert (seat in through.choices) is is_owner
        assert through.cups[seat] == (cup if is_owner else None)
        assert not through.view.own_dice or is_owner
        assert every.cups[seat] == (cup if is_owner else None)
    page = text(browser().get(moment(game, number, 0, f"?as={seat}")))
    assert "this table chose it so" in page
    assert DIE.findall(board(page)) == []


def test_a_lifted_cup_may_be_looked_into_at_every_moment_of_its_round() -> None:
    game = silent_game()
    outcome = rules.RoundOutcome.from_dict(game.rounds.get(number=1).result)
    seat = outcome.lifted[0].seat
    seen = replay_moment(game, (1, 0), EVERYBODY, eyes=seat)
    assert seen.cups[seat] == outcome.lifted[0].dice


def test_hidden_counts_stay_hidden_to_everybodys_eyes() -> None:
    assert PIATNIK.dice_counts is DiceCounts.HIDDEN
    game = finished("alice", "bob", "carol", ruleset=PIATNIK, is_private=False)
    number = end_of(game)[0]
    seen = replay_moment(game, (number, 0), EVERYBODY)
    assert {seat.dice for seat in seen.view.seats if not seat.out} == {None}
    assert "dice not shown" in text(browser().get(moment(game, number, 0)))


@pytest.mark.parametrize("viewer", ["alice", "bob", "mallory", ""])
def test_an_open_game_is_replayed_by_anybody_and_a_private_one_by_its_players(viewer: str) -> None:
    client = browser(viewer)
    is_player = viewer in ("alice", "bob")
    for is_private in (False, True):
        game = finished("alice", "bob", is_private=is_private)
        wanted = 200 if is_player or not is_private else 404
        for rest in (
            "replay/",
            "replay/1/0/",
            "replay/1/1/?as=all",
            "replay/1/1/picture.svg",
            "replay/1/1/picture.png",
            "picture.svg",
            "record.txt",
        ):
            answer = client.get(address(game, rest))
            assert answer.status_code == wanted, rest
            assert wanted == 404 or "no-store" in answer["Cache-Control"]


@pytest.mark.parametrize(
    "rest",
    [
        "0/0/",
        "1/99/",
        "99/0/",
        "1/0/?as=9",
        "1/0/?as=-1",
        "1/0/?as=bob",
        "1/0/?as=²",
        "1/99/picture.png",
    ],
)
def test_a_moment_that_never_was_is_not_found(rest: str) -> None:
    game = finished("alice", "bob")
    assert browser("alice").get(address(game, f"replay/{rest}")).status_code == 404


def test_no_game_is_replayed_before_its_end() -> None:
    game = live_table("alice", "bob", is_private=False)
    give_turn(game, "alice")
    dudo(bid(game, "alice", "9x6"), "bob")
    for rest in ("replay/", "replay/1/0/", "replay/1/0/picture.svg", "record.txt"):
        assert browser("alice").get(address(game, rest)).status_code == 404


def test_a_game_that_somebody_left_is_replayed_to_that_moment() -> None:
    from django.utils import timezone

    from tests.cast import act

    game = live_table("alice", "bob")
    game = act(game, rules.Resign(seat_of(game, "bob").number), now=timezone.now())
    assert end_of(game) == (1, 1)
    html = text(browser("alice").get(moment(game, 1, 1)))
    assert "Bob left the game." in html
    assert "Alice wins the game!" in html


def test_the_end_of_a_game_gathers_its_downloads() -> None:
    game = finished("alice", "bob")
    html = text(browser("alice").get(address(game)))
    for name in ("replay", "record", "record_text", "transcript"):
        assert f'href="{reverse(name, args=[game.code])}"' in html, name


def test_the_record_in_sentences_tells_every_round() -> None:
    game = finished("alice", "bob")
    answer = browser("alice").get(address(game, "record.txt"))
    assert answer["Content-Type"] == "text/plain; charset=utf-8"
    assert answer["Content-Disposition"] == f'attachment; filename="perudo-{game.code}.txt"'
    lines = text(answer).splitlines()
    assert lines.count("Normal round: aces are wild and count with every face.") > 0
    assert f"Round {game.rounds.count()}" in lines
    assert {"1. Alice", "2. Bob"} <= set(lines) or {"1. Bob", "2. Alice"} <= set(lines)


# --- pictures -----------------------------------------------------------------------------------


def faces(svg: bytes) -> list[int]:
    root = ElementTree.fromstring(svg)
    uses = root.iter("{http://www.w3.org/2000/svg}use")
    return sorted(int(use.attrib["href"].removeprefix("#die-")) for use in uses)


@pytest.mark.parametrize("viewer", ["alice", "bob", "mallory", ""])
def test_the_picture_of_a_game_under_way_holds_no_die_but_the_bid(viewer: str) -> None:
    game = live_table("alice", "bob", is_private=False)
    give_turn(game, "alice")
    bid(game, "alice", "2x4")
    answer = browser(viewer).get(address(game, "picture.svg"))
    assert answer["Content-Type"] == "image/svg+xml; charset=utf-8"
    assert faces(answer.content) == [0] * 10 + [4]
    assert b"Alice bid 2 fours." in answer.content


def test_everybody_gets_the_same_picture() -> None:
    game = live_table("alice", "bob", is_private=False)
    kinds = {
        browser(name).get(address(game, "picture.png")).content for name in ("alice", "bob", "")
    }
    assert len(kinds) == 1
    assert kinds.pop().startswith(b"\x89PNG")


def test_the_picture_of_a_round_s_end_has_the_lifted_cups_and_no_others() -> None:
    game = finished("alice", "bob", "carol", ruleset=PIATNIK, is_private=False)
    number, _ = covered_round(game)
    outcome = rules.RoundOutcome.from_dict(game.rounds.get(number=number).result)
    last = replay_moment(game, (number, 0), EVERYBODY).last_moves[number - 1]
    client = browser()
    shown = [face for cup in outcome.lifted for face in cup.dice]
    svg = client.get(moment(game, number, last, "picture.svg")).content
    assert outcome.bid is not None
    assert [face for face in faces(svg) if face] == sorted([*shown, outcome.bid.face])
    before = client.get(moment(game, number, last - 1, "picture.svg")).content
    assert [face for face in faces(before) if face] == [outcome.bid.face]


def test_a_waiting_room_and_a_finished_game_have_pictures_and_a_cancelled_one_has_none() -> None:
    from tests.integration.games.test_pages_waiting_room import room

    waiting = room("bob", is_private=False)
    svg = browser().get(address(waiting, "picture.svg")).content.decode()
    assert "Waiting for players" in svg
    over = finished("alice", "bob", is_private=False)
    assert "wins the game!" in text(browser().get(address(over, "picture.svg")))
    Game.objects.filter(pk=waiting.pk).update(status="cancelled", wake_at=None)
    assert browser().get(address(waiting, "picture.svg")).status_code == 404


def test_who_asks_for_pictures_all_the_time_is_told_to_wait(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    from games.views import sharing

    monkeypatch.setitem(sharing._LIMITS, "picture", "2/m/ip")
    game = live_table("alice", "bob", is_private=False)
    client = browser()
    answers = [client.get(address(game, "picture.png")).status_code for _ in range(3)]
    assert answers == [200, 200, 429]


# --- cards of links -----------------------------------------------------------------------------


def tags(html: str) -> dict[str, str]:
    return dict(
        re.findall(r'<meta (?:property|name)="((?:og|twitter):[\w:]+)" content="([^"]*)">', html)
    )


def test_an_open_table_and_a_replay_have_a_card_with_a_picture_that_is_there() -> None:
    live = live_table("alice", "bob", is_private=False)
    over = finished("alice", "bob", is_private=False)
    for path in (address(live), address(over), moment(over, 1, 1)):
        client = browser()
        card = tags(text(client.get(path)))
        assert card["twitter:card"] == "summary_large_image"
        assert card["og:url"] == f"http://testserver{path}"
        assert client.get(card["og:image"]).content.startswith(b"\x89PNG")
        assert card["og:description"]


def test_a_private_game_has_no_card() -> None:
    live, over = live_table("alice", "bob"), finished("alice", "bob")
    for path in (address(live), address(over), moment(over, 1, 1)):
        assert tags(text(browser("alice").get(path))) == {}


def test_a_moment_takes_as_many_queries_wherever_it_is() -> None:
    game = finished("alice", "bob", "carol")
    alice = browser("alice")
    number, last = end_of(game)
    counts = set()
    for place in ((1, 0), (1, 1), (number, 0), (number, last)):
        path = moment(game, *place, "?as=all")
        alice.get(path)
        with CaptureQueriesContext(connection) as caught:
            assert alice.get(path).status_code == 200
        counts.add(len(caught))
    assert len(counts) == 1
    assert counts.pop() <= 14  # eight for the moment, and what the review of the game takes
