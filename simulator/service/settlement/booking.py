"""Booking of lines: each is matched, becomes a record, posts to the ledger, once."""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.domain.chargebacks import NO_REASON, REASON
from simulator.domain.core.errors import EpochEndedError, Refusal
from simulator.domain.core.ports import key_of, unit_of
from simulator.domain.core.records import Origin, Payment, PaymentSource, PaymentType
from simulator.domain.ports.clearing import ClearingEntry, InstituteForm
from simulator.domain.settlement.booking import FileFacts, ledger_entries_of, record_of
from simulator.domain.settlement.lines import SettlementLine
from simulator.domain.settlement.matching import (
    MATCHED,
    CandidateIndex,
    LineMatch,
    match_named,
)
from simulator.domain.settlement.runs import (
    Aggregation,
    SettledLine,
    SettlementRun,
    order_of,
    typed_order_of,
)
from simulator.domain.settlement.sums import AccountSums, aggregation_of
from simulator.grammar.payment_types import PaymentEffect
from simulator.service.payments.contexts import context_of, new_transaction_ids
from simulator.service.payments.pipeline import PipelinePorts, refer_payment
from simulator.service.settlement.projecting import candidate_of, clearing_entry
from simulator.service.settlement.whom import accounts_of


def open_booking(
    ports: PipelinePorts,
    run: SettlementRun,
    form: InstituteForm,
    known: Iterable[ClearingEntry],
) -> "LineBooking":
    """What books the lines of a run; `known` are the movements they can be about."""
    return LineBooking(ports, run, form, known)


class LineBooking:
    """Books the lines of a run. `problem` says in words what was left out."""

    def __init__(
        self,
        ports: PipelinePorts,
        run: SettlementRun,
        form: InstituteForm,
        known: Iterable[ClearingEntry],
    ):
        self._ports, self._run, self._zone = ports, run, ZoneInfo(form.zone)
        now = ports.clock.now().astimezone(self._zone)
        self._facts = FileFacts(form.form, run.institute, now)
        self._index = CandidateIndex(candidate_of(entry, self._zone) for entry in known)
        self._accounts = accounts_of(ports.sandbox)
        self._sums: dict[str, AccountSums] = {}
        self._foreign = 0

    @property
    def problem(self) -> str:
        """What the operator should know; empty where everything was booked."""
        if not self._foreign:
            return ""
        return f"{self._foreign} lines name a payment or a merchant number of another merchant"

    def aggregations(self) -> Iterator[Aggregation]:
        """What the lines add up to, one for each merchant account."""
        return (aggregation_of(self._run, each) for each in self._sums.values())

    def book(self, line: SettlementLine, place: int) -> None:
        """Book a line, the `place`th of its run, unless it is booked already."""
        store, account = self._ports.store, self._accounts.get(line.merchant_number)
        settled = store.get(SettledLine, line.id)
        if settled is not None:
            self._add(settled)
            return
        named = store.get(Payment, line.payment) if line.payment else None
        is_of_another = named is not None and named.stamp.merchant_account != line.merchant_number
        if account is None or is_of_another:
            self._foreign += 1
            return
        match = self._match(line, named)
        payment = named
        if payment is None and match is not None and match.status == MATCHED:
            payment = store.get(Payment, match.payments[0])
        chargeback = self._chargeback_of(line, payment)
        record = record_of(line, match, payment, to=account.on_record(), facts=self._facts)
        settled = SettledLine(
            id=line.id,
            order=order_of(self._run.id, line.merchant_number, place),
            typed=typed_order_of(self._run.id, line.merchant_number, record.type, place),
            record=replace(record, chargeback=chargeback or ""),
            chargeback=chargeback,
        )
        now, about = self._ports.clock.now(), "" if payment is None else payment.id
        store.commit_unflushed(unit_of(settled, *ledger_entries_of(line, about, now)))
        self._add(settled)

    def _add(self, settled: SettledLine) -> None:
        """Count a line of this run; one that was sent again belongs to the run it came in first."""
        name = settled.record.to.merchant_account
        if settled.order.startswith(key_of(self._run.id, name, "")):
            sums = self._sums.setdefault(name, AccountSums(merchant_account=name))
            sums.add(settled.record)

    def _match(self, line: SettlementLine, named: Payment | None) -> LineMatch | None:
        """None for a line that is of no payment: a fee of the day, a payout. A payment that it
        names may be of an earlier day, as a deferred one or one that is charged back.
        """
        if named is not None:
            entry = clearing_entry(named, named.created_at)
            return match_named(line, candidate_of(entry, self._zone))
        names = line.payment or line.reference or line.merchant_transaction_id
        if not names and line.type not in PAYMENT_TYPES:
            return None
        return self._index.match(line)

    def _chargeback_of(self, line: SettlementLine, payment: Payment | None) -> str | None:
        """The chargeback that a line is about: the one there is, else one that is made of it."""
        row = PAYMENT_TYPES.get(line.type)
        if payment is None or row is None or row.effect is not PaymentEffect.CHARGEBACK:
            return None
        if payment.type == PaymentType.CB:
            return payment.id
        if payment.chargeback is not None:
            return payment.chargeback
        return self._charge_back(line, payment)

    def _charge_back(self, line: SettlementLine, payment: Payment) -> str | None:
        ports = self._ports
        with suppress(Refusal, EpochEndedError):
            context = context_of(ports, payment.stamp, payment.host)
            ticket = new_transaction_ids(ports, payment.stamp.channel, ports.clock.now())
            sent = {"paymentType": PaymentType.CB.value, REASON: line.reason or NO_REASON}
            origin = Origin(source=PaymentSource.SYSTEM)
            return refer_payment(context, payment.id, sent, ticket, origin=origin).id
        return None
