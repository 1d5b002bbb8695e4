"""What the store costs, as one JSON object; every figure is of this machine and this minute.

    python -m simulator.tests.adapters.store.store_figures [PAYMENTS]

Times of the event loop's thread are processor time, so that other work on the machine does not
count: `loop_us` a save (encoding, indexes, log line, waiting, being woken), `turn_ms_max` the
longest that a compaction keeps the loop. `wall_us` is what passed on the clock: mostly the disk.
"""

import collections
import gc
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path

import gevent

from simulator.adapters.store.commit import Durability
from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.money import Money
from simulator.domain.core.ports import Unit, key_of
from simulator.domain.core.records import (
    AccountHierarchy,
    CardSummary,
    LedgerEntry,
    Outcome,
    Payment,
    PaymentType,
    SealedCard,
    State,
)
from simulator.tests.kit.twins import SeededIds

SAVERS = 32
POSTINGS = 2
NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
SENT = {f"customParameters[field{number}]": f"some value {number}" for number in range(40)}
STAMP = AccountHierarchy("8a" * 16, "8b" * 16, "8c" * 16, "8d" * 16, "account", "Sandgate Clearing")


def main(count: int = 20_000) -> dict[str, object]:
    """The figures for so many payments of forty parameters, each with two ledger entries."""
    figures: dict[str, object] = {"payments": count, "savers": SAVERS, "postings": POSTINGS}
    for durability in (Durability.DISK, Durability.OS, Durability.MEMORY):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "a.log"
            figures[durability.value] = figures_of(path, durability, count)
    return figures


def figures_of(path: Path, durability: Durability, count: int) -> dict[str, float]:
    """Saving, reading, compacting and recovering, on a store of its own."""
    store = DocumentStore(path, durability=durability)
    store.get(Payment, "read the log first")
    before = resident_bytes()
    figures = saving(store, count)
    if durability is Durability.DISK:  # Later ones find memory that this one has given back.
        gc.collect()
        figures["resident_bytes_a_payment"] = round((resident_bytes() - before) / count)
    first = next(store.between(Payment, "host_history", "", "~"))
    figures["get_us"] = timed(lambda: store.get(Payment, first.id), 5000)
    reference = first.stamp.merchant, first.sent["merchantTransactionId"], first.host
    bounds = key_of(*reference, ""), key_of(*reference, "~")
    figures["find_us"] = timed(lambda: first_of(store, bounds), 5000)
    if durability is not Durability.MEMORY:
        figures["log_bytes_a_payment"] = round(path.stat().st_size / count)
        figures["turn_ms_max"] = longest_turn(store.compact)
        figures |= recovery(store)
    store.close()
    return figures


def first_of(store: DocumentStore, bounds: tuple[str, str]) -> list[Payment]:
    """The oldest payment with a reference."""
    return list(store.page(Payment, "reference", bounds, start=0, most=1)[0])


def saving(store: DocumentStore, count: int) -> dict[str, float]:
    """The cost of a save when as many greenlets as there are connections save at once."""
    records = units(count)

    def save_some() -> None:
        for unit in records:
            store.commit(unit)

    started = (time.thread_time(), time.perf_counter())
    gevent.joinall([gevent.spawn(save_some) for _ in range(SAVERS)], raise_error=True)
    spent = [time.thread_time() - started[0], time.perf_counter() - started[1]]
    making = timed(lambda: collections.deque(units(count), maxlen=0), 1) / 1e6
    return {
        "loop_us": round((spent[0] - making) / count * 1e6, 1),
        "wall_us": round(spent[1] / count * 1e6, 1),
        "saves_a_second": round(count / spent[1]),
    }


def recovery(store: DocumentStore) -> dict[str, float]:
    """How fast the log is read: a line for each document after the compaction."""
    lines = sum(1 for _ in store.path.open("rb"))
    store.sleep()
    started = time.perf_counter()
    store.get(Payment, "read the log first")
    return {"recovered_lines_a_second": round(lines / (time.perf_counter() - started))}


def units(count: int) -> Iterator[Unit]:
    """Payments with their ledger entries, a millisecond apart."""
    ids = SeededIds(1)
    for number in range(count):
        payment = a_payment(ids, NOON + timedelta(milliseconds=number))
        postings = (a_posting(ids, payment) for _ in range(POSTINGS))
        yield Unit(puts=(payment, *postings))


def a_payment(ids: SeededIds, now: datetime) -> Payment:
    """A card payment as a merchant with forty parameters makes it."""
    return Payment(
        id=ids.record(),
        version=1,
        type=PaymentType.PA,
        state=State.AUTHORIZED,
        stamp=STAMP,
        created_at=now,
        ndc=f"{STAMP.channel}-{ids.hex(32)}",
        short_id=ids.short(),
        brand="VISA",
        money=Money(Decimal("92.00"), "EUR"),
        sent={**SENT, "merchantTransactionId": ids.hex(16)},
        card=CardSummary("420000", "0000", "05", "2034", "Jane Jones"),
        sealed_card=SealedCard(ids.hex(60), ids.hex(44)),
        outcome=Outcome("000.100.110"),
    )


def a_posting(ids: SeededIds, payment: Payment) -> LedgerEntry:
    """A ledger entry of the payment."""
    return LedgerEntry(
        id=ids.record(),
        version=1,
        payment=payment.id,
        debit="clearing:8d",
        credit="merchant:8c",
        money=payment.money,
        at=payment.created_at,
    )


def longest_turn(work: Callable[[], object]) -> float:
    """Milliseconds of processor time that other greenlets had to wait for their turn at most."""
    longest = 0.0
    done = gevent.spawn(work)
    last = time.thread_time()
    while not done.ready():
        gevent.sleep(0)
        now = time.thread_time()
        longest, last = max(longest, now - last), now
    return round(longest * 1000, 2)


def timed(call: Callable[[], object], times: int) -> float:
    """Microseconds of processor time a call."""
    started = time.thread_time()
    for _ in range(times):
        call()
    return round((time.thread_time() - started) / times * 1e6, 1)


def resident_bytes() -> int:
    """Memory this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*map(int, sys.argv[1:])), indent=2) + "\n")
