"""Steps about reports of settlement: what the API says of the bank days that a file is about."""

from decimal import Decimal
from typing import Any

from pytest_bdd import parsers, then, when

from features.reconciling.rules import CurrencySums
from features.support.assertions import NO_ANSWER, Judge
from features.support.settlement import SettledMerchant
from simulator.client import Answer

SUMS = "reports/v1/reconciliations/aggregations"
PAGES = "reports/v2/reconciliations/aggregations"
UNKNOWN = "8a" * 16


@when("the merchant reads the records of an unknown settlement", target_fixture="answer")
def read_unknown(settled: SettledMerchant) -> Answer:
    return settled.merchant.client.get(f"{SUMS}/{UNKNOWN}")


@then("the API reports nothing of it to the other merchant")
def reports_nothing_elsewhere(settled: SettledMerchant, judge: Judge) -> None:
    assert settled.other is not None, "the scenario is given two merchants"
    (shown,) = sums_of(settled)
    client = settled.other.client
    day = {"date.from": "2000-01-01", "date.to": "2099-12-31"}
    came = client.get(SUMS, day)
    judge.same("settlements", came, expected=[], came=rows_of(came, "aggregations", judge))
    for path in (SUMS, PAGES):
        answer = client.get(f"{path}/{shown['id']}")
        judge.same(f"status of {path}", answer, expected=404, came=answer.status)


@then("the API reports the sums of the file")
def reports_sums(settled: SettledMerchant, judge: Judge) -> None:
    total = CurrencySums()
    for line in settled.records:
        total = total.with_record(line)
    (shown,) = sums_of(settled)
    judge.same("net of the settlement", NO_ANSWER, expected=total.net, came=Decimal(shown["net"]))


@then("the API reports the records of the file, all at once and in pages")
def reports_records(settled: SettledMerchant, judge: Judge) -> None:
    (shown,) = sums_of(settled)
    expected = sorted(line["UniqueID"] for line in settled.records)
    for path, more in ((SUMS, {}), (PAGES, {"pageNo": "1"})):
        answer = settled.merchant.client.get(f"{path}/{shown['id']}", more)
        came = sorted(
            str((each.get("payment") or {}).get("id", ""))
            for each in rows_of(answer, "records", judge)
        )
        judge.same(f"ids of the records of {path}", answer, expected=expected, came=came)
    judge.same("pages", answer, expected=1, came=answer.at("pages"))


@then("the API reports the records in the order that is asked for")
def reports_order(settled: SettledMerchant, judge: Judge) -> None:
    (shown,) = sums_of(settled)
    file = [line["SettlementTxId"] for line in settled.records]
    for order, expected in (("", file), ("ASC", file), ("DESC", file[::-1])):
        more = {"sortOrder": order} if order else {}
        answer = settled.merchant.client.get(f"{SUMS}/{shown['id']}", more)
        records = rows_of(answer, "records", judge)
        came = [(each.get("settlement") or {}).get("id") for each in records]
        judge.same(f"records in the order {order or 'of the file'}", answer, expected=expected,
                   came=came)  # fmt: skip


@then(parsers.re(r'the API reports its (?P<path>[\w.]+) "(?P<value>.*)"'))
def reports_of_record(
    settled: SettledMerchant, moved: Answer, judge: Judge, *, path: str, value: str
) -> None:
    (shown,) = sums_of(settled)
    answer = settled.merchant.client.get(f"{SUMS}/{shown['id']}")
    found = [Answer(200, {}, each) for each in rows_of(answer, "records", judge)]
    came = {each.at(path) for each in found if each.at("payment.id") == moved.id}
    judge.same(f"{path} of its records", answer, expected={value}, came=came)


@then(parsers.re(r"the API reports (?P<count>\d+) records? of the type (?P<kind>[A-Z ]+)"))
def reports_type(settled: SettledMerchant, judge: Judge, count: str, kind: str) -> None:
    (shown,) = sums_of(settled)
    asked = {"reconciliationType": kind, "pageNo": "1"}
    answer = settled.merchant.client.get(f"{PAGES}/{shown['id']}", asked)
    came = [each.get("recordType") for each in rows_of(answer, "records", judge)]
    judge.same("types of the records", answer, expected=[kind] * int(count), came=came)


@then(
    parsers.re(
        r"the API reports (?P<count>\d+) settlements? from (?P<first>\S+) to (?P<last>\S+)"
        r"(?: in (?P<currency>[A-Z]{3}))?"
    )
)
def reports_days(
    settled: SettledMerchant, judge: Judge, *, count: str, first: str, last: str,
    currency: str | None,
) -> None:  # fmt: skip
    asked = {"date.from": first, "date.to": last} | ({"currency": currency} if currency else {})
    answer = settled.merchant.client.get(SUMS, asked)
    came = len(rows_of(answer, "aggregations", judge))
    judge.same("settlements", answer, expected=int(count), came=came)


def rows_of(answer: Answer, name: str, judge: Judge) -> list[dict[str, Any]]:
    """The rows of a report, which may have none; an error is no report."""
    judge.same("status", answer, expected=200, came=answer.status)
    return list(answer.at(name) or [])


def sums_of(settled: SettledMerchant) -> list[dict[str, Any]]:
    """What the API reports of the days of the file."""
    days = sorted({line["SettlementDate"] for line in settled.records})
    asked = {"date.from": days[0], "date.to": days[-1]}
    return list(settled.merchant.client.get(SUMS, asked).at("aggregations") or [])
