"""Nothing outlives the process that started it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from perudo_site import leash

pytestmark = pytest.mark.one_database

SLEEPER = [sys.executable, "-c", "import time; time.sleep(60)"]


def wait_until(condition: Callable[[], bool], *, seconds: float = 10) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A killed process may stay as a zombie where nobody collects orphans.
    state = subprocess.run(["ps", "-o", "stat=", "-p", str(pid)], capture_output=True, text=True)
    return state.stdout.strip()[:1] not in {"", "Z"}


def test_the_watchdog_kills_every_group_when_the_pipe_closes() -> None:
    # What macOS relies on; it works the same on Linux.
    reading, writing = os.pipe()
    watchdog = subprocess.Popen(
        [sys.executable, "-I", "-S", str(Path(leash.__file__)), str(reading)],
        pass_fds=[reading],
        start_new_session=True,
    )
    os.close(reading)
    group = subprocess.Popen(
        ["sh", "-c", "sleep 60 & echo $!; wait"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert group.stdout is not None
    grandchild = int(group.stdout.readline())
    os.write(writing, b"%d\n" % group.pid)
    time.sleep(0.2)
    assert watchdog.poll() is None
    assert is_alive(grandchild)
    os.close(writing)
    assert watchdog.wait(10) == 0
    assert group.wait(10) == -signal.SIGKILL
    wait_until(lambda: not is_alive(grandchild))
    group.stdout.close()


@pytest.mark.skipif(sys.platform != "linux", reason="the signal of a dying parent is Linux's own")
def test_a_leashed_process_ends_with_its_parent() -> None:
    script = (
        "import os, subprocess, sys, time; from perudo_site.leash import die_with_parent;"
        "me = os.getpid();"
        f"child = subprocess.Popen({SLEEPER}, preexec_fn=lambda: die_with_parent(me));"
        "print(child.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        assert is_alive(child)
        parent.kill()
    wait_until(lambda: not is_alive(child))


@pytest.mark.skipif(sys.platform != "linux", reason="the signal of a dying parent is Linux's own")
def test_a_process_whose_parent_died_before_the_leash_ends_too() -> None:
    script = "from perudo_site.leash import die_with_parent; die_with_parent(1); print('alive')"
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert (result.returncode, result.stdout) == (1, "")


@pytest.mark.skipif(sys.platform != "linux", reason="the signal of a dying parent is Linux's own")
def test_what_celery_forks_is_leashed_from_its_first_moment() -> None:
    # An idle one notices by itself that the worker is gone; one that is busy in a task does not.
    script = (
        "import ctypes, os, perudo_site.celery; from celery.signals import worker_init;"
        "worker_init.send(sender=None); answer = ctypes.c_int();"
        "ask = lambda: ctypes.CDLL(None).prctl(2, ctypes.byref(answer));"  # PR_GET_PDEATHSIG
        # The process itself, then one that it forks, then one that this one forks.
        "ask(); print(answer.value, flush=True);"
        "os.fork() and (os.wait(), os._exit(0)); ask(); print(answer.value, flush=True);"
        "os.fork() and (os.wait(), os._exit(0)); ask(); print(answer.value, flush=True)"
    )
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert result.stdout.split() == ["0", "9", "9"]


def test_a_family_with_a_watchdog_ends_with_its_parent() -> None:
    # As on macOS: no signal from the kernel, the watchdog alone.
    script = (
        "import sys, time; from perudo_site import leash, processes;"
        "leash.die_with_parent = lambda parent=None: None;"
        "family = processes.Family(out=sys.stderr).__enter__(); family.start_watchdog();"
        f"child = family.start('sleeper', {SLEEPER});"
        "print(child.process.pid, flush=True); time.sleep(60)"
    )
    with subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        child = int(parent.stdout.readline())
        time.sleep(0.3)
        assert is_alive(child)
        parent.kill()
    wait_until(lambda: not is_alive(child))
