"""Mutants of single fields, computed from the suite's own tables: each limit is off by one step.

For every boundary value that must be refused there is a mutant that accepts it and similar values
(one character too many, another sign, a value outside the list); for every value that must be
accepted there is one that refuses it; and for every field there is one that ignores it. They run
without a proxy: the suite's client returns changed responses of the original gateway.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from features.boundaries.cases import NAME_LONGEST, BoundaryCase, cases_of
from features.boundaries.test_fields import test_the_field_keeps_its_limits as judge_case
from features.mutants.changes import refuse_parameters
from features.mutants.proxy import ProxiedRequest
from features.spec.companions import UNREACHABLE, Sent, reason_among
from features.spec.fields import CHARACTERS, FieldLimits, request_fields
from features.spec.tables import requirements
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Client, form_of

LIMITS = "LIM-04"
UNKNOWN = "unknown"


@dataclass(frozen=True)
class FieldMutant:
    """A gateway with one wrong limit: `change` alters the request, `refuses` the response.

    `kind` is the kind of the boundary case that must kill it, or `unknown`.
    """

    field: str
    kind: str
    change: Callable[[Sent], Sent] = dict
    refuses: Callable[[Sent], bool] = lambda _: False
    name: str = ""

    @property
    def title(self) -> str:
        """Its id, the id of the case that must kill it: `FIELD:billing.street1:too-long`."""
        return f"FIELD:{self.field}:{self.kind}"


@dataclass
class CachingGateway:
    """The original gateway behind a cache: the same request is sent once."""

    client: Client
    cached: dict[tuple[str, str, bytes], Answer] = field(default_factory=dict)

    def forward(self, request: ProxiedRequest) -> Answer:
        """The response to a request; the parameters of a read are in its body too."""
        key = (request.method, request.target, request.body)
        if key not in self.cached:
            ask = self.client.get if request.method == "GET" else self.client.post
            self.cached[key] = ask(request.target, request.parameters)
        return self.cached[key]


@dataclass
class MutantClient:
    """A client whose responses are those of a mutant."""

    mutant: FieldMutant
    gateway: CachingGateway

    def post(self, path: str, parameters: Sent) -> Answer:
        """The mutant's response to a request."""
        return self._answer("POST", path, parameters)

    def get(self, path: str, parameters: Sent) -> Answer:
        """The mutant's response to a read."""
        return self._answer("GET", path, parameters)

    def _answer(self, method: str, path: str, parameters: Sent) -> Answer:
        sent = self.mutant.change(parameters)
        answer = self.gateway.forward(ProxiedRequest(method, path, {}, form_of(sent)))
        return refuse_parameters(answer, self.mutant.name, when=self.mutant.refuses(parameters))


def field_mutants() -> list[FieldMutant]:
    """Every mutant of every field of a request, in the order of the specification."""
    fields = request_fields()
    reachable = (name for name in fields if reason_among(UNREACHABLE, name) is None)
    return [mutant for name in reachable for mutant in mutants_of_field(fields[name])]


def mutants_of_field(limits: FieldLimits) -> Iterator[FieldMutant]:
    """The mutants of one field: one for each of its boundary cases, and one that ignores it."""
    cases = list(cases_of(limits))
    accepted = next(case for case in cases if case.taken)
    for case in cases:
        is_similar = similarity_to(case, limits)
        if case.taken:
            yield build_refusing_mutant(case, is_similar)
        else:
            yield build_accepting_mutant(case, is_similar, accepted)
    yield FieldMutant(
        limits.name, UNKNOWN, lambda sent: remove_names(sent, {c.name for c in cases})
    )


def killing_cases(mutant: FieldMutant, gateway: CachingGateway) -> list[str]:
    """The ids of the boundary cases of its field that fail against a mutant."""
    merchant = Merchant(MutantClient(mutant, gateway))  # type: ignore[arg-type]
    judge = Judge({LIMITS: requirements()[LIMITS]})
    cases = cases_of(request_fields()[mutant.field])
    return [case.address for case in cases if fails(case, merchant, judge)]


def fails(case: BoundaryCase, merchant: Merchant, judge: Judge) -> bool:
    """Whether a boundary case fails and its failure names the requirement."""
    try:
        judge_case(case, merchant, judge)
    except AssertionError as error:
        return f"requirement: {LIMITS}," in str(error)
    return False


def build_accepting_mutant(
    case: BoundaryCase, is_similar: Callable[[str], bool], accepted: BoundaryCase
) -> FieldMutant:
    """A mutant that accepts a value that must be refused, and similar values."""

    def change(sent: Sent) -> Sent:
        value = sent.get(case.name)
        if value is None or not is_similar(value):
            return sent
        return {**remove_names(sent, {case.name}), accepted.name: accepted.value}

    return FieldMutant(case.field, case.kind, change, name=case.name)


def build_refusing_mutant(case: BoundaryCase, is_similar: Callable[[str], bool]) -> FieldMutant:
    """A mutant that refuses a value that must be accepted, and similar values."""

    def refuses(sent: Sent) -> bool:
        value = sent.get(case.name)
        return value is not None and is_similar(value)

    return FieldMutant(case.field, case.kind, refuses=refuses, name=case.name)


def similarity_to(case: BoundaryCase, limits: FieldLimits) -> Callable[[str], bool]:
    """A test for values similar to that of a case: by length, by a sign, or equal."""
    filler, most = CHARACTERS[limits.characters][0], limits.most
    lengths: Mapping[str, Callable[[str], bool]] = {
        "too-long": lambda value: most is not None and len(value) > most,
        "longest": lambda value: len(value) == most,
        "longest-in-umlauts": lambda value: most is not None and len(value.encode()) > most,
        "too-short": lambda value: len(value) < limits.least,
        "long": lambda value: len(value) > NAME_LONGEST,
    }
    by_length = not limits.form and not limits.values and case.value.strip(filler + "ä") == ""
    if by_length and case.kind in lengths:
        return lengths[case.kind]
    if case.kind.startswith("wrong-character-") and case.value[:1] == filler:
        return lambda value: case.value[-1] in value
    if case.kind == "not-in-the-list":
        return lambda value: value.upper() not in map(str.upper, limits.values)
    return lambda value: value == case.value


def remove_names(sent: Sent, names: set[str]) -> dict[str, str]:
    """The same parameters without some names."""
    return {name: value for name, value in sent.items() if name not in names}
