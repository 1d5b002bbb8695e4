"""The boundary cases: which fields have them, that they are what they say, and none is lost."""

from features.boundaries.cases import all_cases, cases_of, instance_of, payment_with
from features.boundaries.requests import SENDINGS
from features.gherkin.other_accounts import OTHER_BRANDS
from features.spec.companions import (
    COMPANIONS,
    DECIDED,
    FORMAT_ONLY,
    NEEDS,
    REFERENCE_PAYMENT,
    UNREACHABLE,
    companions_of,
    reason_among,
)
from features.spec.fields import FieldLimits, request_fields

CASES = all_cases()


def values_of(limits: FieldLimits, *, taken: bool) -> dict[str, str]:
    return {case.kind: case.value for case in cases_of(limits) if case.taken is taken}


def test_every_field_has_cases_or_a_reason_why_not() -> None:
    covered = {case.field for case in CASES}
    for name in request_fields():
        assert (name in covered) != (reason_among(UNREACHABLE, name) is not None), name


def test_every_case_has_an_address_of_its_own() -> None:
    addresses = [case.address for case in CASES]
    assert len(set(addresses)) == len(addresses)
    assert "FIELD:billing.street1:too-long" in addresses


def test_every_field_is_seen_taken_and_all_but_the_free_ones_refused() -> None:
    taken = {case.field for case in CASES if case.taken}
    refused = {case.field for case in CASES if not case.taken}
    unlimited = {"customer.givenName", "customer.surname"}
    unlimited |= {f"shipping.{name}" for name in unlimited}
    # A malformed expression is refused by a code of its own, which schedules.feature has.
    unlimited |= {"standingInstruction.initialTransactionId", "job.expression"}
    assert taken - refused == unlimited
    assert refused <= taken


def test_lengths_are_the_nearest_on_either_side() -> None:
    limits = FieldLimits("x", 8, 255)
    assert {kind: len(value) for kind, value in values_of(limits, taken=True).items()} == {
        "shortest": 8,
        "longest": 255,
        "longest-in-umlauts": 255,
    }
    assert {kind: len(value) for kind, value in values_of(limits, taken=False).items()} == {
        "too-short": 7,
        "too-long": 256,
    }


def test_a_wrong_character_alone_makes_a_value_wrong() -> None:
    limits = FieldLimits("x", 3, 4, "digits")
    wrong = [v for k, v in values_of(limits, taken=False).items() if k.startswith("wrong")]
    assert {len(value) for value in wrong} == {3}


def test_a_list_refuses_what_is_near_it() -> None:
    limits = FieldLimits("x", values=("GROUND", "PUDO"))
    assert values_of(limits, taken=True) == {"GROUND": "GROUND", "PUDO": "PUDO"}
    assert values_of(limits, taken=False) == {"not-in-the-list": "PUDOX", "other-case": "pudo"}


def test_an_indexed_field_is_tried_at_its_first_index() -> None:
    name = "airline.passengers[n].legs[n].flightNumber"
    assert instance_of(name) == "airline.passengers[0].legs[0].flightNumber"


def test_a_case_travels_with_what_it_needs() -> None:
    case = next(case for case in CASES if case.address == "FIELD:billing.houseNumber2:too-long")
    sent = payment_with(case, REFERENCE_PAYMENT)
    assert sent["billing.houseNumber1"] == "1"
    assert len(sent["billing.houseNumber2"]) == 101


def test_a_bank_account_travels_without_a_card() -> None:
    case = next(case for case in CASES if case.field == "bankAccount.iban")
    assert not [name for name in payment_with(case, REFERENCE_PAYMENT) if name.startswith("card.")]


def test_the_nearest_companions_are_taken() -> None:
    assert "customer.identificationDocType" in companions_of("customer.identificationDocId")
    assert "customer.identificationDocType" not in companions_of("customer.email")
    assert companions_of("descriptor") == {}


def test_every_table_of_companions_and_reasons_names_fields_that_exist() -> None:
    names = tuple(request_fields())
    for start in (*COMPANIONS, *FORMAT_ONLY, *UNREACHABLE, *NEEDS, *SENDINGS):
        assert any(name.startswith(start) for name in names), start


def test_every_case_that_rests_on_a_decision_is_there_and_says_which() -> None:
    for start, decision in DECIDED.items():
        found = [case for case in CASES if case.address.startswith(f"FIELD:{start}")]
        assert found and all(case.decisions == (decision,) for case in found), start


def test_a_case_says_what_a_target_must_offer_for_it() -> None:
    by_name = {case.field: case.needs for case in CASES}
    assert by_name["date.from"] == ("reports",)
    assert by_name["card.number"] == ()


def test_a_case_that_pays_by_no_card_needs_brands() -> None:
    for case in CASES:
        brand = payment_with(case, REFERENCE_PAYMENT).get("paymentBrand")
        assert (brand in OTHER_BRANDS) == ("brands" in case.needs), case.address
