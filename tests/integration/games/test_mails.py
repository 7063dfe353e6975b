"""What each mail says, to whom, and when it is no longer worth sending."""

import email
import email.policy
import re
from dataclasses import replace
from datetime import timedelta

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import rules
from games.mail.render import render
from games.models import Game, OutboxMessage, Seat
from games.services import deadlines, moves
from tests.cast import NOON, act, cups, give_turn, later, person, seat_of, set_dice, table
from tests.integration.games.mailing import (
    bid,
    html_of,
    links_of,
    mail_to,
    notice,
    opened_by_alice,
    preheader_of,
    seat_to_the_left,
    sent_mail,
)

pytestmark = pytest.mark.django_db


def lifted_in_round_one(game: Game) -> list[tuple[str, str]]:
    """Return who lifted which cup in the first round, in order."""
    result = game.rounds.get(number=1).result
    assert result is not None
    names = {seat_of(game, name).number: name.title() for name in ("alice", "bob")}
    return [(names[cup["seat"]], " ".join(map(str, cup["dice"]))) for cup in result["lifted"]]


# --- what is in them -------------------------------------------------------------------------


def test_the_turn_mail_is_enough_to_decide() -> None:
    game = opened_by_alice()
    mail = sent_mail(game, "turn", "bob")
    dice = cups(game)[seat_of(game, "bob").number]
    body = str(mail.body)
    assert mail.to == ["bob@example.org"]
    assert "Alice bid 20 fours." in body
    assert " ".join(map(str, dice)) in body
    assert "Call dudo on 20 fours by Alice" in body
    assert "The lowest raises are: 20 fives" in body
    assert "Bob (you): 5 dice" in body
    assert f"/g/{game.code}/" in body
    for die in dice:
        assert f">{die}</span>" in html_of(mail)


def test_the_deadline_is_told_in_the_readers_zone_and_as_time_left() -> None:
    person("bob", time_zone="Asia/Kolkata")
    game = opened_by_alice(turn_seconds=36 * 3600)
    mail = sent_mail(game, "turn", "bob", now=later(hours=1))
    assert "Wednesday 6 May, 05:30 IST (1 day 11 hours left)" in str(mail.body)


def test_the_language_is_the_readers() -> None:
    person("bob", language="it")
    game = opened_by_alice()
    mail = sent_mail(game, "turn", "bob")
    assert '<html lang="it"' in html_of(mail)
    assert "martedì" in str(mail.body).lower()


def test_the_turn_mail_tells_what_happened_since_the_last_turn() -> None:
    game = opened_by_alice()
    bob = seat_of(game, "bob").number
    alice = seat_of(game, "alice").number
    game = act(game, rules.Dudo(bob))
    game = act(game, bid(game, "alice", "1x5"))
    body = str(sent_mail(game, "turn", "bob").body)
    lifted = lifted_in_round_one(game)
    assert "Bob called dudo on 20 fours by Alice" in body
    # Cups in the order in which they were lifted, and what came of it.
    positions = [body.index(f"- {name}: {dice}") for name, dice in lifted]
    assert positions == sorted(positions)
    assert {name for name, _ in lifted} == {"Alice", "Bob"}
    assert "Alice loses a die." in body
    assert "Alice bid 1 five." in body
    assert seat_of(game, "alice").dice == 4
    assert alice != bob


def test_what_the_clock_moved_for_a_player_is_news_to_him() -> None:
    game = table(("alice", "bob", "carol"), turn_seconds=3600)
    give_turn(game, "alice")
    deadlines.expire_turns(now=later(hours=2))
    second = seat_to_the_left(game, "alice")
    third = seat_to_the_left(game, second)
    moves_since = (bid(game, second, "20x4"), rules.Dudo(seat_of(game, third).number))
    for move in (*moves_since, bid(game, second, "1x4"), bid(game, third, "1x5")):
        game = act(game, move, now=later(hours=2))
    body = str(sent_mail(game, "turn", "alice", now=later(hours=2)).body)
    assert "Alice ran out of time; the automatic move bid" in body
    assert f"{second.title()} bid 20 fours." in body


def test_a_reminder_says_how_much_time_is_left_and_is_shorter() -> None:
    game = opened_by_alice()
    turn, reminder = (sent_mail(game, kind, "bob") for kind in ("turn", "reminder"))
    at = later(hours=20)
    assert "3 hours 59 minutes left" in str(
        sent_mail(game, "reminder", "bob", now=at + timedelta(minutes=1)).body
    )
    assert len(str(reminder.body)) < len(str(turn.body))


def test_hidden_counts_are_in_no_mail() -> None:
    game = opened_by_alice(ruleset=rules.find_ruleset("piatnik"))
    set_dice(game, alice=3)
    mail = sent_mail(game, "turn", "bob")
    for part in (str(mail.body), html_of(mail)):
        assert "3 dice" not in part
        assert "does not show how many dice the others have" in part


def test_round_over_tells_the_cups_and_my_number_of_dice() -> None:
    game = opened_by_alice("alice", "bob", "carol")
    caller = seat_to_the_left(game, "alice")
    other = ({"bob", "carol"} - {caller}).pop()
    game = act(game, rules.Dudo(seat_of(game, caller).number))
    for name in (caller, other):
        body = str(sent_mail(game, "round_over", name).body)
        assert "called dudo on 20 fours by Alice" in body
        assert "You have 5 dice." in body
        assert "Alice opens the next round." in body
    assert not OutboxMessage.objects.filter(kind="round_over", seat=seat_of(game, "alice")).exists()


def test_whoever_is_out_is_told_his_place() -> None:
    game = opened_by_alice("alice", "bob", "carol")
    set_dice(game, alice=1)
    game = act(game, rules.Dudo(seat_of(game, seat_to_the_left(game, "alice")).number))
    assert "You are out, place 3." in str(sent_mail(game, "round_over", "alice").body)


def test_game_over_tells_winner_places_replay_and_rematch() -> None:
    game = opened_by_alice()
    set_dice(game, alice=1)
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    won, lost = (sent_mail(game, "game_over", name) for name in ("bob", "alice"))
    assert "You win" in str(won.body)
    assert "Bob wins" in str(lost.body)
    assert "1. Bob\n2. Alice (you)" in str(lost.body)
    assert f"{settings.SITE_URL}/g/{game.code}/rounds/" in links_of(lost)
    assert f"{settings.SITE_URL}/g/{game.code}/" in links_of(lost)


@pytest.mark.parametrize(
    ("covered", "said"),
    [
        (rules.CoveredCups.AFTER_END, "everything is open: every die can be checked now."),
        (rules.CoveredCups.NEVER, "keeps covered cups shut for good; lifted ones can be checked"),
    ],
)
def test_game_over_tells_what_can_be_checked_now_and_where(
    covered: rules.CoveredCups, said: str
) -> None:
    ruleset = replace(rules.find_ruleset("bga"), covered_cups_after_game=covered)
    game = act(opened_by_alice(ruleset=ruleset), rules.Resign(0))
    winner = Seat.objects.get(game=game, place=1).name.lower()
    mail = sent_mail(game, "game_over", winner)
    for part in (str(mail.body), html_of(mail)):
        assert said in part
        assert f"{settings.SITE_URL}/g/{game.code}/check/" in part
        assert "Keep this to check" not in part
        assert "Seal r1 · " in part


def test_a_game_that_ends_by_leaving_says_so_and_no_more() -> None:
    game = act(opened_by_alice(), rules.Resign(0))
    winner = Seat.objects.get(game=game, place=1).name.lower()
    body = str(sent_mail(game, "game_over", winner).body)
    assert "left the game." in body
    assert "roll again" not in body


def test_started_names_no_deadline_of_a_bot() -> None:
    game = table(("alice",), bots=1)
    bot = Seat.objects.exclude(bot="").get(game=game).number
    Game.objects.filter(pk=game.pk).update(to_act=bot)
    row = OutboxMessage.objects.create(
        dedupe="test",
        kind="started",
        game=game,
        seat=seat_of(game, "alice"),
        version=game.version,
        due_at=NOON,
        created_at=NOON,
    )
    mail = render(row, now=NOON)
    assert mail is not None
    assert "to move, until" not in str(mail.body)


def test_started_tells_who_plays_who_opens_and_the_rules() -> None:
    game = table(("alice", "bob", "carol"))
    others = [seat for seat in Seat.objects.filter(game=game) if seat.number != game.to_act]
    name = others[0].name.lower()
    opener = Seat.objects.get(game=game, number=game.to_act).name
    body = str(sent_mail(game, "started", name).body)
    assert f"{opener} opens the first round." in body
    for player_name in ("Alice", "Bob", "Carol"):
        assert player_name in body
    assert "Board Game Arena" in body
    assert "until Tuesday 5 May, 12:00 UTC (1 day left)" in body


def test_absent_tells_how_to_come_back() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    Seat.objects.filter(pk=seat_of(game, "alice").pk).update(missed_in_a_row=1)
    deadlines.expire_turns(now=later(hours=2))
    mail = sent_mail(game, "absent", "alice")
    assert "plays by itself" in str(mail.body)
    assert f"{settings.SITE_URL}/g/{game.code}/" in links_of(mail)
    moves.come_back(game_id=game.pk, user_id=person("alice").pk, now=later(hours=2))
    assert mail_to(game, "absent", "alice") is None


# --- the outside -----------------------------------------------------------------------------


def test_the_headers_say_what_it_is_and_keep_the_thread() -> None:
    game = opened_by_alice()
    turn, reminder = (sent_mail(game, kind, "bob") for kind in ("turn", "reminder"))
    raw = turn.message().as_bytes()
    parsed = email.message_from_bytes(raw, policy=email.policy.default)
    assert not parsed.defects
    assert not any(header.defects for header in parsed.values())
    assert [part.get_content_type() for part in parsed.iter_parts()] == ["text/plain", "text/html"]
    assert parsed["Auto-Submitted"] == "auto-generated"
    assert parsed["X-Auto-Response-Suppress"] == "All"
    assert parsed["List-Id"] == f"{game.code} <{game.code}.games.localhost>"
    assert parsed["From"] == settings.DEFAULT_FROM_EMAIL
    assert re.fullmatch(r"m-\S{26}@in\.localhost", parsed["Reply-To"])
    assert parsed["Message-ID"].endswith("@localhost>")
    assert parsed["Date"].datetime == NOON
    assert turn.subject == reminder.subject == f"[{game.code}] Round 1"
    assert turn.extra_headers["References"] == reminder.extra_headers["References"]
    assert turn.extra_headers["Message-ID"] != reminder.extra_headers["Message-ID"]


def test_a_thread_is_one_players_round() -> None:
    game = opened_by_alice()
    first = sent_mail(game, "turn", "bob").extra_headers["References"]
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    over = sent_mail(game, "round_over", "bob").extra_headers["References"]
    game = act(game, bid(game, "alice", "1x5"))
    second = sent_mail(game, "turn", "bob").extra_headers["References"]
    assert over == first
    assert second != first


def test_a_mail_that_is_sent_again_has_the_same_identity() -> None:
    game = opened_by_alice()
    first, again = (sent_mail(game, "turn", "bob", now=later(hours=hour)) for hour in (0, 5))
    assert first.extra_headers["Message-ID"] == again.extra_headers["Message-ID"]


def test_names_cannot_inject_headers_or_markup() -> None:
    game = opened_by_alice()
    evil = "x\r\nBcc: eve@example.org\u202e<b onclick=a>"
    Game.objects.filter(pk=game.pk).update(name=evil[:40])
    User.objects.filter(email="alice@example.org").update(display_name=evil)
    mail = sent_mail(game, "turn", "bob")
    raw = mail.message().as_bytes()
    parsed = email.message_from_bytes(raw, policy=email.policy.default)
    assert parsed["Bcc"] is None
    assert "\n" not in mail.subject
    assert "\u202e" not in str(mail.body) + html_of(mail) + mail.subject
    assert "<b onclick" not in html_of(mail)
    assert mail.recipients() == ["bob@example.org"]


def test_nothing_is_fetched_and_every_link_is_ours() -> None:
    game = opened_by_alice()
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    for kind, name in (("round_over", "bob"), ("turn", "alice")):
        mail = sent_mail(game, kind, name)
        for sign in ("<img", "src=", "url(", "<link", "<script", "@import", "@font-face"):
            assert sign not in html_of(mail)
        assert all(link.startswith(settings.SITE_URL) for link in links_of(mail))


def test_the_html_is_styled_inline_and_knows_the_dark() -> None:
    html = html_of(sent_mail(opened_by_alice(), "turn", "bob"))
    assert '<meta name="color-scheme" content="light dark">' in html
    assert "@media (prefers-color-scheme: dark)" in html
    assert 'class="button" href' in html.replace("  ", " ") or "button" in html
    assert "background-color: #a23f1b" in html


def test_dice_stay_out_of_what_a_lock_screen_shows() -> None:
    game = opened_by_alice()
    mail = sent_mail(game, "turn", "bob")
    dice = " ".join(map(str, cups(game)[seat_of(game, "bob").number]))
    assert "20 fours by Alice" in preheader_of(mail)
    assert dice not in preheader_of(mail) + mail.subject
    assert str(mail.body).index(dice) > 200


def test_dice_are_left_out_for_those_who_want_it_so() -> None:
    User.objects.filter(pk=person("bob").pk).update(dice_in_mail=False)
    game = opened_by_alice()
    for kind in ("turn", "reminder"):
        mail = sent_mail(game, kind, "bob")
        assert "Your dice are on the page" in str(mail.body)
        assert "die-own" not in html_of(mail)
        dice = " ".join(map(str, cups(game)[seat_of(game, "bob").number]))
        assert dice not in str(mail.body)


# --- cost ------------------------------------------------------------------------------------


def test_a_turn_mail_takes_a_constant_number_of_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    game = opened_by_alice("alice", "bob", "carol")
    row = notice(game, "turn", seat_to_the_left(game, "alice"))
    with django_assert_max_num_queries(8):
        render(row, now=NOON)
