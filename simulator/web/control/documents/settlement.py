"""The documents of settlement: runs, their sums, and the files that are pushed."""

from collections.abc import Iterable
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal

from msgspec import Struct

from simulator.domain.core.shapes import Count, Id, shape
from simulator.domain.settlement.pushing import FilePush, PushTarget


class PushTargetDocument(Struct, frozen=True, kw_only=True):
    """The server that the files of a merchant are pushed to; its secrets are never shown."""

    host: str
    port: int
    user: str
    folder: str
    host_key: str
    fingerprint: Annotated[str, shape("SHA256 and 43 characters.")]
    has_password: bool
    has_key: bool

    @classmethod
    def of(cls, target: PushTarget) -> "PushTargetDocument":
        """The document of a target."""
        return cls(
            host=target.host,
            port=target.port,
            user=target.user,
            folder=target.folder,
            host_key=target.host_key,
            fingerprint=target.fingerprint,
            has_password=bool(target.password),
            has_key=bool(target.key),
        )


class FilePushDocument(Struct, frozen=True, kw_only=True):
    """How far the push of a file got; `problem` says where it failed last, and why."""

    file: str
    merchant: Id
    state: Literal["waiting", "pushed", "given up"]
    attempts: Count
    due: datetime | None
    problem: str

    @classmethod
    def of(cls, push: FilePush) -> "FilePushDocument":
        """The document of a push."""
        return cls(
            file=push.id,
            merchant=push.merchant,
            state=push.state,
            attempts=push.attempts,
            due=push.due,
            problem=push.problem,
        )


class FilePushList(Struct, frozen=True):
    """The pushes of a run."""

    pushes: tuple[FilePushDocument, ...]

    @classmethod
    def of(cls, pushes: Iterable[FilePush]) -> "FilePushList":
        """The document of some pushes."""
        return cls(tuple(map(FilePushDocument.of, pushes)))


class SettlementSummary(Struct, frozen=True):
    """The run of a bank day of an institute: its files, and those that merchants may fetch."""

    id: str
    institute: str
    day: date
    state: Literal["late", "written", "booked", "delivered", "refused"]
    files: tuple[str, ...]
    lines: Count
    delivered: tuple[str, ...]
    problem: str


class SettlementList(Struct, frozen=True):
    """Runs, by day."""

    runs: tuple[SettlementSummary, ...]


class SettledList(Struct, frozen=True):
    """What was settled, by institute and day. `more` names the institutes of which more bank days
    are over than settle at once, 400: the same request goes on with them.
    """

    runs: tuple[SettlementSummary, ...]
    more: tuple[str, ...]


class SettlementSums(Struct, frozen=True):
    """What the lines of a merchant account on a host add up to, without payouts, in its settlement
    currency; `payout` was transferred, `posted` moved to the bank in the ledger. `merchant_account`
    is its merchant number: of payments of the live host one with a capital in the place of the
    first digit of its id. `differs` is, by currency of the payments, by how much their lines are
    above what the ledger moved to the merchant; below zero where they are less. They agree only
    where it is empty.
    """

    merchant_account: str
    currency: str
    lines: Count
    matched: Count
    amount: Decimal
    fees: Decimal
    net: Decimal
    payout: Decimal
    posted: Decimal
    differs: dict[str, Decimal]
    agrees: bool


class SettlementDetail(Struct, frozen=True):
    """A run, the sums of each merchant account, and the files that are pushed."""

    run: SettlementSummary
    accounts: tuple[SettlementSums, ...]
    pushes: tuple[FilePushDocument, ...]


class ArmedSettlementFaults(Struct, frozen=True):
    """The faults of the next run of an institute."""

    institute: str
    plan: str
