"""What refers to a payment may repeat the instruction of its order, and begins no series."""

import pytest

from simulator.tests.kit.gateway import Credentials, Gateway

INITIAL = {"standingInstruction.mode": "INITIAL", "standingInstruction.source": "CIT",
           "standingInstruction.type": "INSTALLMENT", "standingInstruction.expiry": "2034-05-31",
           "standingInstruction.frequency": "0001",
           "standingInstruction.numberOfInstallments": "2"}  # fmt: skip
MERCHANT = {**INITIAL, "standingInstruction.mode": "REPEATED", "standingInstruction.source": "MIT"}
REFERENCE = "initialTransactionId"


@pytest.fixture
def who(gateway: Gateway) -> Credentials:
    made = gateway.control("POST", "/sandboxes", {}).json
    return Credentials(made["token"], made["entity_id"])


@pytest.mark.parametrize(
    ("first", "kind"),
    [("PA", "CP"), ("PA", "RV"), ("DB", "RF"), ("DB", "RB")],
)
def test_what_refers_to_a_payment_gets_no_reference(
    gateway: Gateway, who: Credentials, first: str, kind: str
) -> None:
    paid = gateway.post(who=who, paymentType=first, **INITIAL).json
    assert paid["standingInstruction"][REFERENCE]
    money = {} if kind == "RV" else {"amount": "1.00", "currency": "EUR"}
    order = {"entityId": who.entity_id, "paymentType": kind, **money, **INITIAL}

    referring = gateway.send(f"/v1/payments/{paid['id']}", order, who)

    assert referring.status_code == 200, referring.text
    assert REFERENCE not in referring.json["standingInstruction"]
    assert "CardholderInitiatedTransactionID" not in referring.json.get("resultDetails", {})


def test_a_capture_that_repeats_its_order_adds_no_installments(
    gateway: Gateway, who: Credentials
) -> None:
    paid = gateway.post(who=who, paymentType="PA", createRegistration="true", **INITIAL).json
    charge = {
        "entityId": who.entity_id,
        "paymentType": "DB",
        "amount": "92.00",
        "currency": "EUR",
        **MERCHANT,
    }
    path = f"/v1/registrations/{paid['registrationId']}/payments"
    order = {
        "entityId": who.entity_id,
        "paymentType": "CP",
        "amount": "92.00",
        "currency": "EUR",
        **INITIAL,
    }

    codes = []
    for _ in range(2):
        codes.append(gateway.send(path, charge, who).json["result"]["code"])
        gateway.send(f"/v1/payments/{paid['id']}", order, who)

    assert codes == ["000.100.110", "600.200.501"]
