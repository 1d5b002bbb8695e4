"""Records for tests, with everything that does not matter filled in."""

from datetime import UTC, datetime
from decimal import Decimal

from scenarios.amounts import AMOUNTS
from scenarios.cards import OUTCOME_CARDS
from scenarios.loader import load_behaviours
from simulator.catalogue.results import RESULTS
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.entities import Channel
from simulator.domain.core.money import Money
from simulator.domain.core.records import PaymentType, Script
from simulator.domain.steering.order import SteeringRules

VISA = "4200000000000000"
TEST_CARD = "4200000000004309"


def shipped_rules() -> SteeringRules:
    """What steering looks things up in: shipped behaviours, result codes, cards and amounts."""
    behaviours = load_behaviours()
    return SteeringRules(behaviours, RESULTS, test_cards=OUTCOME_CARDS, amounts=AMOUNTS)


def ask_of(
    kind: str = "DB", *, amount: str | None = "92.00", parameters=None, **fields
) -> AcquirerRequest:
    """A request to the acquirer, by card VISA unless said otherwise."""
    money = None if amount is None else Money(Decimal(amount), "EUR")
    usual = {"payment": "8a" * 16, "entity": "8" * 32, "trace": 7, "brand": "VISA", "number": VISA}
    usual |= {"cvv": "123", "money": money, "parameters": parameters or {}}
    return AcquirerRequest(type=PaymentType(kind), **{**usual, **fields})


def channel_of(**fields) -> Channel:
    """A channel that answers as the shipped default."""
    return Channel(id="8" * 32, name="shop", merchant_account="account", **fields)


def script_of(behaviour: dict | None = None, *, identity: str = "s1", **fields) -> Script:
    """A script that declines with 800.100.151 unless another behaviour is given."""
    chosen = behaviour or declining("800.100.151")
    return Script(
        id=identity, behaviour=chosen, created_at=datetime(2026, 1, 1, tzinfo=UTC), **fields
    )


def behaviour_document(acquirer: dict) -> dict:
    """The document of a behaviour whose acquirer does this."""
    words = {"name": "example", "title": "Example", "description": "For a test."}
    return {**words, "steps": {"acquirer": acquirer}}


def declining(code: str) -> dict:
    """The document of a behaviour that declines with `code`."""
    return behaviour_document({"decline": {"code": code}})
