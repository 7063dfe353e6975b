"""The odds: at tables that chose them, for whoever is to move, by his own dice alone."""

import html
import re

import pytest

from accounts.models import User
from games import rules, wording
from games.mail.render import render
from games.models import Game, OutboxKind, OutboxMessage
from games.rules.record import dump, load, replay
from games.selectors import record_of
from games.services import lobby
from games.services.errors import LobbyRefusal
from tests.cast import NOON, act, cups, give_turn, person, player, seat_of, set_dice, table
from tests.integration.games import mailing
from tests.integration.games.mailing import html_of, sent_mail
from tests.integration.games.pages import address, bid, browser, inputs, live_table, text

pytestmark = pytest.mark.django_db

FIELDS = {
    "rules": "bga", "seats": "3", "bots": "0", "start_dice": "5", "visibility": "open",
    "clock": "standard",
}  # fmt: skip
SAID = "By your own dice"
ON_RUNGS = "rung-odds"


def with_calza() -> rules.Ruleset:
    return rules.with_options(rules.find_ruleset("bga"), {"calza": True})


def answered_by_bob(*, shows_odds: bool = True) -> Game:
    """Return a table at which alice has bid 3 fours and bob is to answer."""
    game = live_table("alice", "bob", "carol", shows_odds=shows_odds, is_private=False)
    give_turn(game, "alice")
    game = bid(game, "alice", "3x4")
    give_turn(game, "bob")
    return game


def chance(game: Game, name: str, words: str) -> str:
    """Return how likely a bid is by the dice of ``name``, reckoned from the truth."""
    own = cups(game)[seat_of(game, name).number]
    unseen = sum(seat.dice for seat in game.seats.all()) - len(own)
    held = rules.chance(rules.Bid.parse(words), own=own, unseen=unseen, mode=rules.Mode.NORMAL)
    return wording.chance_text(held)


def labels(page: str) -> dict[str, str]:
    """Return what a screen reader says of each bid that a page offers."""
    return {field["value"]: html.unescape(field["aria-label"]) for field in inputs(page, "bid")}


def lines_with(said: str, mail: str) -> list[str]:
    return [line for line in mail.splitlines() if said in line]


# --- who sees them -------------------------------------------------------------------------------


def test_whoever_is_to_move_sees_how_likely_each_bid_is() -> None:
    game = answered_by_bob()
    page = text(browser("bob").get(address(game)))
    assert f"at least 3 fours: {html.escape(chance(game, 'bob', '3x4'))}." in page
    offered = labels(page)
    assert len(offered) > 30
    for words, label in offered.items():
        assert label.endswith(f", {chance(game, 'bob', words)}"), words
    assert page.count(ON_RUNGS) == len(offered)


def test_an_opener_sees_the_odds_of_his_bids_and_of_no_other() -> None:
    game = live_table("alice", "bob", shows_odds=True)
    give_turn(game, "alice")
    page = text(browser("alice").get(address(game)))
    assert ON_RUNGS in page
    assert SAID not in page


@pytest.mark.parametrize("viewer", ["alice", "carol", "mallory", ""])
def test_nobody_else_sees_odds(viewer: str) -> None:
    game = answered_by_bob()
    page = text(browser(viewer).get(address(game)))
    assert SAID not in page
    assert ON_RUNGS not in page


def test_a_table_that_did_not_choose_them_shows_none() -> None:
    game = answered_by_bob(shows_odds=False)
    page = text(browser("bob").get(address(game)))
    assert SAID not in page
    assert ON_RUNGS not in page
    assert "Shown to whoever is to move" not in page


def test_where_calza_is_played_the_odds_of_exactly_so_many_are_shown() -> None:
    game = live_table("alice", "bob", "carol", ruleset=with_calza(), shows_odds=True)
    give_turn(game, "alice")
    game = bid(game, "alice", "3x4")
    give_turn(game, "bob")
    set_dice(game, carol=4)
    own = cups(game)[seat_of(game, "bob").number]
    exact = rules.chance_exact(rules.Bid(3, 4), own=own, unseen=9, mode=rules.Mode.NORMAL)
    page = text(browser("bob").get(address(game)))
    assert f"exactly: {html.escape(wording.chance_text(exact))}." in page
    page = text(browser("carol").get(address(game)))
    assert "Out of turn" in page
    assert SAID not in page, "she is not to move"


def test_only_what_is_certain_is_nothing_or_all() -> None:
    told = {chance: wording.chance_text(chance) for chance in (0.0, 1e-9, 0.5, 1 - 1e-9, 1.0)}
    assert [text.replace("\N{NO-BREAK SPACE}", "") for text in told.values()] == [
        "0%", "<1%", "50%", ">99%", "100%",
    ]  # fmt: skip


# --- how a table comes to it ---------------------------------------------------------------------


def test_they_are_off_unless_the_host_wants_them() -> None:
    form = text(browser("alice").get("/games/new/"))
    assert "Show the odds (unrated)" in form
    assert "checked" not in inputs(form, "shows_odds")[0]
    browser("alice").post("/games/new/", FIELDS)
    assert not Game.objects.get().shows_odds


def test_the_lobby_the_room_and_the_invitation_say_so_before_anybody_sits_down() -> None:
    answer = browser("alice").post("/games/new/", {**FIELDS, "shows_odds": "on"})
    assert answer.status_code == 302
    game = Game.objects.get()
    assert game.shows_odds
    said = "Shown to whoever is to move, by his own dice alone. The game counts for no rating."
    for page in ("/lobby/", address(game), f"/join/{game.invite_token}/"):
        assert said in text(browser("bob").get(page)), page


def test_the_invitation_mail_says_so_too() -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2, shows_odds=True)
    host = player(person("alice"))
    game = lobby.create_game(host=host, new=new, now=NOON)
    lobby.invite(game_id=game.pk, player=host, emails=["z@example.org"], language="en", now=NOON)
    mail = render(OutboxMessage.objects.get(kind=OutboxKind.INVITATION), now=NOON)
    assert mail is not None
    for part in (str(mail.body), html_of(mail)):
        assert "Odds: Shown to whoever is to move" in part


@pytest.mark.parametrize("preset", ["piatnik", "asmodee"])
def test_no_table_that_hides_the_dice_left_tells_them_by_odds(preset: str) -> None:
    new = lobby.NewGame(ruleset=rules.find_ruleset(preset), seats=2, shows_odds=True)
    with pytest.raises(LobbyRefusal) as refusal:
        lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    assert refusal.value.code == "lobby.odds-of-hidden-dice"
    answer = browser("alice").post("/games/new/", {**FIELDS, "rules": preset, "shows_odds": "on"})
    assert answer.status_code == 422
    assert "how many dice are left, which these rules hide" in text(answer)
    assert not Game.objects.exists()


def test_a_rematch_keeps_them() -> None:
    game = table(shows_odds=True)
    act(game, rules.Resign(seat_of(game, "bob").number))
    game.refresh_from_db()
    assert lobby.rematch(game=game, player=player(person("alice")), now=NOON).shows_odds


def test_the_record_of_the_game_says_that_they_were_shown() -> None:
    game = table(shows_odds=True)
    act(game, rules.Resign(seat_of(game, "bob").number))
    game.refresh_from_db()
    record = load(dump(record_of(game)))
    assert record.meta["odds"] == "shown"
    assert not replay(record)
    Game.objects.update(shows_odds=False)
    game.refresh_from_db()
    assert "odds" not in record_of(game).meta


# --- by mail -------------------------------------------------------------------------------------

FACES = ("aces", "twos", "threes", "fours", "fives", "sixes")


def told_by_mail(kind: str = OutboxKind.TURN, *, shows_odds: bool = True) -> tuple[Game, list[str]]:
    """Return a table at which bob answers 3 fours, and the text and the HTML of his mail."""
    game = table(shows_odds=shows_odds)
    give_turn(game, "alice")
    game = act(game, mailing.bid(game, "alice", "3x4"))
    mail = sent_mail(game, kind, "bob")
    return game, [str(mail.body), html.unescape(html_of(mail))]


@pytest.mark.parametrize("kind", [OutboxKind.TURN, OutboxKind.REMINDER])
def test_a_mail_of_ones_turn_tells_them_in_one_line(kind: str) -> None:
    game, parts = told_by_mail(kind)
    for part in parts:
        (line,) = [line for line in part.splitlines() if SAID in line]
        standing, _, raises = line.partition("If you bid: ")
        assert f"at least 3 fours: {chance(game, 'bob', '3x4')}." in standing
        found = re.findall(r"at least (\d+) (\w+): ([^,.]+)", raises)
        assert len(found) > 3
        for quantity, face, said in found:
            words = f"{quantity}x{FACES.index(face) + 1}"
            assert said == chance(game, "bob", words), words


def test_whoever_wants_no_dice_in_his_mails_gets_no_odds_made_of_them() -> None:
    User.objects.filter(pk=person("bob").pk).update(dice_in_mail=False)
    for part in told_by_mail()[1]:
        assert SAID not in part
        assert "If you bid" not in part


def test_mails_of_other_tables_tell_none() -> None:
    for part in told_by_mail(shows_odds=False)[1]:
        assert SAID not in part
        assert "If you bid" not in part
