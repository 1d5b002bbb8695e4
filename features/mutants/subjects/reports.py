"""Mutants of reports, risk checks and schedules."""

from dataclasses import replace

from features.mutants.changes import (
    accept_parameters,
    change_at,
    change_entries,
    claim_success,
    replace_members,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

REPORT = "v1/query"


@mutant(
    "SVC-21",
    "END-10",
    killed_by=(
        "A report of the day of a payment",
        "A report by the merchant's own reference",
    ),
)
def reports_one_payment_less(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The newest payment is missing in a report."""
    answer = original.forward(request)
    if not request.path.startswith(REPORT):
        return answer
    return change_at(answer, "payments", lambda payments: payments[:-1])


@mutant("REP-01", killed_by=("A time frame requires both days as yyyy-MM-dd",))
def reports_without_an_end(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report of a time frame needs no end date."""
    return accept_parameters(original.forward(request), "date.")


@mutant("REP-01", killed_by=("A report of a time frame without payments is empty",))
def reports_every_day(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report ignores its time frame."""
    query = (
        request.target.replace("2001-01", "2030-12") if request.path == REPORT else request.target
    )
    query = query.replace("date.from=2030-12-01", "date.from=2001-01-01")
    return original.forward(replace(request, target=query))


@mutant("PAY-10", killed_by=("The merchant's memo is shown in reports only",))
def reports_no_memo(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report does not show the merchant's memo."""
    answer = original.forward(request)
    reports = request.path.startswith(REPORT)
    return replace_members(answer, merchantMemo=None) if reports else answer


@mutant("SVC-17", "RISK-05", killed_by=("A payment shows its risk score",))
def hides_the_risk_score(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment does not show its risk score."""
    return replace_members(original.forward(request), risk=None)


@mutant("RISK-05", killed_by=("A risk check without a payment shows the risk score",))
def scores_with_decimals(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A score has decimals."""
    return change_at(original.forward(request), "risk.score", lambda score: f"{score}.5")


@mutant("RISK-02", killed_by=("A risk check uses risk.amount",))
def checks_another_amount(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The risk check ignores risk.amount."""
    return original.forward(request.change(risk__amount=""))


@mutant(
    "RISK-03", killed_by=("A risk check uses risk.orderTimestamp, else the time of the request",)
)
def checks_another_time(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The risk check ignores risk.orderTimestamp."""
    return original.forward(request.change(risk__orderTimestamp=""))


@mutant("RISK-04", killed_by=("A risk check uses risk.brand, else paymentBrand",))
def checks_another_brand(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The risk check ignores risk.brand."""
    return original.forward(request.change(risk__brand=""))


@mutant("RISK-05", killed_by=("A payment that the risk system denies is declined",))
def takes_what_risk_denies(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that the risk system denies is charged."""
    answer = original.forward(request)
    denied = answer.code.startswith(("100.400.", "100.380.1"))
    return claim_success(answer) if denied else answer


@mutant("JOB-01", killed_by=("A field of a job is a value, a list or any value",))
def charges_the_first_of_a_list(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A job runs on the first day of a list only."""
    day = request.parameters.get("job.dayOfMonth", "").partition(",")[0]
    return original.forward(request.change(job__dayOfMonth=day))


@mutant("JOB-01", killed_by=("A malformed field of a job is refused",))
def takes_any_hour(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A job may have any hour."""
    return accept_parameters(original.forward(request), "job.hour")


@mutant("JOB-01", killed_by=("The time of a day is second, minute and hour in UTC",))
def charges_at_midnight(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A job runs at midnight, whatever its hour."""
    return original.forward(request.change(job__hour="", job__minute="", job__second=""))


@mutant("JOB-02", killed_by=("A day of the month and a day of the week are not sent together",))
def takes_two_days_at_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A day of the month and a day of the week may be sent together."""
    return accept_parameters(
        original.forward(request), "job.dayOfWeek", when="job.dayOfMonth" in request.parameters
    )


@mutant("JOB-03", killed_by=("The start date is the first execution",))
def begins_at_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A job ignores its start date."""
    return original.forward(request.change(job__startDate=""))


@mutant("JOB-03", killed_by=("The end date is the last moment of an execution",))
def never_ends(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A job ignores its end date."""
    return original.forward(request.change(job__endDate=""))


@mutant("JOB-04", killed_by=("A minimum duration is kept though the job is descheduled",))
def keeps_no_duration(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A descheduled job ignores its minimum duration."""
    return original.forward(request.change(job__durationNumber="", job__durationUnit=""))


@mutant("JOB-04", killed_by=("Executions go on during a notice period",))
def keeps_no_notice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A descheduled job ignores its notice period."""
    names = {"job.noticeNumber": "", "job.noticeUnit": "", "job.noticeCallable": ""}
    alone = "job.durationNumber" not in request.parameters
    return original.forward(request.change_parameters(names) if alone else request)


@mutant("JOB-05", killed_by=("An expression overrides the single fields",))
def prefers_single_fields(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The single fields of a job override its expression."""
    both = "job.dayOfMonth" in request.parameters
    return original.forward(request.change(job__expression="") if both else request)


@mutant("SVC-20", killed_by=("A monthly job is executed once a month for a year",))
def charges_a_schedule_twice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report shows every execution of a schedule twice."""
    answer = original.forward(request)
    if not request.path.startswith(REPORT):
        return answer
    return change_at(answer, "payments", lambda all_: [each for one in all_ for each in (one, one)])


@mutant("END-10", killed_by=("A rescheduled plan charges the new amount at the old times",))
def charges_the_old_amount(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A rescheduled plan charges the old amount."""
    changed = request.path.endswith("/reschedule")
    return original.forward(request.change(amount="9.99") if changed else request)


@mutant("END-10", killed_by=("A schedule is read, and listed with its card",))
def finds_no_schedules(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The schedules of a card are not listed."""
    return change_entries(original.forward(request), "schedules", lambda _: None)
