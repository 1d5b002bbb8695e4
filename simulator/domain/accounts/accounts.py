"""What pays: a card, a wallet, a virtual account, a bank account, an account with a provider.

Each kind of account has its rules, by the brand that is named or found. Source: Card account,
Mobile wallet, Virtual account, Bank account.
"""

from collections.abc import Callable, Mapping
from datetime import date

import msgspec

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.derive.checks.names import nearest_brand
from simulator.domain.accounts.bank_accounts import bank_account, due_of, shown_account
from simulator.domain.accounts.cards import card_of
from simulator.domain.core.card_ranges import BIN_LENGTH, detected_brand
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import CardSummary
from simulator.domain.masking.masking import mask_text
from simulator.grammar.brands import BANK, CARD, ONLINE, VIRTUAL, WALLET, Brand
from simulator.grammar.choices import Choices

KEPT_OPENLY = ("bankAccount.", "virtualAccount.")
ACCOUNT_ID = "virtualAccount.accountId"
NOT_TAKEN = "600.200.201"


class Account(msgspec.Struct, frozen=True):
    """An account that passed its rules.

    A card has what may be shown of it and its number, a secret; the others have `parameters`, the
    flat ones that a registration keeps. `redirects` says that the shopper is asked on other pages,
    `collects` that money is taken by a mandate, on the day `due` where that is one to come;
    `receiving` is the merchant's account that answers show, `scheme` the brand of a wallet's card.
    """

    brand: str
    card: CardSummary | None = None
    number: str | None = None
    parameters: Mapping[str, str] = {}
    redirects: bool = False
    collects: bool = False
    due: date | None = None
    receiving: Mapping[str, str] = {}
    scheme: str | None = None

    def __repr__(self) -> str:
        return f"Account({self.brand})"


def account_of(
    sent: Mapping[str, str], channel: Channel, *, choices: Choices, today: date
) -> Account:
    """The account that was sent, of the brand that was sent or is detected. Raises Refusal."""
    brand = brand_of(sent, channel, choices=choices)
    return READERS[brand.account](sent, brand, channel, today)


def brand_of(sent: Mapping[str, str], channel: Channel, *, choices: Choices) -> Brand:
    """The brand that was sent or is detected. Raises Refusal where the channel does not take it, or
    it is not made for the payment type.
    """
    brand = _known_brand(sent, channel)
    _refuse_account(sent, brand)
    refuse_brand(brand.value, channel)
    if brand.types:
        _refuse_type(sent, brand, choices)
    return brand


def brand_in(sent: Mapping[str, str], channel: Channel) -> str | None:
    """The brand that was sent, or that the channel detects; it may be unknown."""
    named, number = sent.get("paymentBrand"), sent.get("card.number")
    if named is not None or number is None or not channel.brand_detection:
        return named
    return detected_brand(number[:BIN_LENGTH])


def refuse_brand(brand: str | None, channel: Channel) -> None:
    """Raise Refusal for a brand that the channel does not take."""
    if channel.brands and brand not in channel.brands:
        raise Refusal(NOT_TAKEN, f"paymentBrand: the channel takes no {brand} payments")


def takes_card(brand: str | None) -> bool:
    """Whether a card pays where this brand is named: it is one, or a wallet, or it is unknown."""
    row = BRANDS.get(brand or "")
    return row is None or row.account in (CARD, WALLET)


def account_in(sent: Mapping[str, str]) -> dict[str, str]:
    """The parameters of an account that is no card: what a registration keeps of it."""
    return {name: value for name, value in sent.items() if name.startswith(KEPT_OPENLY)}


def _refuse_account(sent: Mapping[str, str], brand: Brand) -> None:
    """Raise Refusal for a brand of an account that the payment type is not about. Choice: D-195."""
    row = PAYMENT_TYPES.get(sent.get("paymentType", ""))
    if row is None or not row.accounts or brand.account in row.accounts:
        return
    kinds = " and ".join(f"{each}s" for each in row.accounts)
    what = f"{row.code} ({row.effect}) is for {kinds}"
    raise Refusal(row.other_account, f"paymentBrand: {what}, got {brand.value}")


def _refuse_type(sent: Mapping[str, str], brand: Brand, choices: Choices) -> None:
    """Raise Refusal for a payment type that the brand is not made for. Choice: D-275."""
    types = brand.types
    if choices["transfer_debit"] == "accept":
        types = tuple(dict.fromkeys((*types, *brand.field_types)))
    kind = sent.get("paymentType", types[0])
    if kind in types or PAYMENT_TYPES[kind].any_brand:
        return
    taken = ", ".join(each for each in types if PAYMENT_TYPES[each].is_accepted(choices))
    raise Refusal("600.200.310", f"paymentType: {brand.value} takes {taken}")


def _known_brand(sent: Mapping[str, str], channel: Channel) -> Brand:
    named, number = sent.get("paymentBrand"), sent.get("card.number")
    if named is None and not (channel.brand_detection and number):
        raise Refusal("100.100.500", "paymentBrand: expected a brand, brand detection is off")
    value = brand_in(sent, channel)
    brand = BRANDS.get(value) if value else None
    if brand is None:
        got = "a number of no known range"
        if named is not None:
            got = f"{mask_text(named)}; nearest known: {nearest_brand(named)}"
        raise Refusal("100.100.501", f"paymentBrand: expected a known brand, got {got}")
    return brand


def _card(sent: Mapping[str, str], brand: Brand, channel: Channel, today: date) -> Account:
    summary, number = card_of(sent, brand, channel, today=today)
    return Account(brand.value, card=summary, number=number)


def _wallet(sent: Mapping[str, str], brand: Brand, channel: Channel, today: date) -> Account:
    """The card of a wallet: rules and ranges are those of the brand its number shows."""
    number = sent.get("card.number")
    if number is None:
        raise Refusal("100.100.100", f"mobileWallet: {brand.value} needs a token or a card")
    scheme = BRANDS.get(detected_brand(number[:BIN_LENGTH]) or "")
    if scheme is None:
        raise Refusal("100.100.101", "card.number: a number of no known range")
    summary, number = card_of(sent, scheme, channel, today=today)
    return Account(brand.value, card=summary, number=number, scheme=scheme.value)


def _virtual(sent: Mapping[str, str], brand: Brand, channel: Channel, today: date) -> Account:
    if ACCOUNT_ID not in sent and not brand.redirects:
        raise Refusal("100.210.101", f"{ACCOUNT_ID}: {brand.value} needs it")
    return Account(brand.value, parameters=account_in(sent), redirects=brand.redirects)


def _bank(sent: Mapping[str, str], brand: Brand, channel: Channel, today: date) -> Account:
    return Account(
        brand.value,
        parameters=bank_account(sent, brand, today),
        redirects=brand.redirects,
        collects=brand.collects,
        due=due_of(sent, brand, today),
        receiving=shown_account(channel),
    )


def _online(sent: Mapping[str, str], brand: Brand, channel: Channel, today: date) -> Account:
    return Account(brand.value, parameters=account_in(sent), redirects=brand.redirects)


# fmt: off
READERS: Mapping[str, Callable[[Mapping[str, str], Brand, Channel, date], Account]] = {
    CARD:    _card,
    WALLET:  _wallet,
    VIRTUAL: _virtual,
    BANK:    _bank,
    ONLINE:  _online,
}
# fmt: on
