"""What every line of a reconciliation file has to obey, and the sums of all of them together.

Each broken rule names its requirement, the line and the column, what was expected and what came.
"""

import re
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import NamedTuple

from features.reconciling.settlement_csv import SettledRecord, columns

CHARGEBACKS = ("CHARGEBACK", "CHARGEBACK REVERSAL")
REASONS = ("ReasonCode", "ReasonDesc")
DAY = r"[0-9]{4}-[0-9]{2}-[0-9]{2}"
# The requirement that a format belongs to, and the pattern of its values.
FORMS: Mapping[str, tuple[str, str]] = {
    "N13, 2 decimals": ("RCN-08", r"[0-9]{1,10}\.[0-9]{2}"),
    "A3 ISO 4217": ("RCN-01", r"[A-Z]{3}"),
    "date": ("RCN-09", DAY),
    "time value": ("RCN-09", rf"{DAY}[ T][0-9]{{2}}:[0-9]{{2}}:[0-9]{{2}}.*"),
}
# The characters of a time up to its seconds; behind them may be a fraction, and a zone.
SECONDS = 19
# A file has few; of more only so many are remembered.
PAYOUTS_MAX = 10_000
LENGTH = re.compile(r"AN?([0-9]+)(?:, ([0-9]+)-[0-9]+)?")


class BrokenRule(NamedTuple):
    """One rule that a line breaks; `number` is 0 for a rule about the whole file."""

    requirement: str
    number: int
    column: str
    expected: str
    came: str


def broken_rules(
    records: Iterable[SettledRecord], earlier: Iterable[SettledRecord] = ()
) -> Iterator[BrokenRule]:
    """What is wrong with the lines, in their order, and then with their sums. Payouts may repeat
    those that a bank rejected before, also among `earlier` lines, which may come in any order.
    """
    sums: dict[str, CurrencySums] = defaultdict(CurrencySums)
    payouts: dict[str, Payouts] = defaultdict(Payouts)
    for record in sorted((each for each in earlier if each.is_batch), key=_date):
        payouts[record["SettlementCurrency"]].note_earlier(record)
    for record in records:
        yield from _of_columns(record)
        yield from _of_matching(record)
        yield from _of_chargebacks(record)
        currency = record["SettlementCurrency"]
        sums[currency] = sums[currency].with_record(record)
        if record.is_batch:
            yield from payouts[currency].add(record)
    for currency, each in sums.items():
        if payouts[currency].due != each.net:
            yield BrokenRule(
                "RCN-08", 0, "SettlementAmount",
                f"payouts of {each.net} {currency}, all lines less their fees; beside them only "
                "those that repeat rejected ones, of this file or of those that --before names",
                f"{payouts[currency].due}",
            )  # fmt: skip


class Payouts:
    """The bank transfers of one currency. One that a bank rejected is repeated by the next file,
    which has a later date. Choice: D-721.
    """

    def __init__(self) -> None:
        self.due = Decimal(0)
        self._ids: deque[str] = deque(maxlen=PAYOUTS_MAX)
        self._known: set[str] = set()
        self._rejected: dict[tuple[str, Decimal], deque[str]] = {}

    def note_earlier(self, record: SettledRecord) -> None:
        """A transfer of an earlier file, which may be repeated."""
        self._repeats(record)
        self._note_rejected(record)

    def add(self, record: SettledRecord) -> Iterator[BrokenRule]:
        """One transfer more, and what is wrong with its id."""
        if not self._repeats(record):
            self.due += _signed(record)
        self._note_rejected(record)
        identity = record["SettlementTxId"]
        if identity and identity in self._known:
            yield BrokenRule(
                "RCN-08", record.number, "SettlementTxId", "an id for each payout",
                "that of a payout before",
            )  # fmt: skip
        elif identity:
            self._remember(identity)

    def _repeats(self, record: SettledRecord) -> bool:
        """Whether a transfer is one that was rejected before, which is then repeated."""
        dates = self._rejected.get(_transfer(record))
        if not dates or dates[0] >= record["SettlementDate"]:
            return False
        dates.popleft()
        return True

    def _note_rejected(self, record: SettledRecord) -> None:
        if record["SettlementStatus"] == "FAILED" and len(self._rejected) < PAYOUTS_MAX:
            dates = self._rejected.setdefault(_transfer(record), deque(maxlen=PAYOUTS_MAX))
            dates.append(record["SettlementDate"])

    def _remember(self, identity: str) -> None:
        if len(self._ids) == PAYOUTS_MAX:
            self._known.discard(self._ids[0])
        self._ids.append(identity)
        self._known.add(identity)


def _transfer(record: SettledRecord) -> tuple[str, Decimal]:
    """What a transfer and its repetition have in common."""
    return record["ClearingInstituteMerchantId"], _signed(record)


def _date(record: SettledRecord) -> str:
    return record["SettlementDate"]


def _signed(record: SettledRecord) -> Decimal:
    amount = record.amount("SettlementAmount")
    return -amount if record["Cashflow"] == "NEG" else amount


class CurrencySums(NamedTuple):
    """What the lines of one currency come to: to be paid, and paid by bank transfers."""

    net: Decimal = Decimal(0)
    paid: Decimal = Decimal(0)

    def with_record(self, record: SettledRecord) -> "CurrencySums":
        """The sums with one line more. A transfer that the bank rejected paid nothing."""
        signed = _signed(record)
        if not record.is_batch:
            return self._replace(net=self.net + signed - record.amount("SettlementFee"))
        is_paid = record["SettlementStatus"] != "FAILED"
        return self._replace(paid=self.paid + (signed if is_paid else 0))


class ColumnRule(NamedTuple):
    """What one column takes: its values, or the pattern of all of it, and whether there is what a
    value of that pattern names.
    """

    name: str
    requirement: str
    pattern: re.Pattern[str]
    exists: Callable[[str], bool]
    words: str
    is_required: bool

    def is_met_by(self, value: str) -> bool:
        """Whether the column takes a value."""
        return self.pattern.fullmatch(value) is not None and self.exists(value)


@cache
def _column_rules() -> tuple[ColumnRule, ...]:
    return tuple(
        ColumnRule(
            row.name, *_form_of(row.words), EXISTS.get(row.words, bool), row.words,
            row.need == "required",
        )
        for row in columns()
    )  # fmt: skip


def _form_of(words: str) -> tuple[str, re.Pattern[str]]:
    """The requirement that a format belongs to, and what fits it."""
    length = LENGTH.fullmatch(words)
    if words in FORMS:
        requirement, pattern = FORMS[words]
        return requirement, re.compile(pattern)
    if length is not None:
        return "RCN-01", re.compile(rf".{{{length[2] or 1},{length[1]}}}")
    return "RCN-02", re.compile("|".join(map(re.escape, words.split(", "))))


@cache
def _currencies() -> frozenset[str]:
    # Imported when first asked for: it reads its data file at import.
    import iso4217

    return frozenset(currency.code for currency in iso4217.Currency)


def _is_currency(code: str) -> bool:
    return code in _currencies()


def _is_day(text: str) -> bool:
    return _is_read_by(date.fromisoformat, text)


def _is_time(text: str) -> bool:
    return _is_read_by(datetime.fromisoformat, text[:SECONDS])


def _is_read_by(read: Callable[[str], object], text: str) -> bool:
    try:
        read(text)
    except ValueError:
        return False
    return True


# By their words: the calendar and the list that no pattern has.
EXISTS: Mapping[str, Callable[[str], bool]] = {
    "A3 ISO 4217": _is_currency,
    "date": _is_day,
    "time value": _is_time,
}


def _of_columns(record: SettledRecord) -> Iterator[BrokenRule]:
    for rule in _column_rules():
        came = record[rule.name]
        if rule.name == "MatchedTransactions":
            wrong = [each for each in record.matched if not rule.is_met_by(each)]
            came = wrong[0] if wrong else ""
        if not came and rule.is_required:
            yield BrokenRule("RCN-10", record.number, rule.name, "a value", "none")
        elif came and not rule.is_met_by(came):
            yield BrokenRule(rule.requirement, record.number, rule.name, rule.words, came[:80])


def _of_matching(record: SettledRecord) -> Iterator[BrokenRule]:
    status, count = record["MatchingStatus"], len(record.matched)
    fits = {"MATCHED": count == 1, "MULTIPLE_MATCHES": count > 1}.get(status, count == 0)
    if not fits:
        yield BrokenRule(
            "RCN-05", record.number, "MatchedTransactions",
            "one id where MATCHED, several where MULTIPLE_MATCHES, else none",
            f"{count} where {status or 'there is no status'}",
        )  # fmt: skip


def _of_chargebacks(record: SettledRecord) -> Iterator[BrokenRule]:
    is_chargeback = record["ReconciliationType"] in CHARGEBACKS
    for name in REASONS:
        if record[name] and not is_chargeback:
            yield BrokenRule("RCN-07", record.number, name, "chargebacks only", record[name][:80])
    is_matched = record["MatchingStatus"] == "MATCHED"
    if is_chargeback and is_matched and not record["ChargebackId"]:
        yield BrokenRule("RCN-06", record.number, "ChargebackId", "an id: it is matched", "none")
    if record["ChargebackId"] and not is_chargeback:
        yield BrokenRule(
            "RCN-06", record.number, "ChargebackId", "none: it is no chargeback", "an id"
        )
