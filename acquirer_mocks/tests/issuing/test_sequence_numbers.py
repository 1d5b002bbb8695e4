"""A terminal's sequence number that comes again, where its channel has the acquirer refuse it."""

from datetime import timedelta

import pytest
from msgspec.structs import replace

from acquirer_mocks.tests.issuing.cards import SmallCard
from acquirer_mocks.tests.issuing.counters import NOON, Answer, InternalCounter, Till
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.messages import ask_in, message_of, route_in
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.acquiring.sequence_numbers import SEQUENCE_NUMBER
from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.hosts import HOSTS, LIVE
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import PaymentType
from simulator.tests.kit.steering import declining, script_of

AGAIN = ("94", "800.120.402")


def counter_of(*scripts, mode: str = "refuse") -> InternalCounter:
    return InternalCounter(*scripts, repeated_sequence_number=mode)


@pytest.fixture
def till() -> Till:
    return Till(counter_of())


def numbered(
    till: Till, number: str = "000123", *, terminal: str = "10000042", **more: object
) -> AcquirerRequest:
    """A chip payment of the card gold, signed anew."""
    chip = SmallCard("gold", counter=till.sales).chip(amount=9200)
    data = TerminalData(entry_mode="051", terminal=terminal, sequence="001", chip=chip)
    request = till.request(SmallCard("gold"), "92.00", data)
    return replace(request, parameters={SEQUENCE_NUMBER: number}, **more)


def outcome_of(answer: Answer) -> tuple[str, str]:
    return answer.response, answer.outcome.code


def test_the_second_payment_with_a_number_is_declined_before_its_issuer_is_asked(till: Till):
    card = SmallCard("gold")
    first = till.counter.ask(numbered(till))
    again = till.counter.ask(numbered(till))

    assert first.response == "00"
    assert outcome_of(again) == AGAIN
    assert again.chip == {"8A": b"94"}
    assert again.reason == f"acquirer: payment {1:032x} had this sequence number"
    assert (till.charged(card), till.known(card).counter) == ("92.00", 1)


def test_a_channel_that_does_not_ask_for_it_takes_each_request_for_a_payment():
    till = Till(InternalCounter())

    assert [till.counter.ask(numbered(till)).response for _ in range(2)] == ["00", "00"]


@pytest.mark.parametrize(
    ("written", "terminal", "response"),
    [
        ("123", "10000042", "94"),
        ("0" * 29 + "123", "10000042", "94"),
        ("1230", "10000042", "00"),
        ("000124", "10000042", "00"),
        ("000123", "10000043", "00"),
    ],
)
def test_a_number_is_compared_without_zeros_and_for_its_terminal(
    till: Till, written: str, terminal: str, response: str
):
    till.counter.ask(numbered(till))

    assert till.counter.ask(numbered(till, written, terminal=terminal)).response == response


@pytest.mark.parametrize("other", [{"entity": f"{7:032x}"}, {"host": LIVE}])
def test_no_other_channel_or_host_uses_the_numbers_of_a_terminal(till: Till, other: dict[str, str]):
    asked = [numbered(till, **other), numbered(till), numbered(till, **other), numbered(till)]

    assert [till.counter.ask(each).response for each in asked] == ["00", "00", "94", "94"]


def test_the_card_host_is_sent_the_host_of_a_payment(till: Till):
    for host in HOSTS:
        message = message_of(replace(numbered(till), host=host), "1" * 32, at=NOON, currency="978")
        assert ask_in(message, route_in(message), "EUR").host == host


def test_zero_is_a_number_too(till: Till):
    assert [till.counter.ask(numbered(till, each)).response for each in ("0", "000")] == [
        "00", "94",
    ]  # fmt: skip


@pytest.mark.parametrize(("hours", "response"), [(24, "00"), (23.99, "94")])
def test_a_number_may_come_again_after_a_day(till: Till, hours: float, response: str):
    till.counter.ask(numbered(till))
    till.counter.clock.advance(timedelta(hours=hours))

    assert till.counter.ask(numbered(till)).response == response


def test_the_day_begins_anew_with_each_payment(till: Till):
    for _ in range(2):
        assert till.counter.ask(numbered(till)).response == "00"
        till.counter.clock.advance(timedelta(hours=24))
    till.counter.clock.advance(timedelta(hours=-1))

    assert till.counter.ask(numbered(till)).response == "94"


def test_what_refers_to_a_payment_may_have_its_number(till: Till):
    first = numbered(till)
    till.counter.ask(first)
    refund = numbered(till, original=first.payment, type=PaymentType.RF)

    assert till.counter.ask(replace(refund, number=None)).outcome.code == "000.100.110"


def test_a_payment_that_was_declined_has_not_used_its_number():
    till = Till(counter_of(script_of(declining("800.100.155"), times=1)))

    answers = [till.counter.ask(numbered(till))]
    till.counter.scripts.clear()
    answers += [till.counter.ask(numbered(till)) for _ in range(2)]

    assert [each.outcome.code for each in answers] == ["800.100.155", "000.100.110", AGAIN[1]]


@pytest.mark.parametrize(("is_reversed", "response"), [(True, "00"), (False, "94")])
def test_a_payment_that_the_host_has_reversed_has_not_used_its_number(
    till: Till, is_reversed: bool, response: str
):
    first = numbered(till)
    answer = till.counter.ask(first)
    entry = CardEntry(
        id=first.payment, type=first.type, at=NOON, trace=first.trace, response="00",
        plan=AcquirerResponse(outcome=answer.outcome),
        reversed_at=NOON if is_reversed else None,
    )  # fmt: skip
    till.counter.store.commit(unit_of(entry))

    assert till.counter.ask(numbered(till)).response == response


def test_an_approval_of_the_card_is_not_booked_twice(till: Till):
    request = numbered(till)
    assert request.terminal is not None
    offline = replace(request, terminal=replace(request.terminal, is_offline=True))

    assert till.counter.ask(offline).response == "00"
    assert outcome_of(till.counter.ask(replace(offline, payment="f" * 32))) == AGAIN
    assert till.charged(SmallCard("gold")) == "92.00"


def test_of_two_at_once_one_is_paid(till: Till):
    counter = till.counter
    one, other = (counter.acquirer.plan(numbered(till)) for _ in range(2))

    counter.store.commit(unit_of(*one.books))
    with pytest.raises(ConflictError):
        counter.store.commit(unit_of(*other.books))


def test_a_payment_without_a_number_or_without_a_terminal_is_none_of_these(till: Till):
    plain = numbered(till)
    for request in (replace(plain, parameters={}), replace(plain, terminal=None)):
        for _ in range(2):
            till.sales += 1
            plan = till.counter.acquirer.plan(replace(request, payment=f"{till.sales:032x}"))
            assert not any(type(each).__name__ == "UsedSequenceNumber" for each in plan.books)
