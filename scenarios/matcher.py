"""Does a request to the acquirer fit a match, and if not, which criterion failed?"""

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from typing import Any

from scenarios.errors import Problem, one_of, shown
from simulator.catalogue.brands import BRANDS
from simulator.domain.acquiring.requests import AcquirerRequest

TEXT_MAX = 60
BIN_SHOWN = 6

Criterion = Callable[[Any, AcquirerRequest], tuple[str, str] | None]


def impossible(match: Mapping[str, object]) -> Iterator[Problem]:
    """The criteria of a well-formed match that no request can ever fit."""
    brand = match.get("brand")
    if brand is not None and brand not in BRANDS:
        expected = f"{one_of(BRANDS, brand)}; no other is paid with"
        yield Problem("match.brand", expected, shown(brand))
    low, high = _range(match["amount"]) if "amount" in match else (None, None)
    if low is not None and high is not None and low > high:
        expected = f"a min of at most the max, {high}; no amount fits both"
        yield Problem("match.amount.min", expected, shown(str(low)))


def matches(match: Mapping[str, object], ask: AcquirerRequest, nth: int) -> str | None:
    """None when the ask fits every criterion, otherwise the near miss: criterion, expected and got.

    `nth` is the number of this ask among those that fit everything else, from 1. The text never
    holds the card number or the security code.
    """
    return misfit(match, ask) or wrong_turn(match, nth)


def misfit(match: Mapping[str, object], ask: AcquirerRequest) -> str | None:
    """The criteria other than `nth` that the ask does not fit, in words, or None."""
    if not match:
        return None
    failed = []
    for name, wanted in match.items():
        criterion = CRITERIA.get(name)
        pair = criterion(wanted, ask) if criterion else None
        if pair is not None:
            failed.append(f"{name}: expected {_shown(pair[0], ask)}, got {_shown(pair[1], ask)}")
    return "; ".join(failed) or None


def wrong_turn(match: Mapping[str, object], nth: int) -> str | None:
    """The near miss of an ask that comes too early or too late, or None when it is its turn."""
    wanted = match.get("nth")
    return None if wanted in (None, nth) else f"nth: expected call {wanted}, got call {nth}"


def _amount(wanted: object, ask: AcquirerRequest) -> tuple[str, str] | None:
    got = ask.money.amount if ask.money else None
    low, high = _range(wanted)
    if got is not None and (low is None or low <= got) and (high is None or got <= high):
        return None
    return _range_text(low, high), "nothing" if got is None else str(got)


def _range(wanted: object) -> tuple[Decimal | None, Decimal | None]:
    if not isinstance(wanted, Mapping):
        return Decimal(str(wanted)), Decimal(str(wanted))
    low, high = wanted.get("min"), wanted.get("max")
    return low and Decimal(low), high and Decimal(high)


def _range_text(low: Decimal | None, high: Decimal | None) -> str:
    if low == high:
        return str(low)
    ends = (
        f"at least {low}" if low is not None else "",
        f"at most {high}" if high is not None else "",
    )
    return " and ".join(filter(None, ends))


def _bin(wanted: object, ask: AcquirerRequest) -> tuple[str, str] | None:
    if ask.number is None:
        return str(wanted), "nothing"
    return None if ask.number.startswith(str(wanted)) else (str(wanted), ask.number[:BIN_SHOWN])


def _brand(wanted: object, ask: AcquirerRequest) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.brand)


def _type(wanted: object, ask: AcquirerRequest) -> tuple[str, str] | None:
    return _unless_equal(wanted, str(ask.type))


def _entity(wanted: object, ask: AcquirerRequest) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.entity)


def _reference(wanted: object, ask: AcquirerRequest) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.parameters.get("merchantTransactionId"))


def _holder(wanted: object, ask: AcquirerRequest) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.parameters.get("card.holder"))


def _custom_parameters(wanted: Any, ask: AcquirerRequest) -> tuple[str, str] | None:
    for name, value in wanted.items():
        got = ask.parameters.get(f"customParameters[{name}]")
        if got != value:
            return f"{name}={value}", f"{name}={got}" if got is not None else f"no {name}"
    return None


def _unless_equal(wanted: object, got: str | None) -> tuple[str, str] | None:
    return None if got == wanted else (str(wanted), "nothing" if got is None else got)


def _shown(text: str, ask: AcquirerRequest) -> str:
    for secret, stands in ((ask.number, "(card number)"), (ask.cvv, "(security code)")):
        if secret and (secret in text if len(secret) > BIN_SHOWN else secret == text):
            text = text.replace(secret, stands)
    return text if len(text) <= TEXT_MAX else f"{text[:TEXT_MAX]}..."


CRITERIA: Mapping[str, Criterion] = {
    "amount": _amount,
    "bin": _bin,
    "brand": _brand,
    "type": _type,
    "entity": _entity,
    "merchantTransactionId": _reference,
    "customParameters": _custom_parameters,
    "holder": _holder,
}
