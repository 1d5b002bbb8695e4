"""Reporting, scheduled jobs, chargebacks: what is asked besides payments."""

from simulator.grammar.formats import (
    choice_of,
    date,
    day_or_timestamp,
    digits,
    listed_times,
    matching,
    switched,
    text,
    timestamp,
)
from simulator.grammar.parameters import OPTIONAL, REQUIRED, Param, table
from simulator.grammar.relations import not_together, required, required_where, together, under

# One value, a comma-separated list, or *. Days of the week count from 0 or from 1: choice D-157.
YEAR = listed_times("[0-9]{4}", "one value, comma-separated list, or *", "0000 to 9999")
MONTH = listed_times("(?:0[1-9]|1[0-2])", "2-digit values, comma list, or *", "01 to 12")
DAY = listed_times("(?:0[1-9]|[12][0-9]|3[01])", "2-digit values, comma list, or *", "01 to 31")
COUNTED = "1 to 7, or 0 to 6 with D-157=zero"
WEEKDAY = listed_times("[0-7]", "single-digit values, comma list, or *", COUNTED)
HOUR = listed_times("(?:[01][0-9]|2[0-3])", "2-digit values, comma list, or *", "00 to 23")
SIXTY = listed_times("[0-5][0-9]", "2-digit values, comma list, or *", "00 to 59")
CRON = text(255, notation="cron-style trigger expression")
UNIT = choice_of("YEAR", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND")
NUMBER = digits(1, 9, notation="number")
CALLABLE = choice_of("ANYTIME", "DURATION_END")
# Clients of the field name the second as well. Choice: D-172.
DATE = switched(date(), "report_dates", day_or_timestamp())
REASON = matching(
    "000.100.2 followed by two digits",
    "chargeback reason",
    r"000\.100\.2[0-9]{2}",
    lengths=(11, 11),
)

# fmt: off
REPORTING = table("Reporting request", (
    Param("date.from", DATE, REQUIRED),
    Param("date.to",   DATE, REQUIRED),
))

JOBS = table("Scheduled payment jobs", (
    Param("job.name",           text(64),    OPTIONAL),
    Param("job.year",           YEAR,        OPTIONAL, "* means unbounded", origin="D-53"),
    Param("job.month",          MONTH,       OPTIONAL, origin="D-53"),
    Param("job.dayOfMonth",     DAY,         OPTIONAL,
          "do not send together with dayOfWeek", origin="D-53"),
    Param("job.dayOfWeek",      WEEKDAY,     OPTIONAL,
          "do not send together with dayOfMonth", origin="D-53"),
    Param("job.hour",           HOUR,        OPTIONAL, origin="D-53"),
    Param("job.minute",         SIXTY,       OPTIONAL, origin="D-53"),
    Param("job.second",         SIXTY,       OPTIONAL, origin="D-53"),
    Param("job.startDate",      timestamp(), OPTIONAL, "first execution time"),
    Param("job.endDate",        timestamp(), OPTIONAL, "end time"),
    Param("job.noticeUnit",     UNIT,        OPTIONAL, "unit of noticeNumber"),
    Param("job.noticeNumber",   NUMBER,      OPTIONAL,
          "notice period for descheduling before the duration ends", origin="D-53"),
    Param("job.noticeCallable", CALLABLE,    OPTIONAL, "when the notice may be given"),
    Param("job.durationUnit",   UNIT,        OPTIONAL, "unit of durationNumber"),
    Param("job.durationNumber", NUMBER,      OPTIONAL,
          "minimum duration of the job", origin="D-53"),
    Param("job.expression",     CRON,        OPTIONAL,
          "when present, it overrides year, month, dayOfMonth, dayOfWeek, hour, minute and "
          "second", origin="D-53"),
))

CHARGEBACK = table("Chargeback back-office parameter", (
    Param("chargebackResultCode", REASON, OPTIONAL),
))

REPORTING_RELATIONS = (
    required("REP-01", "date.from", unless="merchantTransactionId"),
    under("report_end", required("REP-01", "date.to", unless="merchantTransactionId")),
)
JOB_RELATIONS = (
    not_together(
        "JOB-02", "job.dayOfMonth", "job.dayOfWeek",
        unless=("job.dayOfMonth", "job.dayOfWeek"), unless_in=("?",),
    ),
    together("JOB-04", "job.noticeUnit", "job.noticeNumber"),
    together("JOB-04", "job.durationUnit", "job.durationNumber"),
    required_where(
        "JOB-04", "job.durationNumber", ("job.noticeCallable", ("DURATION_END",)),
        says="may not be empty: a notice to the end of the duration requires one",
    ),
)
# fmt: on
