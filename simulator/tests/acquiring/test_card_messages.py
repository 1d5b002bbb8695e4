"""The format of card messages: every row, every bad byte, and asks that come back as they were."""

from datetime import UTC, datetime
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from simulator.adapters.acquiring.codec import InvalidMessageError, decoded, encoded
from simulator.catalogue.messages.card_responses import APPROVALS, IN_PROGRESS, RESULT_OF
from simulator.catalogue.results import RESULTS, class_of
from simulator.domain.acquiring.answers import answer_of, answer_to, plan_in
from simulator.domain.acquiring.fields import ANS, FIELDS, FIXED, B, CardField, N, shown
from simulator.domain.acquiring.messages import (
    FORMS,
    answers,
    ask_in,
    message_of,
    parts_read,
    parts_written,
    reversal_of,
    route_in,
)
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.core.money import Money
from simulator.domain.core.records import Outcome, PaymentType
from simulator.grammar.results import APPROVALS as APPROVING

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
CARD_NUMBER, CVV, SANDBOX = "4200000000000000", "987", "8b" * 16
PARAMETERS = {
    "card.holder": "Jane Jones",
    "card.expiryMonth": "05",
    "card.expiryYear": "2034",
    "standingInstruction.type": "RECURRING",
    "standingInstruction.mode": "INITIAL",
    "standingInstruction.source": "CIT",
    "threeDSecure.eci": "05",
    "threeDSecure.verificationId": "AAACAgSRBklmQCFgMpEGAAAAAAA=",
    "threeDSecure.dsTransactionId": "f25084f0-5b16-4c0a-ae5d-b24808a95e4b",
    "threeDSecure.version": "2.2.0",
    "billing.street1": "Hauptstraße 1",
    "billing.postcode": "12345",
    "customParameters[note]": "größer",
}


def ask(kind: PaymentType = PaymentType.DB, **more: object) -> AcquirerRequest:
    usual = {
        "payment": "8a" * 16, "entity": "8c" * 16, "trace": 42, "brand": "VISA",
        "money": Money(Decimal("92.00"), "EUR"), "number": CARD_NUMBER, "cvv": CVV,
        "parameters": PARAMETERS, "by_link": True,
    }  # fmt: skip
    return AcquirerRequest(type=kind, **{**usual, **more})


def message(made: AcquirerRequest) -> dict[str, str]:
    return message_of(made, SANDBOX, at=NOON, currency="978")


def values_of(row: CardField) -> st.SearchStrategy:
    longest = min(row.size, 200)
    least = longest if row.length == FIXED else 1
    if row.content == B:
        return st.binary(min_size=least, max_size=longest).map(lambda raw: raw.hex().upper())
    letters = {N: "0123456789", ANS: "aZ 09=ü€"}.get(row.content, "AZ09")
    if row.content == ANS and row.length == FIXED:
        letters = "aZ09 "
    size = longest if row.content != ANS or row.length == FIXED else longest // 3 or 1
    return st.text(letters, min_size=min(least, size), max_size=size)


MESSAGES = st.fixed_dictionaries(
    {"t": st.sampled_from(["0100", "0110", "0800", "0430"])},
    optional={row.key: values_of(row) for row in FIELDS},
)


@settings(max_examples=200, deadline=None)
@given(MESSAGES)
def test_every_message_comes_back_as_it_was(sent: dict[str, str]) -> None:
    assert decoded(encoded(sent)) == sent


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=400))
def test_bytes_that_are_no_message_are_refused_by_field_and_position(raw: bytes) -> None:
    try:
        decoded(raw)
    except InvalidMessageError as error:
        assert error.position >= 0
        assert error.field


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_a_message_with_one_wrong_byte_is_refused_or_another_message(data: st.DataObject) -> None:
    raw = bytearray(encoded(message(ask())))
    at = data.draw(st.integers(0, len(raw) - 1))
    raw[at] ^= data.draw(st.integers(1, 255))
    try:
        read = decoded(bytes(raw))
    except InvalidMessageError as error:
        assert CARD_NUMBER not in str(error)
    else:
        assert isinstance(read, dict)


@pytest.mark.parametrize(
    ("key", "value"), [("4", "12"), ("11", "abcdef"), ("2", "4" * 20), ("60", "x" * 1000)]
)
def test_a_field_that_breaks_its_row_is_named(key: str, value: str) -> None:
    with pytest.raises(InvalidMessageError, match=f"field {key} "):
        decoded(encoded({"t": "0100", key: value}))


def test_a_field_that_no_row_names_is_refused() -> None:
    raw = encoded({"t": "0100"}).replace(bytes(8), b"\x08" + bytes(7))
    with pytest.raises(InvalidMessageError, match="field 5 "):
        decoded(raw)


@pytest.mark.parametrize("kind", [*FORMS])
def test_an_ask_arrives_as_it_left(kind: PaymentType) -> None:
    made = ask(kind, original="8d" * 16)
    sent = decoded(encoded(message(made)))
    assert ask_in(sent, route_in(sent), "EUR") == made


def test_standing_instruction_3d_secure_and_verification_data_have_fields_of_their_own() -> None:
    sent = message(ask())
    assert parts_read(sent["48"])["10"] == "RECURRING"
    assert parts_read(sent["62"])["02"] == PARAMETERS["threeDSecure.verificationId"]
    assert parts_read(sent["61"])["02"] == "12345"
    assert sent["14"] == "3405"


def test_what_a_field_has_no_room_for_travels_beside_it() -> None:
    long = {"billing.street1": "ß" * 95, "billing.city": "ß" * 48, "billing.postcode": "ß" * 60}
    long |= {"billing.country": "DE", "customParameters[a]": "x" * 20_000}
    made = ask(parameters=long)
    sent = decoded(encoded(message(made)))
    assert ask_in(sent, route_in(sent), "EUR") == made


def test_what_no_message_has_room_for_cannot_be_written() -> None:
    with pytest.raises(InvalidMessageError):
        encoded(message(ask(parameters={"customParameters[a]": "x" * 40_000})))


def test_a_log_shows_names_and_no_secret() -> None:
    sent = {**message(ask()), "35": "4200000000000000=3405", "52": "0123456789ABCDEF"}
    logged = str(shown(sent))
    assert "2 primary account number" in logged
    assert "11 systems trace audit number" in logged
    for secret in (CARD_NUMBER, CVV, "0123456789ABCDEF", "3405"):
        assert secret not in logged


def test_a_reversal_names_the_original_and_carries_no_secret() -> None:
    sent = message(ask())
    taken = reversal_of(sent, "0400")
    assert taken["90"] == "0200" + "000042" + "1120120000" + "00000042042" + "0" * 11
    assert {"2", "14", "48", "63"}.isdisjoint(taken)
    assert decoded(encoded(taken)) == taken


def test_every_response_code_that_may_be_means_a_result_code() -> None:
    assert {f"{number:02d}" for number in range(100)} - RESULT_OF.keys() == {
        "45", "47", "48", "49", "50", "69", "70", "71", "72", "73", "74",
    }  # fmt: skip
    for response, code in RESULT_OF.items():
        approves = class_of(code) in APPROVING
        assert code in RESULTS
        assert approves == (response in APPROVALS)


@pytest.mark.parametrize("response", ["", "45", "ZZ", "??"])
def test_an_unknown_response_never_approves(response: str) -> None:
    answer = {**answer_to(message(ask()), "00"), "39": response}
    assert plan_in(answer).outcome.code == "900.100.200"


@pytest.mark.parametrize("response", [*RESULT_OF])
def test_nothing_approves_that_the_response_code_does_not(response: str) -> None:
    approving = AcquirerResponse(outcome=Outcome(code="000.100.112"))
    answer = {**answer_of(message(ask()), approving, "00"), "39": response}
    is_approved = class_of(plan_in(answer).outcome.code) in APPROVING
    assert is_approved == (response in APPROVALS)
    assert response != IN_PROGRESS or class_of(plan_in(answer).outcome.code) == "pending"


def test_an_answer_of_a_foreign_host_is_read_by_its_fields() -> None:
    answer = {**answer_to(message(ask()), "51"), "44": "A"}
    outcome = plan_in(answer).outcome
    assert (outcome.code, outcome.details) == ("800.100.155", {"AcquirerResponse": "51"})


@pytest.mark.parametrize("name", ["outcome", "then", "paid"])
def test_a_response_with_an_unknown_code_is_none(name: str) -> None:
    plan = AcquirerResponse(outcome=Outcome(code="000.200.000"), then=Outcome(code="000.100.112"))
    plan = replace(plan, **{name: Outcome(code="123.456.789")})
    answer = answer_of(message(ask()), plan, IN_PROGRESS)
    assert plan_in(answer).outcome.decided_by == "card host"
    assert plan_in(answer).then is None


def test_what_does_not_say_how_it_went_is_no_answer() -> None:
    request = message(ask())
    answer = answer_to(request, "00")
    del answer["39"]
    assert not answers(answer, request)


@given(st.dictionaries(st.text("0123456789", min_size=2, max_size=2), st.text(max_size=50)))
def test_parts_of_a_field_come_back(parts: dict[str, str]) -> None:
    assert parts_read(parts_written(tuple(parts.items()))) == parts


@given(st.text(max_size=60))
def test_parts_that_do_not_fill_a_field_are_refused(written: str) -> None:
    try:
        parts = parts_read(written)
    except ValueError:
        return
    assert parts_written(tuple(parts.items())).startswith(written[:0])
