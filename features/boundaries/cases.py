"""The boundary cases of a field: the nearest values it takes and the nearest it refuses."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from features.spec.companions import (
    CARDLESS,
    DECIDED,
    FORMAT_ONLY,
    NEEDS,
    UNREACHABLE,
    Sent,
    companions_of,
    reason_among,
)
from features.spec.fields import CHARACTERS, FieldLimits, request_fields
from features.spec.forms import FORMS, MEANINGS

# Names are cut to this length and not refused. Source: Customer.
NAME_LONGEST = 48
NAMES_THAT_ARE_CUT = ("customer.givenName", "customer.surname")
# Instances of the names that stand for many; the scheme key is one that every card gateway has.
_INSTANCES = (("[n]", "[0]"), ("<scheme>", "visa"), ("[key]", "[key]"), ("[name]", "[name]"))
OVERRIDES = "overridePaymentType[brand]"
_MAP_KEYS = {
    "merchant.data[key]": (3, 64),
    "customParameters[name]": (3, 64),
    "risk.parameters[name]": (1, 64),
}


@dataclass(frozen=True, slots=True)
class BoundaryCase:
    """One value of one field: `name` is the parameter, `taken` what the specification says."""

    field: str
    kind: str
    name: str
    value: str
    taken: bool

    @property
    def address(self) -> str:
        """What a report calls it and a command line asks for: `FIELD:billing.street1:too-long`."""
        return f"FIELD:{self.field}:{self.kind}"

    @property
    def format_only(self) -> bool:
        """Whether only the format is tested: the payment itself belongs to another chapter."""
        return reason_among(FORMAT_ONLY, self.field) is not None

    @property
    def needs(self) -> tuple[str, ...]:
        """What a target must offer for it."""
        return next((all_of for start, all_of in NEEDS.items() if self.field.startswith(start)), ())

    @property
    def decisions(self) -> tuple[str, ...]:
        """The decision of Sandgate that it rests on, or none."""
        found = reason_among(DECIDED, f"{self.field}:{self.kind}")
        return (found,) if found else ()


def all_cases() -> list[BoundaryCase]:
    """The cases of every field that a request can carry, in the order of the specification."""
    fields = request_fields()
    reachable = (field for field in fields if reason_among(UNREACHABLE, field) is None)
    return [case for field in reachable for case in cases_of(fields[field])]


def cases_of(limits: FieldLimits) -> Iterator[BoundaryCase]:
    """The cases of one field: first what is taken, then what is refused."""
    form = MEANINGS.get(limits.name, limits.form)
    if form == "map":
        yield from _override_cases() if limits.name == OVERRIDES else _map_cases(limits.name)
        return
    name = instance_of(limits.name)
    for kind, value, taken in _values(limits, form):
        yield BoundaryCase(limits.name, kind, name, value, taken)


def payment_with(case: BoundaryCase, debit: Sent) -> Sent:
    """The parameters of a payment in which nothing but the case's value is in question.

    `debit` is an ordinary one by card.
    """
    is_cardless = case.field.startswith(CARDLESS)
    sent = {name: value for name, value in debit.items() if not (is_cardless and is_of_card(name))}
    return {**sent, **companions_of(case.field), case.name: case.value}


def shown_value(case: BoundaryCase) -> str:
    """What a response shows of a value that was taken, if it shows the field at all.

    Source: Payment response, amount; Customer, truncation.
    """
    if case.field == "amount":
        return f"{Decimal(case.value):.2f}"
    if case.field.endswith(NAMES_THAT_ARE_CUT):
        return case.value[:NAME_LONGEST]
    return case.value


def is_of_card(name: str) -> bool:
    """Whether a parameter of an ordinary debit says by which card it is."""
    return name == "paymentBrand" or name.startswith("card.")


def instance_of(field: str) -> str:
    """A concrete name: `cart.items[0].name` for `cart.items[n].name`."""
    for pattern, instance in _INSTANCES:
        field = field.replace(pattern, instance)
    return field


def _values(limits: FieldLimits, form: str) -> Iterator[tuple[str, str, bool]]:
    if form:
        yield from ((kind, value, True) for kind, value in FORMS[form].good.items())
        yield from ((kind, value, False) for kind, value in FORMS[form].bad.items())
    elif limits.values:
        yield from ((value, value, True) for value in limits.values)
        yield "not-in-the-list", f"{limits.values[-1]}X", False
        yield "other-case", limits.values[-1].swapcase(), False
    else:
        yield from _lengths(limits)
        yield from _wrong_characters(limits)


def _lengths(limits: FieldLimits) -> Iterator[tuple[str, str, bool]]:
    filler = CHARACTERS[limits.characters][0]
    least = max(limits.least, 1)
    yield "shortest", filler * least, True
    if limits.most is None:
        yield "long", filler * 300, True
        return
    yield "longest", filler * limits.most, True
    if limits.characters == "any":
        yield "longest-in-umlauts", "\N{LATIN SMALL LETTER A WITH DIAERESIS}" * limits.most, True
    if least > 1:
        yield "too-short", filler * (least - 1), False
    yield "too-long", filler * (limits.most + 1), False


def _wrong_characters(limits: FieldLimits) -> Iterator[tuple[str, str, bool]]:
    filler, wrong = CHARACTERS[limits.characters]
    for number, character in enumerate(wrong, start=1):
        value = filler * (max(limits.least, 2) - 1) + character
        yield f"wrong-character-{number}", value, False


def _override_cases() -> Iterator[BoundaryCase]:
    """Names are brands of 1 to 32 letters, digits and underscores; values are payment types."""

    def case(kind: str, name: str, value: str, *, taken: bool) -> BoundaryCase:
        return BoundaryCase(OVERRIDES, kind, f"overridePaymentType[{name}]", value, taken)

    yield from (case(each, "VISA", each, taken=True) for each in ("PA", "DB", "CD"))
    for kind, name in (("shortest", "A"), ("longest", "A" * 32), ("every-sign-in", "a_B9")):
        yield case(f"{kind}-name", name, "PA", taken=True)
    for kind, value in (("not-in-the-list", "XX"), ("other-case", "pa"), ("too-long-value", "PAX")):
        yield case(kind, "VISA", value, taken=False)
    for kind, name in (("too-long", "A" * 33), ("hyphen-in", "VI-SA"), ("dot-in", "VI.SA")):
        yield case(f"{kind}-name", name, "PA", taken=False)


def _map_cases(field: str) -> Iterator[BoundaryCase]:
    least, most = _MAP_KEYS[field]
    start = field.split("[")[0]
    yield BoundaryCase(field, "longest-value", f"{start}[name]", "a" * 2048, True)
    yield BoundaryCase(field, "shortest-name", f"{start}[{'a' * least}]", "a", True)
    yield BoundaryCase(field, "longest-name", f"{start}[{'a' * most}]", "a", True)
    yield BoundaryCase(field, "too-long-value", f"{start}[name]", "a" * 2049, False)
    yield BoundaryCase(field, "too-long-name", f"{start}[{'a' * (most + 1)}]", "a", False)
    if least > 1:
        yield BoundaryCase(field, "every-sign-in-name", f"{start}[a.B_9]", "a", True)
        yield BoundaryCase(field, "too-short-name", f"{start}[{'a' * (least - 1)}]", "a", False)
        yield BoundaryCase(field, "wrong-character-in-name", f"{start}[na!me]", "a", False)
