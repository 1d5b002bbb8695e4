"""What is fixed in a checkout and no shopper could correct is refused when it is fixed."""

import pytest

from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop, code_of, named_in
from simulator.tests.kit.gateway import Gateway

CHANNEL = {
    "brands": ["VISA", "PREPAYMENT", "DIRECTDEBIT_SEPA"],
    "three_d_secure": {"VISA": "2.2.0"},
}
SERIES = {
    "standingInstruction.type": "RECURRING",
    "standingInstruction.mode": "INITIAL",
    "standingInstruction.source": "CIT",
}
ALONE = {**SERIES, "standingInstruction.mode": "REPEATED", "standingInstruction.source": "MIT"}
SEPA = {"paymentBrand": "DIRECTDEBIT_SEPA"}
UNPAYABLE = [
    ({"recurringType": "INITIAL", "standingInstruction.mode": "REPEATED"}, "100.900.500"),
    ({"paymentBrand": "MASTER"}, "600.200.201"),
    ({"paymentBrand": "VISSA"}, "100.100.501"),
    ({"paymentBrand": "PREPAYMENT"}, "600.200.310"),
    ({"paymentBrand": "VISA", **SERIES}, "200.300.404"),
    ({**SEPA, "transactionDueDate": "2026-11-19"}, "100.500.301"),
    ({**SEPA, "bankAccount.mandate.dateOfSignature": "2026-11-21"}, "100.500.302"),
    ({"customParameters[forceResultCode]": "1.2.3"}, "600.200.810"),
    ({"card.expiryMonth": "10", "card.expiryYear": "2026"}, "100.100.303"),
    ({**ALONE, "standingInstruction.initialTransactionId": "unknown"}, "600.200.501"),
    ({**SERIES, "standingInstruction.expiry": "2026-11-19"}, "600.200.501"),
]  # fmt: skip
PAYABLE = [
    ({"paymentBrand": "PREPAYMENT", "paymentType": "PA"}),
    ({"paymentBrand": "PREPAYMENT", "overridePaymentType[PREPAYMENT]": "PA"}),
    ({**SEPA, "transactionDueDate": "2026-11-20"}),
    ({"overridePaymentType[MASTER]": "PA"}),
    ({"card.expiryMonth": "11", "card.expiryYear": "2026"}),
    (SERIES),
    ({**SERIES, "standingInstruction.expiry": "2026-11-20"}),
]


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway, merchants=[{"channels": [CHANNEL]}])


@pytest.mark.parametrize(("fixed", "code"), UNPAYABLE)
def test_what_no_shopper_could_correct_is_refused_when_it_is_fixed(
    shop: Shop, fixed: dict[str, str], code: str
) -> None:
    refused = shop.post("", {**SESSION, **fixed})
    assert (refused.status_code, code_of(refused)) == (400, code)
    checkout = shop.prepare()
    refused = shop.post(f"/{checkout}", fixed)
    assert (refused.status_code, code_of(refused)) == (400, code)


@pytest.mark.parametrize("fixed", PAYABLE)
def test_what_some_shopper_can_pay_is_prepared(shop: Shop, fixed: dict[str, str]) -> None:
    shop.prepare({**SESSION, **fixed})


def test_the_duties_of_a_series_with_3d_secure_are_named(shop: Shop) -> None:
    refused = shop.post("", {**SESSION, "paymentBrand": "VISA", **SERIES})
    lacking = {"standingInstruction.expiry", "standingInstruction.frequency"}
    assert set(named_in(refused)) == lacking


def test_a_registration_takes_no_brand_that_the_channel_lacks(shop: Shop) -> None:
    refused = shop.post("", {"createRegistration": "true", "paymentBrand": "MASTER"})
    assert code_of(refused) == "600.200.201"
    shop.prepare({"createRegistration": "true", "paymentBrand": "VISA"})


@pytest.mark.parametrize("mode", ["INITIAL", "REPEATED"])
def test_no_payment_begins_a_series_that_is_over(gateway: Gateway, mode: str) -> None:
    shop = Shop(gateway)
    over = {**SERIES, "standingInstruction.expiry": "2026-11-19", "standingInstruction.mode": mode}
    sent = {**over, "amount": "1.00", "currency": "EUR", "paymentType": "DB", **CARD}
    refused = gateway.send("/v1/payments", {"entityId": shop.who.entity_id, **sent}, shop.who)
    assert code_of(refused) == "600.200.501"
    sent["standingInstruction.expiry"] = "2026-11-20"
    paid = gateway.send("/v1/payments", {"entityId": shop.who.entity_id, **sent}, shop.who)
    assert code_of(paid) == "000.100.110"


@pytest.mark.parametrize(
    ("fixed", "code"),
    [
        ({"overridePaymentType[VIZA]": "PA"}, "100.100.501"),
        ({"overridePaymentType[DIRECTDEBIT_SEPA]": "CD"}, "600.200.310"),
        ({"paymentType": "PA", "amount": "0.00", "overridePaymentType[VISA]": "DB"}, "100.550.300"),
    ],
)
def test_a_type_by_which_its_brand_could_not_pay_is_refused(
    shop: Shop, fixed: dict[str, str], code: str
) -> None:
    refused = shop.post("", {**SESSION, **fixed})
    assert (refused.status_code, code_of(refused)) == (400, code)
    explained = refused.json["resultDetails"]["ExtendedDescription"]
    assert explained.startswith(f"{next(name for name in fixed if '[' in name)}: ")


def test_a_type_of_an_unknown_brand_is_ignored_where_unknown_parameters_are(
    gateway: Gateway,
) -> None:
    shop = Shop(gateway, profile="field")
    shop.prepare({**SESSION, "overridePaymentType[VIZA]": "PA"})


@pytest.mark.parametrize("mode", ["refuse", "repeat"])
def test_a_reference_that_was_paid_with_is_not_prepared_again(gateway: Gateway, mode: str) -> None:
    shop = Shop(gateway, merchants=[{"channels": [{"repeated_merchant_transaction_id": mode}]}])
    order = {"merchantTransactionId": "order-0001"}
    first, other = (shop.prepare({**SESSION, **order}) for _ in range(2))
    shop.post(f"/{first}/payment", {**CARD, "card.holder": "800.100.152"})
    shop.prepare({**SESSION, **order})
    shop.post(f"/{first}/payment", CARD)
    assert code_of(shop.post("", {**SESSION, **order})) == "800.110.100"
    assert code_of(shop.post(f"/{other}", order)) == "800.110.100"
    shop.prepare({**SESSION, "merchantTransactionId": "order-0002"})
