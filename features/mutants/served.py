"""What a process imports once that forks itself for each start of a gateway."""

import gc
import importlib
from collections.abc import Iterable

# What `sandgate serve` imports.
SERVED = ("simulator.cli", "simulator.commands.serve", "simulator.serving",
          "acquirer_mocks.simulators")  # fmt: skip


def import_all(names: Iterable[str]) -> None:
    """Import modules."""
    for name in names:
        importlib.import_module(name)


def freeze() -> None:
    """Let no fork look for garbage in what was imported: it would copy the pages."""
    gc.collect()
    gc.freeze()
