"""camt.053.001.08, streamed. Layout: docs/reference/settlement-files.md.

Entities and document types are refused: no file of an institute has any.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from itertools import islice
from typing import Any, BinaryIO

from simulator.adapters.settlement.fields import Record
from simulator.domain.core.money import Money
from simulator.domain.settlement.lines import BATCH, SettlementLine

SPACE = "{urn:iso:std:iso:20022:tech:xsd:camt.053.001.08}"
ROOT, MESSAGE, STATEMENT, ENTRY, DETAILS_OF_ENTRY, DETAILS = (
    f"{SPACE}{name}" for name in ("Document", "BkToCstmrStmt", "Stmt", "Ntry", "NtryDtls", "TxDtls")
)
TRANSACTIONS, FEES, PAYOUT = "TRANSACTIONS", "FEES", "PAYOUT"
NOT_PROVIDED = "NOTPROVIDED"
# In UTF-8; what begins otherwise is of another encoding.
BEGINNING = re.compile(rb"""<\?xml version=["']1\.0["'] encoding=["']UTF-8["']""")
BEGINNING_BYTES = 60
TEXT_LENGTH_MAX = 2000
# From one part that is read to the next; one has two kilobytes.
PART_BYTES_MAX = 1024 * 1024
ZERO = Decimal(0)


@dataclass(slots=True)
class _Entry:
    """What an entry has had so far: its lines, and what they come to after charges."""

    lines: int = 0
    net: Decimal = ZERO


@dataclass(frozen=True, slots=True)
class _Around:
    """What all transactions of an entry have in common: it is read once."""

    entry: Any
    is_payout: bool
    currency: str
    merchant_number: str


@dataclass(slots=True)
class _Statement:
    """What a statement has had so far: its booked entries."""

    credits: list[Decimal] = field(default_factory=list)
    debits: list[Decimal] = field(default_factory=list)
    entry: _Entry = field(default_factory=_Entry)

    @property
    def net(self) -> Decimal:
        """What the entries come to."""
        return sum(self.credits, ZERO) - sum(self.debits, ZERO)


class _Parts:
    """A file of which no part is longer than it may be: the parser keeps a start tag, and all
    that is in no part, until it ends.
    """

    def __init__(self, source: BinaryIO, record: Record):
        self._source, self._record = source, record
        self.bytes = 0

    def read(self, size: int) -> bytes:
        """The next bytes. Raises SettlementFileError."""
        if self.bytes > PART_BYTES_MAX:
            self._record.refuse(f"at most {PART_BYTES_MAX:,} bytes in a part", "more")
        data = self._source.read(size)
        self.bytes += len(data)
        return data


def parse_statement(source: BinaryIO, name: str) -> Iterator[SettlementLine]:
    """The lines of a file, one after another; sums and balances are right once the last has come.

    Raises SettlementFileError.
    """
    statement, place, around = _Statement(), 0, None
    for tag, node in _nodes(source, name):
        record = Record(name, place)
        if tag == DETAILS:
            place += 1
            around = _around(Record(name, place), node, around)
            line = _line(Record(name, place), node, around, place)
            statement.entry.lines += 1
            statement.entry.net += _signed(line) - (line.fee or ZERO)
            yield line
        elif tag == ENTRY:
            _close_entry(record, node, statement)
            statement.entry = _Entry()
        else:
            _close_statement(record, node, statement)
            statement = _Statement()
        _forget(node)


def _nodes(source: BinaryIO, name: str) -> Iterator[tuple[str, Any]]:
    """The parts that are read, each when it is whole."""
    beginning = source.read(BEGINNING_BYTES)
    if not BEGINNING.match(beginning):
        Record(name, 0).refuse("XML that says it is UTF-8", beginning)
    source.seek(0)
    # Imported for the first statement: most gateways read none.
    from lxml import etree

    parts = _Parts(source, Record(name, 0))
    events = etree.iterparse(
        parts,
        events=("start", "end"),
        tag=(ROOT, MESSAGE, DETAILS, ENTRY, STATEMENT),
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=False,
    )
    found = set()
    try:
        for event, node in events:
            parts.bytes = 0
            if event == "start":
                found.add(node.tag)
            if event == "start" and node.tag == ROOT:
                about = node.getroottree().docinfo
                Record(name, 0).demand("a document type", expected="", got=about.doctype)
            if event == "end" and node.tag in (DETAILS, ENTRY, STATEMENT):
                yield node.tag, node
    except etree.XMLSyntaxError as error:
        Record(name, 0).refuse("XML that is whole", error)
    if not {ROOT, MESSAGE} <= found:
        Record(name, 0).refuse(f"a Document of {SPACE[1:-1]} with a BkToCstmrStmt", "another one")


def _around(record: Record, node: Any, known: _Around | None) -> _Around:
    """The entry that a transaction stands in, which stands in a statement."""
    around = list(islice(node.iterancestors(), 3))
    tags = [each.tag for each in around]
    record.demand("place of TxDtls", expected=[DETAILS_OF_ENTRY, ENTRY, STATEMENT], got=tags)
    _, entry, statement = around
    if known is not None and entry is known.entry:
        return known
    account = statement.find(f"{SPACE}Acct")
    return _Around(
        entry=entry,
        is_payout=_text(record, entry, "NtryRef") == PAYOUT,
        currency=_text(record, account, "Ccy"),
        merchant_number=_text(record, account, "Id/Othr/Id"),
    )


def _forget(node: Any) -> None:
    """Free what was read, and what stands before it: a file may be longer than the memory."""
    node.clear(keep_tail=False)
    if node.tag == DETAILS:
        parent = node.getparent()
        while node.getprevious() is not None:
            before = node.getprevious()
            if before.tag != DETAILS:
                break
            parent.remove(before)


def _close_entry(record: Record, node: Any, statement: _Statement) -> None:
    kind, entry = _text(record, node, "NtryRef"), statement.entry
    amount, is_credit = _amount(record, node, _currency_of(node)), _is_credit(record, node)
    signed = amount if is_credit else -amount
    counted = -entry.net if kind == PAYOUT else entry.net
    record.demand(f"the amount of {kind}", expected=counted, got=signed)
    stated = _text(record, node, "NtryDtls/Btch/NbOfTxs", needed=kind == TRANSACTIONS)
    if stated:
        record.demand("NbOfTxs", expected=str(entry.lines), got=stated)
    if _text(record, node, "Sts/Cd") == "BOOK":
        (statement.credits if is_credit else statement.debits).append(amount)


def _close_statement(record: Record, node: Any, statement: _Statement) -> None:
    balances = {
        _text(record, each, "Tp/CdOrPrtry/Cd"): _balance(record, each, _currency_of(each))
        for each in node.findall(f"{SPACE}Bal")
    }
    if set(balances) != {"OPBD", "CLBD"}:
        record.refuse("the balances OPBD and CLBD", sorted(balances))
    opened, closed = balances["OPBD"], balances["CLBD"]
    record.demand("the balance CLBD", expected=opened + statement.net, got=closed)
    gross, currency = statement.credits + statement.debits, _text(record, node, "Acct/Ccy")
    for name, entries in (
        ("TtlNtries", gross),
        ("TtlCdtNtries", statement.credits),
        ("TtlDbtNtries", statement.debits),
    ):
        stated = _text(record, node, f"TxsSummry/{name}/NbOfNtries")
        record.demand(f"{name} count", expected=str(len(entries)), got=stated)
        total = record.amount_in("Sum", _text(record, node, f"TxsSummry/{name}/Sum"), currency)
        record.demand(f"{name} sum", expected=sum(entries, ZERO), got=total)


def _line(record: Record, node: Any, around: _Around, place: int) -> SettlementLine:
    entry, is_payout = around.entry, around.is_payout
    kind, currency = _text(record, node, "BkTxCd/Prtry/Cd"), _currency_of(node)
    record.demand("currency", expected=around.currency, got=currency)
    references = _references(node)
    moved = node.find(_path("AmtDtls/TxAmt/Amt"))
    if moved is None:
        record.refuse("AmtDtls/TxAmt/Amt", "none")
    currency_moved = record.currency_in("Ccy", moved.get("Ccy", ""))
    account_data = _text(record, node, "CardTx/Card/AddtlCardData", needed=False)
    end_to_end = _text(record, node, "Refs/EndToEndId", needed=False)
    return SettlementLine(
        place=place,
        id=_text(record, node, "Refs/AcctSvcrRef"),
        batch=references.get(BATCH) or _text(record, entry, "AcctSvcrRef"),
        merchant_number=around.merchant_number,
        type=kind,
        # The money of a payout leaves this account, and comes to the merchant.
        is_credit=_is_credit(record, node) is not is_payout,
        money=Money(record.amount_in("TxAmt", moved.text or "", currency_moved), currency_moved),
        gross=Money(_amount(record, node, currency), currency),
        rate=_rate(record, node),
        settlement_date=record.date_in("date", _text(record, node, "RltdDts/IntrBkSttlmDt")),
        fee=_fee(record, node, currency),
        payment=_text(record, node, "Refs/TxId", needed=False),
        merchant_transaction_id="" if end_to_end == NOT_PROVIDED else end_to_end,
        reference=references.get("RRN", ""),
        auth_code=references.get("AUTH", ""),
        acquirer_reference=references.get("ARN", ""),
        brand=_text(record, node, "CardTx/Card/CardBrnd/Id", needed=False),
        last4=account_data[-4:],
        reason=_text(record, node, "RtrInf/Rsn/Prtry", needed=False),
        reason_text=_text(record, node, "RtrInf/AddtlInf", needed=False),
        is_part=_text(record, node, "AddtlTxInf", needed=False) == "PART",
        is_success=not is_payout or _text(record, entry, "Sts/Cd") == "BOOK",
    )


def _signed(line: SettlementLine) -> Decimal:
    return line.gross.amount if line.is_credit else -line.gross.amount


def _references(node: Any) -> dict[str, str]:
    found = node.findall(_path("Refs/Prtry"))
    return {
        (each.findtext(f"{SPACE}Tp") or ""): (each.findtext(f"{SPACE}Ref") or "") for each in found
    }


def _fee(record: Record, node: Any, currency: str) -> Decimal | None:
    text = _text(record, node, "Chrgs/TtlChrgsAndTaxAmt", needed=False)
    return record.amount_in("Chrgs", text, currency) if text else None


def _rate(record: Record, node: Any) -> Decimal:
    text = _text(record, node, "AmtDtls/TxAmt/CcyXchg/XchgRate", needed=False)
    return record.rate_in("XchgRate", text) if text else Decimal(1)


def _balance(record: Record, node: Any, currency: str) -> Decimal:
    amount = _amount(record, node, currency)
    return amount if _is_credit(record, node) else -amount


def _amount(record: Record, node: Any, currency: str) -> Decimal:
    return record.amount_in("Amt", _text(record, node, "Amt"), currency)


def _currency_of(node: Any) -> str:
    amount = node.find(f"{SPACE}Amt")
    return "" if amount is None else str(amount.get("Ccy", ""))


def _is_credit(record: Record, node: Any) -> bool:
    sign = _text(record, node, "CdtDbtInd")
    return record.choice_in("CdtDbtInd", sign, ("CRDT", "DBIT")) == "CRDT"


def _text(record: Record, node: Any, path: str, *, needed: bool = True) -> str:
    found = None if node is None else node.findtext(_path(path))
    if not found and needed:
        record.refuse(path, "none")
    text = str(found or "")
    if len(text) > TEXT_LENGTH_MAX:
        record.refuse(f"{path} of at most {TEXT_LENGTH_MAX} characters", len(text))
    return text


@cache
def _path(path: str) -> str:
    return "/".join(f"{SPACE}{name}" for name in path.split("/"))
