"""Seeds and keys are in no dump, no statement, no log line and no text of an object."""

import base64
import io
from typing import Any

import pytest
from django.conf import settings
from django.core import mail as mailbox
from django.core.management import call_command
from django.db import connection
from django.test import Client

from games import fairness, rules, store
from games.models import Event, Game, Round
from games.models.secret import GameSecret
from games.services import outbox
from tests.cast import NOON, act, cups, give_turn, person, seat_of, table

pytestmark = pytest.mark.django_db


@pytest.fixture
def tokens(monkeypatch: pytest.MonkeyPatch) -> set[bytes]:
    """Every seed and derived key, from the moment it exists: 256 bits never occur by chance."""
    known: set[bytes] = {bytes.fromhex(key) for _, _, key in (
        entry.partition(":") for entry in settings.SEED_KEYS)}  # fmt: skip

    def register(name: str) -> None:
        real = getattr(fairness, name)

        def noted(*args: Any, **how: Any) -> bytes:
            if "seed" in how:
                known.add(how["seed"])
            key: bytes = real(*args, **how)
            if name != "commitment":  # published on purpose
                known.add(key)
            return key

        monkeypatch.setattr(fairness, name, noted)

    for name in ("commitment", "game_key", "round_key", "cup_key", "die_salt"):
        register(name)
    return known


def spellings(token: bytes) -> list[str]:
    return [
        token.hex(),
        token.hex().upper(),
        base64.b64encode(token).decode().rstrip("="),
        base64.urlsafe_b64encode(token).decode().rstrip("="),
        base64.b32encode(token).decode().rstrip("="),
        repr(token)[2:-1],
    ]


def hidden(tokens: set[bytes], game: Game) -> set[bytes]:
    """Return the tokens without the keys of cups that the rules have lifted."""
    keys = [event.payload["keys"] for event in Event.objects.filter(game=game, kind="dudo")]
    assert keys
    return tokens - {bytes.fromhex(key) for lifted in keys for _, key in lifted}


def played(name: str = "bob") -> Game:
    """Return a game in its second round, whose first one was doubted."""
    game = table(("alice", name))
    give_turn(game, "alice")
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("20x4")))
    game = act(game, rules.Dudo(seat_of(game, name).number))
    return act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("2x4")))


def test_no_statement_log_mail_or_page_holds_a_key(
    tokens: set[bytes], caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    seen: list[str] = []

    def tap(run: Any, sql: str, values: Any, *rest: Any) -> Any:
        raw = [bytes(v) for v in values or () if isinstance(v, bytes | memoryview)]
        seen.extend([sql, repr(values), *map(repr, raw)])
        return run(sql, values, *rest)

    with connection.execute_wrapper(tap):
        game = played()
        outbox.relay(now=NOON)
        for name in ("alice", "bob"):
            client = Client()
            client.force_login(person(name))
            for page in ("", "rounds/", "rounds/1/"):
                answer = client.get(f"/g/{game.code}/{page}")
                seen += [answer.content.decode(), str(answer.headers)]
    seen += [f"{mail.body}{mail.alternatives}{mail.extra_headers}" for mail in mailbox.outbox]
    assert mailbox.outbox
    assert len(hidden(tokens, game)) > 6
    text = "\n".join([*seen, caplog.text])
    assert not [token for token in hidden(tokens, game) for way in spellings(token) if way in text]


def test_a_dump_of_the_database_holds_neither_a_key_nor_a_covered_die(tokens: set[bytes]) -> None:
    game = played()
    out = io.StringIO()
    call_command("dumpdata", stdout=out)
    dump = out.getvalue()
    assert "games.gamesecret" in dump, "the ciphertext belongs to a backup"
    assert not [token for token in hidden(tokens, game) for way in spellings(token) if way in dump]
    lifted = [event.payload.get("lifted") for event in Event.objects.filter(kind="dudo")]
    assert dump.count('"dice": [') == 2 * sum(map(len, lifted)), "in the log and in the result"
    assert Round.objects.get(game=game, number=2).result is None


def test_a_secret_that_is_printed_says_nothing(tokens: set[bytes]) -> None:
    game = table()
    secret = GameSecret.objects.get(game=game)
    assert (str(secret), repr(secret)) == ("a seed", "<GameSecret>")
    assert len(bytes(secret.ciphertext)) == fairness.SEED_BYTES + 16
    assert bytes(secret.ciphertext)[: fairness.SEED_BYTES] not in tokens


def test_a_ciphertext_that_is_moved_to_another_game_opens_nothing() -> None:
    one, other = table(), table()
    taken = GameSecret.objects.get(game=one)
    GameSecret.objects.filter(game=other).update(nonce=taken.nonce, ciphertext=taken.ciphertext)
    with pytest.raises(store.SeedUnavailable, match="does not fit"):
        cups(other)


def test_without_its_key_a_game_waits_and_says_only_which_key_is_missing(
    settings: Any,
) -> None:
    game = table()
    settings.SEED_KEYS = ["other:" + "ab" * 32]
    with pytest.raises(store.SeedUnavailable) as refused:
        cups(game)
    assert str(refused.value) == f"no key 'dev' for game {game.code}"
