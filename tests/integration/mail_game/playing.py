"""A table of four that plays by mail: the room, the invitations, and one turn after another."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime
from email.message import EmailMessage

from games import rules
from games.bots import BOTS, DEFAULT_BOT
from games.models import Game, GameStatus, Seat
from games.rules.record import MoveEntry
from games.selectors import Viewer, record_of, table_page
from games.services import lobby
from tests.cast import person, player
from tests.integration.mail_game.players import WRITERS, Writer
from tests.integration.mail_game.post import Post

BY_ADDRESS = {writer.address: writer for writer in WRITERS}
MOST_TURNS = 120


def open_room() -> Game:
    """Let four sign up, and alice open a table and invite the rest: all that is done on pages."""
    for writer in WRITERS:
        person(writer.name, language=writer.language)
    ruleset = rules.with_options(rules.find_ruleset("bga"), {"calza": True})
    new = lobby.NewGame(ruleset=rules.with_start_dice(ruleset, 2), seats=4, name="By mail")
    alice, now = person("alice"), datetime.now(UTC)
    game = lobby.create_game(host=player(alice), new=new, now=now)
    lobby.set_ready(game_id=game.pk, user_id=alice.pk, is_ready=True, now=now)
    guests = [writer.address for writer in WRITERS[1:]]
    lobby.invite(game_id=game.pk, player=player(alice), emails=guests, language="en", now=now)
    return game


def acceptances(post: Post) -> Iterator[bytes]:
    """Give the letters in which those who were invited say yes, each in his language."""
    post.work()
    for writer in WRITERS[1:]:
        [invitation] = post.mails_to(writer.address, kind="invitation")
        yield writer.program(invitation, writer.yes)


def turns(post: Post, game: Game, *, seed: int) -> Iterator[tuple[rules.Move, bytes]]:
    """Give each move that a player decides on, and his letter, until the game is over."""
    chance = random.Random(seed)
    for _ in range(MOST_TURNS):
        game.refresh_from_db()
        if game.status != GameStatus.ACTIVE:
            return
        seat = Seat.objects.select_related("user").get(game=game, number=game.to_act)
        assert seat.user is not None
        writer = BY_ADDRESS[seat.user.email]
        move = _choose(game, seat, luck=chance.random())
        yield move, writer.program(turn_mail(post, writer), writer.words_for(move))
    raise AssertionError("the game never ends")


def turn_mail(post: Post, writer: Writer) -> EmailMessage:
    """Return the newest mail that asks a player to move."""
    return post.mails_to(writer.address, kind="turn")[-1]


def moves_of(game: Game) -> list[rules.Move]:
    """Return the moves that were played, as the record of the game tells them."""
    return [entry.move for entry in record_of(game).entries if isinstance(entry, MoveEntry)]


def _choose(game: Game, seat: Seat, *, luck: float) -> rules.Move:
    """Return what somebody would do who sees what this seat sees."""
    fresh = Game.objects.select_related("current_round").get(pk=game.pk)
    view = table_page(fresh, Viewer(seat.user_id)).view
    assert view is not None
    return BOTS[DEFAULT_BOT](view, luck=luck)
