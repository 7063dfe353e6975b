"""The oracle sees a secret wherever it gets out, however it is written; and only then."""

import base64
import gzip
import json
import logging
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import quote_from_bytes

import pytest
from celery import current_app, shared_task
from django.conf import settings
from django.core import mail
from django.core.cache import caches
from django.core.handlers.base import BaseHandler
from django.db import connection, transaction
from django.http import HttpResponse, StreamingHttpResponse
from django.test import RequestFactory
from kombu import Connection, Producer

from accounts.models import User
from games import fairness, outgoing, rules, store, webpush
from games.models import Event, Game
from tests.cast import NOON, act, give_turn, person, seat_of, table
from tests.oracle import Book, Kind
from tests.oracle.derivations import SECRET, unknown_functions
from tests.oracle.files import look as look_at_files

pytestmark = pytest.mark.django_db

SEED = bytes.fromhex("8f3a1c77e2b94d06a5f01d6c3e9827b4d1560ea9fb43c8127d90e65b2ca8143f")


@pytest.fixture
def seed(oracle: Book) -> bytes:
    """A seed that the oracle knows, of no game."""
    oracle.learn(SEED, Kind.SEED)
    return SEED


SPELLINGS: dict[str, Callable[[bytes], str | bytes]] = {
    "raw": bytes,
    "raw among other bytes": lambda token: b"\xff\x00abc" + token + b"\xfe",
    "half of it": lambda token: token[:16].hex(),
    "hex": bytes.hex,
    "HEX": lambda token: f"x{token.hex().upper()}y",
    "base64": base64.b64encode,
    "base64, shifted": lambda token: base64.b64encode(b"?" + token + b"."),
    "base64 for addresses": lambda token: base64.urlsafe_b64encode(b"ab" + token),
    "base32": lambda token: base64.b32encode(b"abc" + token).decode().lower(),
    "quoted": quote_from_bytes,
    "hex, quoted": lambda token: "".join(f"%{ord(sign):02X}" for sign in token.hex()),
    "repr": lambda token: f"<b>{token!r}</b>",
    "JSON": lambda token: json.dumps({"seed": token.decode("latin-1")}),
    "Latin-1": lambda token: token.decode("latin-1"),
    "a number": lambda token: str(int.from_bytes(token, "big")),
    "numbers": lambda token: json.dumps(list(token)),
    "gzip": lambda token: gzip.compress(token.hex().encode()),
    "gzip in base64": lambda token: base64.b64encode(gzip.compress(b"key=" + token)),
    "hex in base64": lambda token: b"." + base64.b64encode(b"key " + token.hex().encode()),
    "deflate in base64": lambda token: base64.b64encode(zlib.compress(token)).decode(),
}


@pytest.mark.parametrize("way", SPELLINGS)
def test_a_secret_is_found_however_it_is_written(way: str, seed: bytes, oracle: Book) -> None:
    text = SPELLINGS[way](seed)
    assert {token for token, _ in oracle.search(text)} == {seed}
    other = bytes(byte ^ 0x55 for byte in seed)
    assert not oracle.search(SPELLINGS[way](other))


def test_a_leak_is_told_without_the_secret(seed: bytes, oracle: Book) -> None:
    with oracle.expecting() as leaks:
        oracle.look("a place", seed.hex())
    assert [str(leak) for leak in leaks] == [
        "the seed S of a game, written as hex, in a place",
    ]


@shared_task(name="tests.secrecy.nothing")
def nothing(text: str) -> None:
    """Do nothing with ``text``."""


def _answer(response: Any, reader: User | None = None) -> None:
    handler = BaseHandler()
    handler._middleware_chain = lambda request: response
    request: Any = RequestFactory().get("/")
    request._cached_user = reader  # as the middleware leaves it
    given = handler.get_response(request)
    if given.streaming:
        list(given.streaming_content)


def _header(text: str) -> None:
    response = HttpResponse()
    response["ETag"] = f'"{text}"'
    _answer(response)


def _cookie(text: str) -> None:
    response = HttpResponse()
    response.set_cookie("last", text)
    _answer(response)


def _statement(text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT %s", [text])


def _text_of_a_statement(text: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT '{text}'")


def _in_a_transaction(text: str) -> None:
    with transaction.atomic():
        _statement(text)


def _mail(**parts: Any) -> None:
    values = {"subject": "s", "body": "b", "to": ["a@example.org"], **parts}
    mail.EmailMultiAlternatives(**values).send()


def _logged_error(text: str) -> None:
    try:
        raise ValueError(text)
    except ValueError:
        logging.getLogger("games").exception("it broke")


def _message(text: str) -> None:
    with Connection("memory://tests") as there:
        Producer(there.channel()).publish({"text": text}, routing_key="tests")


def _file(text: str) -> None:
    path = Path(settings.VAR_DIR) / "notes.txt"
    path.write_text(text)
    look_at_files()
    path.unlink()


def _nobody() -> webpush.Receiver:
    key = webpush.public_key(webpush.signing_key("ab" * 32))
    return webpush.receiver(key, "A" * 22)


def _request(**what: Any) -> None:
    with pytest.raises(outgoing.Refused):
        outgoing.Guard().post("https://127.0.0.1/", **what)


WAYS_OUT: dict[str, Callable[[str], object]] = {
    "a page": lambda text: _answer(HttpResponse(f"<p>{text}</p>")),
    "a compressed page": lambda text: _answer(HttpResponse(gzip.compress(text.encode()))),
    "a stream": lambda text: _answer(StreamingHttpResponse([text[:9], text[9:]])),
    "a header": _header,
    "a cookie": _cookie,
    "a subject": lambda text: _mail(subject=text),
    "a mail's text": lambda text: _mail(body=f"{'é' * 60} {text}"),
    "a mail's HTML": lambda text: _mail(alternatives=[(f"<p>{text}</p>", "text/html")]),
    "a mail's header": lambda text: _mail(headers={"X-Note": text}),
    "an attachment": lambda text: _mail(attachments=[("a.bin", text.encode(), "text/plain")]),
    "a log": lambda text: logging.getLogger("games.store").warning("key %s", text),
    "a log that is off": lambda text: logging.getLogger("games.store").debug("key %s", text),
    "the log of another library": lambda text: logging.getLogger("kombu").error(text),
    "a logged error": _logged_error,
    "a statement's value": _statement,
    "a statement": _text_of_a_statement,
    "a statement in a transaction": _in_a_transaction,
    "a task": lambda text: current_app.send_task("games.tasks.relay_outbox", args=[text]),
    "a delayed task": nothing.delay,
    "a message": _message,
    "a cache's value": lambda text: caches["default"].set("a", {"deep": [text]}),
    "a cache's key": lambda text: caches["default"].get(f"of-{text}"),
    "many values of a cache": lambda text: caches["database"].set_many({"a": text}),
    "a push": lambda text: webpush.encrypt(text.encode(), _nobody()),
    "a webhook": lambda text: _request(payload=text.encode(), headers={}),
    "a header of a webhook": lambda text: _request(payload=b"", headers={"X-Note": text}),
    "a file": _file,
}


@pytest.mark.parametrize("way", WAYS_OUT)
def test_a_secret_is_seen_whichever_way_it_goes_out(way: str, seed: bytes, oracle: Book) -> None:
    with oracle.expecting() as leaks:
        WAYS_OUT[way](seed.hex())
    assert leaks
    with oracle.expecting() as leaks:
        WAYS_OUT[way]("0" * 64)
    assert not leaks


def test_every_function_of_the_dice_that_makes_a_secret_is_tapped() -> None:
    assert not unknown_functions(), "say in tests/oracle/derivations.py what these return"
    for name in SECRET:
        assert hasattr(getattr(fairness, name), "__wrapped__"), name


def test_the_oracle_knows_every_secret_of_a_game(oracle: Book) -> None:
    game = _second_round()
    known = {token.kind for token in oracle.tokens.values() if token.place.gid == game.gid}
    assert known == {Kind.SEED, Kind.GAME, Kind.ROUND, Kind.CUP, Kind.SALT}


def _second_round(**options: Any) -> Game:
    """Return a game in its second round: the cups of the first one were lifted."""
    game = table(("alice", "bob"), **options)
    give_turn(game, "alice")
    game = act(game, rules.MakeBid(seat_of(game, "alice").number, rules.Bid.parse("20x4")))
    return act(game, rules.Dudo(seat_of(game, "bob").number))


def _cup_key(game: Game, number: int, seat: int) -> bytes:
    row = game.rounds.get(number=number)
    return bytes.fromhex(store.open_dice(game).cup_key(row, seat))


def test_the_key_of_a_lifted_cup_is_public_and_that_of_a_covered_one_is_not(oracle: Book) -> None:
    game = _second_round()
    for seat in (0, 1):
        assert oracle.is_public(_cup_key(game, 1, seat))
        assert not oracle.is_public(_cup_key(game, 2, seat))


def test_the_seed_is_public_once_the_game_has_ended_and_no_sooner(oracle: Book) -> None:
    game = _second_round()
    (seed,) = (value for value, token in oracle.tokens.items() if token.kind is Kind.SEED
               and token.place.gid == game.gid)  # fmt: skip
    assert not oracle.is_public(seed)
    act(game, rules.Resign(seat_of(game, "alice").number))
    assert oracle.is_public(seed)
    assert oracle.is_public(_cup_key(game, 2, 0)), "and all that follows from it"


def test_a_seed_that_is_written_to_the_log_of_a_game_under_way_is_a_leak(oracle: Book) -> None:
    game = _second_round()
    seed = store.open_dice(game).open_seed()
    with oracle.expecting() as leaks:
        _log(game, "open", {"seed": seed, "reason": "finished"})
    assert [leak.how for leak in leaks] == ["hex"]
    assert not oracle.is_public(bytes.fromhex(seed))


def test_a_key_that_is_logged_before_its_round_is_closed_is_a_leak(oracle: Book) -> None:
    game = _second_round()
    early = _cup_key(game, 2, 0)
    with oracle.expecting() as leaks:
        _log(game, "dudo", {"lifted": [{"seat": 0}], "keys": [[0, early.hex()]]})
    assert leaks
    assert not oracle.is_public(early)


def _log(game: Game, kind: str, payload: dict[str, object]) -> None:
    Event.objects.create(
        game=game, seq=999, round_number=2, kind=kind, payload=payload, made_at=NOON
    )


@pytest.mark.parametrize(("reader", "is_leak"), [("alice", False), ("bob", True), ("", True)])
def test_the_key_of_a_covered_cup_is_for_its_owner_alone(
    reader: str, is_leak: bool, oracle: Book
) -> None:
    game = _second_round()
    key = _cup_key(game, 2, seat_of(game, "alice").number)
    with oracle.expecting() as leaks:
        _answer(HttpResponse(key.hex()), reader=person(reader) if reader else None)
    assert bool(leaks) is is_leak
