"""What each provider posts when a mail came in, with its own signature or the shared secret.

The shapes are those of the providers' documentation; values of no interest are left out.
"""

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from svix.webhooks import Webhook

SENDER = "alice@example.org"
TEXT = "cinque 4\r\n\r\n> Il tuo turno\r\n"
HEADERS = {
    "From": "Alice <alice@example.org>",
    "Subject": "Re: Round 3",
    "Message-ID": "<answer-1@example.org>",
    "Date": "Sat, 21 Nov 2026 13:00:00 +0100",
    "In-Reply-To": "<turn@mail.example.org>",
}
SHARED = "doorman:a long secret of this test"
KEY = "a key of this test"
SVIX_KEY = "whsec_" + base64.b64encode(b"a key of this test, too").decode()
RECEIVED = 1_795_262_400  # 2026-11-21 12:00 UTC


@dataclass(frozen=True, slots=True)
class Post:
    """One request; ``settings`` is what has to be set for it."""

    body: bytes
    content_type: str = "application/json"
    headers: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=lambda: {"WEBHOOK_SECRET": SHARED})


def raw(to: str) -> str:
    """Return the mail as its writer's server handed it to the provider."""
    head = "".join([f"{name}: {value}\r\n" for name, value in {**HEADERS, "To": to}.items()])
    return f"{head}Content-Type: text/plain; charset=utf-8\r\n\r\n{TEXT}"


def basic(secret: str = SHARED) -> dict[str, str]:
    return {"Authorization": "Basic " + base64.b64encode(secret.encode()).decode()}


def sha256(key: str, message: bytes) -> str:
    return hmac.new(key.encode(), message, hashlib.sha256).hexdigest()


def as_json(value: object) -> bytes:
    return json.dumps(value).encode()


def amazon_ses(to: str, **verdicts: str) -> Post:
    told = {"spf": "PASS", "dkim": "PASS", "dmarc": "PASS", **verdicts}
    event = {
        "notificationType": "Received",
        "mail": {
            "timestamp": "2026-11-21T12:00:00.000Z",
            "source": SENDER,
            "messageId": "jili9m351il3gkburn7o2f0u6788stij94c8ld01",
            "destination": [to],
        },
        "receipt": {
            "timestamp": "2026-11-21T12:00:00.000Z",
            "recipients": [to],
            **{f"{name}Verdict": {"status": status} for name, status in told.items()},
            "action": {"type": "SNS", "encoding": "BASE64", "topicArn": "arn:aws:sns:x:1:y"},
        },
        "content": base64.b64encode(raw(to).encode()).decode(),
    }
    return sns(event)


def sns(event: dict[str, Any]) -> Post:
    notice = {
        "Type": "Notification",
        "MessageId": "19ba9823-d7f2-53c1-860e-cb10e0d13dfc",
        "TopicArn": "arn:aws:sns:us-east-1:1234567890:SES_Events",
        "Subject": "Amazon SES Email Receipt Notification",
        "Message": json.dumps(event),
        "Timestamp": "2026-11-21T12:00:00.528Z",
    }
    kind = {
        "X-Amz-Sns-Message-Type": "Notification",
        "X-Amz-Sns-Message-Id": notice["MessageId"],
    }
    return Post(as_json(notice), "text/plain", {**basic(), **kind})


def brevo(to: str) -> Post:
    event = {
        "items": [
            {
                "Uuid": ["8d79f2dd-bf45-4aa7-9d3c-1b8a3e4e7a59"],
                "MessageId": HEADERS["Message-ID"],
                "Headers": {
                    **HEADERS,
                    "Return-Path": f"<{SENDER}>",
                    "Delivered-To": to,
                    "To": to,
                    "Received": ["by mail.example.org", "from client"],
                },
                "SpamScore": 2.8,
                "RawTextBody": TEXT,
                "RawHtmlBody": None,
                "Attachments": [],
            }
        ]
    }
    return Post(as_json(event), headers=basic(), settings=_with("BREVO_API_KEY"))


def mailersend(to: str) -> Post:
    event = {
        "type": "inbound.message",
        "created_at": "2026-11-21T12:00:00.000000Z",
        "data": {
            "object": "message",
            "id": "6402ab24cd2e1d8c8f7a1234",
            "recipients": {"rcptTo": [{"email": to}], "to": {"raw": to}},
            "sender": {"email": SENDER},
            "raw": raw(to),
            "spf_check": {"code": "+", "value": None},
            "dkim_check": False,
            "created_at": "2026-11-21T12:00:00.000000Z",
        },
    }
    body = as_json(event)
    settings = {"MAILERSEND_INBOUND_SECRET": KEY}
    return Post(body, headers={"Signature": sha256(KEY, body)}, settings=settings)


def mailgun(to: str) -> Post:
    token, stamp = "06c96bafc3f42a66b9edd546347a2fe18dc23461fe80dc52f0", str(RECEIVED)
    fields = {
        "token": token,
        "timestamp": stamp,
        "signature": sha256(KEY, f"{stamp}{token}".encode()),
        "recipient": to,
        "sender": SENDER,
        "from": HEADERS["From"],
        "subject": HEADERS["Subject"],
        "body-mime": raw(to),
    }
    return _form(fields, settings={"MAILGUN_WEBHOOK_SIGNING_KEY": KEY})


def mailgun_parsed(to: str) -> Post:
    """The mail taken apart: what a route to an address that does not end in "mime" posts."""
    token, stamp = "1b2c96bafc3f42a66b9edd546347a2fe18dc23461fe80dc52f", str(RECEIVED)
    listed = [["X-Mailgun-Incoming", "Yes"], ["Received", "from mail.example.org by mxa.test"]]
    listed += [[name, value] for name, value in {**HEADERS, "To": to}.items()]
    fields = {
        "recipient": to,
        "sender": SENDER,
        "message-headers": json.dumps(listed),
        "timestamp": stamp,
        "token": token,
        "signature": sha256(KEY, f"{stamp}{token}".encode()),
        "body-plain": TEXT,
        "stripped-text": "cinque 4",
    }
    return multipart(fields, settings={"MAILGUN_WEBHOOK_SIGNING_KEY": KEY})


def mailjet(to: str) -> Post:
    event = {
        "Sender": SENDER,
        "Recipient": to,
        "Date": "20261121T120000",
        "From": HEADERS["From"],
        "Subject": HEADERS["Subject"],
        "Headers": {**HEADERS, "To": to, "Received": ["by mail.example.org", "from client"]},
        "Parts": [{"Headers": {"Content-Type": "text/plain"}, "ContentRef": "Text-part"}],
        "Text-part": TEXT,
        "SpamAssassinScore": "-0.1",
    }
    return Post(as_json(event), headers=basic())


def mailtrap(to: str) -> Post:
    event = {
        "event": "inbound.message_received",
        "event_id": "ee4d3b8e",
        "timestamp": RECEIVED * 1000,
        "inbox_id": 42,
        "message_id": "1f2e3d4c",
    }
    body = as_json({"events": [event]})
    settings = {"MAILTRAP_INBOUND_SECRET": KEY, "MAILTRAP_API_TOKEN": "x"}
    return Post(body, headers={"Mailtrap-Signature": sha256(KEY, body)}, settings=settings)


def mandrill(to: str) -> Post:
    event = {
        "event": "inbound",
        "ts": RECEIVED,
        "msg": {
            "raw_msg": raw(to),
            "email": to,
            "from_email": SENDER,
            "dkim": {"signed": True, "valid": True},
            "spf": {"result": "pass", "detail": "sender SPF authorized"},
            "spam_report": {"score": 0.2},
        },
    }
    return mandrill_events(event, "inbound")


def mandrill_events(event: dict[str, Any], kind: str) -> Post:
    fields = {"mandrill_events": json.dumps([event])}
    signed = f"http://testserver/mail/mandrill/{kind}/" + "".join(sum(fields.items(), ()))
    mac = hmac.new(KEY.encode(), signed.encode(), hashlib.sha1).digest()
    signature = {"X-Mandrill-Signature": base64.b64encode(mac).decode()}
    return _form(fields, headers=signature, settings={"MANDRILL_WEBHOOK_KEY": KEY})


def postal(to: str, *, source: bytes = b"") -> Post:
    event = {
        "id": 233980,
        "rcpt_to": to,
        "mail_from": SENDER,
        "message": base64.b64encode(source or raw(to).encode()).decode(),
        "base64": True,
        "size": 859,
    }
    return postal_signed(event)


def postal_signed(event: dict[str, Any]) -> Post:
    body = as_json(event)
    key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
    pem = key.public_key().public_bytes(
        serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
    )
    signature = base64.b64encode(key.sign(body, padding.PKCS1v15(), hashes.SHA1())).decode()
    middle = "\n".join(pem.decode().splitlines()[1:-1])
    return Post(
        body, headers={"X-Postal-Signature": signature}, settings={"POSTAL_WEBHOOK_KEY": middle}
    )


def postmark(to: str) -> Post:
    listed = [{"Name": "Return-Path", "Value": f"<{SENDER}>"}]
    listed += [{"Name": name, "Value": value} for name, value in HEADERS.items() if name[0] in "MI"]
    event = {
        "FromName": "Alice",
        "From": SENDER,
        "FromFull": {"Email": SENDER, "Name": "Alice", "MailboxHash": ""},
        "To": to,
        "ToFull": [{"Email": to, "Name": "", "MailboxHash": ""}],
        "OriginalRecipient": to,
        "Subject": HEADERS["Subject"],
        "MessageID": "22c74902-a0c1-4511-804f-341342852c90",
        "Date": HEADERS["Date"],
        "TextBody": TEXT,
        "HtmlBody": "",
        "Headers": listed,
        "Attachments": [],
    }
    return Post(as_json(event), headers=basic())


def resend(to: str) -> Post:
    event = {
        "type": "email.received",
        "created_at": "2026-11-21T12:00:00.000Z",
        "data": {"email_id": "56761188-7520-42d8-8898-ff6fc54ce618", "from": SENDER, "to": [to]},
    }
    return resend_signed(event, "RESEND_INBOUND_SECRET")


def resend_signed(event: dict[str, Any], secret: str) -> Post:
    body = as_json(event)
    stamp, name = int(time.time()), "msg_p5jXN8AQM9LWM0D4loKWxJek"
    signed = {
        "svix-id": name,
        "svix-timestamp": str(stamp),
        "svix-signature": _svix(name, stamp, body),
    }
    settings = {secret: SVIX_KEY, "RESEND_API_KEY": "x"}
    return Post(body, headers=signed, settings=settings)


def _svix(name: str, stamp: int, body: bytes) -> str:
    from datetime import UTC, datetime

    return Webhook(SVIX_KEY).sign(name, datetime.fromtimestamp(stamp, UTC), body.decode())


def sendgrid(to: str) -> Post:
    fields = {
        "headers": "\n".join([f"{name}: {value}" for name, value in {**HEADERS, "To": to}.items()]),
        "dkim": "{@lists.example.net : fail, @example.org : pass}",
        "SPF": "pass",
        "envelope": json.dumps({"to": [to], "from": SENDER}),
        "charsets": json.dumps({"to": "UTF-8", "subject": "UTF-8", "text": "utf-8"}),
        "sender_ip": "192.0.2.7",
        "text": TEXT,
    }
    return _form(fields, headers=basic())


def sendgrid_raw(to: str) -> Post:
    """The mail as it came: "POST the raw, full MIME message"."""
    fields = {
        "email": raw(to),
        "dkim": "{@example.org : pass}",
        "SPF": "pass",
        "envelope": json.dumps({"to": [to], "from": SENDER}),
        "charsets": json.dumps({"to": "UTF-8", "subject": "UTF-8"}),
        "sender_ip": "192.0.2.7",
    }
    return multipart(fields, headers=basic())


def sparkpost(to: str, *, source: bytes = b"") -> Post:
    content: dict[str, Any] = {"email_rfc822": raw(to), "email_rfc822_is_base64": False}
    if source:
        content = {
            "email_rfc822": base64.b64encode(source).decode(),
            "email_rfc822_is_base64": True,
        }
    event = {
        "msys": {
            "relay_message": {
                "content": content,
                "friendly_from": SENDER,
                "msg_from": SENDER,
                "rcpt_to": to,
                "webhook_id": "4839201967643219",
                "protocol": "smtp",
            }
        }
    }
    return Post(as_json([event]), headers=basic())


def _with(*names: str) -> dict[str, str]:
    return {"WEBHOOK_SECRET": SHARED, **dict.fromkeys(names, "x")}


def _form(
    fields: dict[str, str],
    *,
    headers: dict[str, str] | None = None,
    settings: dict[str, str] | None = None,
) -> Post:
    return Post(
        urlencode(fields).encode(),
        "application/x-www-form-urlencoded",
        headers or {},
        settings or {"WEBHOOK_SECRET": SHARED},
    )


def multipart(
    fields: dict[str, str],
    *,
    headers: dict[str, str] | None = None,
    settings: dict[str, str] | None = None,
) -> Post:
    parts = [
        f'--xYzZY\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in fields.items()
    ]
    return Post(
        ("".join(parts) + "--xYzZY--\r\n").encode(),
        "multipart/form-data; boundary=xYzZY",
        headers or {},
        settings or {"WEBHOOK_SECRET": SHARED},
    )


INBOUND: dict[str, Callable[..., Post]] = {
    function.__name__: function
    for function in (
        amazon_ses, brevo, mailersend, mailgun, mailjet, mailtrap, mandrill, postal, postmark,
        resend, sendgrid, sparkpost,
    )
}  # fmt: skip
