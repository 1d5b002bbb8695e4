"""Explain a behaviour, or a test card: what `sandgate explain` says about the simulators."""

import re
from collections.abc import Iterator, Mapping
from functools import cache

from scenarios.amounts import AMOUNTS
from scenarios.cards import OUTCOME_CARDS
from scenarios.issuer_cards import BY_NUMBER, IssuerCard
from scenarios.loader import load_behaviours
from scenarios.records import Behaviour
from simulator.catalogue.test_cards import TEST_CARDS
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.subject import Subject
from simulator.domain.steering.magic_values import in_words
from simulator.grammar.choices import Choices

SEPARATORS = re.compile(r"[ -]")


def explain_behaviour(name: str, _choices: Choices) -> Iterator[str]:
    """What a behaviour does, and what chooses it."""
    if name not in _behaviours():
        return
    row = _behaviours()[name]
    yield f"{name}  (behaviour of the simulators)"
    yield from labeled("title", row.title)
    yield from labeled("says", row.description)
    yield from labeled("does", in_words(row))
    yield from labeled("card", ", ".join(_keys(OUTCOME_CARDS, name)))
    yield from labeled("amount", ", ".join(f".{cents}" for cents in _keys(AMOUNTS, name)))
    yield f"  show        sandgate behaviours show {name}"


def explain_test_card(name: str, _choices: Choices) -> Iterator[str]:
    """What a card number means to the simulators; blanks and hyphens in it do not matter."""
    number = SEPARATORS.sub("", name)
    for card in TEST_CARDS:
        if card.number == number:
            yield f"{number}  (test card, {card.brand})"
            yield from labeled("means", card.meaning)
    if number in OUTCOME_CARDS:
        yield f"{number}  (test card with an outcome)"
        yield from labeled("behaviour", OUTCOME_CARDS[number])
        yield from labeled("does", in_words(_behaviours()[OUTCOME_CARDS[number]]))
    if number in BY_NUMBER:
        yield from _issuer_card(BY_NUMBER[number])


def _issuer_card(card: IssuerCard) -> Iterator[str]:
    yield f"{card.number}  (test card with a profile at the issuer: {card.name})"
    yield f"  limit       {card.limit}, at most {card.most} in one payment"
    yield f"  address     {card.street}, {card.postcode}; security code {card.cvv}"
    if card.strict:
        yield "  strict      an invalid code or address declines the payment"
    if card.refuses:
        yield f"  declines    every payment with {card.refuses}"


def _keys(table: Mapping[str, str], wanted: str) -> list[str]:
    return [key for key, value in table.items() if value == wanted]


@cache
def _behaviours() -> Mapping[str, Behaviour]:
    return load_behaviours()


def _behaviour_texts() -> Iterator[tuple[str, str]]:
    for name, row in _behaviours().items():
        yield name, in_words(row)


BEHAVIOURS = Subject(
    kind="a behaviour",
    example="insufficient-funds",
    page="docs/reference/magic-values.md",
    names=lambda: _behaviours(),
    explain=explain_behaviour,
    texts=_behaviour_texts,
)
CARDS = Subject(
    kind="a test card",
    example="4200000000000018",
    page="docs/reference/magic-values.md",
    names=lambda: (*(card.number for card in TEST_CARDS), *OUTCOME_CARDS, *BY_NUMBER),
    explain=explain_test_card,
    texts=lambda: OUTCOME_CARDS.items(),
)
