"""One mail that arrives fifty times at the same moment, by fifty ways: one move, one answer."""

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import pytest
from django.db import connections
from pytest_django import Settings

from games.models import Bid, Game, InboundMail, OutboxMessage
from games.services import receiving
from games.services.receiving import Outcome
from tests.cast import give_turn, table
from tests.integration.doors.known import turn_address
from tests.integration.mail_game.post import Post, post_office
from tests.unit.replies.letters import letter

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

COPIES = 50
AT_ONCE = 10


@pytest.fixture
def post(settings: Settings) -> Iterator[Post]:
    with post_office(settings) as post:
        yield post


def at_once(work: Callable[[int], object], numbers: list[int]) -> None:
    """Do something for each number, ten at a time."""

    def run(number: int) -> None:
        try:
            work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(run, numbers))


@pytest.mark.parametrize("same_bytes", [True, False])
def test_a_mail_that_comes_fifty_times_at_once_is_one_move(post: Post, same_bytes: bool) -> None:
    game = table(("alice", "bob"), now=datetime.now(UTC))
    give_turn(game, "alice")
    address = turn_address(game, "alice")

    def deliver(number: int) -> None:
        way = b"" if same_bytes else b"Received: by mx%d.example.org\r\n" % number
        post.send(way + letter("1 two"), to=address)

    at_once(deliver, list(range(COPIES)))
    stored = list(InboundMail.objects.values_list("pk", flat=True))
    assert len(stored) == (1 if same_bytes else COPIES)
    # Each is handed out by its own nudge, and some of them again by the sweep.
    at_once(
        lambda pk: receiving.handle(mail_id=pk, now=datetime.now(UTC)),
        (stored * COPIES)[:COPIES] + stored[:5],
    )
    post.work()
    outcomes = Counter(post.outcomes())
    assert outcomes == Counter([Outcome.PLAYED] + [Outcome.REPEAT] * (len(stored) - 1))
    assert Bid.objects.count() == 1
    assert Game.objects.get().version == game.version + 1
    assert OutboxMessage.objects.filter(kind="ack").count() == 1
    assert len(post.mails_to("alice@example.org", kind="ack")) == 1
