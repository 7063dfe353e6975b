"""No player gets more than so many mails a day; what is beyond them comes with a digest."""

from datetime import datetime

import pytest
from django.core import mail as mailbox
from django.core.mail import EmailMultiAlternatives

from games.models import Game, Mode, Wishes
from games.services import outbox
from tests.cast import NOON, later, person, veteran
from tests.integration.mail.letters import deliver, reply
from tests.integration.notices.test_modes import DAY, alices_turn, post, wish

pytestmark = pytest.mark.django_db

NEXT_DIGEST = datetime(2026, 5, 5, 7, 30, tzinfo=NOON.tzinfo)
LINE = "mails today. Until tomorrow your turns are told together"


@pytest.fixture(autouse=True)
def three_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let three mails be as many as somebody gets in a day."""
    monkeypatch.setattr("games.mail.wanted.MOST_A_DAY", 3)
    monkeypatch.setattr("games.mail.render.MOST_A_DAY", 3)


@pytest.fixture
def games() -> list[Game]:
    """Five games that wait for alice since noon, for three days each."""
    veteran("alice")
    return [alices_turn(name) for name in ("bob", "carol", "dora", "emil", "fay")]


def alices_mails() -> list[EmailMultiAlternatives]:
    return [mail for mail in mailbox.outbox if mail.to == ["alice@example.org"]]


def test_turns_beyond_it_come_with_one_digest_and_with_no_second(games: list[Game]) -> None:
    assert post() == ["turn", "turn", "turn"]
    assert post(later(hours=1)) == []
    assert "digest" in post(NEXT_DIGEST)
    digest = next(
        mail for mail in alices_mails() if mail.extra_headers["X-Perudo-Mail"] == "digest"
    )
    assert all(game.code in str(digest.body) for game in games)
    assert "because you have got as many as one day brings" in str(digest.body)
    assert "digest" not in post(NEXT_DIGEST + DAY)


def test_the_last_mail_of_the_day_says_so_and_no_other(games: list[Game]) -> None:
    post()
    told = [LINE in " ".join(str(mail.body).split()) for mail in alices_mails()]
    assert told == [False, False, True]
    assert LINE in " ".join(str(alices_mails()[-1].alternatives[0][0]).split())


def test_the_next_day_turns_are_told_one_by_one_again(games: list[Game]) -> None:
    post()
    tomorrow = later(hours=12)
    alices_turn("gus", now=tomorrow)
    assert post(tomorrow) == ["turn"]


def test_the_day_is_that_of_the_players_zone(games: list[Game]) -> None:
    user = person("alice")
    user.time_zone = "Asia/Tokyo"
    user.save()
    post()
    alices_turn("gus", now=later(hours=2, minutes=59))
    assert post(later(hours=2, minutes=59)) == []
    alices_turn("hal", now=later(hours=3))
    assert post(later(hours=3)) == ["turn"]


def test_one_is_still_reminded_of_a_turn_that_runs_out_within_the_day() -> None:
    for name in ("bob", "carol", "dora"):
        alices_turn(name)
    short = alices_turn("emil", seconds=6 * 3600)
    assert post() == ["turn"] * 3
    assert "reminder" in post(later(hours=5))
    assert any(short.code in str(mail.body) for mail in alices_mails())


@pytest.mark.parametrize(("already", "is_reminded"), [(0, True), (3, False)])
def test_nobody_is_reminded_beyond_it_of_a_turn_with_more_time(
    already: int, is_reminded: bool
) -> None:
    alices_turn("bob")
    post()
    morning = later(hours=45)  # more than half of the three days is gone, and 27 hours are left
    Wishes.objects.filter(pk=person("alice").pk).update(mails_on=morning.date(), mails_sent=already)
    assert ("reminder" in post(morning)) == is_reminded


def test_answers_to_ones_own_mails_neither_count_nor_stop(games: list[Game]) -> None:
    post()
    sent = alices_mails()[0]
    for line in ("status", "help"):
        deliver(reply(sent, line), sent.reply_to[0], now=later(minutes=1))
    assert post(later(minutes=2)) == ["answer", "answer"]
    assert Wishes.objects.get(pk=person("alice").pk).mails_sent == 3


def test_a_mail_that_is_tried_again_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    alices_turn("bob")
    monkeypatch.setattr(EmailMultiAlternatives, "send", lambda self: 0)
    outbox.relay(now=NOON)
    monkeypatch.undo()
    assert post(later(minutes=5)) == ["turn"]
    assert Wishes.objects.get(pk=person("alice").pk).mails_sent == 1


def test_whoever_wants_digests_goes_on_getting_them() -> None:
    wish(mode=Mode.DIGEST)
    alices_turn("bob", seconds=10 * 86_400)
    post()
    assert "digest" in post(NEXT_DIGEST)
    assert "digest" in post(NEXT_DIGEST + DAY)
