"""Whatever comes in as a mail, a reading comes out."""

import random
from email.message import EmailMessage

import pytest

from perudo_site.mailbox.reading import open_links_elsewhere, read, read_outside, read_source

BROKEN = {
    "empty": b"",
    "no header": b"\r\n\r\nonly a body",
    "a body that says it is a header": b"Subject",
    "unknown character set": b"Content-Type: text/plain; charset=klingon\r\n\r\nnuqneH",
    "character set with a null": b'Content-Type: text/plain; charset="utf\x00-8"\r\n\r\nhello',
    "wrong base64": b"Content-Transfer-Encoding: base64\r\n\r\n!!!!",
    "unknown transfer encoding": b"Content-Transfer-Encoding: smoke\r\n\r\nhello",
    "multipart without a boundary": b"Content-Type: multipart/mixed\r\n\r\nhello",
    "multipart that never ends": b"Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\nhi",
    "text in an attached mail": b"Content-Type: message/rfc822\r\n\r\nSubject: inner\r\n\r\nhi",
    "broken address list": b"To: <<<@@>>, (\r\nFrom: @\r\n\r\nhello",
    "broken encoded word": b"Subject: =?utf-8?q?=ZZ?= =?x?b?a?=\r\n\r\nhello",
    "group that never closes": b"To: all:;:;<\r\nReply-To: [\r\n\r\nhello",
    "eight bits in a header": b"Subject: caf\xe9\r\n\r\nhello",
    "null in the text": b"Subject: a\x00b\r\n\r\nhel\x00lo",
    "broken file name": b"Content-Disposition: attachment; filename*=x'y'%ZZ\r\n\r\nhello",
}


def mail(*, text: str = "Your turn", html: str | None = None) -> bytes:
    message = EmailMessage()
    message["Subject"] = "È il tuo turno"
    message["To"] = "alice@example.org"
    message.set_content(text)
    if html is not None:
        message.add_alternative(html, subtype="html")
        message.add_attachment(b"BEGIN:VCALENDAR", maintype="text", subtype="calendar")
    return message.as_bytes()


def test_a_mail_is_read_with_both_parts() -> None:
    reading = read(mail(text="4x5", html="<p>4×5</p>"))
    assert (reading.text or "").strip() == "4x5"
    assert (reading.html or "").strip() == "<p>4×5</p>"
    assert reading.attachments == ("text/calendar",)
    assert ("To", "alice@example.org") in reading.headers


def test_a_subject_is_decoded() -> None:
    assert read_outside(mail()).subject == "È il tuo turno"


@pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN.keys())
def test_a_broken_mail_is_still_read(raw: bytes) -> None:
    reading = read(raw)
    assert "\x00" not in (reading.text or "") + (reading.html or "") + read_source(raw)
    assert isinstance(read_outside(raw).thread, str)


def test_every_cut_and_mutation_of_a_mail_is_still_read() -> None:
    whole = mail(text="naïve", html="<p>naïve</p>")
    chance = random.Random(1)
    for end in range(0, len(whole), 7):
        read(whole[:end])
    for _ in range(300):
        broken = bytearray(whole)
        for _ in range(8):
            broken[chance.randrange(len(broken))] = chance.randrange(256)
        read(bytes(broken))
        read_outside(bytes(broken))


def test_a_text_in_an_unknown_character_set_keeps_its_ascii() -> None:
    assert read(BROKEN["unknown character set"]).text == "nuqneH"


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>hi</p>", '<base target="_blank"><p>hi</p>'),
        ("<html><HEAD lang=x><p>", '<html><HEAD lang=x><base target="_blank"><p>'),
    ],
)
def test_links_of_a_mail_open_in_a_tab_of_their_own(html: str, expected: str) -> None:
    assert open_links_elsewhere(html) == expected
