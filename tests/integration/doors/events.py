"""What providers post when a mail of ours did not arrive, or was called spam."""

from tests.integration.doors.payloads import KEY, RECEIVED, Post, as_json, basic, sha256, sns


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
