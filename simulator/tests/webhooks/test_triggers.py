"""What is triggered by hand is what would be sent: about no payment that has no such event, and
with no member that the event never has.
"""

import pytest

from simulator.tests.kit.gateway import ORDER, Gateway
from simulator.tests.kit.webhooks import WebhookSandbox

CARD = {name: value for name, value in ORDER.items() if name.startswith("card.")}
PERSONAL = {"customer.givenName": "Jane", "customer.surname": "Jones"}
PROFILES = ("specification", "field")


def answered(sandbox: WebhookSandbox, path: str, **sent: str) -> dict:
    """The answer to a card and what else is sent."""
    asked = {"entityId": sandbox.merchant.entity_id, **CARD, **sent}
    return sandbox.gateway.send(path, asked, sandbox.merchant).json


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("name", ["payment.created", "payment.updated"])
def test_a_payment_event_is_triggered_of_payments_alone(
    gateway: Gateway, profile: str, name: str
) -> None:
    sandbox = WebhookSandbox(gateway, profile=profile)
    paid = sandbox.pay()
    refunded = sandbox.refer(paid, "RF", amount="1.00", currency="EUR")
    registered = answered(sandbox, "/v1/registrations", paymentBrand="VISA")
    checked = answered(sandbox, "/v1/risk", paymentBrand="VISA", amount="1.00", currency="EUR")

    for payment, status in ((paid, 201), (refunded, 201), (registered, 400), (checked, 400)):
        answer = sandbox.ask("POST", "/notices", {"event": name, "payment": payment["id"]})
        assert answer.status_code == status, payment


@pytest.mark.parametrize("profile", PROFILES)
def test_a_removal_that_is_triggered_has_nothing_of_the_shopper(
    gateway: Gateway, profile: str
) -> None:
    sandbox = WebhookSandbox(gateway, profile=profile)
    paid = sandbox.pay(createRegistration="true", **PERSONAL)
    asked = {"event": "registration.deleted", "payment": paid["id"]}
    assert sandbox.ask("POST", "/notices", asked).status_code == 201
    sandbox.ask("POST", "/drain", {})
    gateway.client.simulate_delete(
        f"/v1/registrations/{paid['registrationId']}",
        params={"entityId": sandbox.merchant.entity_id},
        headers={"Authorization": f"Bearer {sandbox.merchant.token}"},
    )

    triggered, removed = (each["payload"] for each in sandbox.inbox(4)[2:])
    assert "card" not in removed and "customer" not in removed
    assert triggered.keys() == removed.keys()
