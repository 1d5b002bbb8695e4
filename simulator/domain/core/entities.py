"""The entities of a sandbox: the sandbox itself, its merchants, channels and access tokens."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Literal

import msgspec

from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.shapes import AmountBound, shape
from simulator.grammar.throttles import ThrottleTable

# Of a channel that takes several.
SETTLEMENT_CURRENCY = "EUR"


class BankDetails(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """A bank account as answers show it: `number` is an IBAN for SEPA accounts."""

    holder: Annotated[str, msgspec.Meta(min_length=4, max_length=128)]
    number: Annotated[str, msgspec.Meta(min_length=3, max_length=64)]
    bic: str | None = None
    country: str | None = None


class BrandRule(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Which brands the hosted form offers for some checkouts of a channel; what it leaves out may
    be anything. `override` says that they replace those the shop's page names (Choice: D-310).
    """

    brands: tuple[str, ...]
    override: bool = False
    countries: Annotated[tuple[str, ...], shape("Of the billing address, such as DE.")] = ()
    currencies: tuple[str, ...] = ()
    risk_profiles: Annotated[tuple[str, ...], shape("Values of risk.parameters[profile].")] = ()
    amount_min: AmountBound | None = None
    amount_max: AmountBound | None = None


class BrandsOnOffer(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """The brands the hosted form of a checkout offers: where they are not `active`, those that the
    page names; where they `override`, these alone, else those in both.
    """

    brands: tuple[str, ...] = ()
    active: bool = False
    override: bool = False


class Channel(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """A channel of a merchant and its merchant account: what it takes and how it is set up.

    No `brands` means every card brand, no `currencies` every currency. `cvv` is "optional" or
    "required" (Choice: D-19); `descriptor_use` is "dynamic", or "fixed" where the merchant account
    ignores the one sent (PAY-13); `default_behaviour` answers when nothing else steers;
    `three_d_secure` names the version each card brand is enrolled for (Choice: D-117).
    `bank_account` is the one shoppers pay to, generated where it is not set (Choice: D-143);
    `chargebacks` says that the merchant may report them (Choice: D-147); `agreements` which
    initialTransactionId a payment of the merchant alone may have (Choice: D-123).
    `risk` names the checks of its risk system, `screening` those of the third-party screening
    service (Choice: D-164). `form_brands` choose what the hosted form offers (Choice: D-310).
    `repeated_merchant_transaction_id` says what becomes of one that is sent again (Choice: D-285).
    `repeated_sequence_number` says what becomes of a terminal's that comes again (Choice: D-610).
    `partial_approvals` lets a terminal pay the part that an issuer approves (Choice: D-481).
    """

    id: str
    name: str
    merchant_account: str
    clearing_institute: Annotated[str, shape("Sandgate Clearing, Sandgate Acquiring or Bank.")] = (
        "Sandgate Clearing"
    )
    brands: Annotated[tuple[str, ...], shape("None: every card brand.")] = ()
    currencies: Annotated[tuple[str, ...], shape("None: every currency.")] = ()
    brand_detection: bool = True
    cvv: Literal["optional", "required"] = "optional"
    descriptor_use: Literal["dynamic", "fixed"] = "dynamic"
    default_behaviour: Annotated[str, shape("What answers when nothing else steers.")] = "approve"
    amount_behaviours: bool = False
    partial_approvals: Annotated[
        bool, shape("A terminal pays the part that an issuer approves.")
    ] = False
    repeated_sequence_number: Annotated[
        Literal["accept", "refuse"],
        shape("A terminal's pos.transactionSequenceNumber again: another payment, or a decline."),
    ] = "accept"
    requires_merchant_transaction_id: bool = False
    repeated_merchant_transaction_id: Annotated[
        Literal["accept", "refuse", "repeat"],
        shape("A merchantTransactionId again: another payment, a refusal, or the first answer."),
    ] = "accept"
    three_d_secure: Annotated[
        Mapping[str, str], shape("The version each card brand is enrolled for.")
    ] = {}
    bank_account: (
        Annotated[BankDetails, shape("The account shoppers pay to. None: one is generated.")] | None
    ) = None
    chargebacks: Annotated[bool, shape("The merchant may report chargebacks.")] = True
    agreements: Annotated[
        Literal["known", "any", "required"],
        shape("Which initialTransactionId a payment of the merchant alone may have."),
    ] = "known"
    risk: Annotated[tuple[str, ...], shape("The checks of its risk system, by name.")] = ()
    screening: Annotated[tuple[str, ...], shape("Those of the third-party screening service.")] = ()
    form_brands: Annotated[
        tuple[BrandRule, ...],
        shape("Which brands the hosted form offers; the first rule that matches decides."),
    ] = ()

    @property
    def settlement_currency(self) -> str:
        """What it is settled in: the currency of a channel that takes one alone."""
        return self.currencies[0] if len(self.currencies) == 1 else SETTLEMENT_CURRENCY


class AccessToken(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An access token of a merchant: it opens one host, and nothing while it is suspended.

    Its value stands nowhere in the clear: a hash finds it, and it is sealed under the token's id.
    """

    id: str
    alias: str = ""
    host: Host = TEST
    state: Literal["active", "suspended"] = "active"
    hash: str
    sealed: str
    last_digits: str
    created_at: datetime


class DispatchRule(
    msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Which payments of a merchant go to one of its channels; what it leaves out may be
    anything.
    """

    channel: str
    countries: Annotated[tuple[str, ...], shape("Of the shopper, such as DE.")] = ()
    currencies: tuple[str, ...] = ()
    brands: tuple[str, ...] = ()
    recurring: Literal["none", "initial", "repeated"] | None = None
    amount_min: AmountBound | None = None
    amount_max: AmountBound | None = None


class SftpAccess(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """How a merchant logs in at the SFTP server. The password is sealed under the merchant's id,
    and empty where it has none; keys are as OpenSSH writes them, without a comment.
    """

    password: str = ""
    keys: tuple[str, ...] = ()


class Merchant(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A merchant, its channels and its access tokens.

    With rules of dispatching its own id is an entity id too, and the first rule that fits picks the
    channel.
    """

    id: str
    name: str
    tokens: tuple[AccessToken, ...]
    channels: tuple[Channel, ...]
    dispatching: tuple[DispatchRule, ...] = ()
    sftp: SftpAccess | None = None


class Sandbox(msgspec.Struct, frozen=True, kw_only=True, weakref=True, omit_defaults=True):
    """One isolated world: its hierarchy, its profile, and the epoch its data belongs to, whose
    `epoch_id` no other epoch has, not even one with the same number (Choice: D-618).

    Messages to the parties of its `breakpoints` are held (Choice: D-488). Its secrets are sealed
    with a key of its own, which is sealed with the server's (Choice: D-110).
    """

    id: str
    version: int = 0
    epoch: int = 1
    epoch_id: str = ""
    created_at: datetime
    profile: str = "specification"
    overrides: Mapping[str, str] = {}
    breakpoints: tuple[str, ...] = ()
    seed: int | None = None
    clock: ClockSetting = ClockSetting()
    throttle: ThrottleTable | None = None
    live_throttle: ThrottleTable | None = None
    psp: str
    division: str
    merchants: tuple[Merchant, ...]
    key_sealed: str
    control_key_hash: str
    control_key_sealed: str


class DefaultSandbox(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which sandbox a server starts with, by its id. Choice: D-296."""

    id: str = "default"
    version: int = 0
    sandbox: str
