"""No input makes a fault, and every answer is one the OpenAPI documents tell of.

Requests are made from the served documents, then laid over ones that work: generated parameters
alone seldom get past the first rule. What is made of a document is not kept after its test: all of
it would take a gigabyte.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from typing import NamedTuple

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis.checks import not_a_server_error
from schemathesis.generation import GenerationMode
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from simulator.catalogue.fields.parameters import TABLES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.checks.samples import concrete
from simulator.derive.schemas.examples import EXAMPLES
from simulator.grammar.choices import PROFILES
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway
from simulator.web.control.description.openapi import ROWS

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
MERCHANT = [(row.method, row.path) for row in OPERATIONS.values()]
CONTROL = [(row.method, row.path) for rows in ROWS.values() for row in rows]
# Making up a form of hundreds of fields takes a second. `make proof` has several times as many.
FORMS, QUERIES, BROKEN, NAMES, CLASHES = 3, 4, 3, 8, 40
TIMES = 4
# Forms of the other operations are generated for one profile here, for both in `make proof`.
OF_BOTH_PROFILES = ("/v1/payments", "/v1/registrations", "/scheduling/v1/schedules")
WAITS = ("follow", "wait")
MAKES_SOMETHING_UP = GenerationMode.POSITIVE
BREAKS_SOMETHING = GenerationMode.NEGATIVE


class Fuzzed(NamedTuple):
    """A gateway, and the text of the document it serves."""

    gateway: Gateway
    document: str


@pytest.fixture(params=[1, pytest.param(TIMES, marks=pytest.mark.proof)], ids=["few", "many"])
def times(request: pytest.FixtureRequest) -> int:
    """How many times as many examples are tried."""
    return request.param


def fuzzing(examples: int) -> settings:
    """The same examples at every run, without their shrinking."""
    return settings(
        max_examples=examples,
        deadline=None,
        database=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )


@pytest.fixture(scope="module")
def of_profile(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Fuzzed]]:
    """A gateway of a profile and its document of the merchant API, made when first asked for.

    A parametrized fixture would be made anew at each change of profile, and the order is random;
    to serve the document takes longer than most tests here.
    """
    with ExitStack() as stack:

        @cache
        def made(profile: str) -> Fuzzed:
            gateway = Gateway(tmp_path_factory.mktemp("fuzz") / "data", profile=profile)
            stack.callback(gateway.close)
            return Fuzzed(gateway, gateway.client.simulate_get("/openapi.json").text)

        yield made


@pytest.fixture(params=PROFILES)
def profile(request: pytest.FixtureRequest) -> str:
    """Each profile."""
    return request.param


@pytest.fixture
def fuzzed(profile: str, of_profile: Callable[[str], Fuzzed]) -> Gateway:
    """A gateway in each profile."""
    return of_profile(profile).gateway


@pytest.fixture
def documented(profile: str, of_profile: Callable[[str], Fuzzed]) -> str:
    """The document of the merchant API that the gateway serves."""
    return of_profile(profile).document


@pytest.fixture(scope="module", autouse=True)
def patterns_read_once() -> Iterator[None]:
    """Read each pattern once for all fields and tests here.

    The letters of a name are a hundred thousand, and Hypothesis goes through them, one by one, for
    each field that may hold them. It keeps what it made only for the very same alphabet.
    """
    from_regex, kept = st.from_regex, {}

    def once(regex: re.Pattern[str], **more: object) -> st.SearchStrategy[str]:
        key = regex, repr(more)
        if key not in kept:
            kept[key] = from_regex(regex, **more)
        return kept[key]

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(st, "from_regex", once)
        yield


@pytest.fixture(scope="module")
def control_documented(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The document of the control API, which is one for all gateways."""
    made = Gateway(tmp_path_factory.mktemp("documented") / "data")
    try:
        return made.client.simulate_get("/_sandbox/openapi.json").text
    finally:
        made.close()


def operation_of(
    gateway: Gateway, document: str, method: str, path: str
) -> schemathesis.APIOperation:
    """An operation as Schemathesis reads it from a served document."""
    schema = schemathesis.openapi.from_dict(json.loads(document))
    schema.app = gateway.client.app
    return schema[path][method]


def ask(case: schemathesis.Case, token: str) -> schemathesis.Response:
    """The answer to a case, held against the document."""
    answer = case.call(headers={"Authorization": f"Bearer {token}"})
    case.validate_response(answer, checks=CHECKS)
    return answer


@pytest.mark.parametrize(
    ("profile", "method", "path"),
    [
        pytest.param(profile, method, path, marks=[pytest.mark.proof] * is_long)
        for profile in PROFILES
        for method, path in MERCHANT
        for is_long in [(profile, method) == ("field", "POST") and path not in OF_BOTH_PROFILES]
    ],
    indirect=["profile"],
)
def test_generated_parameters_are_answered_as_documented(
    fuzzed: Gateway, documented: str, method: str, path: str, times: int
) -> None:
    operation = operation_of(fuzzed, documented, method, path)
    payment = fuzzed.post(paymentType="PA").json["id"]
    good = [
        example.sent
        for example in EXAMPLES.get(operation.definition.raw["operationId"], {}).values()
    ] or [{}]

    @fuzzing(times * (FORMS if method == "POST" else QUERIES))
    @given(
        case=operation.as_strategy(generation_mode=MAKES_SOMETHING_UP),
        base=st.sampled_from([{}, *good]),
        known=st.booleans(),
        few=st.integers(0, 4),
    )
    def answered_as_documented(
        case: schemathesis.Case, base: Mapping[str, str], known: bool, few: int
    ) -> None:
        mine = {"entityId": fuzzed.merchant.entity_id}
        if known and case.path_parameters:
            case.path_parameters["id"] = payment
        if method != "POST":
            case.query = {**case.query, **mine}
        else:
            added = dict(list(case.body.items())[: few if base else None])
            case.body = {**added, **base, **mine}
        ask(case, fuzzed.merchant.token)

    answered_as_documented()


@pytest.mark.parametrize(("method", "path"), [each for each in MERCHANT if each[0] != "POST"])
def test_broken_requests_are_answered_as_documented(
    fuzzed: Gateway, documented: str, method: str, path: str, times: int
) -> None:
    operation = operation_of(fuzzed, documented, method, path)

    @fuzzing(times * BROKEN)
    @given(operation.as_strategy(generation_mode=BREAKS_SOMETHING))
    def answered_as_documented(case: schemathesis.Case) -> None:
        ask(case, fuzzed.merchant.token)

    answered_as_documented()


@pytest.mark.parametrize(
    "identity", [row.id for row in OPERATIONS.values() if row.method == "POST"]
)
def test_known_names_with_any_values_are_answered_as_documented(
    fuzzed: Gateway, documented: str, identity: str, times: int
) -> None:
    """Schemathesis breaks forms of hundreds of fields in minutes, or not at all."""
    row = OPERATIONS[identity]
    operation = operation_of(fuzzed, documented, row.method, row.path)
    rows = [row for table in row.tables for row in table.rows]
    names = [concrete(name) for row in rows for name in row.concrete_names]

    @fuzzing(times * NAMES)
    @given(st.dictionaries(st.sampled_from(names), st.text(min_size=1, max_size=20), max_size=6))
    def answered_as_documented(body: Mapping[str, str]) -> None:
        mine = {"entityId": fuzzed.merchant.entity_id}
        case = operation.Case(
            body={**body, **mine},
            path_parameters={"id": "8" * 32},
            media_type="application/x-www-form-urlencoded",
        )
        ask(case, fuzzed.merchant.token)

    answered_as_documented()


STEMS = [name for table in TABLES for row in table.rows for name in row.concrete_names if row.echo]
TAILS = st.sampled_from(
    ["", "[0]", "[x]", "[]", ".x", "[0].x", "[a.b]", "[1]", "[-1]", "[\u0663]", "."]
)


@st.composite
def clashing_names(draw: st.DrawFn) -> str:
    """The name of something echoed, or of what stands around it, with something behind it."""
    name = concrete(draw(st.sampled_from(STEMS)), key=draw(st.sampled_from(["abc", "a.b", "0"])))
    steps = name.replace("[", ".[").split(".")
    kept = ".".join(steps[: draw(st.integers(1, len(steps)))]).replace(".[", "[")
    return kept + draw(TAILS)


def test_names_that_clash_are_answered_as_documented(
    fuzzed: Gateway, documented: str, times: int
) -> None:
    operation = operation_of(fuzzed, documented, "POST", "/v1/payments")
    debit = {"entityId": fuzzed.merchant.entity_id, **EXAMPLES["create_payment"]["debit"].sent}

    @fuzzing(times * CLASHES)
    @given(st.dictionaries(clashing_names(), st.just("1"), max_size=5))
    def answered_as_documented(added: Mapping[str, str]) -> None:
        case = operation.Case(
            body={**added, **debit}, media_type="application/x-www-form-urlencoded"
        )
        ask(case, fuzzed.merchant.token)

    answered_as_documented()


@pytest.mark.parametrize(
    "mode", [MAKES_SOMETHING_UP, BREAKS_SOMETHING], ids=lambda mode: mode.value
)
@pytest.mark.parametrize(("method", "path"), CONTROL)
def test_documents_of_the_control_api_are_answered_as_documented(
    gateway: Gateway,
    control_documented: str,
    method: str,
    path: str,
    mode: GenerationMode,
    times: int,
) -> None:
    operation = operation_of(gateway, control_documented, method, path)
    made = gateway.control("POST", "/sandboxes", {}).json["id"]

    @fuzzing(times * BROKEN)
    @given(operation.as_strategy(generation_mode=mode), st.booleans())
    def answered_as_documented(case: schemathesis.Case, known: bool) -> None:
        if known and "id" in (case.path_parameters or {}) and method != "delete":
            case.path_parameters["id"] = made
        if case.query:
            case.query = {name: value for name, value in case.query.items() if name not in WAITS}
        ask(case, CONTROL_KEY)

    answered_as_documented()


# fmt: off
@pytest.mark.parametrize(
    "document",
    [
        {"merchants": []},
        {"merchants": [{"channels": []}]},
        {"merchants": [{"channels": [{"cvv": "sometimes"}]}]},
        {"merchants": [{"channels": [{"name": None}]}]},
        {"merchants": [{"channels": [{"brands": "VISA"}]}]},
        {"merchants": [{"channels": [{"unknown": 1}]}]},
        {"clock": {"mode": "offset", "at": "0001-01-01T00:00:00+23:59"}},
        {"overrides": {"D-01": "nothing"}},
        {"profile": 1},
        [],
    ],
    ids=str,
)
# fmt: on
def test_a_document_that_cannot_be_a_sandbox_is_refused_and_leaves_none(
    gateway: Gateway, document: object
) -> None:
    before = len(gateway.control("GET", "/sandboxes").json["sandboxes"])

    answer = gateway.control("POST", "/sandboxes", document)

    assert answer.status_code == 400
    assert answer.json["error"].keys() == {"where", "expected", "got"}
    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == before


@pytest.mark.parametrize("move", [{"by": "1d"}, {"by": "99999999999999d"}, {"by": f"{'9' * 400}s"}])
def test_a_clock_at_the_end_of_time_is_not_moved_beyond_it(gateway: Gateway, move: dict) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    path = f"/sandboxes/{made}/clock/advance"
    gateway.control("POST", path, {"to": "2999-12-30T23:59:00Z"})

    assert gateway.control("POST", path, move).status_code == 400
    assert gateway.control("GET", f"/sandboxes/{made}/clock").status_code == 200
