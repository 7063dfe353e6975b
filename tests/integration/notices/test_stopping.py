"""The links in mails that stop them: one click, no log-in, one purpose, revocable."""

import re

import pytest
from django.core import mail as mailbox
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from games import rules
from games.mail.render import render
from games.mail.stopping import StopAddress, StopGame, StopTopic, address_digest, read_stop
from games.models import OutboxMessage, StoppedAddress, Topic, Wishes
from games.services import lobby, outbox, wishes
from tests.cast import NOON, person, player, seat_of
from tests.integration.games.mailing import links_of, opened_by_alice, sent_mail

pytestmark = pytest.mark.django_db

ONE_CLICK = {"List-Unsubscribe": "One-Click"}
SURE = {"sure": "on"}


def path_in(header: str) -> str:
    header, _, by_mail = header.partition(", ")
    assert re.fullmatch(r"<mailto:u-\S{26}@in\.localhost>", by_mail)
    assert header.startswith("<http")
    assert header.endswith("/>")
    return "/" + header.strip("<>").split("/", 3)[3]


def one_click(mail: EmailMultiAlternatives) -> str:
    """Return the address that a mail program posts to."""
    assert mail.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    return path_in(mail.extra_headers["List-Unsubscribe"])


def stop_links(mail: EmailMultiAlternatives) -> dict[str, str]:
    """Return the paths of the links in the mail's text, by what they stop."""
    paths = ["/" + link.split("/", 3)[3] for link in links_of(mail) if "/stop/" in link]
    found = {}
    for path in paths:
        what = read_stop(path.split("/")[2])
        found[type(what).__name__] = path
    return found


def stranger() -> Client:
    """Return what has no cookie and checks forms as strictly as the site can."""
    return Client(enforce_csrf_checks=True)


def test_every_mail_to_a_player_can_be_stopped_with_one_click() -> None:
    game = opened_by_alice("alice", "bob", "carol")
    for row in OutboxMessage.objects.filter(game=game):
        mail = render(row, now=NOON)
        if mail is not None:
            assert isinstance(read_stop(one_click(mail).split("/")[2]), StopGame)
            assert {"StopTopic", "StopGame"} == stop_links(mail).keys()


def test_looking_at_the_link_changes_nothing_and_asks_once_more() -> None:
    game = opened_by_alice()
    path = one_click(sent_mail(game, "turn", "bob"))
    client = stranger()
    for method in (client.get, client.head):
        answer = method(path)
        assert answer.status_code == 200
        assert not answer.cookies
    assert b'method="post"' in client.get(path).content
    assert not seat_of(game, "bob").is_muted


def test_one_click_mutes_the_game_for_its_reader_alone_without_a_session() -> None:
    game = opened_by_alice()
    path = one_click(sent_mail(game, "turn", "bob"))
    for _ in range(2):
        answer = stranger().post(path, ONE_CLICK)
        assert (answer.status_code, dict(answer.cookies)) == (200, {})
        assert "no-store" in answer["Cache-Control"]
    assert seat_of(game, "bob").is_muted
    assert not seat_of(game, "alice").is_muted
    outbox.relay(now=NOON)
    assert ["bob@example.org"] not in [mail.to for mail in mailbox.outbox]
    game.refresh_from_db()
    assert game.status == "active"


def test_the_other_link_stops_one_kind_and_no_other() -> None:
    game = opened_by_alice()
    path = stop_links(sent_mail(game, "turn", "bob"))["StopTopic"]
    assert stranger().post(path, SURE).status_code == 200
    assert stranger().post(path, SURE).status_code == 200
    assert Wishes.objects.get(user=person("bob")).stopped == [Topic.TURN]
    assert not seat_of(game, "bob").is_muted


def test_a_program_that_sends_every_form_stops_nothing() -> None:
    game = opened_by_alice()
    path = one_click(sent_mail(game, "turn", "bob"))
    assert b'type="checkbox" name="sure" required>' in stranger().get(path).content
    assert stranger().post(path).status_code == 422
    assert stranger().post(path, "junk", content_type="text/plain").status_code == 422
    assert stranger().post(path, {"List-Unsubscribe": "Two"}).status_code == 422
    assert not seat_of(game, "bob").is_muted


def test_links_of_old_mails_are_void_once_revoked_and_new_ones_are_good() -> None:
    game = opened_by_alice()
    old = one_click(sent_mail(game, "turn", "bob"))
    wishes.revoke_links(user_id=person("bob").pk)
    assert stranger().post(old, SURE).status_code == 404
    assert not seat_of(game, "bob").is_muted
    wishes.revoke_links(user_id=person("bob").pk)
    new = one_click(sent_mail(game, "turn", "bob"))
    assert new != old
    assert stranger().post(new, SURE).status_code == 200
    assert seat_of(game, "bob").is_muted


def test_a_token_that_is_not_ours_is_no_page() -> None:
    game = opened_by_alice()
    path = one_click(sent_mail(game, "turn", "bob"))
    token = path.split("/")[2]
    head, signature = token.rsplit(":", 1)
    forged = [head + ":" + signature[::-1], f"A{token}", token[:-1], "x" * 40, f"{head}:"]
    for bad in forged:
        for method in (stranger().get, stranger().post):
            assert method(f"/stop/{bad}/").status_code == 404, bad
    assert not seat_of(game, "bob").is_muted


def test_a_token_of_another_purpose_is_no_page() -> None:
    from django.core.signing import Signer

    other = Signer(salt="games.something").sign_object(["topic", person("bob").pk, 0, "turn"])
    assert stranger().post(f"/stop/{other}/").status_code == 404


@pytest.mark.parametrize("page_language", ["en", "it", "fr", "es"])
def test_the_page_reads_in_every_language(page_language: str) -> None:
    game = opened_by_alice()
    path = one_click(sent_mail(game, "turn", "bob"))
    answer = Client(headers={"accept-language": page_language}).get(path)
    assert f'lang="{page_language}"' in answer.content.decode()


# --- invitations ----------------------------------------------------------------------------------


def invite(email: str, host: str = "alice") -> None:
    who = player(person(host))
    new = lobby.NewGame(rules.find_ruleset("bga"), seats=3, turn_seconds=86_400)
    room = lobby.create_game(host=who, new=new, now=NOON)
    lobby.invite(game_id=room.pk, player=who, emails=[email], language="en", now=NOON)


def invitations() -> list[EmailMultiAlternatives]:
    mailbox.outbox.clear()
    outbox.relay(now=NOON)
    return list(mailbox.outbox)


def test_an_address_can_refuse_invitations_for_good_whoever_sends_them() -> None:
    invite("zoe@example.org")
    (mail,) = invitations()
    assert stop_links(mail).keys() == {"StopAddress"}
    assert "zoe" not in one_click(mail)
    assert stranger().post(one_click(mail), ONE_CLICK).status_code == 200
    assert stranger().post(one_click(mail), ONE_CLICK).status_code == 200
    invite("Zoe@Example.org", host="bob")
    assert invitations() == []
    invite("yann@example.org", host="bob")
    assert len(invitations()) == 1


def test_the_address_itself_is_not_kept() -> None:
    wishes.stop(StopAddress(address_digest("zoe@example.org")), now=NOON)
    (row,) = StoppedAddress.objects.all()
    assert "zoe" not in f"{row.pk} {row}"
    assert address_digest(" ZOE@example.org") == row.pk


def test_stopping_for_an_account_that_is_gone_does_nothing() -> None:
    user = person("bob")
    what = StopTopic(user.pk, 0, Topic.TURN)
    user.delete()
    assert not wishes.stop(what, now=NOON)
    assert not Wishes.objects.exists()
