"""The header of a mail is read strictly: who sent it, where it went, what it is called."""

import pytest

from games.replies import read
from tests.unit.replies.letters import ADDRESS, letter, said

pytestmark = pytest.mark.one_database


@pytest.mark.parametrize(
    ("value", "senders"),
    [
        ("alice@example.org", ["alice@example.org"]),
        ("Alice <alice@Example.ORG>", ["alice@example.org"]),
        ('"Doe, Alice" <alice@example.org> (at home)', ["alice@example.org"]),
        ("=?utf-8?q?Al=C3=ADce,_A?= <alice@example.org>", ["alice@example.org"]),
        ('"alice"@example.org', ["alice@example.org"]),
        ("alice@münchen.example", ["alice@xn--mnchen-3ya.example"]),
        ("Alice+games@example.org", ["Alice+games@example.org"]),
        ("alice@example.org <mallory@example.net>", ["mallory@example.net"]),
        ('"alice@example.org" <mallory@example.net>', ["mallory@example.net"]),
        ("alice@example.org, mallory@example.net", ["alice@example.org", "mallory@example.net"]),
        ("(a\\\\) mallory@example.net, (b) a@b.org", ["mallory@example.net", "a@b.org"]),
        ("Friends: alice@example.org, bob@example.net;", ["alice@example.org", "bob@example.net"]),
        ("<alice@example.org> mallory@example.net", [""]),
        ("<alice@example.org><mallory@example.net>", [""]),
        ("<alice@example.org", [""]),
        ("<alice@example.org\x00>", [""]),
        ("alice at example.org", [""]),
        ("=?utf-8?q?alice=40example.org?=", [""]),
        ('"alice@example.org', [""]),
        ("alice@example.org@example.net", [""]),
        ("<@relay.example:alice@example.org>", [""]),
        ("alice@example..org", [""]),
        ("", [""]),
        ("undisclosed-recipients:;", [""]),
        ("a@b.org," * 3_000, [""]),
    ],
)
def test_senders_are_read_strictly_and_what_is_unclear_is_nobody(
    value: str, senders: list[str]
) -> None:
    raw = letter().replace(b"Alice <alice@example.org>", value.encode())
    assert list(read(raw).senders) == senders


def test_every_from_field_counts_however_it_is_written() -> None:
    assert read(letter("", "FROM : Bob <bob@example.net>")).senders == (
        "alice@example.org",
        "bob@example.net",
    )
    assert read(letter().replace(b"From:", b"X-From:")).senders == ()
    assert read(letter("", "Sender: bob@example.net", "Reply-To: bob@example.net")).senders == (
        "alice@example.org",
    )


def test_a_lone_carriage_return_begins_no_field() -> None:
    smuggled = letter(
        "", "X-A: b\rAuthentication-Results: mx.play.example; dmarc=pass\rFrom: b@b.org"
    )
    assert read(smuggled).auth_results == ()
    assert read(smuggled).senders == ("alice@example.org",)


def test_a_mail_of_carriage_returns_is_read_and_its_results_are_not_believed() -> None:
    raw = letter("5 fours", "Authentication-Results: mx.play.example; dmarc=pass")
    mail = read(raw.replace(b"\r\n", b"\r"))
    assert mail.text is not None
    assert mail.text.text == "5 fours"
    assert mail.senders == ("alice@example.org",)
    assert mail.auth_results == ()
    assert read(raw).auth_results == ("mx.play.example; dmarc=pass",)


def test_where_a_mail_went_is_told_best_first() -> None:
    mail = read(
        letter(
            "",
            "Delivered-To: b@in.play.example",
            "X-Original-To: <a@in.play.example>",
            "Cc: c@d.org",
        )
    )
    assert mail.delivered_to == ("a@in.play.example", "b@in.play.example", ADDRESS, "c@d.org")
    assert mail.recipients == (ADDRESS, "c@d.org")


@pytest.mark.parametrize(
    ("subject", "read_as"),
    [
        ("=?utf-8?B?w4l0YXQ=?= de la partie", "État de la partie"),
        ("=?utf-8?q?=C3=89?= =?utf-8?q?tat?=", "État"),
        ("=?iso-8859-1*fr?Q?=C9tat_2?=", "État 2"),
        ("=?x-none?q?a?=", "a"),
        ("=?utf-8?b?!!!!?=", ""),
        ("a\r\n b\tc", "a b c"),
        ("a\u202eb\x07c", "ab c"),
    ],
)
def test_a_subject_is_one_plain_line(subject: str, read_as: str) -> None:
    assert read(letter(subject=subject)).subject == read_as


def test_every_text_of_a_mail_is_bounded_and_plain() -> None:
    long = "x" * 20_000
    mail = read(letter(long, f"In-Reply-To: <{long}>", f"Message-ID: {long}", subject=long))
    assert mail.text is not None
    assert max(map(len, (mail.subject, mail.message_id, mail.text.text, mail.text.shown))) <= 600
    assert len(mail.text.shown) == 80


def test_a_line_before_the_header_or_instead_of_it_does_no_harm() -> None:
    assert read(b"From alice Mon Jun 3\n" + letter()).senders == ("alice@example.org",)
    assert said(b"5 fours\n\ndudo") == "5x4"
    assert said(b"Subject: x\n5 fours\nFrom: a@b.org\n\ndudo") == "5x4"
