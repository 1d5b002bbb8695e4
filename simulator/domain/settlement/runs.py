"""A settlement run of an institute, the lines that it settled, and their sums."""

from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import msgspec

from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import key_of
from simulator.domain.settlement.records import ReconciliationRecord

# Its files are written; its lines are booked; its merchants have their files. Or nothing of it is.
RunState = Literal["written", "booked", "delivered", "refused"]


class DeliveredCsv(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a merchant may fetch."""

    merchant: str
    merchant_account: str
    name: str


class SettlementRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The run of a bank day of an institute. `left` is what the institute left for its next run,
    as JSON; `problem` says why a file was refused, or what was left out; `number`
    counts the files of the day, of which one that was refused is the last but one.
    """

    id: str
    version: int = 0
    institute: str
    day: date
    state: RunState
    number: int = 1
    files: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    lines: int = 0
    left: str = ""
    delivered: tuple[DeliveredCsv, ...] = ()
    problem: str = ""


class SettledLine(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A line that was booked, by its settlement id. `order` is its place among the lines of its
    run and merchant account, `typed` its place among those of its type; `chargeback` the payment
    that was made of it.
    """

    id: str
    version: int = 0
    order: str
    typed: str
    record: ReconciliationRecord
    chargeback: str | None = None


class Aggregation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the lines of a merchant account in a run add up to, in its settlement currency.
    `amount` is what came in less what went out, `net` the same less the `fee`; the payout of the
    batch counts in neither. `history` is its place among those of its merchant.
    """

    id: str
    version: int = 0
    merchant: str
    merchant_account: str
    run: str
    institute: str
    settlement_date: date
    currency: str
    history: str
    lines: int = 0
    amount: Decimal = ZERO
    fee: Decimal = ZERO

    @property
    def net(self) -> Decimal:
        """What the merchant is paid."""
        return self.amount - self.fee


class SettlementDue(msgspec.Struct, frozen=True, kw_only=True):
    """When the next bank day of the institute with this name is over, where each is to be
    settled by itself.
    """

    id: str
    version: int = 0
    due: datetime


class ArmedFaults(msgspec.Struct, frozen=True, kw_only=True):
    """A fault plan, in YAML, for the next run of the institute with this name."""

    id: str
    version: int = 0
    plan: str


def run_id(institute: str, day: date) -> str:
    """The id of the run of a bank day, as 2030-01-03.sandgate-clearing."""
    return f"{day.isoformat()}.{institute.lower().replace(' ', '-')}"


def order_of(run: str, merchant_account: str, place: int) -> str:
    """Where a line stands among all settled lines."""
    return key_of(run, merchant_account, f"{place:09d}")


def typed_order_of(run: str, merchant_account: str, kind: str, place: int) -> str:
    """Where a line stands among those of its record type."""
    return key_of(run, merchant_account, kind, f"{place:09d}")


def aggregation_id(run: str, merchant_account: str) -> str:
    """The id of what the lines of a merchant account in a run add up to."""
    return f"{run}.{merchant_account}"
