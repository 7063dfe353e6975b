"""A game of four from the invitation to the last mail, without one request to the site."""

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from pytest_django import Settings

from games.models import Game, GameStatus, InboundMail, OutboxMessage
from games.services.receiving import Outcome
from tests.integration.games.invariants import check_game
from tests.integration.mail_game.players import WRITERS
from tests.integration.mail_game.playing import acceptances, moves_of, open_room, turns
from tests.integration.mail_game.post import Post, post_office

# The listener's threads have connections of their own.
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

ANOTHER_HOP = b"Received: by mx2.example.org; Sat, 21 Nov 2026 13:30:01 +0000\r\n"


@pytest.fixture
def post(settings: Settings) -> Iterator[Post]:
    with post_office(settings) as post:
        yield post


def check_end(post: Post, game: Game, *, played: int) -> None:
    """Prove that it came to its end, and that everybody was told everything, once."""
    game.refresh_from_db()
    assert game.status == GameStatus.FINISHED
    check_game(game.pk)
    acks = 0
    for writer in WRITERS:
        assert len(post.mails_to(writer.address, kind="game_over")) == 1
        assert post.mails_to(writer.address, kind="refusal") == []
        names = [mail["Message-ID"] for mail in post.mails_to(writer.address)]
        assert len(names) == len(set(names)), "no mail comes twice"
        acks += len(post.mails_to(writer.address, kind="ack"))
    answered = InboundMail.objects.filter(outcome=Outcome.PLAYED).exclude(answer="")
    # Who plays ten moves within the hour is not told any more that each was played.
    assert acks == answered.count() >= played * 3 // 4
    due = OutboxMessage.objects.filter(status="pending", due_at__lte=datetime.now(UTC))
    assert not due.exists()


def test_four_players_play_a_whole_game_by_mail(post: Post) -> None:
    game = open_room()
    for letter in acceptances(post):
        post.send(letter)
        post.work()
    meant = []
    for move, letter in turns(post, game, seed=4):
        post.send(letter)
        post.work()
        meant.append(move)
    assert post.outcomes() == [Outcome.JOINED] * 3 + [Outcome.PLAYED] * len(meant)
    assert moves_of(game) == meant
    check_end(post, game, played=len(meant))


@pytest.mark.parametrize("seed", [1, 2])
def test_a_game_is_the_same_when_each_mail_comes_twice_and_in_another_order(
    post: Post, seed: int
) -> None:
    """With each letter come its copies and those of earlier ones, in any order, then at random."""
    chance = random.Random(seed)
    game = open_room()
    old = list(acceptances(post))
    chance.shuffle(old)
    for letter in [*old, *old]:
        post.send(letter)
    post.work()
    meant = []
    for move, letter in turns(post, game, seed=seed):
        # The second copy came another way, so it is not the same to the byte.
        other_way = ANOTHER_HOP + letter
        now = [letter, other_way, *chance.sample(old, k=min(3, len(old)))]
        chance.shuffle(now)
        for each in now:
            post.send(each)
        post.work()
        old.append(letter)
        meant.append(move)
    assert moves_of(game) == meant
    outcomes = Counter(post.outcomes())
    assert outcomes[Outcome.JOINED] == 3
    assert outcomes[Outcome.PLAYED] == len(meant)
    assert set(outcomes) == {Outcome.JOINED, Outcome.PLAYED, Outcome.REPEAT}
    assert InboundMail.objects.count() == 3 + 2 * len(meant)
    check_end(post, game, played=len(meant))
