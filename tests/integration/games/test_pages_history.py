"""A game looked back on, and the next one."""

import random

import pytest
from django.utils import timezone

from games import rules, store
from games.models import Game, GameStatus, Seat
from games.rules import CoveredCups, find_ruleset
from games.rules.record import load, replay
from tests.cast import act, cups, give_turn, seat_of
from tests.integration.games.pages import address, bid, browser, dudo, live_table, text

pytestmark = pytest.mark.django_db


def finished(*names: str, seed: str = "history", **choices: object) -> Game:
    """Return a game that was played to its end by chance."""
    game = live_table(*(names or ("alice", "bob")), **choices)
    chance = random.Random(seed)
    while game.status == GameStatus.ACTIVE:
        seats = list(Seat.objects.filter(game=game).order_by("number"))
        current = Game.objects.select_related("current_round").get(pk=game.pk)
        view = rules.view_for(store.load_state(current, seats), game.to_act)
        if view.may_dudo and chance.random() < 0.5:
            game = act(game, rules.Dudo(view.to_act or 0), now=timezone.now())
        else:
            raised = rules.MakeBid(view.to_act or 0, chance.choice(view.least_raises))
            game = act(game, raised, now=timezone.now())
    return game


def words(cup: tuple[int, ...]) -> list[str]:
    return [("ace", "two", "three", "four", "five", "six")[face - 1] for face in cup]


def test_the_end_tells_places_and_the_seal() -> None:
    game = finished("alice", "bob", "carol")
    html = text(browser("alice").get(address(game)))
    placed = [seat.user.display_name for seat in Seat.objects.filter(game=game).order_by("place")]
    found = [html.index(f'<span class="seat-name">{name}</span>') for name in placed]
    assert found == sorted(found)
    assert game.commitment in html
    assert "Replay it round by round" in html


def test_a_game_is_replayed_round_by_round() -> None:
    game = finished()
    bob = browser("bob")
    last = Game.objects.select_related("current_round").get(pk=game.pk).current_round
    for number in range(1, last.number + 1):
        html = text(bob.get(address(game, f"rounds/{number}/")))
        assert f"Round {number} of {last.number}" in html
        assert (f"rounds/{number + 1}/" in html) == (number < last.number)
        assert (f"rounds/{number - 1}/" in html) == (number > 1)
    assert bob.get(address(game, f"rounds/{last.number + 1}/")).status_code == 404
    assert bob.get(address(game, "rounds/0/")).status_code == 404
    told = text(bob.get(address(game, "rounds/")))
    assert told.count("called dudo") == last.number


def test_the_round_that_is_being_played_is_no_history() -> None:
    game = live_table("alice", "bob")
    assert browser("alice").get(address(game, "rounds/1/")).status_code == 404
    assert "No round has ended yet" in text(browser("alice").get(address(game, "rounds/")))


def test_a_covered_cup_is_its_owners_alone_while_the_game_lasts() -> None:
    game = live_table("alice", "bob", "carol", ruleset=find_ruleset("piatnik"), is_private=False)
    give_turn(game, "alice")
    truth = cups(game)
    left = (seat_of(game, "alice").number + 1) % 3
    face = next((face for face in truth[left] if face != rules.ACE), 2)
    game = bid(game, "alice", f"1x{face}")  # the doubter's own cup, the first lifted, proves it
    doubter = next(name for name in ("bob", "carol") if seat_of(game, name).number == game.to_act)
    game = dudo(game, doubter)
    lifted = {cup.seat for cup in _outcome(game).lifted}
    covered = [seat for seat in Seat.objects.filter(game=game) if seat.number not in lifted]
    assert len(covered) == 2
    for seat in covered:
        owner = seat.user.email.partition("@")[0]
        html = text(browser(owner).get(address(game, "rounds/1/")))
        mine = html.partition("Your cup, which stayed covered")[2]
        assert [word for word in words(truth[seat.number]) if word in mine]
        assert html.count("stays covered") == len(covered)
        assert "Your cup" not in text(browser().get(address(game, "rounds/1/")))


def _outcome(game: Game) -> rules.RoundOutcome:
    return rules.RoundOutcome.from_dict(game.rounds.get(number=1).result)


def test_after_the_end_covered_cups_are_shown_unless_the_table_chose_not_to() -> None:
    from dataclasses import replace

    piatnik = find_ruleset("piatnik")
    silent = replace(piatnik, name="custom", covered_cups_after_game=CoveredCups.NEVER)
    for ruleset, shown in ((piatnik, True), (silent, False)):
        game = finished("alice", "bob", "carol", ruleset=ruleset, is_private=False)
        pages = [
            text(browser().get(address(game, f"rounds/{row.number}/"))) for row in game.rounds.all()
        ]
        assert any("Cups that stayed covered" in html for html in pages) is shown
        assert any("this table chose it so" in html for html in pages) is not shown


def test_the_record_is_a_file_that_replays() -> None:
    game = finished()
    answer = browser("alice").get(address(game, "record"))
    assert answer["Content-Disposition"] == f'attachment; filename="perudo-{game.code}.jsonl"'
    assert answer["Content-Type"] == "application/jsonl; charset=utf-8"
    record = load(answer.content)
    assert not replay(record)
    assert sorted(record.seats) == ["Alice", "Bob"]


def test_there_is_no_record_before_the_end() -> None:
    game = live_table("alice", "bob")
    assert browser("alice").get(address(game, "record")).status_code == 404


def test_a_rematch_takes_one_click_of_each() -> None:
    game = finished()
    alice, bob = browser("alice"), browser("bob")
    assert "Rematch with the same people" in text(alice.get(address(game)))
    there = alice.post(address(game, "rematch/"))["Location"]
    again = Game.objects.get(rematch_of=game)
    assert there == address(again)
    assert "Join the rematch" in text(bob.get(address(game)))
    assert bob.post(address(game, "rematch/"))["Location"] == there
    assert bob.post(address(game, "rematch/"))["Location"] == there
    assert Seat.objects.filter(game=again).count() == 2


def test_a_rematch_that_was_called_off_can_be_asked_for_again() -> None:
    game = finished()
    alice = browser("alice")
    first = alice.post(address(game, "rematch/"))["Location"]
    alice.post(f"{first}leave/")
    assert "Rematch with the same people" in text(alice.get(address(game)))
    second = alice.post(address(game, "rematch/"))["Location"]
    assert second not in (first, address(game))


def test_a_rematch_before_the_end_is_refused() -> None:
    game = live_table("alice", "bob")
    alice = browser("alice")
    assert alice.post(address(game, "rematch/"))["Location"] == address(game)
    assert "This game is not over yet." in text(alice.get(address(game)))
    assert Game.objects.count() == 1


def test_a_table_that_was_left_tells_it_without_cups() -> None:
    game = live_table("alice", "bob", "carol")
    game = act(game, rules.Resign(seat_of(game, "bob").number), now=timezone.now())
    html = text(browser("alice").get(address(game)))
    assert "Bob left the game." in html
    assert "Bob left the game." in text(browser("alice").get(address(game, "rounds/1/")))
