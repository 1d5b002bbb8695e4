"""A gateway in a process of its own, for as long as a command needs it."""

import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from simulator.client.processes import running_gateway
from simulator.setting_sources import read_settings
from simulator.settings import ROWS, SettingsError

# The settings that say where records are kept and who shares them.
OF_RECORDS = frozenset(
    {"store", "processes", "share_ports", "peer_key", "peer_host", "peer_port", "peer_url",
     "vault_key_file"}
)  # fmt: skip


@contextmanager
def gateway(
    arguments: Iterable[str], environment: Mapping[str, str] = os.environ
) -> Iterator[dict[str, Any]]:
    """The facts of a gateway that serves until the end of the block. Raises ServerStartError.

    It has the settings in its environment and in `arguments`.
    """
    with running_gateway(*arguments, environment=environment) as server:
        yield dict(server.facts)
        status = server.process.poll()
        if status is not None:
            message = f"the gateway ended with status {status} before the command did"
            print(f"sandgate: {message}", file=sys.stderr)


def without_records(given: Mapping[str, object]) -> dict[str, str]:
    """The environment of a gateway whose folder is removed at its end, and with it the key that its
    records are sealed with: it has no database, unless that is among the settings `given` by hand.

    Raises SettingsError where a configuration file names one.
    """
    dropped = {row.variable for row in ROWS if row.name in OF_RECORDS - given.keys()}
    environment = {name: text for name, text in os.environ.items() if name not in dropped}
    settings, sources = read_settings(given, environment)
    if settings.store is not None and "store" not in given:
        (origin,) = (source.origin for source in sources if source.row.name == "store")
        raise SettingsError(
            f"store: expected none for a gateway whose folder is removed at its end, got one from "
            f"{origin}; name it by --store, or keep the folder by --data"
        )
    return environment
