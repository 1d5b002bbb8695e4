"""Mutants of settlement: what is wrong in the file that a merchant fetches."""

import csv
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from io import StringIO

from features.mutants.changes import replace_members
from features.mutants.mutant import FILES, mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

Row = dict[str, str]
Change = Callable[[Row], Row | None]
TIME, TIME_FORM = "TxRequestTime", "%Y-%m-%d %H:%M:%S"
BERLIN_IN_SUMMER = timedelta(hours=2)


def change_text(answer: Answer, change: Callable[[str], str]) -> Answer:
    """The same file with its text changed."""
    assert isinstance(answer.body, bytes), "a file is bytes"
    return replace(answer, body=change(answer.body.decode("utf-8")).encode("utf-8"))


def change_rows(answer: Answer, change: Change) -> Answer:
    """The same file with each line changed; None removes one."""

    def changed(text: str) -> str:
        rows = csv.DictReader(StringIO(text, newline=""), delimiter=";")
        written = StringIO(newline="")
        writer = csv.DictWriter(
            written, rows.fieldnames or (), delimiter=";", lineterminator="\r\n"
        )
        writer.writeheader()
        writer.writerows(filter(None, map(change, rows)))
        return written.getvalue()

    return change_text(answer, changed)


@mutant(
    "SVC-23",
    killed_by=("A bank day is delivered as a file that the merchant fetches",),
    interfaces=("control",),
)
def settles_without_files(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A bank day is said to be settled, and nothing is delivered."""
    is_run = request.method == "POST" and request.path.endswith("/settlements")
    if not is_run:
        return original.forward(request)
    return replace_members(original.forward(replace(request, method="GET", body=b"")), runs=[])


@mutant("RCN-01", killed_by=("The columns of the file",), interfaces=FILES)
def swaps_two_columns(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Amount and currency are swapped."""
    names = "Amount;Currency", "Currency;Amount"
    return change_text(original.forward(request), lambda text: text.replace(*names, 1))


@mutant("RCN-01", killed_by=("The columns of the file",), interfaces=FILES)
def corrects_a_column(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The misspelt name of a column is corrected."""
    names = "ClearingInsitituteName", "ClearingInstituteName"
    return change_text(original.forward(request), lambda text: text.replace(*names, 1))


@mutant("RCN-02", killed_by=("A movement of money becomes a record",), interfaces=FILES)
def writes_directions_as_words(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The direction of the money is CREDIT or DEBIT."""
    words = {"POS": "CREDIT", "NEG": "DEBIT"}
    return change_rows(
        original.forward(request), lambda row: {**row, "Cashflow": words[row["Cashflow"]]}
    )


@mutant("RCN-02", killed_by=("A movement of money becomes a record",), interfaces=FILES)
def earns_refunds(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refund is money that comes in."""
    return change_rows(
        original.forward(request),
        lambda row: {**row, "Cashflow": "POS"} if row["PaymentType"] == "REFUND" else row,
    )


@mutant("RCN-03", killed_by=("Every type of record is in the file",), interfaces=FILES)
def settles_chargeback_reversals(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A chargeback that was reversed is a record like any other payment."""
    return change_rows(
        original.forward(request),
        lambda row: (
            {**row, "ReconciliationType": "SETTLED"}
            if row["ReconciliationType"] == "CHARGEBACK REVERSAL"
            else row
        ),
    )


@mutant(
    "RCN-04",
    killed_by=("A file without times of orders has the time it was parsed",),
    interfaces=FILES,
)
def leaves_times_empty(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Where the institute's file has no time of the order, there is none."""
    return change_rows(original.forward(request), lambda row: {**row, TIME: ""})


@mutant("RCN-05", killed_by=("A line names the payment it is matched with",), interfaces=FILES)
def matches_nothing(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A matched line does not say with which payment."""
    return change_rows(original.forward(request), lambda row: {**row, "MatchedTransactions": ""})


@mutant("RCN-05", killed_by=("A line without a reference of the gateway",), interfaces=FILES)
def takes_the_first_match(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Of several payments that fit a line the first one is taken."""

    def changed(row: Row) -> Row:
        first, between, _ = row["MatchedTransactions"].partition(",")
        matched = {"MatchingStatus": "MATCHED", "MatchedTransactions": first}
        return {**row, **matched} if between else row

    return change_rows(original.forward(request), changed)


@mutant("RCN-06", killed_by=("A chargeback that the gateway knows is named",), interfaces=FILES)
def makes_chargebacks_anew(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A chargeback that was reported before gets another id in the file."""
    return change_rows(
        original.forward(request),
        lambda row: {**row, "ChargebackId": "f" * 32} if row["ChargebackId"] else row,
    )


@mutant(
    "RCN-06",
    killed_by=("A chargeback that comes by a file is made of the payment",),
    interfaces=FILES,
)
def names_the_payment_as_chargeback(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The id of a chargeback is that of the payment."""
    return change_rows(
        original.forward(request),
        lambda row: {**row, "ChargebackId": row["UniqueID"]} if row["ChargebackId"] else row,
    )


@mutant("RCN-07", killed_by=("The reason of a chargeback",), interfaces=FILES)
def gives_every_line_a_reason(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every line has a reason."""
    reason = {"ReasonCode": "000.100.200", "ReasonDesc": "chargeback without a stated reason"}
    return change_rows(original.forward(request), lambda row: {**row, **reason})


@mutant("RCN-07", killed_by=("The reason of a chargeback",), interfaces=FILES)
def gives_no_reason(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A chargeback has no reason."""
    return change_rows(
        original.forward(request), lambda row: {**row, "ReasonCode": "", "ReasonDesc": ""}
    )


@mutant(
    "RCN-08",
    killed_by=("Lines less their fees are paid out and posted to the ledger",),
    interfaces=FILES,
)
def hides_fees(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A line does not show its fee, which is not paid out."""
    return change_rows(original.forward(request), lambda row: {**row, "SettlementFee": ""})


@mutant(
    "RCN-08",
    killed_by=("Lines less their fees are paid out and posted to the ledger",),
    interfaces=FILES,
)
def writes_amounts_without_cents(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An amount has one decimal."""
    return change_rows(original.forward(request), lambda row: {**row, "Amount": row["Amount"][:-1]})


@mutant("RCN-09", killed_by=("Times are those of the institute's zone",), interfaces=FILES)
def writes_times_of_another_zone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Times of orders are two hours early, as if those of Berlin were written in UTC."""

    def changed(row: Row) -> Row:
        time = datetime.strptime(row[TIME], TIME_FORM)  # noqa: DTZ007
        return {**row, TIME: (time - BERLIN_IN_SUMMER).strftime(TIME_FORM)}

    return change_rows(original.forward(request), changed)


@mutant("RCN-10", killed_by=("Every required column is filled in every record",), interfaces=FILES)
def leaves_rates_empty(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A line whose currency is that of the settlement has no rate."""
    return change_rows(original.forward(request), lambda row: {**row, "SettlementFxRate": ""})


@mutant("RCN-11", killed_by=("The account of the payer",), interfaces=FILES)
def hides_holders(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A line does not name the holder of the account."""
    return change_rows(original.forward(request), lambda row: {**row, "AccountHolder": ""})


@mutant("RCN-11", killed_by=("The account of the payer",), interfaces=FILES)
def hides_bank_codes(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A line of a bank account does not name the bank."""
    return change_rows(original.forward(request), lambda row: {**row, "BankCode": ""})
