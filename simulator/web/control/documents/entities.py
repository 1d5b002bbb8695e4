"""The documents the control API answers: one struct each, from which its JSON Schema is derived.

Those it takes are structs too (`Asked...`), beside the rules that read them.
"""

from datetime import datetime
from typing import Annotated, Literal

from msgspec import UNSET, Struct, UnsetType

from simulator.domain.core.clock import Mode
from simulator.domain.core.entities import (
    AccessToken,
    Channel,
    DispatchRule,
    Merchant,
    Sandbox,
    SftpAccess,
)
from simulator.domain.core.hosts import Host
from simulator.domain.core.shapes import (
    Amount,
    Anything,
    Count,
    Id,
    Overrides,
    Profile,
    Seed,
    shape,
)
from simulator.domain.merchants.sftp import fingerprint_of
from simulator.domain.terminals.serials import Method, Usage
from simulator.domain.terminals.terminals import KeyLoad, Model
from simulator.domain.throttling.tables import TableDocument


class Deleted(Struct, frozen=True):
    """What was deleted."""

    id: str
    deleted: Annotated[bool, shape(const=True)] = True


class MerchantDocument(Struct, frozen=True, kw_only=True):
    """A merchant: everything but its tokens."""

    id: Id
    name: str
    channels: tuple[Channel, ...]
    dispatching: tuple[DispatchRule, ...]

    @classmethod
    def of(cls, merchant: Merchant) -> "MerchantDocument":
        """The document of a record."""
        return cls(
            id=merchant.id,
            name=merchant.name,
            channels=merchant.channels,
            dispatching=merchant.dispatching,
        )


class MerchantList(Struct, frozen=True):
    """The merchants of a sandbox."""

    merchants: tuple[MerchantDocument, ...]


class SftpKeyDocument(Struct, frozen=True):
    """A key a merchant logs in with: its kind, and how clients show it."""

    kind: str
    fingerprint: Annotated[str, shape("SHA256 and 43 characters.")]


class SftpAccessDocument(Struct, frozen=True, kw_only=True):
    """How a merchant logs in at the SFTP server. A password is shown where it is generated."""

    user: Id
    has_password: bool
    keys: tuple[SftpKeyDocument, ...]
    password: str | UnsetType = UNSET

    @classmethod
    def of(cls, merchant: Merchant, password: str | None = None) -> "SftpAccessDocument":
        """The document of a merchant that has access."""
        access = merchant.sftp or SftpAccess()
        return cls(
            user=merchant.id,
            has_password=bool(access.password),
            keys=tuple(SftpKeyDocument(key.split()[0], fingerprint_of(key)) for key in access.keys),
            password=UNSET if password is None else password,
        )


class SandboxDocument(Struct, frozen=True, kw_only=True):
    """A sandbox: everything but its credentials."""

    id: Id
    epoch: Annotated[int, shape("One more after each reset.", minimum=1)]
    created_at: datetime
    profile: Profile
    overrides: Overrides
    seed: Seed | None
    psp: Id
    division: Id
    merchants: tuple[MerchantDocument, ...]

    @classmethod
    def of(cls, sandbox: Sandbox) -> "SandboxDocument":
        """The document of a record."""
        return cls(
            id=sandbox.id,
            epoch=sandbox.epoch,
            created_at=sandbox.created_at,
            profile=sandbox.profile,
            overrides=sandbox.overrides,
            seed=sandbox.seed,
            psp=sandbox.psp,
            division=sandbox.division,
            merchants=tuple(map(MerchantDocument.of, sandbox.merchants)),
        )


class SandboxList(Struct, frozen=True):
    """The sandboxes of a server."""

    sandboxes: tuple[SandboxDocument, ...]


class TokenDocument(Struct, frozen=True, kw_only=True):
    """An access token. Its value, `token`, stands only in the answer that issues it."""

    id: Id
    alias: str
    host: Host
    state: Literal["active", "suspended"]
    last_digits: str
    created_at: datetime
    token: str | UnsetType = UNSET

    @classmethod
    def of(cls, token: AccessToken, value: str | UnsetType = UNSET) -> "TokenDocument":
        """The document of a record."""
        return cls(
            id=token.id,
            alias=token.alias,
            host=token.host,
            state=token.state,
            last_digits=token.last_digits,
            created_at=token.created_at,
            token=value,
        )


class TokenList(Struct, frozen=True):
    """The tokens of a merchant, without their values."""

    tokens: tuple[TokenDocument, ...]


class ScriptDocument(Struct, frozen=True, kw_only=True):
    """A script: what arms it again, what it has counted, and its state."""

    id: Id
    behaviour: Anything
    match: Anything
    times: Annotated[int, shape("How often it answers; null: always.", minimum=1)] | None
    matched: Count
    asked: Count
    near_misses: tuple[str, ...]
    state: Literal["never matched", "matched", "used up"]


class ScriptList(Struct, frozen=True):
    """The scripts armed in a sandbox, newest first."""

    scripts: tuple[ScriptDocument, ...]


class WalletDocument(Struct, frozen=True):
    """Whom wallet tokens are made for, and the certificate of the authority that signs them."""

    merchant: str
    gateway: str
    certificate: str


class WalletToken(Struct, frozen=True):
    """A wallet token as a shop would get it."""

    token: str


class FormCapability(Struct, frozen=True):
    """What lets the form of a checkout post once."""

    id: str
    capability: Annotated[str, shape(pattern=r"^[0-9a-f]{48}$(?!\n)")]


class ClockDocument(Struct, frozen=True):
    """The clock of a sandbox; `next` is when something is due next, `set_aside` how many records of
    due work failed and are tried again later.
    """

    mode: Mode
    now: datetime
    rate: float
    next: datetime | None
    set_aside: int = 0


class PendingPayment(Struct, frozen=True):
    """A payment that is pending, and the code it will get."""

    id: Id
    due: datetime | None
    code: str


class PendingList(Struct, frozen=True):
    """The pending payments of a sandbox, the next to end first."""

    pending: tuple[PendingPayment, ...]


class Released(Struct, frozen=True):
    """A payment that is no longer pending."""

    id: Id
    state: str
    code: str


class Drained(Struct, frozen=True):
    """Whether nothing is in flight."""

    drained: bool


class ThrottlesDocument(Struct, frozen=True):
    """The throttle tables in force, one for each host."""

    throttle: TableDocument
    live_throttle: TableDocument


class LedgerLine(Struct, frozen=True):
    """What payments of one type moved in one currency, by either ledger."""

    type: str
    currency: str
    count: Count
    gateway: Amount
    host: Amount


class LedgerDifference(Struct, frozen=True):
    """A payment on which the ledgers differ, and why. The card number is masked."""

    payment: str
    type: str
    card: str
    currency: str
    gateway: Amount
    host: Amount
    why: str


class ReconciliationReport(Struct, frozen=True):
    """The ledgers of gateway and card host compared; payments `under_way` are in neither."""

    agree: bool
    lines: tuple[LedgerLine, ...]
    differences: tuple[LedgerDifference, ...]
    under_way: tuple[str, ...]


class TerminalKey(Struct, frozen=True):
    """An initial key of a terminal, as the id in its serial numbers, and the highest counter that a
    payment was made with.
    """

    usage: Usage
    id: str
    counter: Count


class TerminalDocument(Struct, frozen=True, kw_only=True):
    """A terminal at the point of sale. Its keys, `load`, stand only in the answer that creates
    it; null where it loads them remotely.
    """

    id: Annotated[str, shape("pos.terminalId")]
    device: Annotated[str, shape("pos.deviceId")]
    model: Annotated[Model, shape("pos.deviceType")]
    channel: Id
    method: Method
    keys: tuple[TerminalKey, ...]
    created_at: datetime
    load: KeyLoad | UnsetType | None = UNSET


class TerminalList(Struct, frozen=True):
    """The terminals of a sandbox, the oldest first."""

    terminals: tuple[TerminalDocument, ...]
