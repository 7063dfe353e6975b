"""After a restore: dice that may have been seen are rolled anew, and everybody can see that."""

from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import rules, store
from games.models import Bid, Event, Game, Round
from games.models.secret import GameSecret
from games.selectors import Viewer, record_of, round_page
from games.services import lobby
from games.services.restore import replace_seed, roll_anew
from tests.cast import NOON, act, cups, later, person, player, seat_of, table
from tests.integration.fairness.checking import download, kinds, verify
from tests.integration.games.pages import address, browser, text
from tests.unit.random_games import random_choice

pytestmark = pytest.mark.django_db

RESTORED = NOON + timedelta(hours=1)


def bid(game: Game, name: str, said: str) -> Game:
    return act(game, rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(said)))


def second_round() -> Game:
    """Return a game in its second round, with a bid on the table."""
    game = table(("alice", "bob", "carol"), ruleset=rules.find_ruleset("piatnik"))
    opener = game.to_act
    game = act(game, rules.MakeBid(opener, rules.Bid.parse("20x4")))
    game = act(game, rules.Dudo(game.to_act))
    return act(game, rules.MakeBid(game.to_act, rules.Bid.parse("2x4")))


def finish(game: Game) -> Game:
    """Play a game to its end."""
    chance = Random(1)
    while game.status == "active":
        bids = list(Bid.objects.filter(round=game.current_round).order_by("number"))
        seats = list(game.seats.order_by("number"))
        state = store.load_state(game, seats, bids=bids, with_dice=True)
        game = act(game, random_choice(state, chance))
    return game


def test_the_open_round_gets_other_dice_and_loses_its_bids() -> None:
    game = second_round()
    before, opener = cups(game), game.current_round.opener
    assert roll_anew(code=game.code, restored_at=RESTORED, now=later(hours=2))
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    assert cups(game) != before
    assert [len(cup) for cup in cups(game)] == [len(cup) for cup in before]
    assert (game.to_act, game.bids_made, game.bid_seat) == (opener, 0, None)
    assert (game.current_round.number, game.current_round.epoch) == (2, 1)
    assert game.turn_deadline_at == later(hours=2, days=1)
    assert kinds(game)[-2:] == ["epoch", "seal"]
    assert "rolled anew" in text(browser("alice").get(address(game)))


def test_a_round_that_was_rolled_since_the_restore_stays() -> None:
    game = second_round()
    assert roll_anew(code=game.code, restored_at=RESTORED, now=later(hours=2))
    after = cups(game)
    assert not roll_anew(code=game.code, restored_at=RESTORED, now=later(hours=3))
    assert cups(game) == after


def test_the_game_goes_on_and_its_log_checks(tmp_path: Path) -> None:
    game = second_round()
    roll_anew(code=game.code, restored_at=RESTORED, now=NOON + timedelta(hours=2))
    game = finish(Game.objects.select_related("current_round").get(pk=game.pk))
    status, words = verify(download("alice", game), tmp_path)
    assert status == 0, words
    record = record_of(game)
    assert not rules.record.replay(record), "the void bids are no part of the game"


def test_a_seed_that_went_out_is_replaced_and_the_old_rounds_stay_as_they_were(
    tmp_path: Path,
) -> None:
    game = second_round()
    first = Round.objects.get(game=game, number=1)
    before, old = store.load_cups(game, first), game.commitment
    assert replace_seed(code=game.code, restored_at=RESTORED, now=later(hours=2))
    game = Game.objects.select_related("current_round").get(pk=game.pk)
    assert game.commitment != old
    assert store.load_cups(game, first) == before
    assert kinds(game)[-3:] == ["rekey", "epoch", "seal"]
    assert not replace_seed(code=game.code, restored_at=RESTORED, now=later(hours=2))
    game = finish(game)
    status, words = verify(download("bob", game), tmp_path)
    assert status == 0, words
    covered = round_page(game, 1, Viewer(person("alice").pk)).covered_cups
    assert all(before[seat] == dice for seat, dice in covered)


def test_the_command_rolls_every_open_round_once(capsys: pytest.CaptureFixture[str]) -> None:
    games = [second_round() for _ in range(2)]
    other = lobby.create_game(
        host=player(person("alice")),
        new=lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2, turn_seconds=3600),
        now=NOON,
    )
    call_command("after_restore", RESTORED.isoformat(), "--opened", games[0].code, other.code)
    assert "seeds replaced: 2, rounds rolled anew: 1" in capsys.readouterr().out
    call_command("after_restore", RESTORED.isoformat())
    assert "seeds replaced: 0, rounds rolled anew: 0" in capsys.readouterr().out
    assert Event.objects.filter(kind="rekey").count() == 1
    assert Game.objects.get(pk=other.pk).status == "cancelled"


@pytest.mark.parametrize("moment", ["yesterday", "2026-05-04T12:00:00"])
def test_the_command_wants_an_exact_moment(moment: str) -> None:
    with pytest.raises(CommandError, match="2026-05-04T12:00:00\\+00:00"):
        call_command("after_restore", moment)


def test_the_command_names_a_game_that_it_does_not_know() -> None:
    with pytest.raises(CommandError, match="no game nobody"):
        call_command("after_restore", RESTORED.isoformat(), "--opened", "nobody")


def test_rewrapping_changes_the_ciphertext_and_no_die(settings: Any) -> None:
    game = second_round()
    dice = cups(game)
    old = settings.SEED_KEYS
    settings.SEED_KEYS = ["new:" + "ab" * 32, *old]
    call_command("rewrap_seeds")
    assert GameSecret.objects.get(game=game).kid == "new"
    settings.SEED_KEYS = ["new:" + "ab" * 32]
    assert cups(game) == dice
    call_command("rewrap_seeds")


def test_rewrapping_without_the_old_key_changes_nothing(settings: Any) -> None:
    game = second_round()
    before = GameSecret.objects.filter(game=game).values().get()
    old = settings.SEED_KEYS
    settings.SEED_KEYS = ["new:" + "ab" * 32]
    with pytest.raises(CommandError, match="1 seeds could not be read"):
        call_command("rewrap_seeds")
    assert GameSecret.objects.filter(game=game).values().get() == before
    settings.SEED_KEYS = old
    assert cups(game)


def test_a_key_of_the_same_name_that_is_another_one_opens_nothing(settings: Any) -> None:
    game = second_round()
    settings.SEED_KEYS = [settings.SEED_KEYS[0].partition(":")[0] + ":" + "cd" * 32]
    with pytest.raises(store.SeedUnavailable, match="does not fit"):
        cups(game)
