"""What a person may change about himself, and how it shows."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.test import Client, RequestFactory
from django.utils import timezone, translation

from accounts import services
from accounts.middleware import reader_locale
from accounts.models import User

LogIn = Callable[..., Client]
FORM = {
    "display_name": "Alice",
    "time_zone": "America/Lima",
    "language": "es",
    "dice_in_mail": "on",
}


def test_settings_are_stored(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    response = browser.post("/settings/", {**FORM, "display_name": "Alice in Lima"})
    assert response["Location"] == "/settings/"
    alice.refresh_from_db()
    assert (alice.display_name, alice.time_zone, alice.language, alice.dice_in_mail) == (
        "Alice in Lima",
        "America/Lima",
        "es",
        True,
    )
    page = browser.get("/settings/")
    assert page["Content-Language"] == "es"
    assert '<html lang="es"' in page.content.decode()


def test_dice_in_mails_can_be_switched_off(alice: User, log_in: LogIn) -> None:
    fields = {name: value for name, value in FORM.items() if name != "dice_in_mail"}
    log_in(alice).post("/settings/", fields)
    alice.refresh_from_db()
    assert alice.dice_in_mail is False


@pytest.mark.parametrize(
    "fields",
    [
        {"display_name": "BOB"},
        {"display_name": "Вob"},  # a Cyrillic В
        {"display_name": "Alice\u202e"},
        {"time_zone": "Mars/Olympus"},
        {"language": "tlh"},
    ],
)
def test_what_may_not_be_is_refused_with_422(
    alice: User, bob: User, log_in: LogIn, fields: dict[str, str]
) -> None:
    response = log_in(alice).post("/settings/", {**FORM, **fields})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == list(fields)
    alice.refresh_from_db()
    assert (alice.display_name, alice.time_zone, alice.language) == ("Alice", "UTC", "en")


def test_one_s_own_name_may_be_written_otherwise(alice: User, log_in: LogIn) -> None:
    assert log_in(alice).post("/settings/", {**FORM, "display_name": "ALICE"}).status_code == 302


def test_a_name_taken_in_between_is_refused(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The form looked before somebody else took the name: the constraint decides."""
    browser = log_in(alice)
    monkeypatch.setattr("accounts.forms.refuse_taken_name", lambda *_args, **_kwargs: None)
    response = browser.post("/settings/", {**FORM, "display_name": "Bob"})
    assert response.status_code == 422
    assert list(response.context["form"].errors) == ["display_name"]


def test_the_form_cannot_set_anything_else(alice: User, log_in: LogIn) -> None:
    log_in(alice).post(
        "/settings/",
        {**FORM, "is_staff": "on", "is_superuser": "on", "email": "mallory@example.org"},
    )
    alice.refresh_from_db()
    assert (alice.is_staff, alice.is_superuser, alice.email) == (False, False, "alice@example.org")


def test_the_page_is_for_its_owner(client: Client) -> None:
    response = client.get("/settings/")
    assert response["Location"] == "/accounts/login/?next=/settings/"


def test_set_language_is_kept_in_the_account(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    response = browser.post("/language/", {"language": "it", "next": "/settings/"})
    assert response["Location"] == "/settings/"
    alice.refresh_from_db()
    assert alice.language == "it"
    assert browser.get("/settings/")["Content-Language"] == "it"


@pytest.mark.parametrize("language", ["tlh", "", "../it"])
def test_set_language_takes_only_ours(alice: User, log_in: LogIn, language: str) -> None:
    log_in(alice).post("/language/", {"language": language})
    alice.refresh_from_db()
    assert alice.language == "en"


def test_a_get_changes_no_language(client: Client) -> None:
    assert client.get("/language/?language=it").status_code == 405


def test_who_is_signed_out_reads_by_cookie_then_by_browser(client: Client) -> None:
    french = {"accept-language": "fr-CH, fr;q=0.9, en;q=0.8"}
    page = client.get("/accounts/login/", headers=french)
    assert page["Content-Language"] == "fr"
    assert {"Cookie", "Accept-Language"} <= {part.strip() for part in page["Vary"].split(",")}
    client.post("/language/", {"language": "it"})
    assert client.get("/accounts/login/", headers=french)["Content-Language"] == "it"


def test_the_account_s_language_beats_the_browser_s(alice: User, log_in: LogIn) -> None:
    page = log_in(alice).get("/settings/", headers={"accept-language": "fr"})
    assert page["Content-Language"] == "en"


def _clock_of(user: Any) -> str:
    """Return what the middleware makes of noon UTC for ``user``."""

    def view(_request: HttpRequest) -> HttpResponse:
        noon = datetime(2026, 7, 1, 12, 0, tzinfo=UTC)
        return HttpResponse(Template("{{ noon|date:'H:i' }}").render(Context({"noon": noon})))

    request = RequestFactory().get("/")
    request.user = user
    return reader_locale(view)(request).content.decode()


def test_times_are_in_the_reader_s_zone_and_nothing_sticks(alice: User) -> None:
    from django.contrib.auth.models import AnonymousUser

    alice.time_zone, alice.language = "America/Lima", "it"
    assert _clock_of(alice) == "07:00"
    assert translation.get_language() == "en"
    assert timezone.get_current_timezone_name() == "UTC"
    assert _clock_of(AnonymousUser()) == "12:00"


def test_an_unknown_zone_in_the_row_breaks_no_page(alice: User) -> None:
    alice.time_zone = "Mars/Olympus"
    assert _clock_of(alice) == "12:00"


def test_being_signed_in_costs_two_statements(
    alice: User, log_in: LogIn, django_assert_num_queries: Any
) -> None:
    """Session and user; no row of allauth's sessions is read or written."""
    browser = log_in(alice)
    with django_assert_num_queries(2):
        assert browser.get("/settings/").status_code == 200


def test_being_signed_out_costs_nothing(client: Client, django_assert_num_queries: Any) -> None:
    with django_assert_num_queries(0):
        assert client.get("/accounts/login/").status_code == 200


def test_create_user_checks_what_it_is_given(alice: User) -> None:
    for email, name in (
        ("x", "Xavier"),
        ("x@example.org", "X\n"),
        ("ALICE@example.org", "Xavier"),
    ):
        with pytest.raises(ValidationError):
            services.create_user(email=email, display_name=name)


def test_two_rows_cannot_share_a_key_whoever_writes_them(alice: User) -> None:
    with pytest.raises(IntegrityError):
        User.objects.create(email="x@example.org", display_name="AIice")


def test_an_address_is_stored_and_found_in_one_spelling(alice: User) -> None:
    user = User.objects.create(email=" Carol@Example.ORG ", display_name="Carol")
    assert user.email == "carol@example.org"
    assert User.objects.get(email="CAROL@example.org") == user
    assert User.objects.get_by_natural_key("Carol@example.org") == user
