"""N1 to N4: mails handed over, and mails taken in, beside bare SMTP."""

import asyncio
import contextlib
import smtplib
import sys
import threading
from collections.abc import Callable, Coroutine, Iterator
from email.message import EmailMessage
from email.policy import SMTP as SMTP_POLICY
from typing import Any

from aiosmtpd.smtp import SMTP
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchmarks import postman, scenario
from benchmarks.meter import Batch, Meter, compare
from benchmarks.moves import statements
from benchmarks.report import Gate, Line, cost_line
from benchmarks.sizes import Size
from games.mail import wanted
from games.mail.addresses import turn_purpose
from games.models import Game, InboundMail, OutboxKind, OutboxMessage, Seat
from games.services import commit, notices, outbox, receiving, tokens
from games.services.receiving import Outcome
from perudo_site.doors import listener, taking

BORDER = "mx.play.example"


def lines(meter: Meter, size: Size) -> list[Line]:
    """Measure both ways of a mail."""
    database = connection.vendor
    settings.MAIL_AUTHSERV_ID = BORDER
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    with postman.sink() as port, postman.sender() as sender:
        settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", port
        out = compare(
            meter,
            ours=_ours_out(size.mails),
            floor=_floor_out(size.mails),
            pairs=min(5, size.pairs),
        )
        taken = compare(
            meter,
            ours=_ours_in(size.mails, sender, handled=False),
            floor=_floor_in(size.mails, sender),
            pairs=min(5, size.pairs),
        )
        handled = compare(
            meter,
            ours=_ours_in(size.mails, sender, handled=True),
            floor=_floor_in(size.mails, sender),
            pairs=min(5, size.pairs),
        )
        return [
            cost_line("N1", _what("turn mail rendered and handed over", out.ours.ms),
                      database, out, Gate("<=", 60)),
            cost_line("N3", _what("mail taken in: listener, stored", taken.ours.ms),
                      database, taken, Gate("<=", 12)),
            cost_line("N4", _what("mail taken in, stored, read and played", handled.ours.ms),
                      database, handled, Gate("<=", 60)),
            _statements_of_a_mail(),
        ]  # fmt: skip


def _what(what: str, ms: float) -> str:
    return f"{what}, {1000 / ms:,.0f}/CPU-s, against bare SMTP"


def _tables(count: int) -> list[Game]:
    return [scenario.table(2) for _ in range(count)]


def _on_turn(game: Game) -> Seat:
    return Seat.objects.select_related("user").get(game=game, number=commit.turn_of(game))


def _ours_out(count: int) -> Batch:
    """Relay turn mails: rendered from today's position, text and HTML, over one connection."""

    def prepare() -> Callable[[], int]:
        # The same few players sit at all the tables, and get more than a day would bring.
        wanted.MOST_A_DAY = sys.maxsize
        games = _tables(count)
        OutboxMessage.objects.all().delete()
        for game in games:
            seat = _on_turn(game)
            notices.save(notices.tell(OutboxKind.TURN, game, [seat], now=scenario.NOW))
        OutboxMessage.objects.exclude(kind=OutboxKind.TURN).delete()

        def run() -> int:
            sent = 0
            while settled := outbox.relay(now=scenario.NOW):
                sent += settled
            if sent != count:
                raise RuntimeError(f"{sent} of {count} mails were settled")
            return sent

        return run

    return prepare


def _floor_out(count: int) -> Batch:
    """Hand over mails that are ready, of the same size, over one connection."""
    body = "x" * 75 + "\r\n"
    text = f"From: a@localhost\r\nTo: b@localhost\r\nSubject: x\r\n\r\n{body * 200}"

    def prepare() -> Callable[[], int]:
        def run() -> int:
            with smtplib.SMTP("127.0.0.1", settings.EMAIL_PORT, local_hostname="localhost") as smtp:
                for _ in range(count):
                    smtp.sendmail("a@localhost", ["b@example.org"], text)
            return count

        return run

    return prepare


def _letters(count: int) -> list[postman.Mail]:
    """Write the opening bids of as many players, as their borders hand them over."""
    letters = []
    for number, game in enumerate(_tables(count)):
        seat = _on_turn(game)
        purpose = turn_purpose(game, seat, version=game.version)
        tokens.issue([purpose], now=scenario.NOW)
        letters.append(_letter(seat.user.email if seat.user else "", purpose.address(), number))
    return letters


def _letter(sender: str, to: str, number: int) -> postman.Mail:
    letter = EmailMessage()
    letter["Authentication-Results"] = f"{BORDER}; dmarc=pass header.from=example.org"
    letter["From"], letter["To"], letter["Subject"] = sender, to, "Re: Round 1"
    letter["Message-ID"] = f"<{to.partition('@')[0]}-{number}@example.org>"
    quote = "\n".join([f"> line {line} of the mail that is answered" for line in range(60)])
    letter.set_content(f"2 threes\n\nOn Saturday, Perudo by Post wrote:\n{quote}\n")
    letter.add_alternative(f"<p>2 threes</p><blockquote>{quote}</blockquote>", subtype="html")
    return sender, to, letter.as_bytes(policy=SMTP_POLICY).decode()


def _ours_in(count: int, sender: postman.Sender, *, handled: bool) -> Batch:
    """Take mails by our listener, store them, and, if asked, handle them one by one."""

    def prepare() -> Callable[[], int]:
        letters = _letters(count)
        InboundMail.objects.all().delete()

        def run() -> int:
            with _serving(_listen) as port:
                taken = sender.send(port, letters)
            stored = list(InboundMail.objects.order_by("pk").values_list("pk", flat=True))
            if taken != count or len(stored) != count:
                raise RuntimeError(f"{taken} mails were taken and {len(stored)} stored")
            for pk in stored if handled else []:
                if receiving.handle(mail_id=pk, now=scenario.NOW) is not Outcome.PLAYED:
                    raise RuntimeError("a move was not played")
            return count

        return run

    return prepare


def _floor_in(count: int, sender: postman.Sender) -> Batch:
    """Take the same kind of mails by a bare server, which throws them away."""
    letters = [
        _letter("a@example.org", f"m-{number}@in.localhost", number) for number in range(count)
    ]

    def prepare() -> Callable[[], int]:
        def run() -> int:
            with _serving(_discard) as port:
                if sender.send(port, letters) != count:
                    raise RuntimeError("the floor took fewer mails")
            return count

        return run

    return prepare


async def _listen(ready: Callable[[int], None]) -> None:
    await listener.serve(
        where=listener.Where(),
        refuse=taking.refuse,
        deliver=taking.deliver_by("smtp"),
        hostname="localhost",
        ready=ready,
    )


async def _discard(ready: Callable[[int], None]) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(
        lambda: SMTP(postman.Discard(), hostname="localhost", loop=loop), "127.0.0.1", 0
    )
    async with server:
        ready(server.sockets[0].getsockname()[1])
        await asyncio.Event().wait()


@contextlib.contextmanager
def _serving(serve: Callable[[Callable[[int], None]], Coroutine[Any, Any, None]]) -> Iterator[int]:
    """Serve in a thread until the block ends; give the port."""
    loop, ready, ports = asyncio.new_event_loop(), threading.Event(), []

    def say(port: int) -> None:
        ports.append(port)
        ready.set()

    task = loop.create_task(serve(say))

    def run() -> None:
        with contextlib.suppress(asyncio.CancelledError):
            loop.run_until_complete(task)

    thread = threading.Thread(target=run)
    thread.start()
    if not ready.wait(30):
        raise RuntimeError("nobody takes mail")
    try:
        yield ports[0]
    finally:
        loop.call_soon_threadsafe(task.cancel)
        thread.join()
        loop.run_until_complete(asyncio.sleep(0))
        loop.close()


def _statements_of_a_mail() -> Line:
    """Count the statements of the relay for one mail more: what is constant falls out."""
    counts = []
    for mails in (2, 6):
        run = _ours_out(mails)()
        with CaptureQueriesContext(connection) as captured:
            run()
        counts.append(statements(captured))
    return Line(
        key="N2",
        what="statements for each mail that goes out",
        database=connection.vendor,
        figure=(counts[1] - counts[0]) / 4,
        gate=None,
    )
