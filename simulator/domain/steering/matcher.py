"""Does a request fit a match, and if not, which criterion failed?"""

from collections.abc import Callable, Mapping
from decimal import Decimal
from typing import Any, Protocol

from scenarios.known import range_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.core.money import Money
from simulator.domain.masking.masking import (
    MASK,
    ValueKind,
    cut_text,
    hidden_in,
    kind_of,
    longest_first,
    masked,
)
from simulator.domain.transport import MerchantRequest

TEXT_MAX, LOOKED_AT = 60, 1000
BIN_SHOWN = 6
# A client may have typed the number of any card into these.
FREE_TEXTS = frozenset({"merchantTransactionId", "customParameters", "holder"})


class Matchable(Protocol):
    """A request to a simulator, or one to the merchant API."""

    @property
    def type(self) -> str | None: ...
    @property
    def entity(self) -> str: ...
    @property
    def money(self) -> Money | None: ...
    @property
    def brand(self) -> str | None: ...
    @property
    def number(self) -> str | None: ...
    @property
    def cvv(self) -> str | None: ...
    @property
    def parameters(self) -> Mapping[str, str]: ...


Criterion = Callable[[Any, Matchable], tuple[str, str] | None]


def matches(match: Mapping[str, object], ask: Matchable, nth: int) -> str | None:
    """None when the ask fits every criterion, otherwise the near miss: criterion, expected and got.

    `nth` is the number of this ask among those that fit everything else, from 1. The text never
    holds the card number or the security code.
    """
    return misfit(match, ask) or wrong_turn(match, nth)


class Texts:
    """What near misses show of a request, made once for all scripts that are asked about it."""

    __slots__ = ("_ask", "_known", "_secrets")

    def __init__(self, ask: Matchable):
        self._ask = ask
        self._known: dict[tuple[str, bool], str] = {}
        self._secrets: list[str] | None = None

    def shown(self, text: str, *, is_free: bool) -> str:
        """A text of the request as it may be shown."""
        key = text, is_free
        found = self._known.get(key)
        if found is None:
            found = _without_card(text, self._ask)
            found = self._known[key] = _cut(self._masked(found) if is_free else found)
        return found

    def _masked(self, text: str) -> str:
        if self._secrets is None:
            self._secrets = longest_first([*hidden_in(self._ask.parameters)])
        return str(masked(cut_text(text, LOOKED_AT), self._secrets))


def misfit(match: Mapping[str, object], ask: Matchable, texts: Texts | None = None) -> str | None:
    """The criteria other than `nth` that the ask does not fit, in words, or None."""
    if not match:
        return None
    texts = texts or Texts(ask)
    failed = []
    for name, wanted in match.items():
        criterion = CRITERIA.get(name)
        pair = criterion(wanted, ask) if criterion else None
        if pair is not None:
            expected = _cut(_without_card(pair[0], ask))
            got = texts.shown(pair[1], is_free=name in FREE_TEXTS)
            failed.append(f"{name}: expected {expected}, got {got}")
    return "; ".join(failed) or None


def wrong_turn(match: Mapping[str, object], nth: int) -> str | None:
    """The near miss of an ask that comes too early or too late, or None when it is its turn."""
    wanted = match.get("nth")
    return None if wanted in (None, nth) else f"nth: expected call {wanted}, got call {nth}"


def _amount(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    got = ask.money.amount if ask.money else None
    low, high = range_of(wanted)
    if got is not None and (low is None or low <= got) and (high is None or got <= high):
        return None
    return _range_text(low, high), "nothing" if got is None else str(got)


def _range_text(low: Decimal | None, high: Decimal | None) -> str:
    if low == high:
        return str(low)
    ends = (
        f"at least {low}" if low is not None else "",
        f"at most {high}" if high is not None else "",
    )
    return " and ".join(filter(None, ends))


def _bin(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    if ask.number is None:
        return str(wanted), "nothing"
    return None if ask.number.startswith(str(wanted)) else (str(wanted), ask.number[:BIN_SHOWN])


def _brand(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.brand)


def _type(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    return _unless_equal(wanted, None if ask.type is None else str(ask.type))


def _operation(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.operation if isinstance(ask, MerchantRequest) else None)


def _entity(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.entity)


def _payment(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.payment if isinstance(ask, AcquirerRequest) else None)


def _reference(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.parameters.get("merchantTransactionId"))


def _holder(wanted: object, ask: Matchable) -> tuple[str, str] | None:
    return _unless_equal(wanted, ask.parameters.get("card.holder"))


def _custom_parameters(wanted: Any, ask: Matchable) -> tuple[str, str] | None:
    for name, value in wanted.items():
        full = f"customParameters[{name}]"
        got = ask.parameters.get(full)
        if got == value:
            continue
        if got is not None and kind_of(full) is not ValueKind.PLAIN:
            return f"{name}={MASK}", f"{name}={MASK}, another one"
        return f"{name}={value}", f"{name}={got}" if got is not None else f"no {name}"
    return None


def _unless_equal(wanted: object, got: str | None) -> tuple[str, str] | None:
    return None if got == wanted else (str(wanted), "nothing" if got is None else got)


def _without_card(text: str, ask: Matchable) -> str:
    for secret, stands in ((ask.number, "(card number)"), (ask.cvv, "(security code)")):
        if secret and (secret in text if len(secret) > BIN_SHOWN else secret == text):
            text = text.replace(secret, stands)
    return text


def _cut(text: str) -> str:
    return text if len(text) <= TEXT_MAX else f"{text[:TEXT_MAX]}..."


CRITERIA: Mapping[str, Criterion] = {
    "amount": _amount,
    "bin": _bin,
    "brand": _brand,
    "type": _type,
    "operation": _operation,
    "entity": _entity,
    "payment": _payment,
    "merchantTransactionId": _reference,
    "customParameters": _custom_parameters,
    "holder": _holder,
}
