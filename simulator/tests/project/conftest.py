"""The wheel, built once for all workers, and installed once in each that needs it."""

import os
from collections.abc import Iterator
from fcntl import LOCK_EX, flock
from pathlib import Path

import pytest

from simulator.tests.kit.wheel import Installed, bare_environment, build_wheel, files_in, pip


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this tree: the first worker that needs it builds it for all of a run."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "wheel"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        built = next(folder.glob("*.whl"), None)
        return build_wheel(folder) if built is None else built


@pytest.fixture(scope="session")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installed]:
    """An environment with the wheel and its extras; the wheel is uninstalled at the end."""
    bare = bare_environment(wheel, tmp_path_factory.mktemp("outside"))
    before = files_in(bare.environment)
    pip(bare, "install", "--no-deps", "--no-index", str(wheel))
    assert files_in(bare.environment) - before
    yield bare
    pip(bare, "uninstall", "--yes", "sandgate")
    assert files_in(bare.environment) - before == set(), "pip uninstall left files"


@pytest.fixture(scope="session")
def plain(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """An environment with the wheel, without any extra."""
    bare = bare_environment(wheel, tmp_path_factory.mktemp("plain"), extras=())
    pip(bare, "install", "--no-deps", "--no-index", str(wheel))
    return bare
