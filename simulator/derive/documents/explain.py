"""One field for a person: its row, its limits, the relations that touch it, and samples."""

from collections.abc import Callable, Iterator, Mapping
from textwrap import wrap

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.fields.effects import effects_of
from simulator.catalogue.fields.parameters import RELATIONS, TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.catalogue.results import RESULTS, class_of
from simulator.derive.checks.acceptance import resolved
from simulator.derive.checks.names import nearest_few, template_of
from simulator.derive.checks.samples import Sample, concrete, samples_of
from simulator.derive.documents.export import operations_of, values_of
from simulator.derive.schemas.conditions import cases_in_words
from simulator.grammar.choices import Choices
from simulator.grammar.formats import Format
from simulator.grammar.parameters import REQUEST, Param, Table
from simulator.grammar.payment_types import LedgerRule, PaymentTypeRow
from simulator.grammar.relations import Relation

SHOWN_MAX = 60
WIDTH, INDENT = 100, 14
VALUES_SHOWN_MAX = 12
UNSENT = frozenset({"header", "structure"})


def explain(name: str, choices: Choices) -> list[str]:
    """What the catalogue says of a field, under `choices`, line by line.

    `name` may be a concrete one, such as `cart.items[3].name`. An unknown name gives the nearest
    known ones.
    """
    found = _fields(name)
    if not found and name in OTHERS:
        return OTHERS[name](name, choices)
    if not found:
        return [f"{name}: the catalogue has no such field", *_nearest(name)]
    return [line for table, row in found for line in (*_lines(table, row, choices), "")][:-1]


def is_known(name: str) -> bool:
    """Whether there is anything to explain under `name`."""
    return name in OTHERS or bool(_fields(name))


def _fields(name: str) -> list[tuple[Table, Param]]:
    template = template_of(name)
    return [(table, row) for table in TABLES for row in table.rows if row.name == template]


def _result(name: str, choices: Choices) -> list[str]:
    row = RESULTS[name]
    return [f"{name}  (result code)", f"  says        {row.text}", f"  group       {row.group}",
            f"  means       {class_of(name)}"]  # fmt: skip


def _payment_type(name: str, choices: Choices) -> list[str]:
    row = PAYMENT_TYPES[name]
    lines = [
        f"{name}  (payment type{'' if row.is_initial else ' that refers to another'})",
        f"  does        {row.what}",
    ]
    if not row.is_initial:
        lines += [
            f"  refers to   {', '.join(row.refers_to(choices))}",
            f"  refused     {row.unsuitable} (type), {row.unknown} (unknown), "
            f"{row.used_up} (used up)",
        ]
    return [*lines, *_beside(row)]


def _beside(row: PaymentTypeRow) -> Iterator[str]:
    """What a payment type does at the card host, in ledger, webhook events and settlement."""
    if row.ledger is not None:
        yield f"  ledger      {_ledger(row.ledger)}"
    if row.message is not None:
        yield f"  ISO 8583    {row.message.message}, processing code {row.message.processing}"
    if row.event:
        yield f"  event       {row.event}"
    settled = " ".join(filter(None, (row.record, row.transaction)))
    if settled or row.fee:
        yield f"  settlement  {', '.join(filter(None, (settled, row.fee)))}"


def _ledger(rule: LedgerRule) -> str:
    if rule.debit:
        return f"debits {rule.debit}, credits {rule.credit}"
    return f"posts the entry of the payment it is about {'backwards' if rule.reverses else 'again'}"


def _decision(name: str, choices: Choices) -> list[str]:
    row = next(row for row in CHOICES if row.id == name)
    return [
        f"{name}  (decision, see DECISIONS.md)",
        f"  settles     {row.title}",
        f"  is          {choices[row.name]}",
        f"  values      {', '.join(row.options)} (--override {name}=...)",
    ]


# What else has a name: result codes, payment types, decisions with a switch.
OTHERS: Mapping[str, Callable[[str, Choices], list[str]]] = {
    **dict.fromkeys(RESULTS, _result),
    **dict.fromkeys(PAYMENT_TYPES, _payment_type),
    **{row.id: _decision for row in CHOICES},
}


def _lines(table: Table, row: Param, choices: Choices) -> Iterator[str]:
    format = resolved(row.format, choices)
    yield f"{row.name}  ({table.title}, {row.direction})"
    yield f"  format      {format.notation}"
    yield from _limits(format)
    yield f"  need        {row.need}{': ' + row.note if row.note else ''}"
    if row.key:
        yield f"  key         {row.key.pattern}"
    if row.schemes:
        yield f"  scheme      one of {', '.join(row.schemes)}"
    if row.secret:
        yield "  secret      its value is never shown, logged or stored in the clear"
    yield from (f"  switched    {_switch(choice, other)}" for choice, other in row.format.switches)
    yield from _samples(row, format)
    yield f"  origin      {row.origin}"
    if row.direction == REQUEST:
        yield from (f"  effect      {words}" for words in effects_of(row))
        for words in _relations_of(row):
            yield from _wrapped("relation", words)
        named = ", ".join(operations_of(row)) or "no operation served yet"
        yield from _wrapped("used by", named)


def _wrapped(label: str, words: str) -> list[str]:
    """A line with a label; what is longer goes on below."""
    begin = f"  {label}".ljust(INDENT)
    return wrap(
        words,
        WIDTH,
        initial_indent=begin,
        subsequent_indent=" " * INDENT,
        break_long_words=False,
        break_on_hyphens=False,
    )


def _limits(format: Format) -> Iterator[str]:
    if format.kind in UNSENT:
        return
    values = values_of(format)
    if values:
        more = (
            f" and {len(values) - VALUES_SHOWN_MAX} more" if len(values) > VALUES_SHOWN_MAX else ""
        )
        yield f"  values      {', '.join(values[:VALUES_SHOWN_MAX])}{more}"
        return
    yield f"  length      {format.min} to {format.max}"
    if not format.says:
        yield f"  pattern     {format.pattern}"
    else:
        yield f"  value       {format.says}"


def _switch(choice: str, other: Format) -> str:
    values = f"one of {', '.join(other.values)}" if other.values else other.says or other.pattern
    return f"by the choice {choice!r}: {values}"


def _relations_of(row: Param) -> Iterator[str]:
    yield from (_in_words(relation) for relation in RELATIONS if relation.touches(row.name))
    for operation in OPERATIONS.values():
        touching = [relation for relation in operation.relations if relation.touches(row.name)]
        yield from (f"{_in_words(relation)} ({operation.id})" for relation in touching)


def _in_words(relation: Relation) -> str:
    rule = f"{relation.id}: {', '.join(relation.names)}: {relation.says or 'must be sent'}"
    if relation.where:
        return f"{rule}, {cases_in_words(relation)}"
    if not relation.unless_in:
        return rule
    names = " or ".join(relation.unless)
    return f"{rule}, unless {names} is one of {', '.join(relation.unless_in)}"


def _samples(row: Param, format: Format) -> Iterator[str]:
    if format.kind in UNSENT:
        return
    samples = samples_of(format)
    name = concrete(row.concrete_names[0])
    taken = next(sample for sample in samples if sample.taken)
    refused = next((sample for sample in samples if not sample.taken), None)
    yield f"  accepted    {_shown(name, taken)}"
    if refused:
        yield f"  refused     {_shown(name, refused)}  ({refused.case})"


def _shown(name: str, sample: Sample) -> str:
    value = sample.value if len(sample.value) <= SHOWN_MAX else sample.value[:SHOWN_MAX] + "..."
    return f"{name}={value!r}"[: len(name) + SHOWN_MAX + 10]


def _nearest(name: str) -> list[str]:
    return [f"  nearest     {close}" for close in nearest_few(name)]
