"""What each mail says, to whom, and when it is no longer worth sending."""

import email
import email.policy
from datetime import timedelta

import pytest
from django.conf import settings
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import rules
from games.mail.render import render
from games.models import Game, OutboxMessage, Seat
from games.services import deadlines, lobby, moves
from tests.cast import NOON, act, cups, give_turn, later, person, player, seat_of, set_dice, table
from tests.integration.games.mailing import (
    html_of,
    links_of,
    mail_to,
    notice,
    preheader_of,
    sent_mail,
    settle,
)

pytestmark = pytest.mark.django_db


def bid(game: Game, name: str, text: str) -> rules.MakeBid:
    return rules.MakeBid(seat_of(game, name).number, rules.Bid.parse(text))


def opened_by_alice(*names: str, **options: object) -> Game:
    """Return a game in which alice has opened the first round with 20 fours."""
    game = table(names or ("alice", "bob"), **options)
    give_turn(game, "alice")
    return act(game, bid(game, "alice", "20x4"))


def seat_to_the_left(game: Game, name: str) -> str:
    number = (seat_of(game, name).number + 1) % Seat.objects.filter(game=game).count()
    seat = Seat.objects.select_related("user").get(game=game, number=number)
    assert seat.user is not None
    return seat.user.display_name.lower()


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
    lifted = Event_lifted(game)
    assert "Bob called dudo on 20 fours by Alice" in body
    # Cups in the order in which they were lifted, and what came of it.
    positions = [body.index(f"- {name}: {dice}") for name, dice in lifted]
    assert positions == sorted(positions)
    assert {name for name, _ in lifted} == {"Alice", "Bob"}
    assert "Alice loses a die." in body
    assert "Alice bid 1 five." in body
    assert seat_of(game, "alice").dice == 4
    assert alice != bob


def Event_lifted(game: Game) -> list[tuple[str, str]]:
    """Return who lifted which cup in the first round, in order."""
    result = game.rounds.get(number=1).result
    assert result is not None
    names = {seat_of(game, name).number: name.title() for name in ("alice", "bob")}
    return [(names[cup["seat"]], " ".join(map(str, cup["dice"]))) for cup in result["lifted"]]


def test_what_the_clock_moved_for_a_player_is_news_to_him() -> None:
    game = table(turn_seconds=3600)
    give_turn(game, "alice")
    deadlines.expire_turns(now=later(hours=2))
    game = act(game, rules.Dudo(seat_of(game, "bob").number), now=later(hours=2))
    name = "alice" if game.to_act == seat_of(game, "alice").number else "bob"
    story = sent_mail(game, "turn", name, now=later(hours=2))
    told = "Alice ran out of time; the automatic move bid" in str(story.body)
    assert told is (name == "alice")


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
    assert parsed["Reply-To"] == parsed["From"] == settings.DEFAULT_FROM_EMAIL
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


# --- superseded ------------------------------------------------------------------------------


def test_a_turn_notice_whose_version_has_passed_is_superseded() -> None:
    game = opened_by_alice()
    turn, reminder = notice(game, "turn", "bob"), notice(game, "reminder", "bob")
    act(game, bid(game, "bob", "20x5"))
    assert render(turn, now=NOON) is None
    assert render(reminder, now=NOON) is None


def test_a_turn_notice_after_its_deadline_is_superseded() -> None:
    game = opened_by_alice()
    assert mail_to(game, "turn", "bob", now=later(hours=23, minutes=59)) is not None
    assert mail_to(game, "turn", "bob", now=later(days=1)) is None
    assert mail_to(game, "reminder", "bob", now=later(days=1)) is None


def test_a_reminder_from_before_the_clock_was_started_again_is_superseded() -> None:
    game = opened_by_alice()
    old = notice(game, "reminder", "bob")
    Seat.objects.filter(pk=seat_of(game, "bob").pk).update(is_absent=True, missed_in_a_row=2)
    assert render(old, now=later(hours=1)) is None
    moves.come_back(game_id=game.pk, user_id=person("bob").pk, now=later(hours=1))
    assert render(old, now=later(hours=1)) is None
    assert mail_to(game, "reminder", "bob", now=later(hours=21)) is not None


def test_old_news_is_superseded_by_playing_and_by_newer_news() -> None:
    game = opened_by_alice()
    game = act(game, rules.Dudo(seat_of(game, "bob").number))
    over = notice(game, "round_over", "bob")
    assert render(over, now=NOON) is not None
    game = act(game, bid(game, "alice", "1x5"))
    assert render(over, now=NOON) is None  # his turn notice tells this too
    assert "Bob called dudo" in str(sent_mail(game, "turn", "bob").body)
    OutboxMessage.objects.filter(kind="turn", seat=seat_of(game, "bob")).delete()
    assert render(over, now=NOON) is not None
    act(game, bid(game, "bob", "20x5"))
    assert render(over, now=NOON) is None


def test_round_over_after_the_game_is_superseded() -> None:
    game = opened_by_alice("alice", "bob", "carol")
    act(game, rules.Dudo(seat_of(game, seat_to_the_left(game, "alice")).number))
    over = OutboxMessage.objects.filter(kind="round_over").first()
    assert over is not None
    for name in ("alice", "bob"):
        act(game, rules.Resign(seat_of(game, name).number))
    assert render(over, now=NOON) is None
    assert mail_to(game, "game_over", "carol") is not None


def test_round_over_tells_again_only_what_no_mail_has_told() -> None:
    game = table(("alice", "bob", "carol"))
    give_turn(game, "alice")
    listener = ({"bob", "carol"} - {seat_to_the_left(game, "alice")}).pop()
    for told in (False, True):
        game = act(game, bid(game, "alice", "20x4"))
        game = act(game, rules.Dudo(seat_of(game, seat_to_the_left(game, "alice")).number))
        body = str(sent_mail(game, "round_over", listener).body)
        assert ("Round 1:" in body) is False
        assert "Alice loses a die." in body
        if not told:
            settle(notice(game, "round_over", listener))
    OutboxMessage.objects.filter(seat=seat_of(game, listener)).exclude(
        pk=notice(game, "round_over", listener).pk
    ).delete()
    assert "Round 1:" in str(sent_mail(game, "round_over", listener).body)


def test_started_is_superseded_once_his_own_turn_has_come() -> None:
    game = table()
    waiting = "bob" if game.to_act == seat_of(game, "alice").number else "alice"
    assert mail_to(game, "started", waiting) is not None
    first = "alice" if waiting == "bob" else "bob"
    game = act(game, bid(game, first, "1x4"))
    assert mail_to(game, "started", waiting) is None
    assert "Board Game Arena" in str(sent_mail(game, "turn", waiting).body)


def test_nobody_writes_to_an_account_that_is_gone_or_shut() -> None:
    game = opened_by_alice()
    User.objects.filter(pk=person("bob").pk).update(is_active=False)
    assert mail_to(game, "turn", "bob") is None
    row = notice(game, "turn", "bob")
    User.objects.filter(pk=person("bob").pk).delete()
    assert render(row, now=NOON) is None


# --- the waiting room ------------------------------------------------------------------------


def waiting_room(name: str = "") -> Game:
    new = lobby.NewGame(
        ruleset=rules.find_ruleset("piatnik"), seats=3, turn_seconds=7200, name=name
    )
    return lobby.create_game(host=player(person("alice")), new=new, now=NOON)


def invited(game: Game, address: str = "zoe@example.org", language: str = "en") -> OutboxMessage:
    lobby.invite(
        game_id=game.pk,
        player=player(person("alice")),
        emails=[address],
        language=language,
        now=NOON,
    )
    return OutboxMessage.objects.get(game=game, invitation__email=address)


def test_an_invitation_says_who_what_and_until_when() -> None:
    row = invited(waiting_room("Friday"))
    mail = render(row, now=NOON)
    assert mail is not None
    assert row.invitation is not None
    assert mail.subject == "Alice invites you to a game of Perudo"
    assert mail.to == ["zoe@example.org"]
    body = str(mail.body)
    assert f"{settings.SITE_URL}/join/{row.invitation.token}/" in links_of(mail)
    for words in ("no account is needed", "Friday", "2 hours", "Monday 11 May, 12:00 UTC", "dudo"):
        assert words in body
    assert "alice@example.org" not in body + html_of(mail)


def test_an_invitation_speaks_the_language_it_was_written_in() -> None:
    mail = render(invited(waiting_room(), language="fr"), now=NOON)
    assert mail is not None
    assert '<html lang="fr"' in html_of(mail)
    assert "lundi 11 mai" in str(mail.body)


def test_an_invitation_is_superseded_when_it_can_do_nothing_any_more() -> None:
    game = waiting_room()
    row, joined = invited(game), invited(game, "bob@example.org")
    assert render(row, now=later(days=6)) is not None
    assert render(row, now=later(days=7)) is None
    lobby.join(game_id=game.pk, player=player(person("bob")), now=NOON)
    assert render(joined, now=NOON) is None
    assert render(row, now=NOON) is not None
    lobby.cancel(game_id=game.pk, host_id=person("alice").pk, now=NOON)
    assert render(row, now=NOON) is None
    assert "called off" in str(sent_mail(game, "cancelled", "bob").body)


def test_a_rematch_asks_the_same_people_without_saying_their_addresses() -> None:
    game = opened_by_alice()
    act(game, rules.Resign(seat_of(game, "alice").number))
    game.refresh_from_db()
    again = lobby.rematch(game=game, player=player(person("bob")), now=NOON)
    mail = render(OutboxMessage.objects.get(game=again), now=NOON)
    assert mail is not None
    assert mail.to == ["alice@example.org"]
    assert mail.subject == "Bob asks you for a rematch"
    assert "bob@example.org" not in str(mail.body) + html_of(mail)


# --- cost ------------------------------------------------------------------------------------


def test_a_turn_mail_takes_a_constant_number_of_queries(
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    game = opened_by_alice("alice", "bob", "carol")
    row = notice(game, "turn", seat_to_the_left(game, "alice"))
    with django_assert_max_num_queries(8):
        render(row, now=NOON)
