"""Wallet tokens of both protocols: opened if they are right, refused if anything is wrong."""

import json
import shutil
import subprocess
from base64 import b64decode, b64encode
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from asn1crypto.cms import ContentInfo
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from acquirer_mocks.wallet_provider import make_token, new_keyring
from simulator.adapters.wallets.ec_v1 import EcV1Header, signed_content
from simulator.adapters.wallets.ecv2 import SIGNATURES_MAX
from simulator.adapters.wallets.tokens import TokenWallets
from simulator.domain.core.errors import InvalidInputError, Refusal
from simulator.domain.core.money import Money, read_amount
from simulator.domain.core.records import Payment
from simulator.domain.masking.masking import mask_reason
from simulator.domain.wallets import (
    InvalidWalletTokenError,
    Recipient,
    TokenOrder,
    WalletCard,
)
from simulator.service import wallets as using
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway
from simulator.tests.kit.making import NOON, Answering, a_context, new_ids
from simulator.tests.kit.twins import HandClock

KEYS = new_keyring()
WHO = Recipient("merchant.test", "gateway:test")
WALLETS = TokenWallets(new_keys=new_keyring, make=make_token)
PROTOCOLS = ("EC_v1", "ECv2")
CRYPTOGRAM = b64encode(bytes(range(20))).decode()
PAID = {"paymentType": "DB", "amount": "10.00", "currency": "EUR"}


def a_token(protocol: str = "EC_v1", **order: object) -> str:
    return make_token(TokenOrder(protocol=protocol, **order), KEYS, WHO, NOON)


def opened(token: str, **changed: object) -> WalletCard:
    asked = {"keys": KEYS, "recipient": WHO, "now": NOON, **changed}
    return WALLETS.open(token, **asked)


def code_of(token: str, **changed: object) -> str:
    with pytest.raises(Refusal) as caught:
        opened(token, **changed)
    return caught.value.code


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_token_carries_the_card(protocol: str) -> None:
    card = opened(
        a_token(protocol, number="5454545454545454", expiryMonth="07", expiryYear="2031",
                cryptogram=CRYPTOGRAM, eci="02")
    )  # fmt: skip
    assert card[:5] == ("5454545454545454", "07", "2031", CRYPTOGRAM, "02")


def test_ec_v1_carries_what_the_shopper_agreed_to() -> None:
    for amount, currency in (("12.34", "EUR"), ("500.00", "JPY"), ("7.50", "KWD")):
        money = opened(a_token(amount=amount, currency=currency)).money
        assert money == Money(read_amount(amount), currency)


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize(
    ("fault", "code", "words"),
    [
        ("signature",   "200.100.602", "signature"),
        ("certificate", "200.100.602", "valid|expired"),
        ("chain",       "200.100.602", "certificate|intermediate"),
        ("recipient",   "200.100.603", "our key"),
        ("stale",       "200.100.602", "signed within|expired"),
    ],
)  # fmt: skip
def test_an_invalid_token_is_refused_for_what_is_wrong(
    protocol: str, fault: str, code: str, words: str
) -> None:
    with pytest.raises(Refusal, match=words) as caught:
        opened(a_token(protocol, fault=fault))
    assert caught.value.code == code
    # Nothing of what a library says.
    assert not set("<>") & set(caught.value.detail)
    # An answer takes none of its words for the token.
    assert mask_reason(caught.value.detail) == caught.value.detail


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_token_grows_old(protocol: str) -> None:
    token = a_token(protocol)
    assert opened(token, now=NOON + timedelta(minutes=4))
    assert code_of(token, now=NOON + timedelta(hours=2)) == "200.100.602"


@pytest.mark.parametrize("year", [1970, 2049, 2050, 2100, 2999])
@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_token_is_made_and_opened_at_any_time_of_a_clock(protocol: str, year: int) -> None:
    now = NOON.replace(year=year)
    order = TokenOrder(protocol=protocol)
    assert opened(make_token(order, KEYS, WHO, now), now=now).number == order.number

    stale = make_token(replace(order, fault="stale"), KEYS, WHO, now)
    assert code_of(stale, now=now) == "200.100.602"


@pytest.mark.parametrize("protocol", PROTOCOLS)
def test_a_token_is_for_one_recipient(protocol: str) -> None:
    token = a_token(protocol)
    assert code_of(token, recipient=Recipient("merchant.other", "gateway:other"))
    assert code_of(token, keys=KEYS._replace(recipient=new_keyring().recipient))


@pytest.mark.parametrize("protocol", PROTOCOLS)
@given(data=st.data())
def test_no_changed_character_goes_unnoticed(protocol: str, data: st.DataObject) -> None:
    token = TOKENS[protocol]
    place = data.draw(st.integers(0, len(token) - 1))
    sign = data.draw(st.characters(codec="ascii"))
    changed = token[:place] + sign + token[place + 1 :]
    try:
        card = opened(changed)
    except Refusal as refusal:
        assert refusal.code in ("200.100.602", "200.100.603")
    else:
        # What means the same, such as another spelling of a hash in hex, is the same token.
        assert card == opened(token)


TOKENS = {protocol: a_token(protocol) for protocol in PROTOCOLS}


def test_a_key_with_more_signatures_than_are_tried_is_refused() -> None:
    parts = json.loads(TOKENS["ECv2"])
    key = parts["intermediateSigningKey"]
    right = key["signatures"]
    key["signatures"] = ["MAYCAQECAQE="] * (SIGNATURES_MAX - 1) + right
    assert opened(json.dumps(parts))
    key["signatures"] = ["MAYCAQECAQE="] * SIGNATURES_MAX + right
    with pytest.raises(InvalidWalletTokenError):
        opened(json.dumps(parts))


def test_a_certificate_of_an_unknown_version_is_refused() -> None:
    token = json.loads(TOKENS["EC_v1"])
    message = b64decode(token["signature"])
    third, seventh = bytes.fromhex("a003020102"), bytes.fromhex("a003020106")
    assert third in message
    token["signature"] = b64encode(message.replace(third, seventh)).decode()

    assert code_of(json.dumps(token)) == "200.100.602"


@given(st.text(max_size=400))
def test_nothing_else_is_a_token(text: str) -> None:
    assert code_of(text) == "200.100.602"


DEEP = "[" * 5000, '{"a":' * 5000, '{"a":' + "[" * 1500 + "]" * 1500 + "}"


@pytest.mark.parametrize("deep", DEEP, ids=["lists", "objects", "whole"])
@pytest.mark.parametrize(
    ("protocol", "path"),
    [("EC_v1", ("more",)), ("EC_v1", ("header", "more")), ("ECv2", ("more",)),
     ("ECv2", ("intermediateSigningKey", "more"))],
)  # fmt: skip
def test_a_token_that_is_nested_deeply_is_refused(
    protocol: str, path: tuple[str, ...], deep: str
) -> None:
    parts = json.loads(TOKENS[protocol])
    inner = parts
    for name in path[:-1]:
        inner = inner[name]
    inner[path[-1]] = "here"
    assert code_of(json.dumps(parts).replace('"here"', deep)) == "200.100.602"
    assert code_of(deep) == "200.100.602"


@pytest.mark.parametrize("deep", DEEP, ids=["lists", "objects", "whole"])
@pytest.mark.parametrize("part", ["signedKey", "signedMessage"])
def test_a_signed_part_that_is_nested_deeply_is_refused(part: str, deep: str) -> None:
    parts = json.loads(TOKENS["ECv2"])
    inner = parts if part in parts else parts["intermediateSigningKey"]
    inner[part] = inner[part].replace("{", '{"more":' + deep + ",", 1)
    assert code_of(json.dumps(parts)) == "200.100.602"


MESSAGE_DIGEST, SIGNING_TIME = "message_digest", "signing_time"


@pytest.mark.parametrize("emptied", [MESSAGE_DIGEST, SIGNING_TIME])
def test_a_signature_with_an_attribute_without_value_is_refused(emptied: str) -> None:
    token = json.loads(TOKENS["EC_v1"])
    message = ContentInfo.load(b64decode(token["signature"]))
    for attribute in message["content"]["signer_infos"][0]["signed_attrs"]:
        if attribute["type"].native == emptied:
            attribute["values"] = []
    token["signature"] = b64encode(message.dump(force=True)).decode()

    assert code_of(json.dumps(token)) == "200.100.602"


NUMBER = "5454545454545454"


@pytest.mark.parametrize("protocol", PROTOCOLS)
@pytest.mark.parametrize("carried", ["cryptogram", "eci"])
@pytest.mark.parametrize(
    "value", [NUMBER, "5454 5454 5454 5454", "x" * 4000, "\0\n\u202e", "\x1b[31m", "05\n", "0"]
)
def test_what_a_token_carries_obeys_the_rows_and_is_never_repeated(
    gateway: Gateway, protocol: str, carried: str, value: str
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    order = {"protocol": protocol, carried: value}
    made = gateway.control("POST", f"/sandboxes/{sandbox}/wallet/tokens", order)
    sent = {**PAID, "entityId": gateway.merchant.entity_id,
            "mobileWallet.paymentToken": made.json["token"]}  # fmt: skip
    answer = gateway.send("/v1/payments", sent)
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "200.100.602")
    assert json.dumps(value)[1:-1] not in answer.text or len(value) < 3


@pytest.mark.parametrize("left_out", ["data", "signature", "header", "version"])
def test_a_token_without_a_part_is_refused(left_out: str) -> None:
    parts = json.loads(a_token())
    del parts[left_out]
    assert code_of(json.dumps(parts)) == "200.100.602"


def test_another_program_finds_the_signature_right(tmp_path: Path) -> None:
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("no openssl on this machine")
    token = json.loads(a_token())
    content = signed_content(EcV1Header(**token["header"]), b64decode(token["data"]))
    files = {"signature": b64decode(token["signature"]), "content": content,
             "authority": KEYS.certificate.encode()}  # fmt: skip
    for name, kept in files.items():
        (tmp_path / name).write_bytes(kept)
    command = [openssl, "cms", "-verify", "-binary", "-inform", "DER", "-in", "signature",
               "-content", "content", "-CAfile", "authority", "-purpose", "any",
               "-attime", str(int(NOON.timestamp())), "-out", "verified"]  # fmt: skip
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_a_payment_by_token_is_one_by_card() -> None:
    acquirer = Answering()
    context = a_context(acquirer=acquirer)
    order = TokenOrder(cryptogram=CRYPTOGRAM, eci="05", amount="10.00")
    token = using.make_token(context.ports, order)
    payment = take_payment(context, {**PAID, "mobileWallet.paymentToken": token}, new_ids(context))
    assert (payment.brand, payment.card.bin) == ("VISA", "420000")
    (ask,) = acquirer.asks
    assert ask.number == "4200000000000000"
    assert ask.parameters["threeDSecure.verificationId"] == CRYPTOGRAM
    assert ask.parameters["threeDSecure.eci"] == "05"
    assert token not in str(payment)


def test_a_token_pays_once_whatever_came_of_it() -> None:
    context = a_context()
    sent = {**PAID, "mobileWallet.paymentToken": using.make_token(context.ports, TokenOrder())}
    first = take_payment(context, sent, new_ids(context))
    with pytest.raises(Refusal, match="used before"):
        take_payment(context, sent, new_ids(context))
    assert [each.id for each in context.ports.store.between(Payment, "host_history", "", "~")] == [
        first.id
    ]


def test_a_refused_payment_leaves_its_token_good() -> None:
    context = a_context()
    token = using.make_token(context.ports, TokenOrder())
    with pytest.raises(Refusal, match="expected one for 10.01 EUR, got one for 10.00 EUR"):
        take_payment(
            context,
            {**PAID, "amount": "10.01", "mobileWallet.paymentToken": token},
            new_ids(context),
        )
    assert take_payment(context, {**PAID, "mobileWallet.paymentToken": token}, new_ids(context))


def test_the_clock_of_the_sandbox_judges() -> None:
    clock = HandClock(NOON)
    context = a_context(clock=clock)
    token = using.make_token(context.ports, TokenOrder())
    late = replace(new_ids(context), now=NOON + timedelta(minutes=6))
    with pytest.raises(Refusal, match="signed within 5 minutes"):
        take_payment(context, {**PAID, "mobileWallet.paymentToken": token}, late)


@pytest.mark.parametrize(
    "order",
    [{"number": "42"}, {"expiryMonth": "13"}, {"expiryYear": "34"}, {"amount": "1,00"},
     {"currency": "EURO"}],
)  # fmt: skip
def test_an_order_that_no_wallet_would_take_is_refused(order: dict) -> None:
    with pytest.raises(InvalidInputError) as caught:
        using.make_token(a_context().ports, TokenOrder(**order))
    assert caught.value.where in order
    assert order.get("number", "-") not in str(caught.value)


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path / "data")
    yield made
    made.close()


def test_the_control_api_makes_tokens_that_pay(gateway: Gateway) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    about = gateway.control("GET", f"/sandboxes/{sandbox}/wallet").json
    assert sandbox in about["merchant"] and "BEGIN CERTIFICATE" in about["certificate"]
    for protocol in PROTOCOLS:
        order = {"protocol": protocol, "amount": "92.00"}
        made = gateway.control("POST", f"/sandboxes/{sandbox}/wallet/tokens", order)
        sent = {**PAID, "amount": "92.00", "entityId": gateway.merchant.entity_id,
                "mobileWallet.paymentToken": made.json["token"]}  # fmt: skip
        answer = gateway.send("/v1/payments", sent)
        assert (answer.status_code, answer.json["paymentBrand"]) == (200, "VISA")
        assert answer.json["card"]["last4Digits"] == "0000"
        again = gateway.send("/v1/payments", sent)
        assert (again.status_code, again.json["result"]["code"]) == (400, "200.100.602")
        shown = gateway.control("GET", f"/sandboxes/{sandbox}/journal").text
        assert made.json["token"][:40] not in shown and "4200000000000000" not in shown
    assert CONTROL_KEY not in shown


def test_a_reset_sandbox_has_other_keys(gateway: Gateway) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    path = f"/sandboxes/{sandbox}/wallet"
    before = gateway.control("GET", path).json
    assert gateway.control("GET", path).json == before
    gateway.control("POST", f"/sandboxes/{sandbox}/reset", {})
    assert gateway.control("GET", path).json["certificate"] != before["certificate"]
