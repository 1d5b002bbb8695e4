"""The closing check: whether the ledger of a run agrees with what the gateway shows. Pure.

What was acknowledged must be there as it was acknowledged; what was captured and refunded must be
what was acknowledged, and within its limit; every change of state must be notified once; and the
gateway must have counted every response. A request without a response may have been executed or
not, as a whole: both are allowed, and neither is assumed.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from features.spec.results import is_pending
from load.closing.evidence import ClosingEvidence, GatewayCounters, PaymentSnapshot
from load.ledger.records import EXPECTED_DECLINE, SUCCEEDED, THROTTLED, RequestRecord
from load.traffic.forms import COUNTED_AS
from load.traffic.payloads import format_amount
from load.traffic.requests import CURRENCY, SUCCESS
from load.traffic.shown import LINE_LENGTH_MAX, ShownTexts, shown_text

REGISTRATION = "RG"
NO_EVENTS = (
    "no webhook was received: it takes `receiver` among --users, and a control API of a gateway "
    "on this machine that offers `webhooks`"
)
NO_REPORTS = (
    "no report was read: the target does not offer `reports`; [paths] of its target file says "
    "where they are"
)
OTHERS = "what it counted more is ignored, another client may have used it"
MOVING = ("DB", "CD", "CP", "RF", "CB")
AMOUNT = re.compile(r"[0-9]{1,10}\.[0-9]{2}")
# Payment types, and the referring types whose sum may not exceed the sum of the former.
LIMITED_SUMS = (
    (("PA",), ("CP",)),
    (("DB", "CP"), ("RF", "CB")),
)


class ClosingClause(NamedTuple):
    """One clause of the closing check: its rule, how many cases it covers, and its faults.

    `unread` is how many cases could not be read from the gateway, `not_checked` why the clause
    could not be checked at all, `remark` what it leaves out.
    """

    name: str
    cases: int
    faults: Sequence[str]
    not_checked: str = ""
    unread: int = 0
    remark: str = ""

    @property
    def verdict(self) -> str:
        """The verdict in a few words."""
        if self.not_checked:
            return "not checked"
        if self.faults:
            return "failed"
        if self.unread:
            return f"{self.unread:,} could not be read"
        return "passed" if self.cases else "nothing to check"


@dataclass(frozen=True, slots=True)
class ClosingCheck:
    """The clauses checked after a run, and how many requests had no or a wrong response."""

    clauses: Sequence[ClosingClause]
    unknown: int = 0

    @property
    def is_clean(self) -> bool:
        """Whether every clause was checked completely, without faults."""
        return self.is_reliable and not self.unchecked

    @property
    def is_reliable(self) -> bool:
        """Whether there is no fault, nothing unread, and the acknowledged writes were checked."""
        has_defect = any(clause.faults or clause.unread for clause in self.clauses)
        return not has_defect and bool(self.clauses) and not self.clauses[0].not_checked

    @property
    def unchecked(self) -> list[ClosingClause]:
        """The clauses that could not be checked. With any of them the closing check is partial."""
        return [clause for clause in self.clauses if clause.not_checked]

    @property
    def faults(self) -> list[str]:
        """All faults, one line each."""
        return [f"{clause.name}: {each}" for clause in self.clauses for each in clause.faults]


def check_ledger(
    records: Sequence[RequestRecord], evidence: ClosingEvidence, shown: ShownTexts = shown_text
) -> ClosingCheck:
    """Compare the acknowledged requests with what the gateway shows."""
    unknown = [each for each in records if each.has_unknown_effect]
    clauses = (
        _check_writes(records, evidence),
        _check_sums(records, unknown, evidence),
        _check_events(records, unknown, evidence),
        _check_counters(records, evidence),
        _check_settlement(records, unknown, evidence),
    )
    return ClosingCheck([_as_shown(clause, shown) for clause in clauses], len(unknown))


def _as_shown(clause: ClosingClause, shown: ShownTexts) -> ClosingClause:
    """The clause; its faults repeat what the gateway wrote."""
    return clause._replace(faults=[shown(each, LINE_LENGTH_MAX) for each in clause.faults])


def select_writes(records: Iterable[RequestRecord]) -> list[RequestRecord]:
    """Return the acknowledged writes: what was approved, and what was declined and stored."""
    return [each for each in records if each.id and each.verdict in (SUCCEEDED, EXPECTED_DECLINE)]


def select_movements(records: Iterable[RequestRecord]) -> list[RequestRecord]:
    """Return the acknowledged writes that moved money."""
    return [
        each
        for each in records
        if each.verdict == SUCCEEDED and each.type in MOVING and not is_pending(each.code)
    ]


def select_roots(records: Iterable[RequestRecord]) -> list[str]:
    """Return the payment trees with a capture, refund or chargeback, even a possible one."""
    limited = {kind for _, kinds in LIMITED_SUMS for kind in kinds}
    return list(dict.fromkeys(each.root for each in records if each.type in limited and each.root))


def _check_writes(records: Sequence[RequestRecord], evidence: ClosingEvidence) -> ClosingClause:
    name = "every acknowledged write is found as it was acknowledged"
    writes = select_writes(records)
    if evidence.payments is None:
        return ClosingClause(name, len(writes), (), "no payment could be read")
    readable = [each for each in writes if each.id not in evidence.unread]
    found = (_difference(each, evidence.payments.get(each.id)) for each in readable)
    faults = [fault for fault in found if fault]
    faults += [
        f"{identity} was acknowledged {count} times, as {count} payments"
        for identity, count in Counter(each.id for each in writes).items()
        if count > 1
    ]
    return ClosingClause(name, len(writes), faults, unread=len(writes) - len(readable))


def _difference(record: RequestRecord, payment: PaymentSnapshot | None) -> str:
    if payment is None:
        return f"{record.type} {record.id} is lost"
    expected, read = {"result": record.code}, {"result": payment.code}
    if record.type != REGISTRATION:
        expected |= {"type": record.type}
        read |= {"type": payment.type}
    if record.verdict == SUCCEEDED and record.cents:
        expected |= {"amount": format_amount(record.cents), "currency": CURRENCY}
        read |= {"amount": payment.amount, "currency": payment.currency}
    if expected == read:
        return ""
    return f"{record.type} {record.id}: acknowledged {expected}, reads {read}"


def _check_sums(
    records: Sequence[RequestRecord], unknown: Sequence[RequestRecord], evidence: ClosingEvidence
) -> ClosingClause:
    name = "captures, refunds and chargebacks are those acknowledged, within their limits"
    roots = select_roots(records)
    if evidence.trees is None:
        return ClosingClause(name, len(roots), (), NO_REPORTS)
    acknowledged: dict[str, list[RequestRecord]] = defaultdict(list)
    for each in select_writes(records):
        acknowledged[each.root].append(each)
    unknown_of = Counter(each.root for each in unknown)
    faults: list[str] = []
    readable = [root for root in roots if root not in evidence.unread]
    for root in readable:
        tree = evidence.trees.get(root, ())
        found = _tree_faults(tree, acknowledged[root], unknown_of[root])
        faults += [f"{root}: {fault}" for fault in found]
    return ClosingClause(name, len(roots), faults, unread=len(roots) - len(readable))


def _tree_faults(
    tree: Sequence[PaymentSnapshot], acknowledged: Sequence[RequestRecord], unknown: int
) -> Iterator[str]:
    """What a report shows otherwise than it was acknowledged: each payment has one row."""
    rows = {each.id: each for each in tree}
    for record in sorted(acknowledged, key=lambda each: each.id):
        if record.id in rows:
            yield from filter(None, [_difference(record, rows[record.id])])
        else:
            yield f"{record.id} is not in the report"
    for identity, count in Counter(each.id for each in tree).items():
        if count > 1:
            yield f"{identity} is in the report {count} times"
    extra = sorted(rows.keys() - {each.id for each in acknowledged})
    if len(extra) > unknown:
        yield f"the report shows {', '.join(extra)}, never acknowledged"
    yield from _limit_faults(tree)


def _limit_faults(tree: Sequence[PaymentSnapshot]) -> Iterator[str]:
    """Which amounts of a report are none, and which sums are beyond their limits."""
    for each in tree:
        if each.amount and not AMOUNT.fullmatch(each.amount):
            yield f"{each.type} {each.id}: expected an amount as 12.34, got {each.amount!r}"
    for kinds, limited in LIMITED_SUMS:
        limit, used = _sum_cents(tree, kinds), _sum_cents(tree, limited)
        if used > limit:
            amount = f"{format_amount(used)} by {'+'.join(limited)}"
            yield f"{amount} exceeds {format_amount(limit)}"


def _sum_cents(tree: Iterable[PaymentSnapshot], types: Sequence[str]) -> int:
    """Return the sum of the successful payments of some types in cents."""
    successful = (each for each in tree if each.type in types and each.code.startswith(SUCCESS))
    amounts = (each.amount for each in successful if AMOUNT.fullmatch(each.amount))
    return sum(int(amount.replace(".", "")) for amount in amounts)


def _check_events(
    records: Sequence[RequestRecord], unknown: Sequence[RequestRecord], evidence: ClosingEvidence
) -> ClosingClause:
    name = "every change of state was notified once"
    writes = select_writes(records)
    if evidence.events is None:
        return ClosingClause(name, len(writes), (), NO_EVENTS)
    event_ids: dict[tuple[str, str, str], set[str]] = defaultdict(set)
    for each in evidence.events:
        event_ids[each.type, each.action, each.id].add(each.event_id)
    expected = {_event_of(each) for each in writes}
    faults = [
        f"{' '.join(event)} was never notified" for event in sorted(expected - event_ids.keys())
    ]
    faults += [
        f"{' '.join(event)} was notified under {len(ids)} event ids"
        for event, ids in sorted(event_ids.items())
        if len(ids) > 1
    ]
    extra = sorted(event_ids.keys() - expected)
    if len(extra) > len(unknown):
        faults += [f"{' '.join(event)} was notified but never acknowledged" for event in extra]
    if evidence.unreadable_events:
        faults.append(f"{evidence.unreadable_events} notifications could not be decrypted")
    return ClosingClause(name, len(expected), faults)


def _event_of(record: RequestRecord) -> tuple[str, str, str]:
    kind = "REGISTRATION" if record.type == REGISTRATION else "PAYMENT"
    return (kind, "CREATED", record.id)


def _check_counters(records: Sequence[RequestRecord], evidence: ClosingEvidence) -> ClosingClause:
    name = "the gateway counted every response"
    answered = [each for each in records if each.has_response]
    if evidence.counters is None:
        return ClosingClause(name, len(answered), (), "the gateway shows no counters")
    differences = _counter_differences(records, evidence.counters)
    if evidence.is_exclusive:
        return ClosingClause(name, len(answered), [fault for fault, _ in differences])
    # A gateway counts for all its clients together: only too few are a fault. Choice: D-239.
    missing = [fault for fault, is_excess in differences if not is_excess]
    remark = OTHERS if len(differences) > len(missing) else ""
    return ClosingClause(name, len(answered), missing, remark=remark)


def _counter_differences(
    records: Sequence[RequestRecord], counters: GatewayCounters
) -> list[tuple[str, bool]]:
    """Return the counters that differ from the ledger, and whether they are too high."""
    answered = Counter((_counted_as(each), each.status) for each in records if each.has_response)
    payments = Counter(each.type for each in select_writes(records))
    throttled = Counter(each.operation for each in records if each.verdict == THROTTLED)
    without_response = Counter(_counted_as(each) for each in records if not each.has_response)
    # A request with a wrong response, or with none, may have created a payment.
    possible = Counter(each.type for each in records if each.has_unknown_effect and each.type)
    return [
        *_count_faults("responses", answered, counters.responses, without_response),
        *_count_faults("payments", payments, counters.payments, possible),
        *_count_faults("throttled", throttled, counters.throttled, without_response),
    ]


def _counted_as(record: RequestRecord) -> str:
    """Return the name under which the gateway counts a request."""
    return COUNTED_AS.get(record.operation, record.operation)


def _check_settlement(
    records: Sequence[RequestRecord], unknown: Sequence[RequestRecord], evidence: ClosingEvidence
) -> ClosingClause:
    name = "every movement of money is settled once, as the merchant's file says"
    moved, settled = select_movements(records), evidence.settled
    if settled is None or settled.not_checked:
        why = "no file was fetched" if settled is None else settled.not_checked
        return ClosingClause(name, len(moved), (), why)
    faults = [*settled.broken]
    for each in moved:
        lines, amount = settled.amounts.get(each.id, ()), format_amount(each.cents)
        if list(lines) != [amount]:
            faults.append(f"{each.type} {each.id}: expected a line of {amount}, got {list(lines)}")
    extra = sorted(settled.amounts.keys() - {each.id for each in moved})
    if len(extra) > len(unknown):
        faults.append(f"settled, and never acknowledged: {', '.join(extra)}")
    return ClosingClause(name, len(moved), faults)


def _count_faults(
    name: str, seen: Mapping[Any, int], counted: Mapping[Any, int], allowed: Mapping[str, int]
) -> Iterable[tuple[str, bool]]:
    """Yield counts that differ by more than `allowed`, and whether they are too high."""
    for key in sorted({*seen, *counted}, key=str):
        own, gateway = seen.get(key, 0), counted.get(key, 0)
        slack = allowed.get(key[0] if isinstance(key, tuple) else key, 0)
        if not own <= gateway <= own + slack:
            label = " ".join(map(str, key)) if isinstance(key, tuple) else key
            yield f"{name} {label}: the gateway counted {gateway}, seen {own}", gateway > own
