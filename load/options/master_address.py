"""Where a master listens for its workers: an address that can be had, asked before the run."""

import os
from errno import EACCES, EADDRINUSE, EPERM
from socket import AF_INET6, getaddrinfo, has_dualstack_ipv6

from load.options.values import OptionError
from simulator.client.addresses import LOOPBACK_ADDRESS
from simulator.client.shown.beginnings import beginning_of

HOST, PORT = "--master-bind-host", "--master-bind-port"
DEFAULT_HOST, DEFAULT_PORT = LOOPBACK_ADDRESS, 5557
# What is wrong with the port; all else is wrong with the host.
OF_PORT = frozenset({EACCES, EADDRINUSE, EPERM})


def require_master_address(host: str, port: int) -> None:
    """Require that a master can listen there. Locust would say no only after everything was
    started, and with a traceback. Raises OptionError.
    """
    import zmq  # Of the extra `load`, as Locust is; the options are read without it too.

    try:
        with zmq.Context() as context, context.socket(zmq.ROUTER) as socket:
            socket.setsockopt(zmq.IPV6, _is_beyond_ipv4(host))
            socket.bind(f"tcp://{host}:{port}")
    except zmq.ZMQError as error:
        reason = os.strerror(error.errno or 0).lower()
        if error.errno in OF_PORT:
            raise OptionError(
                f"{PORT}: expected a free port, got {port}: {reason}. Choose another one, and give "
                "it to the workers as --master-port"
            ) from None
        raise OptionError(_wrong_host(host, reason)) from None
    except UnicodeError:
        raise OptionError(_wrong_host(host, "a name that cannot be asked for")) from None


def _wrong_host(host: str, reason: str) -> str:
    return f"{HOST}: expected an address of this machine, got {beginning_of(host)!r}: {reason}"


def _is_beyond_ipv4(host: str) -> bool:
    """Whether Locust listens by IPv6 too: everywhere, and where a host may have such an address."""
    if host == "*" or not has_dualstack_ipv6():
        return has_dualstack_ipv6()
    try:
        return AF_INET6 in (each[0] for each in getaddrinfo(host, None))
    except OSError:
        return True
