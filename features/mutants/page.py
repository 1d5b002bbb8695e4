"""docs/makers/mutants.md: which faults the judge sees, by what, and which it does not see."""

from collections.abc import Iterator

from features.mutants.catalogue import BOX, SUBJECTS, faults_in
from features.mutants.field_mutants import UNKNOWN, field_faults
from features.mutants.kills import caught, of_scenarios
from features.mutants.mutant import Fault
from features.mutants.survivors import UNSEEN
from features.spec.companions import FORMAT_ONLY, UNREACHABLE
from features.spec.tables import requirements

# Fields whose every value is taken: a gateway that does not know them passes.
UNSEEN_FIELDS = (
    "shipping.customer.givenName",
    "shipping.customer.surname",
    "standingInstruction.initialTransactionId",
)

TOP = """\
# What the judge sees

The suite in `features/` judges gateways. Here is what shows that it can: gateways that are broken
on purpose, each in one thing, each failed for that thing. `make test` shows every one of them to
the scenarios that are meant for it, and a sound gateway behind the same listener to all of those;
`make proof` shows every one to all scenarios, which takes over an hour on two cores, and writes
what caught it to `features/mutants/killed.csv`: {judged} of {count} so far, each of them caught.

A broken gateway is a small function around a sound one: requests and answers pass through, and one
thing is spoiled. A failure counts when a step compared two things (not when something broke on the
way there), when it is of the scenario named here, and when it names the requirement.

What guards a requirement is printed by

```console
$ python -m features.mutants RSP-07
shows_whole_amounts
  Amounts are shown without decimals where there are none to speak of.
  breaks RSP-07
  caught by: Amounts are shown with two decimals
```

A new fault is a function in `features/mutants/` with a decorator that says what it breaks and what
sees it. This page is printed by `python -m features.mutants`.
"""

FIELDS = """
## Faults of single fields

Computed from the judge's own tables, {count} of them for {fields} fields: for every boundary value
that is refused a gateway that takes it and its like, for every one that is taken a gateway that
refuses it, and for every field a gateway that does not know it. Each is failed by the boundary case
of the same name, such as `FIELD:billing.street1:too-long`. `make test` tries sixty of them, `make
proof` all.
"""

BLIND = """
## What is not seen

These gateways are broken too, and the whole suite passes them: a proof for `make proof`.

| what is wrong | why nobody sees it |
| --- | --- |
"""

OTHERS = """
A gateway that does not know {names} is not seen either: there is no value of these that it would
have to refuse. And some fields are not judged at their limits at all:

| field | because |
| --- | --- |
"""

FORMATS = """
Of these only the format is judged, since the payment itself belongs to another chapter: any refusal
that does not name the field passes where its value has to be taken.

| field | because |
| --- | --- |
"""

STRANGERS = """
Nor does a judge at the door see what never comes to the door: what a gateway writes to its log,
what it keeps of a card, and what it does with the money.

## Other gateways

Three more are judged in `make test`, and what is said of them is fixed:

- **Our own, moved**: another host name, another base path, other ids, no control API. Nothing
  fails; what needs a clock, scripts, an inbox, a second host or TLS is not checkable there, and
  said to be.
- **An independent one** (`features/reference_gateway/`): nine operations, the standard library,
  nothing of ours. Of the scenarios it fails those listed in `lacking.csv`, each because of what it
  lacks, and no other. It does not keep the limits of all fields, so their boundaries are not judged
  there.
- **The moved one, again**: a target may be judged twice, though what was paid the first time is
  still there (`make proof`).
"""


def page() -> str:
    """The whole page, in Markdown."""
    top = TOP.format(judged=len(caught()), count=len(of_scenarios()))
    return "".join([top, *map("".join, map(subject, SUBJECTS)), fields(), blind(), STRANGERS])


def subject(title: str) -> Iterator[str]:
    """A table of the faults of a subject."""
    yield f"\n## {title}\n\n| what is wrong | breaks | caught by |\n| --- | --- | --- |\n"
    for each in faults_in(SUBJECTS[title]):
        seen_by = "; ".join(each.caught_by)
        yield f"| {without_dot(each.meaning)} | {' '.join(each.requirements)} | {seen_by} |\n"


def fields() -> str:
    """How many faults of fields there are."""
    faults = field_faults()
    count = len(faults) - len(UNSEEN_FIELDS)
    return FIELDS.format(count=count, fields=sum(each.kind == UNKNOWN for each in faults))


def blind() -> str:
    """What is passed though it is broken, and what is not looked at."""
    names = ", ".join(f"`{name}`" for name in UNSEEN_FIELDS)
    unseen = "".join(f"| {without_dot(each.meaning)} | {each.why} |\n" for each in UNSEEN)
    left = "".join(f"| `{start}` | {why} |\n" for start, why in UNREACHABLE.items())
    formats = "".join(f"| `{start}` | {why} |\n" for start, why in FORMAT_ONLY.items())
    return BLIND + unseen + OTHERS.format(names=names) + left + FORMATS + formats


def guards_of(requirement: str) -> str:
    """The broken gateways that were made for a requirement, one after the other."""
    made = [each for each in BOX if requirement in each.requirements]
    known = requirement in requirements()
    nothing = "no broken gateway yet" if known else "no such requirement"
    return "".join(map(told, made)) or f"{requirement}: {nothing}\n"


def told(fault: Fault) -> str:
    """A fault in a few lines."""
    lines = [fault.name, f"  {fault.meaning}", f"  breaks {', '.join(fault.requirements)}"]
    return "\n".join([*lines, *(f"  caught by: {title}" for title in fault.caught_by), ""])


def without_dot(sentence: str) -> str:
    """A sentence as it stands in a table, where a bar would end its cell."""
    return sentence.rstrip(".").replace("|", "\\|")
