"""Merchants and channels of a sandbox: made, added and changed; what cannot be is refused."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.derive.checks.codes import codes_of
from simulator.domain.core.documents import as_record
from simulator.domain.core.entities import Channel, DispatchRule, Merchant, Sandbox
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import HOSTS
from simulator.domain.core.names import Namer
from simulator.domain.core.shapes import shape
from simulator.domain.merchants.tokens import Mint, new_token
from simulator.grammar.brands import CARD

ENTITIES_MAX = 100
NAME_LENGTH_MAX = 255
CARD_BRANDS = frozenset(row.value for row in BRANDS.values() if row.account == CARD)
SECURE_VERSIONS = ("1.0.2", "2.1.0", "2.2.0", "2.3.1")
GIVEN = ("id", "merchant_account")

Held = TypeVar("Held", Merchant, Channel)


class Vocabulary(NamedTuple):
    """Words a setting may have, and how errors name them."""

    expected: str
    has: Callable[[str], bool]


# fmt: off
BRAND      = Vocabulary("a brand such as VISA",   lambda word: word in BRANDS)
CARD_BRAND = Vocabulary("a card brand",           lambda word: word in CARD_BRANDS)
COUNTRY    = Vocabulary("a country such as DE",   lambda word: word in codes_of("country"))
CURRENCY   = Vocabulary("a currency such as EUR", lambda word: word in codes_of("currency"))
VERSION    = Vocabulary(", ".join(SECURE_VERSIONS), lambda word: word in SECURE_VERSIONS)
# fmt: on
Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LENGTH_MAX)]
Rules = Annotated[tuple[DispatchRule, ...], msgspec.Meta(max_length=ENTITIES_MAX)]
AskedChannel = Annotated[Mapping[str, Any], shape(**{"$ref": "#/components/schemas/AskedChannel"})]
Channels = Annotated[tuple[AskedChannel, ...], msgspec.Meta(min_length=1, max_length=ENTITIES_MAX)]


class AskedMerchant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A merchant as the control API takes it; a channel may set any field but its ids."""

    name: Name | None = None
    channels: Channels = ({},)
    dispatching: Rules = ()


class AskedMerchantChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a merchant shall be otherwise."""

    name: Name | None = None
    dispatching: Rules | None = None


def new_merchant(asked: AskedMerchant, mint: Mint, namer: Namer, *, number: int) -> Merchant:
    """A merchant with its channels and a token for each host. Raises InvalidInputError."""
    channels = tuple(
        new_channel(each, mint, name=namer.channel(number, place), where=f"channels[{place}]")
        for place, each in enumerate(asked.channels)
    )
    merchant = Merchant(
        id=mint.ids.record(),
        name=asked.name or namer.merchant(number),
        tokens=tuple(new_token(mint, host=host) for host in HOSTS),
        channels=channels,
    )
    return with_rules(merchant, asked.dispatching)


def new_channel(
    asked: Mapping[str, object], mint: Mint, *, name: str, where: str = "body"
) -> Channel:
    """A channel with these settings, called `name` where they do not say. Raises
    InvalidInputError.
    """
    fixed = {"id": mint.ids.record(), "merchant_account": mint.ids.record()}
    return _channel({"name": name, **asked}, fixed, where)


def changed_channel(channel: Channel, asked: Mapping[str, object]) -> Channel:
    """The channel with other settings; those that were not asked for stay. Raises
    InvalidInputError.
    """
    settings = msgspec.to_builtins(channel)
    fixed = {name: settings.pop(name) for name in GIVEN}
    return _channel({**settings, **asked}, fixed, "body", asked=asked)


def with_rules(merchant: Merchant, rules: Iterable[DispatchRule]) -> Merchant:
    """The merchant with these rules of dispatching, each channel by its id. Raises
    InvalidInputError.
    """
    kept = tuple(
        _rule(rule, merchant.channels, f"dispatching[{place}]") for place, rule in enumerate(rules)
    )
    return replace(merchant, dispatching=kept)


def added_merchant(sandbox: Sandbox, merchant: Merchant) -> Sandbox:
    """The sandbox with one more merchant. Raises InvalidInputError where it has too many."""
    _refuse_many("merchants", sandbox.merchants)
    return replace(sandbox, merchants=(*sandbox.merchants, merchant))


def added_channel(merchant: Merchant, channel: Channel) -> Merchant:
    """The merchant with one more channel. Raises InvalidInputError where it has too many."""
    _refuse_many("channels", merchant.channels)
    return replace(merchant, channels=(*merchant.channels, channel))


def with_merchant(sandbox: Sandbox, merchant: Merchant) -> Sandbox:
    """The sandbox with `merchant` in the place of the one with its id."""
    return replace(sandbox, merchants=_exchanged(sandbox.merchants, merchant))


def with_channel(merchant: Merchant, channel: Channel) -> Merchant:
    """The merchant with `channel` in the place of the one with its id."""
    return replace(merchant, channels=_exchanged(merchant.channels, channel))


def _exchanged(held: tuple[Held, ...], new: Held) -> tuple[Held, ...]:
    return tuple(new if each.id == new.id else each for each in held)


def _refuse_many(where: str, held: Sequence[Merchant | Channel]) -> None:
    if len(held) >= ENTITIES_MAX:
        raise InvalidInputError(where, f"at most {ENTITIES_MAX}", str(len(held) + 1))


def _channel(
    settings: Mapping[str, object],
    fixed: Mapping[str, str],
    where: str,
    *,
    asked: Mapping[str, object] | None = None,
) -> Channel:
    for name in GIVEN:
        if name in (settings if asked is None else asked):
            raise InvalidInputError(
                f"{where}.{name}", "a setting of a channel", "an id: it is never chosen"
            )
    channel = as_record({**settings, **fixed}, Channel, where)
    length = len(channel.name)
    if not 0 < length <= NAME_LENGTH_MAX:
        raise InvalidInputError(f"{where}.name", f"1 to {NAME_LENGTH_MAX} characters", f"{length}")
    _refuse_unknown(channel.brands, BRAND, f"{where}.brands")
    _refuse_unknown(channel.currencies, CURRENCY, f"{where}.currencies")
    _refuse_unknown(channel.three_d_secure, CARD_BRAND, f"{where}.three_d_secure")
    _refuse_unknown(channel.three_d_secure.values(), VERSION, f"{where}.three_d_secure")
    return channel


def _rule(rule: DispatchRule, channels: tuple[Channel, ...], where: str) -> DispatchRule:
    named = [each.id for each in channels if rule.channel in (each.id, each.name)]
    if len(named) != 1:
        expected = "the id of a channel of the merchant, or the name of exactly one"
        raise InvalidInputError(f"{where}.channel", expected, rule.channel[:NAME_LENGTH_MAX])
    _refuse_unknown(rule.countries, COUNTRY, f"{where}.countries")
    _refuse_unknown(rule.currencies, CURRENCY, f"{where}.currencies")
    _refuse_unknown(rule.brands, BRAND, f"{where}.brands")
    _refuse_bounds(rule.amount_min, rule.amount_max, where)
    return replace(rule, channel=named[0])


def _refuse_bounds(low: Decimal | None, high: Decimal | None, where: str) -> None:
    for name, bound in (("amount_min", low), ("amount_max", high)):
        if bound is not None and (not bound.is_finite() or bound < 0):
            raise InvalidInputError(f"{where}.{name}", "an amount, 0 or more", str(bound)[:40])
    if low is not None and high is not None and low > high:
        raise InvalidInputError(f"{where}.amount_max", f"{low} or more", str(high))


def _refuse_unknown(values: Iterable[str], vocabulary: Vocabulary, where: str) -> None:
    for value in values:
        if not vocabulary.has(value):
            raise InvalidInputError(where, vocabulary.expected, value[:40])
