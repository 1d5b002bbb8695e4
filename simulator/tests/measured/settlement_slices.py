"""How long the hub works in one piece while a large bank day is settled, and what a line costs it.

Run as `python -m simulator.tests.measured.settlement_slices PAYMENTS`. Prints one JSON line:
milliseconds of processor time between two switches of greenlets, the longest and the one that one
of a hundred exceeds; microseconds of processor time a line, in the gateway. Processor time, so that
other programs on the machine count nothing.
"""

import gc
import json
import sys
import tempfile
from datetime import timedelta
from pathlib import Path
from time import process_time

from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.store.store import DocumentStore
from simulator.service.settlement.runs import settle_until
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.measured.hub_slices import slices
from simulator.tests.measured.many_payments import store_copies
from simulator.tests.payments.test_references import paid

INSTITUTE = "Sandgate Clearing"


def main(payments: int) -> None:
    """Measure one day."""
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), HandClock(NOON)
        store = DocumentStore(folder / "sandbox.log")
        files = SettlementFolders(folder, "sandbox", lambda: store.pause(0))
        channel = {"clearing_institute": INSTITUTE}
        context = a_context(clock=clock, store=store, files=files, channel=channel)
        paid(context, "DB")
        store_copies(store, payments - 1)
        clock.advance(timedelta(days=1))
        # As the server does: what the start left takes 60 milliseconds to look through.
        gc.freeze()
        began = process_time()
        with slices() as lengths:
            settle_until(context.ports, INSTITUTE, None)
        spent = process_time() - began
    lengths.sort()
    slice_ms, p99_ms = lengths[-1] * 1e3, lengths[len(lengths) * 99 // 100] * 1e3
    print(json.dumps({"slice_ms": slice_ms, "p99_ms": p99_ms, "line_us": spent / payments * 1e6}))


if __name__ == "__main__":
    main(int(sys.argv[1]))
