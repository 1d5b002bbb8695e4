"""The targets of the Makefile that need no installation of their own to be tried."""

import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

import pytest

from simulator.tests.kit.trees import ROOT

STAMPS = (".python", ".locked", ".installed")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder with the Makefile and an environment in which all is installed."""
    for name in ("Makefile", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    venv.create(tmp_path / ".venv", symlinks=True)
    for name in STAMPS:
        (tmp_path / ".venv" / name).touch()
    return tmp_path


def make(project: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: text for name, text in os.environ.items() if name != "PYTHON"}
    return subprocess.run(
        ["make", *words], cwd=project, env=environment, capture_output=True, text=True, timeout=60
    )


@pytest.mark.parametrize("named", [(), (f"PYTHON={sys.executable}",), ("PYTHON=.venv/bin/python",)])
def test_what_is_installed_with_this_python_stays(project: Path, named: tuple[str, ...]) -> None:
    done = make(project, "--dry-run", "install", *named)

    assert (done.returncode, done.stderr) == (0, "")
    assert "-m venv" not in done.stdout


def test_another_python_makes_the_environment_anew(project: Path) -> None:
    other = project / "other"
    other.write_text('#!/bin/sh\ncase "$*" in *base_prefix*) echo another;; esac\n')
    other.chmod(0o755)

    done = make(project, "--dry-run", "install", f"PYTHON={other}")

    assert done.returncode == 0, done.stderr
    assert f"{other} -m venv --clear .venv" in done.stdout


@pytest.mark.parametrize("wrong", ["/nonexistent/python", "/bin/false"])
def test_what_is_no_python_is_refused_and_the_environment_stays(project: Path, wrong: str) -> None:
    done = make(project, "install", f"PYTHON={wrong}")

    assert done.returncode != 0
    assert f"Sandgate needs Python 3.11 or newer; {wrong} is" in done.stderr
    assert all((project / ".venv" / name).exists() for name in STAMPS)


def test_clean_leaves_the_data_folder_alone(project: Path) -> None:
    left = ("a/__pycache__/b.pyc", "examples/pytest/.pytest_cache/v", ".ruff_cache/c", ".venv/d")
    kept = (".sandgate/__pycache__/e", ".sandgate-terminals/f", ".git/__pycache__/g", "a/h.py")
    for name in left + kept:
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).touch()

    assert make(project, "clean").returncode == 0

    assert [name for name in left if (project / name).parent.exists()] == []
    assert [name for name in kept if not (project / name).exists()] == []
