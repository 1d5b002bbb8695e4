"""Wallet tokens: what one carries, who may open it, and which were used. Source: Mobile wallet.

The protocols are the two that wallets speak, EC_v1 and ECv2. Choices: D-151 to D-154.
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from simulator.catalogue.fields.parameters import TABLES
from simulator.derive.checks.acceptance import acceptance_of, words_for
from simulator.derive.checks.codes import codes_of
from simulator.domain.core.errors import InvalidInputError, Refusal
from simulator.domain.core.money import Money

Protocol = Literal["EC_v1", "ECv2"]
Fault = Literal["signature", "certificate", "chain", "recipient", "stale"]

KEYS = "wallet"
# fmt: off
ORDERED = (
    # member       pattern                       expected
    ("number",      "[0-9]{12,19}",               "12 to 19 digits"),
    ("expiryMonth", "0[1-9]|1[0-2]",              "01 to 12"),
    ("expiryYear",  "20[0-9]{2}",                 "a year from 2000 to 2099"),
    ("amount",      r"[0-9]{1,10}(\.[0-9]{2})?",  "an amount such as 10.00"),
)
# fmt: on
WRONG_TOKEN, CLOSED_TOKEN = "200.100.602", "200.100.603"
TOKEN = "mobileWallet.paymentToken"
CRYPTOGRAM, ECI = "threeDSecure.verificationId", "threeDSecure.eci"
FORMATS = {
    row.name: row.format for table in TABLES for row in table.rows if row.name in (CRYPTOGRAM, ECI)
}


class InvalidWalletTokenError(Refusal):
    """A token that is malformed, forged, out of date or used before. What was `expected` stands
    behind that word: others behind the name of the token are masked as its value.
    """

    def __init__(self, expected: str):
        super().__init__(WRONG_TOKEN, f"{TOKEN}: expected {expected}")


class UnreadableWalletTokenError(Refusal):
    """A token that was made for another recipient: the key does not open it."""

    def __init__(self, expected: str):
        super().__init__(CLOSED_TOKEN, f"{TOKEN}: expected {expected}")


class Keyring(NamedTuple):
    """The keys of a sandbox, each as PEM: the gateway's own, and those of its wallet provider.

    All but the certificate are private. The gateway opens tokens with `recipient`; the provider
    signs with the key of its certificate authority (EC_v1) and its root key (ECv2).
    """

    recipient: str
    authority: str
    root: str
    certificate: str

    def __repr__(self) -> str:
        return "Keyring(...)"


class Recipient(NamedTuple):
    """How tokens name whom they are made for: an identifier of the merchant (EC_v1), and the name
    of the gateway (ECv2).
    """

    merchant: str
    gateway: str


class WalletKeys(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The keyring of a sandbox, sealed; made when first asked for."""

    id: str = KEYS
    version: int = 0
    sealed: str


class UsedToken(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A token that a payment was made of: no second one can be. Its id is a hash of the token's."""

    id: str
    version: int = 0
    payment: str


class WalletCard(NamedTuple):
    """What a token carries. `number` and `cryptogram` are secrets.

    `identity` names the token: two with the same are the same. `money` is what the shopper agreed
    to, where the protocol has it.
    """

    number: str
    expiry_month: str
    expiry_year: str
    cryptogram: str | None
    eci: str | None
    identity: str
    money: Money | None = None

    def __repr__(self) -> str:
        return "WalletCard(...)"


class TokenOrder(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A token to be made, as the control API takes it: what it is to carry, and what is to be wrong
    with it.

    `number` is a secret. Without a cryptogram one is made; `cryptogram: ""` makes a token without.
    """

    protocol: Protocol = "EC_v1"
    number: str = "4200000000000000"
    expiryMonth: str = "12"
    expiryYear: str = "2034"
    amount: str = "10.00"
    currency: str = "EUR"
    cryptogram: str | None = None
    eci: str | None = None
    fault: Fault | None = None

    def __repr__(self) -> str:
        return f"TokenOrder({self.protocol})"

    def check(self) -> None:
        """Raise InvalidInputError for a card or an amount that no wallet would hold."""
        for name, pattern, expected in ORDERED:
            value = getattr(self, name)
            if not re.fullmatch(pattern, value):
                shown = "something else" if name == "number" else repr(value)
                raise InvalidInputError(name, expected, shown)
        if self.currency not in codes_of("currency"):
            raise InvalidInputError("currency", "a currency code of ISO 4217", repr(self.currency))


def recipient_of(sandbox: str) -> Recipient:
    """How tokens for the sandbox with this id name it."""
    return Recipient(merchant=f"merchant.sandgate.{sandbox}", gateway=f"gateway:sandgate-{sandbox}")


def carried(sent: Mapping[str, str], card: WalletCard) -> dict[str, str]:
    """The parameters of a payment with what its token carries. Raises InvalidWalletTokenError for
    what such a parameter may not be; its value is not repeated.

    Source: Mobile wallet, way 2: the same parameters as of a merchant that decrypts itself.
    Choice: D-370.
    """
    found = dict(sent)
    found["card.number"] = card.number
    found["card.expiryMonth"], found["card.expiryYear"] = card.expiry_month, card.expiry_year
    for name, value in ((CRYPTOGRAM, card.cryptogram), (ECI, card.eci)):
        if value is None:
            continue
        if not acceptance_of(FORMATS[name])(value):
            raise InvalidWalletTokenError(
                f"another {name} in it, which {words_for(FORMATS[name], value)}"
            )
        found[name] = value
    return found


def refuse_other_money(asked: Money | None, card: WalletCard) -> None:
    """Raise InvalidWalletTokenError where the shopper agreed to another amount. Choice: D-153."""
    if asked is not None and card.money is not None and asked != card.money:
        raise InvalidWalletTokenError(f"one for {asked}, got one for {card.money}")
