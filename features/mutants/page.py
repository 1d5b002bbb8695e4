"""docs/makers/mutants.md: which mutants the suite kills, by which scenarios, and which survive."""

from features.mutants.catalogue import MUTANTS, SUBJECTS, mutants_in
from features.mutants.field_mutants import UNKNOWN, field_mutants
from features.mutants.mutant import Mutant
from features.mutants.sampled.page import headline
from features.mutants.survivors import SURVIVORS
from features.spec.companions import FORMAT_ONLY, UNREACHABLE

# Fields that accept every value: a gateway that ignores them passes.
SURVIVING_FIELDS = (
    "shipping.customer.givenName",
    "shipping.customer.surname",
    "standingInstruction.initialTransactionId",
)

TOP = """\
# Mutants: what the conformance suite detects

How much of the gateway the suite covers is measured by [sampled mutants](sampled-mutants.md),
changes that a tool makes in its source. Killed: {sampled}. The mutants below are made by hand; they
show that scenarios can fail, not that rules are covered.

The suite in `features/` tests gateways, and mutants test the suite: gateways that are deliberately
broken, each in one thing. A mutant is killed when a scenario fails against it for that thing.
`make test` runs a mutant of each group of requirements against the scenarios that must kill it, and
the original gateway behind the same proxy against all of those. `make proof` does so with all
{count} mutants.

A mutant is a small function around the original gateway: requests and responses pass through, and
one thing is changed. A failure counts as a kill when a comparison in a Then step failed (not an
error on the way there), in a scenario named here, and when it names the requirement.

The mutants of a requirement are printed by

```console
$ python -m features.mutants RSP-07
shows_whole_amounts
  Amounts are shown without decimals where they are zero.
  breaks RSP-07
  killed by: Amounts are shown with two decimals
```

A new mutant is a function in `features/mutants/subjects/` with a decorator that names the
requirements it breaks and the scenarios that kill it. This page is printed by
`python -m features.mutants`.
"""

FIELDS = """
## Mutants of single fields

Computed from the suite's own tables: {count} mutants of {fields} fields. For every boundary value
that must be refused there is a mutant that accepts it and similar values, for every one that must
be accepted a mutant that refuses it, and for every field a mutant that ignores it. Each is killed
by the boundary case with its id, such as `FIELD:billing.street1:too-long`. `make test` runs sixty
of them, `make proof` all.
"""

SURVIVORS_TOP = """
## Survivors

These mutants survive the whole suite; `make proof` runs them.

| defect | why it survives |
| --- | --- |
"""

UNTESTED_LIMITS = """
A gateway that ignores {names} survives too: no value of these must be refused. The limits of some
fields are not tested at all:

| field | because |
| --- | --- |
"""

FORMATS = """
Of these fields only the format is tested, since the payment itself belongs to another capability: a
refusal that does not name the field passes where its value must be accepted.

| field | because |
| --- | --- |
"""

OTHER_GATEWAYS = """
The suite sees a gateway through its API only: not what a gateway logs, what it stores of a card,
and what it does with the money.

## Other gateways

Three more gateways are tested by `make test`, with fixed verdicts:

- **The relocated target**: Sandgate under another host name and base path, with other ids and no
  control API. No case fails; cases that need a clock, scripts, an inbox, a second host or TLS are
  reported as not checkable.
- **The reference gateway** (`features/reference_gateway/`): nine operations, written with the
  standard library and without our code. It fails the scenarios listed in `lacking.csv`, each for a
  missing function, and no other. It does not keep the limits of all fields, so boundary cases do
  not run against it.
- **The relocated target, again**: a target may be tested twice, though the payments of the first
  run are still there (`make proof`).
"""


def render_page() -> str:
    """The whole page, in Markdown."""
    top = TOP.format(count=len(MUTANTS), sampled=headline())
    subjects = "".join(map(render_subject, SUBJECTS))
    return "".join([top, subjects, render_fields(), render_survivors(), OTHER_GATEWAYS])


def render_subject(title: str) -> str:
    """The table of the mutants of a subject."""
    lines = [f"\n## {title}\n", "| defect | breaks | killed by |", "| --- | --- | --- |"]
    for each in mutants_in(SUBJECTS[title]):
        breaks, killed_by = " ".join(each.requirements), "; ".join(each.killed_by)
        lines.append(f"| {table_cell(each.description)} | {breaks} | {killed_by} |")
    return "\n".join([*lines, ""])


def render_fields() -> str:
    """The section about mutants of fields."""
    mutants = field_mutants()
    count = len(mutants) - len(SURVIVING_FIELDS)
    return FIELDS.format(count=count, fields=sum(each.kind == UNKNOWN for each in mutants))


def render_survivors() -> str:
    """The section about survivors, and about fields whose limits are not tested."""
    names = ", ".join(f"`{name}`" for name in SURVIVING_FIELDS)
    survivors = "".join(f"| {table_cell(each.description)} | {each.why} |\n" for each in SURVIVORS)
    untested = "".join(f"| `{prefix}` | {why} |\n" for prefix, why in UNREACHABLE.items())
    formats = "".join(f"| `{prefix}` | {why} |\n" for prefix, why in FORMAT_ONLY.items())
    limits = UNTESTED_LIMITS.format(names=names)
    return "".join([SURVIVORS_TOP, survivors, limits, untested, FORMATS, formats])


def render_mutants_of(requirement: str) -> str:
    """The mutants that break a requirement, in the order of the catalogue."""
    made = [each for each in MUTANTS if requirement in each.requirements]
    return "".join(map(render_mutant, made)) or f"{requirement}: no such requirement\n"


def render_mutant(mutant: Mutant) -> str:
    """A mutant in a few lines."""
    lines = [mutant.name, f"  {mutant.description}", f"  breaks {', '.join(mutant.requirements)}"]
    return "\n".join([*lines, *(f"  killed by: {title}" for title in mutant.killed_by), ""])


def table_cell(sentence: str) -> str:
    """A sentence for a cell of a Markdown table, without its full stop and with bars escaped."""
    return sentence.rstrip(".").replace("|", "\\|")
