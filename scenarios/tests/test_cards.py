import pytest
from stdnum import luhn

from scenarios.cards import OUTCOME_CARDS
from scenarios.loader import load_behaviours
from scenarios.records import counts
from simulator.catalogue.test_cards import TEST_CARDS

BEHAVIOURS = load_behaviours()


@pytest.mark.parametrize("number", OUTCOME_CARDS)
def test_a_card_with_an_outcome_passes_the_check_digit_and_names_a_behaviour(number):
    assert luhn.is_valid(number)
    assert not counts(BEHAVIOURS[OUTCOME_CARDS[number]])


def test_no_card_of_the_catalogue_has_an_outcome_of_its_own():
    assert not set(OUTCOME_CARDS) & {card.number for card in TEST_CARDS}
