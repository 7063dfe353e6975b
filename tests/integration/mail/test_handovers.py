"""Mails about seats that change hands: to whom they go, what they say, and whose answers count."""

import re

import pytest
from django.conf import settings
from django.test import Client

from games import rules
from games.models import Bid, Game, OutboxMessage
from games.services.receiving import Outcome
from tests.cast import act, cups, give_turn, person, seat_of, set_dice, table
from tests.integration.games.handing import claim, end_round, handed_over, play_for, retire, vacant
from tests.integration.games.mailing import html_of
from tests.integration.mail.letters import deliver, mail_to, mails_to, opened_by, reply, send_mails

pytestmark = pytest.mark.django_db

THREE = ("alice", "bob", "carol")


def test_the_retired_player_reads_what_it_means() -> None:
    game = table(THREE)
    dice = cups(game)[seat_of(game, "carol").number]
    retire(game, "carol")
    mail = mail_to("carol", "retired")
    assert mail.subject.endswith("Your seat was retired")
    for body in (str(mail.body), html_of(mail)):
        assert "it is not yours any more" in body
        assert "number 3" in body
        assert " ".join(map(str, dice)) not in body
    assert mail.reply_to != [], "it is answered nowhere that plays"
    assert "@" in mail.reply_to[0]
    assert mails_to("carol").count("retired") == 1


def test_the_table_gets_a_link_that_leads_to_the_seat(client: Client) -> None:
    game = table(THREE)
    retire(game, "carol")
    for name in ("alice", "bob"):
        mail = mail_to(name, "vacant")
        assert "Carol was away for seven days, so nobody holds this seat" in str(mail.body)
        (link,) = set(re.findall(rf"{settings.SITE_URL}(/join/\w+/)", html_of(mail)))
        assert link in str(mail.body)
        assert "Carol was away for seven days" in client.get(link).content.decode()
    assert "vacant" not in mails_to("carol")


def test_the_table_is_not_told_of_a_seat_that_has_been_taken_meanwhile() -> None:
    game = table(THREE)
    claim(game, "dave", retire(game, "carol"))
    send_mails()
    assert "vacant" not in mails_to("alice")


def test_who_comes_too_late_is_told_that_there_is_nothing_to_do() -> None:
    game = table(THREE)
    set_dice(game, carol=1)
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("11x4")))
    act(game, rules.Dudo(game.to_act))
    mail = mail_to("dave", "too_late")
    assert "nothing left to take over" in str(mail.body)
    assert "/lobby/" in html_of(mail)
    assert mails_to("dave") == ["too_late"]


def test_an_answer_to_a_mail_of_the_old_player_moves_nothing() -> None:
    game = opened_by("carol", "alice", "bob")
    sent = mail_to("carol", "turn")
    retire(game, "carol")
    assert deliver(reply(sent, "2x3"), sent.reply_to[0]).outcome is not Outcome.PLAYED
    claim(game, "dave", vacant(game, "carol"))
    game = end_round(game, "bob")
    give_turn(game, "dave")
    assert deliver(reply(sent, "2x3"), sent.reply_to[0]).outcome is not Outcome.PLAYED
    assert not Bid.objects.filter(round=game.current_round).exists()


def test_the_new_player_answers_his_own_mail_and_reads_who_played_before_him() -> None:
    game = opened_by("alice", "bob", "carol")
    seat = retire(game, "carol")
    claim(game, "dave", seat)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("20x4")))
    game = act(game, rules.Dudo(game.to_act))
    mail = mail_to("dave", "turn")
    body = str(mail.body)
    assert "Carol ran out of time; the automatic move bid 20 fours." in body
    assert "Carol loses a die." in body
    assert re.search(r"Dave\b.*4 dice", body)
    assert deliver(reply(mail, "2x3"), mail.reply_to[0]).outcome is Outcome.PLAYED
    assert Bid.objects.get(round=game.current_round).seat == seat.number


def test_no_mail_that_was_meant_for_the_old_player_goes_to_the_new_one() -> None:
    game = table(THREE)
    waiting = OutboxMessage.objects.filter(seat=seat_of(game, "carol"), status="pending")
    assert waiting.exists()
    handed_over(game, "carol", "dave")
    send_mails()
    assert mails_to("dave") in (["round_over"], ["turn"])
    assert mails_to("carol") == ["retired"]
    assert Game.objects.get().seats.filter(user=person("carol")).count() == 0
