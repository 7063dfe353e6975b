"""Processes that do not outlive the one that started them, even when it is killed.

Linux sends a signal of our choice to a child whose parent dies. It is a property of each process,
so the servers that fork workers of their own call :func:`die_with_parent` in those too. Elsewhere
(macOS) one small process, the watchdog, holds the reading end of a pipe: when the parent is gone
the pipe closes, and the watchdog kills every process group that it was told of.
"""

import contextlib
import ctypes
import os
import signal
import sys

_PR_SET_PDEATHSIG = 1
# Loaded here: after a fork it would be too late to look for a library.
_libc = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def die_with_parent(parent: int | None = None) -> None:
    """Ask the kernel to kill this process when its parent ends. Does nothing outside Linux.

    ``parent`` is the process that is expected to be there: had it died before we could ask, end
    at once.
    """
    if _libc is not None:
        _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if parent is not None and os.getppid() != parent:
            os._exit(1)


def leash_forks() -> None:
    """Leash every process that this one forks from now on, and theirs, from their first moment."""
    forking = [os.getpid()]

    def remember() -> None:
        forking[0] = os.getpid()

    os.register_at_fork(before=remember, after_in_child=lambda: die_with_parent(forking[0]))


def watch(descriptor: int) -> None:
    """Read process group numbers, one a line, until the pipe closes; then kill those groups."""
    with os.fdopen(descriptor) as pipe:
        groups = [int(line) for line in pipe]
    for group in groups:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(group, signal.SIGKILL)


if __name__ == "__main__":
    # A Ctrl-C at the terminal is for the parent to answer.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    watch(int(sys.argv[1]))
