"""No mail says more than its reader may know: whole games, every mail, every language."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core import serializers
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts.models import User
from games import rules, store
from games.clock import Question
from games.mail import answers
from games.mail import render as rendering
from games.mail.render import render
from games.models import Game, GameStatus, OutboxKind, OutboxMessage, OutboxStatus, Seat
from games.services import deadlines, lobby, more_time, moves, notices, voting
from tests.cast import NOON, act, person, player, seat_of, set_dice, table
from tests.integration.contexts import check_context
from tests.integration.games.handing import claim, play_for, retire
from tests.integration.games.mailing import links_of, parts_of, preheader_of

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

PEOPLE = ("alice", "bob", "carol", "dave")
LANGUAGES = [code for code, _ in settings.LANGUAGES]
WITH_DICE = (OutboxKind.TURN, OutboxKind.REMINDER, OutboxKind.NUDGE)
Mail = EmailMultiAlternatives


@contextmanager
def other_dice(*, spare: int | None) -> Iterator[None]:
    """Put other dice under every cup but that of seat ``spare``."""
    real = store.Dice.cups

    def shifted(*args: Any, **how: Any) -> tuple[rules.Cup, ...]:
        return tuple(
            cup if seat == spare else tuple(face % 6 + 1 for face in cup)
            for seat, cup in enumerate(real(*args, **how))
        )

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store.Dice, "cups", shifted)
        yield


@pytest.fixture(autouse=True)
def _checked_contexts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look through whatever any template of a mail is given."""
    real = rendering.render_to_string

    def checked(name: str, context: dict[str, Any]) -> str:
        check_context(context)
        return real(name, context)

    monkeypatch.setattr(rendering, "render_to_string", checked)


def must_render(row: OutboxMessage, now: datetime) -> Mail:
    mail = render(row, now=now)
    assert mail is not None
    return mail


def check(row: OutboxMessage, now: datetime) -> None:
    """Prove that one mail depends on no die but its reader's, and on that only where it may."""
    mail = must_render(row, now)
    seat = row.seat.number if row.seat else None
    with other_dice(spare=seat):
        assert parts_of(must_render(row, now)) == parts_of(mail), row.kind
    with other_dice(spare=None):
        changed = must_render(row, now)
    if row.kind not in WITH_DICE:
        assert parts_of(changed) == parts_of(mail), row.kind
        return
    assert str(changed.body) != str(mail.body)
    assert changed.subject == mail.subject
    assert changed.extra_headers == mail.extra_headers
    assert preheader_of(changed) == preheader_of(mail)
    assert str(changed.body)[:200] == str(mail.body)[:200]


def pump(now: datetime, seen: set[tuple[str, str]]) -> None:
    """Check every mail that is due in each language, and mark it sent."""
    due = OutboxMessage.objects.filter(status=OutboxStatus.PENDING, due_at__lte=now)
    for row in due.select_related("seat__user", "invitation").order_by("due_at", "pk"):
        if row.kind == OutboxKind.TURN:
            notices.plan_reminders(row, now=now)
        if render(row, now=now) is None:
            row.status = OutboxStatus.SUPERSEDED
        else:
            user = row.user or (row.seat.user if row.seat else None)
            for language in LANGUAGES:
                if (row.kind, language) in seen and (row.pk + len(language)) % 8:
                    continue
                if user is not None:
                    User.objects.filter(pk=user.pk).update(language=language)
                elif row.invitation is not None:
                    type(row.invitation).objects.filter(pk=row.invitation.pk).update(
                        language=language
                    )
                check(row, now)
                seen.add((row.kind, language))
            row.status = OutboxStatus.SENT
        row.save(update_fields=["status"])


def move(game: Game, chance: random.Random, now: datetime) -> None:
    seats = list(Seat.objects.filter(game=game).order_by("number"))
    view = rules.view_for(store.load_state(game, seats, with_dice=True), game.to_act)
    assert game.to_act is not None
    if view.may_dudo and chance.random() < 0.5:
        action: Any = rules.Dudo(game.to_act)
    elif view.may_calza and chance.random() < 0.2:
        action = rules.Calza(game.to_act)
    else:
        action = rules.MakeBid(game.to_act, chance.choice(view.least_raises))
    act(game, action, now=now)


def impatient(game: Game, *, now: datetime) -> None:
    """Let somebody nudge the player to move, and ask for an end."""
    other = next(name for name in PEOPLE if seat_of(game, name).number != game.to_act)
    who: dict[str, Any] = {"game_id": game.pk, "user_id": person(other).pk, "now": now}
    more_time.nudge(deadline=game.turn_deadline_at, **who)
    voting.propose(question=Question.CANCEL, **who)


def hand_on(leaver: str, comer: str, *, now: datetime, seen: set[tuple[str, str]]) -> None:
    """Let a seat be retired and promised, and go out before the next roll."""
    game = table(("gina", "hugo", leaver), now=now)
    set_dice(game, **{leaver: 1})
    seat = retire(game, leaver, now=now)
    pump(now, seen)
    claim(game, comer, seat, now=now)
    game = play_for(game, rules.MakeBid(seat.number, rules.Bid.parse("11x4")), now=now)
    act(game, rules.Dudo(game.to_act), now=now)
    pump(now, seen)


@pytest.mark.parametrize("preset", ["bga", "piatnik"])
@pytest.mark.timeout(300)
def test_no_mail_of_a_whole_game_depends_on_dice_its_reader_may_not_see(preset: str) -> None:
    seen: set[tuple[str, str]] = set()
    called_off = lobby.create_game(
        host=player(person("alice")),
        new=lobby.NewGame(ruleset=rules.find_ruleset(preset), seats=3, turn_seconds=3600),
        now=NOON,
    )
    lobby.invite(
        game_id=called_off.pk,
        player=player(person("alice")),
        emails=["zoe@example.org"],
        language="en",
        now=NOON,
    )
    pump(NOON, seen)
    lobby.join(game_id=called_off.pk, player=player(person("bob")), now=NOON)
    lobby.cancel(game_id=called_off.pk, host_id=person("alice").pk, now=NOON)
    game = table(PEOPLE, ruleset=rules.find_ruleset(preset), turn_seconds=3600)
    pump(NOON, seen)
    impatient(game, now=NOON + timedelta(minutes=40))
    pump(NOON + timedelta(minutes=40), seen)
    chance = random.Random(preset)
    now, step = NOON, 0
    while (game := Game.objects.select_related("current_round").get(pk=game.pk)).status == (
        GameStatus.ACTIVE
    ):
        step += 1
        deadline = game.turn_deadline_at
        assert deadline is not None
        if 4 <= step < 10:  # time runs out for everybody, twice for some
            pump(deadline - timedelta(minutes=5), seen)
            now = deadline + timedelta(minutes=1)
            deadlines.expire_turns(now=now)
        elif step == 11:
            for name in PEOPLE:
                moves.come_back(game_id=game.pk, user_id=person(name).pk, now=now)
        else:
            now += timedelta(minutes=1)
            move(game, chance, now)
        pump(now, seen)
    hand_on("erin", "frank", now=now, seen=seen)
    told = set(OutboxKind.values) - {OutboxKind.DIGEST} - answers.KINDS
    assert seen == {(kind, language) for kind in told for language in LANGUAGES}


def database() -> list[str]:
    """Return every row of the game and of the accounts, but for sessions."""
    return [
        serializers.serialize("json", model._default_manager.order_by("pk"))
        for model in apps.get_models()
        if model._meta.app_label in ("games", "accounts", "account")
    ]


def test_following_every_link_of_every_mail_changes_nothing() -> None:
    room = lobby.create_game(
        host=player(person("alice")),
        new=lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=3, turn_seconds=3600),
        now=NOON,
    )
    lobby.invite(
        game_id=room.pk,
        player=player(person("alice")),
        emails=["zoe@example.org"],
        language="en",
        now=NOON,
    )
    game = table(PEOPLE[:3], turn_seconds=3600)
    for name in PEOPLE[:2]:
        game = act(game, rules.Resign(seat_of(game, name).number))
    links = {
        link
        for row in OutboxMessage.objects.all()
        if (mail := render(row, now=NOON)) is not None
        for link in links_of(mail)
    }
    pages = {link.removeprefix(settings.SITE_URL).split("/")[1] for link in links}
    assert pages == {"", "g", "join", "rules", "settings", "stop"}
    clients = [Client(SERVER_NAME="127.0.0.1") for _ in range(4)]
    for client, name in zip(clients, PEOPLE[:3], strict=False):
        client.force_login(person(name))
    before = database()
    for link in links:
        for client in clients:
            for method in (client.head, client.get, client.options, client.get):
                answer = method(link.removeprefix(settings.SITE_URL))
                assert answer.status_code in (200, 302, 404, 405), link
    assert database() == before
