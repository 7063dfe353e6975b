"""The log of real games, fetched from the site and checked by the offline verifier."""

import re
from email import message_from_string
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core import mail as mailbox

from games import rules, store
from games.models import Bid, Game
from games.services import lobby, moves, outbox
from tests.cast import NOON, act, later, person, player, table
from tests.integration.fairness.checking import download, kinds, log_of, verify
from tests.integration.games.pages import address, browser, text
from tests.unit.random_games import random_choice

pytestmark = pytest.mark.django_db

PRESETS = sorted(rules.PRESETS)


def play_on(game: Game, chance: Random, *, most: int = 10_000) -> Game:
    """Play at most so many random legal moves."""
    for _ in range(most):
        if game.status != "active":
            break
        bids = list(Bid.objects.filter(round=game.current_round).order_by("number"))
        seats = list(game.seats.order_by("number"))
        state = store.load_state(game, seats, bids=bids, with_dice=True)
        game = act(game, random_choice(state, chance))
    return game


@pytest.mark.parametrize("preset", PRESETS)
def test_a_finished_game_checks_from_the_first_line_to_the_last(
    preset: str, tmp_path: Path
) -> None:
    options = dict.fromkeys(rules.preset_options(preset), True)
    ruleset = rules.with_options(rules.find_ruleset(preset), options)
    game = play_on(table(("alice", "bob", "carol"), ruleset=ruleset, bots=1), Random(preset))
    assert game.status == "finished"
    status, words = verify(download("bob", game), tmp_path)
    assert status == 0, words
    assert "FAIL" not in words
    assert kinds(game)[-1] == "open"


def test_a_game_under_way_checks_as_far_as_it_goes_and_keeps_its_seed(tmp_path: Path) -> None:
    game = play_on(table(("alice", "bob")), Random(3), most=12)
    told = download("alice", game)
    status, words = verify(told, tmp_path)
    assert status == 0, words
    assert "open" not in kinds(game)
    assert store.open_dice(game).open_seed() not in told


def test_a_cup_can_be_checked_as_soon_as_it_is_lifted() -> None:
    game = table(("alice", "bob", "carol"), ruleset=rules.find_ruleset("piatnik"))
    game = act(game, rules.MakeBid(game.to_act, rules.Bid.parse("1x4")))
    game = act(game, rules.Dudo(game.to_act))
    closing = log_of(game)[-2]["payload"]
    lifted = [cup["seat"] for cup in closing["lifted"]]
    assert [seat for seat, _ in closing["keys"]] == lifted
    row = store.open_dice(game)
    covered = set(range(3)) - set(lifted)
    first = game.rounds.get(number=1)
    told = download("alice", game)
    for seat in covered:
        assert row.cup_key(first, seat) not in told, "a covered cup stays covered"


def test_where_covered_cups_are_never_shown_the_seed_stays_closed(tmp_path: Path) -> None:
    from dataclasses import replace

    ruleset = replace(
        rules.find_ruleset("piatnik"),
        name="custom",
        covered_cups_after_game=rules.CoveredCups.NEVER,
    )
    game = play_on(table(("alice", "bob"), ruleset=ruleset), Random(5))
    assert game.status == "finished"
    told = download("alice", game)
    assert "open" not in kinds(game)
    status, words = verify(told, tmp_path)
    assert status == 0, words


def test_a_waiting_room_that_is_called_off_opens_its_seed(tmp_path: Path) -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2, turn_seconds=3600)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    lobby.cancel(game_id=game.pk, host_id=person("alice").pk, now=NOON)
    assert kinds(game) == ["create", "open"]
    status, words = verify(download("alice", game), tmp_path)
    assert status == 0, words


def test_the_log_names_seats_and_no_people() -> None:
    game = play_on(table(("alice", "bob")), Random(7))
    told = download("alice", game).lower()
    for name in ("alice", "bob", "@", game.code):
        assert name not in told


def test_a_stranger_gets_no_transcript_of_a_private_game() -> None:
    game = table(("alice", "bob"))
    assert browser("mallory").get(address(game, "transcript")).status_code == 404


def test_mails_carry_the_seals_that_are_in_the_log(tmp_path: Path) -> None:
    game = table(("alice", "bob"))
    outbox.relay(now=NOON)
    game = play_on(game, Random(11), most=9)
    outbox.relay(now=later(minutes=1))
    game = play_on(game, Random(11))
    outbox.relay(now=later(minutes=2))
    files = []
    for number, sent in enumerate(mailbox.outbox):
        raw = sent.message().as_string()
        assert message_from_string(raw)["Subject"]
        path = tmp_path / f"{number}.eml"
        path.write_text(raw)
        files += [str(path)]
    seals = [re.findall(r"Seal \S+ · [A-Z2-7]{26}", sent.body) for sent in mailbox.outbox]
    assert all(seals), "each mail carries one"
    assert any("Seal c · " in line for lines in seals for line in lines)
    status, words = verify(download("alice", game), tmp_path, "--mail", *files)
    assert status == 0, words
    other = play_on(table(("alice", "bob")), Random(12))
    status, words = verify(download("alice", other), tmp_path, "--mail", *files)
    assert status == 1, "the mails are of another game"


def test_the_table_shows_the_seal_of_the_round() -> None:
    game = play_on(table(("alice", "bob")), Random(13), most=2)
    seal = [event for event in log_of(game) if event["kind"] == "seal"][-1]
    shown = text(browser("alice").get(address(game)))
    assert f"Seal r{seal['payload']['round']} · " in shown
    assert f"· log {seal['seq']}" in shown


def test_a_move_names_the_version_after_the_seal() -> None:
    game = table(("alice", "bob"))
    game = act(game, rules.MakeBid(game.to_act, rules.Bid.parse("20x4")))
    played: dict[str, Any] = {
        "game_id": game.pk,
        "action": rules.Dudo(game.to_act),
        "expected_version": game.version,
        "now": NOON,
    }
    assert moves.play(**played).version == game.version + 2
