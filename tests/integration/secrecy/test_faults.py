"""Whatever breaks while a page or a mail is made, what is told about it holds no die and no key."""

import logging
import re
import traceback
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.core import mail as mailbox
from django.http import HttpRequest
from django.test import Client
from django.utils.log import AdminEmailHandler
from django.views.debug import ExceptionReporter

from games.models import Game, OutboxMessage, OutboxStatus
from games.services import outbox
from perudo_site.errors import Reporter
from tests.cast import NOON, cups, give_turn, person, table
from tests.integration.games.pages import live_table
from tests.integration.secrecy.faults import Fault, break_at, lines_of
from tests.oracle import Book, taps

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.timeout(300)]


HTML_EVERY = 12


@pytest.fixture
def told(settings: Any) -> Iterator[list[str]]:
    """What is told about errors: logs, error mails in both forms, and the pages of status 500."""
    settings.ADMINS = [("Ada", "ada@example.org")]  # Django's own handler writes to her
    texts: list[str] = []

    def note(tap: str, thing: object) -> None:
        if tap in ("log", "report", "mail"):
            texts.append(repr(thing))

    with taps.watching(note):
        yield texts


@contextmanager
def html_mails() -> Iterator[None]:
    """Send error mails in both forms, which takes a while."""
    logger, handler = logging.getLogger("django.request"), AdminEmailHandler(include_html=True)
    logger.addHandler(handler)
    try:
        yield
    finally:
        logger.removeHandler(handler)


def dice_in(texts: list[str], game: Game) -> list[str]:
    """Return which cups of at least four dice are in the texts, in any order of writing them."""
    found = []
    for cup in cups(game):
        row = r"[^\d\n]{1,6}".join(map(str, cup))
        found += [row for text in texts if len(cup) > 3 and re.search(row, text)]
    return found


def fields_of(mails: list[Any]) -> str:
    return "\n".join(mail.subject + mail.body + str(mail.alternatives) for mail in mails)


def test_no_line_of_a_table_s_page_can_break_so_that_an_error_report_tells_a_secret(
    told: list[str], oracle: Book
) -> None:
    game = live_table("alice", "bob", is_private=False)
    give_turn(game, "alice")
    client = Client(raise_request_exception=False)
    client.force_login(person("alice"))

    def visit() -> None:
        answer = client.get(f"/g/{game.code}/")
        assert answer.status_code in (200, 500)
        if answer.status_code == 500:
            told.append(answer.content.decode())

    visit()
    lines = lines_of(visit)
    assert len(lines) > 150
    broken = sum(break_at(line, visit) for line in lines)
    assert broken > len(lines) * 0.9
    with html_mails():
        broken += 2 * sum(break_at(line, visit) for line in lines[::HTML_EVERY])
    reports = [mail for mail in mailbox.outbox if "Fault" in mail.body]
    assert len(reports) == broken
    assert "games/views/game.py" in fields_of(reports), "it still tells where"
    assert dice_in(told, game) == []
    assert not oracle.leaks


def test_no_line_of_a_turn_s_mail_can_break_so_that_a_log_or_a_row_tells_a_secret(
    told: list[str], oracle: Book
) -> None:
    game = table(("alice", "bob"))
    outbox.relay(now=NOON)

    def write() -> None:
        rows = OutboxMessage.objects.filter(kind="turn")
        rows.update(status=OutboxStatus.PENDING, due_at=NOON, attempts=0, lease_until=None)
        try:
            outbox.relay(now=NOON)
        except Fault:  # the mail is out; a worker would log this
            told.append(traceback.format_exc())
        told.extend(rows.values_list("last_error", flat=True))

    lines = [line for line in lines_of(write) if "/services/outbox.py" not in line[0]]
    assert len(lines) > 100
    del told[:]
    broken = sum(break_at(line, write) for line in lines)
    assert broken > len(lines) * 0.9
    assert "Fault" in told
    assert dice_in([text for text in told if "X-Perudo-Mail" not in text], game) == []
    assert not oracle.leaks


def test_a_report_would_tell_dice_if_it_told_variables(settings: Any, oracle: Book) -> None:
    """The tests above would prove nothing if reports of this kind never told anything."""
    game = table(("alice", "bob"))
    settings.DEFAULT_EXCEPTION_REPORTER_FILTER = "django.views.debug.SafeExceptionReporterFilter"
    from django.views import debug

    debug.get_default_exception_reporter_filter.cache_clear()
    try:
        with oracle.expecting() as leaks:
            text = _report_of(game)
    finally:
        debug.get_default_exception_reporter_filter.cache_clear()
    assert dice_in([text], game)
    assert leaks


def _report_of(game: Game) -> str:
    under, key = cups(game), _key(game)
    try:
        assert under
        assert key
        raise Fault
    except Fault as error:
        return ExceptionReporter(None, Fault, error, error.__traceback__).get_traceback_html()


def _key(game: Game) -> str:
    from games import store

    game = Game.objects.select_related("current_round").get(pk=game.pk)
    return store.open_dice(game).cup_key(game.current_round, 0)


def _report_on(request: HttpRequest) -> Reporter:
    try:
        raise Fault
    except Fault as error:
        return Reporter(request, Fault, error, error.__traceback__)


def test_a_report_in_production_tells_neither_fields_nor_cookies_nor_settings(rf: Any) -> None:
    reporter = _report_on(
        rf.post(
            "/join/0123456789abcdefghjkmnpqrs/?next=x",
            {"phrase": "my words"},
            headers={"cookie": "session=abcdefgh", "user-agent": "me"},
        )
    )
    for text in (reporter.get_traceback_text(), reporter.get_traceback_html()):
        for secret in ("my words", "abcdefgh", "'me'", "0123456789abcd", "SEED_KEYS", "REDIS"):
            assert secret not in text, secret
        assert "phrase" in text


def test_debug_is_off_where_nobody_switched_it_on(settings: Any) -> None:
    from perudo_site import settings as ours

    assert ours.DEBUG is False
