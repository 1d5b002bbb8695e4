"""Booking of lines: each is matched, becomes a record, posts to the ledger, once.

Lines are booked in blocks. A run that is taken up again makes the same blocks, and passes over
those that are there.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.chargebacks import NO_REASON, REASON
from simulator.domain.core.errors import EpochEndedError, Refusal
from simulator.domain.core.money import ZERO, Money, as_settled, with_two_decimals
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Origin, Payment, PaymentSource, PaymentType
from simulator.domain.core.slices import with_pauses
from simulator.domain.payments.ledger import DISPUTES
from simulator.domain.payments.references import open_amount, reserving
from simulator.domain.ports.clearing import InstituteForm
from simulator.domain.ports.settlement import MerchantFile
from simulator.domain.settlement.blocks import (
    BLOCK_LINES,
    SettledBlock,
    SettledChargeback,
    block_id,
    block_of,
)
from simulator.domain.settlement.booking import (
    FileFacts,
    ledger_entries_of,
    postings_of,
    record_of,
)
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.matching import (
    MATCHED,
    CandidateIndex,
    LineMatch,
    match_named,
)
from simulator.domain.settlement.numbers import number_of
from simulator.domain.settlement.records import ReconciliationRecord
from simulator.domain.settlement.runs import Aggregation, SettlementRun, aggregation_of
from simulator.domain.settlement.sums import AccountSums
from simulator.grammar.payment_types import PaymentEffect
from simulator.service.payments.contexts import context_of, new_transaction_ids
from simulator.service.payments.pipeline import PipelinePorts, refer_payment
from simulator.service.settlement.projecting import candidate_of
from simulator.service.settlement.reading import LinePayments
from simulator.service.settlement.remaining import reserved_of
from simulator.service.settlement.whom import accounts_of

CHARGEBACK = "CHARGEBACK"
LINE_EFFECTS = {code: row.effect for code, row in PAYMENT_TYPES.items() if row.effect in DISPUTES}


def open_booking(
    ports: PipelinePorts,
    run: SettlementRun,
    candidates: CandidateIndex,
    *,
    payments: LinePayments,
    form: InstituteForm,
    takers: "LineTakers",
) -> "LineBooking":
    """What books the lines of a run."""
    return LineBooking(ports, run, candidates, payments=payments, form=form, takers=takers)


class LineTakers(NamedTuple):
    """What is given each block with the number of its lines, and each line, once it is booked."""

    block: Callable[[MerchantFile, SettledBlock, int], object]
    line: Callable[[ReconciliationRecord], object]


class OpenLine(NamedTuple):
    """A line of the block that is being made, and its record; None where the block is booked."""

    line: SettlementLine
    record: ReconciliationRecord | None


class LineBooking:
    """Books the lines of a run, of which there were so many `lines`, and which can be about these
    candidates; `payments` reads them, and `takers` are given what is booked. `problem` says in
    words what was left out.
    """

    def __init__(
        self,
        ports: PipelinePorts,
        run: SettlementRun,
        candidates: CandidateIndex,
        *,
        payments: LinePayments,
        form: InstituteForm,
        takers: LineTakers,
    ):
        self._ports, self._run, self._zone = ports, run, ZoneInfo(form.zone)
        now = ports.clock.now().astimezone(self._zone)
        self._facts = FileFacts(form.form, run.institute, now)
        self._candidates, self._payments, self._takers = candidates, payments, takers
        self._accounts = accounts_of(ports.sandbox)
        self._sums: dict[str, AccountSums] = {}
        self._typed: dict[str, dict[str, list[int]]] = {}
        self._on_record = {name: each.on_record() for name, each in self._accounts.items()}
        self._open: list[OpenLine] = []
        self._booked: SettledBlock | None = None
        self._blocks = self._foreign = self.lines = 0

    @property
    def problem(self) -> str:
        """What the operator should know; empty where everything was booked."""
        if not self._foreign:
            return ""
        return f"{self._foreign} lines name a payment or a merchant number of another merchant"

    def aggregations(self) -> Iterator[Aggregation]:
        """What the lines add up to, one for each merchant account."""
        for name, sums in self._sums.items():
            typed = {kind: tuple(counts) for kind, counts in self._typed[name].items()}
            yield aggregation_of(self._run, sums, typed)

    def book(self, lines: Sequence[SettlementLine]) -> None:
        """Book some lines, together with those around them."""
        self._candidates.expect(line for line in lines if line.reference and not line.payment)
        self._payments.read(identity for line in lines for identity in self._likely(line))
        self._ports.store.pause(0)
        for line in with_pauses(self._ports, lines):
            self._book(line)

    def _likely(self, line: SettlementLine) -> Sequence[str]:
        """The payments that are probably needed for a line."""
        if line.payment:
            return (line.payment,)
        return self._candidates.likely(line) if _is_of_payment(line) else ()

    def _book(self, line: SettlementLine) -> None:
        self.lines += 1
        named = self._payments.get(line.payment) if line.payment else None
        is_of_another = named is not None and number_of(named) != line.merchant_number
        if is_of_another or line.merchant_number not in self._accounts:
            self._foreign += 1
            return
        if self._open and self._open[-1].line.merchant_number != line.merchant_number:
            self.close_block()
        if not self._open:
            self._blocks += 1
            self._booked = self._ports.store.get(SettledBlock, block_id(self._run.id, self._blocks))
        record = self._record_of(line, named) if self._booked is None else None
        self._open.append(OpenLine(line, record))
        if len(self._open) == BLOCK_LINES:
            self.close_block()

    def close_block(self) -> None:
        """Book what waits for lines to come, unless it is booked already."""
        if not self._open:
            return
        lines, self._open = self._open, []
        name = lines[0].line.merchant_number
        if self._booked is None:
            block, records = self._commit(name, lines)
        else:
            block, records = self._booked, self._booked.records()
        self._ports.store.pause(0)
        sums = self._sums.setdefault(name, AccountSums(merchant_account=name))
        counts: dict[str, int] = {}
        for record in records:
            sums.add(record)
            self._takers.line(record)
            counts[record.type] = counts.get(record.type, 0) + 1
        self._count(self._typed.setdefault(name, {}), counts)
        file = MerchantFile(sums.merchant, name, self._run.institute, sums.settlement_date)
        self._takers.block(file, block, len(records))

    def _commit(
        self, name: str, lines: Sequence[OpenLine]
    ) -> tuple[SettledBlock, list[ReconciliationRecord]]:
        store, now = self._ports.store, self._ports.clock.now()
        records = [each.record for each in lines if each.record is not None]
        store.pause(0)
        block = block_of(self._run.id, self._blocks, name, records)
        store.pause(0)
        postings = (posting for each in lines for posting in postings_of(each.line))
        chargebacks = dict.fromkeys(
            each.chargeback for each in records if each.chargeback and each.type == CHARGEBACK
        )
        noted = (
            SettledChargeback(id=each, run=self._run.id)
            for each in chargebacks
            if store.get(SettledChargeback, each) is None
        )
        store.commit_unflushed(unit_of(block, *ledger_entries_of(block.id, postings, now), *noted))
        return block, records

    def _count(self, typed: dict[str, list[int]], counts: Mapping[str, int]) -> None:
        """Note how many lines of each type the next block of an account has."""
        before = max(map(len, typed.values()), default=0)
        for kind in {*typed, *counts}:
            typed.setdefault(kind, [0] * before).append(counts.get(kind, 0))

    def _record_of(self, line: SettlementLine, named: Payment | None) -> ReconciliationRecord:
        to = self._on_record[line.merchant_number]
        match = self._match(line, named)
        payment = named
        if payment is None and match is not None and match.status == MATCHED:
            payment = self._payments.get(match.payments[0])
        payer = None if payment is None else self._payments.payer_of(payment)
        record = record_of(line, match, payment, payer, to=to, facts=self._facts)
        chargeback = self._chargeback_of(line, payment)
        return record if chargeback is None else replace(record, chargeback=chargeback)

    def _match(self, line: SettlementLine, named: Payment | None) -> LineMatch | None:
        """None for a line that is of no payment: a fee of the day, a payout. A payment that it
        names may be of an earlier day, as a deferred one or one that is charged back.
        """
        if named is not None:
            return match_named(line, candidate_of(named, named.created_at, self._zone))
        return self._candidates.match(line) if _is_of_payment(line) else None

    def _chargeback_of(self, line: SettlementLine, payment: Payment | None) -> str | None:
        """The chargeback that a line is about: the one there is, that it takes back, or that is
        made of it.
        """
        effect = None if payment is None else LINE_EFFECTS.get(line.type)
        if payment is None or effect is None:
            return None
        if effect is PaymentEffect.CHARGEBACK_REVERSAL:
            return payment.referenced if payment.type == PaymentType.CR else payment.chargeback
        if payment.type == PaymentType.CB:
            return payment.id
        # A line before this one may have charged it back.
        now = self._ports.store.get(Payment, payment.id) or payment
        return self._charge_back(line, now) if now.chargeback is None else now.chargeback

    def _charge_back(self, line: SettlementLine, payment: Payment) -> str | None:
        ports = self._ports
        reserved = reserved_of(ports, self._run, payment.id)
        with suppress(Refusal, EpochEndedError):
            context = context_of(ports, payment.stamp, payment.host)
            ticket = new_transaction_ids(ports, payment.stamp.channel, ports.clock.now())
            sent = {"paymentType": PaymentType.CB.value, REASON: line.reason or NO_REASON}
            sent |= _part_of(line, reserving(payment, -reserved))
            origin = Origin(source=PaymentSource.SYSTEM, reserved=reserved)
            return refer_payment(context, payment.id, sent, ticket, origin=origin).id
        return None


def _part_of(line: SettlementLine, payment: Payment) -> dict[str, str]:
    """The amount of a chargeback that a line makes, where more could be charged back."""
    amount = with_two_decimals(line.money.amount)
    if line.money.currency != payment.moved.currency:
        return {}
    still_open = Money(open_amount(payment), payment.moved.currency)
    if not ZERO < amount < as_settled(still_open):
        return {}
    return {"amount": str(amount), "currency": line.money.currency}


def _is_of_payment(line: SettlementLine) -> bool:
    names = line.payment or line.reference or line.merchant_transaction_id
    return bool(names) or line.type in PAYMENT_TYPES
