"""camt.053.001.08: a bank's statement. Paths: docs/reference/settlement-files.md.

Elements stand in the order of the schema. Transactions have no time. Source: ISO 20022.
"""

from collections.abc import Iterable
from datetime import datetime
from itertools import groupby
from typing import Any, BinaryIO, NamedTuple

from lxml import etree

from acquirer_mocks.settlement.fx import written
from acquirer_mocks.settlement.lines import BATCH, FileBatch, FileHead, FileLine, Sums
from acquirer_mocks.settlement.writers.camt_details import DOMAINS, details_of

NAMESPACE = "urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"
# The statement of a day without any batch: the schema wants one.
NO_BATCH = FileBatch("0", "NOTPROVIDED", "EUR", Sums(), (), ())
ID_MAX = 35
TRANSACTIONS, FEES, PAYOUT = "TRANSACTIONS", "FEES", "PAYOUT"


class XmlOutput(NamedTuple):
    """A file, and the writer of trees that is in the middle of it."""

    trees: Any
    file: BinaryIO


class StatementEntry(NamedTuple):
    """An entry of a statement, with its transactions."""

    kind: str
    payout: FileLine | None
    lines: Iterable[FileLine]

    def amount(self, sums: Sums) -> "SignedAmount":
        """What it moves on the account of a batch with these sums."""
        if self.payout is not None:
            return SignedAmount(self.payout.gross, not self.payout.is_credit)
        if self.kind == TRANSACTIONS:
            return signed(sums.transactions_net)
        return SignedAmount(sums.event_fees, is_credit=False)


class SignedAmount(NamedTuple):
    """An amount, and which way it goes: a fee is taken, also where it comes to zero."""

    units: int
    is_credit: bool


def signed(units: int) -> SignedAmount:
    """A sum, which is a credit at zero."""
    return SignedAmount(abs(units), units >= 0)


def write_camt(target: BinaryIO, head: FileHead, batches: Iterable[FileBatch]) -> None:
    """Write the statements of a day, one a batch; memory does not grow with their entries."""
    with etree.xmlfile(target, encoding="UTF-8") as trees:
        trees.write_declaration()
        out = XmlOutput(trees, target)
        with trees.element("Document", nsmap={None: NAMESPACE}), trees.element("BkToCstmrStmt"):
            name = text("MsgId", head.name.partition(".")[0][:ID_MAX])
            trees.write(element("GrpHdr", name, text("CreDtTm", _local(head.made))))
            count = 0
            for batch in batches:
                _write_statement(out, batch, head)
                count += 1
            if not count:
                _write_statement(out, NO_BATCH, head)


def _write_statement(out: XmlOutput, batch: FileBatch, head: FileHead) -> None:
    with out.trees.element("Stmt"):
        for part in _statement_head(batch, head):
            out.trees.write(part)
        for (kind, payout), lines in groupby(batch.lines, key=_entry_of):
            entry = StatementEntry(kind, payout, lines)
            _write_entry(out, entry, batch, head)


def _entry_of(line: FileLine) -> tuple[str, FileLine | None]:
    """The name of a line's entry; each payout has one of its own."""
    if line.type == BATCH:
        return PAYOUT, line
    return TRANSACTIONS if line.is_moving else FEES, None


def _statement_head(batch: FileBatch, head: FileHead) -> Iterable[Any]:
    account = element("Othr", text("Id", batch.merchant_number))
    servicer = element("FinInstnId", text("Nm", head.institute))
    closing, opening = _balances(batch)
    yield text("Id", batch.number)
    yield text("ElctrncSeqNb", str(head.number))
    yield text("CreDtTm", _local(head.made))
    yield element("FrToDt", text("FrDtTm", _local(head.after)), text("ToDtTm", _local(head.until)))
    yield element(
        "Acct", element("Id", account), text("Ccy", batch.currency), element("Svcr", servicer)
    )
    yield _balance("OPBD", opening, batch=batch, head=head)
    yield _balance("CLBD", closing, batch=batch, head=head)
    yield _summary(batch, head.error)


def _balances(batch: FileBatch) -> tuple[int, int]:
    """Closing and opening balance: what earlier payouts did not transfer is there at the start."""
    opening = sum(line.signed for line in batch.payouts if line.batch != batch.number)
    paid = sum(line.signed for line in batch.payouts if line.is_success)
    return opening + batch.sums.net - paid, opening


def _balance(code: str, units: int, *, batch: FileBatch, head: FileHead) -> Any:
    return element(
        "Bal",
        element("Tp", element("CdOrPrtry", text("Cd", code))),
        *_amount_and_sign(signed(units), batch.currency),
        element("Dt", text("Dt", head.day.isoformat())),
    )


def _summary(batch: FileBatch, error: int) -> Any:
    """Count and sum of the entries that are booked; `error` falsifies the sum."""
    booked = [each.amount(batch.sums) for each in _booked(batch)]
    credits, debits = (
        [each.units for each in booked if each.is_credit is is_credit]
        for is_credit in (True, False)
    )
    gross, net = sum(credits) + sum(debits), signed(sum(credits) - sum(debits))
    return element(
        "TxsSummry",
        element(
            "TtlNtries",
            *_count_and_sum(len(booked), gross + error, batch.currency),
            element("TtlNetNtry", text("Amt", written(net.units, batch.currency)), sign(net)),
        ),
        element("TtlCdtNtries", *_count_and_sum(len(credits), sum(credits), batch.currency)),
        element("TtlDbtNtries", *_count_and_sum(len(debits), sum(debits), batch.currency)),
    )


def _booked(batch: FileBatch) -> Iterable[StatementEntry]:
    """The entries of a batch that are booked, without their transactions."""
    for kind, count in ((TRANSACTIONS, batch.sums.transactions), (FEES, batch.sums.fee_lines)):
        if count:
            yield StatementEntry(kind, None, ())
    yield from (StatementEntry(PAYOUT, line, ()) for line in batch.payouts if line.is_success)


def _count_and_sum(count: int, units: int, currency: str) -> tuple[Any, Any]:
    return text("NbOfNtries", str(count)), text("Sum", written(units, currency))


def _write_entry(out: XmlOutput, entry: StatementEntry, batch: FileBatch, head: FileHead) -> None:
    with out.trees.element("Ntry"):
        for part in _entry_head(entry, batch, head):
            out.trees.write(part)
        with out.trees.element("NtryDtls"):
            if entry.kind == TRANSACTIONS:
                out.trees.write(_batch_of(batch))
            # Printed past the tree writer, which has to be at the same place for it.
            out.trees.flush()
            for line in entry.lines:
                out.file.write(details_of(line).encode())
        if entry.payout is not None:
            out.trees.write(
                text("AddtlNtryInf", "SUCCESS" if entry.payout.is_success else "FAILED")
            )


def _entry_head(entry: StatementEntry, batch: FileBatch, head: FileHead) -> Iterable[Any]:
    kind, payout = entry.kind, entry.payout
    is_booked = payout is None or payout.is_success
    yield text("NtryRef", kind)
    yield from _amount_and_sign(entry.amount(batch.sums), batch.currency)
    yield element("Sts", text("Cd", "BOOK" if is_booked else "INFO"))
    yield element("BookgDt", text("Dt", head.day.isoformat()))
    yield element("ValDt", text("Dt", head.settlement_date.isoformat()))
    yield text("AcctSvcrRef", batch.number)
    yield element("BkTxCd", _domain(), element("Prtry", text("Cd", kind)))
    if kind == TRANSACTIONS:
        fees = batch.sums.fees
        yield element("Chrgs", in_currency("TtlChrgsAndTaxAmt", fees, batch.currency))


def _batch_of(batch: FileBatch) -> Any:
    net = signed(batch.sums.transactions_net)
    return element(
        "Btch",
        text("NbOfTxs", str(batch.sums.transactions)),
        in_currency("TtlAmt", net.units, batch.currency),
        sign(net),
    )


def _local(at: datetime) -> str:
    return at.replace(tzinfo=None).isoformat(timespec="seconds")


def _domain() -> Any:
    code, family, sub = DOMAINS["card"]
    return element(
        "Domn", text("Cd", code), element("Fmly", text("Cd", family), text("SubFmlyCd", sub))
    )


def element(tag: str, *children: Any) -> Any:
    """An element with children. It has no namespace of its own: it is printed inside of one."""
    made = etree.Element(tag)
    made.extend(children)
    return made


def text(tag: str, value: str) -> Any:
    """An element with text."""
    made = etree.Element(tag)
    made.text = value
    return made


def in_currency(tag: str, units: int, currency: str) -> Any:
    """An amount with its currency as attribute."""
    made = etree.Element(tag, {"Ccy": currency})
    made.text = written(units, currency)
    return made


def _amount_and_sign(amount: SignedAmount, currency: str) -> Iterable[Any]:
    return in_currency("Amt", amount.units, currency), sign(amount)


def sign(amount: SignedAmount) -> Any:
    """CRDT for what comes into the account, DBIT for what leaves it."""
    return text("CdtDbtInd", "CRDT" if amount.is_credit else "DBIT")
