"""Explain a decision, or an engineering choice that has a number among the decisions."""

from collections.abc import Iterator

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.decisions import AREAS, DECISIONS
from simulator.catalogue.engineering import ENGINEERING, RECORDS
from simulator.derive.explain.lines import labeled
from simulator.derive.explain.subject import Subject
from simulator.grammar.choices import Choices
from simulator.grammar.decisions import Decision, EngineeringChoice


def explain_decision(name: str, choices: Choices) -> Iterator[str]:
    """The question, the answer, the reason and the switch of a decision."""
    if name in DECISIONS:
        yield from _decision(DECISIONS[name], choices)
    elif name in ENGINEERING:
        yield from _engineering(ENGINEERING[name])


def _decision(row: Decision, choices: Choices) -> Iterator[str]:
    area = next(area.title for area in AREAS if row in area.rows)
    yield f"{row.id}  {row.title}  (decision)"
    yield from labeled("area", area)
    yield from labeled("question", row.question)
    yield from labeled("answer", row.answer)
    yield from labeled("reason", row.reason)
    yield from _switch(row.id, choices)
    if row.setting:
        yield from labeled("setting", row.setting)
    yield from labeled("tests", ", ".join(row.tests))


def _switch(identity: str, choices: Choices) -> Iterator[str]:
    for choice in CHOICES:
        if choice.id == identity:
            yield from labeled("switch", choice.title)
            yield f"  is          {choices[choice.name]} (profile {choices.profile})"
            values = ", ".join(choice.options)
            yield f"  values      {values} (--override {identity}={choice.options[-1]})"


def _engineering(row: EngineeringChoice) -> Iterator[str]:
    record = next(record for record in RECORDS if row in record.rows)
    yield f"{row.id}  {row.title}  (engineering choice)"
    yield from labeled("choice", row.choice)
    yield from labeled("record", f"{record.number}. {record.title}: {record.path}")
    yield from labeled("tests", ", ".join(row.tests))


def _texts() -> Iterator[tuple[str, str]]:
    for row in DECISIONS.values():
        yield row.id, f"{row.title} {row.question} {row.answer}"
    for choice in ENGINEERING.values():
        yield choice.id, choice.choice


DECISION_NUMBERS = Subject(
    kind="a decision",
    example="D-84",
    page="DECISIONS.md",
    names=lambda: (*DECISIONS, *ENGINEERING),
    explain=explain_decision,
    texts=_texts,
)
