"""A settlement file near both of its limits, read to its end: first refused, then booked.

Run as `python -m simulator.tests.measured.large_settlement_file BYTES LINES`. An institute delivers
an SGCSV file of about so many bytes in so many lines whose last sale is a cent higher than the
summary says. Its correction is the same file as it should be. The lines are of a merchant account
of the sandbox, and of no payment. Prints a JSON line for each of the two when it is done: what the
operator is shown, bytes and lines, seconds of processor time and of the clock, and how much memory
the program that books and the largest of its workers took.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from hashlib import sha256
from pathlib import Path
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage
from time import monotonic
from typing import Any, NamedTuple

from msgspec.structs import replace

from acquirer_mocks.settlement.writers.table import COLUMNS, SUMMARY
from simulator.adapters.settlement.folders import SettlementFolders
from simulator.adapters.store.store import DocumentStore
from simulator.domain.ports.clearing import CarriedOver, WrittenDay
from simulator.service.settlement.runs import settle_until
from simulator.tests.kit.making import NOON, a_context
from simulator.tests.kit.twins import HandClock
from simulator.tests.payments.test_references import paid

INSTITUTE, BATCH = "Sandgate Clearing", "2611200001"
AT_ONCE = 10_000
# What a line takes beside its texts.
REST_BYTES = 290
LIMITS = {"MerchantTransactionId": 255, "ReasonText": 128}
CENTS = 1_00


class LargeDays:
    """Institutes whose files have so many lines, of which the first one of a day is wrong."""

    def __init__(self, clearing: object, size: int, lines: int):
        self._clearing, self._size, self._lines = clearing, size, lines
        self.bytes = 0

    def __getattr__(self, name: str) -> object:
        return getattr(self._clearing, name)

    def write_day(self, institute: str, day: object, entries: object, order: Any) -> WrittenDay:
        """Write the file and its summary, and no key."""
        path = Path(order.drop) / f"sandgate_clearing_{day}_{order.number:03}.csv"
        (number, *_) = order.contracts
        file = LargeFile(number, self._lines, self._size, is_wrong=order.number == 1)
        self.bytes = file.write(path)
        summary = path.with_suffix(".summary.csv").name
        return WrittenDay(
            files=(summary, path.name), keys=(), lines=self._lines, payouts=(),
            carried=CarriedOver(),
        )  # fmt: skip


class LargeFile(NamedTuple):
    """Sales of one cent a hundred each, and their payout."""

    merchant_number: str
    lines: int
    size: int
    is_wrong: bool

    def write(self, path: Path) -> int:
        """Write it with its summary; how many bytes it has."""
        digest, written = sha256(), 0
        with path.open("wb") as file:
            for part in self._parts():
                digest.update(part)
                written += file.write(part)
        net = f"{(self.lines - 1) * CENTS / 100:.2f}"
        cells = (path.name, digest.hexdigest(), BATCH, self.merchant_number, "EUR",
                 str(self.lines), "0.00", net, "0.00", net)  # fmt: skip
        text = f"\ufeff{','.join(SUMMARY)}\r\n{','.join(cells)}\r\n<END>\r\n"
        path.with_suffix(".summary.csv").write_bytes(text.encode())
        return written

    def _parts(self) -> Iterator[bytes]:
        yield f"\ufeff{','.join(COLUMNS)}\r\n".encode()
        room = max(0, self.size // self.lines - REST_BYTES)
        order = "o" * min(room, LIMITS["MerchantTransactionId"] - 10)
        words = "w" * max(0, min(room - len(order), LIMITS["ReasonText"]))
        sold = self.lines - 1
        for start in range(1, self.lines, AT_ONCE):
            places = range(start, min(start + AT_ONCE, self.lines))
            rows = (self._sale(place, order, words, sold) for place in places)
            yield "".join(rows).encode()
        yield self._payout(sold).encode()
        yield b"<END>\r\n"

    def _sale(self, place: int, order: str, words: str, last: int) -> str:
        amount = "1.01" if self.is_wrong and place == last else "1.00"
        return (
            f"{place},L{place:09},{BATCH},{self.merchant_number},DB,8{place:031x},"
            f"{order}{place:09},{place:012},A1B2C3,7456789000000000001,VISA,4242,812,"
            f"2026-11-20T12:00:00Z,EUR,,{amount},EUR,1.000000,,{amount},0.00,0.00,0.00,0.00,,"
            f"{amount},2026-11-23,SUCCESS,,{words},\r\n"
        )

    def _payout(self, sold: int) -> str:
        net = f"{sold * CENTS / 100:.2f}"
        return (
            f"{self.lines},L{self.lines:09},{BATCH},{self.merchant_number},BATCH,,,,,,,,,,EUR,,"
            f"{net},EUR,1.000000,,{net},,,,,,{net},2026-11-23,SUCCESS,,,\r\n"
        )


def main(size: int, lines: int) -> None:
    """Deliver a wrong file and its correction."""
    with tempfile.TemporaryDirectory() as name:
        folder, clock = Path(name), HandClock(NOON)
        store = DocumentStore(folder / "sandbox.log")
        files = SettlementFolders(folder, "sandbox", lambda: store.pause(0))
        channel = {"clearing_institute": INSTITUTE}
        context = a_context(clock=clock, store=store, files=files, channel=channel)
        paid(context, "DB")
        clock.advance(timedelta(days=1))
        clearing = LargeDays(context.ports.clearing, size, lines)
        ports = replace(context.ports, clearing=clearing)
        day = clearing.next_cut_off(INSTITUTE, NOON)[0]
        for _ in ("wrong", "corrected"):
            began, spent, memory = monotonic(), _processor(), _memory(RUSAGE_SELF)
            (run,) = settle_until(ports, INSTITUTE, day)
            after = _processor()
            found = {
                "state": run.state, "problem": run.problem, "lines": run.lines,
                "files": len(run.delivered), "bytes": clearing.bytes,
                "seconds": monotonic() - began, "gateway_s": after[0] - spent[0],
                "workers_s": after[1] - spent[1],
                "growth_mib": _memory(RUSAGE_SELF) - memory,
                "largest_worker_mib": _memory(RUSAGE_CHILDREN),
            }  # fmt: skip
            print(json.dumps(found), flush=True)


def _processor() -> tuple[float, float]:
    own, others = getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


def _memory(who: int) -> float:
    return getrusage(who).ru_maxrss / 1024


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))
