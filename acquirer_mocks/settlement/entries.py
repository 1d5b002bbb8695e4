"""What a clearing institute knows of a movement of money, and of the merchants it pays.

Nothing here comes from a gateway's record but what passed over the connection to the acquirer:
an institute knows no number of a card beyond its last four digits.
"""

from datetime import date, datetime
from typing import Literal

import msgspec

from simulator.domain.core.money import Money

Kind = Literal["PA", "DB", "CP", "RB", "RC", "RF", "CD", "RV", "CB", "CR"]
# PA and RV move nothing: they cost a fee.
MOVING: frozenset[str] = frozenset({"DB", "CP", "RB", "RC", "RF", "CD", "CB", "CR"})
TO_MERCHANT: frozenset[str] = frozenset({"DB", "CP", "RB", "RC", "CR"})


class Movement(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One movement of money as the institute knows it.

    `payment` is the gateway's id, `about` that of the payment it refers to. `instant` is an aware
    time in UTC. `reference` is field 37 of ISO 8583. A debit that a bank returned is a CB. `region`
    is domestic, intra or inter, and chooses the interchange.
    """

    kind: Kind
    payment: str
    merchant_number: str
    money: Money
    instant: datetime
    about: str = ""
    reference: str = ""
    auth_code: str = ""
    acquirer_reference: str = ""
    last4: str = ""
    brand: str = ""
    account: Literal["card", "bank"] = "card"
    merchant_transaction_id: str = ""
    entry_mode: str = ""
    region: str = "domestic"
    reason: str = ""
    reason_text: str = ""
    sub_merchant: str = ""
    facilitator: str = ""
    is_part: bool = False


class Contract(msgspec.Struct, frozen=True, kw_only=True):
    """How the institute pays a merchant number (5 to 32 characters). `result_file` is the name
    of the merchant's own file of the day, for the answer key.
    """

    merchant_number: str
    settlement_currency: str = "EUR"
    fails_payout: bool = False
    result_file: str = ""


class Deferred(msgspec.Struct, frozen=True, kw_only=True):
    """A movement that is delivered in the run of bank day `due`, or the first one after it."""

    due: date
    movement: Movement
    planted: str | None = None


class OpenPayout(msgspec.Struct, frozen=True, kw_only=True):
    """A payout that the merchant's bank rejected; `net` is below zero if the merchant owes."""

    merchant_number: str
    batch: str
    net: Money


class Carried(msgspec.Struct, frozen=True, kw_only=True):
    """What an institute takes from one run to the next. `late` names files that wait in the drop
    folder under a name that begins with a dot.
    """

    movements: tuple[Deferred, ...] = ()
    payouts: tuple[OpenPayout, ...] = ()
    late: tuple[str, ...] = ()
