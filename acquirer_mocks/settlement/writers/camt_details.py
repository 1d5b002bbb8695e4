"""The transactions inside an entry of a camt.053 statement, printed.

A tree for each of a million transactions would take minutes; the parts around them are trees. What
comes from outside is escaped, and the schema judges the whole in the tests.
"""

import re
from html import escape

from acquirer_mocks.settlement.fx import decimal_text, written
from acquirer_mocks.settlement.lines import BATCH, FileLine

RATE_DECIMALS = 6
END_TO_END_MAX = 35
REASON_MAX = 105
NOT_PROVIDED = "NOTPROVIDED"
DOMAINS = {"card": ("PMNT", "MCRD", "POSP"), "bank": ("PMNT", "RDDT", "ESDD")}
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def details_of(line: FileLine) -> str:
    """One TxDtls: its parts in the order of the schema."""
    # The money of a payout leaves this account: its sign is the other way round.
    is_credit = line.is_credit is not (line.type == BATCH)
    return _element(
        "TxDtls",
        _references(line),
        _in_currency("Amt", line.gross, line.settlement_currency),
        _sign(is_credit),
        _amounts(line),
        _code(line),
        _charges(line) if line.is_moving else "",
        f"<RltdDts><IntrBkSttlmDt>{line.settlement_date.isoformat()}</IntrBkSttlmDt></RltdDts>",
        _reason(line) if line.reason else "",
        _card(line) if line.brand or line.last4 else "",
        "<AddtlTxInf>PART</AddtlTxInf>" if line.is_part else "",
    )


def without_controls(value: str) -> str:
    """A text in which what XML does not allow is a question mark."""
    return NOT_IN_XML.sub("?", value)


def _element(tag: str, *children: str) -> str:
    return f"<{tag}>{''.join(children)}</{tag}>"


def _text(tag: str, value: str) -> str:
    return f"<{tag}>{escape(without_controls(value), quote=False)}</{tag}>"


def _in_currency(tag: str, units: int, currency: str) -> str:
    return f'<{tag} Ccy="{currency}">{written(units, currency)}</{tag}>'


def _sign(is_credit: bool) -> str:
    """Which way money goes: said of what it is, since an amount of zero has no sign."""
    return f"<CdtDbtInd>{'CRDT' if is_credit else 'DBIT'}</CdtDbtInd>"


def _code(line: FileLine) -> str:
    code, family, sub = DOMAINS[line.account]
    return (
        f"<BkTxCd><Domn><Cd>{code}</Cd><Fmly><Cd>{family}</Cd><SubFmlyCd>{sub}</SubFmlyCd></Fmly>"
        f"</Domn><Prtry><Cd>{line.type}</Cd></Prtry></BkTxCd>"
    )


def _references(line: FileLine) -> str:
    sent = line.merchant_transaction_id
    parts = [f"<AcctSvcrRef>{line.id}</AcctSvcrRef>"]
    if line.type != BATCH:
        fits = 0 < len(sent) <= END_TO_END_MAX
        parts.append(_text("EndToEndId", sent if fits else NOT_PROVIDED))
    if line.payment:
        parts.append(_text("TxId", line.payment))
    named = (
        ("RRN", line.reference),
        ("AUTH", line.auth_code),
        ("ARN", line.acquirer_reference),
        ("MODE", line.entry_mode),
        ("BATCH", line.batch),
    )
    parts += [
        f"<Prtry><Tp>{name}</Tp>{_text('Ref', value)}</Prtry>" for name, value in named if value
    ]
    return _element("Refs", *parts)


def _amounts(line: FileLine) -> str:
    source, target = line.currency, line.settlement_currency
    exchange = ""
    if source != target:
        exchange = (
            f"<CcyXchg><SrcCcy>{source}</SrcCcy><TrgtCcy>{target}</TrgtCcy>"
            f"<UnitCcy>{source}</UnitCcy>"
            f"<XchgRate>{decimal_text(line.rate, RATE_DECIMALS)}</XchgRate></CcyXchg>"
        )
    amount = _in_currency("Amt", line.amount, source)
    return f"<AmtDtls><TxAmt>{amount}{exchange}</TxAmt></AmtDtls>"


def _charges(line: FileLine) -> str:
    currency = line.settlement_currency
    records = [
        # A charge is taken: a debit. Interchange that comes back is a credit.
        f"<Rcrd>{_in_currency('Amt', abs(units), currency)}{_sign(units < 0)}"
        f"<Tp><Prtry><Id>{name}</Id></Prtry></Tp></Rcrd>"
        for name, units in zip(("INTERCHANGE", "SCHEME", "MARKUP"), line.fee, strict=True)
        if units
    ]
    return _element("Chrgs", _in_currency("TtlChrgsAndTaxAmt", line.fee.total, currency), *records)


def _reason(line: FileLine) -> str:
    words = _text("AddtlInf", line.reason_text[:REASON_MAX]) if line.reason_text else ""
    return f"<RtrInf><Rsn>{_text('Prtry', line.reason)}</Rsn>{words}</RtrInf>"


def _card(line: FileLine) -> str:
    """Brand and last four digits: the schema has no place for a masked number but this one."""
    brand = f"<CardBrnd>{_text('Id', line.brand)}</CardBrnd>" if line.brand else ""
    last4 = _text("AddtlCardData", f"****{line.last4}") if line.last4 else ""
    return f"<CardTx><Card>{brand}{last4}</Card></CardTx>"
