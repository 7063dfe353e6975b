"""The encryption and the token of web push, by the examples of their RFCs and beyond."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given
from hypothesis import strategies as st

from games import webpush
from tests.integration.notices.browsers import Browser, decoded, encoded, signed

pytestmark = pytest.mark.one_database

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
KEY = webpush.signing_key("ab" * 32)
ENDPOINT = "https://push.example.org:8443/p/abc?d=e"


def private(text: str) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(decoded(text), "big"), ec.SECP256R1())


def test_the_example_of_rfc_8291_comes_out_to_the_byte() -> None:
    """Section 5 and appendix A."""
    to = webpush.receiver(
        "BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4",
        "BTBZMqHH6r4Tts7J_aSIgg",
    )
    body = webpush.encrypt(
        b"When I grow up, I want to be a watermelon",
        to,
        salt=decoded("DGv6ra1nlYgDCS1FRnbzlw"),
        sender=private("yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw"),
    )
    assert encoded(body) == (
        "DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWA"
        "mS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxs"
        "j_Qulcy4a-fN"
    )


@given(
    st.binary(max_size=webpush.MOST_BYTES),
    st.integers(1, 2**200),
    st.binary(min_size=16, max_size=16),
)
def test_what_is_encrypted_for_a_browser_it_reads_and_no_other_does(
    text: bytes, number: int, secret: bytes
) -> None:
    browser = Browser(ENDPOINT, ec.derive_private_key(number, ec.SECP256R1()), secret)
    to = webpush.receiver(browser.said["p256dh"], browser.said["auth"])
    body = webpush.encrypt(text, to)
    assert browser.decrypt(body) == text
    assert len(body) <= 4096
    assert text not in body or len(text) < 4
    assert webpush.encrypt(text, to) != body, "each has a key of its own"
    stranger = Browser(ENDPOINT, ec.derive_private_key(number + 1, ec.SECP256R1()), secret)
    for other in (
        stranger,
        Browser(ENDPOINT, browser.key, bytes(16) if any(secret) else b"x" * 16),
    ):
        with pytest.raises(InvalidTag):
            other.decrypt(body)


def test_a_text_that_push_services_need_not_take_is_refused() -> None:
    browser = Browser(ENDPOINT)
    to = webpush.receiver(browser.said["p256dh"], browser.said["auth"])
    with pytest.raises(ValueError, match="too long"):
        webpush.encrypt(b"x" * (webpush.MOST_BYTES + 1), to)


def test_the_token_says_to_whom_until_when_and_whom_to_ask() -> None:
    header = webpush.authorization(ENDPOINT, key=KEY, contact="mailto:a@example.org", now=NOON)
    claims, key = signed(header)
    assert claims == {
        "aud": "https://push.example.org:8443",
        "exp": int((NOON + timedelta(hours=12)).timestamp()),
        "sub": "mailto:a@example.org",
    }
    assert key == webpush.public_key(KEY)
    assert json.dumps(claims).count("/p/abc") == 0


@pytest.mark.parametrize(
    ("p256dh", "auth"),
    [
        ("", ""),
        (Browser(ENDPOINT).said["p256dh"], ""),
        (Browser(ENDPOINT).said["p256dh"], "AAAA"),
        (Browser(ENDPOINT).said["p256dh"][:-4], "A" * 22),
        ("A" * 87, "A" * 22),
        ("BA" + "A" * 85, "A" * 22),
        ("é" * 87, "A" * 22),
        (Browser(ENDPOINT).said["p256dh"] + "\n", "A" * 22),
        (Browser(ENDPOINT).said["p256dh"], "A" * 21),
    ],
)
def test_keys_that_no_browser_has_are_refused(p256dh: str, auth: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        webpush.receiver(p256dh, auth)


def test_keys_are_read_with_and_without_padding() -> None:
    said = Browser(ENDPOINT).said
    assert webpush.receiver(said["p256dh"] + "=", said["auth"] + "==") == webpush.receiver(
        said["p256dh"], said["auth"]
    )


@pytest.mark.parametrize("text", ["", "ab", "AB" * 32, "0" * 64, "f" * 64, "ab" * 32 + "\n"])
def test_a_signing_key_that_signs_nothing_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        webpush.signing_key(text)
