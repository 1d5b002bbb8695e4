"""Faults of single fields, computed from the judge's tables: each limit is off by a hair.

For every value that is refused there is a gateway that takes it and its like (one character too
many, another sign, a value of no list); for every value that is taken there is one that refuses it;
and for every field there is one that does not know it. They run without a listener: the client of
the judge is handed the spoiled answers of a sound gateway.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from features.boundaries.cases import Case, cases_of
from features.boundaries.test_fields import test_the_field_keeps_its_limits as judge_case
from features.mutants.changes import naming
from features.mutants.proxy import Asked
from features.spec.companions import UNREACHABLE, Sent, reason_among
from features.spec.fields import CHARACTERS, Limits, request_fields
from features.spec.tables import requirements
from features.support.assertions import Judge
from features.support.merchant import Merchant
from simulator.client import Answer, Client, form_of

LIMITS = "LIM-04"
NAME_LONGEST = 48
UNKNOWN = "unknown"


@dataclass(frozen=True)
class FieldFault:
    """A gateway that is wrong about one field: `spoil` turns what is sent, `refuses` what comes.

    `kind` is the kind of the boundary case it was made for, or `unknown`.
    """

    field: str
    kind: str
    spoil: Callable[[Sent], Sent] = dict
    refuses: Callable[[Sent], bool] = lambda _: False
    name: str = ""

    @property
    def title(self) -> str:
        """What it is called: `FIELD:billing.street1:too-long`, like the case that sees it."""
        return f"FIELD:{self.field}:{self.kind}"


@dataclass
class Sound:
    """A sound gateway behind a client that remembers: the same question is asked once."""

    client: Client
    remembered: dict[bytes, Answer] = field(default_factory=dict)

    def answer(self, asked: Asked) -> Answer:
        """What it says to a payment."""
        if asked.body not in self.remembered:
            self.remembered[asked.body] = self.client.post(asked.path, asked.sent)
        return self.remembered[asked.body]


@dataclass
class Spoiled:
    """What a judge takes for a client: it hands on what a broken gateway says."""

    fault: FieldFault
    sound: Sound

    def post(self, path: str, parameters: Sent) -> Answer:
        """The broken gateway's answer to a payment."""
        sent = self.fault.spoil(parameters)
        answer = self.sound.answer(Asked("POST", path, {}, form_of(sent)))
        return naming(answer, self.fault.name, when=self.fault.refuses(parameters))


def field_faults() -> list[FieldFault]:
    """Every fault of every field a payment can carry, in the order of the specification."""
    fields = request_fields()
    reachable = (name for name in fields if reason_among(UNREACHABLE, name) is None)
    return [fault for name in reachable for fault in faults_of(fields[name])]


def faults_of(limits: Limits) -> Iterator[FieldFault]:
    """The faults of one field: one for each of its boundary cases, and one that forgets it."""
    cases = list(cases_of(limits))
    good = next(case for case in cases if case.taken)
    for case in cases:
        like = is_like(case, limits)
        yield refusing(case, like) if case.taken else taking(case, like, good)
    yield FieldFault(limits.name, UNKNOWN, lambda sent: without(sent, {c.name for c in cases}))


def caught_by(fault: FieldFault, sound: Sound) -> list[str]:
    """The addresses of the boundary cases of its field that fail against a fault."""
    shop = Merchant(Spoiled(fault, sound))  # type: ignore[arg-type]
    judge = Judge({LIMITS: requirements()[LIMITS]})
    cases = cases_of(request_fields()[fault.field])
    return [case.address for case in cases if fails(case, shop, judge)]


def fails(case: Case, shop: Merchant, judge: Judge) -> bool:
    """Whether the judge fails a boundary case, naming the requirement."""
    try:
        judge_case(case, shop, judge)
    except AssertionError as error:
        return f"requirement: {LIMITS}," in str(error)
    return False


def taking(case: Case, like: Callable[[str], bool], good: Case) -> FieldFault:
    """A gateway that takes a value which is to be refused, and whatever is like it."""

    def spoil(sent: Sent) -> Sent:
        value = sent.get(case.name)
        if value is None or not like(value):
            return sent
        return {**without(sent, {case.name}), good.name: good.value}

    return FieldFault(case.field, case.kind, spoil, name=case.name)


def refusing(case: Case, like: Callable[[str], bool]) -> FieldFault:
    """A gateway that refuses a value which is to be taken, and whatever is like it."""

    def refuses(sent: Sent) -> bool:
        value = sent.get(case.name)
        return value is not None and like(value)

    return FieldFault(case.field, case.kind, refuses=refuses, name=case.name)


def is_like(case: Case, limits: Limits) -> Callable[[str], bool]:
    """What a value has in common with that of a case: its length, a sign in it, or itself."""
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


def without(sent: Sent, names: set[str]) -> dict[str, str]:
    """What is sent, without some names."""
    return {name: value for name, value in sent.items() if name not in names}
