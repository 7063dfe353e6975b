"""Nobody learns from the site who has an account: same answer, same length, same work."""

import itertools
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.core import mail
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User

STRANGER = "malloc@example.org"  # as long as bob's and alice's below
TOKENS = re.compile(rb'(csrfmiddlewaretoken" value="|hx-headers=")[^"]*')

VARYING = {"Content-Length", "Expires"}  # the page's length is compared; the clock goes on
NAMES = (f"Newcomer {number}" for number in itertools.count(100))

FLOWS: dict[str, tuple[str, Callable[[str], dict[str, str]]]] = {
    "log-in by code": ("/accounts/login/", lambda email: {"login": email}),
    "code alone": ("/accounts/login/code/", lambda email: {"email": email}),
    "reset": ("/accounts/password/reset/", lambda email: {"email": email}),
    "sign-up": (
        "/accounts/signup/",
        lambda email: {"email": email, "display_name": next(NAMES), "time_zone": "UTC"},
    ),
    "wrong password": (
        "/accounts/login/",
        lambda email: {"login": email, "password": "wrong-wrong"},
    ),
}


def told(flow: str, email: str) -> tuple[Any, ...]:
    """Return all that a client sees: of the answer, and of the page that it leads to."""
    path, fields = FLOWS[flow]
    browser = Client()
    seen: list[Any] = []
    first = browser.post(path, fields(email))
    for answer in (first, browser.get(first.get("Location") or path)):
        body = TOKENS.sub(b"", answer.content).replace(email.encode(), b"ADDRESS")
        headers = {name: value for name, value in answer.items() if name not in VARYING}
        seen.append((answer.status_code, answer.get("Location"), body, headers))
    cookies = {name: len(morsel.value) for name, morsel in browser.cookies.items()}
    return (*seen, cookies)


@pytest.fixture
def member(db: None) -> User:
    from accounts import services

    user = services.create_user(email="member@example.org", display_name="Member")
    user.set_password("six-sided-leather-cup")
    user.save()
    return user


@pytest.mark.parametrize("flow", FLOWS)
def test_an_address_with_an_account_looks_like_one_without(flow: str, member: User) -> None:
    assert told(flow, member.email) == told(flow, STRANGER)


@pytest.mark.parametrize("flow", FLOWS)
def test_after_many_tries_the_two_still_look_alike(flow: str, member: User) -> None:
    known = [told(flow, member.email) for _attempt in range(7)]
    cache.clear()
    unknown = [told(flow, STRANGER) for _attempt in range(7)]
    assert [each[0][:2] for each in known] == [each[0][:2] for each in unknown]


@pytest.mark.parametrize("flow", ["log-in by code", "code alone", "reset", "sign-up"])
def test_both_get_a_mail_so_that_both_take_its_time(flow: str, member: User) -> None:
    told(flow, member.email)
    told(flow, STRANGER)
    assert [message.to for message in mail.outbox] == [[member.email], [STRANGER]]


@pytest.mark.parametrize("flow", ["log-in by code", "code alone", "reset"])
def test_the_database_is_asked_about_as_much_for_both(flow: str, member: User) -> None:
    counts = []
    told(flow, "warm@example.org")
    for email in (member.email, STRANGER):
        cache.clear()
        with CaptureQueriesContext(connection) as queries:
            told(flow, email)
        counts.append(len(queries))
    assert abs(counts[0] - counts[1]) <= 3, counts


def test_a_password_is_hashed_for_both(member: User, monkeypatch: pytest.MonkeyPatch) -> None:
    hasher = hashers.get_hasher()
    work: list[str] = []
    real = type(hasher).encode

    def encode(self: Any, password: str, salt: str, *rest: Any) -> str:
        work.append(password)
        return str(real(self, password, salt, *rest))

    monkeypatch.setattr(type(hasher), "encode", encode)
    amounts = []
    for email in (member.email, STRANGER):
        work.clear()
        told("wrong password", email)
        amounts.append(len(work))
    assert amounts[0] == amounts[1] > 0


def test_a_name_is_held_by_a_sign_up_whether_or_not_it_made_an_account(member: User) -> None:
    """Else the second try tells what the first one did not."""
    for name, email in (("Xanthippe", member.email), ("Yolanda", STRANGER)):
        form = {"email": email, "display_name": name, "time_zone": "UTC"}
        assert Client().post("/accounts/signup/", form).status_code == 302
        again = Client().post("/accounts/signup/", {**form, "email": f"{name}@example.org"})
        assert again.context["form"].errors.as_data().keys() == {"display_name"}


def test_a_held_name_is_free_again_when_the_time_is_over(member: User) -> None:
    from datetime import timedelta

    from django.utils import timezone

    from accounts.tasks import tidy

    form = {"email": member.email, "display_name": "Xanthippe", "time_zone": "UTC"}
    Client().post("/accounts/signup/", form)
    User.objects.exclude(pk=member.pk).update(date_joined=timezone.now() - timedelta(hours=1))
    assert tidy() == 1
    assert list(User.objects.all()) == [member]
