"""Merchants and channels of a sandbox: made, added and changed; what cannot be is refused."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import Annotated, Any, NamedTuple, TypeVar

import msgspec
from msgspec.structs import replace

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.clearing_institutes import CLEARING_INSTITUTES
from simulator.catalogue.messages.three_d_secure import VERSIONS
from simulator.client.shown.beginnings import beginning_of
from simulator.derive.checks.codes import codes_of
from simulator.domain.accounts.bank_accounts import drawn_account
from simulator.domain.core.entities import (
    BankDetails,
    BrandRule,
    Channel,
    DispatchRule,
    Merchant,
    Sandbox,
)
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import HOSTS
from simulator.domain.core.shapes import shape
from simulator.domain.documents import as_record, joined
from simulator.domain.masking.refusals import refuse_secrets, refuse_sure_secrets
from simulator.domain.merchants.names import NAME_LENGTH_MAX, Namer, refuse_name
from simulator.domain.merchants.tokens import Mint, new_token
from simulator.grammar.brands import CARD

ENTITIES_MAX = 100
MAGNITUDE_MAX = 18
CARD_BRANDS = frozenset(row.value for row in BRANDS.values() if row.account == CARD)
# Version 1, and those whose messages are spoken.
SECURE_VERSIONS = ("1.0.2", *VERSIONS)
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
INSTITUTE  = Vocabulary(
    f"one of {', '.join(CLEARING_INSTITUTES)}", lambda word: word in CLEARING_INSTITUTES
)
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


def new_merchant(
    asked: AskedMerchant, mint: Mint, namer: Namer, *, number: int, where: str = ""
) -> Merchant:
    """A merchant with its channels and a token for each host; it is asked for at `where`. Raises
    InvalidInputError.
    """
    within = f"{where}." if where else ""
    channels = tuple(
        new_channel(
            each,
            mint,
            name=namer.channel(number, place),
            account=namer.account(number, place),
            where=f"{within}channels[{place}]",
        )
        for place, each in enumerate(asked.channels)
    )
    merchant = Merchant(
        id=mint.ids.record(),
        name=asked.name or namer.merchant(number),
        tokens=tuple(new_token(mint, host=host) for host in HOSTS),
        channels=channels,
    )
    refuse_name(merchant.name, f"{within}name")
    return with_rules(merchant, asked.dispatching, within)


def new_channel(
    asked: Mapping[str, object], mint: Mint, *, name: str, account: str = "", where: str = ""
) -> Channel:
    """A channel with these settings, called `name` where they do not say. Its bank account is drawn
    by `account` where they name none; without both it has none. Raises InvalidInputError.
    """
    fixed = {"id": mint.ids.record(), "merchant_account": mint.ids.record()}
    channel = _channel({"name": name, **asked}, fixed, where)
    if not account or channel.bank_account is not None:
        return channel
    return replace(channel, bank_account=drawn_account(account, channel.name))


def changed_channel(channel: Channel, asked: Mapping[str, object]) -> Channel:
    """The channel with other settings; those that were not asked for stay. Raises
    InvalidInputError.
    """
    settings = msgspec.to_builtins(channel)
    fixed = {name: settings.pop(name) for name in GIVEN}
    return _channel({**settings, **asked}, fixed, "", asked=asked)


def with_rules(merchant: Merchant, rules: Iterable[DispatchRule], within: str = "") -> Merchant:
    """The merchant with these rules of dispatching, each channel by its id. Raises
    InvalidInputError.
    """
    kept = tuple(
        _rule(rule, merchant.channels, f"{within}dispatching[{place}]")
        for place, rule in enumerate(rules)
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
                joined(where, name), "a setting of a channel", "an id: it is never chosen"
            )
    channel = as_record({**settings, **fixed}, Channel, where)
    refuse_invalid_channel(channel, where)
    return channel


def refuse_invalid_channel(channel: Channel, where: str) -> None:
    """Raise InvalidInputError for a setting of the channel, which stands at `where`, that no
    channel can have.
    """
    refuse_name(channel.name, joined(where, "name"))
    institute = joined(where, "clearing_institute")
    refuse_secrets(channel.clearing_institute, institute)
    _refuse_unknown([channel.clearing_institute], INSTITUTE, institute)
    if channel.bank_account is not None:
        _refuse_secrets_in(channel.bank_account, joined(where, "bank_account"))
    _refuse_list(channel.brands, BRAND, joined(where, "brands"))
    _refuse_list(channel.currencies, CURRENCY, joined(where, "currencies"))
    secure = joined(where, "three_d_secure")
    _refuse_unknown(channel.three_d_secure, CARD_BRAND, secure)
    _refuse_unknown(channel.three_d_secure.values(), VERSION, secure)
    _refuse_repeated(channel.risk, joined(where, "risk"))
    _refuse_repeated(channel.screening, joined(where, "screening"))
    _refuse_more(channel.form_brands, joined(where, "form_brands"))
    for number, rule in enumerate(channel.form_brands):
        _refuse_brand_rule(rule, joined(where, f"form_brands[{number}]"))


def _refuse_secrets_in(account: BankDetails, where: str) -> None:
    for name in ("holder", "bic", "country"):
        refuse_secrets(getattr(account, name) or "", f"{where}.{name}")
    refuse_sure_secrets(account.number, f"{where}.number")


def refuse_unknown_brands(brands: Sequence[str], where: str) -> None:
    """Raise InvalidInputError for a brand that no payment can have, or too many of them."""
    _refuse_more(brands, where)
    _refuse_list(brands, BRAND, where)


def _refuse_brand_rule(rule: BrandRule, where: str) -> None:
    refuse_unknown_brands(rule.brands, f"{where}.brands")
    _refuse_list(rule.countries, COUNTRY, f"{where}.countries")
    _refuse_list(rule.currencies, CURRENCY, f"{where}.currencies")
    _refuse_more(rule.risk_profiles, f"{where}.risk_profiles")
    for profile in rule.risk_profiles:
        refuse_name(profile, f"{where}.risk_profiles")
    _refuse_bounds(rule.amount_min, rule.amount_max, where)


def _refuse_more(held: Sequence[object], where: str) -> None:
    if len(held) > ENTITIES_MAX:
        raise InvalidInputError(where, f"at most {ENTITIES_MAX}", str(len(held)))


def _rule(rule: DispatchRule, channels: tuple[Channel, ...], where: str) -> DispatchRule:
    named = [each.id for each in channels if rule.channel in (each.id, each.name)]
    if len(named) != 1:
        expected = "the id of a channel of the merchant, or the name of exactly one"
        raise InvalidInputError(
            f"{where}.channel", expected, beginning_of(rule.channel, NAME_LENGTH_MAX)
        )
    _refuse_list(rule.countries, COUNTRY, f"{where}.countries")
    _refuse_list(rule.currencies, CURRENCY, f"{where}.currencies")
    _refuse_list(rule.brands, BRAND, f"{where}.brands")
    _refuse_bounds(rule.amount_min, rule.amount_max, where)
    return replace(rule, channel=named[0])


def _is_amount(bound: Decimal) -> bool:
    """Whether it is one, 0 or more. Written out, 1E+999999999 would take a gigabyte, and a million
    decimals would be looked through for secrets.
    """
    if not bound.is_finite() or bound < 0 or abs(bound.adjusted()) > MAGNITUDE_MAX:
        return False
    return abs(int(bound.as_tuple().exponent)) <= MAGNITUDE_MAX


def _refuse_bounds(low: Decimal | None, high: Decimal | None, where: str) -> None:
    for name, bound in (("amount_min", low), ("amount_max", high)):
        if bound is not None and not _is_amount(bound):
            raise InvalidInputError(
                f"{where}.{name}", "an amount, 0 or more", beginning_of(str(bound), 40)
            )
        refuse_secrets("" if bound is None else f"{bound:f}", f"{where}.{name}")
    if low is not None and high is not None and low > high:
        raise InvalidInputError(f"{where}.amount_max", f"{low} or more", str(high))


def _refuse_list(values: Sequence[str], vocabulary: Vocabulary, where: str) -> None:
    _refuse_unknown(values, vocabulary, where)
    _refuse_repeated(values, where)


def _refuse_unknown(values: Iterable[str], vocabulary: Vocabulary, where: str) -> None:
    for value in values:
        if not vocabulary.has(value):
            raise InvalidInputError(where, vocabulary.expected, beginning_of(value, 40))


def _refuse_repeated(values: Sequence[str], where: str) -> None:
    """A list of known values is bounded if it has each of them once."""
    if len(values) != len({*values}):
        repeated = next(value for value, count in Counter(values).items() if count > 1)
        raise InvalidInputError(where, "each value once", f"{beginning_of(repeated, 40)} again")
