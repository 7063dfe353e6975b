"""Taps on everything that leaves the program. Each looks for secrets, and whoever asked may watch.

They are put on the classes through which all traffic of a kind passes, once for the whole run, so
that no test can forget one: the test client and the live server share Django's request handler,
every mail becomes a MIME message, every statement passes Django's cursor.
"""

import functools
import io
import logging
import pickle
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import celery.app.base
import celery.app.task
import kombu.messaging
import redis.connection
from django.core.cache.backends import db, dummy, filebased, locmem
from django.core.cache.backends import redis as redis_cache
from django.core.handlers.base import BaseHandler
from django.core.mail.message import EmailMessage
from django.core.serializers import base as serializers
from django.db import transaction
from django.db.backends.utils import CursorWrapper
from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.views.debug import ExceptionReporter

from games import outgoing, webpush
from tests.oracle import statements
from tests.oracle.book import book
from tests.oracle.flatten import texts_of
from tests.oracle.statements import look_at_statement

Watcher = Callable[[str, object], None]
_watchers: list[Watcher] = []

OUR_LOGGERS = ("games", "accounts", "perudo_site")


@contextmanager
def watching(watcher: Watcher) -> Iterator[None]:
    """Show everything that passes a tap to ``watcher``: the tap's name and what it saw."""
    _watchers.append(watcher)
    try:
        yield
    finally:
        _watchers.remove(watcher)


def saw(tap: str, thing: object, *, where: str = "") -> None:
    """Look through something that leaves the program, and let the watchers see it."""
    for watcher in _watchers:
        watcher(tap, thing)
    if book.tokens:
        for text in texts_of(thing):
            book.look(where or tap, text, is_mail=tap == "mail")


def install() -> None:
    """Put on all taps."""
    _wrap(BaseHandler, "get_response", _response)
    _wrap(EmailMessage, "message", _mail)
    _wrap(EmailMessage, "send", _sent)
    _wrap(CursorWrapper, "_execute_with_wrappers", _statement)
    _wrap(transaction.Atomic, "__exit__", _end)
    _wrap(logging.Logger, "handle", _record)
    for name in ("debug", "info"):
        _wrap(logging.Logger, name, _unheard)
    _wrap(celery.app.base.Celery, "send_task", _task)
    _wrap(celery.app.task.Task, "apply_async", _task)
    _wrap(kombu.messaging.Producer, "publish", _broker)
    _wrap(redis.connection.AbstractConnection, "send_packed_command", _redis)
    for kind in (
        db.DatabaseCache, dummy.DummyCache, filebased.FileBasedCache, locmem.LocMemCache,
        redis_cache.RedisCache,
    ):  # fmt: skip
        for name in ("add", "set", "set_many", "get", "get_many", "touch"):
            if name in vars(kind):
                _wrap(kind, name, _cache)
    for name in ("get_traceback_html", "get_traceback_text"):
        _wrap(ExceptionReporter, name, _report)
    _wrap(serializers.Serializer, "serialize", _export)
    _wrap(outgoing.Guard, "post", _request)
    _wrap(webpush, "encrypt", _push)


Tap = Callable[[Callable[..., Any], tuple[Any, ...], dict[str, Any]], Any]


def _wrap(owner: type | ModuleType, name: str, tap: Tap) -> None:
    real = getattr(owner, name)

    @functools.wraps(real)
    def tapped(*args: Any, **how: Any) -> Any:
        return tap(real, args, how)

    setattr(owner, name, tapped)


def _response(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    request: HttpRequest = args[1]
    response: HttpResponseBase = real(*args, **how)
    where = f"the answer to {request.method} {request.path}"
    # Not asked of the database: who never looked at the account shows nothing of it.
    reader = getattr(getattr(request, "_cached_user", None), "pk", None)
    _look_for(reader, f"a header of {where}", repr(response.items()))
    _look_for(reader, f"a cookie of {where}", response.cookies.output())
    _look_for(reader, f"the reason of {where}", response.reason_phrase)
    for watcher in _watchers:
        watcher("response", (request, response))
    if not response.streaming:
        _look_for(reader, f"the body of {where}", response.content)
    elif not response.is_async and type(response).__module__.partition(".")[0] != "whitenoise":
        response.streaming_content = _streamed(response.streaming_content, reader, where)
    return response


def _look_for(reader: int | None, where: str, data: str | bytes) -> None:
    """Look for secrets in what ``reader`` is shown: the key of his own cup is none to him."""
    if book.tokens:
        found = book.search(data)
        book.report(where, {hit for hit in found if not book.belongs_to(hit[0], reader)})


def _streamed(content: Any, reader: int | None, where: str) -> Iterator[bytes]:
    whole = io.BytesIO()
    for part in content:
        whole.write(part)
        yield part
    _look_for(reader, f"the stream of {where}", whole.getvalue())


def _mail(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    message = real(*args, **how)
    saw("mail", [message.as_bytes(), *(f"{name}: {value}" for name, value in message.items())])
    return message


def _sent(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    mail: Any = args[0]
    parts = [content for content, _ in getattr(mail, "alternatives", ())]
    saw("mail", [
        mail.subject, mail.body, *parts, mail.extra_headers, mail.to, mail.cc, mail.bcc,
        mail.reply_to, mail.from_email, [list(item) for item in mail.attachments
                                         if isinstance(item, tuple)],
    ])  # fmt: skip
    return real(*args, **how)


def _statement(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    _, sql, params, *_ = args
    for watcher in _watchers:
        watcher("statement", (sql, params))
    result = real(*args, **how)
    if book.tokens:
        look_at_statement(sql, params, is_atomic=args[0].db.in_atomic_block)
    return result


def _end(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    """Judge what a transaction or a savepoint has written, before it ends."""
    atomic, error, *_ = args
    open_ones = transaction.get_connection(atomic.using).savepoint_ids
    if error is not None:
        statements.forget()
    elif not open_ones or open_ones[-1] is not None:
        statements.judge()
    return real(*args, **how)


def _record(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    record: logging.LogRecord = args[1]
    texts = [record.getMessage(), record.args, record.stack_info]
    if record.exc_info and record.exc_info[1] is not None:
        texts.append("".join(traceback.format_exception(record.exc_info[1])))
    saw("log", [f"{record.name} {record.levelname}", *texts], where=f"the log of {record.name}")
    return real(*args, **how)


def _unheard(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    """Look at what is logged on a level that this run keeps quiet: another host may not."""
    logger: logging.Logger = args[0]
    if logger.name.partition(".")[0] in OUR_LOGGERS:
        text = str(args[1]) % args[2:] if args[2:] else str(args[1])
        saw("log", [text, *args[2:]], where=f"the log of {logger.name}")
    how["stacklevel"] = how.get("stacklevel", 1) + 2
    return real(*args, **how)


def _task(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    saw("task", [args[1:], how], where="the arguments of a task")
    return real(*args, **how)


def _broker(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    saw("broker", [args[1:], how], where="a message to the broker")
    return real(*args, **how)


def _redis(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    saw("redis", args[1], where="a command to Redis")
    return real(*args, **how)


def _cache(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    values = [*args[1:], *how.values()]
    try:
        # The way a cache keeps it: whatever hides within an object is in there too.
        values.append(pickle.dumps(values))
    except (pickle.PicklingError, TypeError, AttributeError):
        values.append(repr(values))
    saw("cache", values, where="a key or a value of the cache")
    return real(*args, **how)


def _report(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    text = real(*args, **how)
    saw("report", text, where="an error report")
    return text


def _request(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    saw("request", [args[1:], how], where="a request to another site")
    return real(*args, **how)


def _push(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    saw("push", args[0], where="a push message")  # before it is encrypted
    return real(*args, **how)


class _Tee:
    """A stream that remembers what was written through it."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.written: list[str] = []

    def write(self, text: str) -> Any:
        self.written.append(text)
        return self._stream.write(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


def _export(real: Callable[..., Any], args: tuple[Any, ...], how: dict[str, Any]) -> Any:
    tee = how["stream"] = _Tee(how.get("stream") or io.StringIO())
    result = real(*args, **how)
    saw("export", "".join(tee.written), where="a dump or an export of rows")
    return result
