"""What providers tell of mails that we sent: that an address is gone, or called them spam."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from games.mail.stopping import address_digest
from games.models import FaultKind, MailFault, StoppedAddress
from perudo_site.doors import providers
from tests.cast import person
from tests.integration.doors import events
from tests.integration.doors.payloads import INBOUND, SENDER

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore:django-anymail has dropped official support for SendGrid"),
]


@pytest.mark.parametrize("provider", events.BOUNCES)
def test_every_provider_tells_of_an_address_that_is_gone(
    provider: str, send: Callable[..., int], address: str
) -> None:
    assert send(provider, events.BOUNCES[provider](SENDER), kind="tracking") == 200
    fault = MailFault.objects.get()
    assert (fault.user, fault.kind) == (person("alice"), FaultKind.HARD)


def test_there_is_one_for_each_provider() -> None:
    assert set(events.BOUNCES) == set(INBOUND) == set(providers.PROVIDERS)


def test_a_bounce_counts_against_its_address(send: Callable[..., int], address: str) -> None:
    for provider, post in (
        ("postmark", events.postmark_bounce(SENDER)),
        ("amazon_ses", events.amazon_ses_bounce(SENDER)),
        ("mailgun", events.mailgun_full(SENDER)),
    ):
        assert send(provider, post, kind="tracking") == 200
        assert send(provider, post, kind="tracking") == 200  # told twice, it counts once
    kinds = MailFault.objects.filter(user=person("alice")).order_by("pk")
    assert [fault.kind for fault in kinds] == [FaultKind.HARD, FaultKind.HARD, FaultKind.SOFT]


def test_a_complaint_stops_our_mails(send: Callable[..., int], address: str) -> None:
    assert send("postmark", events.postmark_complaint(SENDER), kind="tracking") == 200
    assert MailFault.objects.get().kind == FaultKind.COMPLAINT
    stranger = events.postmark_complaint("somebody@example.net")
    assert send("postmark", stranger, kind="tracking") == 200
    assert StoppedAddress.objects.filter(pk=address_digest("somebody@example.net")).exists()


def test_a_mail_that_arrived_is_no_news(send: Callable[..., int], address: str) -> None:
    assert send("postmark", events.postmark_delivery(SENDER), kind="tracking") == 200
    assert MailFault.objects.count() == 0


def test_a_stranger_tells_nothing(send: Callable[..., int], address: str) -> None:
    post = replace(events.postmark_bounce(SENDER), headers={})
    assert send("postmark", post, kind="tracking") == 400
    assert MailFault.objects.count() == 0
