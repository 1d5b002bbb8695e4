"""What a behaviour may name: result codes, brands and operations of the gateway it steers."""

from collections.abc import Collection, Iterator, Mapping
from decimal import Decimal
from typing import NamedTuple, Protocol

from scenarios.errors import Problem, one_of, shown


class Result(Protocol):
    """What is read of a result code."""

    @property
    def group(self) -> str: ...


class KnownNames(NamedTuple):
    """The result codes, the brands and the operations of a gateway."""

    results: Mapping[str, Result]
    brands: Collection[str]
    operations: Collection[str]


def impossible(
    match: Mapping[str, object], steps: Mapping[str, object], known: KnownNames
) -> Iterator[Problem]:
    """The criteria of a well-formed match that no request can ever fit, for these steps."""
    operation = match.get("operation")
    if operation is not None and "transport" not in steps:
        expected = "no operation: it is matched for steps of transport alone"
        yield Problem("match.operation", expected, shown(operation))
    elif operation is not None and operation not in known.operations:
        yield Problem("match.operation", one_of(known.operations, operation), shown(operation))
    payment = match.get("payment")
    if payment is not None and "transport" in steps:
        yield Problem("match.payment", "none: a request of a client has no id yet", shown(payment))
    brand = match.get("brand")
    if brand is not None and brand not in known.brands:
        expected = f"{one_of(known.brands, brand)}; no other is paid with"
        yield Problem("match.brand", expected, shown(brand))
    low, high = range_of(match["amount"]) if "amount" in match else (None, None)
    if low is not None and high is not None and low > high:
        expected = f"a min of at most the max, {high}; no amount fits both"
        yield Problem("match.amount.min", expected, shown(str(low)))


def range_of(wanted: object) -> tuple[Decimal | None, Decimal | None]:
    """The least and the greatest amount that a criterion lets through."""
    if not isinstance(wanted, Mapping):
        return Decimal(str(wanted)), Decimal(str(wanted))
    low, high = wanted.get("min"), wanted.get("max")
    return low and Decimal(low), high and Decimal(high)
