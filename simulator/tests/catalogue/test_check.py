"""The check of a request's parameters: what it refuses, what it says, and in which order."""

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.basic import TEST_MODES
from simulator.catalogue.fields.reporting import JOBS
from simulator.catalogue.operations.payments import CREATE_PAYMENT, READ_PAYMENT, REFER_PAYMENT
from simulator.derive.checks.check import KEPT_CHECKS, compile_check, kept_check
from simulator.grammar.choices import choose
from simulator.grammar.operations import Operation

ENTITY = {"entityId": "8a8294174b7ecb28014b9699220015ca"}
CARD = {
    "card.number": "4200000000000000",
    "card.holder": "Jane Jones",
    "card.expiryMonth": "12",
    "card.expiryYear": "2034",
    "card.cvv": "123",
}
DEBIT = {"amount": "92.00", "currency": "EUR", "paymentType": "DB", "paymentBrand": "VISA"}
PAYMENT = {**ENTITY, **DEBIT, **CARD}
BANK = {
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
    "bankAccount.iban": "DE23100000001234567890",
    "bankAccount.bic": "MARKDEF1100",
}
MPI = {
    "threeDSecure.eci": "05",
    "threeDSecure.verificationId": "AAABBWFlmQAAAABjRWWZEEFgFz8=",
    "threeDSecure.enrollmentStatus": "Y",
    "threeDSecure.authenticationStatus": "Y",
}


def choices(profile="specification", **overrides):
    return choose(CHOICES, profile, {f"D-{key[1:]}": value for key, value in overrides.items()})


CREATE = compile_check(CREATE_PAYMENT, choices())
CREATE_IN_FIELD = compile_check(CREATE_PAYMENT, choices("field"))
REFER = compile_check(REFER_PAYMENT, choices())


def without(sent, *names):
    return {name: value for name, value in sent.items() if name not in names}


def found(check, sent):
    return [(row.name, row.message, row.rule) for row in check.violations_of(sent)]


def rules(check, sent):
    return [(row.name, row.rule) for row in check.violations_of(sent)]


def test_the_checks_that_were_used_last_are_kept_and_no_others():
    kept = kept_check(CREATE_PAYMENT, choices())

    assert kept_check(CREATE_PAYMENT, choices()) is kept
    assert kept_check(CREATE_PAYMENT, choices("field")) is not kept
    assert kept_check(REFER_PAYMENT, choices()) is not kept
    assert kept_check.cache_parameters()["maxsize"] == KEPT_CHECKS <= 256


def test_a_good_payment_breaks_no_rule():
    assert CREATE.violations_of(PAYMENT) == []


def test_a_payment_is_judged_alike_the_second_time():
    check = compile_check(CREATE_PAYMENT, choices())
    assert check.violations_of(PAYMENT) == []
    assert check.violations_of({**PAYMENT, "amount": "1.5"}) == check.violations_of(
        {**PAYMENT, "amount": "1.5"}
    )
    assert check.violations_of(PAYMENT) == []


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("amount", "92.0", r"must match ^[0-9]{1,10}(\.[0-9]{2})?$"),
        ("amount", "-20.20", r"must match ^[0-9]{1,10}(\.[0-9]{2})?$"),
        ("paymentType", "RF", "must be one of [PA, DB, CD, RG]"),
        ("currency", "eur", "must be a currency code of ISO 4217"),
        ("testMode", "internal", "must be one of [EXTERNAL, INTERNAL]"),
        (
            "merchantTransactionId",
            "short",
            "must be 8 to 255 characters without control characters, got 5 characters",
        ),
        ("customer.birthDate", "2026-02-30", "must be a day of the calendar, yyyy-MM-dd"),
    ],
)
def test_a_violation_names_what_the_value_should_have_been(name, value, message):
    sent = {**PAYMENT, "customer.givenName": "Jane", "customer.surname": "Jones", name: value}
    assert found(CREATE, sent) == [(name, message, name)]


def test_clients_in_the_field_read_their_own_list_and_pattern():
    sent = {**PAYMENT, "amount": "92.0", "paymentType": "RF"}
    assert found(CREATE_IN_FIELD, sent) == [
        ("amount", r"must match ^[0-9]{1,12}(\.[0-9]{2})?$", "amount"),
        ("paymentType", "must be one of [PA, DB, CD, PA.CP]", "paymentType"),
    ]


@pytest.mark.parametrize(
    ("missing", "rule"),
    [
        ("amount", "PAY-01"),
        ("currency", "PAY-03"),
        ("paymentType", "PAY-05"),
        ("entityId", "AUTH-02"),
    ],
)
def test_what_is_required_may_not_be_empty(missing, rule):
    assert found(CREATE, without(PAYMENT, missing)) == [(missing, "may not be empty", rule)]


def test_a_registration_needs_no_amount():
    sent = {**without(PAYMENT, "amount", "currency"), "paymentType": "RG"}
    assert CREATE.violations_of(sent) == []


def test_an_amount_never_comes_without_its_currency():
    sent = {**without(PAYMENT, "currency"), "paymentType": "RG"}
    assert rules(CREATE, sent) == [("currency", "PAY-03")]


def test_a_reversal_needs_no_amount_but_a_capture_does():
    reversal = {**ENTITY, "paymentType": "RV"}
    assert REFER.violations_of(reversal) == []
    assert rules(REFER, {**reversal, "paymentType": "CP"}) == [
        ("amount", "PAY-01"),
        ("currency", "PAY-03"),
    ]


def test_a_reference_takes_no_type_of_a_new_payment():
    assert found(REFER, {**ENTITY, **without(DEBIT, "paymentBrand")}) == [
        ("paymentType", "must be one of [CP, RF, RV, RB, RC, CB, CR]", "paymentType")
    ]


@pytest.mark.parametrize("brand", [{}, {"paymentBrand": "VISA"}])
def test_a_payment_without_any_account_is_a_violation_at_its_brand(brand):
    sent = {**ENTITY, **without(DEBIT, "paymentBrand"), **brand}
    assert found(CREATE, sent) == [("paymentBrand", "card properties must be set", "PAY-04")]


def test_a_payment_of_another_account_needs_its_brand():
    sent = {**ENTITY, **DEBIT, **BANK}
    assert CREATE.violations_of(sent) == []
    assert rules(CREATE, without(sent, "paymentBrand")) == [("paymentBrand", "PAY-04")]


def test_a_card_payment_may_leave_its_brand_to_be_detected():
    assert CREATE.violations_of(without(PAYMENT, "paymentBrand")) == []


def test_any_card_data_needs_number_and_expiry():
    sent = {**ENTITY, **DEBIT, "card.cvv": "123"}
    assert rules(CREATE, sent) == [
        ("card.number", "CARD-01"),
        ("card.expiryMonth", "CARD-01"),
        ("card.expiryYear", "CARD-01"),
    ]


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        (
            {"customer.email": "jane@example.com"},
            [("customer.givenName", "CUST-01"), ("customer.surname", "CUST-01")],
        ),
        ({"shipping.customer.email": "jane@example.com"}, []),
        (
            {
                "customer.givenName": "Jane",
                "customer.surname": "Jones",
                "customer.identificationDocId": "L01X00T47",
            },
            [("customer.identificationDocType", "CUST-03")],
        ),
        ({"billing.houseNumber2": "b"}, [("billing.houseNumber1", "ADDR-03")]),
        ({"shipping.houseNumber2": "b"}, [("shipping.houseNumber1", "ADDR-03")]),
        ({"billing.street1": "12", "billing.street2": "34"}, [("billing.street1", "ADDR-01")]),
        ({"billing.street2": "34"}, [("billing.street2", "ADDR-01")]),
        ({"billing.street1": "12", "billing.street2": "Main Street"}, []),
        ({"pos.deviceId": "1"}, [("pos.entryMode", "POS-01"), ("pos.terminalId", "POS-01")]),
        (without(MPI, "threeDSecure.eci"), [("threeDSecure.eci", "TDS-02")]),
        (MPI, []),
        ({"threeDSecure.enrollmentStatus": "N"}, []),
        (
            {"threeDSecure.challengeIndicator": "05", "threeDSecure.version": "2.1.0"},
            [("threeDSecure.challengeIndicator", "TDS-04")],
        ),
        ({"threeDSecure.challengeIndicator": "05", "threeDSecure.version": "2.2.0"}, []),
        ({"threeDSecure.challengeIndicator": "04", "threeDSecure.version": "2.1.0"}, []),
        ({"threeDSecure.challengeIndicator": "05"}, []),
        (
            {"threeDSecure.exemptionFlag": "01", "threeDSecure.version": "1.0.2"},
            [("threeDSecure.exemptionFlag", "TDS-04")],
        ),
        ({"risk.serviceId": "T", "risk.channelId": "c" * 13}, [("risk.channelId", "RISK-01")]),
        ({"risk.serviceId": "TT", "risk.channelId": "c" * 13}, []),
        ({"overridePaymentType[VISA]": "PA"}, [("overridePaymentType[VISA]", "PAY-06")]),
        (
            {"mobileWallet.source": "app"},
            [("threeDSecure.eci", "SVC-03"), ("threeDSecure.verificationId", "SVC-03")],
        ),
    ],
)
def test_a_relation_between_parameters_is_kept(more, expected):
    assert rules(CREATE, {**PAYMENT, **more}) == expected


@pytest.mark.parametrize(
    ("missing", "rule"),
    [
        ("bankAccount.holder", ("bankAccount.holder", "BANK-06")),
        ("bankAccount.iban", ("bankAccount.number", "BANK-01")),
        ("bankAccount.bic", ("bankAccount.bankCode", "BANK-02")),
    ],
)
def test_a_bank_account_needs_holder_account_and_bank(missing, rule):
    assert rules(CREATE, without({**ENTITY, **DEBIT, **BANK}, missing)) == [rule]


def test_a_brand_that_asks_on_its_own_pages_needs_no_account():
    sent = {**ENTITY, **DEBIT, "paymentBrand": "GIROPAY", "bankAccount.country": "DE"}
    assert CREATE.violations_of({**sent, "shopperResultUrl": "https://shop.example"}) == []


def test_two_triggers_of_a_schedule_exclude_each_other():
    jobs = compile_check(Operation("schedule", "POST", "/", (TEST_MODES, JOBS)), choices())
    assert rules(jobs, {"job.dayOfMonth": "01"}) == []
    assert rules(jobs, {"job.dayOfMonth": "01", "job.dayOfWeek": "1"}) == [
        ("job.dayOfWeek", "JOB-02")
    ]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        (["cart.items[0].name", "cart.items[1].name"], []),
        (["cart.items[1].name", "cart.items[0].name"], []),
        (["cart.items[1].name"], [("cart.items[1].name", "TRN-06")]),
        (["cart.items[0].name", "cart.items[2].name"], [("cart.items[2].name", "TRN-06")]),
        (["cart.items[00].name"], [("cart.items[00].name", "TRN-06")]),
        (["cart.items[].name"], [("cart.items[].name", "TRN-06")]),
        (["cart.items[-1].name"], [("cart.items[-1].name", "TRN-06")]),
        (["cart.items[x].name"], [("cart.items[x].name", "TRN-06")]),
        (["cart.items[\u0660].name"], [("cart.items[\u0660].name", "TRN-06")]),
        (["cart.items[0.name"], [("cart.items[0.name", "TRN-06")]),
        (["cart.items0].name"], [("cart.items0].name", "TRN-06")]),
        (["cart.items[[0]].name"], [("cart.items[[0]].name", "TRN-06")]),
        (
            [f"airline.passengers[0].legs[{index}].carrierCode" for index in (0, 2)],
            [("airline.passengers[0].legs[2].carrierCode", "TRN-06")],
        ),
        (
            ["airline.passengers[1].legs[0].carrierCode"],
            [("airline.passengers[1].legs[0].carrierCode", "TRN-06")],
        ),
    ],
)  # fmt: skip
def test_indexes_run_from_zero_without_a_gap(names, expected):
    assert rules(CREATE, {**PAYMENT, **dict.fromkeys(names, "a")}) == expected


def test_a_cart_has_at_most_a_thousand_items():
    cart = {f"cart.items[{index}].name": "a" for index in range(1000)}
    assert CREATE.violations_of({**PAYMENT, **cart}) == []
    assert rules(CREATE, {**PAYMENT, **cart, "cart.items[1000].name": "a"}) == [
        ("cart.items[1000].name", "CART-01")
    ]


@pytest.mark.parametrize(
    ("key", "good"),
    [
        ("abc", True),
        ("a.B_9", True),
        ("123", True),
        ("a" * 64, True),
        ("ab", False),
        ("a" * 65, False),
        ("a-b-c", False),
        ("abc\n", False),
        ("", False),
    ],
)
def test_a_key_has_3_to_64_letters_digits_dots_and_underscores(key, good):
    name = f"customParameters[{key}]"
    expected = [] if good else [(name, "customParameters[name]")]
    assert rules(CREATE, {**PAYMENT, name: "value"}) == expected


def test_an_unknown_parameter_is_refused_with_the_nearest_known_name():
    assert found(CREATE, {**PAYMENT, "customer.emial": "a"}) == [
        ("customer.emial", "is not an allowed parameter; nearest known: customer.email", "D-02")
    ]


@pytest.mark.parametrize("name, more", [("job.year", ""), ("Amount", "; nearest known: amount")])
def test_a_parameter_of_another_operation_is_refused_by_name(name, more):
    message = f"is not an allowed parameter of POST /v1/payments{more}"
    assert found(CREATE, {**PAYMENT, name: "*"}) == [(name, message, "D-02")]


def test_the_access_token_is_no_parameter():
    assert rules(CREATE, {**PAYMENT, "Authorization header": "a"}) == [
        ("Authorization header", "D-02")
    ]


def test_a_read_takes_only_the_entity_and_the_test_mode():
    read = compile_check(READ_PAYMENT, choices())
    assert read.violations_of({**ENTITY, "testMode": "INTERNAL"}) == []
    assert rules(read, {**ENTITY, "amount": "1"}) == [("amount", "D-02")]


@pytest.mark.parametrize(
    "name", ["shipping.givenName", "integrity", "customParameters[a]", "unknown[0].x", "job.year"]
)
def test_clients_in_the_field_may_send_unknown_parameters(name):
    assert CREATE_IN_FIELD.violations_of({**PAYMENT, name: "a\x00"}) == []
    assert CREATE_IN_FIELD.violations_of({**PAYMENT, name: "a\x00"}) == []


def test_brackets_that_do_not_pair_are_refused_everywhere():
    assert rules(CREATE_IN_FIELD, {**PAYMENT, "unknown[0": "a"}) == [("unknown[0", "TRN-06")]


@pytest.mark.parametrize(
    ("name", "value", "accepted"),
    [
        ("billing.postcode", "A1 2BC", True),
        ("merchantTransactionId", "123", True),
        ("createRegistration", "1", True),
        ("paymentType", "PA.CP", True),
        ("amount", "100000000000.00", True),
        ("unheardOf", "1", True),
        ("amount", "92.0", False),
        ("createRegistration", "yes", False),
        ("billing.country", "de", False),
    ],
)
def test_a_refusal_says_whether_the_field_profile_would_accept(name, value, accepted):
    (violation,) = CREATE.violations_of({**PAYMENT, name: value})
    assert violation.field_accepts is accepted


def test_every_violation_is_reported_in_catalogue_order():
    sent = {
        "unheardOf": "1",
        "cart.items[1].name": "a",
        "cart.items[0].currency": "eur",
        "billing.country": "de",
        "card.number": "42",
        "currency": "eur",
        "testMode": "x",
    }
    assert [row.name for row in CREATE.violations_of(sent)] == [
        "testMode",
        "amount",
        "currency",
        "paymentType",
        "entityId",
        "card.number",
        "card.expiryMonth",
        "card.expiryYear",
        "billing.country",
        "cart.items[0].currency",
        "unheardOf",
    ]


def test_known_names_have_their_row_and_others_have_none():
    assert CREATE.known("cart.items[3].name").name == "cart.items[n].name"
    assert CREATE.known("customParameters[abc]").name == "customParameters[name]"
    assert CREATE.known("threeDSecure.v1.visa.password").secret
    for name in ("cart.items[x].name", "customParameters[a]", "job.year", "cart.items[0", "nope"):
        assert CREATE.known(name) is None


def test_forty_thousand_unknown_parameters_are_all_reported():
    sent = {f"unknown{number}": "a" for number in range(40_000)}
    assert len(CREATE.violations_of({**PAYMENT, **sent})) == 40_000
