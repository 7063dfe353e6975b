"""The canary plays a game of its own, and its secrets are found in any stream that holds one."""

import base64
import hashlib
import io
import logging
import quopri
import sys
from datetime import timedelta
from email.message import EmailMessage
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core import mail as mailbox
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounts.models import User
from games.models import Game, GameStatus, OutboxMessage
from games.services import canary, deadlines, outbox

pytestmark = pytest.mark.django_db

ADDRESS = "canary@perudo.example.org"


@pytest.fixture(autouse=True)
def _address(settings: Any) -> None:
    settings.CANARY_ADDRESS = ADDRESS


@pytest.fixture
def game() -> Game:
    call_command("canary", stdout=io.StringIO())
    found = canary.game_of(User.objects.get(email=ADDRESS).pk)
    assert found is not None
    return found


def turn_of_the_canary(game: Game) -> Game:
    """Let the bots play until the canary is to move."""
    for _ in range(50):
        game = Game.objects.select_related("current_round").get(pk=game.pk)
        if game.seats.get(number=game.to_act).user_id is not None:
            return game
        assert game.wake_at is not None
        deadlines.expire_turns(now=max(game.wake_at, timezone.now()))
    raise AssertionError("the canary is never to move")


def scan(stream: bytes, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return what the scanner says of a stream that comes in pieces."""
    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(stream)))
    out = io.StringIO()
    call_command("canary", scan=["-"], stdout=out)
    return out.getvalue()


def test_it_sits_at_a_private_table_that_counts_for_nobody(game: Game) -> None:
    assert game.is_private
    assert not game.is_rated
    assert [bool(seat.bot) for seat in game.seats.order_by("number")].count(True) == 2
    assert not User.objects.get(email=ADDRESS).has_usable_password()


def test_it_plays_on_whenever_it_is_called(game: Game) -> None:
    game = turn_of_the_canary(game)
    call_command("canary", stdout=io.StringIO())
    moved = Game.objects.get(pk=game.pk)
    assert moved.version > game.version
    assert Game.objects.count() == 1


def test_a_game_that_is_over_is_followed_by_another(game: Game) -> None:
    Game.objects.filter(pk=game.pk).update(
        status=GameStatus.FINISHED, wake_at=None, turn_deadline_at=None, to_act=None
    )
    call_command("canary", stdout=io.StringIO())
    assert Game.objects.filter(status=GameStatus.ACTIVE).exclude(pk=game.pk).count() == 1


def written(token: bytes) -> dict[str, bytes]:
    mail = EmailMessage()
    mail.set_content(f"Hello\n\nthe key is {token.hex()}\n", cte="base64")
    return {
        "hex": token.hex().encode(),
        "capitals": token.hex().upper().encode(),
        "half of it": token.hex()[:32].encode(),
        "raw bytes": token,
        "numbers": repr(list(token)).encode(),
        "base32": base64.b32encode(b"ab" + token),
        "base64": base64.b64encode(b"x" + token + b"yz"),
        "base64 of addresses": base64.urlsafe_b64encode(b"xy" + token),
        "a mail": mail.as_bytes(),
        "a folded mail": quopri.encodestring(b"x" * 50 + token.hex().encode()),
    }


TOKEN = hashlib.sha256(b"a secret").digest()


@pytest.mark.parametrize("how", written(TOKEN))
def test_a_secret_is_found_however_it_is_written(how: str) -> None:
    scanner = canary.Scanner([bytes(32), TOKEN])
    assert not scanner.finds(b"2026-11-21 INFO ordinary\n" * 3000)
    assert scanner.finds(b"2026-11-21 " + written(TOKEN)[how] + b"\nmore\n")


def test_a_secret_that_is_cut_by_the_end_of_a_piece_is_found() -> None:
    text = TOKEN.hex().encode()
    for cut in range(1, len(text)):
        scanner = canary.Scanner([TOKEN])
        pieces = b"." * 1000 + text[:cut], text[cut:] + b"." * 1000
        assert any(scanner.finds(piece) for piece in pieces), cut


def test_a_secret_of_its_game_in_the_stream_raises_the_alarm(
    game: Game, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    seed, of_game, of_round, *others = canary.secrets_of(game)
    assert len(others) == 3 + 3 * 5, "keys of cups, and salts"
    for token in (seed, of_game, of_round, others[0], others[-1]):
        caplog.clear()
        stream = b"INFO ordinary\n" * 9000 + token.hex().encode() + b"\nmore\n"
        with caplog.at_level(logging.CRITICAL), pytest.raises(CommandError, match="a secret of"):
            scan(stream, monkeypatch)
        assert [record.levelname for record in caplog.records] == ["CRITICAL"]


def test_what_the_site_writes_and_sends_raises_none(
    game: Game,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    client: Any,
) -> None:
    with caplog.at_level(logging.DEBUG):
        game = turn_of_the_canary(game)
        client.force_login(User.objects.get(email=ADDRESS))
        page = client.get(f"/g/{game.code}/").content
        outbox.relay(now=timezone.now() + timedelta(minutes=5))
    mails = [mail.message().as_bytes() for mail in mailbox.outbox]
    assert mails, OutboxMessage.objects.values_list("kind", "status")
    log = "\n".join(record.getMessage() for record in caplog.records).encode()
    transcript = client.get(f"/g/{game.code}/transcript").content
    assert "no secret" in scan(b"\n".join([log, page, transcript, *mails]), monkeypatch)


def test_files_are_looked_through_as_well(game: Game, tmp_path: Path) -> None:
    quiet, leaky = tmp_path / "quiet.log", tmp_path / "leaky.log"
    quiet.write_bytes(b"nothing\n")
    out = io.StringIO()
    call_command("canary", scan=[str(quiet)], stdout=out)
    assert "no secret" in out.getvalue()
    leaky.write_bytes(canary.secrets_of(game)[0])
    with pytest.raises(CommandError, match=r"leaky\.log"):
        call_command("canary", scan=[str(quiet), str(leaky)])
    with pytest.raises(CommandError, match="cannot be read"):
        call_command("canary", scan=[str(tmp_path / "nowhere")])


def test_without_a_mailbox_or_a_game_it_says_what_is_missing(settings: Any) -> None:
    with pytest.raises(CommandError, match=r"run manage\.py canary first"):
        call_command("canary", scan=["-"])
    settings.CANARY_ADDRESS = ""
    with pytest.raises(CommandError, match="CANARY_ADDRESS"):
        call_command("canary")


def test_the_keys_of_a_round_gone_by_are_looked_for_no_longer() -> None:
    """They may be public: the rules lift cups."""
    scanner = canary.Scanner([TOKEN])
    scanner.look_for([bytes(32)])
    assert not scanner.finds(TOKEN)
