"""Explain a requirement of the specification, or an expectation of existing clients."""

from collections.abc import Iterator

from simulator.catalogue.fields.parameters import RELATIONS
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.sources.expectations import EXPECTATIONS
from simulator.catalogue.sources.requirements import REQUIREMENTS
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.subject import Subject
from simulator.derive.schemas.conditions import describe_relation
from simulator.grammar.choices import Choices


def explain_requirement(name: str, _choices: Choices) -> Iterator[str]:
    """The statement of a requirement, and the rules between parameters that check it."""
    if name not in REQUIREMENTS:
        return
    row = REQUIREMENTS[name]
    yield f"{row.id}  (requirement of the specification, {row.section})"
    yield from labeled("text", row.text)
    for words in dict.fromkeys(_rules(name)):
        yield from labeled("rule", words)


def explain_expectation(name: str, _choices: Choices) -> Iterator[str]:
    """The statement of an expectation."""
    if name in EXPECTATIONS:
        row = EXPECTATIONS[name]
        yield f"{row.id}  (expectation of existing clients, {row.section.lower()})"
        yield from labeled("text", row.text)
        yield from labeled("profile", "field; the specification wins in profile specification")


def _rules(identity: str) -> Iterator[str]:
    operations = (relation for row in OPERATIONS.values() for relation in row.relations)
    for relation in (*RELATIONS, *operations):
        if relation.id == identity:
            yield describe_relation(relation)


REQUIREMENT_IDS = Subject(
    kind="a requirement",
    example="PAY-08",
    page="docs/how-to/check.md",
    names=lambda: REQUIREMENTS,
    explain=explain_requirement,
    texts=lambda: ((row.id, row.text) for row in REQUIREMENTS.values()),
)
EXPECTATION_IDS = Subject(
    kind="an expectation",
    example="E09",
    page="docs/reference/profiles.md",
    names=lambda: EXPECTATIONS,
    explain=explain_expectation,
    texts=lambda: ((row.id, row.text) for row in EXPECTATIONS.values()),
)
