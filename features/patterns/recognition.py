"""Which of the seven patterns a scenario follows, read from its steps and its examples.

What a scenario does shows most of them: whom its steps let act, what its Then steps read, which
columns of its examples vary. Only a limit cannot be seen, and a place that is a whole scenario: a
tag such as `@pattern:limit` says so.
"""

import re
from collections.abc import Iterator, Mapping

from pytest_bdd.parser import ScenarioTemplate

TAG = "pattern"
# The patterns, in the order of the columns of the table.
PATTERNS: Mapping[str, str] = {
    "place":   "every place: the rule is tried wherever it holds",
    "values":  "more than one value: brands, amounts, currencies, items of lists",
    "done":    "done, not only refused: what is accepted has its effect",
    "limit":   "at the limit: the last value that holds and the first that does not",
    "event":   "every event: notifications and calls to the merchant",
    "witness": "an independent witness: read at the party that received it, or elsewhere",
    "other":   "another tries: without the right to it",
}  # fmt: skip
# Columns of examples that hold a kind of request, a profile, a host or a way in.
PLACES = frozenset({
    "asks", "address", "before", "does", "end", "flow", "how", "kind", "mode", "operation",
    "payment", "pays", "place", "profile", "refers", "request", "sends", "transaction", "verb",
})  # fmt: skip
NO_VALUES = PLACES | {"why"}
DENIALS = re.compile(
    r"^(?!.*\bsucceed).*\b(refused|declined|not found|throttled|no request|refuses|not called)\b"
)
EVENTS = re.compile(r"\bnotif|\breceiver (is called|is not called|gets|has)\b|^the receiver")
WITNESSES = re.compile(
    r"^the (acquirer|card host|issuer|bank|ACS|risk system|directory server) "
    r"(received|did not receive|<received>|returned)"
    r"|^(a|no) card message|\bhas received\b|\breceiver gets\b|the receiver is called"
    r"|\bas the ledger posted\b|\bledger\b|\bthe page shows\b|\bbrowser\b|\bform\b"
    r"|^the (file|merchant fetches|card was charged|card approves|shop receives)"
    r"|^(its|every|no|only its) line|lines? (is|are) [A-Z]|^the report (contains|shows)"
)  # fmt: skip
OTHERS = re.compile(
    r"\bother merchant\b|\banother (sandbox|merchant|channel)\b|\bwithout (any )?credentials\b"
    r"|\bnever issued\b|\bfor the entity\b|with the token \"|token without the last"
    r"|\bwith its token (only|for)\b|\bcredentials \"|^the shopper (tries|pays another)"
    r"|payment form (pays|posts)|\bin the role\b|\bnot offered\b|\bother page\b"
)


def patterns_of(scenario: ScenarioTemplate) -> set[str]:
    """The patterns that a scenario follows, by their names in `PATTERNS`."""
    return {*tagged_patterns(scenario), *_patterns_of_examples(scenario), *_of_steps(scenario)}


def tagged_patterns(scenario: ScenarioTemplate) -> Iterator[str]:
    """The patterns that a scenario or its feature is tagged with."""
    for tag in scenario.tags | scenario.feature.tags:
        kind, _, value = tag.partition(":")
        if kind == TAG:
            yield value


def _patterns_of_examples(scenario: ScenarioTemplate) -> Iterator[str]:
    rows = [dict(row) for table in scenario.examples for row in table.as_contexts()]
    varied = {name for name in rows[0] if len({row[name] for row in rows}) > 1} if rows else set()
    if varied & PLACES:
        yield "place"
    if varied - NO_VALUES:
        yield "values"


def _of_steps(scenario: ScenarioTemplate) -> Iterator[str]:
    steps = [(step.type, step.name) for step in scenario.steps]
    thens = [name for kind, name in steps if kind == "then"]
    if not all(map(DENIALS.match, thens)):
        yield "done"
    if any(map(EVENTS.search, thens)):
        yield "event"
    if any(map(WITNESSES.search, thens)):
        yield "witness"
    if any(OTHERS.search(name) for _, name in steps):
        yield "other"
