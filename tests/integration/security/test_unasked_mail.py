"""Nobody's mailbox is filled through us, however many accounts somebody makes for it."""

import pytest
from django.core import mail
from django.core.cache import cache
from django.test import Client

from games import rules
from games.models import Game, Invitation, OutboxMessage
from games.services import lobby
from games.services.errors import LobbyRefusal
from games.services.invitations import MOST_TO_ONE
from tests.cast import NOON, act, later, person, player, seat_of, table

pytestmark = pytest.mark.django_db

VICTIM = "dora@example.org"


def room(host: str) -> Game:
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=3600)
    return lobby.create_game(host=player(person(host)), new=new, now=NOON)


def invite(host: str, *emails: str, hours: float = 0) -> int:
    game = room(host)
    return lobby.invite(
        game_id=game.pk, player=player(person(host)), emails=emails, language="en",
        now=later(hours=hours),
    )  # fmt: skip


def mails() -> int:
    return OutboxMessage.objects.filter(kind="invitation").count()


def test_an_address_gets_five_invitations_a_day_from_all_together() -> None:
    assert MOST_TO_ONE == 5
    for number in range(MOST_TO_ONE):
        invite(f"sock{number}", VICTIM.upper() if number % 2 else VICTIM)
    with pytest.raises(LobbyRefusal) as refused:
        invite("mallory", "carol@example.org", VICTIM)
    assert (refused.value.code, refused.value.params["email"]) == (
        "lobby.address-has-enough", VICTIM,
    )  # fmt: skip
    assert mails() == MOST_TO_ONE
    assert not Invitation.objects.filter(email="carol@example.org").exists(), "all or none"
    assert invite("mallory", "carol@example.org") == 1
    assert invite("mallory", VICTIM, hours=25) == 1


def test_the_page_says_why_and_offers_the_link() -> None:
    from django.utils import timezone

    for number in range(MOST_TO_ONE):
        lobby.invite(
            game_id=room(f"sock{number}").pk, player=player(person(f"sock{number}")),
            emails=[VICTIM], language="en", now=timezone.now(),
        )  # fmt: skip
    game = room("alice")
    client = Client()
    client.force_login(person("alice"))
    answer = client.post(f"/g/{game.code}/invite/", {"emails": VICTIM})
    assert answer.status_code == 409
    assert f"No more invitations are mailed to {VICTIM} today" in answer.content.decode()


def test_rematches_count_too_and_leave_out_the_mail_alone() -> None:
    game = table()
    game = act(game, rules.Resign(seat_of(game, "bob").number))
    alice = player(person("alice"))
    for _ in range(MOST_TO_ONE + 2):
        again = lobby.rematch(game=game, player=alice, now=NOON)
        assert Invitation.objects.filter(game=again, user=person("bob")).exists()
        lobby.cancel(game_id=again.pk, host_id=alice.user_id, now=NOON)
    assert mails() == MOST_TO_ONE
    with pytest.raises(LobbyRefusal):
        invite("mallory", "bob@example.org")


def test_whoever_has_no_account_gets_five_mails_of_ours_a_day() -> None:
    for attempt in range(12):
        cache_of_the_hour_is_over()
        Client().post("/accounts/login/", {"login": VICTIM})
        Client().post("/accounts/login/code/", {"email": VICTIM})
        Client().post("/accounts/password/reset/", {"email": VICTIM})
        form = {"email": VICTIM, "display_name": f"Sock {attempt}", "time_zone": "UTC"}
        Client().post("/accounts/signup/", form)
    assert 0 < len(mail.outbox) <= 5


def test_a_member_gets_fifteen_codes_a_day_at_most() -> None:
    member = person("alice")
    for _attempt in range(12):
        cache_of_the_hour_is_over()
        Client().post("/accounts/login/", {"login": member.email})
        Client().post("/accounts/password/reset/", {"email": member.email})
    assert 0 < len(mail.outbox) <= 15


def cache_of_the_hour_is_over() -> None:
    """Forget every count of less than a day: an attacker waits."""
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM perudo_site_cacheentry WHERE cache_key NOT LIKE '%86400%'")


@pytest.fixture(autouse=True)
def _fresh_limits() -> None:
    cache.clear()
