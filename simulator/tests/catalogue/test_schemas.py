"""JSON Schema and the compiled check decide on the same requests alike, both computed from the
rows.
"""

import json
import re
from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from jsonschema import Draft202012Validator

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.checks.check import Check, compile_check
from simulator.derive.checks.samples import concrete, key_samples_of, samples_of
from simulator.derive.schemas.conditions import CONDITIONS
from simulator.derive.schemas.examples import EXAMPLES
from simulator.derive.schemas.patterns import versions_below
from simulator.derive.schemas.requests import SHOWN_BY_NAMES, RequestRules, request_schema, rules_of
from simulator.derive.schemas.responses import payment_schema, result_schema
from simulator.grammar.choices import PROFILES, Choices, choose
from simulator.tests.kit.gateway import ORDER

ENTITY = "8" + "a" * 31
PAIRS = [(operation, profile) for operation in OPERATIONS for profile in PROFILES]
# What ECMAScript knows under its flag u and Python knows as well: no short class, no flag, no name.
ESCAPES = frozenset("\\^$.*+?()[]{}|/-nxu")
GROUPS = frozenset(":=!")
POSSESSIVE = re.compile(r"(?<!\\)[*+?}]\+")


class CheckAndSchema:
    """The check and the schema of one operation in one profile."""

    def __init__(self, operation: str, profile: str):
        choices = choose(CHOICES, profile)
        self.rules: RequestRules = rules_of(OPERATIONS[operation], choices)
        self.check: Check = compile_check(OPERATIONS[operation], choices)
        self.schema = request_schema(OPERATIONS[operation], choices)
        self.whole = Draft202012Validator(self.schema)
        self.fields = Draft202012Validator({**self.schema, "allOf": []})

    def refuses_field(self, name: str, value: str) -> bool:
        """Whether the check holds this value of this name against the request, relations aside."""
        relations = {row.id for row in self.rules.relations if row.kind in CONDITIONS}
        found = self.check.violations_of({name: value})
        return any(wrong.name == name and wrong.rule not in relations for wrong in found)


@pytest.fixture(scope="module")
def checkers() -> dict[tuple[str, str], CheckAndSchema]:
    return {pair: CheckAndSchema(*pair) for pair in PAIRS}


def fields_of(checker: CheckAndSchema) -> Iterator[tuple[str, str]]:
    """Every sample of every field and key of an operation, under a name that may be sent."""
    for line in checker.rules.lines.values():
        for name in line.row.concrete_names:
            yield from ((concrete(name), sample.value) for sample in samples_of(line.format))
        if line.key is not None:
            good = next(sample.value for sample in samples_of(line.format) if sample.taken)
            for key in key_samples_of(line.row):
                yield concrete(line.row.name, key=key.value), good


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_every_sample_of_every_field_is_decided_alike(
    checkers: dict, pair: tuple[str, str]
) -> None:
    checker = checkers[pair]

    differing = [
        (name, value[:40])
        # Several names can be one once a scheme or a number is in them.
        for name, value in dict.fromkeys(fields_of(checker))
        if checker.refuses_field(name, value) == checker.fields.is_valid({name: value})
    ]

    assert differing == []


ODD_NAMES = (
    "cart.items[999].name", "cart.items[1000].name", "cart.items[01].name",
    "cart.items[].name", "cart.items[x].name", "cart.items[0].nothing", "cart.items[0]",
    "cart.items[0].name\n", "cart.items[0].name[0]", "cart.items[0.name",
    "cart.items]0[.name", "[", "]", "a[b]c]",
    "airline.passengers[0].legs[0].ticketNumber",
    "airline.passengers[0].legs[x].ticketNumber", "customParameters[ab]",
    "customParameters[abc]", "customParameters[a-c]", "customParameters[]",
    "customParameters[abc]x", "customParameters[a[b]c]", "customParameters",
    "risk.parameters[a b]", "risk.parameters[a]b]", "overridePaymentType[VISA]",
    "overridePaymentType[a-b]", "threeDSecure.v1.visa.requestorId",
    "threeDSecure.v1.unionpay.requestorId", "curency",
    "threeDSecure.v1.<scheme>.requestorId", "constructor", "__proto__", "x", "amount ",
)  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_names_are_decided_alike(checkers: dict, pair: tuple[str, str]) -> None:
    checker = checkers[pair]
    relations = {row.id for row in checker.rules.relations if row.kind in CONDITIONS}

    def is_refused(name: str) -> bool:
        found = checker.check.violations_of({name: "abc"})
        # A list that begins elsewhere than at 0 has a gap, which the schema leaves to the check.
        wrong = [row for row in found if "is missing" not in row.message]
        return any(row.name == name and row.rule not in relations for row in wrong)

    differing = [
        name for name in ODD_NAMES if is_refused(name) == checker.fields.is_valid({name: "abc"})
    ]

    assert differing == []


def good_request(operation: str) -> dict[str, str]:
    """The first example of an operation; one without examples needs nothing but an entity."""
    shown = [example.sent for example in EXAMPLES.get(operation, {}).values()]
    return {"entityId": ENTITY, **(shown[0] if shown else {})}


GOOD = {name: good_request(name) for name in OPERATIONS} | {
    "create_payment": {"entityId": ENTITY, **ORDER}
}


def requests(checker: CheckAndSchema) -> st.SearchStrategy[dict[str, str]]:
    """Good requests, now and then without a parameter, and with some that relations name."""
    good = GOOD[checker.rules.operation.id]
    missing = st.lists(st.sampled_from(sorted(good)), max_size=1)
    plain = checker.rules.plain
    added = st.lists(st.sampled_from(related_to(checker)) | st.sampled_from(plain), max_size=5)

    @st.composite
    def made(draw: st.DrawFn) -> dict[str, str]:
        left_out = draw(missing)
        sent = {name: value for name, value in good.items() if name not in left_out}
        for name in draw(added):
            sent[name] = draw(st.sampled_from(values_of(checker, name)))
        return sent

    return made()


def related_to(checker: CheckAndSchema) -> list[str]:
    """The parameters that relations name, each as often as they do."""
    return [
        name
        for relation in checker.rules.relations
        for about in (*relation.names, *relation.triggers, *relation.unless, relation.other)
        for name in checker.rules.plain
        if name == about or (about.endswith(".") and name.startswith(about))
    ]


def values_of(checker: CheckAndSchema, name: str) -> list[str]:
    """What the format takes, some of what it does not, and the values that relations look at."""
    samples = samples_of(checker.rules.lines[name].format)
    relations = checker.rules.relations
    related = [value for row in relations if name in row.names for value in row.values]
    related += [value for row in relations if name in row.unless for value in row.unless_in]
    related += [value for row in relations if name in row.unless for value in row.unless_not_in]
    taken = [sample.value for sample in samples if sample.taken]
    return [*taken, *related, *taken, *(sample.value for sample in samples if not sample.taken)][
        :60
    ]


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_whole_requests_are_decided_alike(checkers: dict, pair: tuple[str, str]) -> None:
    checker = checkers[pair]
    verdicts = set()

    @settings(max_examples=50, deadline=None, database=None, derandomize=True,
              suppress_health_check=[HealthCheck.too_slow])  # fmt: skip
    @given(requests(checker))
    def judged_alike(sent: dict[str, str]) -> None:
        kept = checker.whole.is_valid(sent)
        verdicts.add(kept)
        assert kept != bool(checker.check.violations_of(sent))

    judged_alike()
    assert verdicts == {True, False}


@pytest.mark.parametrize("version", ["1.0.2", "2.0.0", "2.1.0", "2.2.0", "2.3.9"])
def test_a_version_is_below_another_where_its_numbers_are(version: str) -> None:
    numbers = tuple(map(int, version.split(".")))

    assert bool(re.search(versions_below((2, 2)), version)) == (numbers < (2, 2))


def test_what_a_schema_cannot_say_is_listed_in_words(checkers: dict) -> None:
    schema = checkers["create_payment", "specification"].schema

    assert [row["id"] for row in schema["x-relations"]] == ["TRN-06"]
    said = CONDITIONS.keys() | SHOWN_BY_NAMES
    assert all(
        row.kind in said for row in checkers["create_payment", "specification"].rules.relations
    )


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_a_schema_is_one_and_its_patterns_are_read_alike_everywhere(
    checkers: dict, pair: tuple[str, str]
) -> None:
    schema = checkers[pair].schema

    Draft202012Validator.check_schema(schema)
    for pattern in set(patterns_in(schema)) - {versions_below((2, 2))}:
        assert ESCAPES.issuperset(re.findall(r"\\(.)", pattern)), pattern
        assert GROUPS.issuperset(re.findall(r"(?<!\\)\(\?(.)", pattern)), pattern
        assert not POSSESSIVE.search(pattern), pattern
        assert pattern.startswith("^") and pattern.endswith(r"$(?!\n)"), pattern


@pytest.mark.parametrize("profile", PROFILES)
def test_the_schemas_of_answers_are_schemas(profile: str) -> None:
    choices: Choices = choose(CHOICES, profile)

    for schema in (payment_schema(choices), result_schema(choices)):
        Draft202012Validator.check_schema(schema)
        json.dumps(schema)


def patterns_in(schema: object) -> Iterator[str]:
    """Every regular expression in a schema."""
    if isinstance(schema, dict):
        if isinstance(schema.get("pattern"), str):
            yield schema["pattern"]
        yield from schema.get("patternProperties", {})
        for inner in schema.values():
            yield from patterns_in(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from patterns_in(inner)
