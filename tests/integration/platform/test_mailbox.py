"""The development mailbox: SMTP in, pages out, and nowhere else."""

from collections.abc import Callable
from datetime import UTC, datetime
from email.message import EmailMessage

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from perudo_site.mailbox import store
from perudo_site.mailbox.models import MailboxMessage
from tests.unit.platform.test_mail_reading import BROKEN

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)
LOCAL = "127.0.0.1:8000"


@pytest.fixture
def reader() -> Client:
    """Somebody at this machine, not signed in."""
    return Client(HTTP_HOST=LOCAL)


def keep(to: str = "alice@example.org", *, html: str = "", subject: str = "Your turn") -> int:
    message = EmailMessage()
    message["Subject"] = subject
    message.set_content("Play at http://127.0.0.1:8000/g/abc/ now")
    if html:
        message.add_alternative(html, subtype="html")
    return store.keep(
        envelope_from="game@localhost", envelope_to=[to], raw=message.as_bytes(), now=NOW
    ).pk


@pytest.mark.django_db
class TestStore:
    def test_it_keeps_the_newest_only(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(store, "KEPT", 3)
        numbers = [keep() for _ in range(5)]
        assert [message.pk for message in store.newest_first()] == numbers[:1:-1]

    @pytest.mark.parametrize("raw", BROKEN.values(), ids=BROKEN.keys())
    def test_it_keeps_and_shows_a_broken_mail(self, raw: bytes, reader: Client) -> None:
        message = store.keep(envelope_from="", envelope_to=["a@b\x00\nc"], raw=raw, now=NOW)
        assert bytes(MailboxMessage.objects.get(pk=message.pk).raw) == raw
        assert reader.get("/mailbox/").status_code == 200
        assert reader.get(f"/mailbox/{message.pk}/").status_code == 200
        assert reader.get(f"/mailbox/{message.pk}/html/").status_code in {200, 404}


@pytest.mark.django_db
class TestPages:
    def test_the_list_is_newest_first_and_by_recipient(self, reader: Client) -> None:
        keep("alice@example.org", subject="first")
        keep("bob@example.org", subject="second")
        keep("Alice@Example.org", subject="third")
        page = reader.get("/mailbox/").content.decode()
        assert page.index("third") < page.index("second") < page.index("first")
        page = reader.get("/mailbox/", {"to": " ALICE@example.org"}).content.decode()
        assert "third" in page
        assert "first" in page
        assert "second" not in page

    def test_a_recipient_is_matched_whole(self, reader: Client) -> None:
        keep("malice@example.org", subject="not hers")
        assert b"not hers" not in reader.get("/mailbox/?to=alice@example.org").content

    def test_the_list_asks_as_much_for_one_mail_as_for_many(
        self, reader: Client, django_assert_num_queries: DjangoAssertNumQueries
    ) -> None:
        for _ in range(20):
            keep()
        with django_assert_num_queries(2):
            reader.get("/mailbox/")

    def test_a_mail_is_shown_with_its_links_its_frame_and_its_source(self, reader: Client) -> None:
        pk = keep(html="<p onclick=alert(1)>hi</p>")
        response = reader.get(f"/mailbox/{pk}/")
        page = response.content.decode()
        assert '<a href="http://127.0.0.1:8000/g/abc/"' in page
        assert f'src="/mailbox/{pk}/html/"' in page
        assert "onclick" not in page.split("<details>")[0]
        assert "frame-src 'self'" in response.headers["Content-Security-Policy"]

    def test_the_html_of_a_mail_runs_nothing_and_is_framed_here_only(self, reader: Client) -> None:
        response = reader.get(f"/mailbox/{keep(html='<script>alert(1)</script>')}/html/")
        policy = dict(
            rule.strip().split(" ", 1)
            for rule in response.headers["Content-Security-Policy"].split(";")
        )
        assert policy["default-src"] == "'none'"
        assert "script-src" not in policy
        assert policy["frame-ancestors"] == "'self'"
        assert "allow-scripts" not in policy["sandbox"]
        assert "allow-same-origin" not in policy["sandbox"]
        assert response.headers["X-Frame-Options"] == "SAMEORIGIN"

    def test_a_mail_without_html_has_no_frame(self, reader: Client) -> None:
        pk = keep()
        assert b"<iframe" not in reader.get(f"/mailbox/{pk}/").content
        assert reader.get(f"/mailbox/{pk}/html/").status_code == 404


def pages(pk: int) -> list[str]:
    return ["/mailbox/", f"/mailbox/{pk}/", f"/mailbox/{pk}/html/"]


@pytest.mark.django_db
class TestElsewhere:
    @pytest.mark.parametrize("change", ["DEVELOPMENT", "MAILBOX_ENABLED"])
    def test_there_is_no_mailbox(self, change: str, reader: Client, settings: Settings) -> None:
        setattr(settings, change, False)
        for address in pages(keep(html="x")):
            assert reader.get(address).status_code == 404

    def test_there_is_none_under_a_foreign_name(self, settings: Settings) -> None:
        settings.ALLOWED_HOSTS = ["*"]
        tunnel = Client(HTTP_HOST="alice.tunnel.example")
        for address in pages(keep(html="x")):
            assert tunnel.get(address).status_code == 404

    def test_nothing_is_posted_to_it(self, reader: Client) -> None:
        for address in pages(keep(html="x")):
            assert reader.post(address).status_code == 405

    def test_production_has_no_address_for_it(
        self, settings: Settings, reload_urls: Callable[[], list[str]]
    ) -> None:
        assert "mailbox/" in reload_urls()
        settings.MAILBOX_ENABLED = False
        assert "mailbox/" not in reload_urls()


@pytest.fixture
def reload_urls() -> Callable[[], list[str]]:
    """Read the site's addresses again, as a fresh process would, and give their beginnings."""

    def read() -> list[str]:
        import runpy

        return [str(each.pattern) for each in runpy.run_path("perudo_site/urls.py")["urlpatterns"]]

    return read
