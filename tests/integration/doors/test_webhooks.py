"""What providers post: taken with their signature or our secret, and from nobody else."""

import email
import email.policy
import json
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.db import DatabaseError
from django.test import Client
from pytest_django import Settings

from games.mail.stopping import address_digest
from games.models import FaultKind, InboundMail, MailFault, StoppedAddress
from games.services import receiving
from perudo_site import urls
from perudo_site.doors import providers, webhooks
from perudo_site.doors.checks import check_webhooks
from tests.cast import person, table
from tests.integration.doors import events, payloads
from tests.integration.doors.known import stored, turn_address
from tests.integration.doors.payloads import INBOUND, RECEIVED, SENDER, Post

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:django-anymail has dropped official support for SendGrid"),
]

SIGNED = ("mailersend", "mailgun", "mailtrap", "mandrill", "postal", "resend")
TELLS_WHEN = ("amazon_ses", "mailersend", "mailgun", "mailtrap", "mandrill", "resend")


@pytest.fixture
def address() -> str:
    """Where alice answers her turn."""
    return turn_address(table(), "alice")


@pytest.fixture
def send(settings: Settings, address: str) -> Iterator[Callable[..., int]]:
    """Post what a provider would; give the status."""
    client = Client(raise_request_exception=False)

    def deliver(provider: str, post: Post, *, kind: str = "inbound") -> int:
        settings.ANYMAIL = {**post.settings, **elsewhere}
        hooks = webhooks.urlpatterns([provider])
        settings.ROOT_URLCONF = (*urls.urlpatterns, *_below("mail/", hooks))
        answer = client.post(
            f"/mail/{provider}/{kind}/",
            post.body,
            content_type=post.content_type,
            headers=post.headers,
        )
        return answer.status_code

    with _storage(address) as origin:
        elsewhere = {
            "AMAZON_SES_CLIENT_PARAMS": {"region_name": "eu-west-1"},
            "MAILTRAP_API_URL": origin,
            "RESEND_API_URL": origin,
        }
        yield deliver


def _below(prefix: str, patterns: Any) -> Any:
    from django.urls import include, path

    return [path(prefix, include(patterns))]


@contextmanager
def _storage(to: str) -> Iterator[str]:
    """Serve what Mailtrap and Resend do not post, but keep for us to fetch."""

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            here = f"http://127.0.0.1:{self.server.server_address[1]}/source"
            if self.path == "/source":
                body = payloads.raw(to).encode()
            else:
                found = {"raw_message_url": here, "raw": {"download_url": here}}
                body = json.dumps(found).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    server = HTTPServer(("127.0.0.1", 0), Answer)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/"
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


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


class TestTracking:
    def test_a_bounce_counts_against_its_address(
        self, send: Callable[..., int], address: str
    ) -> None:
        for provider, post in (
            ("postmark", events.postmark_bounce(SENDER)),
            ("amazon_ses", events.amazon_ses_bounce(SENDER)),
            ("mailgun", events.mailgun_full(SENDER)),
        ):
            assert send(provider, post, kind="tracking") == 200
            assert send(provider, post, kind="tracking") == 200  # told twice, it counts once
        kinds = MailFault.objects.filter(user=person("alice")).order_by("pk")
        assert [fault.kind for fault in kinds] == [FaultKind.HARD, FaultKind.HARD, FaultKind.SOFT]

    def test_a_complaint_stops_our_mails(self, send: Callable[..., int], address: str) -> None:
        assert send("postmark", events.postmark_complaint(SENDER), kind="tracking") == 200
        assert MailFault.objects.get().kind == FaultKind.COMPLAINT
        stranger = events.postmark_complaint("somebody@example.net")
        assert send("postmark", stranger, kind="tracking") == 200
        assert StoppedAddress.objects.filter(pk=address_digest("somebody@example.net")).exists()

    def test_a_mail_that_arrived_is_no_news(self, send: Callable[..., int], address: str) -> None:
        assert send("postmark", events.postmark_delivery(SENDER), kind="tracking") == 200
        assert MailFault.objects.count() == 0

    def test_a_stranger_tells_nothing(self, send: Callable[..., int], address: str) -> None:
        post = replace(events.postmark_bounce(SENDER), headers={})
        assert send("postmark", post, kind="tracking") == 400
        assert MailFault.objects.count() == 0


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
