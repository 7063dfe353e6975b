"""Whoever follows a link lands there, whichever way he gets in; and nowhere else."""

from collections.abc import Callable
from urllib.parse import quote

import pytest
from django.core import mail
from django.test import Client

from accounts.models import User
from tests.integration.accounts.conftest import PASSWORD

Code = Callable[[str], str]
JOIN = "/join/kd83-invite/"
EVIL = [
    "https://evil.example/",
    "//evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "http:///evil.example",
    "javascript:alert(1)",
    "https:evil.example",
    " //evil.example",
    "/\t/evil.example",
]


def test_an_invited_person_signs_up_and_lands_at_the_invitation(
    client: Client, mailed_code: Code
) -> None:
    page = client.get(f"/accounts/signup/?next={quote(JOIN)}").content.decode()
    assert f'<input type="hidden" name="next" value="{JOIN}"' in page
    client.post(
        "/accounts/signup/",
        {
            "email": "carol@example.org",
            "display_name": "Carol",
            "time_zone": "UTC",
            "next": JOIN,
        },
    )
    response = client.post("/accounts/confirm-email/", {"code": mailed_code("carol@example.org")})
    assert response["Location"] == JOIN


def test_the_way_from_log_in_to_sign_up_keeps_the_invitation(client: Client) -> None:
    page = client.get(f"/accounts/login/?next={quote(JOIN)}").content.decode()
    assert f'href="/accounts/signup/?next={quote(JOIN, safe="")}"' in page
    page = client.get(f"/accounts/signup/?next={quote(JOIN)}").content.decode()
    assert f'href="/accounts/login/?next={quote(JOIN, safe="")}"' in page


def test_log_in_by_code_lands_there(client: Client, alice: User, mailed_code: Code) -> None:
    response = client.post("/accounts/login/", {"login": alice.email, "next": JOIN})
    page = client.get(response["Location"])
    assert f'<input type="hidden" name="next" value="{JOIN}"' in page.content.decode()
    response = client.post(
        "/accounts/login/code/confirm/", {"code": mailed_code(alice.email), "next": JOIN}
    )
    assert response["Location"] == JOIN


def test_log_in_by_password_lands_there(client: Client, bob: User) -> None:
    page = client.get(f"/accounts/login/?next={quote(JOIN)}").content.decode()
    forms = page.count(f'<input type="hidden" name="next" value="{JOIN}"')
    assert forms == 2, "of the form and of the passkey"
    response = client.post(
        "/accounts/login/", {"login": bob.email, "password": PASSWORD, "next": JOIN}
    )
    assert response["Location"] == JOIN


def test_who_is_logged_in_already_goes_straight_there(
    alice: User, log_in: Callable[..., Client]
) -> None:
    browser = log_in(alice)
    for page in ("login", "signup"):
        response = browser.get(f"/accounts/{page}/?next={quote(JOIN)}")
        assert response["Location"] == JOIN


def test_mails_to_strangers_keep_the_invitation(client: Client, alice: User) -> None:
    client.post(
        "/accounts/signup/",
        {"email": alice.email, "display_name": "Alice B", "time_zone": "UTC", "next": JOIN},
    )
    Client().post("/accounts/login/", {"login": "nobody@example.org", "next": JOIN})
    has_account, unknown = mail.outbox
    assert f"/accounts/login/?next={quote(JOIN, safe='')}" in str(has_account.body)
    assert f"/accounts/signup/?next={quote(JOIN, safe='')}" in str(unknown.body)


@pytest.mark.parametrize("evil", EVIL)
def test_nobody_is_led_to_another_site(
    client: Client, bob: User, evil: str, mailed_code: Code
) -> None:
    response = client.post(
        "/accounts/login/", {"login": bob.email, "password": PASSWORD, "next": evil}
    )
    assert response["Location"] == "/"
    carol = Client()
    carol.post(
        "/accounts/signup/",
        {
            "email": "carol@example.org",
            "display_name": "Carol",
            "time_zone": "UTC",
            "next": evil,
        },
    )
    response = carol.post("/accounts/confirm-email/", {"code": mailed_code("carol@example.org")})
    assert response["Location"] == "/"
    response = carol.post("/language/", {"language": "fr", "next": evil})
    assert response["Location"] == "/"
