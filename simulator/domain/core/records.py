"""What is stored: frozen records. A record knows its id and its version; the store compares
versions.

Records are msgspec structs rather than dataclasses: the same frozen fields, but they carry their
own JSON form, leave defaults out of it and are five times cheaper to make.
"""

from collections.abc import Mapping
from datetime import datetime
from decimal import Decimal
from enum import StrEnum
from typing import NamedTuple

import msgspec

from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.money import ZERO, Money


class PaymentType(StrEnum):
    """Payment types. Source: Basic payment, paymentType; the referencing ones: Choice D-11.

    RI is a risk check alone, 3D an authentication of the shopper alone: they move nothing.
    """

    PA = "PA"
    DB = "DB"
    CD = "CD"
    RG = "RG"
    PA_CP = "PA.CP"
    CP = "CP"
    RF = "RF"
    RV = "RV"
    RB = "RB"
    RC = "RC"
    CB = "CB"
    CR = "CR"
    RI = "RI"
    TD = "3D"


class State(StrEnum):
    """Where a payment stands; `transitions.TRANSITIONS` says what may follow."""

    OPEN = "open"
    PENDING = "pending"
    AUTHORIZED = "authorized"
    PARTLY_CAPTURED = "partly captured"
    CAPTURED = "captured"
    REVERSED = "reversed"
    COMPLETED = "completed"
    PARTLY_REFUNDED = "partly refunded"
    REFUNDED = "refunded"
    CHARGED_BACK = "charged back"
    REGISTERED = "registered"
    FAILED = "failed"


class AccountHierarchy(msgspec.Struct, frozen=True):
    """Who a payment belongs to, down to the clearing institute; books and reconciliation rest on
    it.
    """

    psp: str
    division: str
    merchant: str
    channel: str
    merchant_account: str
    clearing_institute: str


class CardSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """What may be shown of a card. The number itself is sealed in the vault."""

    bin: str
    last4Digits: str
    expiryMonth: str = ""
    expiryYear: str = ""
    holder: str | None = None


class SealedCard(msgspec.Struct, frozen=True):
    """A card number as the vault keeps it: sealed under the record's id, and a keyed
    fingerprint.
    """

    number: str
    fingerprint: str


class Attempt(msgspec.Struct, frozen=True, omit_defaults=True):
    """One call to the acquirer that has not been answered yet. The code of the card is never in
    it (Choice: D-42).
    """

    trace: int
    at: datetime


class Returned(msgspec.Struct, frozen=True):
    """Money that will come back: so many days after it moved, for the reason of this code."""

    days: int
    code: str


class Outcome(msgspec.Struct, frozen=True, omit_defaults=True):
    """How the acquirer answered: the result code and what came with it; `returned` is what its
    bank will do later. For a payment at a terminal `chip` is the data to return to the card, as hex
    TLV, `approved` the part of the amount that was approved, where not all of it was, and
    `status_text` what a script wants on the receipt.
    """

    code: str
    avs: str | None = None
    cvv: str | None = None
    risk_score: int | None = None
    details: Mapping[str, str] = {}
    decided_by: str = ""
    returned: Returned | None = None
    chip: str | None = None
    approved: Decimal | None = None
    status_text: str | None = None


class Dispute(msgspec.Struct, frozen=True):
    """What a chargeback, or what takes one back, is about in the end: a payment's id and type."""

    payment: str
    type: PaymentType


class Precondition(msgspec.Struct, frozen=True):
    """A form that the shopper's browser posts in a hidden frame before it goes to a redirect."""

    url: str
    parameters: Mapping[str, str]


class Redirect(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the shopper must be sent, after `preconditions` were called in frames he does not see.

    Source: Asynchronous payment parameters, response; public facts 8.2.
    """

    url: str
    parameters: Mapping[str, str] = {}
    preconditions: tuple[Precondition, ...] = ()


class PaymentSource(StrEnum):
    """Who brought a payment in: the API, the gateway itself, a schedule, or a retry of one."""

    OPP = "OPP"
    SYSTEM = "SYSTEM"
    SCHEDULER = "SCHEDULER"
    MACRETRY = "MACRETRY"


class Origin(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What a payment came through besides the API: the ids of its checkout, schedule, registration.

    `capability` is the hash of what let a form post it in the checkout, `until` the instant at
    which the checkout expires, `fixed` what was fixed in it as the payment was made from it, and
    where it belonged. `series` is the first schedule of the chain that a schedule is of.
    So much of what it refers to was `reserved` for it.
    """

    source: PaymentSource = PaymentSource.OPP
    checkout: str | None = None
    capability: str | None = None
    until: datetime | None = None
    fixed: tuple[AccountHierarchy, Mapping[str, str]] | None = None
    schedule: str | None = None
    series: str | None = None
    reserved: Decimal = Decimal(0)
    registration: str | None = None


class Payment(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One transaction of a payment tree: an initial payment, or one that refers to another.

    `taken` is what later transactions took from it (captures of a PA, refunds of a DB or CP),
    `reserved` what open attempts hold meanwhile. `sent` are the parameters it was made with, flat,
    without any secret. `registration` is the one it left or charged; `redirect` is where the
    shopper goes while it is pending. `shown` are accounts that answers show beside what was sent.
    `charged_back` is the part of `taken` that chargebacks hold, `chargeback` the one that was made
    of it; `received` is what receipts recorded of money that was captured already; a chargeback,
    and what takes one back, has a `dispute`. `agreement` is the one whose next authorization it is,
    `series` are those that it is counted in beside; `screened_by` says who in the risk system
    decided; at `until` the checkout of it expires. At `posted_at` its money moved, from the first
    account of the ledger in `posted` to the second. Where `brand` is that of a wallet, `scheme` is
    the brand of the card in it; payments of earlier builds, and what refers to them, have none.
    """

    id: str
    version: int = 0
    type: PaymentType
    state: State
    stamp: AccountHierarchy
    created_at: datetime
    ndc: str
    short_id: str
    brand: str | None = None
    money: Money | None = None
    taken: Decimal = ZERO
    reserved: Decimal = ZERO
    referenced: str | None = None
    registration: str | None = None
    sent: Mapping[str, str] = {}
    card: CardSummary | None = None
    sealed_card: SealedCard | None = None
    descriptor: str | None = None
    test_mode: str = "INTERNAL"
    host: Host = TEST
    outcome: Outcome | None = None
    attempt: Attempt | None = None
    redirect: Redirect | None = None
    source: PaymentSource = PaymentSource.OPP
    checkout: str | None = None
    until: datetime | None = None
    schedule: str | None = None
    shown: Mapping[str, str] = {}
    charged_back: Decimal = ZERO
    chargeback: str | None = None
    received: Decimal = ZERO
    dispute: Dispute | None = None
    agreement: str | None = None
    series: tuple[str, ...] = ()
    screened_by: str | None = None
    posted: tuple[str, str] | None = None
    posted_at: datetime | None = None
    scheme: str | None = None

    @property
    def card_brand(self) -> str | None:
        """What rules of a scheme look at: the brand of the card in a wallet, else the brand."""
        return self.scheme or self.brand

    @property
    def moved(self) -> Money:
        """The money it moves, which all but a registration do."""
        assert self.money is not None, "only a registration may go without an amount"
        return self.money


class Registration(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Stored payment details, reused by later payments. Source: Tokenization and registration.

    A card is kept as its summary and its sealed number, any other account as its flat parameters
    (`account`: bankAccount.*, virtualAccount.*). `sent` is what else it was made with, without any
    secret; `outcome` and `ndc` are those of the request that made it. At `due` its retention ends;
    it was last used at `used_at`. `agreement` is the one that lets the merchant charge it alone.
    `shown` is what answers show beside it: the account that shoppers pay to (Choice: D-143).
    One that was removed keeps neither account nor card; `lapsed` says that its retention ended.
    """

    id: str
    version: int = 0
    stamp: AccountHierarchy
    created_at: datetime
    brand: str
    card: CardSummary | None = None
    sealed_card: SealedCard | None = None
    account: Mapping[str, str] = {}
    sent: Mapping[str, str] = {}
    shown: Mapping[str, str] = {}
    outcome: Outcome | None = None
    ndc: str = ""
    payment: str | None = None
    host: Host = TEST
    due: datetime | None = None
    used_at: datetime | None = None
    agreement: str | None = None
    removed_at: datetime | None = None
    lapsed: bool = False


class LedgerEntry(msgspec.Struct, frozen=True, kw_only=True):
    """A ledger entry, double: `money` moves from one account to the other. Never changed once
    written.
    """

    id: str
    version: int = 0
    payment: str
    debit: str
    credit: str
    money: Money
    at: datetime


class Script(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A behaviour armed in a sandbox: whom it matches, how often it still answers, what it has
    seen.
    """

    id: str
    version: int = 0
    behaviour: Mapping[str, object]
    match: Mapping[str, object] = {}
    times: int | None = None
    matched: int = 0
    asked: int = 0
    fitted: int = 0
    near_misses: tuple[str, ...] = ()
    created_at: datetime


class Look(NamedTuple):
    """A script was asked about a request and did not fit, for this reason."""

    script: Script
    near_miss: str
