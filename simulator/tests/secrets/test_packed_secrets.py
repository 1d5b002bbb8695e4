"""A wallet token under a wrong name, as JSON or in base64: shown nowhere, as under its own."""

import json
from base64 import b64encode, encodebytes, urlsafe_b64encode
from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote, quote_plus

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import given
from hypothesis import strategies as st

from acquirer_mocks.wallet_provider import make_token, new_keyring
from simulator.client.shown import masking as of_clients
from simulator.domain.masking.masking import MASK, glance, mask_text, masked, shown_text
from simulator.domain.masking.refusals import holds_secret
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.domain.wallets import Recipient, TokenOrder
from simulator.tests.kit.checkout_shop import SESSION, Shop
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import NOON
from simulator.tests.secrets.test_every_way import post, shown_of

KEYS, WHO = new_keyring(), Recipient("merchant.test", "gateway:test")
TOKENS = tuple(
    make_token(TokenOrder(protocol=protocol), KEYS, WHO, NOON) for protocol in ("EC_v1", "ECv2")
)
NAMES = ("mobileWallet.data", "customParameters[x]", "merchantMemo", "note")
SPELLINGS: dict[str, Callable[[str], str]] = {
    "base64":       lambda text: b64encode(text.encode()).decode(),
    "of addresses": lambda text: urlsafe_b64encode(text.encode()).decode(),
    "no padding":   lambda text: b64encode(text.encode()).decode().rstrip("="),
    "percent":      lambda text: quote(b64encode(text.encode()).decode(), safe=""),
    "twice":        lambda text: quote(quote(b64encode(text.encode()).decode(), safe=""), safe=""),
    "in lines":     lambda text: encodebytes(text.encode()).decode().rstrip(),
    "as a text":    lambda text: SPELLINGS["base64"](json.dumps(text)),
    "in a list":    lambda text: SPELLINGS["base64"](f"[{text}]"),
    "base64 twice": lambda text: SPELLINGS["base64"](SPELLINGS["base64"](text)),
    "indented":     lambda text: SPELLINGS["base64"](json.dumps(json.loads(text), indent=2)),
}  # fmt: skip
IDS = {"threeDSServerTransID": "8a880dc0-d2d2-4067-bcb1-b08d1690b26e",
       "acsTransID": "d7c1ee99-9478-44a6-b1f2-391e29c6b340"}  # fmt: skip
OF_BROWSERS = (
    {**IDS, "messageType": "CReq", "messageVersion": "2.2.0", "challengeWindowSize": "05"},
    {**IDS, "messageType": "CRes", "messageVersion": "2.2.0", "transStatus": "Y"},
    {**IDS, "threeDSMethodNotificationURL": "https://shop.example/3ds?number=1"},
    {"alg": "ES256", "typ": "JOSE", "kid": "2026-11"},
)
# Often the digits of a counter.
XIDS = ("MDAwMDAwMDAwMDAwMDAwMzIyNzY=", b64encode(b"0" * 48).decode())


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("spell", SPELLINGS.values(), ids=SPELLINGS)
def test_a_token_in_base64_is_masked_whole_in_any_text(token, spell):
    packed = spell(token)
    for mask in (mask_text, of_clients.masked_text):
        assert mask(packed) == MASK
        assert mask(f"expected digits, got {packed} here") == f"expected digits, got {MASK} here"
    assert glance(json.dumps({"note": packed}).encode()) is None
    assert holds_secret(packed)


@given(st.sampled_from(("eyJ", "ewo", "IntcI", "ZXlK", "W3si")), st.binary(max_size=60))
def test_what_looks_like_base64_may_be_looked_through(beginning, rest):
    packed = b64encode(beginning.encode() + rest).decode()
    for text in (packed, f"{beginning}{packed}", SPELLINGS["of addresses"](packed)):
        mask_text(text)
        of_clients.masked_text(text)
        glance(json.dumps({"note": text}).encode())


@pytest.mark.parametrize("token", TOKENS)
def test_lines_of_base64_that_were_pasted_into_one_are_masked(token):
    lines = encodebytes(token.encode()).decode().split()
    for mask in (mask_text, of_clients.masked_text):
        shown = mask(f"got {' '.join(lines)} here")
        assert shown.startswith(f"got {MASK}") and shown.endswith(" here")
        assert not [line for line in lines[:-1] if line in shown]


@pytest.mark.parametrize("token", TOKENS)
@pytest.mark.parametrize("name", NAMES)
def test_a_token_under_a_wrong_name_is_masked_whole(token, name):
    for value in (token, SPELLINGS["base64"](token), f" {token}"):
        assert masked_parameters({name: value, "amount": "92.00"}).wholly == {
            name: value.replace(value.strip(), MASK), "amount": "92.00"}  # fmt: skip
        assert of_clients.Masking().member(name, value).strip() == MASK


@pytest.mark.parametrize("token", TOKENS)
def test_nothing_is_left_of_a_token_that_is_cut_or_an_object(token):
    packed = SPELLINGS["base64"](token)
    assert packed[:40] not in shown_text(packed) + mask_text(packed[:3000])
    assert token[:60] not in shown_text(token)
    for shown in (masked(json.loads(token)), of_clients.Masking().body(json.loads(token))):
        assert set(shown.values()) == {MASK}
    long = masked_parameters({"a": "x" * 17_000, "b": token, "c": packed}).parameters
    assert long["b"].startswith(MASK) and long["c"].startswith(MASK)


TEXTS = {
    "access token": "OGE4Mjk0MTc0ZTczNWQwYzAxNGU3OGNmMjY0NjE3OTA8c3k2S0pzVDg=",
    "hex token":    "3f9a" * 12,
    "card number":  "4539578763621486",
    "in groups":    "4539 5787 6362 1486",
    "a form":       "paymentBrand=VISA&card.cvv=911",
    "XML":          "<login><password>hunter2hunter2</password></login>",
    "a header":     "Authorization: Bearer OGE4Mjk0MTc0ZTczNWQwYzAxNGU",
    "an address":   "https://shop:hunter2@shop.example/hooks",
    "encoded":      "next=https%3A%2F%2Fshop%3Ahunter2%40shop.example%2Fhooks",
    "escaped":      '{"next":"https:\\u002f\\u002fshop:hunter2@shop.example"}',
    "lines":        "user: jane\r\npassword: hunter2hunter2\r\n",
    "umlauts":      "Überweisung für Jürgen, password=geheim2026",
}  # fmt: skip
PACKINGS: dict[str, Callable[[str], str]] = {
    **{name: SPELLINGS[name] for name in ("base64", "of addresses", "no padding", "base64 twice")},
    "UTF-16":       lambda text: b64encode(text.encode("utf-16")).decode(),
    "big-endian":   lambda text: b64encode(text.encode("utf-16-be")).decode(),
    "behind bytes": lambda text: b64encode(b"\x00\xff\x01" + text.encode()).decode(),
}  # fmt: skip


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("pack", PACKINGS.values(), ids=PACKINGS)
def test_a_text_in_base64_is_masked_where_it_would_be_by_itself(text, pack):
    packed = pack(text)
    for mask in (mask_text, of_clients.masked_text, shown_text):
        is_masked = mask(text) != text
        assert (packed[:24] not in mask(f"got {packed} here")) == is_masked
    assert mask_text(text) == text or glance(json.dumps({"note": packed}).encode()) is None
    harmless = pack("Thank you for your order of 2 bottles, Jane!")
    assert mask_text(harmless) == of_clients.masked_text(harmless) == harmless


@pytest.mark.parametrize("width", [20, 32, 40, 48, 56, 64, 76])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\n    ", " \r\n\t", "\n\n", "\\r\\n", "%0D%0A",
                                 "<br>", "&#10;"])  # fmt: skip
def test_lines_of_any_width_are_one_text(width, end):
    secret = "deliver by the back " + "3f9a" * 12 + " or with 4539578763621486 at noon"
    for packed in (b64encode(secret.encode()).decode(), SPELLINGS["base64"](TOKENS[0])):
        lines = [packed[place : place + width] for place in range(0, len(packed), width)]
        for mask in (mask_text, of_clients.masked_text):
            shown = mask(f"got {end.join(lines)} here")
            assert not [line for line in lines[:-1] if line in shown], shown


def test_ids_in_lines_stay_readable():
    lines = "\n".join(
        f"{number:032x}"[::-1].replace("0", "c") for number in range(7**5, 7**5 + 900)
    )

    assert mask_text(lines) == of_clients.masked_text(lines) == lines


def test_a_long_text_in_base64_is_masked_unseen():
    packed = b64encode(b"Thank you for your order. " * 600).decode()

    assert mask_text(packed) == of_clients.masked_text(packed) == MASK
    assert mask_text(packed[:16_000]) == packed[:16_000]


@pytest.mark.parametrize("secret", [{"cvv": "123"}, {"a": [{"password": "hunter2"}]}])
def test_other_json_in_base64_with_a_secret_is_masked(secret):
    packed = SPELLINGS["base64"](json.dumps(secret))
    assert mask_text(packed) == of_clients.masked_text(packed) == MASK


@pytest.mark.parametrize("form", [PrivateFormat.OpenSSH, PrivateFormat.PKCS8])
@pytest.mark.parametrize("spell", [str, quote, quote_plus, json.dumps])
def test_a_private_key_is_masked_in_any_text(form, spell):
    key = Ed25519PrivateKey.generate().private_bytes(Encoding.PEM, form, NoEncryption()).decode()
    text = spell(f"key {key} end")
    for mask in (mask_text, of_clients.masked_text, shown_text):
        shown = mask(text)
        assert not [line for line in key.split("\n")[1:-2] if line[:30] in shown], shown
    for pack in (PACKINGS["base64"], PACKINGS["base64 twice"], SPELLINGS["in lines"]):
        assert mask_text(pack(key)) == of_clients.masked_text(pack(key)) == MASK
    assert key.split("\n")[1][:30] not in mask_text(text[: len(text) // 2])
    assert glance(json.dumps({"note": text}).encode()) is None


@pytest.mark.parametrize("message", OF_BROWSERS)
def test_messages_of_browsers_without_a_secret_are_shown(message):
    for spell in (SPELLINGS["base64"], SPELLINGS["of addresses"], SPELLINGS["indented"]):
        packed = spell(json.dumps(message))
        assert mask_text(packed) == of_clients.masked_text(packed) == packed
        raw = json.dumps({"creq": packed}).encode()
        assert glance(raw) is raw


@pytest.mark.parametrize("xid", XIDS)
def test_the_id_of_a_transaction_of_3d_secure_is_shown(xid):
    sent = {"threeDSecure.xid": xid, "threeDSecure.eci": "02"}

    assert mask_text(xid) == of_clients.masked_text(xid) == xid
    assert masked(sent) == sent
    assert masked_parameters(sent).wholly == sent


def test_no_place_shows_a_token_that_was_sent_under_a_wrong_name(tmp_path: Path):
    gateway = Gateway(tmp_path / "data")
    try:
        shop = Shop(gateway)
        path = f"/sandboxes/{shop.sandbox}/wallet/tokens"
        made = [gateway.control("POST", path, {"protocol": each}) for each in ("EC_v1", "ECv2")]
        sent = [spell(each.json["token"]) for each in made for spell in (str, *_packed())]
        for value in sent:
            for name in NAMES:
                post(shop, "/v1/payments", {**SESSION, name: value})
            gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", {"behaviour": value})
            gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", {value: 1})
        shown = "".join(shown_of(shop).values()).replace('\\"', '"')
    finally:
        gateway.close()
    assert not [value for value in sent if value[-200:-40] in shown]


def _packed() -> list[Callable[[str], str]]:
    return [SPELLINGS[each] for each in ("base64", "of addresses", "in lines")]
