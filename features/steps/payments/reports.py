"""Steps about reports of a merchant's transactions."""

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from pytest_bdd import given, parsers, then, when

from features.spec.companions import Sent
from features.spec.results import is_refusal
from features.steps.payments.payments import earlier_answer
from features.steps.phrases import MONEY, several
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control

QUERY = "v1/query"
PAGES = "v3/query"
# The merchant of a sandbox has only the payments of the scenario.
ALWAYS = {"date.from": "2000-01-01", "date.to": "2099-12-31"}
MEMO = "merchantMemo"
PAGES_MAX = 50
# Members that each answer has of its own.
OF_THE_ANSWER = {"timestamp", "ndc", "buildNumber"}


@given(parsers.re(r'two debits with the reference "(?P<reference>.+)"'), target_fixture="payments")
def debit_twice(merchant: Merchant, reference: str) -> list[Answer]:
    more = {"merchantTransactionId": reference}
    return [merchant.pay_by_card("DB", amount, "EUR", more) for amount in ("10.00", "11.00")]


@given("payments with a reference of their own", target_fixture="payments")
def pay_with_own_reference(
    merchant: Merchant, new_reference: str, datatable: Sequence[Sequence[str]]
) -> list[Answer]:
    more = {"merchantTransactionId": new_reference}
    return [merchant.pay_by_card(kind, amount, "EUR", more) for kind, amount in datatable]


@given("payments of", target_fixture="payments")
def pay_several(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> list[Answer]:
    return [pay_row(merchant, row) for row in rows_of(datatable)]


@given("payments at different times of", target_fixture="payments")
def pay_at_times(
    control: Control, merchant: Merchant, datatable: Sequence[Sequence[str]]
) -> list[Answer]:
    paid = []
    for row in rows_of(datatable):
        control.set_clock(merchant.sandbox, "frozen", at=row.pop("at"))
        paid.append(pay_row(merchant, row))
    return paid


@given(parsers.parse("{count:d} payments of one cent"), target_fixture="payments")
def pay_often(merchant: Merchant, count: int) -> list[Answer]:
    return [merchant.pay_by_card("DB", "0.01", "EUR") for _ in range(count)]


@given(
    parsers.re(rf'an authorized payment of {MONEY} with (?P<name>\S+) "(?P<value>.*)"'),
    target_fixture="payment",
)
def authorize_with_parameter(
    merchant: Merchant, amount: str, currency: str, *, name: str, value: str
) -> Answer:
    return merchant.pay_by_card("PA", amount, currency, {name: value})


@given(parsers.re(rf"a debit of {MONEY} on the channel (?P<channel>\w+)"), target_fixture="payment")
def debit_on_channel(merchant: Merchant, amount: str, currency: str, *, channel: str) -> Answer:
    return merchant.on_channel(channel).pay_by_card("DB", amount, currency)


@when("the merchant requests a report of all days", target_fixture="answer")
def report_all(merchant: Merchant) -> Answer:
    return ask_all_days(merchant)


@when(
    parsers.re(r'the merchant requests a report of all days with (?P<name>\S+) "(?P<value>.*)"'),
    target_fixture="answer",
)
def report_all_with(merchant: Merchant, name: str, value: str) -> Answer:
    return ask_all_days(merchant, **{name: value})


@when("the merchant requests a report of all days with", target_fixture="answer")
def report_all_with_several(merchant: Merchant, datatable: Sequence[Sequence[str]]) -> Answer:
    return ask_all_days(merchant, **several(datatable))


@when(
    parsers.re(
        r'the merchant requests a report in pages of all days with (?P<name>\S+) "(?P<value>.*)"'
    ),
    target_fixture="answer",
)
def report_all_pages(merchant: Merchant, name: str, value: str) -> Answer:
    return merchant.client.get(PAGES, {**ALWAYS, name: value})


@when(
    parsers.re(r'the merchant requests a report by the reference "(?P<reference>[^"]+)" with'),
    target_fixture="answer",
)
def report_by_reference_with(
    merchant: Merchant, reference: str, datatable: Sequence[Sequence[str]]
) -> Answer:
    return merchant.client.get(QUERY, {"merchantTransactionId": reference, **several(datatable)})


@when("the merchant requests a report by that reference with", target_fixture="answer")
def report_by_own_reference(
    merchant: Merchant, new_reference: str, datatable: Sequence[Sequence[str]]
) -> Answer:
    asked = {"merchantTransactionId": new_reference, **several(datatable)}
    return merchant.client.get(QUERY, asked)


@when(
    parsers.re(
        r"the merchant requests a report in pages of (?P<what>it|the payment|the capture) with "
        r'(?P<name>\S+) "(?P<value>\S+)"'
    ),
    target_fixture="answer",
)
def report_one_in_pages(
    request: pytest.FixtureRequest, merchant: Merchant, what: str, name: str, *, value: str
) -> Answer:
    asked = {"includeLinkedTransactions": "true", name: value}
    return merchant.client.get(f"{PAGES}/{earlier_answer(request, what).id}", asked)


@when("the merchant requests a report of all days on the live host", target_fixture="answer")
def report_all_live(live: Merchant) -> Answer:
    return ask_all_days(live)


@when("the other merchant requests a report of all days", target_fixture="answer")
def other_merchant_reports_all(two_merchants: list[Merchant]) -> Answer:
    return ask_all_days(two_merchants[1])


@when("a merchant of another sandbox requests a report of all days", target_fixture="answer")
def foreign_merchant_reports_all(foreign_merchant: Merchant) -> Answer:
    return ask_all_days(foreign_merchant)


@when(
    parsers.re(r'the other merchant requests a report by the reference "(?P<reference>.+)"'),
    target_fixture="answer",
)
def other_merchant_reports_reference(two_merchants: list[Merchant], reference: str) -> Answer:
    return two_merchants[1].client.get(QUERY, {"merchantTransactionId": reference})


@when(
    parsers.re(
        r"the merchant requests a report of (?P<what>it|the payment|the capture) with "
        r'includeLinkedTransactions "(?P<linked>\w+)"'
    ),
    target_fixture="answer",
)
def report_linked(
    request: pytest.FixtureRequest, merchant: Merchant, what: str, linked: str
) -> Answer:
    path = f"{QUERY}/{earlier_answer(request, what).id}"
    return merchant.client.get(path, {"includeLinkedTransactions": linked})


@when("the merchant requests a report of it", target_fixture="answer")
def report_by_id(merchant: Merchant, payment: Answer) -> Answer:
    return merchant.client.get(f"{QUERY}/{payment.id}")


@when(
    parsers.re(r'the merchant requests a report by the reference "(?P<reference>.+)"'),
    target_fixture="answer",
)
def report_by_reference(merchant: Merchant, reference: str) -> Answer:
    return merchant.client.get(QUERY, {"merchantTransactionId": reference})


@when(
    parsers.re(r'the merchant requests a report from "(?P<first>.*)" to "(?P<last>.*)"'),
    target_fixture="answer",
)
def report_by_time_frame(merchant: Merchant, first: str, last: str) -> Answer:
    dates = {"date.from": first, "date.to": last}
    return merchant.client.get(QUERY, {name: date for name, date in dates.items() if date})


@when("the merchant requests a report of the day it was made", target_fixture="answer")
def report_day(merchant: Merchant, payment: Answer) -> Answer:
    day = str(payment.at("timestamp"))[:10]
    return page_with(merchant, payment, {"date.from": day, "date.to": day})


@when("the other merchant requests a report of it", target_fixture="answer")
def other_merchant_reports(two_merchants: list[Merchant], payment: Answer) -> Answer:
    return two_merchants[1].client.get(f"{QUERY}/{payment.id}")


@when("the merchant requests the result codes", target_fixture="answer")
def read_result_codes(merchant: Merchant) -> Answer:
    return merchant.client.get("v1/resultcodes")


@then("the report contains these debits")
def holds_debits(answer: Answer, payments: list[Answer], judge: Judge) -> None:
    listed = answer.at("payments") or []
    missing = {each.id for each in payments} - {each.get("id") for each in listed}
    references = {each.get("merchantTransactionId") for each in listed}
    judge.same(
        "missing debits, and references of the reported ones",
        answer,
        expected=(set(), {payments[0].at("merchantTransactionId")}),
        came=(missing, references),
    )


@then("the report contains the payment")
def holds_payment(answer: Answer, payment: Answer, judge: Judge) -> None:
    came = [each.get("id") for each in answer.at("payments") or []]
    judge.holds(
        "transactions of the report",
        answer,
        payment.id in came,
        expected=f"{payment.id} among them",
        came=f"{len(came)} others",
    )


@then("the other merchant was answered, and the merchant's own report contains the payment")
def own_report_holds(merchant: Merchant, answer: Answer, payment: Answer, judge: Judge) -> None:
    judge.holds(
        "answer to the other merchant", answer, answer.status < 500 and bool(answer.code),
        expected="a result", came=f"status {answer.status}",
    )  # fmt: skip
    report = report_by_id(merchant, payment)
    judge.same("id in the own report", report, expected=payment.id, came=report.id)


@then(parsers.re(r"the report contains (?P<count>\d+) transactions?"), converters={"count": int})
def holds_count(answer: Answer, judge: Judge, count: int) -> None:
    came = len(entries_of(answer, "payments", judge))
    judge.same("number of transactions", answer, expected=count, came=came)


@then("the report finds no transaction")
def finds_none(answer: Answer, judge: Judge) -> None:
    """An unknown reference may be refused, or its list is empty. Choice: D-171."""
    is_refused = answer.status in (400, 404) and is_refusal(answer.code)
    came = [] if is_refused else entries_of(answer, "payments", judge)
    judge.same("transactions found", answer, expected=[], came=[each.get("id") for each in came])


@then(parsers.parse("the report contains {count:d} records"))
def holds_record_count(answer: Answer, judge: Judge, count: int) -> None:
    came = len(entries_of(answer, "records", judge))
    judge.same("number of records", answer, expected=count, came=came)


@then(parsers.re(r"the report has (?P<count>\d+) pages?"), converters={"count": int})
def has_pages(answer: Answer, judge: Judge, count: int) -> None:
    judge.same("pages of the report", answer, expected=count, came=answer.at("pages"))


@then(parsers.re(r'the report contains the amounts "(?P<amounts>.*)"'))
def holds_amounts(answer: Answer, judge: Judge, amounts: str) -> None:
    came = [each.get("amount") for each in entries_of(answer, "payments", judge)]
    judge.same("amounts of the report", answer, expected=amounts.split(), came=came)


@then(parsers.re(r'the pages contain the amounts "(?P<amounts>.*)"'))
def pages_hold_amounts(answer: Answer, judge: Judge, amounts: str) -> None:
    came = [each.get("amount") for each in entries_of(answer, "records", judge)]
    judge.same("amounts of the records", answer, expected=amounts.split(), came=came)


@then("the report shows of it what its response showed")
def shows_what_was_answered(answer: Answer, payment: Answer, judge: Judge) -> None:
    listed = {each.get("id"): each for each in answer.at("payments") or [answer.body]}
    expected = {name: each for name, each in payment.body.items() if name not in OF_THE_ANSWER}
    found = listed.get(payment.id) or {}
    came = {name: found.get(name) for name in expected}
    judge.same("members of the response", answer, expected=expected, came=came)


@then("a payment shows no merchantMemo")
def shows_no_memo(payment: Answer, judge: Judge) -> None:
    judge.same("merchantMemo of the payment", payment, expected=None, came=payment.at(MEMO))


@then("every result code has its form and a description")
def codes_have_form(answer: Answer, judge: Judge) -> None:
    listed = answer.at("resultCodes") or []
    wrong = [each for each in listed if not (is_code(each.get("code")) and each["description"])]
    judge.holds(
        "result codes",
        answer,
        bool(listed) and not wrong,
        expected="a list of codes of 2 to 11 digits and dots, each with a description",
        came=f"{len(listed)} codes, wrong: {wrong[:3]}",
    )


def entries_of(answer: Answer, name: str, judge: Judge) -> list[Mapping[str, Any]]:
    """What a report lists; of what is no report nothing can be said."""
    found = answer.at(name)
    judge.holds(
        f"{name} of the report", answer, answer.status < 400 and isinstance(found, list),
        expected="a list", came=f"status {answer.status}, {type(found).__name__}",
    )  # fmt: skip
    return list(found)


def rows_of(datatable: Sequence[Sequence[str]]) -> list[dict[str, str]]:
    """The rows of a table whose first row has the names of its columns."""
    names, *rows = datatable
    return [dict(zip(names, row, strict=True)) for row in rows]


def pay_row(merchant: Merchant, row: Sent) -> Answer:
    """The response to a debit with the parameters of a row."""
    more = {name: value for name, value in row.items() if name != "amount"}
    return merchant.pay_by_card("DB", row["amount"], "EUR", more)


def ask_all_days(merchant: Merchant, **more: str) -> Answer:
    """The report of all days on which a sandbox of a scenario may have payments."""
    return merchant.client.get(QUERY, {**ALWAYS, **more})


def page_with(merchant: Merchant, payment: Answer, dates: Mapping[str, str]) -> Answer:
    """The page of a report that contains the payment, or the last page requested.

    A merchant who has no sandbox of its own has other payments of that day.
    """
    answer = merchant.client.get(QUERY, dates)
    for number in range(2, PAGES_MAX + 1):
        listed = [each.get("id") for each in answer.at("payments") or []]
        if not listed or payment.id in listed:
            break
        answer = merchant.client.get(QUERY, {**dates, "pageNo": str(number)})
    return answer


def is_code(code: object) -> bool:
    """Whether it has the format of a result code."""
    text = str(code)
    return 2 <= len(text) <= 11 and set(text) <= set("0123456789.")


@then(parsers.parse("the report is refused, naming {name}"))
def refused_for(answer: Answer, judge: Judge, name: str) -> None:
    errors = [each.get("name") for each in answer.at("result.parameterErrors") or []]
    judge.holds(
        "refusal of the report",
        answer,
        answer.status == 400 and is_refusal(answer.code) and name in errors,
        expected=f"400 and an error about {name}",
        came=f"status {answer.status}, {answer.code}, errors about {errors}",
    )
