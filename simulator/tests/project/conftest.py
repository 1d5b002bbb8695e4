"""The wheel, built and installed once for all tests of the project that need it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.tests.kit.wheel import Installed, bare_environment, build_wheel, files_in, pip


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A wheel built from this tree."""
    return build_wheel(tmp_path_factory.mktemp("wheel"))


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
