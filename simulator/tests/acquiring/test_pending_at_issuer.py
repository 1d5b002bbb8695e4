"""What a pending payment does on a card with a profile: its amount counts until its end, and stays
only where that is an approval, as planned or not.
"""

import pytest

from simulator.tests.acquiring.test_card_closing import reconciliation_of
from simulator.tests.acquiring.test_external import code_of
from simulator.tests.acquiring.test_issuer import Counter, counter, gateway

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
