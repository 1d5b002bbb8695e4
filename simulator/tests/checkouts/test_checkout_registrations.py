"""Checkouts that complete a registration, and stored accounts that pay in one."""

import pytest

from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop, code_of, named_in
from simulator.tests.kit.gateway import Gateway


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def test_a_registration_is_made_and_read(shop: Shop) -> None:
    identity = shop.prepare({"createRegistration": "true"})
    unpaid = shop.get(f"/{identity}/registration")
    made = shop.post(f"/{identity}/registration", CARD)
    read = shop.get(f"/{identity}/registration")
    again = shop.post(f"/{identity}/registration", CARD)

    assert (code_of(unpaid), "id" in unpaid.json) == ("000.200.000", False)
    assert (made.status_code, code_of(made)) == (200, "000.100.110")
    assert (read.json["id"], read.json["paymentBrand"]) == (made.json["id"], "VISA")
    assert not {"amount", "paymentType"} & read.json.keys()
    assert again.status_code == 404
    charged = shop.gateway.send(
        f"/v1/registrations/{made.json['id']}/payments",
        {"entityId": shop.who.entity_id, **SESSION},
        shop.who,
    )
    assert code_of(charged) == "000.100.110"


def test_a_bank_account_that_is_registered_shows_whom_shoppers_pay_to(shop: Shop) -> None:
    identity = shop.prepare({"createRegistration": "true"})
    bank = {
        "paymentBrand": "DIRECTDEBIT_SEPA",
        "bankAccount.holder": "Jane Jones",
        "bankAccount.iban": "DE89370400440532013000",
        "bankAccount.bic": "COBADEFFXXX",
    }
    made = shop.post(f"/{identity}/registration", bank).json
    read = shop.get(f"/{identity}/registration").json

    assert made["merchant"] == read["merchant"] and made["merchant"]["bankAccount"]["holder"]


def test_a_declined_registration_may_be_tried_again(shop: Shop) -> None:
    identity = shop.prepare({"createRegistration": "true"})
    forced = {"customParameters[forceResultCode]": "800.100.152"}
    declined = shop.post(f"/{identity}/registration", {**CARD, **forced})

    assert (declined.status_code, code_of(declined)) == (400, "800.100.152")
    assert shop.get(f"/{identity}/registration").status_code == 400
    assert shop.post(f"/{identity}/registration", CARD).status_code == 200


def test_a_checkout_for_a_registration_takes_no_payment(shop: Shop) -> None:
    identity = shop.prepare({"createRegistration": "true"})

    assert set(named_in(shop.pay(identity))) == {"amount", "currency", "paymentType"}


def test_a_payment_that_registers_shows_the_registration_in_the_status(shop: Shop) -> None:
    identity = shop.prepare(createRegistration="true")
    shop.pay(identity)

    stored = shop.get(f"/{identity}/payment").json["registrationId"]

    assert shop.get(f"/{identity}/registration").json["id"] == stored


def test_a_stored_account_pays_without_a_card(shop: Shop) -> None:
    first = shop.prepare(createRegistration="true")
    stored = shop.pay(first).json["registrationId"]
    second = shop.prepare(**{"registrations[0].id": stored, "overridePaymentType[VISA]": "PA"})

    sent = {"registrationId": stored, "card.cvv": "123"}
    paid = shop.post(f"/{second}/payment", sent)

    assert (paid.status_code, paid.json["registrationId"]) == (200, stored)
    assert paid.json["card"]["last4Digits"] == "0000"
    assert paid.json["paymentBrand"] == "VISA"
    assert paid.json["paymentType"] == "PA"


def test_what_was_paid_with_a_stored_account_has_registered_nothing(shop: Shop) -> None:
    stored = shop.pay(shop.prepare(createRegistration="true")).json["registrationId"]
    identity = shop.prepare(**{"registrations[0].id": stored})
    shop.post(f"/{identity}/payment", {"registrationId": stored})

    read = shop.get(f"/{identity}/registration")

    assert (code_of(read), "id" in read.json) == ("000.200.000", False)


def test_stored_accounts_are_the_merchants_own(shop: Shop) -> None:
    other = Shop(shop.gateway)
    foreign = other.pay(other.prepare(createRegistration="true")).json["registrationId"]

    refused = shop.post("", {**SESSION, "registrations[0].id": foreign})

    assert (refused.status_code, code_of(refused)) == (400, "100.150.200")


@pytest.mark.parametrize("profile", ["specification", "field"])
def test_a_stored_account_that_cannot_pay_is_named_by_its_parameter(
    gateway: Gateway, profile: str
) -> None:
    """The checkout in the path is there: this is never the status of an unknown id."""
    shop = Shop(gateway, profile=profile)
    kept = shop.pay(shop.prepare(createRegistration="true")).json["registrationId"]
    path = f"/v1/registrations/{kept}"
    declined = shop.gateway.post(who=shop.who, **{"card.holder": "800.100.151"}).json["id"]
    shop.gateway.client.simulate_delete(
        path,
        params={"entityId": shop.who.entity_id},
        headers={"Authorization": f"Bearer {shop.who.token}"},
    )
    found = {}
    for stored in ("8" * 32, "8" * 31 + "!", declined, kept):
        refused = shop.post(f"/{shop.prepare()}/payment", {"registrationId": stored})
        detail = refused.json["resultDetails"]["ExtendedDescription"]
        assert refused.status_code == 400 and detail.startswith("registrationId: "), refused.json
        found[code_of(refused)] = detail
    assert list(found) == ["100.150.200", "100.150.101", "100.150.204", "100.150.202"]
