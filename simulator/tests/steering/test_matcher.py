from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.money import Money
from simulator.domain.core.records import PaymentType
from simulator.domain.steering.matcher import matches
from simulator.tests.kit.steering import VISA, ask_of

ORDERED = {
    "merchantTransactionId": "order-00012",
    "card.holder": "Jane Jones",
    "customParameters[lane]": "4",
}

OTHER = "9a" * 16

# criterion, a match that the request of ORDERED fits, one it does not, and the near miss
CASES = [
    ({"amount": "92.00"}, {"amount": "92.01"}, "amount: expected 92.01, got 92.00"),
    ({"amount": "92"}, {"amount": "93"}, "amount: expected 93, got 92.00"),
    (
        {"amount": {"min": "92.00"}},
        {"amount": {"min": "92.01"}},
        "amount: expected at least 92.01, got 92.00",
    ),
    (
        {"amount": {"max": "92.00"}},
        {"amount": {"max": "91.99"}},
        "amount: expected at most 91.99, got 92.00",
    ),
    (
        {"amount": {"min": "1.00", "max": "92.00"}},
        {"amount": {"min": "1.00", "max": "2.00"}},
        "amount: expected at least 1.00 and at most 2.00, got 92.00",
    ),
    ({"bin": "420000"}, {"bin": "5454"}, "bin: expected 5454, got 420000"),
    ({"bin": "42000000"}, {"bin": "42000001"}, "bin: expected 42000001, got 420000"),
    ({"brand": "VISA"}, {"brand": "MASTER"}, "brand: expected MASTER, got VISA"),
    ({"type": "DB"}, {"type": "PA"}, "type: expected PA, got DB"),
    ({"payment": "8a" * 16}, {"payment": OTHER}, f"payment: expected {OTHER}, got {'8a' * 16}"),
    ({"entity": "8" * 32}, {"entity": "9" * 32}, f"entity: expected {'9' * 32}, got {'8' * 32}"),
    (
        {"merchantTransactionId": "order-00012"},
        {"merchantTransactionId": "order-00013"},
        "merchantTransactionId: expected order-00013, got order-00012",
    ),
    (
        {"customParameters": {"lane": "4"}},
        {"customParameters": {"lane": "5"}},
        "customParameters: expected lane=5, got lane=4",
    ),
    (
        {"customParameters": {"lane": "4"}},
        {"customParameters": {"row": "1"}},
        "customParameters: expected row=1, got no row",
    ),
    ({"holder": "Jane Jones"}, {"holder": "Joe"}, "holder: expected Joe, got Jane Jones"),
    ({"nth": 1}, {"nth": 2}, "nth: expected call 2, got call 1"),
]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case[1]))
def test_a_criterion_fits_or_says_what_came_instead(case):
    fitting, other, near_miss = case
    ask = ask_of(parameters=ORDERED)
    assert matches(fitting, ask, 1) is None
    assert matches(other, ask, 1) == near_miss


def test_an_empty_match_fits_every_request():
    assert matches({}, ask_of(), 1) is None


def test_a_near_miss_names_every_criterion_that_failed():
    reason = matches({"brand": "MASTER", "type": "DB", "bin": "5"}, ask_of(), 1)
    assert reason == "brand: expected MASTER, got VISA; bin: expected 5, got 420000"


def test_a_request_without_card_or_amount_is_reported_as_nothing():
    reason = matches({"bin": "42", "amount": "1.00"}, ask_of("RV", number=None, amount=None), 1)
    assert reason == "bin: expected 42, got nothing; amount: expected 1.00, got nothing"


def test_a_near_miss_never_shows_a_card_number_or_security_code():
    sent = {"merchantTransactionId": f"card {VISA}", "card.holder": "123"}
    reason = matches({"merchantTransactionId": "a", "holder": "b"}, ask_of(parameters=sent), 1)
    assert VISA not in reason
    assert "123" not in reason


def test_a_near_miss_never_shows_a_card_number_typed_into_another_field():
    sent = {"card.holder": "4111 1111 1111 1111", "customParameters[a]": "4111111111111111"}
    match = {"holder": "Jane Jones", "customParameters": {"a": "b"}}
    reason = matches(match, ask_of(parameters=sent), 1)
    assert "4111111111111111" not in reason.replace(" ", "")


AMOUNT = st.from_regex(r"[0-9]{1,12}(\.[0-9]{2})?", fullmatch=True)
TEXT = st.text(max_size=40)
MATCHES = st.fixed_dictionaries(
    {},
    optional={
        "amount": AMOUNT | st.fixed_dictionaries({}, optional={"min": AMOUNT, "max": AMOUNT}),
        "bin": st.from_regex(r"[0-9]{1,8}", fullmatch=True),
        "brand": TEXT,
        "type": st.sampled_from(PaymentType).map(str),
        "entity": TEXT,
        "payment": TEXT,
        "merchantTransactionId": TEXT,
        "customParameters": st.dictionaries(TEXT, TEXT, max_size=3),
        "nth": st.integers(1, 5),
        "holder": TEXT,
    },
)
NUMBER = st.from_regex(r"[0-9]{12,19}", fullmatch=True)
MONEY = st.builds(Money, st.decimals("0", "9999", places=2).map(Decimal), st.just("EUR"))
NAMES = st.sampled_from(["merchantTransactionId", "card.holder", "customParameters[lane]"])


@given(
    match=MATCHES,
    kind=st.sampled_from(PaymentType),
    number=st.none() | NUMBER,
    money=st.none() | MONEY,
    parameters=st.dictionaries(NAMES, TEXT, max_size=3),
    nth=st.integers(1, 5),
)
def test_no_match_and_no_request_make_the_matcher_raise_or_show_a_number(
    match, kind, number, money, parameters, nth
):
    sent = {**parameters, "card.holder": number or "unknown"}
    ask = AcquirerRequest(
        type=kind, payment="8", entity="8", trace=1, number=number, money=money, parameters=sent
    )
    reason = matches(match, ask, nth)
    assert reason is None or isinstance(reason, str)
    assert not (reason and number and number in reason)
