"""The mails around a waiting room."""

import pytest
from django.conf import settings
from django.utils.html import escape

from games import clock, rules
from games.mail.render import render
from games.models import Game, OutboxMessage, OutboxStatus
from games.selectors import find_by_token
from games.services import lobby, places
from games.services.errors import LobbyRefusal
from games.services.invitations import MOST_A_DAY, MOST_TO_ONE
from games.wording import clock_lines
from tests.cast import NOON, act, later, person, player, seat_of
from tests.integration.games.mailing import html_of, links_of, opened_by_alice, sent_mail

pytestmark = pytest.mark.django_db


def waiting_room(name: str = "") -> Game:
    new = lobby.NewGame(
        ruleset=rules.find_ruleset("piatnik"), seats=3, turn_seconds=7200, name=name
    )
    return lobby.create_game(host=player(person("alice")), new=new, now=NOON)


def test_an_invitation_and_the_mail_of_the_start_tell_every_time_rule_of_the_page() -> None:
    standard = clock.find_clock("standard")
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2, clock=standard)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    asked = render(invited(game), now=NOON)
    assert asked is not None
    lobby.join(game_id=game.pk, player=player(person("bob")), now=NOON)
    for name in ("alice", "bob"):
        user_id = person(name).pk
        lobby.set_ready(game_id=game.pk, user_id=user_id, is_ready=True, now=NOON)
    began = sent_mail(game, "started", "bob" if opens(game, "alice") else "alice")
    first = sent_mail(game, "turn", "alice" if opens(game, "alice") else "bob")
    lines = clock_lines(standard)
    assert {"clock.bank", "clock.nights", "clock.time_out"} <= {line.key for line in lines}
    for mail in (asked, began, first):
        for line in lines:
            assert f"{line.title}: {line.sentence}" in " ".join(str(mail.body).split())
            assert line.title in html_of(mail)
            assert escape(line.sentence) in html_of(mail)


def opens(game: Game, name: str) -> bool:
    game.refresh_from_db()
    return game.to_act == seat_of(game, name).number


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


def test_an_invitation_to_a_player_speaks_as_he_reads() -> None:
    person("carol", language="it", time_zone="Europe/Rome")
    mail = render(invited(waiting_room(), "carol@example.org"), now=NOON)
    assert mail is not None
    assert '<html lang="it"' in html_of(mail)
    assert "lunedì 11 maggio" in str(mail.body)
    assert "14:00" in str(mail.body)
    assert mail.to == ["carol@example.org"]


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
    assert f"{settings.SITE_URL}/settings/" in links_of(mail)
    assert "bob@example.org" not in str(mail.body) + html_of(mail)


def test_who_was_removed_holds_no_invitation_that_opens_the_room() -> None:
    game = waiting_room()
    (row, other) = (invited(game, "bob@example.org"), invited(game))
    assert row.invitation is not None
    old = row.invitation.token
    lobby.join(game_id=game.pk, player=player(person("bob")), now=NOON)
    seat = seat_of(game, "bob").pk
    lobby.remove_seat(game_id=game.pk, host_id=person("alice").pk, seat_id=seat, now=NOON)
    with pytest.raises(Game.DoesNotExist):
        find_by_token(old)
    row.refresh_from_db()
    assert row.status == OutboxStatus.SUPERSEDED, "the mail would bring him the new link"
    assert other.invitation is not None
    assert find_by_token(other.invitation.token)[0] == game


def test_a_rematch_waits_for_whoever_sits_at_as_many_tables_as_he_may() -> None:
    game = opened_by_alice()
    game = act(game, rules.Resign(seat_of(game, "bob").number))
    bob = player(person("bob"))
    again = lobby.rematch(game=game, player=player(person("alice")), now=NOON)
    for _ in range(places.TABLES_AT_SIGN_UP):
        new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=2, turn_seconds=3600)
        other = lobby.create_game(host=bob, new=new, now=NOON)
    with pytest.raises(LobbyRefusal, match=r"lobby\.too-many-tables"):
        lobby.rematch(game=game, player=bob, now=NOON)
    lobby.leave(game_id=other.pk, user_id=bob.user_id, now=NOON)
    assert lobby.rematch(game=game, player=bob, now=NOON) == again
    assert seat_of(again, "bob").number == 1


def test_rematches_that_are_called_off_fill_no_mailbox() -> None:
    game = opened_by_alice("alice", "bob", "carol")
    for name in ("alice", "carol"):
        game = act(game, rules.Resign(seat_of(game, name).number))
    alice = player(person("alice"))
    for _ in range(MOST_A_DAY // 2):
        again = lobby.rematch(game=game, player=alice, now=NOON)
        lobby.cancel(game_id=again.pk, host_id=alice.user_id, now=NOON)
    with pytest.raises(LobbyRefusal) as refused:
        lobby.rematch(game=game, player=alice, now=later(hours=23))
    assert refused.value.code == "lobby.too-many-invitations"
    assert not Game.objects.filter(rematch_of=game).exists()
    assert OutboxMessage.objects.filter(kind="invitation").count() == 2 * MOST_TO_ONE
    assert lobby.rematch(game=game, player=alice, now=later(hours=25)).pk
