"""Scripts that set what an issuer answers a card at a terminal."""

import pytest

from acquirer_mocks.issuing.cryptograms import issuer_authentication
from acquirer_mocks.tests.issuing.cards import SmallCard
from acquirer_mocks.tests.issuing.counters import InternalCounter, Till
from simulator.domain.core.records import Script
from simulator.tests.kit.steering import script_of


def issuer_script(**steps: object) -> Script:
    words = {"name": "example", "title": "Example", "description": "For a test."}
    return script_of({**words, "steps": {"issuer": steps}})


@pytest.mark.parametrize(
    ("response", "code"),
    [("04", "800.100.171"), ("41", "800.100.165"), ("1A", "300.100.100"), ("Q7", "900.100.200")],
)
def test_a_script_sets_what_the_issuer_answers(response: str, code: str) -> None:
    till = Till(InternalCounter(issuer_script(response=response)))
    card = SmallCard("gold")
    answer = till.sell(card, pin="9999")
    assert (answer.response, answer.outcome.code) == (response, code)
    assert answer.chip["8A"] == response.encode()
    assert answer.reason == "script s1"
    # A script decides in place of the checks: the PIN was not looked at, the counter was.
    assert till.known(card).wrong_pins == 0
    assert till.known(card).counter == 1


def test_a_script_can_approve_what_the_issuer_would_decline() -> None:
    till = Till(InternalCounter(issuer_script(response="00")))
    answer = till.sell(SmallCard("stolen"))
    assert answer.outcome.code == "000.100.110"
    assert till.charged(SmallCard("stolen")) == "92.00"


def test_a_script_sends_commands_to_the_card_and_the_issuer_decides() -> None:
    till = Till(InternalCounter(issuer_script(commands=["block-application", "put-data 9F14 05"])))
    card = SmallCard("gold")
    answer = till.sell(card, pin="9999")
    assert answer.response == "55"
    assert list(answer.chip) == ["91", "8A", "71", "72"]
    assert answer.chip["72"].hex().upper().startswith("9F180400000001860D841E000008")
    assert till.known(card).commands == ()


def test_commands_wait_for_a_chip_in_the_reader() -> None:
    counter = InternalCounter(issuer_script(commands=["unblock-pin"]))
    till, card = Till(counter), SmallCard("gold")
    assert list(till.sell(card, "1.00", read="07").chip) == ["8A"]
    assert till.known(card).commands == ("unblock-pin",)
    counter.scripts.clear()
    assert "72" in till.sell(card).chip
    assert till.known(card).commands == ()


def test_a_blocked_pin_is_taken_again_once_its_card_is_sent_the_command() -> None:
    counter = InternalCounter()
    till, card = Till(counter), SmallCard("gold")
    assert [till.sell(card, pin="9999").response for _ in range(3)][-1] == "75"
    counter.scripts.append(issuer_script(commands=["unblock-pin"]))
    assert "72" in till.sell(card, pin="1234").chip
    counter.scripts.clear()
    assert till.sell(card, pin="1234").response == "00"


@pytest.mark.parametrize("authentication", ["wrong", "none"])
def test_a_script_corrupts_the_answer_to_the_cryptogram(authentication: str) -> None:
    card = SmallCard("gold")
    objects = SmallCard("gold").signed(amount=9200)
    right = issuer_authentication(card.keys, objects, response="00", approves=True)
    till = Till(InternalCounter(issuer_script(authentication=authentication)))
    made = till.sell(card).chip.get("91")
    assert made != right
    assert (made is None) == (authentication == "none")


def test_an_answer_with_everything_fits_into_field_55() -> None:
    long = ["put-data 9F14 " + "AB" * 32] * 4
    till = Till(InternalCounter(issuer_script(commands=long)))
    answer = till.sell(SmallCard("gold"))
    assert answer.outcome.chip is not None
    assert len(answer.outcome.chip) // 2 <= 255
