"""Ports of this machine."""

import random
import socket
from contextlib import suppress

from simulator.client.addresses import LOOPBACK_ADDRESS

# Below those that systems give to connections that go out: no other program takes one by chance.
FREE_PORTS = range(20_000, 32_000)


def free_port() -> int:
    """A free port of loopback. Raises OSError where none was found."""
    for port in random.sample(FREE_PORTS, 20):
        with suppress(OSError), socket.create_server((LOOPBACK_ADDRESS, port)):
            return port
    raise OSError(f"expected a free port from {FREE_PORTS[0]} to {FREE_PORTS[-1]}, found none")
