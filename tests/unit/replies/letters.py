"""Mails to read: the corpus of ``tests/mails``, and letters written for one test."""

from pathlib import Path

from games.replies import Command, Incoming, Offer, Unread, command_of, read

MAILS = Path(__file__).parents[2] / "mails"
ADDRESS = "m-7h3kq9x2v0wd8rjn4bzt5ygacm@in.play.example"
BORDER = "mx.play.example"
QUOTE = """

On Mon, Jun 3, 2024 at 2:02 PM Perudo by Post <turns@mail.play.example> wrote:

> ##- reply above this line -##
>
> It is your turn in friday, round 3. Standing bid: four 4s by Carl.
"""


def mail(name: str) -> Incoming:
    """Return a mail of the corpus, read."""
    return read((MAILS / f"{name}.eml").read_bytes())


def letter(body: str = "5 fours", *fields: str, subject: str = "Re: [friday] Round 3") -> bytes:
    """Return a mail of alice's with these further header fields."""
    head = [
        "From: Alice <alice@example.org>",
        f"To: Perudo by Post <{ADDRESS}>",
        f"Subject: {subject}",
        "Date: Mon, 3 Jun 2024 16:40:10 +0200",
        "Message-ID: <one@mail.example.org>",
        "MIME-Version: 1.0",
        *fields,
    ]
    return "\r\n".join([*head, "", body.replace("\n", "\r\n")]).encode()


def with_parts(*parts: str, kind: str = "alternative") -> bytes:
    """Return a mail of alice's that is made of ``parts``, each with its own header."""
    body = "".join([f"--cut\n{part}\n" for part in parts])
    return letter(f"{body}--cut--\n", f'Content-Type: multipart/{kind}; boundary="cut"')


def plain(text: str) -> str:
    """Return a text part."""
    return f"Content-Type: text/plain; charset=utf-8\n\n{text}"


def marked(text: str) -> str:
    """Return an HTML part."""
    return f"Content-Type: text/html; charset=utf-8\n\n<html><body>{text}</body></html>"


def said(raw: bytes) -> str:
    """Return what a mail's command is in one word, or why there is none."""
    return summary(command_of(read(raw), most=30))


def summary(read_as: Command | Offer | Unread) -> str:
    """Return a reading in one word: a bid, a verb, a reason, or an offer of one of those."""
    match read_as:
        case Offer():
            return f"offer {summary(read_as.command)}"
        case Command():
            return str(read_as.bid or read_as.order or read_as.verb)
        case Unread():
            return f"unread {read_as.reason}"
