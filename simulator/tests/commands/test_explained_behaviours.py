"""Behaviours and test cards are explained."""

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.commands.explained_behaviours import BEHAVIOURS, CARDS
from simulator.derive.explain.lookup import SUBJECTS, explain
from simulator.grammar.choices import choose

CHOSEN = choose(CHOICES, "specification")


def words_about(name: str) -> str:
    lines, is_known = explain(name, CHOSEN, (*SUBJECTS, CARDS, BEHAVIOURS))
    assert is_known, lines
    return " ".join(" ".join(lines).split())


@pytest.mark.parametrize("subject", [BEHAVIOURS, CARDS], ids=lambda subject: subject.kind)
def test_every_behaviour_and_card_is_explained(subject) -> None:
    for name in subject.names():
        assert [*subject.explain(name, CHOSEN)][0].startswith(name)


def test_a_fault_of_the_connection_says_whether_the_request_is_carried_out() -> None:
    assert "connection reset, after the request was carried out" in words_about("connection-reset")
    assert "status 503 of a proxy, before the request was" in words_about("proxy-503")


def test_a_behaviour_says_what_it_does_and_what_chooses_it() -> None:
    words = words_about("insufficient-funds")

    assert "decline with 800.100.203" in words
    assert "card 4200000000005108" in words
    assert "amount .51" in words
    assert "see also 800.100.203, 4200000000005108" in words


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("4200 0000 0000 0018", "means 3-D Secure 2: challenge"),
        ("4200-0000-0000-5108", "behaviour insufficient-funds does decline with 800.100.203"),
        ("4242000000000034", "an invalid code or address declines the payment"),
        ("4242000000000042", "declines every payment with 800.100.172"),
    ],
)
def test_a_card_says_what_it_means_to_the_simulators(written: str, words: str) -> None:
    assert words in words_about(written)


def test_a_result_code_leads_to_the_behaviour_that_gives_it() -> None:
    assert "insufficient-funds" in words_about("800.100.203").partition("see also")[2]
