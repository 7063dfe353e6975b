"""Signing up by e-mail with a code."""

import io
import time
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.core.cache import cache
from django.core.mail import EmailMultiAlternatives
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.models import User

Code = Callable[[str], str]
FORM = {"email": "carol@example.org", "display_name": "Carol", "time_zone": "Europe/Rome"}
CONFIRM = "/accounts/confirm-email/"


def sign_up(client: Client, **fields: str) -> Any:
    return client.post("/accounts/signup/", {**FORM, **fields})


def test_signing_up_asks_for_a_code_and_logs_in(client: Client, mailed_code: Code) -> None:
    response = sign_up(client)
    assert response.status_code == 302
    assert response["Location"] == CONFIRM
    assert client.get("/settings/").status_code == 302, "not before the code is typed"
    response = client.post(CONFIRM, {"code": mailed_code("carol@example.org")})
    assert response["Location"] == "/"
    carol = User.objects.get(email="carol@example.org")
    assert (carol.display_name, carol.time_zone, carol.language) == ("Carol", "Europe/Rome", "en")
    assert not carol.has_usable_password()
    assert EmailAddress.objects.get(user=carol).verified
    page = client.get("/settings/")
    assert page.status_code == 200
    assert "carol@example.org" in page.content.decode()


def test_the_mail_says_that_no_person_wrote_it(client: Client) -> None:
    sign_up(client)
    headers = mail.outbox[-1].message()
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers["X-Auto-Response-Suppress"] == "All"


def test_a_wrong_code_confirms_nothing(client: Client) -> None:
    sign_up(client)
    for _attempt in range(4):
        client.post(CONFIRM, {"code": "AAAA-AAAA"})
    assert not EmailAddress.objects.filter(verified=True).exists()
    assert client.get("/settings/").status_code == 302


def test_a_right_code_after_three_wrong_ones_comes_too_late(
    client: Client, mailed_code: Code
) -> None:
    sign_up(client)
    code = mailed_code("carol@example.org")
    for _attempt in range(3):
        client.post(CONFIRM, {"code": "AAAA-AAAA"})
    client.post(CONFIRM, {"code": code})
    assert client.get("/settings/").status_code == 302


def test_the_language_of_the_page_becomes_the_account_s(client: Client, mailed_code: Code) -> None:
    client.post("/language/", {"language": "it", "next": "/accounts/signup/"})
    sign_up(client)
    assert User.objects.get(email="carol@example.org").language == "it"


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"display_name": "alice"}, "display_name"),
        ({"display_name": "АLICE"}, "display_name"),  # a Cyrillic А
        ({"display_name": "x"}, "display_name"),
        ({"display_name": ""}, "display_name"),
        ({"time_zone": "Mars/Olympus"}, "time_zone"),
        ({"email": "nobody"}, "email"),
    ],
)
def test_what_may_not_be_is_said_and_kept(
    client: Client, alice: User, fields: dict[str, str], field: str
) -> None:
    response = sign_up(client, **fields)
    assert response.status_code == 200
    assert list(response.context["form"].errors) == [field]
    assert not User.objects.filter(email="carol@example.org").exists()
    assert mail.outbox == []


def test_a_password_in_the_post_is_not_taken(client: Client, mailed_code: Code) -> None:
    """Nobody prepares an account for a stranger's address with a password of his own."""
    sign_up(client, password1="mallory-knows-this-one")
    client.post(CONFIRM, {"code": mailed_code("carol@example.org")})
    assert not User.objects.get(email="carol@example.org").has_usable_password()


def test_an_address_with_an_account_gets_the_same_answer(client: Client, alice: User) -> None:
    fresh = Client()
    for_new = sign_up(fresh)
    for_known = sign_up(client, email=alice.email, display_name="Mallory")
    assert (for_new.status_code, for_new["Location"]) == (
        for_known.status_code,
        for_known["Location"],
    )
    pages = [
        browser.get(CONFIRM).content.decode().replace(address, "ADDRESS")
        for browser, address in ((fresh, FORM["email"]), (client, alice.email))
    ]
    first, second = (
        [line for line in page.splitlines() if "csrfmiddlewaretoken" not in line] for page in pages
    )
    assert first == second
    [note] = [message for message in mail.outbox if message.to == [alice.email]]
    assert "has an account already" in str(note.body)
    # The name is held as if it were an account's; nobody can get in by it.
    held = User.objects.get(display_name="Mallory")
    assert held.email.endswith(".invalid")
    assert not held.has_usable_password()
    assert not EmailAddress.objects.filter(user=held).exists()


def test_a_stranger_s_mailbox_cannot_be_filled(client: Client, alice: User) -> None:
    for _attempt in range(8):
        sign_up(Client(), email=alice.email, display_name="Mallory")
    assert len(mail.outbox) <= 2


def test_an_abandoned_sign_up_frees_its_name_and_address(client: Client, mailed_code: Code) -> None:
    sign_up(Client())
    assert sign_up(Client(), email="bob@example.org").status_code == 200, "the name is held"
    User.objects.update(date_joined=timezone.now() - timedelta(hours=1))
    cache.clear()  # an hour went by for the rate limits too
    assert sign_up(client).status_code == 302
    client.post(CONFIRM, {"code": mailed_code("carol@example.org")})
    assert User.objects.get().display_name == "Carol"


def test_an_account_somebody_uses_is_never_taken_for_abandoned(client: Client, alice: User) -> None:
    User.objects.update(date_joined=timezone.now() - timedelta(days=400))
    sign_up(client, display_name="Alice")
    sign_up(client, email=alice.email)
    assert User.objects.filter(pk=alice.pk).exists()


def test_the_code_can_be_asked_for_again(
    client: Client, mailed_code: Code, monkeypatch: pytest.MonkeyPatch
) -> None:
    sign_up(client)
    first = mailed_code("carol@example.org")
    half_a_minute_later = time.time() + 30
    monkeypatch.setattr("time.time", lambda: half_a_minute_later)
    client.post(CONFIRM, {"action": "resend"})
    second = mailed_code("carol@example.org")
    assert first != second
    client.post(CONFIRM, {"code": second})
    assert client.get("/settings/").status_code == 200


def test_a_dead_mail_server_is_told_and_is_no_crash(
    client: Client, settings: Any, mailed_code: Code
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_PORT = 9  # discard: nobody listens
    response = client.post("/accounts/signup/", FORM, follow=True)
    assert response.status_code == 200
    assert "could not be sent" in response.content.decode()


def test_the_mail_has_text_and_html_in_the_page_s_language(client: Client) -> None:
    sign_up(client)
    [message] = mail.outbox
    assert isinstance(message, EmailMultiAlternatives)
    [(html, kind)] = message.alternatives
    assert kind == "text/html"
    assert '<html lang="en">' in str(html)
    assert "Perudo by Post" in message.subject
    for body in (message.body, html):
        assert "Carol" not in str(body), "a stranger's text until the address is proved"


def test_the_command_forgets_what_was_never_finished(client: Client, alice: User) -> None:
    sign_up(client)
    call_command("tidy_accounts", stdout=io.StringIO())
    assert User.objects.count() == 2, "she may still be typing"
    User.objects.update(date_joined=timezone.now() - timedelta(hours=1))
    answer = io.StringIO()
    call_command("tidy_accounts", stdout=answer)
    assert answer.getvalue() == "erased: 1 sign-ups, 0 sessions\n"
    assert User.objects.get() == alice


def test_a_code_page_left_open_until_the_sign_up_was_forgotten_is_no_crash(
    client: Client, mailed_code: Code
) -> None:
    sign_up(client)
    code = mailed_code("carol@example.org")
    User.objects.all().delete()
    assert client.get(CONFIRM).status_code in {200, 302}
    client.post(CONFIRM, {"action": "resend"})
    client.post(CONFIRM, {"code": code})
    assert client.get("/settings/").status_code == 302
    assert client.get("/accounts/signup/").status_code in {200, 302}
