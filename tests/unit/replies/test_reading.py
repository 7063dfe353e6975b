"""Each kind of bad mail has its outcome, and none of them plays what nobody said."""

import base64

import pytest

from games.replies import (
    Incoming,
    Offer,
    Reason,
    Trouble,
    Unread,
    command_of,
    parse_command,
    read,
)
from tests.unit.replies.letters import QUOTE, letter, marked, plain, said, with_parts

pytestmark = pytest.mark.one_database


def reason(raw: bytes) -> Reason:
    refused = command_of(read(raw), most=30)
    assert isinstance(refused, Unread)
    return refused.reason


# --- which line ---


def test_the_first_line_with_text_is_the_command_and_the_rest_is_not_read() -> None:
    assert said(letter(f"\n \n\u200b\n5 fours\nOne 1\ndudo{QUOTE}")) == "5x4"
    assert said(letter(f"hello\n5 fours{QUOTE}")) == "unread unknown"
    assert said(letter(f"Sent from my iPhone\nOne 1{QUOTE}")) == "unread unknown"


@pytest.mark.parametrize(
    "body",
    [
        QUOTE,
        f"> On Mon someone wrote\n{QUOTE}",
        "##- reply above this line -##\n5 fours",
        "5 fours ##- reply above this line -##",
        ">>> ##- reply above this line -##\ndudo",
        "> 5 fours",
        "On Mon, Jun 3, 2024 at 2:02 PM Perudo by Post\n<turns@play.example>\nwrote:\n\n5 fours",
        "-----Original Message-----\nFrom: us\n\n5 fours",
        "________________________________\n5 fours",
        "*Da:* Perudo by Post\n5 fours",
        "El lun, 3 jun 2024 a las 14:02, Perudo (<a@b.org>) escribió:\n5 fours",
        "Am 03.06.24 um 14:02 schrieb Perudo by Post:\n5 fours",
        "Dnia 3 czerwca 2024 Perudo napisał(a):\n5 fours",
    ],
)
def test_what_stands_at_or_below_our_own_text_is_not_looked_at(body: str) -> None:
    assert reason(letter(body)) is Reason.BOTTOM_POST


@pytest.mark.parametrize(
    "line", ["Le bluff est un art.", "Il dado è tratto", "On verra", "El seis"]
)
def test_a_sentence_that_begins_like_an_introduction_is_not_taken_for_a_quote(line: str) -> None:
    assert reason(letter(f"{line}\n5 fours")) is Reason.UNKNOWN


def test_text_and_html_that_say_the_same_in_other_words_are_one_command() -> None:
    assert said(with_parts(plain("5 fours"), marked("<div>five <b>4s</b></div>"))) == "5x4"


def test_text_and_html_that_disagree_play_nothing_and_show_both() -> None:
    refused = command_of(read(with_parts(plain("5 fours"), marked("dudo"))), most=30)
    assert isinstance(refused, Unread)
    assert refused.reason is Reason.TEXT_AND_HTML
    assert [str(each.bid or each.verb) for each in refused.readings] == ["5x4", "dudo"]


def test_the_text_counts_where_the_html_is_no_command_but_not_the_other_way_round() -> None:
    assert said(with_parts(plain("5 fours"), marked("hello"))) == "5x4"
    assert said(with_parts(plain("hello"), marked("5 fours"))) == "unread unknown"
    assert said(with_parts(plain("> no"), marked("5 fours"))) == "unread bottom-post"


def test_the_html_counts_where_there_is_no_text() -> None:
    assert said(with_parts(marked("<p>5 fours</p>"))) == "5x4"
    assert said(with_parts(plain(" \n\n"), marked("<p>5 fours</p>"))) == "5x4"
    assert said(letter("<p>5&nbsp;fours<br>bye", "Content-Type: text/html")) == "5x4"


def test_a_text_that_is_attached_is_no_text_of_the_mail() -> None:
    attached = "Content-Type: text/plain\nContent-Disposition: attachment\n\ndudo"
    named = 'Content-Type: text/plain; name="bid.txt"\n\ndudo'
    assert said(with_parts(attached, named, plain("5 fours"), kind="mixed")) == "5x4"
    assert reason(with_parts(attached, kind="mixed")) is Reason.ONLY_ATTACHMENTS


def test_a_mail_within_the_mail_is_not_opened() -> None:
    inner = "Content-Type: message/rfc822\n\nFrom: bob@example.net\n\ndudo"
    assert said(with_parts(inner, kind="mixed")) == "unread only-attachments"
    assert said(with_parts(inner, plain("5 fours"), kind="digest")) == "5x4"


# --- lines ---


@pytest.mark.parametrize("end", ["\r\n", "\n", "\r", "\r\r\n", "\u2028", "\x0b", "\x85"])
def test_every_line_end_ends_a_line(end: str) -> None:
    assert said(letter(f"5 fours{end}dudo", "Content-Type: text/plain; charset=utf-8")) == "5x4"


def test_wrapped_lines_are_one_line_and_a_blank_beyond_the_edge_hides_nothing() -> None:
    flowed = "Content-Type: text/plain; charset=utf-8; format=flowed"
    assert said(letter("next: 6 fours \nelse dudo\nbye", flowed)) == "bid 6x4; else dudo"
    assert said(letter("dix-\nsept six", flowed)) == "unread unknown"
    assert said(letter("dix- \nsept six", f"{flowed}; delsp=yes")) == "17x6"
    assert said(letter(" 5 fours\n> quoted", flowed)) == "5x4"
    assert said(letter("5 fours \n> quoted", flowed)) == "5x4"
    assert said(letter(f"5 fours{' ' * 900}\n{' ' * 900}\ndon't", flowed)).startswith("unread")
    assert said(letter(f"5 fours{' ' * 900}don't", flowed)).startswith("unread")


def test_a_megabyte_of_line_is_too_long_and_its_beginning_is_no_command() -> None:
    for filler in (" ", "x", "\u200b", "dudo "):
        body = f"5 fours{filler * (900_000 // len(filler.encode()))}."
        assert said(letter(body, "Content-Type: text/plain; charset=utf-8")) in (
            "unread too-long",
            "unread unknown",
        )


# --- charsets and encodings ---


@pytest.mark.parametrize(
    ("charset", "encoding"),
    [
        ("utf-8", "utf-8"),
        ("ISO-8859-1", "latin-1"),
        ("windows-1252", "cp1252"),
        ("utf-16", "utf-16"),
        ("us-ascii", "utf-8"),  # it lies
        ("utf-8", "cp1252"),  # it lies
        ("x-unknown", "utf-8"),
        ("punycode", "utf-8"),
        ("unicode_escape", "utf-8"),
        ("zlib", "utf-8"),
        ("utf-7", "utf-8"),
        ('"; x="', "utf-8"),
        ("utf-8" * 50, "utf-8"),
    ],
)
def test_a_charset_is_believed_where_it_can_be(charset: str, encoding: str) -> None:
    body = base64.encodebytes("état".encode(encoding)).decode()
    kind = f'Content-Type: text/plain; charset="{charset}"'
    assert said(letter(body, kind, "Content-Transfer-Encoding: base64")) == "status"


def test_bytes_that_are_no_letters_are_no_command() -> None:
    assert said(letter("5 f\x00ours")) == "unread unknown"
    raw = letter("5 fours", "Content-Type: text/plain; charset=utf-8").replace(b"5 f", b"5\x81 f")
    assert said(raw) == "unread unknown"


@pytest.mark.parametrize(
    ("encoding", "body"),
    [
        ("base64", "NSBmb3Vycw=="),
        ("BASE64", "NSBmb3Vycw"),
        ("base64", "NSBm\n  b3Vy\ncw=!"),
        ("quoted-printable", "5=20fo=\nurs"),
        ("quoted-printable", "5 fours=ZZ\n"),
        ("x-nobody-knows", "5 fours"),
        ("", "5 fours"),
        ("base64", "5 fours"),  # it lies
    ],
)
def test_a_transfer_encoding_never_makes_a_command_that_is_not_there(
    encoding: str, body: str
) -> None:
    outcome = said(letter(body, f"Content-Transfer-Encoding: {encoding}"))
    lies = body.endswith("=ZZ\n") or (encoding == "base64" and body == "5 fours")
    assert outcome == ("unread unknown" if lies else "5x4")


# --- structure ---


def test_a_mail_that_is_too_much_is_not_looked_into_but_its_sender_is_known() -> None:
    head = letter().split(b"\r\n\r\n")[0]
    many = (
        head + b"\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\n\n5 fours\n" * 101
    )
    nested = b"\r\n\r\n5 fours"
    for depth in range(21):
        nested = (
            b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (depth, depth)
            + nested
        )
    for raw, trouble in [
        (letter("5 fours\n" + "x" * 1_000_000), Trouble.TOO_BIG),
        (letter("5 fours", f"X-Big: {'x' * 70_000}"), Trouble.HEADERS_TOO_BIG),
        (many, Trouble.TOO_MANY_PARTS),
        (head + b"\r\n" + nested, Trouble.TOO_DEEP),
    ]:
        mail = read(raw)
        assert mail.trouble is trouble
        assert mail.senders == ("alice@example.org",)
        assert (mail.text, mail.html) == (None, None)
        assert reason(raw).value == trouble.value


def test_a_hundred_parts_and_twenty_levels_are_read() -> None:
    assert said(with_parts(*[plain("5 fours")] * 99, kind="mixed")) == "5x4"
    nested = "Content-Type: text/plain\n\n5 fours"
    for depth in range(20):
        nested = f"Content-Type: multipart/mixed; boundary=b{depth}\n\n--b{depth}\n{nested}"
    raw = letter().split(b"\r\n\r\n")[0] + b"\r\n" + nested.encode()
    assert said(raw) == "5x4"


@pytest.mark.parametrize(
    ("kind", "body", "outcome"),
    [
        ("multipart/mixed", "5 fours", "unread empty"),
        ("multipart/alternative; boundary=cut", "5 fours", "unread empty"),
        ("multipart/alternative; boundary=cut", "--cut\n\n5 fours", "5x4"),
        ("multipart/alternative; boundary=cut", "--cut--\n--cut\n\n5 fours", "unread empty"),
        ("multipart/alternative; boundary=cut", "--cute\n\n5 fours\n--cut\n\ndudo", "dudo"),
        ("text", "5 fours", "5x4"),
        ("nonsense; ;;=;", "5 fours", "5x4"),
        ("", "5 fours", "5x4"),
        ("text/plain; charset", "5 fours", "5x4"),
        ("image/png", "5 fours", "unread only-attachments"),
        ("text/calendar; method=REPLY", "5 fours", "unread empty"),
        ("application/ms-tnef; name=winmail.dat", "5 fours", "unread only-attachments"),
    ],
)
def test_a_broken_structure_is_read_as_far_as_it_goes(kind: str, body: str, outcome: str) -> None:
    assert said(letter(body, f"Content-Type: {kind}")) == outcome


@pytest.mark.parametrize(
    ("raw", "sign"),
    [
        (
            with_parts(
                "Content-Type: application/pgp-encrypted\n\nVersion: 1",
                "Content-Type: application/octet-stream\n\n-----BEGIN PGP MESSAGE-----",
                kind="encrypted",
            ),
            "encrypted.pgp",
        ),
        (
            letter("MIAGCSqGSIb3DQEHA6CAMIACAQAxggFP", "Content-Type: application/pkcs7-mime"),
            "encrypted.smime",
        ),
        (letter("-----BEGIN PGP MESSAGE-----\n\nhQEMA2"), "encrypted.pgp-inline"),
    ],
)
def test_an_encrypted_mail_says_so(raw: bytes, sign: str) -> None:
    mail = read(raw)
    assert (mail.trouble, mail.encrypted) == (Trouble.ENCRYPTED, sign)
    assert reason(raw) is Reason.ENCRYPTED


def test_a_signed_mail_is_read() -> None:
    signature = "Content-Type: application/pgp-signature; name=s.asc\n\n-----BEGIN PGP SIGNATURE"
    assert said(with_parts(plain("5 fours"), signature, kind="signed")) == "5x4"
    inline = "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n5 fours\n-----BEGIN PGP SIGNATURE"
    assert said(letter(inline)) == "5x4"


# --- nothing in it ---


def test_an_empty_mail_offers_its_subject_and_never_plays_it() -> None:
    offered = command_of(read(letter("\n\n", subject="5 fours")), most=30)
    assert isinstance(offered, Offer)
    assert offered.command == parse_command("5 fours")
    assert offered.shown == "5 fours"
    assert said(letter("", subject="31 fours")) == "unread empty"
    assert said(letter("", subject="Re: 5 fours")) == "unread empty"
    assert said(letter("", subject="")) == "unread empty"
    assert said(letter("hello", subject="5 fours")) == "unread unknown"
    assert said(letter(QUOTE, subject="5 fours")) == "unread bottom-post"


def test_no_bytes_at_all_are_a_mail_without_anything() -> None:
    assert read(b"") == Incoming()
    assert command_of(read(b"")) == Unread(Reason.EMPTY)
