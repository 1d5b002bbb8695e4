"""Card rules: brand, brand detection, check digit, expiry, code.

Refusals in that order; the rows are `catalogue/brands.py`. Source: Card account; SVC-08, CARD-02,
CARD-05.
"""

from collections.abc import Mapping
from datetime import date
from functools import lru_cache

import msgspec
from stdnum import luhn

from simulator.catalogue.brands import BRANDS
from simulator.domain.errors import Refusal
from simulator.domain.records import CardSummary, Channel
from simulator.grammar.brands import CARD, Brand

BIN_LENGTH = 6


class CardAccount(msgspec.Struct, frozen=True):
    """A card that passed the rules: its brand, what may be shown of it, and the number, a secret.
    """

    brand: str
    summary: CardSummary
    number: str

    def __repr__(self) -> str:
        return f"CardAccount({self.brand} {self.summary.bin})"


def card_account(sent: Mapping[str, str], channel: Channel, *, today: date) -> CardAccount:
    """The card that was sent, of the brand that was sent or is detected. Raises Refusal."""
    number = sent.get("card.number")
    brand = _brand_of(sent.get("paymentBrand"), number, channel)
    if (
        brand.account != CARD
        or number is None
        or (channel.brands and brand.value not in channel.brands)
    ):
        raise Refusal("600.200.201", f"paymentBrand: the channel takes no {brand.value} payments")
    _refuse_number(number, brand)
    _refuse_expiry(sent["card.expiryMonth"], sent["card.expiryYear"], today)
    _refuse_code(sent.get("card.cvv"), brand, channel)
    return CardAccount(brand.value, summary_of(sent), number)


def summary_of(sent: Mapping[str, str]) -> CardSummary:
    """What may be shown of the card that was sent. Source: RSP-03."""
    number = sent["card.number"]
    return CardSummary(
        bin=number[:BIN_LENGTH],
        last4Digits=number[-4:],
        holder=sent.get("card.holder"),
        expiryMonth=sent.get("card.expiryMonth", ""),
        expiryYear=sent.get("card.expiryYear", ""),
    )


@lru_cache(maxsize=4096)
def detected_brand(prefix: str) -> str | None:
    """The brand whose range holds a number that begins with `prefix`, the longest prefix first;
    or None.
    """
    fitting = (
        (len(first), row.value)
        for row in BRANDS.values()
        if row.detected
        for first, last in row.ranges
        if first <= prefix[: len(first)] <= last
    )
    return max(fitting, default=(0, None))[1]


def _brand_of(named: str | None, number: str | None, channel: Channel) -> Brand:
    if named is None and not (channel.brand_detection and number):
        raise Refusal("100.100.500", "paymentBrand: expected a brand, brand detection is off")
    value = named or (detected_brand(number[:BIN_LENGTH]) if number else None)
    brand = BRANDS.get(value) if value else None
    if brand is None:
        got = "a number of no known range" if named is None else named
        raise Refusal("100.100.501", f"paymentBrand: expected a known brand, got {got}")
    return brand


def _refuse_number(number: str, brand: Brand) -> None:
    if len(number) not in brand.lengths or (brand.luhn and not luhn.is_valid(number)):
        raise Refusal("100.100.101", "card.number: the check digit or the length is wrong")
    fits = any(first <= number[: len(first)] <= last for first, last in brand.ranges)
    if brand.ranges and not fits:
        raise Refusal("100.100.700", f"card.number: not in the ranges of {brand.value}")


def _refuse_expiry(month: str, year: str, today: date) -> None:
    if (int(year), int(month)) < (today.year, today.month):
        raise Refusal(
            "100.100.303", f"card.expiry: expected {today:%m/%Y} or later, got {month}/{year}"
        )


def _refuse_code(cvv: str | None, brand: Brand, channel: Channel) -> None:
    """When the code is due is the channel's setting (Choice: D-19); how long it is, the brand's."""
    if cvv is None:
        if channel.cvv == "required":
            raise Refusal("100.100.600", "card.cvv: the channel requires it")
    elif len(cvv) != brand.cvv_length:
        raise Refusal(
            "100.100.601", f"card.cvv: expected {brand.cvv_length} digits for {brand.value}"
        )
