"""Brands: which account a payment brand uses, and how a card number shows its brand."""

from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

CARD = "card"
WALLET = "wallet"
VIRTUAL = "virtual"
BANK = "bank"
# An account with a provider, which knows the shopper on its own pages.
ONLINE = "online"

TokenProtocol = Literal["EC_v1", "ECv2"]


class Ecis(NamedTuple):
    """The electronic commerce indicators of a scheme: the shopper was authenticated, it was
    attempted, he was not, or data were only taken.
    """

    full: str
    attempt: str
    none: str
    data: str


USUAL_ECIS = Ecis("05", "06", "07", "07")


@dataclass(frozen=True, slots=True)
class Brand:
    """One value of paymentBrand.

    `ranges` are pairs of equally long prefixes, first and last of a range of card numbers; of all
    brands that are `detected` the one with the longest fitting prefix is the brand of a number.
    `lengths` and `cvv_length` are digits. A brand that `redirects` asks the shopper on other pages;
    any other is synchronous. One that `collects` takes money by a mandate, on a due day. `types`
    are the payment types it is made for, `field_types` those that profile `field` takes as well;
    none named: all. `scheme` is its key in parameters of 3-D
    Secure, where it has one, `ecis` what its scheme answers there. `has_facilitators` says that the
    acquirer is sent the submerchant of a payment facilitator. `aliases` are other names of it: an
    error that refuses one names the brand. `token` is the protocol of the tokens of a wallet,
    `written` how shoppers read a brand whose value does not show it.
    """

    value: str
    account: str
    ranges: tuple[tuple[str, str], ...] = ()
    lengths: tuple[int, ...] = ()
    cvv_length: int = 3
    luhn: bool = True
    detected: bool = False
    redirects: bool = False
    collects: bool = False
    types: tuple[str, ...] = ()
    field_types: tuple[str, ...] = ()
    scheme: str = ""
    ecis: Ecis = USUAL_ECIS
    has_facilitators: bool = False
    aliases: tuple[str, ...] = ()
    token: TokenProtocol | None = None
    written: str = ""

    @property
    def name(self) -> str:
        """How a shopper reads it; such as "Visa Electron"."""
        return self.written or self.value.capitalize().replace("_", " ")


def card(value: str, ranges: str, *lengths: int, cvv: int = 3, **more: Any) -> Brand:
    """A card brand that is detected from the number; `ranges` as "34 37" or "51-55 2221-2720"."""
    pairs = tuple(_range(written) for written in ranges.split())
    row = Brand(value, CARD, pairs, lengths, cvv, detected=True)
    return replace(row, **more)


def named_card(value: str, ranges: str = "", **more: Any) -> Brand:
    """A card brand that is used only when it is named: numbers do not tell it."""
    return card(value, ranges, *range(12, 20), detected=False, **more)


def wallet(value: str, token: TokenProtocol, **more: Any) -> Brand:
    """A brand of a wallet, which gives a shop tokens of the protocol `token`."""
    return Brand(value, WALLET, token=token, **more)


def online(*values: str, **more: Any) -> tuple[Brand, ...]:
    """Brands whose shopper is redirected to the provider; no parameter of an account is needed."""
    return tuple(Brand(value, ONLINE, redirects=True, **more) for value in values)


def _range(written: str) -> tuple[str, str]:
    first, _, last = written.partition("-")
    return first, last or first
