"""Logging in, by code and by password, and how often one may try."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.tasks import tidy
from tests.integration.accounts.conftest import PASSWORD

Code = Callable[[str], str]
LogIn = Callable[..., Client]
CODE_PAGE = "/accounts/login/code/confirm/"


def test_without_a_password_a_code_is_mailed(
    client: Client, alice: User, mailed_code: Code
) -> None:
    response = client.post("/accounts/login/", {"login": "Alice@Example.org"})
    assert response["Location"] == CODE_PAGE
    response = client.post(CODE_PAGE, {"code": mailed_code(alice.email)})
    assert response["Location"] == "/"
    assert client.get("/settings/").status_code == 200


def test_a_code_is_good_once_and_in_one_browser(
    client: Client, alice: User, mailed_code: Code
) -> None:
    mallory = Client()
    mallory.post("/accounts/login/", {"login": alice.email})
    client.post("/accounts/login/", {"login": alice.email})
    code = mailed_code(alice.email)
    mallory.post(CODE_PAGE, {"code": code})
    assert mallory.get("/settings/").status_code == 302
    client.post(CODE_PAGE, {"code": code})
    assert client.get("/settings/").status_code == 200
    client.post("/accounts/logout/")
    client.post(CODE_PAGE, {"code": code})
    assert client.get("/settings/").status_code == 302


def test_a_password_logs_in_at_once(client: Client, bob: User) -> None:
    response = client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    assert response["Location"] == "/"
    assert mail.outbox == []


def test_a_wrong_password_says_no_more_for_one_address_than_for_another(
    client: Client, bob: User
) -> None:
    errors = [
        client.post("/accounts/login/", {"login": login, "password": "wrong-wrong"})
        .context["form"]
        .errors.as_json()
        for login in (bob.email, "nobody@example.org")
    ]
    assert errors[0] == errors[1]


def test_an_unknown_address_gets_the_same_page_and_another_mail(
    client: Client, alice: User
) -> None:
    known = client.post("/accounts/login/", {"login": alice.email})
    unknown = Client().post("/accounts/login/", {"login": "nobody@example.org"})
    assert (known.status_code, known["Location"]) == (unknown.status_code, unknown["Location"])
    to_alice, to_nobody = mail.outbox
    assert to_alice.subject == "Your log-in code for Perudo by Post"
    assert to_nobody.subject == "No account at Perudo by Post"


def test_a_stranger_s_mailbox_cannot_be_filled(client: Client) -> None:
    for _attempt in range(6):
        Client().post("/accounts/login/", {"login": "nobody@example.org"})
    assert len(mail.outbox) == 2


def test_codes_to_a_known_address_are_counted_too(alice: User) -> None:
    for _attempt in range(6):
        Client().post("/accounts/login/", {"login": alice.email})
    assert len(mail.outbox) == 3


def test_guessing_a_password_is_stopped(client: Client, bob: User) -> None:
    for _attempt in range(5):
        client.post("/accounts/login/", {"login": bob.email, "password": "wrong-wrong"})
    response = client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    assert response.status_code == 200
    assert "Too many" in response.content.decode()
    assert client.get("/settings/").status_code == 302


def test_a_forged_forwarded_address_does_not_escape_the_limit(client: Client) -> None:
    """No proxy is trusted by default, so what the client says of itself counts for nothing."""
    answers = [
        client.post(
            "/accounts/login/",
            {"login": f"n{attempt}@example.org", "password": "wrong-wrong"},
            headers={"x-forwarded-for": f"203.0.113.{attempt}"},
        )
        for attempt in range(32)
    ]
    assert answers[-1].status_code == 429
    assert "Too many tries" in answers[-1].content.decode()


def test_behind_a_trusted_proxy_each_client_has_its_own_limit(
    client: Client, settings: Any
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    statuses = {
        client.post(
            "/accounts/login/",
            {"login": f"n{attempt}@example.org", "password": "wrong-wrong"},
            # The proxy adds the last one; what stands before it was forged by the client.
            headers={"x-forwarded-for": f"198.51.100.1, 203.0.113.{attempt}"},
        ).status_code
        for attempt in range(32)
    }
    assert statuses == {200}


def test_a_session_gets_a_new_key_at_log_in(client: Client, bob: User) -> None:
    client.post("/language/", {"language": "fr"})
    client.get("/accounts/login/?next=/rules/")
    session = client.session
    session["marker"] = 1
    session.save()
    before = client.cookies["sessionid"].value if "sessionid" in client.cookies else None
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    assert client.cookies["sessionid"].value != before


def test_who_may_not_log_in_does_not(client: Client, alice: User) -> None:
    User.objects.update(is_active=False)
    client.post("/accounts/login/", {"login": alice.email})
    assert [message.subject for message in mail.outbox] == ["No account at Perudo by Post"]


def test_sessions_are_listed_and_the_others_ended(alice: User, log_in: LogIn) -> None:
    here = log_in(alice)
    there = log_in(alice, Client(headers={"user-agent": "Netscape 4"}))
    page = here.get("/accounts/sessions/").content.decode()
    assert "Netscape 4" in page
    assert page.count("this one") == 1
    here.post("/accounts/sessions/")
    assert there.get("/settings/").status_code == 302
    assert here.get("/settings/").status_code == 200
    assert UserSession.objects.count() == 1


def test_changing_the_password_ends_every_session(bob: User, client: Client) -> None:
    there = Client()
    for browser in (client, there):
        browser.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post(
        "/accounts/password/change/",
        {
            "oldpassword": PASSWORD,
            "password1": "another-leather-cup",
            "password2": "another-leather-cup",
        },
    )
    assert there.get("/settings/").status_code == 302
    bob.refresh_from_db()
    assert bob.check_password("another-leather-cup")
    assert "Something changed in your account" in str(mail.outbox[-1].body)


def test_a_forgotten_password_is_set_anew_by_code(
    client: Client, bob: User, mailed_code: Code
) -> None:
    response = client.post("/accounts/password/reset/", {"email": bob.email})
    page = client.get(response["Location"])
    assert bob.email in page.content.decode()
    response = client.post(response["Location"], {"code": mailed_code(bob.email)})
    new = "a-third-leather-cup"
    client.post(response["Location"], {"password1": new, "password2": new})
    bob.refresh_from_db()
    assert bob.check_password(new)


@pytest.mark.parametrize("entrance", ["login/", "signup/", "login/code/", "password/reset/"])
def test_every_entrance_can_be_read(client: Client, entrance: str) -> None:
    response = client.get(f"/accounts/{entrance}")
    assert response.status_code == 200
    html = response.content.decode()
    assert html.count("<h1>") == 1
    assert html.count("<main") == 1


def test_reading_a_page_starts_no_session(client: Client) -> None:
    client.get("/accounts/login/")
    assert Session.objects.count() == 0


def test_what_is_kept_of_a_session_goes_when_it_is_over(
    alice: User, bob: User, log_in: LogIn
) -> None:
    log_in(alice)
    browser = log_in(bob, Client())
    over = Session.objects.get(
        session_key=UserSession.objects.get(user=alice).session_key
    ).expire_date
    Session.objects.filter(expire_date=over).update(expire_date=over - timedelta(days=30))
    assert tidy() == 1
    assert UserSession.objects.get().user == bob
    assert Session.objects.count() == 1
    assert browser.get("/settings/").status_code == 200
