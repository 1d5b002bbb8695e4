"""When a notification is tried again, and how its states follow each other."""

from datetime import UTC, datetime, timedelta

import pytest

from simulator.domain.webhooks.records import (
    GIVE_UP_AFTER,
    AttemptResult,
    Delivery,
    DeliveryFault,
    WebhookEvent,
    apply_attempt_result,
    create_delivery,
    next_attempt_at,
    restart_delivery,
    select_endpoints,
    start_delivery,
)
from simulator.tests.kit.making import a_context
from simulator.tests.kit.webhooks import an_endpoint

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
REFUSED, TAKEN = AttemptResult(status=500), AttemptResult(status=204)

# fmt: off
ATTEMPTS = (
    # attempt  minutes after the first
    (1,        0),
    (2,        1),
    (3,        3),
    (4,        7),
    (5,        15),
    (6,        30),
    (7,        60),
    (8,        120),
    (9,        120 + 24 * 60),
    (10,       120 + 48 * 60),
)
# fmt: on


def a_delivery(**fields: object) -> Delivery:
    return Delivery(id="d", event_id="n", endpoint="e", began_at=NOON, under_way=True, **fields)


def attempts_of(delivery: Delivery, result: AttemptResult = REFUSED) -> list[datetime]:
    """The instants of every attempt of a delivery that always ends with `result`."""
    at, instants = NOON, []
    while delivery.settled_at is None:
        instants.append(at)
        delivery = apply_attempt_result(delivery, result, at=at)
        at = delivery.due or at
    return instants


@pytest.mark.parametrize(("number", "minutes"), ATTEMPTS)
def test_the_ladder_is_climbed_as_documented(number: int, minutes: int) -> None:
    instants = attempts_of(a_delivery())
    assert instants[number - 1] == NOON + timedelta(minutes=minutes)


def test_after_thirty_days_a_delivery_is_given_up() -> None:
    instants = attempts_of(a_delivery())
    assert len(instants) == 37
    assert NOON + timedelta(days=29) < instants[-1] <= NOON + GIVE_UP_AFTER
    assert next_attempt_at(37, began_at=NOON, at=instants[-1]) is None


def test_a_success_settles_at_once() -> None:
    after = apply_attempt_result(a_delivery(), TAKEN, at=NOON)
    assert (after.state, after.attempts, after.status) == ("delivered", 1, 204)
    assert after.due is None


def test_a_failure_says_why_and_when_it_goes_on() -> None:
    after = apply_attempt_result(a_delivery(), AttemptResult(error="connection refused"), at=NOON)
    assert (after.state, after.status, after.error) == ("waiting", None, "connection refused")
    assert after.under_way is None


def test_a_resent_delivery_begins_a_new_ladder_and_counts_on() -> None:
    given_up = a_delivery()
    while given_up.settled_at is None:
        given_up = apply_attempt_result(given_up, REFUSED, at=given_up.due or NOON)
    later = NOON + timedelta(days=40)
    fresh = restart_delivery(given_up, now=later)
    assert (given_up.state, fresh.state) == ("given up", "under way")
    after = apply_attempt_result(fresh, REFUSED, at=later)
    assert (after.due, after.attempts) == (later + timedelta(minutes=1), 38)


@pytest.mark.parametrize(
    ("fault", "due_s", "held"),
    [
        (None, None, None),
        (DeliveryFault(lose=1), None, None),
        (DeliveryFault(delay_s=300), 300, None),
        (DeliveryFault(reorder=True), 60, "e"),
    ],
)
def test_a_new_delivery_sets_out_at_once_unless_a_script_holds_it(
    fault: DeliveryFault | None, due_s: int | None, held: str | None
) -> None:
    event = WebhookEvent(id="n", type="PAYMENT", payload={}, created_at=NOON)
    made = create_delivery(an_endpoint(id="e"), event, identity="d", fault=fault)
    assert made.held == held
    assert made.due == (None if due_s is None else NOON + timedelta(seconds=due_s))
    assert made.under_way == (True if due_s is None else None)
    assert start_delivery(made).under_way


def test_an_endpoint_gets_the_events_below_its_entity() -> None:
    stamp = a_context().stamp
    above = (stamp.channel, stamp.merchant, stamp.division, stamp.psp)
    endpoints = {each: [an_endpoint(id=each, entity=each)] for each in (*above, "another")}
    assert [each.id for each in select_endpoints(endpoints, stamp, "PAYMENT")] == list(above)


def test_an_endpoint_gets_the_types_it_asked_for() -> None:
    stamp = a_context().stamp
    endpoint = an_endpoint(entity=stamp.psp, types=("REGISTRATION",))
    endpoints = {stamp.psp: [endpoint]}
    assert select_endpoints(endpoints, stamp, "PAYMENT") == []
    assert select_endpoints(endpoints, stamp, "REGISTRATION") == [endpoint]
