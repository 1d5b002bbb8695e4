"""Card rules: brand detection, check digit, expiry, code.

Refusals in that order; the rows are `catalogue/brands.py`. Source: Card account; SVC-08, CARD-02,
CARD-05.
"""

from collections.abc import Mapping
from datetime import date

from simulator.domain.core.card_ranges import BIN_LENGTH, passes_luhn
from simulator.domain.core.entities import Channel
from simulator.domain.core.errors import Refusal
from simulator.domain.core.records import CardSummary
from simulator.domain.recurring import is_by_wallet, is_merchant_initiated
from simulator.domain.terminals.reading import ENTRY_MODE
from simulator.grammar.brands import Brand


def card_of(
    sent: Mapping[str, str], brand: Brand, channel: Channel, *, today: date
) -> tuple[CardSummary, str]:
    """What may be shown of the card that was sent, and its number, a secret. Raises Refusal."""
    number = sent.get("card.number")
    if number is None:
        raise Refusal("600.200.201", f"paymentBrand: {brand.value} needs a card")
    _refuse_number(number, brand)
    refuse_expiry(sent["card.expiryMonth"], sent["card.expiryYear"], today)
    _refuse_code(sent, brand, channel)
    return summary_of(sent), number


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


def _refuse_number(number: str, brand: Brand) -> None:
    if len(number) not in brand.lengths or (brand.luhn and not passes_luhn(number)):
        raise Refusal("100.100.101", "card.number: the check digit or the length is wrong")
    fits = any(first <= number[: len(first)] <= last for first, last in brand.ranges)
    if brand.ranges and not fits:
        raise Refusal("100.100.700", f"card.number: not in the ranges of {brand.value}")


def refuse_expiry(month: str, year: str, today: date) -> None:
    """Raise Refusal for a card whose month is over. Source: CARD-02."""
    if (int(year), int(month)) < (today.year, today.month):
        raise Refusal(
            "100.100.303", f"card.expiry: expected {today:%m/%Y} or later, got {month}/{year}"
        )


def _refuse_code(sent: Mapping[str, str], brand: Brand, channel: Channel) -> None:
    """When the code is due is the channel's setting (Choices: D-19, D-145); how long it is, the
    brand's.
    """
    cvv = sent.get("card.cvv")
    if cvv is None:
        if channel.cvv == "required" and not _has_no_code(sent):
            raise Refusal("100.100.600", "card.cvv: the channel requires it")
    elif len(cvv) != brand.cvv_length:
        raise Refusal(
            "100.100.601", f"card.cvv: expected {brand.cvv_length} digits for {brand.value}"
        )


def _has_no_code(sent: Mapping[str, str]) -> bool:
    """Whether a code cannot be there: a wallet carries none, a terminal reads none, a merchant
    keeps none.
    """
    return is_by_wallet(sent) or ENTRY_MODE in sent or is_merchant_initiated(sent)
