"""Brands are rows: each is paid with as its row says, and every reader knows all of them."""

from collections.abc import Iterator

import pytest

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.parameters import TABLES
from simulator.catalogue.operations.checkouts import WHOLE_PAYMENT
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.checks.check import compile_check
from simulator.derive.explain.brands import explain_brand
from simulator.derive.explain.lookup import explain
from simulator.grammar.brands import BANK, CARD, ONLINE, VIRTUAL, WALLET, Brand
from simulator.grammar.choices import PROFILES, choose
from simulator.grammar.parameters import REQUIRED
from simulator.tests.kit.gateway import Gateway

HOLDER = {"bankAccount.holder": "Jane Jones"}
CARD_DATA = {
    "card.number": "4200000000000000",
    "card.expiryMonth": "12",
    "card.expiryYear": "2099",
}
DECRYPTED = {
    **CARD_DATA,
    "mobileWallet.source": "web",
    "threeDSecure.verificationId": "AAACAgSRBklmQCFgMpEGAAAAAAA=",
    "threeDSecure.eci": "05",
    "threeDSecure.enrollmentStatus": "Y",
    "threeDSecure.authenticationStatus": "Y",
}
# A complete account of each kind, for a brand that does not ask for it on other pages.
ACCOUNTS = {
    CARD: CARD_DATA,
    WALLET: DECRYPTED,
    VIRTUAL: {"virtualAccount.accountId": "jane"},
    BANK: {
        **HOLDER,
        "bankAccount.iban": "DE89370400440532013000",
        "bankAccount.bic": "COBADEFFXXX",
    },
}
PARTS = ({}, HOLDER, {"bankAccount.country": "DE"}, {"bankAccount.bankName": "A Bank"})
MONEY = {"amount": "92.00", "currency": "EUR"}
REDIRECTING = [row for row in BRANDS.values() if row.redirects]
ONE_OF_A_KIND = [
    next(row for row in BRANDS.values() if (row.account, row.redirects) == (kind, False))
    for kind in ACCOUNTS
]


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("brands") / "data")
    yield made
    made.close()


@pytest.fixture(scope="module")
def merchants(gateway: Gateway) -> dict:
    return {profile: gateway.sandbox(profile=profile) for profile in PROFILES}


def number_for(row: Brand) -> str:
    """A card number of the brand: in its range, of its length, with a check digit."""
    first = row.ranges[0][0] if row.ranges else "9"
    stem = first.ljust(max(row.lengths) - 1, "0")
    return next(f"{stem}{last}" for last in range(10) if passes_luhn(f"{stem}{last}"))


def passes_luhn(digits: str) -> bool:
    doubled = [sum(divmod(2 * int(each), 10)) for each in digits[-2::-2]]
    return (sum(doubled) + sum(map(int, digits[::-2]))) % 10 == 0


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("row", REDIRECTING, ids=lambda row: row.value)
def test_a_brand_that_redirects_needs_no_account(
    gateway: Gateway, merchants: dict, row: Brand, profile: str
) -> None:
    who = merchants[profile]
    for part in PARTS:
        sent = {"entityId": who.entity_id, "paymentType": "DB", "paymentBrand": row.value, **MONEY}
        sent |= {"shopperResultUrl": "https://shop.example/done", **part}
        answer = gateway.send("/v1/payments", sent, who).json
        assert answer["result"]["code"] == "000.200.000", part
        assert answer["redirect"]["url"]
        assert (answer["paymentBrand"], answer["paymentType"]) == (row.value, "DB")


@pytest.mark.parametrize(
    "row", [row for row in BRANDS.values() if row.account == CARD], ids=lambda row: row.value
)
def test_a_card_brand_is_charged_at_once(gateway: Gateway, row: Brand) -> None:
    answer = gateway.post(
        paymentBrand=row.value,
        **{"card.number": number_for(row), "card.cvv": "1" * row.cvv_length},
    ).json
    assert answer["result"]["code"] == "000.100.110"
    assert answer["paymentBrand"] == row.value


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize(
    "row", [row for row in BRANDS.values() if row.account == WALLET], ids=lambda row: row.value
)
def test_a_wallet_needs_its_token_or_all_that_was_decrypted(
    gateway: Gateway, merchants: dict, row: Brand, profile: str
) -> None:
    who = merchants[profile]
    whole = {"entityId": who.entity_id, "paymentType": "DB", "paymentBrand": row.value, **MONEY}
    assert gateway.send("/v1/payments", {**whole, **DECRYPTED}, who).status_code == 200
    for name in [name for name in DECRYPTED if not name.endswith("Status")]:
        lacking = {**whole, **DECRYPTED}
        del lacking[name]
        errors = gateway.send("/v1/payments", lacking, who).json["result"]["parameterErrors"]
        assert name in [each["name"] for each in errors]
    bare = gateway.send("/v1/payments", {**whole, **CARD_DATA}, who).json["result"]
    assert [each["name"] for each in bare["parameterErrors"]] == [
        "mobileWallet.source", "threeDSecure.eci", "threeDSecure.verificationId",
    ]  # fmt: skip


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("sent", [{}, {"paymentType": "RI"}], ids=["no type", "RI"])
def test_the_risk_of_every_brand_is_checked_alone(
    gateway: Gateway, merchants: dict, sent: dict, profile: str
) -> None:
    who, codes = merchants[profile], {}
    for row in BRANDS.values():
        account = {} if row.redirects else ACCOUNTS[row.account]
        if row.account == CARD:
            account = {**account, "card.number": number_for(row)}
        asked = {"entityId": who.entity_id, "paymentBrand": row.value, **MONEY, **account, **sent}
        codes[row.value] = gateway.send("/v1/risk", asked, who).json["result"]["code"]
    assert codes == dict.fromkeys(BRANDS, "000.300.100")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("row", BRANDS.values(), ids=lambda row: row.value)
def test_an_authentication_alone_is_refused_for_no_payment_type(
    gateway: Gateway, merchants: dict, row: Brand, profile: str
) -> None:
    who = merchants[profile]
    sent = {"entityId": who.entity_id, "paymentBrand": row.value, **MONEY, **CARD_DATA}
    answer = gateway.send("/v1/threeDSecure", sent, who).json
    assert "paymentType: " not in answer.get("resultDetails", {}).get("ExtendedDescription", "")


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("account", [{}, CARD_DATA], ids=["no card", "a card"])
def test_an_authentication_alone_says_that_it_is_for_cards(
    gateway: Gateway, merchants: dict, account: dict, profile: str
) -> None:
    who, answers = merchants[profile], {}
    others = [row.value for row in BRANDS.values() if row.account != CARD]
    for brand in others:
        sent = {"entityId": who.entity_id, "paymentBrand": brand, **MONEY, **account}
        answer = gateway.send("/v1/threeDSecure", sent, who).json
        assert answer["result"]["code"] == "000.400.104"
        answers[brand] = answer["resultDetails"]["ExtendedDescription"]
    assert answers == {
        brand: f"paymentBrand: 3D (authentication) is for cards, got {brand}" for brand in others
    }


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("row", [row for row in ONE_OF_A_KIND if row.account == CARD])
def test_an_authentication_alone_needs_a_card(
    gateway: Gateway, merchants: dict, row: Brand, profile: str
) -> None:
    who = merchants[profile]
    sent = {"entityId": who.entity_id, "paymentBrand": row.value, **MONEY}
    (named,) = gateway.send("/v1/threeDSecure", sent, who).json["result"]["parameterErrors"]
    assert (named["name"], named["message"]) == ("paymentBrand", "card properties must be set")


@pytest.mark.parametrize(
    ("profile", "brand", "takes"),
    [
        ("specification", "PREPAYMENT", "PA"),
        ("field", "PREPAYMENT", "PA, DB, PA.CP"),
        ("specification", "DIRECTDEBIT_SEPA", "PA, DB, RG"),
        ("field", "DIRECTDEBIT_SEPA", "PA, DB, PA.CP"),
    ],
)
def test_a_refused_payment_type_is_answered_with_those_that_a_payment_may_have(
    gateway: Gateway, merchants: dict, profile: str, brand: str, takes: str
) -> None:
    who = merchants[profile]
    sent = {"entityId": who.entity_id, "paymentType": "CD", "paymentBrand": brand, **MONEY}
    answer = gateway.send("/v1/payments", {**sent, **ACCOUNTS[BANK]}, who).json
    assert answer["result"]["code"] == "600.200.310"
    explained = answer["resultDetails"]["ExtendedDescription"]
    assert explained == f"paymentType: {brand} takes {takes}"


def account_operations() -> dict:
    """Every operation that takes a whole account, by its id."""
    rows = (*OPERATIONS.values(), WHOLE_PAYMENT)
    whole = [row for row in rows if any(each.id == "PAY-04" for each in row.relations)]
    return {row.id: row for row in whole}


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("operation", account_operations())
def test_what_the_specification_requires_of_an_account_is_required_everywhere(
    operation: str, profile: str
) -> None:
    check = compile_check(account_operations()[operation], choose(CHOICES, profile))
    required = {row.name for table in TABLES for row in table.rows if row.need == REQUIRED}
    for brand in ONE_OF_A_KIND:
        account = {k: v for k, v in ACCOUNTS[brand.account].items() if check.known(k)}
        sent = {"paymentBrand": brand.value, **account}
        # A virtual account without its id is refused with a code of its own. Choice: D-145.
        for name in (required & account.keys()) - {"virtualAccount.accountId"}:
            lacking = {key: value for key, value in sent.items() if key != name}
            wrong = {each.name for each in check.violations_of(lacking)}
            missing_card = name.startswith("card.") and "paymentBrand" in wrong
            assert name in wrong or missing_card, (brand.value, name)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("operation", account_operations())
def test_a_wallet_token_needs_nothing_of_a_card_wherever_its_source_is_sent(
    operation: str, profile: str
) -> None:
    check = compile_check(account_operations()[operation], choose(CHOICES, profile))
    token = {"mobileWallet.paymentToken": "{}", "mobileWallet.source": "web"}
    if not all(map(check.known, token)):
        return
    for brand in ({}, {"paymentBrand": "VISA"}, {"paymentBrand": "MOBILE_WALLET"}):
        wrong = {each.name for each in check.violations_of({**brand, **token})}
        assert not wrong & {*DECRYPTED, "paymentBrand"}
    bare = check.violations_of({"mobileWallet.source": "web"})
    assert {"threeDSecure.eci", "threeDSecure.verificationId"} <= {each.name for each in bare}


@pytest.mark.parametrize(
    ("sent", "nearest"),
    [
        ("GIROPAYY", "GIROPAY"),
        ("giropay", "GIROPAY"),
        ("MASTERCARD", "MASTER"),
        ("AMERICANEXPRESS", "AMEX"),
        ("VISAA", "VISA"),
        ("SOFORT", "SOFORTUEBERWEISUNG"),
        ("4200000000000000", ""),
    ],
)
@pytest.mark.parametrize("account", PARTS, ids=["none", "holder", "country", "bank"])
def test_an_unknown_brand_is_named_with_the_nearest_whatever_came_with_it(
    gateway: Gateway, sent: str, nearest: str, account: dict
) -> None:
    request = {"entityId": gateway.merchant.entity_id, "paymentType": "DB", **MONEY, **account}
    answer = gateway.send("/v1/payments", {**request, "paymentBrand": sent})
    assert answer.json["result"]["code"] == "100.100.501"
    explained = answer.json["resultDetails"]["ExtendedDescription"]
    assert explained.startswith("paymentBrand: ")
    assert explained.endswith(f"nearest known: {nearest}") or not nearest
    assert "4200000000000000" not in explained


def test_a_transfer_is_debited_in_profile_field_alone(gateway: Gateway, merchants: dict) -> None:
    codes = {}
    for profile, who in merchants.items():
        sent = {"entityId": who.entity_id, "paymentType": "DB", "paymentBrand": "PREPAYMENT"}
        codes[profile] = gateway.send("/v1/payments", {**sent, **MONEY}, who).json["result"]["code"]
    assert codes == {"specification": "600.200.310", "field": "000.100.110"}


def test_every_brand_is_listed_with_its_kind_by_explain() -> None:
    lines, is_known = explain("paymentBrand", choose(CHOICES, "specification"))
    assert is_known
    listed = {word.strip(",;") for line in lines for word in line.split()}
    assert {*BRANDS, CARD, WALLET, VIRTUAL, BANK, ONLINE} <= listed


@pytest.mark.parametrize("row", BRANDS.values(), ids=lambda row: row.value)
def test_a_brand_is_explained_by_its_names(row: Brand) -> None:
    choices = choose(CHOICES, "specification")
    for name in (row.value, *row.aliases):
        assert next(iter(explain_brand(name, choices))).startswith(f"{row.value}  (brand: ")


def test_no_name_means_two_brands() -> None:
    names = [name for row in BRANDS.values() for name in (row.value, *row.aliases)]
    assert sorted(set(names)) == sorted(names)
