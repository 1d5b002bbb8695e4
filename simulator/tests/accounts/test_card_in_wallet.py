"""What looks at a scheme looks at the card in a wallet, whatever brand the payment has; and what a
wallet agreed to is one payment.
"""

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.wallets import TOKEN, TokenOrder
from simulator.service import wallets as using
from simulator.service.payments.pipeline import refer_payment, take_payment
from simulator.service.registrations import register
from simulator.service.settlement.projecting import clearing_entry
from simulator.tests.kit.making import NOON, Answering, a_context, new_ids
from simulator.tests.kit.stored import charged

MASTER, MAESTRO, VISA = "5454545454545454", "6304000000000000", "4200000000000000"
SUBMERCHANT = "merchant.submerchantId"
PROTOCOLS = {
    "APPLEPAY": "EC_v1", "APPLEPAYTKN": "EC_v1", "MOBILE_WALLET": "EC_v1",
    "CLICK_TO_PAY": "EC_v1", "GOOGLEPAY": "ECv2", "MASTER": "EC_v1",
}  # fmt: skip
DECRYPTED = {
    "card.expiryMonth": "05", "card.expiryYear": "2034", "mobileWallet.source": "app",
    "threeDSecure.verificationId": "AAABBWFlmQAAAABjRWWZEEFgFz8=", "threeDSecure.eci": "02",
}  # fmt: skip


def pay(context, *, brand: str | None, number: str = MASTER, kind: str = "DB", **more: str):
    """A payment of 10.00 EUR by the token of a wallet, for a submerchant."""
    order = TokenOrder(protocol=PROTOCOLS.get(brand or "", "EC_v1"), number=number)
    sent = {
        "paymentType": kind, "amount": "10.00", "currency": "EUR", SUBMERCHANT: "4711",
        TOKEN: using.make_token(context.ports, order), **more,
    }  # fmt: skip
    if brand is not None:
        sent["paymentBrand"] = brand
    return take_payment(context, sent, new_ids(context))


@pytest.mark.parametrize("brand", [*PROTOCOLS, None])
def test_a_submerchant_is_sent_to_the_scheme_of_the_card_in_a_wallet(brand: str | None) -> None:
    acquirer = Answering()
    payment = pay(a_context(acquirer=acquirer), brand=brand)
    assert payment.brand == (brand or "MASTER")
    assert acquirer.asks[0].parameters[SUBMERCHANT] == "4711"


@pytest.mark.parametrize(("number", "travels"), [(MAESTRO, True), (VISA, False)])
@pytest.mark.parametrize("brand", ["APPLEPAY", "GOOGLEPAY"])
def test_the_card_in_a_wallet_says_its_scheme(brand: str, number: str, *, travels: bool) -> None:
    acquirer = Answering()
    pay(a_context(acquirer=acquirer), brand=brand, number=number)
    assert (SUBMERCHANT in acquirer.asks[0].parameters) == travels


def test_what_a_merchant_decrypted_has_a_scheme_too() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    sent = {
        "paymentType": "DB", "amount": "10.00", "currency": "EUR", "paymentBrand": "APPLEPAY",
        "card.number": MASTER, SUBMERCHANT: "4711", **DECRYPTED,
    }  # fmt: skip
    take_payment(context, sent, new_ids(context))
    assert SUBMERCHANT in acquirer.asks[0].parameters


def test_what_refers_to_a_payment_by_wallet_goes_to_its_scheme() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    authorized = pay(context, brand="APPLEPAY", kind="PA")
    sent = {"paymentType": "CP", "amount": "10.00", "currency": "EUR", SUBMERCHANT: "4711"}
    captured = refer_payment(context, authorized.id, sent, new_ids(context))
    refer_payment(context, captured.id, {**sent, "paymentType": "RF"}, new_ids(context))
    assert [ask.parameters.get(SUBMERCHANT) for ask in acquirer.asks] == ["4711"] * 3
    assert (captured.brand, captured.card_brand) == ("APPLEPAY", "MASTER")


def test_a_registration_by_wallet_pays_at_its_scheme() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    made = pay(context, brand="APPLEPAY", createRegistration="true")
    charged(context, made.registration, **{SUBMERCHANT: "4711"})
    assert SUBMERCHANT in acquirer.asks[-1].parameters


@pytest.mark.parametrize(("brand", "known"), [("APPLEPAY", "MASTER"), ("MASTER", "MASTER")])
def test_a_clearing_institute_knows_the_scheme(brand: str, known: str) -> None:
    payment = pay(a_context(), brand=brand)
    assert clearing_entry(payment, NOON).brand == known


def test_a_registration_by_a_token_pays_other_amounts_without_its_cryptogram() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    with pytest.raises(Refusal, match="expected one for 100.00 EUR, got one for 10.00 EUR"):
        pay(context, brand="APPLEPAY", createRegistration="true", amount="100.00")
    made = pay(context, brand="APPLEPAY", createRegistration="true")
    charged(context, made.registration, amount="100.00")
    first, later = acquirer.asks
    assert "threeDSecure.verificationId" in first.parameters
    assert later.money.amount == 100
    assert not any(name.startswith(("threeDSecure", "mobileWallet")) for name in later.parameters)


def test_a_registration_alone_by_a_token_pays_any_amount() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    token = using.make_token(context.ports, TokenOrder(amount="1.00", number=MASTER))
    made = register(context, {"paymentBrand": "APPLEPAY", TOKEN: token}, new_ids(context))
    charged(context, made.id, amount="100.00")
    assert acquirer.asks[-1].money.amount == 100
