"""No operation fails for a parameter that is absent, also where something else waives it.

A parameter that an operation does not know waives nothing: where it is ignored (D-02), it is as if
it had not been sent.
"""

from collections.abc import Iterator, Mapping

import pytest
from falcon.testing import Result

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import RELATIONS, TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.checks.acceptance import resolved
from simulator.derive.checks.samples import samples_of
from simulator.derive.schemas.examples import EXAMPLES, MONEY
from simulator.grammar.choices import choose
from simulator.grammar.operations import Operation
from simulator.grammar.relations import Relation
from simulator.tests.kit.gateway import FORM, Gateway, _form

Sent = Mapping[str, str]
OPTIONS = {
    "specification": {},
    "field": {"profile": "field"},
    "unknown names ignored": {"overrides": {"D-02": "ignore"}},
}
FORMATS = {
    row.name: resolved(row.format, choose(CHOICES, "specification"))
    for table in TABLES for row in table.rows
}  # fmt: skip
# What the waivers of the catalogue are about, and no example shows.
BANK = {
    **MONEY,
    "paymentType": "DB",
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE23100000001234567890",
    "bankAccount.bic": "MARKDEF1100",
}
MORE = {"create_payment": BANK, "check_risk": BANK}


class Shop:
    """A merchant with one of each thing that a path can name."""

    def __init__(self, gateway: Gateway, options: dict[str, object]):
        self.gateway, self.who = gateway, gateway.sandbox(**options)
        self.ids: dict[str, str] = {}
        for place, identity, example in (
            ("registrations", "create_registration", "card"),
            ("payments", "create_payment", "authorisation"),
            ("query", "create_payment", "debit"),
            ("schedules", "create_schedule", "monthly"),
            ("checkouts", "create_checkout", "payment"),
            ("threeDSecure", "create_authentication", "card"),
        ):
            made = self.send(OPERATIONS[identity], EXAMPLES[identity][example].sent)
            self.ids[place] = made.json["id"]

    def send(self, operation: Operation, sent: Sent) -> Result:
        """The answer to a request, about what the merchant has."""
        mine = {"entityId": self.who.entity_id, "registrationId": self.ids.get("registrations")}
        sent = {name: mine.get(name, value) for name, value in {"entityId": "", **sent}.items()}
        place = next((each for each in self.ids if f"/{each}/" in operation.path), "")
        in_body = operation.method == "POST"
        return self.gateway.client.simulate_request(
            operation.method,
            operation.path.replace("{id}", self.ids.get(place, "8" * 32)),
            params=None if in_body else sent,
            body=_form(sent) if in_body else None,
            headers={"Authorization": f"Bearer {self.who.token}"}
            | ({"Content-Type": FORM} if in_body else {}),
        )


@pytest.fixture(scope="module")
def answering(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("absent") / "data")
    yield made
    made.close()


@pytest.fixture(scope="module", params=OPTIONS)
def shop(answering: Gateway, request: pytest.FixtureRequest) -> Shop:
    return Shop(answering, OPTIONS[request.param])


@pytest.mark.parametrize("identity", OPERATIONS)
def test_no_request_without_a_required_parameter_makes_a_fault(shop: Shop, identity: str) -> None:
    operation = OPERATIONS[identity]
    requests = [sent for good in good_requests(identity) for sent in lacking(operation, good)]
    answers = [(sent, shop.send(operation, sent).status_code) for sent in requests]
    assert [each for each in answers if each[1] >= 500 or each[1] == 429] == []


def good_requests(identity: str) -> list[Sent]:
    """Requests that work, of which a parameter can be left out."""
    examples = [example.sent for example in EXAMPLES.get(identity, {}).values()]
    return [*examples, MORE.get(identity, {"registrationId": ""})]


def lacking(operation: Operation, good: Sent) -> Iterator[Sent]:
    """The request without each of its parameters; and without each, and all, of those that a
    parameter waives, with that one.
    """
    yield from (_without(good, name) for name in good)
    for relation in (*RELATIONS, *operation.relations):
        absent = [name for name in relation.names if name in good]
        for waiver in _waivers_of(relation) if absent else ():
            yield from (_without(good | waiver, name) for name in absent)
            yield _without(good, *absent) | waiver


def _waivers_of(relation: Relation) -> Iterator[dict[str, str]]:
    for name in relation.unless:
        if name in FORMATS:
            good = (sample.value for sample in samples_of(FORMATS[name]) if sample.taken)
            yield {name: next(iter(relation.unless_in), next(good))}


def _without(sent: Sent, *names: str) -> dict[str, str]:
    return {name: value for name, value in sent.items() if name not in names}
