"""A wallet token written otherwise is the same token, or none."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from acquirer_mocks.wallet_provider import make_token, new_keyring
from simulator.adapters.wallets.tokens import TokenWallets
from simulator.domain.core.errors import Refusal
from simulator.domain.wallets import Protocol, Recipient, TokenOrder
from simulator.service import wallets as using
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.making import NOON, a_context, new_ids

KEYS = new_keyring()
WHO = Recipient("merchant.test", "gateway:test")
WALLETS = TokenWallets(new_keys=new_keyring, make=make_token)
PAID = {"paymentType": "DB", "amount": "10.00", "currency": "EUR"}
BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
SPARE_BITS = {1: 2, 2: 4}


def blank_in_id(token: dict[str, Any], at: int) -> None:
    digits = token["header"]["transactionId"]
    token["header"]["transactionId"] = f"{digits[:at]} {digits[at:]}"


def moved(token: dict[str, Any], count: int) -> None:
    """The last digits of the transaction id stand before the application data."""
    header = token["header"]
    digits = header["transactionId"]
    header["transactionId"] = digits[:-count]
    header["applicationData"] = digits[-count:] + (header.get("applicationData") or "")


def with_spare_bits(text: str) -> str:
    """Base64 of the same bytes, with another last sign where there is one."""
    count = text.count("=")
    if not count:
        return text
    last = BASE64[BASE64.index(text[-count - 1]) | (SPARE_BITS[count] - 1)]
    return text[: -count - 1] + last + "=" * count


def spare_bits(token: dict[str, Any]) -> None:
    for part in (token, token.get("header", {})):
        for name in ("data", "signature", "ephemeralPublicKey"):
            if name in part:
                part[name] = with_spare_bits(part[name])


WAYS: dict[str, Callable[[dict[str, Any]], None]] = {
    "blank at 2":     lambda token: blank_in_id(token, 2),
    "blank at 30":    lambda token: blank_in_id(token, 30),
    "blank first":    lambda token: blank_in_id(token, 0),
    "blank last":     lambda token: blank_in_id(token, 64),
    "tab":            lambda token: token["header"].update(
                          transactionId=token["header"]["transactionId"] + "\t"),
    "2 digits moved": lambda token: moved(token, 2),
    "4 digits moved": lambda token: moved(token, 4),
    "all moved":      lambda token: moved(token, 64),
    "capitals":       lambda token: token["header"].update(
                          transactionId=token["header"]["transactionId"].upper()),
    "no data":        lambda token: token["header"].update(applicationData=""),
    "blank data":     lambda token: token["header"].update(applicationData=" "),
    "spare bits":     spare_bits,
    "another name":   lambda token: token.update(more="1"),
}  # fmt: skip


def a_token(protocol: Protocol) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(make_token(TokenOrder(protocol=protocol), KEYS, WHO, NOON))
    return made


def identity_of(token: dict[str, Any]) -> str | None:
    """What the gateway remembers of a token; None where it refuses it."""
    try:
        return WALLETS.open(json.dumps(token), KEYS, WHO, NOON).identity
    except Refusal as refusal:
        assert refusal.code == "200.100.602"
        return None


@pytest.mark.parametrize("way", WAYS)
def test_a_token_of_the_first_kind_has_one_identity(way: str) -> None:
    token = a_token("EC_v1")
    identity = identity_of(token)
    WAYS[way](token)
    assert identity_of(token) in (identity, None)


@pytest.mark.parametrize("way", ["spare bits", "another name"])
def test_a_token_of_the_second_kind_has_one_identity(way: str) -> None:
    token = a_token("ECv2")
    identity = identity_of(token)
    WAYS[way](token)
    token["signature"] = with_spare_bits(token["signature"])
    assert identity_of(token) in (identity, None)


@pytest.mark.parametrize("name", ["transactionId", "applicationData"])
@pytest.mark.parametrize("value", ["", "ab", "ab" * 31, "ab" * 33, "xy" * 32, "٣" * 64, "ab " * 32])
def test_a_hash_of_a_header_has_sixty_four_hex_digits(name: str, value: str) -> None:
    if name == "applicationData" and not value:
        return
    token = a_token("EC_v1")
    token["header"][name] = value
    assert identity_of(token) is None


@pytest.mark.parametrize("way", WAYS)
def test_a_token_written_otherwise_pays_once(way: str) -> None:
    context = a_context()
    token = json.loads(using.make_token(context.ports, TokenOrder()))
    take_payment(
        context, {**PAID, "mobileWallet.paymentToken": json.dumps(token)}, new_ids(context)
    )
    WAYS[way](token)
    sent = {**PAID, "mobileWallet.paymentToken": json.dumps(token)}
    with pytest.raises(Refusal):
        take_payment(context, sent, new_ids(context))


@pytest.mark.parametrize("brand", ["EPS", "GIROPAY", "PAYPAL"])
def test_a_token_beside_a_brand_of_another_account_is_not_used(brand: str) -> None:
    context = a_context()
    sent = {**PAID, "mobileWallet.paymentToken": using.make_token(context.ports, TokenOrder())}
    beside = {"paymentBrand": brand, "shopperResultUrl": "https://shop.example/back"}
    take_payment(context, {**sent, **beside}, new_ids(context))
    assert take_payment(context, sent, new_ids(context)).card is not None
