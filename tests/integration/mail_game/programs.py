"""What four mail programs make of an answer: the parts, the encoding, and the quote below."""

import base64
import quopri
from collections.abc import Callable
from email.message import EmailMessage
from email.utils import make_msgid
from html import escape

Program = Callable[[EmailMessage, str], bytes]


def text_of(mail: EmailMessage) -> str:
    """Return the text part of a mail."""
    part = mail.get_body(("plain",))
    assert part is not None
    return str(part.get_content())


def html_of(mail: EmailMessage) -> str:
    """Return the HTML part of a mail."""
    part = mail.get_body(("html",))
    assert part is not None
    return str(part.get_content())


def gmail(mail: EmailMessage, line: str) -> bytes:
    """Answer in English, as Gmail's pages do: two parts, the quote's first line wrapped."""
    attribution = "On Sat, Nov 21, 2026 at 2:02 PM Perudo by Post <game@localhost>\nwrote:"
    text = f"{line}\n\n{attribution}\n\n{_quoted(mail)}"
    html = (
        f'<div dir="ltr">{escape(line)}</div><br><div class="gmail_quote gmail_quote_container">'
        f'<div dir="ltr" class="gmail_attr">{escape(attribution)}<br></div>'
        f'<blockquote class="gmail_quote">{html_of(mail)}</blockquote></div>'
    )
    return _alternative(mail, text, html, prefix="Re: ")


def outlook(mail: EmailMessage, line: str) -> bytes:
    """Answer in Italian, as Outlook does: no marks, but a block of headers before the old mail."""
    head = (
        "Da: Perudo by Post <game@localhost>\nInviato: sabato 21 novembre 2026 14:02\n"
        f"A: {mail['To']}\nOggetto: {mail['Subject']}"
    )
    text = f"{line}\n\n\n________________________________\n{head}\n\n{text_of(mail)}"
    html = (
        '<html><head><style type="text/css">P {margin:0}</style></head><body dir="ltr">'
        f'<div class="elementToProof">{escape(line)}</div><div id="appendonsend"></div>'
        '<hr style="display:inline-block;width:98%"><div id="divRplyFwdMsg" dir="ltr">'
        f"{escape(head).replace(chr(10), '<br>')}</div><div>{html_of(mail)}</div></body></html>"
    )
    return _alternative(mail, text, html, prefix="R: ")


def apple(mail: EmailMessage, line: str) -> bytes:
    """Answer in French, as Apple Mail on a phone does: one part, quoted-printable."""
    text = (
        f"{line}\n\nEnvoyé de mon iPhone\n\n"
        f"> Le 21 nov. 2026 à 14:02, Perudo by Post <game@localhost> a écrit :\n> \n{_quoted(mail)}"
    )
    body = quopri.encodestring(text.replace("\n", "\r\n").encode(), quotetabs=False)
    head = [
        *_head(mail, prefix="Re: "),
        "Content-Type: text/plain; charset=utf-8",
        "Content-Transfer-Encoding: quoted-printable",
        "X-Mailer: iPhone Mail (23A341)",
    ]
    return "\r\n".join([*head, "", ""]).encode() + body.replace(b"\r\r\n", b"\r\n")


def thunderbird(mail: EmailMessage, line: str) -> bytes:
    """Answer in Spanish, as Thunderbird does: flowed lines in base64, signature at the end."""
    text = (
        f"{line}\n\nEl 21/11/26 a las 14:02, Perudo by Post escribió:\n{_quoted(mail)}\n"
        "-- \nEnviado con Thunderbird\n"
    )
    head = [
        *_head(mail, prefix="Re: "),
        "Content-Type: text/plain; charset=UTF-8; format=flowed",
        "Content-Transfer-Encoding: base64",
        "User-Agent: Mozilla Thunderbird",
        "Content-Language: es-ES",
    ]
    body = base64.encodebytes(text.replace("\n", "\r\n").encode())
    return "\r\n".join([*head, "", ""]).encode() + body.replace(b"\n", b"\r\n")


def _head(mail: EmailMessage, *, prefix: str) -> list[str]:
    subject = str(mail["Subject"])
    sender = str(mail["To"])
    return [
        f"From: {sender.partition('@')[0].title()} <{sender}>",
        f"To: {mail['Reply-To'] or mail['From']}",
        f"Subject: {subject if subject.startswith(prefix) else prefix + subject}",
        "Date: Sat, 21 Nov 2026 14:30:00 +0100",
        f"Message-ID: {make_msgid(domain='mail.example.org')}",
        f"In-Reply-To: {mail['Message-ID']}",
        f"References: {mail['References'] or ''} {mail['Message-ID']}",
        "MIME-Version: 1.0",
    ]


def _alternative(mail: EmailMessage, text: str, html: str, *, prefix: str) -> bytes:
    cut = "000000000000a1b2c3d4"
    parts = [
        f'--{cut}\nContent-Type: text/{kind}; charset="UTF-8"\n'
        f"Content-Transfer-Encoding: base64\n\n{base64.encodebytes(body.encode()).decode()}"
        for kind, body in (("plain", text), ("html", html))
    ]
    head = [*_head(mail, prefix=prefix), f'Content-Type: multipart/alternative; boundary="{cut}"']
    whole = "\n".join([*head, "", *parts, f"--{cut}--", ""])
    return whole.replace("\n", "\r\n").encode()


def _quoted(mail: EmailMessage) -> str:
    return "\n".join([f"> {line}" for line in text_of(mail).splitlines()])
