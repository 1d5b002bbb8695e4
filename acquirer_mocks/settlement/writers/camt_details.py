"""The transactions inside an entry of a camt.053 statement, and the elements they are made of."""

import re
from typing import Any

from lxml import etree

from acquirer_mocks.settlement.fx import decimal_text, written
from acquirer_mocks.settlement.lines import BATCH, FileLine

RATE_DECIMALS = 6
END_TO_END_MAX = 35
NOT_PROVIDED = "NOTPROVIDED"
DOMAINS = {"card": ("PMNT", "MCRD", "POSP"), "bank": ("PMNT", "RDDT", "ESDD")}
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def details_of(line: FileLine) -> Any:
    """One TxDtls: its parts in the order of the schema."""
    currency = line.settlement_currency
    # The money of a payout leaves this account: its sign is the other way round.
    units = -line.signed if line.type == BATCH else line.signed
    parts = [
        _references(line),
        in_currency("Amt", line.gross, currency),
        sign(units),
        _amounts(line),
        element("BkTxCd", domain(line.account), element("Prtry", text("Cd", line.type))),
        *_charges(line),
        element("RltdDts", text("IntrBkSttlmDt", line.settlement_date.isoformat())),
        *_reason(line),
        *_card(line),
    ]
    if line.is_part:
        parts.append(text("AddtlTxInf", "PART"))
    return element("TxDtls", *parts)


def element(tag: str, *children: Any) -> Any:
    """An element with children. It has no namespace of its own: it is printed inside of one."""
    made = etree.Element(tag)
    made.extend(children)
    return made


def text(tag: str, value: str) -> Any:
    """An element with text; what XML does not allow becomes a question mark."""
    made = etree.Element(tag)
    made.text = NOT_IN_XML.sub("?", value)
    return made


def in_currency(tag: str, units: int, currency: str) -> Any:
    """An amount with its currency as attribute."""
    made = etree.Element(tag, {"Ccy": currency})
    made.text = written(units, currency)
    return made


def sign(units: int) -> Any:
    """CRDT for zero and above, DBIT below."""
    return text("CdtDbtInd", "CRDT" if units >= 0 else "DBIT")


def domain(account: str) -> Any:
    """The bank's code of a transaction with a card or a bank account."""
    code, family, sub = DOMAINS[account]
    return element(
        "Domn", text("Cd", code), element("Fmly", text("Cd", family), text("SubFmlyCd", sub))
    )


def _references(line: FileLine) -> Any:
    sent = line.merchant_transaction_id
    parts = [text("AcctSvcrRef", line.id)]
    if line.type != BATCH:
        fits = 0 < len(sent) <= END_TO_END_MAX
        parts.append(text("EndToEndId", sent if fits else NOT_PROVIDED))
    if line.payment:
        parts.append(text("TxId", line.payment))
    named = (
        ("RRN", line.reference),
        ("AUTH", line.auth_code),
        ("ARN", line.acquirer_reference),
        ("MODE", line.entry_mode),
        ("BATCH", line.batch),
    )
    for name, value in named:
        if value:
            parts.append(element("Prtry", text("Tp", name), text("Ref", value)))
    return element("Refs", *parts)


def _amounts(line: FileLine) -> Any:
    parts = [in_currency("Amt", line.amount, line.currency)]
    if line.currency != line.settlement_currency:
        parts.append(
            element(
                "CcyXchg",
                text("SrcCcy", line.currency),
                text("TrgtCcy", line.settlement_currency),
                text("UnitCcy", line.currency),
                text("XchgRate", decimal_text(line.rate, RATE_DECIMALS)),
            )
        )
    return element("AmtDtls", element("TxAmt", *parts))


def _charges(line: FileLine) -> list[Any]:
    if not line.is_moving:
        return []
    currency = line.settlement_currency
    records = [
        element(
            "Rcrd",
            in_currency("Amt", abs(units), currency),
            # A charge is taken: a debit. Interchange that comes back is a credit.
            sign(-units),
            element("Tp", element("Prtry", text("Id", name.upper()))),
        )
        for name, units in line.fee._asdict().items()
        if units
    ]
    total = in_currency("TtlChrgsAndTaxAmt", line.fee.total, currency)
    return [element("Chrgs", total, *records)]


def _reason(line: FileLine) -> list[Any]:
    if not line.reason:
        return []
    return [
        element(
            "RtrInf",
            element("Rsn", text("Prtry", line.reason)),
            *([text("AddtlInf", line.reason_text[:105])] if line.reason_text else ()),
        )
    ]


def _card(line: FileLine) -> list[Any]:
    """Brand and last four digits: the schema has no place for a masked number but this one."""
    parts = []
    if line.brand:
        parts.append(element("CardBrnd", text("Id", line.brand)))
    if line.last4:
        parts.append(text("AddtlCardData", f"****{line.last4}"))
    return [element("CardTx", element("Card", *parts))] if parts else []
