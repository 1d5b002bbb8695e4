"""Decisions about schedules."""

from simulator.grammar.decisions import Decision, Switch, area

SCHEDULES = area(
    "Schedules",
    "Jobs and their expressions, executions, notice periods, and changes.",
    Decision(
        "D-156",
        "The dialect of a job",
        question="How is an expression written, and what does a field mean that is not sent?",
        answer="""
            An expression has seven fields as in Quartz (second to year; the year may be left out)
            with comma, hyphen, `*`, `?`, `/`, L, W, `#` and names. Exactly one of the two day
            fields is `?`. The time zone is UTC. Of single fields that are not sent, second, minute
            and hour are 0 and the others any. An invalid field has the code of that field
            (100.250.121 to .125), invalid combinations 100.250.120, a different number of fields
            100.250.111, a job without timing 100.250.100. In profile `field` the single fields may
            contain what an expression may, and `?` may stand beside the other day field.
        """,
        reason="""
            Error codes and samples of existing gateways point to this dialect. A job "on the 5th"
            that ran in every second of that day would not be what a merchant wants.
        """,
        switch=Switch(
            "job_fields",
            "listed",
            "expression",
            "job.second to job.year: a value, a list or *, or all an expression may say",
        ),
        tests=(
            "simulator/tests/schedules/test_triggers.py",
            "simulator/tests/schedules/test_api_schedules.py",
            "features/plans.feature",
            "features/schedules.feature",
        ),
    ),
    Decision(
        "D-157",
        "Days of the week",
        question="Which day is number 1? Public sources contradict each other.",
        answer="""
            1 is Sunday, as in Quartz and in the text of 100.250.125. L and `#` count in the same
            way. With `D-157=zero`, 0 is Sunday and 7 is refused.
        """,
        reason="The error code is the stronger evidence.",
        switch=Switch(
            "weekday_numbers",
            "quartz",
            "quartz",
            "the number of Sunday: 1, or 0",
            others=("zero",),
        ),
        tests=("simulator/tests/schedules/test_triggers.py", "features/schedules.feature"),
    ),
    Decision(
        "D-158",
        "First and last execution",
        question="Is startDate an execution where the trigger would not fire?",
        answer="""
            Yes, and the trigger counts from it. A startDate in the past is refused. In profile
            `field` the trigger begins to count at startDate, which may be in the past. endDate is
            the last moment of an execution. A job that would never execute is refused with
            100.250.120.
        """,
        reason="""
            The specification calls it "first execution time"; samples of existing gateways send a
            time at which their trigger does not fire.
        """,
        switch=Switch(
            "start_date",
            "execution",
            "trigger",
            "job.startDate: the first execution, or the time from which the trigger counts",
        ),
        tests=(
            "simulator/tests/schedules/test_schedules.py",
            "features/plans.feature",
            "features/schedules.feature",
        ),
    ),
    Decision(
        "D-159",
        "Notice period and minimum duration",
        question="""
            What does descheduling return where the terms do not allow it yet, and when does it take
            effect?
        """,
        answer="""
            It is accepted and takes effect later: when the notice period has passed and the minimum
            duration, counted from the first execution of the chain, is over. With DURATION_END it
            takes effect at the end of the duration or, where the notice comes too late for that, at
            the end of the next one. Until then the plan is active, shows `endsAt` and executes; no
            execution happens at that instant itself. A month after the 31st is the last day of a
            shorter month. A second notice is refused with 100.360.303, an endDate before the end of
            the minimum duration with 100.250.120.
        """,
        reason="""
            A contract under notice continues. A refusal would force the merchant to come back at
            the exact second.
        """,
        tests=(
            "simulator/tests/schedules/test_notice_periods.py",
            "features/plans.feature",
            "features/schedules.feature",
        ),
    ),
    Decision(
        "D-160",
        "Paths and responses of schedules",
        question="Which paths do schedules have, and what do responses contain?",
        answer="""
            `/scheduling/v1/schedules` as at existing gateways, the older `POST /v1/schedules` and
            `DELETE /v1/schedules/{id}`, `DELETE /scheduling/v1/schedules/{id}` for
            `.../deschedule`, and lists by `GET` with the id of a registration in the path or as
            registrationId. paymentType in a request is the type that is executed (PA, DB, CD); in a
            response it is the operation (SD, RS, DS), with `plan`, `job`, `source` SCHEDULER and
            what is echoed. RS creates another schedule: a job that is sent replaces the whole job;
            100.360.300 where the old schedule is not active or is under notice. The channel that
            pays judges it, whichever is named. DS accepts any id of the chain, and its response has
            an id of its own. Secrets are refused, since they would have to be stored. A payment
            does not show its schedule; `plan.lastExecution`, reports by merchantTransactionId and
            SCHEDULE notifications do.
        """,
        reason="What is known of existing gateways, completed.",
        tests=(
            "simulator/tests/schedules/test_api_schedules.py",
            "features/jobs.feature",
            "features/plans.feature",
            "features/schedules.feature",
        ),
    ),
    Decision(
        "D-161",
        "Executions and retries",
        question="What is an execution, and what follows a decline?",
        answer="""
            An execution is a payment with the registration, processed like every payment, with
            source SCHEDULER and standingInstruction RECURRING, REPEATED, MIT, each unless the
            schedule sends its own; the mode is that of recurringType where the schedule sends that,
            which alone says all. A decline that may be temporary (insufficient funds, a limit, the
            acquirer not available) is retried up to five times, every four days, with source
            MACRETRY, but not after job.endDate; the job continues meanwhile and afterwards. A
            payment that is pending at first counts as it ends: `plan.lastExecution` shows that, and
            a decline is retried at the times that are still to come. A soft decline is not retried,
            since there is no shopper to authenticate. The schedule ends at the execution that finds
            its registration or channel missing, and with the last one that expiry and number of its
            series leave (D-125, D-698); any other refusal is shown in `plan.lastExecution`, and the
            job continues. Descheduling and rescheduling end the retries; a schedule that has made
            its last execution can be descheduled while there are any, or while it is pending.
            Executions of one schedule run one after another, and each has the id of its payment
            before it is authorized, so that a power cut never creates a second payment.
        """,
        reason="Public facts: a recovery plan of up to 5 attempts in 20 days.",
        tests=(
            "simulator/tests/schedules/test_executions.py",
            "simulator/tests/schedules/test_pending_executions.py",
            "features/plans.feature",
            "features/schedules.feature",
        ),
    ),
    Decision(
        "D-676",
        "Schedules that could never be paid",
        question="What of a schedule is checked when it is made, beside its job?",
        answer="""
            What would refuse each of its executions: a brand that the channel or the payment type
            does not take (600.200.201, 600.200.310), an expired card (100.100.303), a security code
            that the channel requires of what the shopper initiates (100.100.600), a place in a
            series that no payment could have, an agreement that is missing where the channel
            requires one, that is used up, or whose expiry is before the first execution
            (600.200.501). The same holds where a schedule is replaced. What changes later is found
            by the execution (D-161).
        """,
        reason="""
            An execution that is refused makes no payment, and so no notification: a merchant would
            learn of it only by reading the schedule.
        """,
        tests=("simulator/tests/schedules/test_unpayable.py",),
    ),
    Decision(
        "D-162",
        "Missed executions",
        question="What becomes of executions whose time passed while the server was down?",
        answer="""
            All of them are executed at the next start, in order, each with the time at which it
            runs. Advancing the clock never makes an execution late. With `D-162=latest` one
            execution stands for all that were missed.
        """,
        reason="""
            A sandbox that was stopped overnight owes the same payments as one that was running.
        """,
        switch=Switch(
            "missed_runs",
            "all",
            "all",
            "executions whose time passed while the server was down",
            others=("latest",),
        ),
        tests=("simulator/tests/schedules/test_executions.py",),
    ),
    Decision(
        "D-163",
        "Notifications of schedules",
        question="Which notifications does a schedule send?",
        answer="""
            SCHEDULE notifications (D-80) when a schedule is created, rescheduled and descheduled,
            and for each executed payment, in addition to the notification of that payment. After a
            notice the notification is sent when the notice period ends, not when it begins. A
            schedule that reaches its end has sent its last notification with its last payment.
        """,
        reason="Public facts: created or canceled, and executed payments.",
        setting="It follows D-80.",
        tests=("simulator/tests/schedules/test_api_schedules.py",),
    ),
    Decision(
        "D-663",
        "Most schedules of a registration",
        question="How many schedules may a registration have?",
        answer="""
            1,000, with those that ended or were replaced; one more is refused with 700.500.001, and
            so is a reschedule, which makes one.
        """,
        reason="""
            A list of the schedules of a registration has all of them, as a payment has those that
            refer to it (D-362).
        """,
        tests=("simulator/tests/schedules/test_api_schedules.py",),
    ),
)
