"""Payment types: what one row says. The rows are in `catalogue/payment_types.py`."""

from dataclasses import dataclass
from enum import StrEnum

from simulator.grammar.choices import Choices


class PaymentEffect(StrEnum):
    """What an approved payment does to money, or to the payment that it refers to."""

    AUTHORIZATION = "authorization"
    SALE = "sale"
    CREDIT = "credit"
    REGISTRATION = "registration"
    CAPTURE = "capture"
    RECEIPT = "receipt"
    REFUND = "refund"
    REVERSAL = "reversal"
    REBILL = "rebill"
    CHARGEBACK = "chargeback"
    CHARGEBACK_REVERSAL = "chargeback reversal"
    RISK_CHECK = "risk check"
    AUTHENTICATION = "authentication"


# These reserve an amount of the earlier payment while the acquirer is asked.
RESERVING = frozenset(
    {PaymentEffect.CAPTURE, PaymentEffect.RECEIPT, PaymentEffect.REFUND, PaymentEffect.REVERSAL}
)

# The accounts of the ledger.
CLEARING, RESERVE, MERCHANT, FEES = "clearing", "reserve", "merchant", "fees"
# Settlement alone moves money here.
BANK = "bank"


@dataclass(frozen=True, slots=True)
class LedgerRule:
    """Which accounts a payment type debits and credits. Where it has no accounts of its own it
    posts the entry of the payment that it refers to: again, or backwards where it `reverses`.
    One that `gives_back` is posted backwards where that payment moved its money the same way.
    """

    debit: str = ""
    credit: str = ""
    reverses: bool = False
    gives_back: bool = False


@dataclass(frozen=True, slots=True)
class MessageForm:
    """How a payment type is sent to a card host: the ISO 8583 message type, and the first two
    digits of the processing code.
    """

    message: str
    processing: str


@dataclass(frozen=True, slots=True)
class IssuerEffect:
    """What an amount does at the issuer: the sign by which it changes what is authorized and what
    is captured on the card account.

    What `releases` lowers the open authorization of the payment that it refers to; what `undoes`
    takes back whatever that payment did. What `gives_back` has the other sign where that payment
    had the same one.
    """

    authorized: int = 0
    captured: int = 0
    releases: bool = False
    undoes: bool = False
    gives_back: bool = False

    @property
    def charges(self) -> bool:
        """Whether the card must have as much left."""
        return self.authorized + self.captured > 0


@dataclass(frozen=True, slots=True)
class PaymentTypeRow:
    """One payment type.

    `what` says its `effect` in words. `zero_amount` says that it may be for 0.00,
    `three_d_secure` that 3-D Secure may authenticate the shopper for it, `any_brand` that it is no
    payment: brands that are made for some payment types alone take it as well. `accounts` are the
    kinds of account whose brands it takes, any other is refused with the result code
    `other_account`; none named: all. `switch` is the
    decision that accepts it as a new payment in a profile; without one it is always accepted.
    `ledger`, `message` and `issuer` say what it does there; None: nothing. `event` is the type of
    the webhook events about it, `record` and `transaction` the two types of its settlement record,
    `fee` the transaction type of its fee record; empty: none. A reversal has a settlement record
    only where what it reverses has one: that of a debit, the other way round (D-524).

    A type with `to` refers to an earlier payment of one of these types, or also of those in `also`
    where the decision `also_switch` is "accept". `amount_needed` says that it must name an amount.
    What is `reported` has happened already: the acquirer is not asked. `too_late` are types it
    could refer to in other flows: they are refused as if used up.
    Result codes of a refusal: `unsuitable` where the earlier payment is of another type or was
    never successful, `unknown` where it does not exist, `used_up` where nothing of it is left,
    `cut_off` where it moved money on an earlier day, `repeated` where it may be done once and was,
    `at_end` where nothing more may follow, `platform_only` where the channel leaves it to the
    platform.
    """

    code: str
    effect: PaymentEffect
    what: str
    zero_amount: bool = False
    three_d_secure: bool = False
    any_brand: bool = False
    accounts: tuple[str, ...] = ()
    other_account: str = ""
    switch: str = ""
    ledger: LedgerRule | None = None
    message: MessageForm | None = None
    issuer: IssuerEffect | None = None
    event: str = ""
    record: str = ""
    transaction: str = ""
    fee: str = ""
    to: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    also_switch: str = ""
    too_late: tuple[str, ...] = ()
    amount_needed: bool = True
    reported: bool = False
    unsuitable: str = ""
    unknown: str = ""
    used_up: str = ""
    cut_off: str = ""
    repeated: str = ""
    at_end: str = ""
    platform_only: str = ""

    @property
    def is_initial(self) -> bool:
        """Whether it refers to no earlier payment."""
        return not self.to

    def is_accepted(self, choices: Choices) -> bool:
        """Whether a new payment may be one under `choices`."""
        return not self.switch or choices[self.switch] == "accept"

    def refers_to(self, choices: Choices) -> tuple[str, ...]:
        """The types it may refer to under `choices`."""
        if self.also_switch and choices[self.also_switch] == "accept":
            return (*self.to, *self.also)
        return self.to
