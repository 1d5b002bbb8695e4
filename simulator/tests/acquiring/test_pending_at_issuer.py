"""What a pending payment does on a card with a profile: its amount counts until its end, and stays
only where that is an approval, as planned or not.
"""

import pytest
from msgspec.structs import replace

from simulator.domain.acquiring.requests import AcquirerResponse
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Outcome
from simulator.domain.payments.pending import Awaited
from simulator.service.payments.responses import apply_late_response
from simulator.tests.acquiring.test_card_closing import reconciliation_of
from simulator.tests.acquiring.test_external import code_of
from simulator.tests.acquiring.test_issuer import Counter, counter, gateway
from simulator.tests.kit.steering import behaviour_document, script_of

__all__ = ["counter", "gateway"]

# Held and taken on the card: before a payment of each kind, and once it is approved.
STANDING = {
    ("DB",): (("0.00", "0.00"), ("0.00", "92.00")),
    ("PA",): (("0.00", "0.00"), ("92.00", "0.00")),
    ("CD",): (("0.00", "0.00"), ("0.00", "-92.00")),
    ("PA", "CP"): (("92.00", "0.00"), ("0.00", "92.00")),
    ("DB", "RF"): (("0.00", "92.00"), ("0.00", "0.00")),
    ("PA", "RV"): (("92.00", "0.00"), ("0.00", "0.00")),
}
PLANS = {
    "open": {},
    "approved later": {"seconds": 60, "then": {"approve": {}}},
    "declined later": {"seconds": 60, "then": {"decline": {"code": "800.100.152"}}},
}
kinds = pytest.mark.parametrize("kind", STANDING, ids=".".join)
plans = pytest.mark.parametrize("plan", PLANS)


def pending(counter: Counter, kind: tuple[str, ...], plan: str) -> str:
    """The id of a payment of this kind that is pending as planned."""
    steps = {"acquirer": {"pending": PLANS[plan]}}
    if len(kind) == 1:
        counter.shop.arm(steps, times=1)
        made = counter.pay(paymentType=kind[0])
    else:
        first = counter.pay(paymentType=kind[0])
        counter.shop.arm(steps, times=1)
        more = {} if kind[1] == "RV" else {"amount": "92.00", "currency": "EUR"}
        made = counter.shop.refer(first["id"], kind[1], **more)
    assert code_of(made) == "000.200.000"
    return str(made["id"])


def control(counter: Counter, path: str, sent: dict) -> None:
    path = f"/sandboxes/{counter.shop.identity}{path}"
    assert counter.shop.gateway.control("POST", path, sent).status_code == 200


@kinds
@plans
@pytest.mark.parametrize("outcome", ["success", "failure", "expiry"])
def test_what_is_released_stands_on_the_card_as_it_ended(
    counter: Counter, kind: tuple[str, ...], plan: str, outcome: str
) -> None:
    payment = pending(counter, kind, plan)
    before, after = STANDING[kind]
    assert counter.standing() == after

    control(counter, f"/pending/{payment}", {"outcome": outcome})

    assert counter.standing() == (after if outcome == "success" else before)
    assert reconciliation_of(counter.shop)["agree"]


@kinds
@plans
def test_what_ends_by_the_clock_stands_on_the_card_as_it_ended(
    counter: Counter, kind: tuple[str, ...], plan: str
) -> None:
    pending(counter, kind, plan)
    before, after = STANDING[kind]

    control(counter, "/clock/advance", {"by": "31m"})

    assert counter.standing() == (after if plan == "approved later" else before)
    assert reconciliation_of(counter.shop)["agree"]


NO_ENDS = pytest.mark.parametrize("code", ["000.200.000", "800.400.500", "123.456.789"])


@NO_ENDS
def test_a_stored_script_whose_pending_payment_has_no_end_declines_it(
    counter: Counter, code: str
) -> None:
    then = {"decline": {"code": code}}
    steps = behaviour_document({"pending": {"seconds": 60, "then": then}})
    counter.shop.ports.store.commit(unit_of(script_of(steps)))

    payment = counter.pay()
    assert code_of(payment) == "000.200.000"
    control(counter, "/clock/advance", {"by": "61s"})

    assert code_of(counter.shop.gateway.read(payment["id"], counter.shop.who).json) == "900.100.200"
    assert counter.standing() == ("0.00", "0.00")


@NO_ENDS
def test_a_pending_payment_that_waits_for_no_end_is_declined_at_its_instant(
    counter: Counter, code: str
) -> None:
    payment, store = pending(counter, ("PA", "CP"), "declined later"), counter.shop.ports.store
    awaited = store.get(Awaited, payment)
    store.commit(unit_of(replace(awaited, outcome=Outcome(code=code))))

    control(counter, "/clock/advance", {"by": "61s"})

    assert code_of(counter.shop.gateway.read(payment, counter.shop.who).json) == "900.100.200"
    assert counter.standing() == ("92.00", "0.00")
    assert reconciliation_of(counter.shop)["agree"]


def test_a_pending_payment_that_is_answered_pending_waits_anew(counter: Counter) -> None:
    payment, ports = pending(counter, ("DB",), "declined later"), counter.shop.ports
    before = ports.store.get(Awaited, payment)
    response = AcquirerResponse(outcome=Outcome(code="000.200.100"))

    answered = apply_late_response(ports, payment, response, to=before)

    assert answered.state == "pending"
    assert ports.store.get(Awaited, payment).version == before.version + 1
    control(counter, "/clock/advance", {"by": "31m"})
    assert counter.standing() == ("0.00", "0.00")


@pytest.mark.parametrize("kind", ["CP", "RV"])
def test_what_an_authorization_held_stays_free_once_it_has_lapsed(
    counter: Counter, kind: str
) -> None:
    first = counter.pay(paymentType="PA")
    control(counter, "/clock/advance", {"by": "604770s"})
    counter.shop.arm({"acquirer": {"pending": PLANS["declined later"]}}, times=1)
    assert counter.refer(first, kind, "92.00" if kind == "CP" else None) == "000.200.000"

    control(counter, "/clock/advance", {"by": "1h"})

    assert counter.standing() == ("0.00", "0.00")
