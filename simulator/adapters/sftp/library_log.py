"""What the library logs of connections, as lines of the gateway: never a traceback.

The library logs one, line by line, whatever the other side did. It finds its logs by names, one for
those that clients open to the gateway, and one for those that the gateway opens, whose failure is a
line of who opened it. At level debug it says more of both.
"""

import logging
from collections.abc import Callable
from typing import Any

from paramiko import Transport

LOG = logging.getLogger("sandgate.sftp")
INCOMING, OUTGOING = "paramiko.incoming", "paramiko.outgoing"


def show_incoming(show: Callable[[str, str], None]) -> None:
    """Give `show` what the library warns of in connections of clients."""
    _take_over(INCOMING, lambda text: show("a connection ended or was refused: %s", text))


def show_outgoing() -> None:
    """Log what the library says of connections to servers, at level debug alone."""
    _take_over(OUTGOING, _show_at_debug)


def log_no_traceback(transport: Transport, level: int, message: object, *rest: Any) -> None:
    """How a connection logs: a traceback comes as a list of its lines, and is left out."""
    if not isinstance(message, list):
        # The stubs leave out what only subclasses use.
        Transport._log(transport, level, message, *rest)  # type: ignore[attr-defined]


class _LibraryLog(logging.Handler):
    """Hands on what the library warns of; the rest is logged at level debug."""

    def __init__(self, show: Callable[[str], None]):
        super().__init__()
        self._show = show

    def emit(self, record: logging.LogRecord) -> None:
        show = self._show if record.levelno >= logging.WARNING else _show_at_debug
        show(record.getMessage())


def _take_over(name: str, show: Callable[[str], None]) -> None:
    library = logging.getLogger(name)
    # Its other lines, which none reads, took a third of the time of a connection.
    library.setLevel(logging.INFO if LOG.isEnabledFor(logging.DEBUG) else logging.WARNING)
    library.handlers[:] = [_LibraryLog(show)]
    library.propagate = False


def _show_at_debug(text: str) -> None:
    LOG.debug("the SSH library: %s", text)
