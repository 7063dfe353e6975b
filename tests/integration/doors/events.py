"""What providers post when a mail of ours did not arrive, or was called spam."""

import json
from collections.abc import Callable

from tests.integration.doors.payloads import (
    KEY,
    RECEIVED,
    SHARED,
    Post,
    as_json,
    basic,
    mandrill_events,
    postal_signed,
    resend_signed,
    sha256,
    sns,
)

GONE = "550 5.1.1 no such user"


def postmark_bounce(to: str) -> Post:
    event = {
        "RecordType": "Bounce",
        "ID": 901542550,
        "Type": "HardBounce",
        "TypeCode": 1,
        "MessageID": "2706ee8a-737c-4285-b032-ccd317af53ed",
        "Email": to,
        "Details": "smtp;550 5.1.1 no such user",
        "BouncedAt": "2026-11-21T12:00:00Z",
    }
    return Post(as_json(event), headers=basic())


def postmark_complaint(to: str) -> Post:
    event = {
        "RecordType": "SpamComplaint",
        "ID": 901542551,
        "Type": "SpamComplaint",
        "TypeCode": 100001,
        "MessageID": "2706ee8a-737c-4285-b032-ccd317af53ee",
        "Email": to,
        "BouncedAt": "2026-11-21T12:00:00Z",
    }
    return Post(as_json(event), headers=basic())


def postmark_delivery(to: str) -> Post:
    event = {
        "RecordType": "Delivery",
        "MessageID": "2706ee8a-737c-4285-b032-ccd317af53ed",
        "Recipient": to,
        "DeliveredAt": "2026-11-21T12:00:00Z",
    }
    return Post(as_json(event), headers=basic())


def amazon_ses_bounce(to: str) -> Post:
    event = {
        "eventType": "Bounce",
        "bounce": {
            "bounceType": "Permanent",
            "bounceSubType": "General",
            "bouncedRecipients": [
                {"emailAddress": to, "status": "5.1.1", "diagnosticCode": "smtp; 550 5.1.1 gone"}
            ],
        },
        "mail": {"messageId": "00000137860315fd", "destination": [to], "headers": []},
    }
    return sns(event)


def mailgun_full(to: str) -> Post:
    stamp, token = str(RECEIVED), "8b2a0f5a"
    event = {
        "signature": {
            "timestamp": stamp,
            "token": token,
            "signature": sha256(KEY, f"{stamp}{token}".encode()),
        },
        "event-data": {
            "event": "failed",
            "severity": "permanent",
            "reason": "bounce",
            "timestamp": float(RECEIVED),
            "id": "Czlm3lDyQuiCcZmtmYPEvw",
            "recipient": to,
            "message": {"headers": {"message-id": "x@mail.example.org"}},
            "delivery-status": {"code": 452, "message": "4.2.2 mailbox full", "description": ""},
        },
    }
    return Post(as_json(event), settings={"MAILGUN_WEBHOOK_SIGNING_KEY": KEY})


def brevo_bounce(to: str) -> Post:
    event = {
        "event": "hard_bounce",
        "email": to,
        "id": 26224,
        "date": "2026-11-21 12:00:00",
        "message-id": "<x@mail.example.org>",
        "ts_event": RECEIVED,
        "reason": GONE,
    }
    return Post(
        as_json(event),
        headers=basic(),
        settings={"WEBHOOK_SECRET": SHARED, "BREVO_API_KEY": "x"},
    )


def mailersend_bounce(to: str) -> Post:
    mail = {
        "object": "email",
        "id": "62f114f8165fe0d8db0288e5",
        "status": "rejected",
        "message": {"object": "message", "id": "62fb66bef54a112e920b5493"},
        "recipient": {"object": "recipient", "id": "62c69be104270ee9c6074d32", "email": to},
        "tags": None,
    }
    event = {
        "type": "activity.hard_bounced",
        "created_at": "2026-11-21T12:00:00.000000Z",
        "data": {
            "object": "activity",
            "id": "62f114f8165fe0d8db0288e3",
            "type": "hard_bounced",
            "created_at": "2026-11-21T12:00:00.000000Z",
            "email": mail,
            "morph": {"object": "recipient_bounce", "reason": GONE},
        },
    }
    body = as_json(event)
    settings = {"MAILERSEND_SIGNING_SECRET": KEY}
    return Post(body, headers={"Signature": sha256(KEY, body)}, settings=settings)


def mailjet_bounce(to: str) -> Post:
    event = {
        "event": "bounce",
        "time": RECEIVED,
        "MessageID": 13792286917004336,
        "email": to,
        "blocked": False,
        "hard_bounce": True,
        "error_related_to": "recipient",
        "error": "user unknown",
        "comment": GONE,
    }
    return Post(as_json([event]), headers=basic())


def mailtrap_bounce(to: str) -> Post:
    event = {
        "event": "bounce",
        "event_id": "2f8c1f2a",
        "timestamp": RECEIVED,
        "email": to,
        "message_id": "1df37d17",
        "response": GONE,
        "response_code": 550,
        "bounce_category": "badmailbox",
    }
    body = as_json({"events": [event]})
    settings = {"MAILTRAP_TRACKING_SECRET": KEY, "MAILTRAP_API_TOKEN": "x"}
    return Post(body, headers={"Mailtrap-Signature": sha256(KEY, body)}, settings=settings)


def mandrill_bounce(to: str) -> Post:
    event = {
        "event": "hard_bounce",
        "_id": "fd0ba5ac",
        "ts": RECEIVED,
        "msg": {
            "_id": "fd0ba5ac",
            "state": "bounced",
            "email": to,
            "bounce_description": "bad_mailbox",
            "diag": f"smtp;{GONE}",
        },
    }
    return mandrill_events(event, "tracking")


def postal_bounce(to: str) -> Post:
    message = {
        "id": 16,
        "direction": "outgoing",
        "message_id": "<x@mail.example.org>",
        "to": to,
        "from": "game@mail.example.org",
    }
    event = {
        "event": "MessageDeliveryFailed",
        "timestamp": RECEIVED,
        "uuid": "0f3b1a",
        "payload": {
            "status": "HardFail",
            "details": "Permanent SMTP delivery error",
            "output": GONE,
            "timestamp": RECEIVED,
            "message": message,
        },
    }
    return postal_signed(event)


def resend_bounce(to: str) -> Post:
    event = {
        "type": "email.bounced",
        "created_at": "2026-11-21T12:00:00.000Z",
        "data": {
            "email_id": "56761188-7520-42d8-8898-ff6fc54ce618",
            "created_at": "2026-11-21T12:00:00.000Z",
            "to": [to],
            "bounce": {"message": GONE, "type": "Permanent", "subType": "General"},
        },
    }
    return resend_signed(event, "RESEND_SIGNING_SECRET")


def sendgrid_bounce(to: str) -> Post:
    event = {
        "event": "bounce",
        "type": "bounce",
        "email": to,
        "timestamp": RECEIVED,
        "sg_event_id": "6g4ZI7SA",
        "sg_message_id": "14c5d75ce93",
        "reason": GONE,
        "status": "5.1.1",
    }
    return Post(as_json([event]), headers=basic())


def sparkpost_bounce(to: str) -> Post:
    event = {
        "type": "bounce",
        "bounce_class": "10",
        "error_code": "550",
        "event_id": "92356927693813856",
        "message_id": "000443ee14578172be22",
        "rcpt_to": to,
        "raw_rcpt_to": to,
        "raw_reason": GONE,
        "reason": GONE,
        "timestamp": str(RECEIVED),
    }
    return Post(as_json([{"msys": {"message_event": event}}]), headers=basic())


def mailgun_bounce(to: str) -> Post:
    post = mailgun_full(to)
    event = json.loads(post.body)
    event["event-data"]["delivery-status"] = {"code": 550, "message": "5.1.1 gone"}
    return Post(as_json(event), settings=post.settings)


BOUNCES: dict[str, Callable[[str], Post]] = {
    function.__name__.removesuffix("_bounce"): function
    for function in (
        amazon_ses_bounce, brevo_bounce, mailersend_bounce, mailgun_bounce, mailjet_bounce,
        mailtrap_bounce, mandrill_bounce, postal_bounce, postmark_bounce, resend_bounce,
        sendgrid_bounce, sparkpost_bounce,
    )
}  # fmt: skip
"""A mailbox that does not exist, as each provider tells it."""
