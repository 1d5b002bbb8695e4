"""Rules between parameters hold for what is there in the end, wherever a part is added to a whole.

Choice: D-701.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import pytest
from falcon.testing import Result

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import RELATIONS
from simulator.catalogue.operations.checkouts import (
    CREATE_CHECKOUT,
    PAY_CHECKOUT,
    REGISTER_CHECKOUT,
    UPDATE_CHECKOUT,
    WHOLE_PAYMENT,
)
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.operations.registrations import UPDATE_REGISTRATION, WHOLE_REGISTRATION
from simulator.catalogue.operations.schedules import RESCHEDULE, WHOLE_SCHEDULE
from simulator.derive.checks.check import compile_check
from simulator.derive.checks.compiled_rows import sent_rows
from simulator.derive.checks.relations import relations_in
from simulator.grammar.choices import choose
from simulator.grammar.operations import Operation
from simulator.grammar.relations import MAX_ITEMS, ONLY_IN, Relation
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop, named_in
from simulator.tests.kit.gateway import Gateway

Sent = Mapping[str, str]
SPECIFIED = choose(CHOICES, "specification")
STORED = {"createRegistration": "true"}
SCHEDULES = "/scheduling/v1/schedules"
MONTHLY = {**SESSION, "job.dayOfMonth": "05"}

NAMED = {"customer.givenName": "Jane", "customer.surname": "Jones"}
PASSPORT = {
    **NAMED,
    "customer.identificationDocType": "PASSPORT",
    "customer.identificationDocId": "12345678",
}
SECURE = {
    "threeDSecure.eci": "05",
    "threeDSecure.enrollmentStatus": "Y",
    "threeDSecure.authenticationStatus": "Y",
}
VERIFIED = {"threeDSecure.verificationId": "A" * 27 + "="}
DEBIT = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE89370400440532013000",
    "bankAccount.bic": "MARKDEF1100",
    "bankAccount.country": "DE",
}


def without(sent: Sent, *names: str) -> dict[str, str]:
    """What is left of `sent`."""
    return {name: value for name, value in sent.items() if name not in names}


class Addition(NamedTuple):
    """Where a part is added to a whole: what it accepts, how the whole is checked, what is there
    and what is sent beside the case.
    """

    part: Operation
    whole: Operation
    stands: Sent
    sends: Sent
    make: Callable[[Shop, Sent], str]

    def add(self, shop: Shop, stands: Sent, part: Sent) -> Result:
        """The answer to `part`, where `stands` is there."""
        beside = {} if any(name in CARD for name in (*stands, *part)) else self.sends
        path = self.part.path.replace("{id}", self.make(shop, {**self.stands, **stands}))
        return shop.gateway.send(path, {"entityId": shop.who.entity_id, **beside, **part}, shop.who)


def made_at(path: str) -> Callable[[Shop, Sent], str]:
    """What makes something at `path`: its id."""

    def make(shop: Shop, sent: Sent) -> str:
        answer = shop.gateway.send(path, {"entityId": shop.who.entity_id, **sent}, shop.who)
        assert answer.status_code == 200, answer.text
        return answer.json["id"]

    return make


def scheduled(shop: Shop, sent: Sent) -> str:
    """A schedule of a stored card."""
    stored = made_at("/v1/registrations")(shop, CARD)
    return made_at(SCHEDULES)(shop, {**sent, "registrationId": stored})


prepared = made_at("/v1/checkouts")
# fmt: off
ADDITIONS = {
    "update": Addition(UPDATE_CHECKOUT, CREATE_CHECKOUT, SESSION, {}, prepared),
    "pay": Addition(PAY_CHECKOUT, WHOLE_PAYMENT, SESSION, CARD, prepared),
    "register": Addition(REGISTER_CHECKOUT, WHOLE_PAYMENT, STORED, CARD, prepared),
    "RS": Addition(RESCHEDULE, WHOLE_SCHEDULE, MONTHLY, {}, scheduled),
    "registration": Addition(
        UPDATE_REGISTRATION, WHOLE_REGISTRATION, CARD, {}, made_at("/v1/registrations")
    ),
}


class Case(NamedTuple):
    """What stands, the part that is added to it, and what is named then."""

    id: str
    stands: Sent
    part: Sent
    named: frozenset[str] = frozenset()


def case(id: str, stands: Sent, part: Sent, *named: str) -> Case:
    return Case(id, stands, part, frozenset(named))


BROKEN = (
    case("CARD-01", {}, without(CARD, "card.number"), "card.number"),
    case("SVC-03", {"mobileWallet.source": "web", **VERIFIED}, CARD, "threeDSecure.eci"),
    case("BANK-06", {}, without(DEBIT, "bankAccount.holder"), "bankAccount.holder"),
    case("BANK-01", {}, without(DEBIT, "bankAccount.iban"), "bankAccount.number"),
    case("BANK-02", {}, without(DEBIT, "bankAccount.bic"), "bankAccount.bankCode"),
    case("CUST-01", {}, {"customer.email": "jane@example.com"}, *NAMED),
    case("CUST-03", NAMED, {"customer.identificationDocType": "PASSPORT"},
         "customer.identificationDocId"),
    case("CUST-03", NAMED, {"customer.identificationDocId": "12345678"},
         "customer.identificationDocType"),
    # The second line is ignored beside a house number, so that the first alone is left.
    case("ADDR-01", {"billing.street1": "12", "billing.street2": "Main"},
         {"billing.houseNumber1": "4"}, "billing.street1"),
    case("ADDR-03", {}, {"billing.houseNumber2": "b"}, "billing.houseNumber1"),
    case("ADDR-03", {}, {"shipping.houseNumber2": "b"}, "shipping.houseNumber1"),
    case("TDS-02", {}, VERIFIED, *SECURE),
    case("TDS-04", {"threeDSecure.version": "2.1.0"}, {"threeDSecure.challengeIndicator": "05"},
         "threeDSecure.challengeIndicator"),
    case("TDS-04", {"threeDSecure.exemptionFlag": "01"}, {"threeDSecure.version": "2.1.0"},
         "threeDSecure.exemptionFlag"),
    case("RISK-01", {"risk.serviceId": "D"}, {"risk.channelId": "A" * 13}, "risk.channelId"),
    case("RISK-01", {"risk.channelId": "A" * 13}, {"risk.serviceId": "D"}, "risk.channelId"),
    case("COF-01", {"standingInstruction.industryPractice": "DELAYED_CHARGES"},
         {"standingInstruction.source": "CIT"}, "standingInstruction.source"),
    # A job that is sent replaces the whole job.
    case("JOB-02", {}, {"job.dayOfMonth": "05", "job.dayOfWeek": "2"}, "job.dayOfWeek"),
    case("JOB-04", {}, {"job.dayOfMonth": "05", "job.noticeNumber": "1"}, "job.noticeUnit"),
    case("JOB-04", {}, {"job.dayOfMonth": "05", "job.durationNumber": "1"}, "job.durationUnit"),
    case("JOB-04", {}, {"job.dayOfMonth": "05", "job.noticeCallable": "DURATION_END"},
         "job.durationNumber"),
)
KEPT = (
    case("CARD-01", {"card.expiryYear": "2034"}, without(CARD, "card.expiryYear")),
    case("BANK-01", {"bankAccount.iban": DEBIT["bankAccount.iban"]},
         without(DEBIT, "bankAccount.iban")),
    case("CUST-01", NAMED, {"customer.email": "jane@example.com"}),
    case("CUST-01", NAMED, {"customer.surname": "Smith"}),
    case("CUST-03", PASSPORT, {"customer.identificationDocId": "87654321"}),
    case("CUST-03", PASSPORT, {"customer.identificationDocType": "IDCARD"}),
    case("ADDR-01", {"billing.street1": "Main"}, {"billing.street2": "12"}),
    case("ADDR-03", {"billing.houseNumber1": "4"}, {"billing.houseNumber2": "b"}),
    case("ADDR-03", {"shipping.houseNumber1": "4"}, {"shipping.houseNumber2": "b"}),
    case("TDS-02", {**SECURE, **VERIFIED}, {"threeDSecure.xid": "A" * 64}),
    case("TDS-04", {"threeDSecure.version": "2.2.0"}, {"threeDSecure.challengeIndicator": "05"}),
    case("RISK-01", {"risk.serviceId": "D"}, {"risk.channelId": "A" * 12}),
    case("COF-01", {"standingInstruction.source": "MIT"},
         {"standingInstruction.industryPractice": "DELAYED_CHARGES"}),
    case("PAY-03", {}, {"amount": "9.00"}),
    case("JOB-02", {}, {"job.dayOfWeek": "2"}),
)
# fmt: on


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def held_in(addition: Addition) -> list[Relation]:
    """The relations of the catalogue that a part may break with this operation."""
    mentioned = [
        row
        for row in relations_in(addition.whole, SPECIFIED)
        if row.id in {each.id for each in RELATIONS} and row.kind not in (ONLY_IN, MAX_ITEMS)
    ]
    return [row for row in mentioned if row.names and any(map(row.touches, names_of(addition)))]


def names_of(addition: Addition) -> set[str]:
    return {name for row in sent_rows(addition.part) for name in row.concrete_names}


def placed(cases: tuple[Case, ...]) -> Iterator[object]:
    """Each case with each addition that knows it, where nothing fixed is sent again."""
    for name, addition in ADDITIONS.items():
        held = {row.id for row in held_in(addition)} | {"PAY-03"}
        for each in cases:
            is_known = {*each.part, *each.stands} <= names_of(addition) | {*addition.stands}
            overwrites = not each.part.keys().isdisjoint({**addition.stands, **each.stands})
            is_fixed = overwrites and name in ("pay", "register")
            if each.id in held and is_known and not is_fixed:
                yield pytest.param(name, each, id=f"{name}-{each.id}-{'+'.join(each.part)}"[:90])


@pytest.mark.parametrize(("addition", "case"), [*placed(BROKEN)])
def test_a_part_that_leaves_a_broken_whole_is_refused(
    shop: Shop, addition: str, case: Case
) -> None:
    refused = ADDITIONS[addition].add(shop, case.stands, case.part)

    assert refused.status_code == 400
    assert set(named_in(refused)) == case.named


@pytest.mark.parametrize(("addition", "case"), [*placed(KEPT)])
def test_a_part_that_leaves_a_good_whole_is_taken(shop: Shop, addition: str, case: Case) -> None:
    taken = ADDITIONS[addition].add(shop, case.stands, case.part)

    assert taken.status_code == 200, taken.text


def test_what_an_update_of_a_registration_cannot_change_is_not_judged(shop: Shop) -> None:
    beside = {**SECURE, **VERIFIED, "risk.serviceId": "D", "cart.items[0].name": "Book"}
    addition = ADDITIONS["registration"]

    assert addition.add(shop, beside, {"card.expiryYear": "2036"}).status_code == 200


def test_a_registration_of_a_form_that_sent_no_name_is_updated(shop: Shop) -> None:
    checkout = shop.prepare(STORED)
    browser = {"customer.browser.language": "de", "customer.browser.javaEnabled": "false"}
    made = shop.submit(
        checkout, shop.capability(checkout), {**CARD, **browser}, end="registration"
    ).json["id"]

    sent = {"entityId": shop.who.entity_id, "card.expiryYear": "2036"}
    assert shop.gateway.send(f"/v1/registrations/{made}", sent, shop.who).status_code == 200


@pytest.mark.parametrize("name", ADDITIONS)
def test_each_relation_of_the_catalogue_is_tried_with_each_addition(name: str) -> None:
    tried = [each.values[1] for each in placed(BROKEN) if each.values[0] == name]

    for row in held_in(ADDITIONS[name]):
        assert any(each.id == row.id and each.named & {*row.names} for each in tried), row


PARTS = [operation for operation in OPERATIONS.values() if operation.is_part]


def test_each_operation_that_adds_to_a_whole_is_tried() -> None:
    assert {each.id for each in PARTS} == {addition.part.id for addition in ADDITIONS.values()}


@pytest.mark.parametrize("operation", PARTS, ids=lambda operation: operation.id)
def test_a_part_is_not_judged_by_what_only_the_whole_can_tell(operation: Operation) -> None:
    check = compile_check(operation, SPECIFIED)
    part = {"entityId": "a" * 32, "customer.email": "a@b.c", "billing.houseNumber2": "b"}
    if any(row.name.startswith("cart.items") for row in sent_rows(operation)):
        part["cart.items[3].name"] = "d"

    assert [each.name for each in check.violations_of(part)] == ["customer.email"]
