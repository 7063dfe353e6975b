"""The pages of a seat that changes hands: who is told what, and who may press which button."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.models import Game, GameStatus, Round, Seat, Tenure
from games.services import moves, restore
from tests.cast import cups, give_turn, person, seat_of
from tests.integration.games.handing import (
    claim,
    end_round,
    handed_over,
    make_absent,
    retire,
    vacant,
)
from tests.integration.games.mailing import html_of, preheader_of, sent_mail
from tests.integration.games.pages import address, bid, browser, live_table, text

pytestmark = pytest.mark.django_db

THREE = ("alice", "bob", "carol")
TAKE = "Take over this seat"


def empty_seat(*, is_private: bool = True) -> Game:
    """Return a game in which carol's seat has just been retired."""
    game = live_table(*THREE, is_private=is_private)
    retire(game, "carol", now=timezone.now())
    return Game.objects.select_related("current_round").get(pk=game.pk)


def link(game: Game) -> str:
    return f"/join/{game.invite_token}/"


def take(client: Client, game: Game) -> str:
    """Open the link, press the button, and return the page that follows."""
    shown = text(client.get(link(game)))
    (seat,) = re.findall(r'name="seat" value="(\d+)"', shown)
    return text(client.post(link(game), {"seat": seat}, follow=True))


def table_of(game: Game, name: str = "") -> str:
    return text(browser(name).get(address(game)))


# --- retirement -----------------------------------------------------------------------------------


def test_whoever_stays_away_reads_until_when_he_may_come_back() -> None:
    game = live_table(*THREE)
    now = timezone.now()
    Seat.objects.filter(pk=seat_of(game, "carol").pk).update(is_absent=True, absent_since=now)
    assert "after that your seat is retired" in table_of(game, "carol")
    assert "after that your seat is retired" not in table_of(game, "alice")


def test_a_table_that_all_have_left_says_until_when_it_stands_still() -> None:
    game, now = live_table("alice", "bob"), timezone.now()
    make_absent(game, "alice", since=now, now=now)
    said = "All players are absent, so the game stands still. If nobody is back by"
    for path in (address(game), "/"):
        assert said not in text(browser("bob").get(path))
    make_absent(game, "bob", since=now, now=now)
    for path in (address(game), "/"):
        shown = text(browser("bob").get(path))
        assert said in shown
        assert "so your turns are played at once" not in shown
        assert "is to move" not in shown
        assert "left</span>" not in shown


def test_the_rules_say_before_joining_what_becomes_of_a_seat_that_nobody_comes_back_to() -> None:
    game = live_table(*THREE, is_private=False)
    for name in ("", "alice"):
        assert address(game, "rules/") in table_of(game, name)
        said = text(browser(name).get(address(game, "rules/")))
        assert "After seven days of that the seat is retired" in said


def test_those_who_are_in_get_the_link_to_pass_on_and_the_way_to_the_vote() -> None:
    game = empty_seat()
    for name in ("alice", "bob"):
        shown = table_of(game, name)
        assert "Carol was away for seven days, so nobody holds this seat" in shown
        assert link(game) in shown
        assert TAKE not in shown
        assert "retired" in shown
    asked = text(browser("alice").get(address(game, "time/")))
    assert "Let a bot take over the seat that nobody holds?" in asked


def test_who_is_out_does_not_get_the_link_of_a_private_table() -> None:
    game = empty_seat()
    Seat.objects.filter(pk=seat_of(game, "bob").pk).update(dice=0, place=3)
    assert link(game) not in table_of(game, "bob")
    assert link(game) not in table_of(game, "carol")


def test_an_open_page_hears_of_it_when_it_asks_for_news() -> None:
    game = live_table(*THREE)
    client = browser("alice")
    (key,) = re.findall(r'data-since="([^"]+)"', text(client.get(address(game))))
    assert client.get(address(game, f"?since={key}")).status_code == 204
    seat = retire(game, "carol", now=timezone.now())
    assert client.get(address(game, f"?since={key}")).status_code == 200
    (key,) = re.findall(r'data-since="([^"]+)"', text(client.get(address(game))))
    claim(game, "dave", seat, now=timezone.now())
    news = client.get(address(game, f"?since={key}"), headers={"HX-Request": "true"})
    assert "Dave takes over the seat of Carol with the next round." in text(news)


def test_an_open_table_offers_its_free_seat_to_everybody() -> None:
    game = empty_seat(is_private=False)
    for name in ("", "dave"):
        shown = table_of(game, name)
        assert TAKE in shown
        assert link(game) in shown


# --- the old player -------------------------------------------------------------------------------


def test_the_lobby_lists_the_free_seats_of_open_tables() -> None:
    private, game = empty_seat(), empty_seat(is_private=False)
    for name in ("", "mallory"):
        shown = text(browser(name).get("/lobby/"))
        assert link(game) in shown
        assert link(private) not in shown
    for name in ("alice", "carol"):  # who sits, and who sat
        shown = text(browser(name).get("/lobby/"))
        assert address(game) in shown
        assert link(game) not in shown
    assert "You play from the next round on" in take(browser("dave"), game)
    assert address(game) not in text(browser("mallory").get("/lobby/"))


def test_the_old_player_watches_and_is_told_what_happened() -> None:
    game = empty_seat()
    shown = table_of(game, "carol")
    assert "Your seat was retired" in shown
    assert "Your place in it is number 3." in shown
    assert "Your dice" not in shown
    home = text(browser("carol").get("/"))
    assert "Your seat was retired; the others play on." in home


@pytest.mark.parametrize("what", ["play", "back", "order", "time", "resign", "roll"])
def test_what_the_old_player_sends_is_not_done_and_he_is_told_why(what: str) -> None:
    game = empty_seat()
    sent = {"act": "dudo", "version": game.version, "idem_key": "k"}
    answer = browser("carol").post(address(game, f"{what}/"), sent, follow=True)
    assert answer.status_code == 200
    assert "Your seat was retired after seven days, so you cannot play" in text(answer)
    game.refresh_from_db()
    assert Seat.objects.filter(game=game, user=person("carol")).count() == 0


def test_the_old_player_is_led_to_the_table_from_pages_of_those_who_play() -> None:
    game = empty_seat()
    for page in ("resign/", "order/"):
        answer = browser("carol").get(address(game, page))
        assert (answer.status_code, answer["Location"]) == (302, address(game))


def test_the_old_player_sees_his_own_cup_of_a_round_that_he_played_and_no_other() -> None:
    game = handed_over(live_table(*THREE), "carol", "dave", now=timezone.now())
    number = seat_of(game, "dave").number
    assert own_cup_shown(game, "carol", 1) is None, "a dudo has lifted it for all"
    game = round_without_cups(game)
    assert own_cup_shown(game, "carol", 2) is None, "then it was dave's"
    assert own_cup_shown(game, "dave", 2) is not None
    assert number == vacant(game, "carol").number


def test_the_new_player_does_not_see_what_was_under_the_cup_before_his_time() -> None:
    game = live_table("alice", "bob", "carol", "erin")
    now = timezone.now()
    seat = retire(game, "carol", now=now)
    under = cups(game)[seat.number]
    claim(game, "dave", seat, now=now)
    game = round_without_cups(game, leaver="erin")
    assert own_cup_shown(game, "dave", 1) is None
    shown = own_cup_shown(game, "carol", 1)
    assert shown == under
    assert own_cup_shown(game, "carol", 2) is None


def test_nobody_sees_the_cup_of_a_round_in_which_nobody_held_the_seat() -> None:
    game = live_table("alice", "bob", "carol", "erin", "frank")
    now = timezone.now()
    seat = retire(game, "carol", now=now)
    game = round_without_cups(game, leaver="erin")
    claim(game, "dave", seat, now=now)
    game = round_without_cups(game, leaver="frank")
    game = round_without_cups(game)
    shown = {
        name: [own_cup_shown(game, name, number) is not None for number in (1, 2, 3)]
        for name in ("carol", "dave", "alice")
    }
    assert shown == {
        "carol": [True, False, False],
        "dave": [False, False, True],
        "alice": [True, True, True],
    }


def test_a_round_that_was_rolled_anew_after_the_retirement_is_not_the_old_players() -> None:
    game = live_table("alice", "bob", "carol", "erin")
    now = timezone.now()
    retire(game, "carol", now=now)
    assert restore.roll_anew(code=game.code, restored_at=now + timedelta(hours=1), now=now)
    game = round_without_cups(game, leaver="erin")
    assert own_cup_shown(game, "carol", 1) is None
    assert own_cup_shown(game, "alice", 1) is not None


def round_without_cups(game: Game, leaver: str = "bob") -> Game:
    """End the round by leaving: no cup is lifted."""
    moves.resign(game_id=game.pk, user_id=person(leaver).pk, now=timezone.now())
    return Game.objects.select_related("current_round").get(pk=game.pk)


def own_cup_shown(game: Game, name: str, number: int) -> tuple[int, ...] | None:
    """Return the own cup that a round's page shows to its reader."""
    answer = browser(name).get(address(game, f"rounds/{number}/"))
    if answer.status_code == 404:
        return None
    found: tuple[int, ...] | None = answer.context["own_cup"]
    return found


# --- the new player -------------------------------------------------------------------------------


def test_somebody_takes_the_seat_over_by_the_link_of_a_private_table() -> None:
    game = empty_seat()
    dave = browser("dave")
    assert dave.get(address(game)).status_code == 404
    shown = text(dave.get(link(game)))
    assert "Carol was away for seven days" in shown
    assert "You begin with the next round." in shown
    assert "After seven days of that the seat is retired" in shown
    waits = take(dave, game)
    assert "You play from the next round on" in waits
    assert "Your dice" not in waits
    assert "You play from the next round on." in text(dave.get("/"))
    again = dave.get(link(game))
    assert (again.status_code, again["Location"]) == (302, address(game))
    end_round(game, "bob", now=timezone.now())
    assert "Your dice" in text(dave.get(address(game)))


def test_who_has_no_account_yet_is_led_to_get_one_and_back() -> None:
    game = empty_seat()
    shown = text(browser().get(link(game)))
    assert "Sign up and take it over" in shown
    assert TAKE not in shown
    answer = browser().post(link(game), {"seat": "1"})
    assert answer.status_code == 302
    assert f"next={link(game)}" in answer["Location"]


def test_who_comes_second_is_told_that_somebody_was_quicker() -> None:
    game = empty_seat()
    dave, erin = browser("dave"), browser("erin")
    page = text(erin.get(link(game)))
    take(dave, game)
    (seat,) = re.findall(r'name="seat" value="(\d+)"', page)
    answer = erin.post(link(game), {"seat": seat})
    assert answer.status_code == 409
    assert "This game has begun without you." in text(answer)
    assert erin.get(address(game)).status_code == 404


def test_the_old_player_is_not_let_in_again_by_the_link() -> None:
    game = empty_seat()
    client = browser("carol")
    assert TAKE not in text(client.get(link(game)))
    answer = client.post(link(game), {"seat": str(vacant(game, "carol").pk)})
    assert answer.status_code == 409
    assert "you cannot take one over" in text(answer)


def test_the_link_of_the_waiting_room_does_not_open_the_seat() -> None:
    game = live_table(*THREE)
    before = link(game)
    retire(game, "carol", now=timezone.now())
    assert browser("dave").get(before).status_code == 404


@pytest.mark.parametrize("sent", ["", "0", "x", "999999999999999999999", "-1", "¹"])
def test_a_seat_that_there_is_not_is_refused(sent: str) -> None:
    game = empty_seat()
    answer = browser("dave").post(link(game), {"seat": sent})
    assert answer.status_code == 409
    assert not Seat.objects.filter(heir__isnull=False).exists()


def test_the_one_who_waits_may_give_the_seat_back_and_others_may_not() -> None:
    game = empty_seat()
    dave = browser("dave")
    take(dave, game)
    for name, status in (("alice", 403), ("carol", 403), ("erin", 404), ("", 404)):
        assert browser(name).post(address(game, "withdraw/")).status_code == status
    assert dave.get(address(game, "withdraw/")).status_code == 302
    answer = dave.post(address(game, "withdraw/"), follow=True)
    assert "The seat is free again for somebody else." in text(answer)
    assert dave.get(address(game)).status_code == 404
    assert vacant(game, "carol").is_free


@pytest.mark.parametrize("what", ["play", "back", "order", "time", "resign"])
def test_the_one_who_waits_cannot_do_anything_before_he_begins(what: str) -> None:
    game = empty_seat()
    dave = browser("dave")
    take(dave, game)
    sent = {"act": "dudo", "version": game.version, "idem_key": "k"}
    answer = dave.post(address(game, f"{what}/"), sent, follow=True)
    assert "You play from the next round on: the dice of this one" in text(answer)
    game.refresh_from_db()
    assert game.status == GameStatus.ACTIVE
    assert dave.get(address(game, "check/")).context["own_cup"] is None


# --- what is told of it afterwards ----------------------------------------------------------------


def test_the_rounds_are_told_with_the_names_of_those_who_played_them() -> None:
    game = live_table(*THREE)
    now = timezone.now()
    give_turn(game, "carol")
    game = bid(game, "carol", "1x2")
    seat = retire(game, "carol", now=now)
    claim(game, "dave", seat, now=now)
    game = end_round(game, "bob", now=now)
    first = text(browser("alice").get(address(game, "rounds/1/")))
    assert "Carol" in first
    assert "Dave" not in first
    everything = text(browser("alice").get(address(game, "rounds/")))
    assert "Carol was away for seven days, so the seat was retired." in everything
    assert "Dave has taken over the seat of Carol." in everything
    mine = browser("dave").get(address(game, "rounds/1/")).context["bids"]
    assert not any(line.is_me for line, _ in mine)
    hers = browser("carol").get(address(game, "rounds/1/")).context["bids"]
    assert [line.is_me for line, _ in hers] == [True, False]


def test_the_old_player_s_list_shows_his_place_when_the_game_is_over() -> None:
    game = empty_seat()
    round_without_cups(game)
    while Game.objects.get(pk=game.pk).status == GameStatus.ACTIVE:
        round_without_cups(game, "alice")
    home = text(browser("carol").get("/"))
    assert address(game) in home
    assert "place 3" in home
    assert "The seat of Carol, which nobody held any more, wins the game" in table_of(game, "alice")
    assert "Carol was away for seven days and took place 3" in table_of(game, "alice")
    for page in ("rounds/", f"rounds/{Round.objects.filter(game=game).count()}/"):
        told = text(browser("alice").get(address(game, page)))
        assert "The seat of Carol, which nobody held any more, wins the game." in told
        assert "Carol wins" not in told
    mail = sent_mail(game, "game_over", "alice")
    for body in (str(mail.body), html_of(mail), preheader_of(mail)):
        assert "seat of Carol, which nobody held any more, wins" in body
    assert "1. Carol (retired)" in str(mail.body)
    over = table_of(game, "carol")
    assert "Your place in it is number 3." in over
    assert "Rematch" not in over
    assert Tenure.objects.get().place == 3
