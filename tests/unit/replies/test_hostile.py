"""No mail whatever raises, and none takes long or much memory."""

import base64
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from games.replies import Command, Incoming, Trouble, Unread, command_of, parse_command, read
from tests.unit.replies.letters import MAILS, letter

pytestmark = pytest.mark.one_database

MEGABYTE = 1_000_000
TEXT = b"From: a@b.org\r\nContent-Type: text/plain; charset=utf-8; format=flowed\r\n\r\n"
HTML = b"From: a@b.org\r\nContent-Type: text/html; charset=utf-8\r\n\r\n"
MIXED = b"From: a@b.org\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n"


def filled(head: bytes, unit: bytes, size: int = MEGABYTE) -> bytes:
    """Return a mail of nearly ``size`` bytes that repeats ``unit``."""
    return head + unit * ((size - len(head) - 200) // len(unit))


def nested(depth: int, kind: bytes = b"mixed") -> bytes:
    inner = b"\r\n\r\n5 fours"
    for level in range(depth):
        inner = b"Content-Type: multipart/%b; boundary=b%d\r\n\r\n--b%d\r\n%b" % (
            kind,
            level,
            level,
            inner,
        )
    return b"From: a@b.org\r\n" + inner


BOMBS = {
    "nothing but zeros": b"\0" * 2 * MEGABYTE,
    "nothing but line ends": filled(b"", b"\n"),
    "nothing but carriage returns": filled(b"", b"\r"),
    "lines of carriage returns": filled(TEXT.replace(b"\r\n", b"\r"), b"dudo?\r"),
    "blank lines": filled(TEXT, b"\n"),
    "lines of nothing that shows": filled(TEXT, "\u200b\n".encode()),
    "a line of spaces": filled(TEXT, b" "),
    "a line of quotes": filled(TEXT, b">"),
    "quotes on quotes": filled(TEXT, b"> > >>\n"),
    "wrapped lines": filled(TEXT, b"a \n"),
    "accents on accents": filled(TEXT, "\u0301\u0316\u0345".encode()),
    "letters that grow": filled(TEXT, "\ufdfa".encode()),
    "introductions": filled(TEXT, b"On Mon wrote "),
    "markers": filled(TEXT, b"##- "),
    "lead words": filled(TEXT, b"vingt-"),
    "lone brackets": filled(HTML, b"<"),
    "tags that never end": filled(HTML, b"<a "),
    "quotes that never end": filled(HTML, b"<a b='"),
    "tags": filled(HTML, b"<b>"),
    "hidden tags": filled(HTML, b"<p hidden>"),
    "attributes": filled(HTML + b"<a ", b"b=c "),
    "comments that never end": filled(HTML, b"<!--"),
    "raw elements that never end": filled(HTML, b"<style></styl"),
    "characters by number": filled(HTML, b"&#99999999999999999999;"),
    "one character by a long number": filled(HTML + b"&#", b"9"),
    "line breaks": filled(HTML, b"<br>"),
    "a hundred parts in each other": nested(100),
    "twenty parts in each other and a megabyte": filled(nested(20), b"\r\nx"),
    "a thousand parts in each other": nested(1_000, b"alternative"),
    "parts": filled(MIXED, b"--b\n\n5\n"),
    "boundaries that are none": filled(MIXED, b"\n--bx"),
    "a boundary that never ends": filled(MIXED + b"\n--b", b" "),
    "base64 of zeros": letter(
        base64.encodebytes(b"\0" * 700_000).decode(), "Content-Transfer-Encoding: base64"
    ),
    "quoted printable": filled(
        TEXT.replace(b"\r\n\r\n", b"\r\nContent-Transfer-Encoding: quoted-printable\r\n\r\n"),
        b"=\n=3D=",
    ),
    "escapes of a charset": filled(TEXT.replace(b"utf-8", b"iso-2022-jp"), b"\x1b$B\x1b(B"),
    "header without end": filled(b"", b"X-A: b\r\n", 2 * MEGABYTE),
    "header of one field": filled(b"Subject: ", b" x\r\n", 60_000),
    "comments in a sender": filled(b"From: ", b"(", 60_000),
    "quotes in a sender": filled(b"From: ", b'"\\"', 60_000),
    "groups in a sender": filled(b"From: ", b"a:;", 15_000),
    "brackets in a sender": filled(b"From: ", b"<a@b>", 15_000),
    "senders": filled(b"", b"From: a@b.org\r\n", 60_000),
    "recipients": filled(b"To: ", b"a@b.org,", 60_000),
    "a domain without end": filled(b"From: a@", "é.".encode(), 15_000),
    "encoded words": filled(b"Subject: ", b"=?utf-8?q?=", 60_000),
    "parameters": filled(b"Content-Type: text/plain", b"; a=b", 60_000),
    "spaces in parameters": filled(b"Content-Type: text/plain;", b" ", 60_000),
    "comments in results": filled(b"Authentication-Results: ", b"(", 60_000),
    "results": filled(b"Authentication-Results: mx", b"; dkim=pass header.d=a", 60_000),
    "identifiers": filled(b"In-Reply-To: ", b"<a", 60_000),
    "delivery reports": filled(
        MIXED.replace(b"mixed", b"report") + b"--b\nContent-Type: message/delivery-status\n\n",
        b"Status: 5\n\n",
    ),
}
SECONDS = 2.0
MEMORY = 256 * 1024 * 1024


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_read_in_less_work_than_two_seconds_of_it(name: str) -> None:
    begun = time.process_time()  # work, not waiting: other tests run beside this one
    mail = read(BOMBS[name])
    command_of(mail, most=30)
    assert time.process_time() - begun < SECONDS
    assert mail.trouble is not Trouble.UNREADABLE


def test_all_bombs_are_read_within_the_memory_of_one_mail() -> None:
    script = (
        "import resource\n"
        f"resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))\n"
        "from games.replies import Trouble, command_of, read\n"
        "from tests.unit.replies.test_hostile import BOMBS\n"
        "for name, bomb in BOMBS.items():\n"
        "    mail = read(bomb)\n"
        "    command_of(mail)\n"
        "    assert mail.trouble is not Trouble.UNREADABLE, name\n"
        "print(len(BOMBS))\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script],
        cwd=Path(__file__).parents[3],
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert ran.stdout.strip() == str(len(BOMBS)), ran.stderr


# --- any mail ---

FIELD_NAMES = """
From To Subject Content-Type Content-Transfer-Encoding Return-Path Authentication-Results Date
Message-ID In-Reply-To Auto-Submitted X-Original-To Content-Disposition List-Id Precedence
X-Failed-Recipients
"""
FIELD_WORDS = """
alice@example.org | "A" <a@b.org> | =?utf-8?b?w4k=?= | =?x?q? | < | ( | " | ; | , | text/plain
| text/html; charset=utf-16 | multipart/mixed; boundary=b | multipart/report; boundary=b | é
| multipart/signed; boundary=b | message/rfc822 | message/delivery-status | base64
| quoted-printable | attachment; filename=x | mx.play.example; dmarc=pass
"""
BODY_LINES = """
--b | --b-- | 5 fours | > dudo | dudo | <p>5 fours</p> | <div hidden> | <!-- | <a b='
| ##- reply above this line -## | NSBmb3Vycw== | =35=20fours | Status: 5.1.1
| Content-Type: text/html | Content-Type: multipart/mixed; boundary=b
| Content-Transfer-Encoding: base64 | -----BEGIN PGP MESSAGE-----
"""
NAMES = st.sampled_from(FIELD_NAMES.split())
VALUES = st.sampled_from([each.strip() for each in FIELD_WORDS.split("|")])
FIELDS = st.builds(
    lambda name, values, colon: f"{name}{colon}{' '.join(values)}".encode(),
    NAMES,
    st.lists(VALUES | st.text(max_size=12), max_size=3),
    st.sampled_from([": ", ":", " : ", ":\t", "\n "]),
)
PIECES = st.sampled_from(
    [b"", b"\xff\xfe\x00", *[each.strip().encode() for each in BODY_LINES.split("|")]]
)
ENDS = st.sampled_from([b"\r\n", b"\n", b"\r"])
MAIL = st.builds(
    lambda fields, pieces, end, blank: end.join([*fields, *blank, *pieces]),
    st.lists(FIELDS, max_size=8),
    st.lists(PIECES | st.binary(max_size=30), max_size=20),
    ENDS,
    st.sampled_from([[b""], []]),
)


def check(mail: Incoming) -> None:
    """Say that what was read is whole, bounded and plain."""
    assert mail.trouble is not Trouble.UNREADABLE
    for line in (mail.text, mail.html):
        if line is not None:
            assert line.text
            assert len(line.text) <= 600
            assert len(line.shown) <= 80
            assert "\n" not in line.text
            line.shown.encode()  # it can be written back
    for text in (mail.subject, mail.date, mail.message_id, *mail.senders, *mail.recipients):
        assert len(text) <= 600
        assert not set(text) & set("\r\n\0")
    said = command_of(mail, most=30)
    if isinstance(said, Command):
        line = mail.text or mail.html
        assert line is not None
        assert not line.is_quote
        assert parse_command(line.text, most=30) == said


@settings(max_examples=500, deadline=None)
@given(MAIL)
def test_any_heap_of_fields_and_parts_is_read(raw: bytes) -> None:
    check(read(raw))


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_a_mail(raw: bytes) -> None:
    check(read(raw))


@settings(max_examples=200, deadline=None)
@given(
    st.sampled_from(sorted(MAILS.glob("*.eml"))),
    st.lists(st.tuples(st.floats(0, 1), st.binary(max_size=4), st.integers(0, 40)), max_size=6),
)
def test_a_real_mail_that_is_broken_anywhere_is_read(
    path: Path, breaks: list[tuple[float, bytes, int]]
) -> None:
    raw = path.read_bytes()
    for place, put, taken in breaks:
        at = int(place * len(raw))
        raw = raw[:at] + put + raw[at + taken :]
    check(read(raw))


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=60) | st.text(st.characters(codec=None), max_size=30))
@example("\ud800")
@example("friday:" * 100)
@example(":" * 600)
@example("next:" + "(" * 500)
@example("dudo " * 120)
def test_any_line_is_a_command_or_a_reason(line: str) -> None:
    said = parse_command(line, most=30, codes=("friday",))
    assert isinstance(said, Command | Unread)
    if isinstance(said, Unread):
        assert len(said.shown) <= 80
        said.shown.encode()
