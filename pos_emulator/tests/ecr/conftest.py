"""A terminal at the address of its till."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from pos_emulator.ecr.certificates import server_context
from pos_emulator.ecr.nexo.server import serve_nexo
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.tests.ecr.recording_desk import RecordingDesk
from pos_emulator.tests.ecr.recording_terminal import AT, RecordingTerminal
from pos_emulator.tests.ecr.till import Till
from pos_emulator.tests.terminal.shop import Shop
from simulator.client.sandbox import SandboxClient

ANY_PORT = ("127.0.0.1", 0)


@pytest.fixture(scope="session")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a certificate, which takes a while to make."""
    folder = tmp_path_factory.mktemp("certificate")
    server_context(folder, (), now=AT)
    return folder


@pytest.fixture
def shop(sandgate_sandbox: SandboxClient, tmp_path: Path) -> Iterator[Shop]:
    """A terminal of a sandbox of its own."""
    made = Shop(sandgate_sandbox, tmp_path / "terminal")
    yield made
    made.close()


@pytest.fixture
def terminal() -> RecordingTerminal:
    return RecordingTerminal()


@pytest.fixture
def till(terminal: RecordingTerminal, certificate: Path, tmp_path: Path) -> Iterator[Till]:
    for file in certificate.iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with serve_nexo(terminal, ANY_PORT, NexoSettings(folder=tmp_path), now=lambda: AT) as url:
        yield Till(url, tmp_path / "ca.pem")


@pytest.fixture
def desk() -> RecordingDesk:
    return RecordingDesk()


@pytest.fixture
def desk_till(terminal, desk, tmp_path) -> Iterator[Till]:
    settings = NexoSettings(folder=tmp_path)
    with serve_nexo(terminal, ANY_PORT, settings, desk=desk, now=lambda: AT) as url:
        yield Till(url, tmp_path / "ca.pem")
