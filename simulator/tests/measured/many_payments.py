"""`python -m simulator.tests.measured.many_payments DATA SANDBOX COUNT`: more payments in a log.

No gateway may run there. The last payment of the sandbox that moved money is stored again so many
times, each under an id of its own, ten milliseconds after the one before: what a bench would take
an hour to send. Prints how many there are as JSON.
"""

import json
import sys
from datetime import timedelta
from pathlib import Path

from msgspec.structs import replace

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Payment

APART = timedelta(milliseconds=10)
# Far apart, so that no two share the twelve digits of a reference more often than real ones.
STEP = 0x9E3779B97F4A7C15F39CC0605CEDC835
AT_ONCE = 500


def main(data: Path, sandbox: str, count: int) -> int:
    """Store so many payments more."""
    (log,) = (data / sandbox).glob("*.log")
    store = DocumentStore(log)
    store_copies(store, count)
    store.close()
    return count


def store_copies(store: DocumentStore, count: int) -> None:
    """Store the last payment that moved money so many times more."""
    *_, payment = store.between(Payment, "posted", "", "~")
    for number in range(1, count + 1):
        at = payment.posted_at + number * APART
        made = replace(
            payment,
            id=f"8{number * STEP % 16**31:031x}",
            version=1,
            created_at=at,
            posted_at=at,
            sent={**payment.sent, "merchantTransactionId": f"order-{number:08d}"},
        )
        store.commit_unflushed(Unit((made,)))
        if not number % AT_ONCE:
            store.wait_durable()
    store.wait_durable()


if __name__ == "__main__":
    print(json.dumps({"made": main(Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]))}))
