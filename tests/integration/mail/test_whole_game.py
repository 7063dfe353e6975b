"""A whole game by mail alone: four people, four languages, not one page."""

import random
import re
from datetime import datetime, timedelta

import pytest
from django.core.mail import EmailMultiAlternatives

from games import rules
from games.models import Event, Game, GameStatus, InboundMail
from games.services import deadlines, lobby, receiving
from games.services.receiving import Outcome
from tests.cast import NOON, person, player
from tests.integration.mail.letters import deliver, reply, send_mails

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

SPEAKERS = {"alice": "en", "bob": "it", "carol": "fr", "dave": "es"}
YES = {"en": "yes", "it": "sì", "fr": "oui", "es": "sí"}


def invited() -> Game:
    """Return a waiting room to which alice has invited the others."""
    for name, language in SPEAKERS.items():
        user = person(name)
        user.language = language
        user.save()
    new = lobby.NewGame(ruleset=rules.find_ruleset("bga"), seats=4)
    game = lobby.create_game(host=player(person("alice")), new=new, now=NOON)
    lobby.invite(
        game_id=game.pk,
        player=player(person("alice")),
        emails=[f"{name}@example.org" for name in SPEAKERS if name != "alice"],
        language="en",
        now=NOON,
    )
    return game


def line_for(sent: EmailMultiAlternatives, chance: random.Random) -> str:
    """Return what a player answers who has read nothing but his mail."""
    language = SPEAKERS[sent.to[0].partition("@")[0]]
    if sent.extra_headers["X-Perudo-Mail"] == "invitation":
        return YES[language]
    quoted = [re.findall(r"«\s?([^»]+?)\s?»", line) for line in str(sent.body).splitlines()]
    examples = next(found for found in quoted if found and re.match(r"\d+ ", found[0]))
    is_call = "dudo" in examples and chance.random() < 0.45
    return "dudo" if is_call else next(each for each in examples if each != "dudo")


def answerable(mails: list[EmailMultiAlternatives]) -> list[EmailMultiAlternatives]:
    kinds = ("turn", "invitation")
    return [sent for sent in mails if sent.extra_headers["X-Perudo-Mail"] in kinds]


def play(game: Game, chance: random.Random, *, is_messy: bool) -> datetime:
    """Let everybody answer his mails until the game is over.

    :param is_messy: each letter comes twice, by two ways, and an old one comes once more.
    """
    now = NOON
    old: list[tuple[EmailMultiAlternatives, str]] = []
    for _ in range(400):
        game.refresh_from_db()
        if game.status == GameStatus.FINISHED:
            return now
        now += timedelta(minutes=3)
        fresh = answerable(send_mails(now=now))
        assert fresh, "nobody has been asked anything"
        chance.shuffle(fresh)
        for sent in fresh:
            letter = (reply(sent, line_for(sent, chance)), sent.reply_to[0])
            done = deliver(*letter, now=now)
            assert done.outcome in (Outcome.PLAYED, Outcome.JOINED), done
            if is_messy:
                copy = b"Received: from another.example.org\n" + letter[0]
                assert deliver(copy, letter[1], now=now).outcome is Outcome.REPEAT
                assert deliver(*letter, now=now).outcome is done.outcome
                old.append((sent, letter[1]))
                stale, address = chance.choice(old)
                deliver(reply(stale, "dudo"), address, now=now)
        deadlines.expire_turns(now=now)
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("is_messy", [False, True])
@pytest.mark.timeout(300)
def test_four_people_play_a_game_to_its_end_by_mail_in_four_languages(is_messy: bool) -> None:
    chance = random.Random(5)
    game = invited()
    now = play(game, chance, is_messy=is_messy)
    last = send_mails(now=now + timedelta(minutes=1))
    over = {sent.to[0] for sent in last if sent.extra_headers["X-Perudo-Mail"] == "game_over"}
    assert over == {f"{name}@example.org" for name in SPEAKERS}
    moves = Event.objects.filter(game=game, seat__isnull=False)
    assert not moves.filter(is_auto=True).exists()
    played = InboundMail.objects.filter(outcome=Outcome.PLAYED)
    assert played.count() == moves.count()
    assert receiving.sweep(now=now) == 0
