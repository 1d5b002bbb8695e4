"""How long others are held while each operation gets hostile values in each place it has.

Run as `python -m simulator.tests.measured.held_loop.hostile EVERY`: with every so manieth call of
each operation of both OpenAPI documents. Prints one JSON line; calls that take long, and those that
are answered with a fault, are named on stderr.
"""

import gc
import json
import sys
import tempfile
from itertools import islice
from pathlib import Path

from simulator.tests.kit.gateway import Gateway
from simulator.tests.measured.held_loop.calls import Call, Operation, calls_of, operations
from simulator.tests.measured.held_loop.driving import status_of
from simulator.tests.measured.held_loop.filling import filled_sandbox
from simulator.tests.measured.held_loop.watch import LoopWatch

SHOWN_MS = 30


def main(every: int) -> None:
    """Send all of them."""
    found: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory() as folder, LoopWatch() as watch:
        gateway = Gateway(Path(folder) / "data", durability="os", is_described=False)
        # A collection takes as long as there are objects in this process.
        gc.freeze()
        gc.disable()
        for number, operation in enumerate(operations(filled_sandbox(gateway))):
            found += sent(gateway, watch, operation, range(number % every, 10**6, every))
            gc.collect()
        gateway.close()
    faults = sum(status >= 500 for _, status in found)
    print(json.dumps({"calls": len(found), "held_ms": max(found)[0], "faults": faults}))


def sent(
    gateway: Gateway, watch: LoopWatch, operation: Operation, chosen: range
) -> list[tuple[float, int]]:
    """Of each chosen call of an operation how long it held others, and the status of its answer."""
    found = []
    for make in islice(
        calls_of(operation, filled_sandbox(gateway)), chosen.start, None, chosen.step
    ):
        call = make()
        with watch.held() as longest:
            status = answered(gateway, call)
        held_ms = longest[0] * 1e3
        found.append((held_ms, status))
        if held_ms > SHOWN_MS or status >= 500:
            print(f"{held_ms:.0f} ms {status} {call.name}", file=sys.stderr)
    return found


def answered(gateway: Gateway, call: Call) -> int:
    """The status of the answer."""
    request = (call.method, call.path, call.query)
    return status_of(gateway.client.app, request, headers=call.headers, body=call.body)


if __name__ == "__main__":
    main(int(sys.argv[1]))
