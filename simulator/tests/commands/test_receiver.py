"""`sandgate webhooks listen`: how it ends, and that its endpoint ends with it."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest

from simulator.tests.commands.test_steering import Terminal, paid_in
from simulator.tests.kit.running import serving

# Seconds, or payments with a second between them.
ENDS_WITHIN = 20
LISTEN = (sys.executable, "-m", "simulator", "webhooks", "listen")
# As a shell starts what it runs in the background.
IN_THE_BACKGROUND = ("sh", "-c", "trap '' INT; exec \"$@\"", "sh", *LISTEN)


@pytest.fixture(scope="module")
def terminal(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Terminal]:
    folder = tmp_path_factory.mktemp("receiver")
    with serving(folder / "data") as running:
        yield Terminal(running, folder)


@contextmanager
def listening_in(terminal: Terminal, command: tuple[str, ...]) -> Iterator[subprocess.Popen]:
    """A receiver that listens, killed where it does not end."""
    with subprocess.Popen(
        command, env=terminal.environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as listening:
        try:
            assert "listening" in listening.stdout.readline()
            yield listening
        finally:
            listening.kill()


@pytest.mark.parametrize("command", [LISTEN, IN_THE_BACKGROUND], ids=["usual", "background"])
def test_a_receiver_ends_with_its_reader_and_leaves_no_endpoint(
    terminal: Terminal, command: tuple[str, ...]
) -> None:
    with listening_in(terminal, command) as listening:
        listening.stdout.close()
        # It notices at the first notification that it writes; one may come before it closes.
        for _ in range(ENDS_WITHIN):
            paid_in(terminal)
            if is_ended(listening):
                break
        assert listening.returncode is not None, "it ends"
        errors = listening.stderr.read()

    assert errors == ""
    assert terminal.said("webhooks", "endpoints") == "no endpoint is set up\n"


def test_a_receiver_that_is_terminated_leaves_no_endpoint(terminal: Terminal) -> None:
    with listening_in(terminal, LISTEN) as listening:
        listening.terminate()
        assert listening.wait(ENDS_WITHIN) == 0

    assert terminal.said("webhooks", "endpoints") == "no endpoint is set up\n"


def is_ended(process: subprocess.Popen) -> bool:
    """Whether a process ends within a short time."""
    with suppress(subprocess.TimeoutExpired):
        process.wait(timeout=1)
    return process.returncode is not None
