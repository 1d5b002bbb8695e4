"""What the workbench fills in can be sent, given what the operation is about."""

import re
from html import unescape

import pytest

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.schemas.examples import EXAMPLES
from simulator.service.console.bench.workbench import PLACE
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.authenticating import asking
from simulator.tests.kit.gateway import ORDER, Credentials, Gateway

FIELD = re.compile(r'name="v:([^"]+)" value="([^"]*)"( placeholder="to be filled in")?')
SECURE = {"three_d_secure": {"VISA": "2.2.0"}}
# A bank day of the month that the examples ask for.
CLOCK = {"mode": "frozen", "at": "2026-11-12T12:00:00Z"}
# It says so itself.
DECLINED = ("create_payment", "decline")
SALE = {"paymentType": "DB", "amount": "92.00", "currency": "EUR"}


class Shop:
    """A merchant who has whatever an operation can be about."""

    def __init__(self, gateway: Gateway, profile: str, channel: dict[str, object]):
        asked = {"clock": CLOCK, "profile": profile, "merchants": [{"channels": [channel]}]}
        self._gateway, directory = gateway, asking()
        gateway._built.links.directory.ask = directory.ask
        gateway._built.links.directory.signed = directory.signed
        self._made = gateway.control("POST", "/sandboxes", asked).json
        self._who = Credentials(self._made["token"], self._made["entity_id"])
        self.bench = f"/console/{self._made['id']}/workbench"

    def about(self, identity: str, example: str) -> str:
        """The id of what this example is about, made for it alone."""
        path = OPERATIONS[identity].path
        if "checkout" in path:
            return self._sent("/v1/checkouts", SALE)
        if "schedules" in path:
            monthly = {**EXAMPLES["create_schedule"]["monthly"].sent, "registrationId": self.card()}
            return self._sent("/scheduling/v1/schedules", monthly)
        if "registrations" in path:
            return self.card()
        if "reconciliations" in path:
            return self._settled()
        if "threeDSecure" in path:
            sent = EXAMPLES["create_authentication"]["card"].sent
            return self._sent("/v1/threeDSecure", sent)
        return self._paid("DB" if example == "refund" else "PA")

    def card(self) -> str:
        """A stored card."""
        left_out = ("paymentType", "amount", "currency")
        card = {name: value for name, value in ORDER.items() if name not in left_out}
        return self._sent("/v1/registrations", card)

    def _paid(self, kind: str) -> str:
        return str(self._gateway.post(who=self._who, paymentType=kind).json["id"])

    def _sent(self, path: str, sent: dict[str, str]) -> str:
        whole = {"entityId": self._who.entity_id, **sent}
        return str(self._gateway.send(path, whole, who=self._who).json["id"])

    def _settled(self) -> str:
        self._paid("DB")
        own = f"/sandboxes/{self._made['id']}"
        self._gateway.control("POST", f"{own}/clock/advance", {"by": "1d"})
        self._gateway.control("POST", f"{own}/settlements", {})
        days = {"entityId": self._who.entity_id, **EXAMPLES["query_settlements"]["days"].sent}
        path = OPERATIONS["query_settlements"].path
        token = {"Authorization": f"Bearer {self._who.token}"}
        found = self._gateway.client.simulate_get(path, params=days, headers=token).json
        return str(found["aggregations"][0]["id"])


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize("identity", OPERATIONS)
def test_each_example_is_taken_or_says_what_is_to_be_filled_in(
    gateway: Gateway, anna: Visitor, identity: str, profile: str
) -> None:
    """Lists of schedules and reports had none, and were refused as they were shown."""
    shop = Shop(gateway, profile, SECURE if "Secure" in OPERATIONS[identity].path else {})
    for example in EXAMPLES.get(identity, {"": None}):
        page = anna.get(f"{shop.bench}?operation={identity}&example={example}").text
        sent = {"operation": identity, "deed": "send"}
        for name, value, is_left in FIELD.findall(page):
            assert bool(value) is not bool(is_left), name
            sent[f"v:{name}"] = unescape(value) if value else shop.card()
            assert value or name == "registrationId"
        if PLACE in OPERATIONS[identity].path:
            sent["about"] = shop.about(identity, example)

        answer = anna.post(shop.bench, sent).text

        expected = "Answer 400" if (identity, example) == DECLINED else "Answer 200"
        assert expected in answer, (identity, example, answer.partition("Answer")[2][:900])
