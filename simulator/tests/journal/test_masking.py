"""What is hidden, and what stays readable beside it."""

import re
from collections.abc import Callable

import msgspec
import pytest

from simulator.catalogue.fields.parameters import TABLES
from simulator.client.spelled_numbers import DIGIT
from simulator.domain.journal.exchanges import masked_accounts
from simulator.domain.masking.card_numbers import has_card_number
from simulator.domain.masking.looks import ODD_DIGIT
from simulator.domain.masking.masking import (
    MASK,
    ValueKind,
    glance,
    kind_of,
    mask_text,
    mask_url,
    masked,
)
from simulator.domain.masking.shown_parameters import masked_parameters
from simulator.grammar.parameters import REQUEST

NUMBER = "4200000000000000"
SHOWN = "420000******0000"
ID = "8" + NUMBER + "ab0123456789abc"
KEY = "0123456789ab" * 4


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (NUMBER, SHOWN),
        (f"order {NUMBER}, please", f"order {SHOWN}, please"),
        (f"x{NUMBER}y", f"x{SHOWN}y"),
        ("5 4200 0000 0000 0000 7", f"5 {SHOWN} 7"),
        ("4200-0000-0000-0000", SHOWN),
        (f"00 {NUMBER}", f"00 {SHOWN}"),
        ("3782 822463 10005", "***********0005"),
        ("378282246310005", "***********0005"),
        (f"{NUMBER} and {NUMBER}", f"{SHOWN} and {SHOWN}"),
        (f"9{NUMBER}", "942000*******0000"),
        ("6212345678901234", "621234******1234"),
        ("1" * 40, "111111" + "*" * 30 + "1111"),
        (KEY, MASK),
        # The digits in it look like a card number: of the token of a page most was shown.
        ("/redirect/bd23ac5389db466bf43927434814220443c31b23187c5320", f"/redirect/{MASK}"),
        # What is left of one in an error that is cut.
        (f"expected a span, got {KEY[:40]}", f"expected a span, got {MASK}"),
        ("Authorization: Bearer abc.def-123456", "Authorization: Bearer ***"),
        ("Authorization: zebra-quince", "Authorization: ***"),
        ("auth: Bearer abcd1234efgh", "auth: Bearer ***"),
        ("Authorization: Basic dXNlcjpwYXNz", "Authorization: Basic ***"),
        ("Authorization:  Bearer quince", "Authorization:  Bearer ***"),
        ("Authorization: Token zebra-quince", "Authorization: Token ***"),
        ("bearer=zebra-quince", "bearer=***"),
        ("cardCode: 739, card code=739", "cardCode: ***, card code=***"),
        ("tan=482913 TAN: 482913", "tan=*** TAN: ***"),
        ("distance=44, standard: 12, AuthCode=1", "distance=44, standard: 12, AuthCode=1"),
        ("card.cvv=123&amount=92.00", "card.cvv=***&amount=92.00"),
        ("{'card.cvv': '1 3', 'amount': '92.00'}", "{'card.cvv': ***, 'amount': '92.00'}"),
        ('{"accessToken":"abc","x":1}', '{"accessToken":***,"x":1}'),
        ("https://shop.example/done?token=abc", "https://shop.example/done?token=***"),
    ],
)
def test_what_a_text_may_not_show_is_masked(text: str, shown: str) -> None:
    assert mask_text(text) == shown


WRITTEN = (
    lambda sign: f"%3{sign}",
    lambda sign: f"\\x3{sign}",
    lambda sign: f"\\u003{sign}",
    lambda sign: f"%3{sign}-",
    lambda sign: f"%3{sign}" if sign in "02468" else sign,
    lambda sign: f"%3{sign}" if sign in "13579" else sign,
)


@pytest.mark.parametrize("write", WRITTEN)
@pytest.mark.parametrize("number", ["5200828282828210", "4539578763621486", "378282246310005"])
def test_digits_that_are_written_out_are_digits(write: Callable[[str], str], number: str) -> None:
    text = f"order {''.join(map(write, number))} of a day%20%33"

    shown = mask_text(text)

    assert number[6:-4] not in re.sub("[^0-9]", "", shown)
    assert shown.startswith("order ") and shown.endswith(" of a day%203") and "*" in shown
    assert has_card_number(text) and glance(msgspec.json.encode([text])) is None


def test_a_number_before_a_written_digit_is_masked_beside_a_written_number() -> None:
    """Together with the digit behind it the first one is no card number."""
    number = "5200828282828210"
    written = "".join(f"%3{sign}" for sign in number)

    assert mask_text(f"{number}%31 {written}") == "520082******82101 520082******8210"


@pytest.mark.parametrize(
    "text",
    [
        ID,
        f"{ID}-{ID}",
        f"{ID}_{ID}",
        f"/v1/payments/{ID}",
        "/v1/checkouts/769DC0AF7F8FF8E6706571905670F575.ad2sxsxek3mwuk0/payment",
        "2026-11-20 12:00:00+0000",
        "1234.5678.9012",
        "4200000000000001",
        "20261120120000",
        "expected the Bearer scheme",
        "shipping: next day",
        "/shop?from=12%3A30%3A15&to=%32%30%32%36-11-26",
        "50%35 \\u0031\\x32 100%30 and 4200000000000001%31",
        "92.00 EUR",
    ],
)
def test_ids_instants_and_other_digits_stay_readable(text: str) -> None:
    assert mask_text(text) == text


def test_each_sign_that_reads_as_a_digit_is_one():
    signs = "".join(map(chr, range(0x110000)))
    digits = [sign for sign in signs if sign.isdigit()]
    assert re.findall(DIGIT, signs) == digits
    assert all(sign.isascii() or ODD_DIGIT.search(sign.encode()) for sign in digits)


def test_the_id_of_a_checkout_is_no_number_at_a_glance() -> None:
    encoded = b'{"path": "/v1/checkouts/3378FDD89E3681D3F936172424637C8D.vno9mzgelj9wg4a"}'
    assert glance(encoded) is encoded


def test_an_id_is_recognised_by_its_form_alone():
    assert mask_text("8" + NUMBER + "0" * 15) != "8" + NUMBER + "0" * 15


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("card.number", ValueKind.CARD_NUMBER),
        ("card.cvv", ValueKind.SECRET),
        ("card.numbr", ValueKind.SECRET),
        ("CARD.Number", ValueKind.CARD_NUMBER),
        ("cardNumber", ValueKind.CARD_NUMBER),
        ("customParameters[pan]", ValueKind.CARD_NUMBER),
        ("customParameters[cvc2]", ValueKind.SECRET),
        ("customParameters[accessToken]", ValueKind.SECRET),
        ("customParameters[user_pin]", ValueKind.SECRET),
        ("customParameters[userPin]", ValueKind.SECRET),
        ("password", ValueKind.SECRET),
        ("x" * 5000, ValueKind.SECRET),
        ("customParameters[shippingInfo]", ValueKind.PLAIN),
        ("customParameters[company]", ValueKind.PLAIN),
        ("bankAccount.iban", ValueKind.BANK_NUMBER),
        ("bankAccount.number", ValueKind.BANK_NUMBER),
        ("merchant.bankAccount.number", ValueKind.BANK_NUMBER),
        ("iban", ValueKind.BANK_NUMBER),
        ("bankAccount.bankCode", ValueKind.PLAIN),
        ("bankAccount.holder", ValueKind.PLAIN),
        ("card.holder", ValueKind.PLAIN),
        ("cvvResponse", ValueKind.PLAIN),
    ],
)
def test_a_name_says_what_its_value_is(name: str, kind: ValueKind) -> None:
    assert kind_of(name) is kind


def test_of_the_catalogue_the_secret_rows_are_hidden_and_no_others():
    hidden = {
        row.name
        for table in TABLES
        for row in table.rows
        for name in row.concrete_names
        if row.direction == REQUEST and kind_of(name.replace("[n]", "[0]")) is not ValueKind.PLAIN
    }
    secret = {row.name for table in TABLES for row in table.rows if row.secret}
    assert hidden == secret | {"bankAccount.iban", "bankAccount.number"}


@pytest.mark.parametrize(
    ("number", "shown"),
    [
        ("DE89370400440532013000", "DE" + "*" * 16 + "3000"),
        ("GB82WEST12345698765432", "GB" + "*" * 16 + "5432"),
        ("0532013000", "******3000"),
        ("12345678", "****5678"),
        ("1234567", MASK),
    ],
)
def test_a_bank_account_is_shown_by_its_country_and_its_end(number: str, shown: str) -> None:
    sent = masked_parameters({"bankAccount.iban": number, "merchantMemo": f"from {number}"})
    assert sent.parameters["bankAccount.iban"] == shown
    assert number in sent.secrets
    assert not sent.is_clean
    answer = msgspec.json.encode({"bankAccount": {"iban": number, "holder": "Jane"}})
    read = msgspec.json.decode(masked_accounts(answer))
    assert read == {"bankAccount": {"iban": shown, "holder": "Jane"}}


def test_the_account_of_the_merchant_is_masked_as_well() -> None:
    account = {"holder": "Jones", "number": "GB82WEST12345698765432"}
    answer = msgspec.json.encode({"merchant": {"bankAccount": account}})
    assert b"WEST" not in masked_accounts(answer)
    assert masked_accounts(b'{"amount":"1.00"}') == b'{"amount":"1.00"}'


def test_parameters_keep_their_order_and_tell_what_was_hidden():
    sent = {"card.number": NUMBER, "card.holder": "Jane", "card.cvv": "123", "pin": "987654"}

    shown = masked_parameters(sent)

    assert list(shown.parameters.items()) == [
        ("card.number", SHOWN), ("card.holder", "Jane"), ("card.cvv", MASK), ("pin", MASK),
    ]  # fmt: skip
    assert shown.secrets == [NUMBER, "987654"]
    assert shown.is_clean


@pytest.mark.parametrize(
    "sent",
    [
        {"merchantMemo": NUMBER},
        {"merchantMemo": "4200 0000 0000 0000"},
        {f"customParameters[{NUMBER}]": "x"},
        {"card.cvv": "hush-hush", "merchantMemo": "it is hush-hush"},
        {"merchantMemo": "the bearer"},
    ],
)
def test_parameters_tell_that_there_is_more_to_mask(sent: dict) -> None:
    assert not masked_parameters(sent, ["bearer"]).is_clean


@pytest.mark.parametrize(
    "value", ["12345", "4200x00000000000", "", "420000*****x0000", "*1234567890"]
)
def test_what_is_no_card_number_is_hidden_wholly_under_its_name(value: str) -> None:
    assert masked_parameters({"card.number": value}).parameters == {"card.number": MASK}


def test_a_parameter_with_an_address_keeps_the_address():
    sent = {"shopperResultUrl": "https://shop.example/done?order=1&token=abc"}

    shown = masked_parameters(sent).parameters

    assert shown == {"shopperResultUrl": "https://shop.example/done?order=1&token=***"}


@pytest.mark.parametrize("memo", ["short", "long " * 4000])
def test_the_address_that_is_called_loses_its_query(memo: str) -> None:
    sent = {"notificationUrl": "https://shop.example/hooks?k=opens", "merchantMemo": memo}

    shown = masked_parameters(sent).parameters

    assert shown["notificationUrl"] == "https://shop.example/hooks?***"
    spelled = {"notificationUrl": "https://jane:hu?sh@shop.example/hooks?k=opens"}
    assert "hu" not in str(masked_parameters(spelled).parameters)
    plain = {"notificationUrl": "https://shop.example/hooks"}
    assert masked_parameters(plain).parameters == plain


def test_an_address_loses_user_and_query():
    url = "https://jane:hush@hooks.example:4711/a/b?x=1"
    assert mask_url(url) == "https://hooks.example:4711/a/b?***"
    assert mask_url("inbox") == "inbox"
    assert "hu" not in mask_url("https://jane:hu?sh@hooks.example/a?x=1")


def test_a_glance_masks_runs_of_digits_and_leaves_ids():
    encoded = msgspec.json.encode({"id": ID, "memo": f"paid with {NUMBER}", "again": NUMBER})

    assert msgspec.json.decode(glance(encoded)) == {
        "id": ID, "memo": f"paid with {SHOWN}", "again": SHOWN,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "secrets"),
    [
        ("4200 0000 0000 0000", ()),
        (f"\x07{NUMBER}", ()),
        ("hush-hush", ("hush-hush",)),
        ('a "quoted" word', ('"quoted"',)),
    ],
)
def test_a_glance_sees_what_must_be_walked_through(text: str, secrets: tuple) -> None:
    assert glance(msgspec.json.encode({"memo": text}), secrets) is None
    assert masked({"memo": text}, secrets) != {"memo": text}


def test_masking_reaches_names_and_lists():
    value = {NUMBER: [{"cvv": "123"}, ("x", NUMBER)], "count": 7}

    assert masked(value) == {SHOWN: [{"cvv": MASK}, ["x", SHOWN]], "count": 7}


@pytest.mark.parametrize("name", ["accessKey", "jwt", "cookie", "bearer", "tan", "cvv", "my.key"])
def test_a_glance_sees_every_name_that_is_masked(name: str) -> None:
    own = {name: "zebra", "campaign": "autumn"}
    for document in (own, {"payments": [{"customParameters": own}]}, {f"a[{name}]": "zebra"}):
        assert glance(msgspec.json.encode(document)) is None
        assert "zebra" not in str(masked(document)) and "***" in str(masked(document))
    plain = msgspec.json.encode({"campaign": "autumn", "keyboard": "x" * 200, "y" * 70: "a"})
    assert glance(plain) == plain


@pytest.mark.parametrize("name", ["accessKey", "ACCESSKEY", "private.key", "hmacKey", "jwt"])
def test_what_follows_such_a_name_in_a_text_is_masked(name: str) -> None:
    for text in (f"{name}=zebra", f'{{"{name}": "zebra"}}', f"{name}%3Dzebra"):
        assert "zebra" not in mask_text(text) and "***" in mask_text(text)


@pytest.mark.parametrize(
    "text",
    ["9" * 20_000, "1 " * 20_000, "token" * 5_000, "a" * 50_000, "=" * 9_000, "%34" * 7_000]
    + ["%3" * 10_000, "\\u0034 " * 3_000, "4200%34" * 3_000],
)
def test_hostile_texts_are_masked_in_no_time(text: str) -> None:
    assert len(mask_text(text)) <= len(text)
