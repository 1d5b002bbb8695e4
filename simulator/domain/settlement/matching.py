"""Which payments a line of a settlement file is about. Source: Reconciliation record, matching.

The keys are tried in the order in which they are printed; the first that finds payments decides.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import date
from decimal import Decimal
from itertools import islice
from typing import NamedTuple

import msgspec

from simulator.domain.core.money import Money
from simulator.domain.settlement.lines import SettlementLine, as_settled, with_two_decimals
from simulator.domain.settlement.slots import HashSlots

MATCHED, MULTIPLE, NOT_MATCHED = "MATCHED", "MULTIPLE_MATCHES", "NOT_MATCHED"
NAMED_MAX = 1000
# No more are looked at: of a key that all payments of a day share there may be a million.
MOST = NAMED_MAX + 1
LIKELY_MAX = 3


class MatchCandidate(msgspec.Struct, frozen=True, kw_only=True):
    """A payment as it is compared with lines; `day` is its day in the institute's zone, `money`
    has two decimals. One that the gateway has not approved can be settled all the same, where an
    answer of the card host was lost.
    """

    payment: str
    kind: str
    merchant_account: str
    money: Money
    day: date
    reference: str = ""
    merchant_transaction_id: str = ""
    last4: str = ""
    is_approved: bool = True


class LineMatch(NamedTuple):
    """The payments of a line, and in words by which key they were found, or why none was; every
    field that differs is named.
    """

    status: str
    payments: tuple[str, ...]
    why: str


Key = tuple[str, ...]


def match_named(line: SettlementLine, payment: MatchCandidate) -> LineMatch:
    """A line that names this payment: the first key decides, and no other one is tried."""
    return _matched(line, KEYS[0][0], [payment])


class CandidateIndex:
    """The candidates of one run by each of the keys. They are read at the first line that is
    matched here: most lines name their payment, and need none. Of each only its id is kept, so
    that a million take 200 MB; `find` reads the candidate of an id again.
    """

    def __init__(
        self,
        candidates: Iterable[MatchCandidate],
        find: Callable[[str], MatchCandidate | None],
    ):
        self._source, self._find = candidates, find
        self._ids: list[str] | None = None
        self._slots = [HashSlots() for _ in KEYS]

    def likely(self, line: SettlementLine) -> list[str]:
        """The first few payments that `match` looks at, most of which it decides by."""
        ids, features = self._known(), _features_of_line(line)
        for (_, key_of), slots in zip(KEYS, self._slots, strict=True):
            key = key_of(features)
            places = () if key is None else slots.find(hash(key))
            if found := [ids[place] for place in islice(places, LIKELY_MAX)]:
                return found
        return []

    def match(self, line: SettlementLine) -> LineMatch:
        """The payments that the line is about."""
        self._known()
        features = _features_of_line(line)
        tried = []
        for (name, key_of), slots in zip(KEYS, self._slots, strict=True):
            key = key_of(features)
            if key is None:
                continue
            ones = map(self._candidate, slots.find(hash(key)))
            found = list(islice((one for one in ones if key_of(_features_of(one)) == key), MOST))
            if found:
                return _matched(line, name, found)
            tried.append(name)
        return LineMatch(NOT_MATCHED, (), f"no payment has its {', or its '.join(tried) or 'key'}")

    def _known(self) -> list[str]:
        if self._ids is None:
            self._ids = self._read()
        return self._ids

    def _read(self) -> list[str]:
        ids = []
        for number, each in enumerate(self._source):
            ids.append(each.payment)
            features = _features_of(each)
            for (_, key_of), slots in zip(KEYS, self._slots, strict=True):
                key = key_of(features)
                if key is not None:
                    slots.add(hash(key), number)
        return ids

    def _candidate(self, place: int) -> MatchCandidate:
        found = self._find(self._known()[place])
        assert found is not None, "a payment is never removed"
        return found


class Features(NamedTuple):
    """What payments and lines are compared by."""

    merchant_account: str
    payment: str
    reference: str
    merchant_transaction_id: str
    kind: str
    amount: str
    day: str
    last4: str


def _by_id(of: Features) -> Key | None:
    return (of.merchant_account, of.payment) if of.payment else None


def _by_reference(of: Features) -> Key | None:
    return (of.merchant_account, of.reference, of.amount) if of.reference else None


def _by_transaction_id(of: Features) -> Key | None:
    if not of.merchant_transaction_id:
        return None
    return (of.merchant_account, of.merchant_transaction_id, of.kind, of.amount)


def _by_day(of: Features) -> Key | None:
    if not (of.day and of.last4):
        return None
    return (of.merchant_account, of.amount, of.day, of.last4)


# fmt: off
KEYS = (
    ("payment id",                                      _by_id),
    ("reference with amount and currency",              _by_reference),
    ("merchantTransactionId with type and amount",      _by_transaction_id),
    ("amount and currency with day and last digits",    _by_day),
)
# fmt: on


def differences(line: SettlementLine, payment: MatchCandidate) -> tuple[str, ...]:
    """Every field in which a line and its payment differ; a part may have a lower amount."""
    amount, found = with_two_decimals(line.money.amount), []
    settled = as_settled(payment.money)
    is_lower = line.is_part and amount <= settled
    if amount != settled and not is_lower:
        found.append(f"amount {amount} instead of {settled}")
    for name, came, expected in (
        ("currency", line.money.currency, payment.money.currency),
        ("type", line.type, payment.kind),
        ("reference", line.reference, payment.reference),
        ("last digits", line.last4, payment.last4),
    ):
        if came and expected and came != expected:
            found.append(f"{name} {came} instead of {expected}")
    if not payment.is_approved:
        found.append("the gateway has not approved it")
    return tuple(found)


def _matched(line: SettlementLine, name: str, found: Sequence[MatchCandidate]) -> LineMatch:
    ids = tuple(dict.fromkeys(each.payment for each in found))
    if len(ids) > 1:
        count = f"more than {NAMED_MAX}" if len(found) == MOST else len(found)
        return LineMatch(MULTIPLE, ids[:NAMED_MAX], f"{count} payments have its {name}")
    differing = differences(line, found[0])
    return LineMatch(MATCHED, ids, f"by {name}" + "".join(f"; {each}" for each in differing))


def _features_of(payment: MatchCandidate) -> Features:
    return Features(
        merchant_account=payment.merchant_account,
        payment=payment.payment,
        reference=payment.reference,
        merchant_transaction_id=payment.merchant_transaction_id,
        kind=payment.kind,
        amount=_amount(as_settled(payment.money), payment.money.currency),
        day=payment.day.isoformat(),
        last4=payment.last4,
    )


def _features_of_line(line: SettlementLine) -> Features:
    return Features(
        merchant_account=line.merchant_number,
        payment=line.payment,
        reference=line.reference,
        merchant_transaction_id=line.merchant_transaction_id,
        kind=line.type,
        amount=_amount(with_two_decimals(line.money.amount), line.money.currency),
        day="" if line.requested_at is None else line.requested_at.date().isoformat(),
        last4=line.last4,
    )


def _amount(amount: Decimal, currency: str) -> str:
    return f"{amount} {currency}"
