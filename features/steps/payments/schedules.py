"""Steps about schedules, by which a stored card is charged repeatedly."""

import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from pytest_bdd import given, parsers, then, when

from features.spec.results import is_success
from features.steps.phrases import MONEY
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Control

SCHEDULES = "scheduling/v1/schedules"
OLD_SCHEDULES = "v1/schedules"
REFERENCE = "subscription-4711"
# In tables it stands for the year of the sandbox clock.
THIS_YEAR = "YYYY"
NEVER = "never"
# As many digits as a card number has are masked wherever they stand.
NO_DIGITS = str.maketrans("0123456789", "ghijklmnop")
# An execution may be reported a little later than it is due.
LATE_S_MAX = 5.0

Job = Mapping[str, str]
Chain = list[Answer]


@given("the sandbox clock is frozen at the start of a year", target_fixture="year")
def freeze_at_start_of_year(control: Control, merchant: Merchant) -> int:
    """The next year of the sandbox clock, which is frozen at its first moment."""
    now = datetime.fromisoformat(str(control.clock(merchant.sandbox)["now"]))
    control.set_clock(merchant.sandbox, "frozen", at=f"{now.year + 1}-01-01T00:00:00Z")
    return now.year + 1


@given(
    parsers.parse("the sandbox clock is frozen at the start of the year {year:d}"),
    target_fixture="year",
)
def freeze_at_start_of(control: Control, merchant: Merchant, year: int) -> int:
    """For what depends on days of the week and on leap years."""
    control.set_clock(merchant.sandbox, "frozen", at=f"{year}-01-01T00:00:00Z")
    return year


@pytest.fixture
def year() -> int:
    """The current year, where no clock is set."""
    return datetime.now(UTC).year


@pytest.fixture
def new_reference() -> str:
    """A reference that no other schedule has, even where a merchant is not new."""
    return f"subscription-{uuid4().hex.translate(NO_DIGITS)}"


@given("a card stored for a subscription", target_fixture="card")
def store_card(merchant: Merchant) -> Answer:
    return merchant.pay_by_card("DB", "1.00", "EUR", {"createRegistration": "true"})


@given(
    parsers.re(r'a card stored for a subscription under the reference "(?P<reference>.+)"'),
    target_fixture="card",
)
def store_card_under_reference(merchant: Merchant, reference: str) -> Answer:
    more = {"createRegistration": "true", "merchantTransactionId": reference}
    return merchant.pay_by_card("DB", "1.00", "EUR", more)


@given(parsers.re(rf"a schedule of {MONEY} with"), target_fixture="schedule")
def schedule_before(
    merchant: Merchant,
    card: Answer,
    year: int,
    *,
    amount: str,
    currency: str,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    return schedule(merchant, card, amount, currency, job=job_in(datatable, year))


@given(parsers.re(rf"a schedule of {MONEY} for one minute with"), target_fixture="schedule")
def schedule_for_a_minute(
    merchant: Merchant,
    card: Answer,
    new_reference: str,
    *,
    amount: str,
    currency: str,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    now = datetime.now(UTC)
    end = f"{now + timedelta(minutes=1):%Y-%m-%d %H:%M:%S}"
    tomorrow = f"{now + timedelta(days=1):%Y-%m-%d %H:%M:%S}"
    job = {
        name: value.replace("TOMORROW", tomorrow).replace("THIS", f"{now.year}")
        for name, value in datatable
    }
    bounds = {} if "job.startDate" in job else {"job.endDate": end}
    sent = {"merchantTransactionId": new_reference, **bounds, **job}
    return schedule(merchant, card, amount, currency, job=sent)


@given(parsers.re(rf"it is rescheduled to {MONEY}"), target_fixture="chain")
def reschedule_before(merchant: Merchant, schedule: Answer, amount: str, currency: str) -> Chain:
    return [schedule, reschedule(merchant, schedule, amount, currency)]


@given(parsers.re(rf"it is rescheduled to {MONEY} with"), target_fixture="rescheduling")
@when(parsers.re(rf"the merchant reschedules it to {MONEY} with"), target_fixture="answer")
def reschedule_to_times(
    merchant: Merchant,
    schedule: Answer,
    year: int,
    *,
    amount: str,
    currency: str,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    return reschedule(merchant, schedule, amount, currency, job=job_in(datatable, year))


@given(parsers.re(rf"it is rescheduled again to {MONEY}"), target_fixture="chain")
def reschedule_again(merchant: Merchant, chain: Chain, amount: str, currency: str) -> Chain:
    return [*chain, reschedule(merchant, chain[-1], amount, currency)]


@given("the card is deleted")
def delete_card(merchant: Merchant, card: Answer) -> None:
    merchant.client.delete(f"v1/registrations/{registration_of(card)}")


@given("it is descheduled", target_fixture="descheduling")
@when("the merchant deschedules it", target_fixture="answer")
def deschedule_it(merchant: Merchant, schedule: Answer) -> Answer:
    return deschedule(merchant, schedule)


@when(parsers.re(rf"the merchant schedules {MONEY} with"), target_fixture="answer")
def schedule_with_table(
    merchant: Merchant,
    card: Answer,
    year: int,
    *,
    amount: str,
    currency: str,
    datatable: Sequence[Sequence[str]],
) -> Answer:
    return schedule(merchant, card, amount, currency, job=job_in(datatable, year))


@when(
    parsers.re(rf"the merchant schedules {MONEY} with (?P<name>\S+) \"(?P<value>.*)\""),
    target_fixture="answer",
)
def schedule_with_parameter(
    merchant: Merchant, card: Answer, amount: str, currency: str, *, name: str, value: str
) -> Answer:
    return schedule(merchant, card, amount, currency, job={name: value})


@when(parsers.re(rf"the merchant schedules {MONEY} without (?P<name>\S+)"), target_fixture="answer")
def schedule_without(
    merchant: Merchant, card: Answer, year: int, amount: str, *, currency: str, name: str
) -> Answer:
    sent = schedule_parameters(card, amount, currency, {"job.year": str(year)})
    del sent[name]
    return merchant.client.post(SCHEDULES, sent)


@when(parsers.re(rf"the merchant schedules {MONEY} under the older path"), target_fixture="answer")
def schedule_under_older_path(
    merchant: Merchant, card: Answer, amount: str, currency: str
) -> Answer:
    sent = schedule_parameters(card, amount, currency, {"job.dayOfMonth": "05"})
    return merchant.client.post(OLD_SCHEDULES, sent)


@when(parsers.re(rf"the merchant reschedules it to {MONEY}"), target_fixture="answer")
def reschedule_it(merchant: Merchant, schedule: Answer, amount: str, currency: str) -> Answer:
    return reschedule(merchant, schedule, amount, currency)


@when("the merchant deschedules the first schedule", target_fixture="answer")
def deschedule_first(merchant: Merchant, chain: Chain) -> Answer:
    return deschedule(merchant, chain[0])


@when("the merchant reads the schedule", target_fixture="answer")
def read_schedule(merchant: Merchant, schedule: Answer) -> Answer:
    return merchant.client.get(f"{SCHEDULES}/{schedule.id}")


@when("the merchant reads an unknown schedule", target_fixture="answer")
def read_unknown(merchant: Merchant) -> Answer:
    return merchant.client.get(f"{SCHEDULES}/{'8a' * 16}")


@when("the merchant lists the schedules of the card", target_fixture="answer")
def list_schedules(merchant: Merchant, card: Answer) -> Answer:
    return merchant.client.get(f"{SCHEDULES}/{registration_of(card)}")


@then(parsers.re(r"the plan has made (?P<count>\d+) executions?"), converters={"count": int})
def plan_has_made(answer: Answer, judge: Judge, count: int) -> None:
    judge.same("plan.executions", answer, expected=count, came=answer.at("plan.executions"))


@then(parsers.re(r"the plan (?P<whether>continues|ends) on (?P<day>\d\d-\d\d)"))
def plan_goes_on(answer: Answer, judge: Judge, whether: str, day: str) -> None:
    member = "plan.endsAt" if whether == "ends" else "plan.nextExecution"
    came = str(answer.at(member) or NEVER)
    judge.same(f"month and day of {member}", answer, expected=day, came=came[5:10])


@then("the schedule is accepted")
def is_accepted(answer: Answer, judge: Judge) -> None:
    accepted = answer.status == 200 and is_success(answer.code)
    judge.holds(
        "the schedule", answer, accepted, expected="200 and a success", came=str(answer.status)
    )


@then(parsers.re(r"the card was charged on (?P<days>\S.*)"))
def charged_on(merchant: Merchant, judge: Judge, days: str) -> None:
    expected = [] if days == NEVER else days.split(" ")
    report = charges(merchant)
    judge.same("days of the charges", report, expected=expected, came=days_in(report))


@then(parsers.re(r"the card was charged at (?P<times>\S.*)"))
def charged_at(merchant: Merchant, judge: Judge, times: str) -> None:
    report = charges(merchant)
    judge.same("times of the charges", report, expected=times.split(" "), came=times_in(report))


@then(parsers.parse("the card was charged {count:d} times"))
def charged_times(merchant: Merchant, judge: Judge, count: int) -> None:
    report = charges(merchant)
    judge.same("charges", report, expected=count, came=len(payments_in(report)))


@then(parsers.re(r"the schedule has (?P<whether>charged|not charged) the card"))
def has_charged(merchant: Merchant, new_reference: str, judge: Judge, whether: str) -> None:
    expected, until = whether == "charged", time.monotonic() + LATE_S_MAX
    report = charges(merchant, new_reference)
    while expected and not payments_in(report) and time.monotonic() < until:
        time.sleep(0.1)
        report = charges(merchant, new_reference)
    judge.same("whether it has", report, expected=expected, came=bool(payments_in(report)))


@then(parsers.re(rf"the newest charge was {MONEY}"))
def newest_charge(merchant: Merchant, judge: Judge, amount: str, currency: str) -> None:
    report = charges(merchant)
    newest = payments_in(report)[-1]
    came = (newest.get("amount"), newest.get("currency"))
    judge.same("newest charge", report, expected=(amount, currency), came=came)


@then(parsers.re(r'the newest charge shows (?P<path>\S+) "(?P<value>.*)"'))
def newest_charge_shows(merchant: Merchant, judge: Judge, path: str, value: str) -> None:
    report = charges(merchant)
    newest = Answer(200, {}, payments_in(report)[-1])
    judge.same(path, newest, expected=value, came=newest.at(path) or "none")


@then(parsers.re(r"(?P<count>\d+) schedules? (is|are) listed"))
def are_listed(answer: Answer, judge: Judge, count: str) -> None:
    judge.same("schedules", answer, expected=int(count), came=len(answer.at("schedules") or []))


@then(parsers.parse("the plan is {standing}"))
def plan_is(answer: Answer, judge: Judge, standing: str) -> None:
    judge.same("plan.active", answer, expected=standing == "active", came=answer.at("plan.active"))


def schedule(merchant: Merchant, card: Answer, amount: str, currency: str, *, job: Job) -> Answer:
    """The response to a new schedule of a stored card."""
    return merchant.client.post(SCHEDULES, schedule_parameters(card, amount, currency, job))


def registration_of(card: Answer) -> str:
    """The id of the registration of a stored card."""
    return str(card.at("registrationId") or "")


def schedule_parameters(card: Answer, amount: str, currency: str, job: Job) -> dict[str, str]:
    """The parameters of a schedule that debits a stored card; `job` may name another type."""
    return {
        "registrationId": registration_of(card),
        "paymentType": "DB",
        "amount": amount,
        "currency": currency,
        "merchantTransactionId": REFERENCE,
        **job,
    }


def reschedule(
    merchant: Merchant,
    schedule: Answer,
    amount: str,
    currency: str,
    *,
    job: Job | None = None,
) -> Answer:
    """The response to a change of the amount, and of the times where `job` has others."""
    sent = {"amount": amount, "currency": currency, **(job or {})}
    return merchant.client.post(f"{SCHEDULES}/{schedule.id}/reschedule", sent)


def deschedule(merchant: Merchant, schedule: Answer) -> Answer:
    """The response to a cancellation."""
    return merchant.client.post(f"{SCHEDULES}/{schedule.id}/deschedule", {})


def job_in(datatable: Sequence[Sequence[str]], year: int) -> dict[str, str]:
    """The parameters of a table, with the year filled in."""
    return {name: value.replace(THIS_YEAR, str(year)) for name, value in datatable}


def charges(merchant: Merchant, reference: str = REFERENCE) -> Answer:
    """A report of the charges of schedules, oldest first."""
    return merchant.client.get("v1/query", {"merchantTransactionId": reference, "limit": "500"})


def payments_in(report: Answer) -> list[Mapping[str, str]]:
    """The payments of a report."""
    return report.at("payments") or []


def days_in(report: Answer) -> list[str]:
    """Month and day of each payment: 01-05."""
    return [each["timestamp"][5:10] for each in payments_in(report)]


def times_in(report: Answer) -> list[str]:
    """The time of each payment: 07:43:33."""
    return [each["timestamp"][11:19] for each in payments_in(report)]
