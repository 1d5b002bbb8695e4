"""The rules the gateway ships with."""

from scenarios.amounts import AMOUNTS
from scenarios.cards import OUTCOME_CARDS
from scenarios.loader import load_behaviours
from scenarios.steering import Rules
from simulator.catalogue.results import RESULTS


def shipped_rules() -> Rules:
    """What steering looks things up in: shipped behaviours, result codes, cards and amounts."""
    behaviours = load_behaviours(judged=False)
    return Rules(behaviours, RESULTS, test_cards=OUTCOME_CARDS, amounts=AMOUNTS)
