"""The files of a run: the institute's own in its format, and one answer key for each merchant."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import BinaryIO

from msgspec.structs import force_setattr

from acquirer_mocks.settlement.batches import Batches, Numbered
from acquirer_mocks.settlement.calendars import window, zone_of
from acquirer_mocks.settlement.delivery import deliver, deliver_again, part_of, release_late
from acquirer_mocks.settlement.fault_plan import FILE_FAULT, FILE_WORDS, TWICE
from acquirer_mocks.settlement.fx import in_cents
from acquirer_mocks.settlement.lines import FileBatch, FileHead, FileLine, shares_of
from acquirer_mocks.settlement.pricing import DayTerms
from acquirer_mocks.settlement.truth import (
    SpooledLine,
    encoded,
    file_of_key,
    line_of_key,
    payout_of_key,
)
from acquirer_mocks.settlement.writers.fixed import write_fixed
from acquirer_mocks.settlement.writers.table import write_summary, write_table
from simulator.domain.core.money import Money, read_amount
from simulator.domain.ports.clearing import DayOrder, OpenPayout, Payout, go_on

ENDINGS = {"SGFIX": "sgfix", "SGCSV": "csv", "camt.053.001.08": "xml"}
# Nothing of such a file is booked: its key says so, and nothing else.
REFUSED = frozenset({"empty", "cut", "trailer"})
PAUSE_EVERY = 200
# Does work, maybe meanwhile, and gives what waits for its end.
Beside = Callable[[Callable[[], object]], Callable[[], object]]


def at_once(work: Callable[[], object]) -> Callable[[], object]:
    """Do it now: nothing is left to wait for."""
    work()
    return go_on


class DayFiles:
    """Writes the files of one run. After `write` it has their names and what they pay."""

    def __init__(self, terms: DayTerms, order: DayOrder):
        institute = terms.institute
        self.files: tuple[str, ...] = ()
        self.late: tuple[str, ...] = ()
        self.keys: list[str] = []
        self.payouts: list[Payout] = []
        self.open_payouts: list[OpenPayout] = []
        self.released: tuple[str, ...] = ()
        self.lines = 0
        self._terms, self._order = terms, order
        self._drop, self._key = Path(order.drop), Path(order.key)
        self._stem = f"{institute.slug}_{terms.day}_{order.number:03d}"
        self._start = f"{institute.code}{terms.day:%y%m%d}{order.number:02d}"
        self._name = f"{self._stem}.{ENDINGS[institute.format]}"

    def write(self, batches: Batches, beside: Beside = at_once) -> None:
        """Write and deliver everything: keys, which are written `beside` the rest, then the file,
        with one that waited before it.
        """
        self.released = release_late(self._drop, self._order.carried.late)
        numbered = batches.close()
        self.keys = [self._key_of(each) for each in numbered]
        wait_for_keys = beside(lambda: self._write_keys(numbered))
        # One of which every line is missing is in the keys alone.
        filled = (each for each in numbered if each.sheet.sums.lines or each.payouts)
        names = self._write_file(each.file_batch(self._file_lines(each)) for each in filled)
        self._note(numbered)
        wait_for_keys()
        trouble = self._order.faults.file
        self.late = deliver(self._drop, names, trouble)
        deliver(self._key, tuple(self.keys), None)
        repeated = deliver_again(self._drop, names) if trouble == TWICE else ()
        self.files = (*(() if self.late else names), *repeated)

    def _write_file(self, batches: Iterable[FileBatch]) -> tuple[str, ...]:
        head = self._head()
        with part_of(self._drop, self._name) as target:
            if self._terms.institute.format != "SGCSV":
                _writer(self._terms.institute.format)(target, head, batches)
                return (self._name,)
            rows = write_table(target, head, batches)
        summary = f"{self._stem}.summary.csv"
        with part_of(self._drop, summary) as target:
            write_summary(target, rows)
        return summary, self._name

    def _head(self) -> FileHead:
        institute, zone = self._terms.institute, zone_of(self._terms.institute)
        after, until = window(institute, self._terms.day)
        return FileHead(
            name=self._name,
            institute=institute.name,
            zone=institute.zone,
            day=self._terms.day,
            settlement_date=self._terms.settlement_date,
            number=self._order.number,
            made=until.astimezone(zone),
            after=after.astimezone(zone),
            until=until.astimezone(zone),
            error=int(self._order.faults.file == "trailer"),
        )

    def _write_keys(self, numbered: Iterable[Numbered]) -> None:
        for each in numbered:
            with part_of(self._key, self._key_of(each)) as key:
                for entry in chain(self._lines_of_key(each), self._end_of_key(each)):
                    key.write(encoded([entry]))
            self._order.pause()

    def _lines_of_key(self, numbered: Numbered) -> Iterator[dict[str, object]]:
        if self._order.faults.file not in REFUSED:
            result_file = numbered.sheet.contract.result_file or self._name
            for number, spooled in self._placed(numbered):
                yield line_of_key(spooled, number, result_file)

    def _file_lines(self, numbered: Numbered) -> Iterator[FileLine]:
        for _, spooled in self._placed(numbered):
            if spooled.line is not None:
                yield spooled.line

    def _placed(self, numbered: Numbered) -> Iterator[tuple[int, SpooledLine]]:
        """The lines of a batch, numbered. What is missing has the number of the line before."""
        number = 0
        for spooled in chain(numbered.spooled(), map(SpooledLine, numbered.payouts)):
            if spooled.line is not None:
                number += 1
                # The line was made for this place: a copy would cost more than all else that is
                # done to it.
                force_setattr(spooled.line, "number", number)
                identity = f"{self._start}{numbered.before + number:09d}"
                force_setattr(spooled.line, "id", identity)
                if number % PAUSE_EVERY == 0:
                    self._order.pause()
            yield number, spooled

    def _key_of(self, numbered: Numbered) -> str:
        return f"{numbered.sheet.contract.merchant_number}_{self._stem}.jsonl"

    def _end_of_key(self, numbered: Numbered) -> Iterator[dict[str, object]]:
        trouble, sheet = self._order.faults.file, numbered.sheet
        if trouble not in REFUSED:
            currency = sheet.contract.settlement_currency
            repeated = sum(late.units for late in sheet.open_payouts)
            day, payments = self._terms.settlement_date, sheet.sums.transactions
            for units in (*shares_of(sheet.true_net + repeated, currency),) or (0,):
                yield payout_of_key(units, currency, day=day, payments=payments)
        words = FILE_WORDS.get(trouble or "", "")
        yield file_of_key(self._name, FILE_FAULT if words else None, words)

    def _note(self, batches: Iterable[Numbered]) -> None:
        """Count the lines, and note what is paid."""
        for each in batches:
            self.lines += each.sheet.sums.lines + len(each.payouts)
            self._note_payouts(each)

    def _note_payouts(self, numbered: Numbered) -> None:
        contract = numbered.sheet.contract
        for line in numbered.payouts:
            found = Payout(
                merchant_number=contract.merchant_number,
                batch=line.batch,
                net=Money(read_amount(in_cents(line.signed, line.currency)), line.currency),
                is_paid=line.is_success,
            )
            self.payouts.append(found)
            if not line.is_success:
                self.open_payouts.append(
                    OpenPayout(
                        merchant_number=contract.merchant_number,
                        batch=line.batch,
                        units=line.signed,
                        currency=line.currency,
                    )
                )


def _writer(form: str) -> Callable[[BinaryIO, FileHead, Iterable[FileBatch]], None]:
    """What writes a format in one file. The library of XML is imported for the first statement."""
    if form == "SGFIX":
        return write_fixed
    from acquirer_mocks.settlement.writers.camt import write_camt

    return write_camt
