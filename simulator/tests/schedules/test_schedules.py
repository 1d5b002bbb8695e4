"""Schedules: their first and last execution, their chains, and who sees them."""

import pytest
from msgspec.structs import replace

from simulator.domain.core.errors import Refusal, UnknownReferenceError
from simulator.domain.core.records import PaymentSource
from simulator.domain.schedules.schedules import Execution, ScheduleState
from simulator.service.schedules.schedules import (
    create_schedule,
    deschedule,
    list_schedules,
    read_schedule,
    reschedule,
)
from simulator.tests.kit.making import CARD, FITTING, new_ids
from simulator.tests.kit.shops import MONTHLY, Shop, code_of

PLACE = ("type", "mode", "source")


def test_a_year_of_a_monthly_job_is_made_in_order_each_month_once() -> None:
    shop = Shop()
    schedule = shop.schedule()
    shop.go("2027-11-20 12:00:00")
    months = [f"{payment.created_at:%Y-%m-%d %H:%M:%S}" for payment in shop.payments]
    assert months == sorted(months)
    assert months == [
        f"{2026 + (11 + n) // 12}-{(11 + n) % 12 + 1:02}-05 00:00:00" for n in range(12)
    ]
    assert shop.read(schedule).executions == 12
    assert list(shop.store.between(Execution, "due", "", "9999")) == []


def test_a_payment_of_a_schedule_says_where_it_comes_from() -> None:
    shop = Shop()
    schedule = shop.schedule(**{"customParameters[shelf]": "B4"})
    shop.go("2026-12-05 00:00:00")
    (payment,) = shop.payments
    assert payment.source is PaymentSource.SCHEDULER
    assert payment.schedule == schedule.id
    assert payment.registration == shop.registration
    assert payment.sent["merchantTransactionId"] == "subscription-7"
    assert payment.sent["customParameters[shelf]"] == "B4"
    assert not any(name.startswith("job.") for name in payment.sent)
    placed = {name.partition(".")[2]: payment.sent[name] for name in payment.sent if "Ins" in name}
    assert placed == {"type": "RECURRING", "mode": "REPEATED", "source": "MIT"}
    assert shop.acquirer.asks[-1].number == CARD["card.number"]


def test_what_a_merchant_says_of_the_series_is_kept_as_it_is() -> None:
    shop = Shop()
    shop.schedule(recurringType="REPEATED")
    shop.go("2026-12-05 00:00:00")
    (payment,) = shop.payments
    assert "standingInstruction.mode" not in payment.sent
    assert payment.sent["recurringType"] == "REPEATED"


@pytest.mark.parametrize(
    ("sent", "place"),
    [
        ({"type": "INSTALLMENT"}, ("INSTALLMENT", "REPEATED", "MIT")),
        ({"type": "UNSCHEDULED"}, ("UNSCHEDULED", "REPEATED", "MIT")),
        ({"mode": "INITIAL"}, ("RECURRING", "INITIAL", "MIT")),
        ({"source": "CIT"}, ("RECURRING", "REPEATED", "CIT")),
        ({"type": "INSTALLMENT", "source": "MIT"}, ("INSTALLMENT", "REPEATED", "MIT")),
        ({"expiry": "2034-01-01"}, ("RECURRING", "REPEATED", "MIT")),
    ],
)
def test_what_a_schedule_does_not_say_of_its_series_is_filled_in(
    sent: dict, place: tuple[str, ...]
) -> None:
    shop = Shop()
    shop.schedule(**{f"standingInstruction.{name}": value for name, value in sent.items()})
    shop.go("2026-12-05 00:00:00")
    (payment,) = shop.payments
    assert tuple(payment.sent.get(f"standingInstruction.{each}") for each in PLACE) == place


@pytest.mark.parametrize("mode", ["INITIAL", "REPEATED"])
def test_an_older_mode_is_not_contradicted(mode: str) -> None:
    shop = Shop()
    shop.schedule(**{"recurringType": mode, "standingInstruction.type": "INSTALLMENT"})
    shop.go("2026-12-05 00:00:00")
    (payment,) = shop.payments
    assert [payment.sent[f"standingInstruction.{each}"] for each in PLACE] == [
        "INSTALLMENT", mode, "MIT",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["PA", "DB", "CD"])
def test_a_schedule_executes_the_type_it_names(kind: str) -> None:
    shop = Shop()
    shop.schedule(paymentType=kind)
    shop.go("2026-12-05 00:00:00")
    assert [payment.type for payment in shop.payments] == [kind]


def test_no_secret_is_kept_with_a_schedule() -> None:
    shop = Shop()
    sent = {**MONTHLY, "card.cvv": "987", "registrationId": shop.registration}
    schedule = create_schedule(shop.context, sent, new_ids(shop.context))
    assert "card.cvv" not in shop.read(schedule).sent


# First and last execution


def test_the_start_date_is_the_first_execution_whatever_the_trigger_says() -> None:
    shop = Shop()
    shop.schedule(job__startDate="2026-11-25 10:30:00")
    shop.go("2027-01-31 00:00:00")
    assert shop.days == ["2026-11-25", "2026-12-05", "2027-01-05"]


def test_in_profile_field_the_trigger_begins_to_count_at_the_start_date() -> None:
    shop = Shop(profile="field")
    shop.schedule(job__startDate="2026-12-05 00:00:00")
    shop.schedule(job__startDate="2020-01-01 00:00:00", job__endDate="2026-12-31 00:00:00")
    shop.go("2027-01-31 00:00:00")
    assert shop.days == ["2026-12-05", "2026-12-05", "2027-01-05"]


def test_the_end_date_is_the_last_moment_of_an_execution() -> None:
    shop = Shop()
    schedule = shop.schedule(job__endDate="2027-01-05 00:00:00")
    shop.go("2027-06-01 00:00:00")
    assert shop.days == ["2026-12-05", "2027-01-05"]
    assert shop.read(schedule).state is ScheduleState.ENDED
    earlier = Shop()
    earlier.schedule(job__endDate="2027-01-04 23:59:59")
    earlier.go("2027-06-01 00:00:00")
    assert earlier.days == ["2026-12-05"]


def test_a_list_of_years_comes_to_its_end() -> None:
    shop = Shop()
    schedule = shop.schedule(job__year="2026,2027", job__month="12")
    shop.go("2029-01-01 00:00:00")
    assert shop.days == ["2026-12-05", "2027-12-05"]
    assert not shop.read(schedule).is_active


@pytest.mark.parametrize(
    ("job", "code"),
    [
        ({"job.startDate": "2026-11-20 11:59:58"}, "100.250.120"),
        ({"job.startDate": "0001-01-01 00:00:00"}, "100.250.120"),
        ({"job.endDate": "2026-12-04 23:59:59"}, "100.250.120"),
        ({"job.year": "2025"}, "100.250.120"),
        ({"job.month": "02", "job.dayOfMonth": "30"}, "100.250.120"),
        ({"job.expression": "nonsense"}, "100.250.111"),
        ({"job.expression": "0 0 25 1 * ?"}, "100.250.121"),
        ({"amount": "0.00"}, "100.550.300"),
        ({"registrationId": "8" * 32}, "100.150.200"),
    ],
)
def test_a_job_that_could_do_nothing_is_refused_and_leaves_no_trace(job: dict, code: str) -> None:
    shop = Shop()
    before = len(shop.store.units)
    with pytest.raises(Refusal) as refused:
        shop.schedule({**MONTHLY, **job})
    assert code_of(refused) == code
    assert len(shop.store.units) == before


@pytest.mark.parametrize(("kept", "code"), [((), "100.250.250"), (("job.name",), "100.250.100")])
def test_a_schedule_without_timing_is_refused(kept: tuple, code: str) -> None:
    sent = {name: value for name, value in MONTHLY.items() if not name.startswith("job.")}
    with pytest.raises(Refusal) as refused:
        Shop().schedule({**sent, **dict.fromkeys(kept, "gym")})
    assert code_of(refused) == code


# Chains


def test_a_rescheduled_plan_takes_the_place_of_the_old_one() -> None:
    shop = Shop()
    old = shop.schedule()
    shop.go("2026-12-31 00:00:00")
    new = shop.reschedule(old, amount="19.99", currency="EUR")
    shop.go("2027-01-31 00:00:00")
    assert [str(payment.moved.amount) for payment in shop.payments] == ["9.99", "19.99"]
    assert [payment.schedule for payment in shop.payments] == [old.id, new.id]
    assert shop.read(old).state is ScheduleState.REPLACED
    assert shop.read(new).is_active
    assert shop.read(new).replaces == old.id


def test_another_job_replaces_the_whole_job() -> None:
    shop = Shop()
    old = shop.schedule(job__endDate="2026-12-31 00:00:00")
    new = shop.reschedule(old, job__dayOfMonth="20")
    shop.go("2027-02-28 00:00:00")
    assert shop.days == ["2026-12-20", "2027-01-20", "2027-02-20"]
    assert "job.endDate" not in shop.read(new).sent


def test_a_replaced_plan_cannot_be_rescheduled_again() -> None:
    shop = Shop()
    old = shop.schedule()
    shop.reschedule(old, amount="19.99", currency="EUR")
    with pytest.raises(Refusal) as refused:
        shop.reschedule(old, amount="29.99", currency="EUR")
    assert code_of(refused) == "100.360.300"


@pytest.mark.parametrize("which", [0, 1, 2])
def test_any_id_of_a_chain_ends_everything(which: int) -> None:
    shop = Shop()
    chain = [shop.schedule()]
    for amount in ("19.99", "29.99"):
        chain.append(shop.reschedule(chain[-1], amount=amount, currency="EUR"))
    shop.deschedule(chain[which])
    shop.go("2027-12-31 00:00:00")
    assert shop.days == []
    assert not any(shop.read(each).is_active for each in chain)
    with pytest.raises(Refusal) as refused:
        shop.deschedule(chain[0])
    assert code_of(refused) == "100.360.303"


def test_schedules_of_a_registration_are_listed_oldest_first() -> None:
    shop = Shop()
    made = [shop.schedule(), shop.schedule(job__dayOfMonth="06")]
    assert [each.id for each in list_schedules(shop.context, shop.registration)] == [
        each.id for each in made
    ]
    listed = read_schedule(shop.context, shop.registration)
    assert [each.id for each in listed] == [each.id for each in made]


def test_no_caller_sees_the_schedules_of_another_merchant_or_host() -> None:
    shop = Shop()
    schedule = shop.schedule()
    other_merchant = replace(shop.context, stamp=replace(shop.context.stamp, merchant="9" * 32))
    elsewhere = replace(shop.context, host="live")
    for context in (other_merchant, elsewhere):
        for call in (
            lambda context: read_schedule(context, schedule.id),
            lambda context: reschedule(context, schedule.id, {}, new_ids(context), check=FITTING),
            lambda context: deschedule(context, schedule.id, new_ids(context)),
        ):
            with pytest.raises(UnknownReferenceError):
                call(context)
        with pytest.raises(Refusal, match=r"100\.150\.200"):
            list_schedules(context, shop.registration)
