"""``manage.py up``: the whole site on one machine, by one process.

The broker first, then the tables, then web, worker, beat and (in development) the mail listener.
When one ends all end; when this process is killed, even by SIGKILL, none is left behind.
"""

import fcntl
import http.client
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from io import StringIO
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connections

from perudo_site import broker
from perudo_site.processes import ChildEnded, Family, Stop

PATIENCE_SECONDS = 60.0
"""How long the first page may take before we say that something is wrong."""

LOCAL_HOSTS = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}  # noqa: S104 (not bound here)


class Command(BaseCommand):
    """Start everything and keep it together."""

    # The others would load every page; the pages answer, or the start fails.
    requires_system_checks = (Tags.security, Tags.database)
    help = "Starts the whole site: broker, tables, web, worker, beat and mail."

    def handle(self, *args: object, **options: object) -> None:
        os.chdir(settings.BASE_DIR)
        try:
            with ExitStack() as stack:
                stack.enter_context(only_one_start(settings.VAR_DIR))
                port = free_port(settings.HOST, settings.PORT, setting="PORT")
                environment = {
                    **os.environ,
                    "PYTHONUNBUFFERED": "1",
                    "HOST": settings.HOST,
                    "PORT": str(port),
                    "SITE_URL": site_url(port),
                }
                if settings.MAILBOX_ENABLED:
                    environment["MAIL_PORT"] = str(mail_port())
                socket_path = settings.REDIS_URL or stack.enter_context(
                    broker.socket_path(settings.VAR_DIR)
                )
                family = stack.enter_context(Family(out=sys.stdout))
                run(family, environment, socket_path, port)
        except Stop:
            self.stdout.write("up     | stopped")
        except ChildEnded as error:
            raise CommandError(f"{error}, so everything was stopped.") from error
        except broker.BrokerError as error:
            raise CommandError(str(error)) from error


def run(family: Family, environment: dict[str, str], where: str | Path, port: int) -> None:
    """Start the programs in their order, then show their output until one ends."""
    if isinstance(where, Path):
        family.say("starting the broker (Valkey)")
        child = family.start("broker", broker.command(settings.VAR_DIR, where))
        broker.wait_for(where, alive=lambda: child.is_running)
        environment["REDIS_URL"] = f"unix://{where}"
    family.say("bringing the database up to date")
    migrate(family)
    if settings.STATIC_ROOT:
        call_command("collectstatic", interactive=False, skip_checks=True, stdout=StringIO())
    commands = programs()
    # First what a person waits for. The others' work is written down, it can wait a second.
    first = [name for name in commands if name in {"web", "mail"}]
    family.say("starting " + ", ".join(commands))
    for name in first:
        family.start(name, commands.pop(name), environment=environment)
    await_first_page(family, port)
    if "MAIL_PORT" in environment:
        await_mail(family, int(environment["MAIL_PORT"]))
    for name, command in commands.items():
        family.start(name, command, environment=environment)
    family.say(f"ready: {site_url(port)}")
    if settings.MAILBOX_ENABLED:
        family.say(f"the mail that the site sends: {site_url(port)}/mailbox/")
    family.say("stop with Ctrl-C")
    while True:
        family.pump(1.0)


def programs() -> dict[str, list[str]]:
    """Return the command of each long-running program."""
    python = [sys.executable]
    celery = [*python, "-m", "celery", "--quiet", "--skip-checks", "-A", "perudo_site"]
    commands = {
        "web": [*python, "-m", "gunicorn", "-c", "python:perudo_site.gunicorn_conf"],
        "worker": [
            *(*celery, "worker", "--loglevel", "WARNING"),
            *("--without-gossip", "--without-mingle", "--without-heartbeat"),
        ],
        "beat": [*celery, "beat", "--loglevel", "WARNING", "--pidfile="],
    }
    if settings.MAILBOX_ENABLED:
        # In SMTP on a port, for the site sends to it whatever a border in front would speak.
        here = ("--protocol=smtp", "--socket=")
        commands["mail"] = [*python, "manage.py", "mail_listener", "--skip-checks", *here]
    return commands


def await_first_page(family: Family, port: int) -> None:
    """Show output until the first page is served.

    :raises CommandError: it is an error page, or there is none for :data:`PATIENCE_SECONDS`.
    """
    started = time.monotonic()
    while (status := first_page(settings.HOST, port)) is None:
        if time.monotonic() - started > PATIENCE_SECONDS:
            raise CommandError(
                f"The page does not answer after {PATIENCE_SECONDS:.0f} s; see the lines above."
            )
        family.pump(0.1)
    if status >= HTTPStatus.BAD_REQUEST:
        family.pump(0.5)
        raise CommandError(f"The first page answers with status {status}; see the lines above.")


def await_mail(family: Family, port: int) -> None:
    """Show output until the mail listener takes connections: a sign-up sends mail at once."""
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
            return
        except OSError:
            family.pump(0.1)


def migrate(family: Family) -> None:
    """Bring the tables up to date, here: this process has loaded the site already.

    :raises CommandError: the database refuses.
    """
    words = StringIO()
    try:
        call_command("migrate", interactive=False, skip_checks=True, stdout=words)
    except DatabaseError as error:
        raise CommandError(f"The database cannot be brought up to date: {error}") from error
    finally:
        connections.close_all()
    applied = words.getvalue().count("  Applying ")
    if applied:
        family.say(f"applied {applied} migrations")


def site_url(port: int) -> str:
    """Return the address to open in a browser."""
    if os.environ.get("SITE_URL"):
        return str(settings.SITE_URL)
    # By name where there is one: browsers make no passkey for a bare address.
    host = "localhost" if settings.HOST in {"127.0.0.1", *LOCAL_HOSTS} else settings.HOST
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def first_page(host: str, port: int) -> int | None:
    """Return the status that the first page answers with, or None while nobody answers."""
    connection = http.client.HTTPConnection(LOCAL_HOSTS.get(host, host), port, timeout=10)
    try:
        name = settings.ALLOWED_HOSTS[0] if settings.ALLOWED_HOSTS else "localhost"
        connection.request("GET", "/", headers={"Host": name.lstrip(".")})
        return connection.getresponse().status
    except (OSError, http.client.HTTPException):
        return None
    finally:
        connection.close()


@contextmanager
def only_one_start(directory: Path) -> Iterator[None]:
    """Hold the lock of ``directory`` for as long as this process lives, however it ends.

    :raises CommandError: another start holds it, or the directory cannot be written.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        lock: IO[Any] = (directory / "up.lock").open("a")
    except OSError as error:
        raise CommandError(
            f"Cannot write in {directory} ({error.strerror}): set PERUDO_VAR to a folder of yours."
        ) from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise CommandError(
                f"The site is already running on the data in {directory}. "
                "Stop it first, or set PERUDO_VAR to another folder."
            ) from error
        yield


def free_port(host: str, port: int, *, setting: str) -> int:
    """Return ``port``, or a free one for 0.

    :raises CommandError: it cannot be had.
    """
    try:
        family, *_, address = socket.getaddrinfo(
            host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            # As servers do: a connection that lingers from the last run is not in the way.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
            return int(probe.getsockname()[1])
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise CommandError(
            f"Cannot listen on {host}:{port} ({reason}). "
            f"Set {setting} to another, for instance {setting}={port % 60000 + 1}."
        ) from error


def mail_port() -> int:
    """Return the port for mail: the one that was asked for, else the usual or any free one."""
    if os.environ.get("MAIL_PORT"):
        return free_port("127.0.0.1", settings.MAIL_PORT, setting="MAIL_PORT")
    try:
        return free_port("127.0.0.1", settings.MAIL_PORT, setting="MAIL_PORT")
    except CommandError:
        return free_port("127.0.0.1", 0, setting="MAIL_PORT")
