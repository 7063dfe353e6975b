"""What providers post: taken with their signature or our secret, and from nobody else."""

import email
import email.policy
import json
import logging
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime

import pytest
from django.db import DatabaseError
from django.test import Client
from pytest_django import Settings

from games.models import InboundMail
from games.services import receiving
from perudo_site.doors import providers, webhooks
from perudo_site.doors.checks import check_webhooks
from tests.integration.doors import payloads
from tests.integration.doors.known import stored
from tests.integration.doors.payloads import INBOUND, RECEIVED, SENDER, Post

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:django-anymail has dropped official support for SendGrid"),
]

SIGNED = ("mailersend", "mailgun", "mailtrap", "mandrill", "postal", "resend")
TELLS_WHEN = ("amazon_ses", "mailersend", "mailgun", "mailtrap", "mandrill", "resend")


class TestInbound:
    @pytest.mark.parametrize("provider", INBOUND)
    def test_a_mail_is_stored_as_it_came(
        self, provider: str, send: Callable[..., int], address: str
    ) -> None:
        assert send(provider, INBOUND[provider](address)) == 200
        [(mail, parcel)] = stored()
        assert mail.door == provider
        assert parcel.recipient == address
        read = email.message_from_bytes(parcel.raw, policy=email.policy.default)
        assert read["From"] == "Alice <alice@example.org>"
        assert read["Message-ID"] == "<answer-1@example.org>"
        assert read["In-Reply-To"] == "<turn@mail.example.org>"
        assert read["Subject"] == "Re: Round 3"
        text = read.get_body(("plain",))
        assert text is not None
        assert text.get_content().splitlines()[0] == "cinque 4"

    @pytest.mark.parametrize("provider", INBOUND)
    def test_a_post_that_comes_twice_is_one_mail(
        self, provider: str, send: Callable[..., int], address: str
    ) -> None:
        post = INBOUND[provider](address)
        assert [send(provider, post), send(provider, post)] == [200, 200]
        assert InboundMail.objects.count() == 1

    @pytest.mark.parametrize("provider", INBOUND)
    def test_a_stranger_posts_nothing(
        self, provider: str, send: Callable[..., int], address: str
    ) -> None:
        post = INBOUND[provider](address)
        for header in post.headers:
            if header.startswith("X-Amz"):
                continue
            spoilt = payloads.basic("doorman:guessed") if header == "Authorization" else {}
            forged = replace(post, headers={**post.headers, header: "x", **spoilt})
            assert send(provider, forged) in (400, 401, 422)
            without = {name: value for name, value in post.headers.items() if name != header}
            assert send(provider, replace(post, headers=without)) in (400, 401)
        assert InboundMail.objects.count() == 0

    def test_a_stranger_fills_no_log(
        self, send: Callable[..., int], address: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        forged = replace(INBOUND["postmark"](address), headers=payloads.basic("doorman:guessed"))
        assert send("postmark", forged) == 400
        told = [record for record in caplog.records if "postmark" in record.getMessage()]
        assert told
        assert all(record.levelname == "WARNING" for record in told)
        assert not any(record.exc_info for record in caplog.records)

    @pytest.mark.parametrize("provider", SIGNED)
    def test_a_signature_holds_for_its_own_post_only(
        self, provider: str, send: Callable[..., int], address: str
    ) -> None:
        post = INBOUND[provider](address)
        old = b"06c96baf" if provider == "mailgun" else SENDER.encode()
        old = b"1f2e3d4c" if provider == "mailtrap" else old
        old = b"alice%40" if provider == "mandrill" else old
        forged = replace(post, body=post.body.replace(old, b"mallory1"))
        assert forged.body != post.body
        assert send(provider, forged) == 400
        assert InboundMail.objects.count() == 0

    @pytest.mark.parametrize("provider", INBOUND)
    def test_it_came_when_the_provider_had_it(
        self, provider: str, send: Callable[..., int], address: str
    ) -> None:
        before = datetime.now(UTC)
        send(provider, INBOUND[provider](address))
        received_at = InboundMail.objects.get().received_at
        told = datetime.fromtimestamp(RECEIVED, UTC)
        if provider in TELLS_WHEN and told < before:
            assert received_at == told
        else:  # what lies ahead is a clock that goes wrong
            assert before <= received_at <= datetime.now(UTC)

    def test_what_a_provider_says_of_the_sender_is_kept(
        self, send: Callable[..., int], address: str
    ) -> None:
        send("amazon_ses", payloads.amazon_ses(address, dkim="GRAY", dmarc="FAIL"))
        send("sendgrid", payloads.sendgrid(address))
        send("postmark", payloads.postmark(address))
        assert [parcel.verdicts for _, parcel in stored()] == [
            {"spf": "pass example.org", "dkim": "none", "dmarc": "fail"},
            {"spf": "pass example.org", "dkim": "pass example.org"},
            None,
        ]

    @pytest.mark.parametrize("provider", ["postal", "sparkpost"])
    def test_a_mail_in_an_old_character_set_arrives(
        self, provider: str, send: Callable[..., int], address: str
    ) -> None:
        old = payloads.raw(address).replace("utf-8", "iso-8859-1").replace("cinque 4", "più no")
        assert send(provider, INBOUND[provider](address, source=old.encode("latin-1"))) == 200
        [(_, parcel)] = stored()
        assert "più no".encode("latin-1") in parcel.raw

    def test_a_mail_for_nobody_is_not_kept(self, send: Callable[..., int]) -> None:
        assert send("postmark", payloads.postmark("m-nobody@in.localhost")) == 200
        assert InboundMail.objects.count() == 0

    def test_without_an_envelope_the_header_says_for_whom(
        self, send: Callable[..., int], address: str
    ) -> None:
        post = payloads.postmark(address)
        event = json.loads(post.body)
        del event["OriginalRecipient"]
        event["Headers"].append({"Name": "Delivered-To", "Value": address})
        event["ToFull"] = [{"Email": "friends@example.org", "Name": ""}]
        assert send("postmark", replace(post, body=json.dumps(event).encode())) == 200
        assert [parcel.recipient for _, parcel in stored()] == [address]

    def test_a_large_post_is_refused_unread(self, send: Callable[..., int], address: str) -> None:
        post = payloads.postmark(address)
        assert send("postmark", replace(post, body=b" " * webhooks.LARGEST_BODY + post.body)) == 413

    @pytest.mark.parametrize("provider", ["postmark", "sparkpost", "amazon_ses", "brevo"])
    def test_a_post_that_makes_no_sense_is_refused_and_not_logged(
        self,
        provider: str,
        send: Callable[..., int],
        address: str,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        post = INBOUND[provider](address)
        nonsense = [b"", b"[]", b"{}", b"\xff", b"null", b'"five fours"']
        nonsense += [post.body[:-9], b'{"Headers": "five fours"}', b'{"items": ["five fours"]}']
        for body in nonsense:
            assert send(provider, replace(post, body=body)) in (200, 400, 422, 503)
        assert InboundMail.objects.count() == 0
        assert "five fours" not in caplog.text
        assert address not in caplog.text

    def test_without_a_database_the_provider_tries_again(
        self,
        send: Callable[..., int],
        address: str,
        monkeypatch: pytest.MonkeyPatch,
        caplog: pytest.LogCaptureFixture,
    ) -> None:
        def fail(**_: object) -> int:
            raise DatabaseError(f"no room for {address}")

        monkeypatch.setattr(receiving, "store", fail)
        with caplog.at_level(logging.DEBUG):
            assert send("postmark", payloads.postmark(address)) == 503
        assert "DatabaseError" in caplog.text
        assert address.split("@", maxsplit=1)[0] not in caplog.text

    def test_a_broken_mail_is_written_down_somehow(self) -> None:
        from anymail.inbound import AnymailInboundMessage

        from tests.unit.platform.test_mail_reading import BROKEN

        for name, raw in BROKEN.items():
            message = AnymailInboundMessage.parse_raw_mime_bytes(raw)
            assert webhooks.source(message) == webhooks.source(message), name

    @pytest.mark.parametrize(
        ("provider", "post", "kind"),
        [
            ("mailgun", payloads.mailgun_parsed, "inbound"),
            ("mailgun", payloads.mailgun, "inbound_mime"),
            ("sendgrid", payloads.sendgrid_raw, "inbound"),
        ],
    )
    def test_the_other_form_that_a_provider_posts_is_read_too(
        self,
        provider: str,
        post: Callable[[str], Post],
        kind: str,
        send: Callable[..., int],
        address: str,
    ) -> None:
        assert send(provider, post(address), kind=kind) == 200
        [(_, parcel)] = stored()
        read = email.message_from_bytes(parcel.raw, policy=email.policy.default)
        assert (parcel.recipient, read["Message-ID"]) == (address, "<answer-1@example.org>")
        assert read.get_body(("plain",)).get_content().startswith("cinque 4")


class TestMounting:
    """A webhook without a secret would let anybody write as anybody: there is none."""

    @pytest.mark.parametrize("provider", providers.PROVIDERS)
    def test_without_a_secret_there_is_no_address_and_the_check_says_so(
        self, provider: str, settings: Settings
    ) -> None:
        settings.ANYMAIL, settings.MAIL_WEBHOOKS = {}, [provider]
        assert webhooks.urlpatterns([provider]) == []
        [problem] = check_webhooks(None)
        assert problem.id == "perudo_site.E008"
        assert "set ANYMAIL_" in problem.msg

    @pytest.mark.parametrize("provider", SIGNED[:2])
    def test_the_shared_secret_is_no_signature(self, provider: str, settings: Settings) -> None:
        settings.ANYMAIL = {"WEBHOOK_SECRET": payloads.SHARED}
        assert webhooks.urlpatterns([provider]) == []

    @pytest.mark.parametrize("provider", INBOUND)
    def test_with_all_it_needs_the_check_is_content(
        self, provider: str, settings: Settings
    ) -> None:
        settings.ANYMAIL = {
            **INBOUND[provider]("x@example.org").settings,
            "MAILERSEND_SIGNING_SECRET": "x",
            "MAILTRAP_TRACKING_SECRET": "x",
            "RESEND_SIGNING_SECRET": payloads.SVIX_KEY,
        }
        settings.MAIL_WEBHOOKS = [provider]
        assert check_webhooks(None) == []

    def test_a_provider_that_misses_a_setting_is_named(self, settings: Settings) -> None:
        settings.ANYMAIL = {"WEBHOOK_SECRET": payloads.SHARED}
        settings.MAIL_WEBHOOKS = ["brevo", "pigeon"]
        brevo, pigeon = check_webhooks(None)
        assert "BREVO_API_KEY" in brevo.msg
        assert "names 'pigeon'" in pigeon.msg

    def test_by_default_there_is_none(self) -> None:
        assert Client().post("/mail/postmark/inbound/").status_code == 404
