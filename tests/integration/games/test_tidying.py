"""What was settled long ago is deleted, and nothing that a live game still needs."""

from datetime import datetime, timedelta

import pytest
from django.conf import settings

from games import rules, tasks
from games.models import Event, Game, Invitation, OutboxMessage, OutboxStatus
from games.models.invitation import INVITATION_LIFE
from games.services import invitations, lobby, tidying
from games.services.tidying import KEPT, purge
from tests.cast import NOON, act, later, person, player, seat_of, table

pytestmark = pytest.mark.django_db

A_SECOND = timedelta(seconds=1)
LATER = NOON + KEPT + A_SECOND


def finished(now: datetime = NOON) -> Game:
    """Return a game that is over, all of whose notices are settled."""
    game = table(now=now)
    game = act(game, rules.Resign(seat_of(game, "bob").number), now=now)
    assert game.status == "finished"
    OutboxMessage.objects.filter(game=game).update(status=OutboxStatus.SENT)
    return game


def rows(game: Game) -> int:
    return OutboxMessage.objects.filter(game=game).count()


def test_notices_of_a_game_that_is_over_go_after_ninety_days_and_nothing_else_does() -> None:
    game = finished()
    told = rows(game)
    events = Event.objects.filter(game=game).count()
    assert told >= 3
    assert purge(now=NOON + KEPT) == 0
    assert purge(now=LATER) == told
    assert purge(now=LATER) == 0, "done twice, it is the same"
    assert rows(game) == 0
    assert Event.objects.filter(game=game).count() == events


def test_superseded_ones_go_too_and_those_that_need_a_person_stay() -> None:
    game = finished()
    first, second, *_ = OutboxMessage.objects.filter(game=game).values_list("pk", flat=True)
    OutboxMessage.objects.exclude(pk=first).update(status=OutboxStatus.SUPERSEDED)
    OutboxMessage.objects.filter(pk=first).update(status=OutboxStatus.DEAD)
    OutboxMessage.objects.filter(pk=second).update(status=OutboxStatus.PENDING)
    purge(now=LATER)
    kept = set(OutboxMessage.objects.values_list("pk", flat=True))
    assert kept == {first, second}


def test_a_game_under_way_keeps_every_notice_however_old() -> None:
    game = table()
    OutboxMessage.objects.update(status=OutboxStatus.SENT)
    room = lobby.create_game(
        host=player(person("alice")),
        new=lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=3600),
        now=NOON,
    )
    told = rows(game)
    assert purge(now=later(days=1000)) == 0
    assert rows(game) == told
    assert Game.objects.filter(pk=room.pk).exists()


def test_an_invitation_goes_ninety_days_after_it_has_expired() -> None:
    game = table()
    invitations.write(game, by=person("alice").pk, now=NOON, email="zoe@example.org", language="en")
    invitations.write(
        game, by=person("alice").pk, now=later(days=1), email="yan@example.org", language="en"
    )
    OutboxMessage.objects.update(status=OutboxStatus.SENT)
    purge(now=NOON + INVITATION_LIFE + KEPT)
    assert Invitation.objects.count() == 2
    purge(now=NOON + INVITATION_LIFE + KEPT + A_SECOND)
    assert [row.email for row in Invitation.objects.all()] == ["yan@example.org"]


def test_it_deletes_so_many_at_a_time_and_the_rest_the_next_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game = finished()
    told = rows(game)
    monkeypatch.setattr(tidying, "BATCH", 1)
    monkeypatch.setattr(tidying, "MOST_BATCHES", 2)
    assert purge(now=LATER) == 2
    assert rows(game) == told - 2
    while purge(now=LATER):
        pass
    assert rows(game) == 0


def test_the_timetable_rings_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    finished()
    monkeypatch.setattr(tasks.timezone, "now", lambda: LATER)
    assert tasks.tidy() > 0
    names = {entry["task"] for entry in settings.CELERY_BEAT_SCHEDULE.values()}
    assert tasks.tidy.name in names
