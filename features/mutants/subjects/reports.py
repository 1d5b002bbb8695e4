"""Faults of reports, risk checks and schedules: what is told later, and charged later."""

from dataclasses import replace

from features.mutants.changes import among, as_success, changing, forgiving, with_members
from features.mutants.mutant import fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer

REPORT = "v1/query"


@fault(
    "SVC-21",
    "END-10",
    caught_by=(
        "A report of the day of a payment",
        "A report by the merchant's own reference",
    ),
)
def reports_one_payment_less(asked: Asked, sound: Sound) -> Answer:
    """The newest payment of a day is not in the report of it."""
    answer = sound.answer(asked)
    if not asked.place.startswith(REPORT):
        return answer
    return changing(answer, "payments", lambda payments: payments[:-1])


@fault("REP-01", caught_by=("Both days of a time frame are needed, as yyyy-MM-dd",))
def reports_without_an_end(asked: Asked, sound: Sound) -> Answer:
    """A report of a time frame needs no end of it."""
    return forgiving(sound.answer(asked), "date.")


@fault("REP-01", caught_by=("A time frame in which nothing happened",))
def reports_every_day(asked: Asked, sound: Sound) -> Answer:
    """A report shows everything, whatever the time frame."""
    query = asked.path.replace("2001-01", "2030-12") if asked.place == REPORT else asked.path
    query = query.replace("date.from=2030-12-01", "date.from=2001-01-01")
    return sound.answer(replace(asked, path=query))


@fault("PAY-10", caught_by=("The memo of the merchant appears in a report only",))
def reports_no_memo(asked: Asked, sound: Sound) -> Answer:
    """What the merchant noted for itself is in no report."""
    answer = sound.answer(asked)
    reports = asked.place.startswith(REPORT)
    return with_members(answer, merchantMemo=None) if reports else answer


@fault("SVC-17", "RISK-05", caught_by=("A payment tells its score",))
def tells_no_score(asked: Asked, sound: Sound) -> Answer:
    """A payment does not say how risky it was."""
    return with_members(sound.answer(asked), risk=None)


@fault("RISK-05", caught_by=("A risk check alone tells the score",))
def scores_with_decimals(asked: Asked, sound: Sound) -> Answer:
    """A score has decimals."""
    return changing(sound.answer(asked), "risk.score", lambda score: f"{score}.5")


@fault("RISK-02", caught_by=("What the check judges is risk.amount",))
def checks_another_amount(asked: Asked, sound: Sound) -> Answer:
    """The amount of the payment is checked, whatever the merchant would have checked."""
    return sound.answer(asked.sending(risk__amount=""))


@fault("RISK-03", caught_by=("The time is that of the request unless the merchant names another",))
def checks_another_time(asked: Asked, sound: Sound) -> Answer:
    """The time of the request is checked, whatever the merchant would have checked."""
    return sound.answer(asked.sending(risk__orderTimestamp=""))


@fault("RISK-04", caught_by=("The brand is paymentBrand unless the merchant names another",))
def checks_another_brand(asked: Asked, sound: Sound) -> Answer:
    """The brand that pays is checked, whatever the merchant would have checked."""
    return sound.answer(asked.sending(risk__brand=""))


@fault("RISK-05", caught_by=("A payment that the risk system denies is declined",))
def takes_what_risk_denies(asked: Asked, sound: Sound) -> Answer:
    """A payment that the risk system denies is charged."""
    answer = sound.answer(asked)
    denied = answer.code.startswith(("100.400.", "100.380.1"))
    return as_success(answer) if denied else answer


@fault("JOB-01", caught_by=("A field of a job takes one value, a list or any",))
def charges_the_first_of_a_list(asked: Asked, sound: Sound) -> Answer:
    """Of a list of days the first is charged."""
    day = asked.sent.get("job.dayOfMonth", "").partition(",")[0]
    return sound.answer(asked.sending(job__dayOfMonth=day))


@fault("JOB-01", caught_by=("A field of a job in any other form is refused",))
def takes_any_hour(asked: Asked, sound: Sound) -> Answer:
    """A job may have any hour."""
    return forgiving(sound.answer(asked), "job.hour")


@fault("JOB-01", caught_by=("The time of a day is second, minute and hour in UTC",))
def charges_at_midnight(asked: Asked, sound: Sound) -> Answer:
    """A job is executed when its day begins, whatever the hour."""
    return sound.answer(asked.sending(job__hour="", job__minute="", job__second=""))


@fault("JOB-02", caught_by=("A day of the month and a day of the week are not sent together",))
def takes_two_days_at_once(asked: Asked, sound: Sound) -> Answer:
    """A day of the month and a day of the week stand side by side."""
    return forgiving(sound.answer(asked), "job.dayOfWeek", when="job.dayOfMonth" in asked.sent)


@fault("JOB-03", caught_by=("The start date is the first execution",))
def begins_at_once(asked: Asked, sound: Sound) -> Answer:
    """A job begins when it is made, whatever its start date."""
    return sound.answer(asked.sending(job__startDate=""))


@fault("JOB-03", caught_by=("The end date is the last moment of an execution",))
def never_ends(asked: Asked, sound: Sound) -> Answer:
    """A job goes on after its end date."""
    return sound.answer(asked.sending(job__endDate=""))


@fault("JOB-04", caught_by=("A minimum duration is kept though the job is descheduled",))
def keeps_no_duration(asked: Asked, sound: Sound) -> Answer:
    """A job that is descheduled ends at once, whatever its minimum duration."""
    return sound.answer(asked.sending(job__durationNumber="", job__durationUnit=""))


@fault("JOB-04", caught_by=("Executions go on during a notice period",))
def keeps_no_notice(asked: Asked, sound: Sound) -> Answer:
    """A job that is descheduled ends at once, whatever its notice period."""
    names = {"job.noticeNumber": "", "job.noticeUnit": "", "job.noticeCallable": ""}
    alone = "job.durationNumber" not in asked.sent
    return sound.answer(asked.with_sent(names) if alone else asked)


@fault("JOB-05", caught_by=("An expression overrides the single fields",))
def prefers_single_fields(asked: Asked, sound: Sound) -> Answer:
    """The single fields of a job override its expression."""
    both = "job.dayOfMonth" in asked.sent
    return sound.answer(asked.sending(job__expression="") if both else asked)


@fault("SVC-20", caught_by=("A year of a monthly job is executed month by month, each once",))
def charges_a_schedule_twice(asked: Asked, sound: Sound) -> Answer:
    """Every execution of a schedule is two payments."""
    answer = sound.answer(asked)
    if not asked.place.startswith(REPORT):
        return answer
    return changing(answer, "payments", lambda all_: [each for one in all_ for each in (one, one)])


@fault("END-10", caught_by=("A rescheduled plan charges the new amount at the old times",))
def charges_the_old_amount(asked: Asked, sound: Sound) -> Answer:
    """A schedule that was changed goes on with the old amount."""
    changed = asked.place.endswith("/reschedule")
    return sound.answer(asked.sending(amount="9.99") if changed else asked)


@fault("END-10", caught_by=("A schedule is read, and listed with its card",))
def finds_no_schedules(asked: Asked, sound: Sound) -> Answer:
    """The schedules of a card are not listed."""
    return among(sound.answer(asked), "schedules", lambda _: None)
