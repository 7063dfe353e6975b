"""Proving anew that it is still you; closing the account; changing the address."""

import time
from collections.abc import Callable, Iterator
from datetime import datetime
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.usersessions.models import UserSession
from django.contrib.sessions.models import Session
from django.core import mail
from django.test import Client

from accounts.models import User
from accounts.signals import account_closing
from tests.integration.accounts.conftest import PASSWORD

Code = Callable[[str], str]
LogIn = Callable[..., Client]
DELETE = "/settings/delete/"
PROVE = "/settings/prove/"


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """Let time pass for allauth's and our own clocks, in seconds."""
    started = time.time()

    def pass_time(seconds: float) -> None:
        monkeypatch.setattr("time.time", lambda: started + seconds)

    return pass_time


def test_a_fresh_log_in_is_proof_enough(alice: User, log_in: LogIn) -> None:
    assert log_in(alice).get(DELETE).status_code == 200


def test_an_old_session_must_prove_by_code(
    alice: User, log_in: LogIn, mailed_code: Code, later: Callable[[float], None]
) -> None:
    browser = log_in(alice)
    mail.outbox.clear()
    later(301)
    response = browser.get(DELETE)
    assert response["Location"] == f"{PROVE}?next=%2Fsettings%2Fdelete%2F"
    assert browser.get(response["Location"]).status_code == 200
    assert mail.outbox == [], "reading a page mails nothing"
    browser.post(PROVE, {"send": "1", "next": DELETE})
    response = browser.post(PROVE, {"code": mailed_code(alice.email), "next": DELETE})
    assert response["Location"] == DELETE
    assert browser.get(DELETE).status_code == 200


def test_a_proof_code_is_good_for_three_tries_and_ten_minutes(
    alice: User, log_in: LogIn, mailed_code: Code, later: Callable[[float], None]
) -> None:
    browser = log_in(alice)
    later(301)
    browser.post(PROVE, {"send": "1"})
    code = mailed_code(alice.email)
    for _attempt in range(3):
        assert browser.post(PROVE, {"code": "AAAA-AAAA"}).status_code == 422
    assert browser.post(PROVE, {"code": code}).status_code == 422
    browser.post(PROVE, {"send": "1"})
    later(301 + 601)
    assert browser.post(PROVE, {"code": mailed_code(alice.email)}).status_code == 422
    assert browser.get(DELETE).status_code == 302


def test_a_proof_code_is_read_as_people_type_it(
    alice: User, log_in: LogIn, mailed_code: Code, later: Callable[[float], None]
) -> None:
    browser = log_in(alice)
    later(301)
    browser.post(PROVE, {"send": "1"})
    typed = f" {mailed_code(alice.email).replace('-', ' ').lower()} "
    assert browser.post(PROVE, {"code": typed, "next": DELETE})["Location"] == DELETE


@pytest.mark.parametrize("evil", ["https://evil.example/", "//evil.example", "/\\evil.example"])
def test_a_proof_leads_to_no_other_site(
    alice: User, log_in: LogIn, mailed_code: Code, later: Callable[[float], None], evil: str
) -> None:
    browser = log_in(alice)
    later(301)
    assert browser.post(PROVE, {"send": "1", "next": evil})["Location"] == PROVE
    response = browser.post(PROVE, {"code": mailed_code(alice.email), "next": evil})
    assert response["Location"] == "/settings/"


def test_what_was_posted_before_the_proof_is_done_after_it(
    alice: User, log_in: LogIn, mailed_code: Code, later: Callable[[float], None]
) -> None:
    browser = log_in(alice)
    later(301)
    address = "/accounts/email/"
    browser.post(address, {"action_add": "", "email": "alice@new.example.org"})
    browser.post(PROVE, {"send": "1", "next": address})
    browser.post(PROVE, {"code": mailed_code("alice@example.org"), "next": address})
    assert mail.outbox[-1].to == ["alice@new.example.org"]


def test_proof_codes_are_limited(
    alice: User, log_in: LogIn, later: Callable[[float], None]
) -> None:
    browser = log_in(alice)
    later(301)
    statuses = [browser.post(PROVE, {"send": "1"}).status_code for _attempt in range(4)]
    assert statuses == [302, 302, 302, 429]


def test_someone_with_a_password_proves_by_password(bob: User, client: Client) -> None:
    client.post("/accounts/login/", {"login": bob.email, "password": PASSWORD})
    response = client.get(DELETE)
    assert response["Location"].startswith("/accounts/reauthenticate/")
    assert client.get(PROVE)["Location"] == "/accounts/reauthenticate/"
    client.post(response["Location"], {"password": "wrong-wrong"})
    assert client.get(DELETE).status_code == 302
    response = client.post(response["Location"], {"password": PASSWORD, "next": DELETE})
    assert response["Location"] == DELETE
    assert client.get(DELETE).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        DELETE,
        "/accounts/password/set/",
        "/accounts/2fa/totp/activate/",
        "/accounts/2fa/webauthn/add/",
    ],
)
def test_what_cannot_be_undone_asks_for_proof(
    alice: User, log_in: LogIn, later: Callable[[float], None], address: str
) -> None:
    browser = log_in(alice)
    assert browser.get(address).status_code == 200
    later(301)
    assert browser.get(address)["Location"].startswith(PROVE)
    assert browser.post(address)["Location"].startswith(PROVE)
    assert Client().get(address)["Location"].startswith("/accounts/login/")


def test_a_stolen_session_cannot_move_the_address(
    alice: User, log_in: LogIn, later: Callable[[float], None]
) -> None:
    browser = log_in(alice)
    later(301)
    assert browser.get("/accounts/email/").status_code == 200
    response = browser.post("/accounts/email/", {"action_add": "", "email": "m@example.org"})
    assert response["Location"].startswith(PROVE)
    assert not EmailAddress.objects.filter(email="m@example.org").exists()


def test_the_address_changes_when_the_new_one_is_proved(
    alice: User, log_in: LogIn, mailed_code: Code
) -> None:
    browser = log_in(alice)
    new = "alice@new.example.org"
    browser.post("/accounts/email/", {"action_add": "", "email": new})
    assert User.objects.get().email == "alice@example.org", "not before it is proved"
    browser.post("/accounts/confirm-email/", {"code": mailed_code(new)})
    alice.refresh_from_db()
    assert alice.email == new
    [address] = EmailAddress.objects.all()
    assert (address.email, address.verified, address.primary) == (new, True, True)
    assert mail.outbox[-1].to == ["alice@example.org"], "the old address hears of it"


def test_whoever_proves_an_address_beats_whoever_only_claimed_it(
    alice: User, log_in: LogIn, mailed_code: Code
) -> None:
    browser = log_in(alice)
    new = "alice@new.example.org"
    browser.post("/accounts/email/", {"action_add": "", "email": new})
    code = mailed_code(new)
    squatter = User.objects.create(email=new, display_name="Mallory")
    EmailAddress.objects.create(user=squatter, email=new, primary=True)
    browser.post("/accounts/confirm-email/", {"code": code})
    alice.refresh_from_db()
    assert alice.email == new
    assert not User.objects.filter(display_name="Mallory").exists()


def test_an_address_of_somebody_else_is_not_taken_over(
    alice: User, bob: User, log_in: LogIn
) -> None:
    browser = log_in(alice)
    browser.post("/accounts/email/", {"action_add": "", "email": bob.email})
    alice.refresh_from_db()
    bob.refresh_from_db()
    assert (alice.email, bob.email) == ("alice@example.org", "bob@example.org")
    assert EmailAddress.objects.get(email=bob.email).user == bob


@pytest.fixture
def closings() -> Iterator[list[dict[str, Any]]]:
    """Collect what ``account_closing`` says, and whether the row was still there."""
    heard: list[dict[str, Any]] = []

    def note(user: User, now: datetime, **_kwargs: Any) -> None:
        heard.append({"pk": user.pk, "now": now, "there": User.objects.filter(pk=user.pk).exists()})

    account_closing.connect(note)
    yield heard
    account_closing.disconnect(note)


def test_closing_erases_the_person(
    alice: User, bob: User, log_in: LogIn, closings: list[dict[str, Any]]
) -> None:
    browser, elsewhere = log_in(alice), log_in(alice, Client())
    log_in(bob, Client())
    pk = alice.pk
    response = browser.post(DELETE, {"sure": "on"})
    assert response["Location"] == "/"
    assert not User.objects.filter(pk=pk).exists()
    assert not EmailAddress.objects.filter(email="alice@example.org").exists()
    assert not UserSession.objects.filter(user_id=pk).exists()
    assert Session.objects.count() == 1, "bob's"
    assert elsewhere.get("/settings/").status_code == 302
    assert browser.get("/settings/").status_code == 302
    assert User.objects.get() == bob
    [heard] = closings
    assert (heard["pk"], heard["there"]) == (pk, True)
    assert mail.outbox[-1].subject == "Your account at Perudo by Post is deleted"
    assert mail.outbox[-1].to == ["alice@example.org"]


def test_closing_wants_a_yes(alice: User, log_in: LogIn, closings: list[dict[str, Any]]) -> None:
    browser = log_in(alice)
    assert browser.post(DELETE, {}).status_code == 422
    browser.get(DELETE + "?sure=on")
    assert User.objects.filter(pk=alice.pk).exists()
    assert closings == []


def test_a_closing_that_fails_elsewhere_erases_nothing(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)

    def fail(**_kwargs: Any) -> None:
        raise RuntimeError("the games could not let go")

    account_closing.connect(fail)
    try:
        with pytest.raises(RuntimeError, match="let go"):
            browser.post(DELETE, {"sure": "on"})
    finally:
        account_closing.disconnect(fail)
    assert User.objects.filter(pk=alice.pk).exists()
    assert browser.get("/settings/").status_code == 200
