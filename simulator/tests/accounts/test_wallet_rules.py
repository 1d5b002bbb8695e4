"""Rules that rest for wallets, whether a token pays or what a merchant decrypted."""

from base64 import b64encode

import pytest

from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import State
from simulator.domain.wallets import TOKEN, TokenOrder
from simulator.service import wallets
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.authenticating import asking, secured
from simulator.tests.kit.checkout_shop import CARD, Shop
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import a_context, new_ids
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

PAID = {"paymentType": "DB", "amount": "10.00", "currency": "EUR"}
CRYPTOGRAM = b64encode(bytes(range(20))).decode()
INITIAL = {"standingInstruction.mode": "INITIAL", "standingInstruction.source": "CIT"}
PROTOCOLS = ("EC_v1", "ECv2")


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_channel_that_requires_a_code_requires_none_of_a_wallet(protocol: str) -> None:
    """Choice: D-145."""
    context = a_context(channel={"cvv": "required"})
    token = wallets.make_token(context.ports, TokenOrder(protocol=protocol))
    paid = take_payment(context, {**PAID, "mobileWallet.paymentToken": token}, new_ids(context))
    assert paid.state is State.COMPLETED

    card = {"card.number": "4200000000000000", "card.expiryMonth": "05", "card.expiryYear": "2034"}
    with pytest.raises(Refusal, match="the channel requires it"):
        take_payment(context, {**PAID, **card}, new_ids(context))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("kind", ["RECURRING", "INSTALLMENT"])
def test_what_a_wallet_carries_is_of_no_other_mpi(protocol: str, kind: str) -> None:
    """Choice: D-124."""
    context = a_context()
    order = TokenOrder(protocol=protocol, cryptogram=CRYPTOGRAM, eci="05")
    token = wallets.make_token(context.ports, order)
    series = {**INITIAL, "standingInstruction.type": kind}
    sent = {**PAID, **series, "mobileWallet.paymentToken": token}
    assert take_payment(context, sent, new_ids(context)).state is State.COMPLETED


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_brand_has_its_own_payment_type_though_only_its_token_says_so(
    gateway: Gateway, protocol: str
) -> None:
    """Source: PAY-06."""
    shop = Shop(gateway)

    def paid_with(number: str) -> tuple[str, str]:
        order = {"protocol": protocol, "number": number, "amount": "92.00", "currency": "EUR"}
        path = f"/sandboxes/{shop.sandbox}/wallet/tokens"
        token = gateway.control("POST", path, order).json["token"]
        checkout = shop.prepare({**PAID, "amount": "92.00", "overridePaymentType[VISA]": "PA"})
        answer = shop.post(f"/{checkout}/payment", {"mobileWallet.paymentToken": token})
        return answer.json["paymentBrand"], answer.json["paymentType"]

    assert paid_with("4200000000000000") == ("VISA", "PA")
    assert paid_with("5454545454545454") == ("MASTER", "DB")


@pytest.mark.parametrize("brand", [None, "VISA", "GOOGLEPAY"])
@pytest.mark.parametrize("carries", [{"cryptogram": ""}, {"cryptogram": CRYPTOGRAM, "eci": "05"}])
def test_a_wallet_is_not_authenticated_whatever_its_token_carries(
    brand: str | None, carries: dict[str, str]
) -> None:
    """Choice: D-193."""
    context = secured(asking())
    token = wallets.make_token(context.ports, TokenOrder(protocol="ECv2", **carries))
    sent = (
        {**PAID, TOKEN: token} if brand is None else {**PAID, TOKEN: token, "paymentBrand": brand}
    )
    paid = take_payment(context, {**sent, **BROWSER, **ADDRESS}, new_ids(context))
    assert paid.state is State.COMPLETED


def test_a_wallet_token_beside_a_registration_is_refused_and_pays_later(gateway: Gateway) -> None:
    """Choice: D-668."""
    shop = Shop(gateway)
    order = {"number": "5454545454545454", "amount": "92.00", "currency": "EUR"}
    token = gateway.control("POST", f"/sandboxes/{shop.sandbox}/wallet/tokens", order).json["token"]
    asked = {"entityId": shop.who.entity_id, **CARD}
    stored = gateway.send("/v1/registrations", asked, shop.who).json["id"]
    checkout = shop.prepare()
    answer = shop.post(f"/{checkout}/payment", {"registrationId": stored, TOKEN: token})
    assert answer.json["result"]["code"] == "200.300.404"
    afterwards = shop.post(f"/{shop.prepare()}/payment", {TOKEN: token}).json
    assert (afterwards["result"]["code"], afterwards["card"]["bin"]) == ("000.100.110", "545454")
