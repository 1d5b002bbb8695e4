"""Merchants and channels of a sandbox: made, added and changed. What cannot be is refused by its place."""

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated

import msgspec
from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.derive.codes import codes_of
from simulator.domain.asked import as_record
from simulator.domain.errors import BadInput
from simulator.domain.hosts import HOSTS
from simulator.domain.names import Namer
from simulator.domain.records import Channel, DispatchRule, Merchant, Sandbox
from simulator.domain.tokens import Mint, new_token
from simulator.grammar.brands import CARD

ENTITIES_MAX = 100
NAME_LENGTH_MAX = 255
SECURE_VERSIONS = ("1.0.2", "2.1.0", "2.2.0", "2.3.1")
GIVEN = ("id", "merchant_account")

Name = Annotated[str, msgspec.Meta(min_length=1, max_length=NAME_LENGTH_MAX)]
Rules = Annotated[tuple[DispatchRule, ...], msgspec.Meta(max_length=ENTITIES_MAX)]
Channels = Annotated[
    tuple[Mapping[str, object], ...], msgspec.Meta(min_length=1, max_length=ENTITIES_MAX)
]


class AskedMerchant(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A merchant as the control API takes it; a channel may set any field of Channel but its ids."""

    name: Name | None = None
    channels: Channels = ({},)
    dispatching: Rules = ()


class AskedChange(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What of a merchant shall be otherwise."""

    name: Name | None = None
    dispatching: Rules | None = None


def new_merchant(asked: AskedMerchant, mint: Mint, namer: Namer, *, number: int) -> Merchant:
    """A merchant with its channels and a token for each host. Raises BadInput."""
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
    """A channel with the settings asked for, called `name` where they do not say. Raises BadInput."""
    fixed = {"id": mint.ids.record(), "merchant_account": mint.ids.record()}
    return _channel({"name": name, **asked}, fixed, where)


def changed_channel(channel: Channel, asked: Mapping[str, object]) -> Channel:
    """The channel with other settings; those that were not asked for stay. Raises BadInput."""
    settings = msgspec.to_builtins(channel)
    fixed = {name: settings.pop(name) for name in GIVEN}
    return _channel({**settings, **asked}, fixed, "body", asked=asked)


def with_rules(merchant: Merchant, rules: Iterable[DispatchRule]) -> Merchant:
    """The merchant with these rules of dispatching, each channel by its id. Raises BadInput."""
    kept = tuple(
        _rule(rule, merchant.channels, f"dispatching[{place}]") for place, rule in enumerate(rules)
    )
    return replace(merchant, dispatching=kept)


def added_merchant(sandbox: Sandbox, merchant: Merchant) -> Sandbox:
    """The sandbox with one more merchant. Raises BadInput where it has too many."""
    _refuse_many("merchants", sandbox.merchants)
    return replace(sandbox, merchants=(*sandbox.merchants, merchant))


def added_channel(merchant: Merchant, channel: Channel) -> Merchant:
    """The merchant with one more channel. Raises BadInput where it has too many."""
    _refuse_many("channels", merchant.channels)
    return replace(merchant, channels=(*merchant.channels, channel))


def with_merchant(sandbox: Sandbox, merchant: Merchant) -> Sandbox:
    """The sandbox with `merchant` in the place of the one with its id."""
    return replace(sandbox, merchants=_exchanged(sandbox.merchants, merchant))


def with_channel(merchant: Merchant, channel: Channel) -> Merchant:
    """The merchant with `channel` in the place of the one with its id."""
    return replace(merchant, channels=_exchanged(merchant.channels, channel))


def _exchanged(held: tuple, new: Merchant | Channel) -> tuple:
    return tuple(new if each.id == new.id else each for each in held)


def _refuse_many(where: str, held: tuple) -> None:
    if len(held) >= ENTITIES_MAX:
        raise BadInput(where, f"at most {ENTITIES_MAX}", str(len(held) + 1))


def _channel(
    settings: Mapping[str, object],
    fixed: Mapping[str, str],
    where: str,
    *,
    asked: Mapping[str, object] | None = None,
) -> Channel:
    for name in GIVEN:
        if name in (settings if asked is None else asked):
            raise BadInput(f"{where}.{name}", "a setting of a channel", "an id, which is never chosen")
    channel = as_record({**settings, **fixed}, Channel, where)
    if not 0 < len(channel.name) <= NAME_LENGTH_MAX:
        raise BadInput(f"{where}.name", f"1 to {NAME_LENGTH_MAX} characters", f"{len(channel.name)}")
    _refuse_unknown(channel.brands, _is_brand, f"{where}.brands", "a brand such as VISA")
    _refuse_unknown(channel.currencies, _is_currency, f"{where}.currencies", "a currency such as EUR")
    _refuse_unknown(channel.three_d_secure, _is_card, f"{where}.three_d_secure", "a card brand")
    versions = channel.three_d_secure.values()
    known = ", ".join(SECURE_VERSIONS)
    _refuse_unknown(versions, SECURE_VERSIONS.__contains__, f"{where}.three_d_secure", known)
    return channel


def _rule(rule: DispatchRule, channels: tuple[Channel, ...], where: str) -> DispatchRule:
    named = [each.id for each in channels if rule.channel in (each.id, each.name)]
    if len(named) != 1:
        expected = "the id of a channel of the merchant, or the name of exactly one"
        raise BadInput(f"{where}.channel", expected, rule.channel[:NAME_LENGTH_MAX])
    _refuse_unknown(rule.countries, _is_country, f"{where}.countries", "a country such as DE")
    _refuse_unknown(rule.currencies, _is_currency, f"{where}.currencies", "a currency such as EUR")
    _refuse_unknown(rule.brands, _is_brand, f"{where}.brands", "a brand such as VISA")
    for bound in (rule.amount_min, rule.amount_max):
        if bound is not None and (not bound.is_finite() or bound < 0):
            raise BadInput(f"{where}.amount_min", "an amount, 0 or more", str(bound)[:40])
    if None not in (rule.amount_min, rule.amount_max) and rule.amount_min > rule.amount_max:
        raise BadInput(f"{where}.amount_max", f"{rule.amount_min} or more", str(rule.amount_max))
    return replace(rule, channel=named[0])


def _refuse_unknown(
    values: Iterable[str], is_known: Callable[[str], bool], where: str, expected: str
) -> None:
    for value in values:
        if not is_known(value):
            raise BadInput(where, expected, value[:40])


def _is_brand(value: str) -> bool:
    return value in BRANDS


def _is_card(value: str) -> bool:
    return value in BRANDS and BRANDS[value].account == CARD


def _is_currency(value: str) -> bool:
    return value in codes_of("currency")


def _is_country(value: str) -> bool:
    return value in codes_of("country")
