"""The fork server: a gateway that ends before it is ready did not start, and is no error."""

import subprocess
from contextlib import closing
from pathlib import Path
from socket import AF_UNIX, socket
from tempfile import TemporaryDirectory
from threading import Thread

import pytest

from features.mutants.sampled.fork_server import ForkRequest, forked_gateway
from simulator.client.processes import ServerStartError


def answer_one(listener: socket, pid: int) -> None:
    """Say which process was forked, and no more: it is gone already."""
    connection, _ = listener.accept()
    with connection:
        connection.makefile("rb").readline()
        connection.sendall(f"{pid}\n".encode())


def test_a_gateway_that_ends_before_it_is_ready_did_not_start() -> None:
    gone = subprocess.Popen(["true"])
    gone.wait()
    request = ForkRequest("simulator/cli.py", "", (), "/dev/null")
    with TemporaryDirectory(prefix="sandgate-") as folder, closing(socket(AF_UNIX)) as listener:
        address = Path(folder) / "socket"
        listener.bind(str(address))
        listener.listen()
        Thread(target=answer_one, args=(listener, gone.pid), daemon=True).start()
        with (
            pytest.raises(ServerStartError, match="ended before it was ready"),
            forked_gateway(address, request),
        ):
            pytest.fail("it is not ready")
