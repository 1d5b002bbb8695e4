"""A settlement run of an institute, and what its lines add up to for each merchant account."""

from collections.abc import Mapping
from datetime import date, datetime
from decimal import Decimal
from typing import Literal

import msgspec

from simulator.domain.settlement.blocks import place_of
from simulator.domain.settlement.differences import Amounts
from simulator.domain.settlement.sums import AccountSums

# Its files are written; its lines are booked; its merchants have their files. Or nothing of it is.
RunState = Literal["late", "written", "booked", "delivered", "refused"]


class DeliveredCsv(msgspec.Struct, frozen=True, kw_only=True):
    """A file that a merchant may fetch."""

    merchant: str
    merchant_account: str
    name: str


class SettlementRun(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The run of a bank day of an institute. `left` is the first part of what the institute left
    for its next run, as JSON; the others are records of their own. Older gateways stored all of it
    here. `problem` says why a file was refused, or what was left out. It is `late` until its
    file comes with the next one. `number` counts the files of the day, of which one that was
    refused is the last but one.
    `ledger` is what the ledger moved in the day; older gateways did not store it. `differs` is what
    the lines say beyond it and what was open before, `open` what is so after this run.
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
    ledger: Amounts | None = None
    differs: Amounts = {}
    open: Amounts = {}


class LeftPart(msgspec.Struct, frozen=True, kw_only=True):
    """A part of what an institute left in a run for its next one, as JSON; the run has the first.
    All of it in one record would be megabytes, which everyone who looks at runs would read.
    """

    id: str
    version: int = 0
    run: str
    left: str


class Aggregation(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the lines of a merchant account in a run add up to, in its settlement currency. It is
    kept by its merchant number: on each host an account has one of its own.
    `history` is its place among those of its merchant; `typed` says for each record type how many
    lines of it each block has.
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
    sums: AccountSums
    typed: Mapping[str, tuple[int, ...]] = {}

    @property
    def lines(self) -> int:
        """The number of all lines."""
        return self.sums.lines

    @property
    def amount(self) -> Decimal:
        """What came in less what went out; the payout of the batch counts in neither."""
        return self.sums.amount_in - self.sums.amount_out

    @property
    def fee(self) -> Decimal:
        """What was charged."""
        return self.sums.fees

    @property
    def net(self) -> Decimal:
        """What the merchant is paid."""
        return self.sums.net


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


def left_part_id(run: str, number: int) -> str:
    """The id of this part of what was left in a run."""
    return f"{run}.{number:06d}"


def aggregation_id(run: str, merchant_account: str) -> str:
    """The id of what the lines of a merchant account in a run add up to."""
    return f"{run}.{merchant_account}"


def aggregation_of(
    run: SettlementRun, sums: AccountSums, typed: Mapping[str, tuple[int, ...]]
) -> Aggregation:
    """What a report shows of these sums; `typed` counts the lines of each type in each block."""
    identity = aggregation_id(run.id, sums.merchant_account)
    return Aggregation(
        id=identity,
        merchant=sums.merchant,
        merchant_account=sums.merchant_account,
        run=run.id,
        institute=run.institute,
        settlement_date=sums.settlement_date,
        currency=sums.currency,
        history=place_of(sums.merchant, sums.settlement_date.isoformat(), identity),
        sums=sums,
        typed=typed,
    )
