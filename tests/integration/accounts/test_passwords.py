"""A password is a choice; if one is set, it is long, and not one that everybody knows."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from perudo_site import settings as site

LogIn = Callable[..., Client]


@pytest.mark.parametrize(
    ("password", "is_taken"),
    [
        ("short-7", False),
        ("password1", False),
        ("qwertyuiop", False),
        ("alice@example.org", False),
        ("leathercup", True),
        ("все кости", True),
        ("with spaces in it", True),
        ("one long sentence of more than sixty-four characters, as people have them " * 2, True),
    ],
)
def test_length_counts_and_composition_does_not(
    alice: User, log_in: LogIn, password: str, is_taken: bool
) -> None:
    log_in(alice).post("/accounts/password/set/", {"password1": password, "password2": password})
    alice.refresh_from_db()
    assert alice.has_usable_password() is is_taken
    assert alice.check_password(password) is is_taken


def test_passwords_are_hashed_slowly() -> None:
    assert site.PASSWORD_HASHERS[0].endswith(".Argon2PasswordHasher")
