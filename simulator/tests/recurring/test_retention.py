"""How long a registration is kept."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Outcome
from simulator.domain.registrations import months_after, retention_end
from simulator.service.registrations import extend_life, read_registration, remove_registration
from simulator.service.sandboxes.due_work import next_due, run_due
from simulator.tests.kit.making import DECLINED, NOON, Answering, a_context, new_ids
from simulator.tests.kit.stored import charged, refusal_of, registered, registered_account
from simulator.tests.kit.twins import HandClock


@pytest.mark.parametrize(
    ("instant", "months", "after"),
    [
        ("2026-01-31", 1, "2026-02-28"),
        ("2027-12-31", 2, "2028-02-29"),
        ("2026-11-20", 14, "2028-01-20"),
        ("2026-10-31", 14, "2027-12-31"),
    ],
)
def test_months_end_on_a_day_there_is(instant: str, months: int, after: str) -> None:
    assert months_after(datetime.fromisoformat(instant), months) == datetime.fromisoformat(after)


@given(st.datetimes(max_value=datetime(9000, 1, 1)), st.integers(0, 60), st.integers(0, 60))
def test_months_never_run_backwards(instant: datetime, months: int, more: int) -> None:
    earlier, later = months_after(instant, months), months_after(instant, months + more)
    assert instant <= earlier <= later
    assert earlier.day <= instant.day


def test_a_card_is_kept_14_months_beyond_its_expiry_and_not_longer() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    made = registered(context)
    assert made.due == next_due(context.ports) == datetime(2035, 8, 1, tzinfo=UTC)
    clock.advance(made.due - clock.now() - timedelta(seconds=1))
    assert run_due(context.ports) == 0
    clock.advance(timedelta(seconds=1))
    assert run_due(context.ports) == 1
    assert refusal_of(charged, context, made.id) == "100.150.202"
    assert refusal_of(extend_life, context, made.id, {}, new_ids(context)) == "100.150.206"
    assert next_due(context.ports) is None


def test_any_other_account_is_kept_14_months_after_its_last_use() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    made = registered_account(context)
    assert made.due == months_after(NOON, 14)
    clock.advance(timedelta(days=300))
    charged(context, made.id)
    assert read_registration(context, made.id).due == months_after(NOON + timedelta(days=300), 14)


def test_a_declined_payment_is_no_use() -> None:
    context = a_context(acquirer=Answering(Outcome(code="000.100.110"), DECLINED))
    made = registered_account(context)
    charged(context, made.id)
    assert read_registration(context, made.id) == made


def test_life_is_extended_by_24_months_once() -> None:
    context = a_context()
    made = registered(context)
    kept, outcome = extend_life(context, made.id, {}, new_ids(context))
    assert kept.due == datetime(2037, 8, 1, tzinfo=UTC)
    assert outcome.code == "000.100.110"
    assert refusal_of(extend_life, context, made.id, {}, new_ids(context)) == "100.150.206"


def test_a_removed_or_unknown_registration_cannot_be_extended() -> None:
    context = a_context()
    made = registered(context)
    remove_registration(context, made.id, {}, new_ids(context))
    for identity in (made.id, "8" + "0" * 31):
        assert refusal_of(extend_life, context, identity, {}, new_ids(context)) == "100.350.316"


def test_a_use_never_shortens_an_extended_life() -> None:
    context = a_context()
    made = registered_account(context)
    kept, _ = extend_life(context, made.id, {}, new_ids(context))
    charged(context, made.id)
    assert read_registration(context, made.id).due == kept.due


def test_a_due_registration_that_was_extended_meanwhile_stays() -> None:
    """Due work is done at least once: what it finds changed is left alone."""
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    made = registered(context)
    later = replace(made, due=months_after(retention_end(made), 24))
    context.ports.store.commit(unit_of(later))
    clock.advance(retention_end(made) - clock.now())
    assert run_due(context.ports) == 0
    assert read_registration(context, made.id).removed_at is None


def test_the_test_mode_decides_the_code_of_what_no_acquirer_is_asked_for() -> None:
    context = a_context()
    made, sent = registered(context), {"testMode": "EXTERNAL"}
    _, outcome = extend_life(context, made.id, sent, new_ids(context))
    assert outcome.code == "000.100.112"
    # E50: no test system of a processor takes part in a removal (D-677).
    _, outcome = remove_registration(context, made.id, sent, new_ids(context))
    assert outcome.code == "000.100.110"
