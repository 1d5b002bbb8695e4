"""A gateway in a process of its own, for as long as a command needs it."""

import os
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from simulator.client.processes import running_gateway


@contextmanager
def gateway(arguments: Iterable[str]) -> Iterator[dict[str, Any]]:
    """The facts of a gateway that serves until the end of the block. Raises ServerStartError.

    It has the settings of this command, which are in its environment and in `arguments`.
    """
    with running_gateway(*arguments, environment=os.environ) as server:
        yield dict(server.facts)
        status = server.process.poll()
        if status is not None:
            message = f"the gateway ended with status {status} before the command did"
            print(f"sandgate: {message}", file=sys.stderr)
