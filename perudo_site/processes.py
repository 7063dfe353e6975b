"""Run several programs as one: their output line by line, one ends and all end, none is left over.

Single-threaded on purpose: children are forked with a function to run before their program, which
is safe only while there is no other thread.
"""

import contextlib
import os
import selectors
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import IO

from perudo_site import leash

STOP_SECONDS = 8.0
"""How long a program may take to end politely before it is killed (which is always safe)."""

_CHUNK = 65536


class Stop(Exception):
    """Somebody asked for the end: Ctrl-C, SIGTERM, or a closed terminal."""


class ChildEnded(Exception):
    """A program ended that should not have."""

    def __init__(self, name: str, status: int) -> None:
        super().__init__(name, status)
        self.name = name
        self.status = status

    def __str__(self) -> str:
        if self.status < 0:
            return f"{self.name} was ended by signal {-self.status}"
        return f"{self.name} ended with status {self.status}"


class Child:
    """One program, in a process group of its own that holds whatever it forks."""

    def __init__(self, name: str, process: subprocess.Popen[bytes]) -> None:
        self.name = name
        self.process = process
        self.unfinished_line = b""

    def signal(self, number: int) -> None:
        """Send a signal to the program."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(number)

    def kill_group(self) -> None:
        """Kill the program and everything that it forked."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    @property
    def is_running(self) -> bool:
        return self.process.poll() is None


class Family:
    """The programs that were started, and their common end. Use it as a context manager."""

    def __init__(self, *, out: IO[str], name_width: int = 6) -> None:
        self._out = out
        self._width = name_width
        self._children: list[Child] = []
        self._selector = selectors.DefaultSelector()
        self._watchdog: subprocess.Popen[bytes] | None = None
        self._stopping = False
        self._starting = False
        self._asked_to_stop = False

    def __enter__(self) -> "Family":
        signal.signal(signal.SIGINT, self._on_signal)
        signal.signal(signal.SIGTERM, self._on_signal)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup asks us to stay
            signal.signal(signal.SIGHUP, self._on_signal)
        if sys.platform != "linux":
            self.start_watchdog()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start_watchdog(self) -> None:
        """Start the process that kills the groups when this one is gone (see ``leash``)."""
        # -I -S: it needs nothing but the standard library, so it starts in no time.
        reading, writing = os.pipe()
        self._watchdog = subprocess.Popen(
            [sys.executable, "-I", "-S", str(Path(leash.__file__)), str(reading)],
            pass_fds=[reading],
            start_new_session=True,
        )
        os.close(reading)
        self._watchdog_pipe = writing

    def start(
        self, name: str, command: Sequence[str], *, environment: Mapping[str, str] | None = None
    ) -> Child:
        """Start a program whose output is shown line by line after its name.

        :raises Stop: somebody asked for the end meanwhile.
        """
        self._starting = True
        parent = os.getpid()
        process = subprocess.Popen(
            command,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            # A group of its own: Ctrl-C reaches only us, and we choose the order of the end.
            start_new_session=True,
            preexec_fn=lambda: leash.die_with_parent(parent),  # noqa: PLW1509 (one thread)
        )
        if self._watchdog is not None:
            os.write(self._watchdog_pipe, b"%d\n" % process.pid)
        child = Child(name, process)
        self._children.append(child)
        assert process.stdout is not None
        os.set_blocking(process.stdout.fileno(), False)
        self._selector.register(process.stdout, selectors.EVENT_READ, child)
        self._starting = False
        if self._asked_to_stop:
            raise Stop
        return child

    def pump(self, seconds: float) -> None:
        """Show output for ``seconds``.

        :raises ChildEnded: a program ended.
        :raises Stop: somebody asked for the end.
        """
        end = time.monotonic() + seconds
        while True:
            self._show_output(max(0.0, end - time.monotonic()))
            for child in self._children:
                if not child.is_running:
                    self._show_output(0)  # its last words
                    raise ChildEnded(child.name, child.process.returncode)
            if time.monotonic() >= end:
                return

    def say(self, text: str, *, name: str = "up") -> None:
        """Print one line of our own."""
        try:
            self._out.write(f"{name:<{self._width}} | {text}\n")
            self._out.flush()
        except (BrokenPipeError, OSError):
            if not self._stopping:
                raise Stop from None  # nobody reads us any more

    def stop(self) -> None:
        """End the programs, last started first; kill what does not end in time."""
        self._stopping = True
        # The first one is the broker: the others may still need it to hand their work back.
        self._end(self._children[:0:-1])
        self._end(self._children[:1])
        self._selector.close()
        if self._watchdog is not None:
            os.close(self._watchdog_pipe)
            self._watchdog.wait()

    def _end(self, children: Sequence[Child]) -> None:
        for child in children:
            child.signal(signal.SIGTERM)
        deadline = time.monotonic() + STOP_SECONDS
        while any(child.is_running for child in children) and time.monotonic() < deadline:
            with contextlib.suppress(Stop):
                self._show_output(0.05)
        for child in children:
            child.kill_group()
            child.process.wait()
        with contextlib.suppress(Stop):
            self._show_output(0)

    def _show_output(self, seconds: float) -> None:
        if not self._selector.get_map():
            time.sleep(min(seconds, 0.1))
            return
        # Wake up often enough to notice a program that ended without closing its output.
        for key, _ in self._selector.select(min(seconds, 0.2)):
            child: Child = key.data
            stream = child.process.stdout
            assert stream is not None
            try:
                data = os.read(stream.fileno(), _CHUNK)
            except BlockingIOError:
                continue
            if not data:
                self._selector.unregister(stream)
                stream.close()
            *lines, rest = (child.unfinished_line + data).split(b"\n")
            if rest and not data:
                lines, rest = [*lines, rest], b""
            child.unfinished_line = rest
            for line in lines:
                self.say(line.decode("utf-8", "replace").rstrip(), name=child.name)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        if self._starting:
            # A program that is not on our list yet would be forgotten.
            self._asked_to_stop = True
            return
        if not self._stopping:
            raise Stop
        # Asked twice: no more patience.
        for child in self._children:
            child.kill_group()
