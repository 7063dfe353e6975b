"""Take a mail apart."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Final

from games.replies import body, fields, markup, reports, signs
from games.replies.addresses import addresses
from games.replies.fields import Fields
from games.replies.incoming import Incoming, Trouble
from games.replies.mime import Part, TooMuchError, parts

MOST_BYTES: Final = 1_000_000
_MOST_FIELDS: Final = 20
_MOST_RECIPIENTS: Final = 50


_ENCRYPTED: Final = {
    "multipart/encrypted": "encrypted.pgp",
    "application/pgp-encrypted": "encrypted.pgp",
    "application/pkcs7-mime": "encrypted.smime",
    "application/x-pkcs7-mime": "encrypted.smime",
}
_SIGNATURES: Final = ("application/pgp-signature", "application/pkcs7-signature")


def read(raw: bytes) -> Incoming:
    """Return what ``raw`` says; never raises, whatever the bytes, and takes bounded time."""
    try:
        return _read(raw)
    except Exception:  # noqa: BLE001 - no mail stops anybody: what went wrong is its outcome
        return Incoming(trouble=Trouble.UNREADABLE)


def _read(raw: bytes) -> Incoming:
    data = raw[:MOST_BYTES].replace(b"\r\n", b"\n")
    has_lines = b"\n" in data
    if not has_lines:
        data = data.replace(b"\r", b"\n")
    header, rest, is_header_too_big = fields.split(data)
    mail = _outside(header)
    if not has_lines:  # a border writes its results on lines: these are not its own
        mail = replace(mail, auth_results=())
    if is_header_too_big:
        return replace(mail, trouble=Trouble.HEADERS_TOO_BIG)
    if len(raw) > MOST_BYTES:
        return replace(mail, trouble=Trouble.TOO_BIG)
    try:
        found = list(parts(header, rest.replace(b"\r", b"\n")))
    except TooMuchError as error:
        return replace(mail, trouble=error.trouble)
    return _with_reports(_with_text(mail, found), header, found)


def _outside(header: Fields) -> Incoming:
    """Return what the header says."""
    senders = [each for value in header.all("from") for each in addresses(value) or [""]]
    listed = {
        name: tuple([each for value in header.all(name) for each in addresses(value) if each])
        for name in ("x-original-to", "delivered-to", "to", "cc")
    }
    subject = fields.words(header.first("subject"))
    message_id = header.first("message-id")
    return Incoming(
        senders=tuple(senders[:_MOST_FIELDS]),
        recipients=(*listed["to"], *listed["cc"])[:_MOST_RECIPIENTS],
        delivered_to=tuple(dict.fromkeys(chain.from_iterable(listed.values())))[:_MOST_RECIPIENTS],
        message_id=next(iter(reports.message_ids(message_id)), fields.words(message_id)[:250]),
        in_reply_to=reports.message_ids(header.first("in-reply-to")),
        date=fields.words(header.first("date"))[:100],
        subject=subject,
        return_path=signs.return_path(header),
        auth_results=tuple(header.all("authentication-results")[:_MOST_FIELDS]),
        machine=signs.machine_signs(header, senders),
        mailing_list=signs.mailing_list(header),
        forward="forward.subject" if signs.is_forward(subject) else "",
    )


def _with_text(mail: Incoming, found: Sequence[Part]) -> Incoming:
    """Return a mail with the first lines of its text and its HTML."""
    plain, marked = [
        next((part for part in found if part.kind == kind and not part.is_attachment), None)
        for kind in ("text/plain", "text/html")
    ]
    written = [body.above_quote(_plain_lines(plain)) if plain else []]
    written.append(body.above_quote(markup.lines(marked.text)) if marked else [])
    text, html = [body.first_line(lines) for lines in written]
    if body.is_encrypted(text or html):
        encrypted = "encrypted.pgp-inline"
    else:
        encrypted = next((_ENCRYPTED[part.kind] for part in found if part.kind in _ENCRYPTED), "")
    attachments = sum(_is_attached(part) for part in found)
    trouble = None
    if encrypted and (encrypted == "encrypted.pgp-inline" or not (text or html)):
        trouble = Trouble.ENCRYPTED
    elif attachments and not (text or html):
        trouble = Trouble.ONLY_ATTACHMENTS
    forwarded = "forward.text" if any(map(body.is_forwarded, written)) else ""
    return replace(
        mail,
        trouble=trouble,
        text=text,
        html=html,
        encrypted=encrypted,
        forward=mail.forward or forwarded,
        attachments=attachments,
    )


def _plain_lines(part: Part) -> Iterator[str]:
    return body.plain_lines(
        part.text,
        flowed=part.parameters.get("format", "").lower() == "flowed",
        delsp=part.parameters.get("delsp", "").lower() == "yes",
    )


def _is_attached(part: Part) -> bool:
    """Say whether a part is a file that somebody attached: no text, signature or inline image."""
    if part.is_attachment:
        return True
    drawn = part.kind.startswith("image/") and part.header.has("content-id")
    return (
        not drawn
        and not part.kind.startswith(("multipart/", "text/"))
        and (part.kind not in _SIGNATURES and part.kind not in _ENCRYPTED)
    )


def _with_reports(mail: Incoming, header: Fields, found: Sequence[Part]) -> Incoming:
    """Return a mail with what it reports of mails of ours."""
    if found[0].kind != "multipart/report":
        found = ()
    return replace(
        mail,
        bounce=reports.bounce_of(header, found),
        complaint=reports.complaint_of(found),
    )
