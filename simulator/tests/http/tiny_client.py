"""A client of the tiny server: sends bytes as they are, and reads answers one by one."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

TINY_SERVER = Path(__file__).parent / "tiny_server.py"
ROOT = Path(__file__).parents[3]
HOST = b"Host: localhost\r\n"


class Running(NamedTuple):
    """A tiny server: its process, its ports, and the folder of its certificate."""

    process: subprocess.Popen
    plain: int
    tls: int
    folder: Path


class Reply(NamedTuple):
    """One answer read from a socket."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def seen(self) -> dict:
        return json.loads(self.body)


@contextmanager
def tiny_server(folder: Path, *, grace_s: float = 3.0, idle_s: float = 0.0) -> Iterator[Running]:
    arguments = [str(TINY_SERVER), str(folder), str(grace_s), str(idle_s)]
    command = [sys.executable, "-m", "gevent.monkey", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            ports = json.loads(process.stdout.readline())
            yield Running(process, ports["plain"], ports["tls"], folder)
        finally:
            process.kill()


def read_reply(connection: socket.socket, *, method: str = "POST") -> Reply:
    """The next answer; reads byte by byte so that a pipelined one stays in the socket."""
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        piece = connection.recv(1)
        assert piece, f"the connection ended after {head!r}"
        head += piece
    first, *lines = head.decode("latin-1").strip().split("\r\n")
    headers = {name.lower(): value for name, value in (line.split(": ", 1) for line in lines)}
    body = b""
    while method != "HEAD" and len(body) < int(headers.get("content-length", 0)):
        body += connection.recv(int(headers["content-length"]) - len(body))
    return Reply(int(first.split()[1]), headers, body)


def ask(connection: socket.socket, *lines: bytes, body: bytes = b"") -> Reply:
    connection.sendall(b"\r\n".join(lines) + b"\r\n" + HOST + b"\r\n" + body)
    return read_reply(connection)
