"""The file of a bank day, as an institute writes it: from the movements and what earlier runs left.

Choices: D-401, D-402, D-665.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import partial
from typing import Protocol

from msgspec.structs import replace

from simulator.domain.core.entities import SETTLEMENT_CURRENCY
from simulator.domain.core.hosts import TEST
from simulator.domain.core.ports import HasInFlight, HasSandbox, unit_of
from simulator.domain.masking.masking import mask_text
from simulator.domain.ports.clearing import (
    ClearingContract,
    DayOrder,
    SettlementFaults,
    SettlementFaultsError,
    WrittenDay,
)
from simulator.domain.ports.settlement import HasSettlementFiles
from simulator.domain.settlement.runs import ArmedFaults, SettlementRun, run_id
from simulator.service.settlement.carrying import carried_from, with_left_parts
from simulator.service.settlement.comparing import LedgerOfDay
from simulator.service.settlement.history import run_before
from simulator.service.settlement.movements import MovementPorts, count_postings, movements
from simulator.service.settlement.references import noted
from simulator.service.settlement.remaining import (
    LessLeftError,
    ReservingPorts,
    free_reserved,
    reserve_sales,
)
from simulator.service.settlement.whom import accounts_of


class WritingPorts(
    MovementPorts, ReservingPorts, HasInFlight, HasSandbox, HasSettlementFiles, Protocol
):
    """What the file of a bank day is made of."""


# How often a file is written that charges back. One that takes more of a payment than is left by
# the time that it is whole is written again, and at last without chargebacks.
ATTEMPTS_MAX = 4


def write_run(
    ports: WritingPorts,
    institute: str,
    day: date,
    refused: SettlementRun | None,
    *,
    has_faults: bool = True,
) -> list[SettlementRun]:
    """Let the institute write its files; after a crash they are the same. Behind the run of the day
    before, where that has got its file with them. What they charge back is reserved with them.
    """
    write = partial(_written, ports, institute, day, refused, has_faults=has_faults)
    for attempt in range(1, ATTEMPTS_MAX + 2):
        # An attempt that was interrupted may have left something, and so has the one before.
        free_reserved(ports, institute)
        # The day is over: what is of it is stored then.
        ports.in_flight.wait_stored()
        with suppress(LessLeftError):
            return write(charge_back=attempt <= ATTEMPTS_MAX)
    raise AssertionError("a file without chargebacks takes nothing")


def _written(
    ports: WritingPorts,
    institute: str,
    day: date,
    refused: SettlementRun | None,
    *,
    has_faults: bool,
    charge_back: bool,
) -> list[SettlementRun]:
    """The files of the day, written once, and the run that is stored with what they charge back.
    Raises LessLeftError.
    """
    armed = ports.store.get(ArmedFaults, institute) if has_faults else None
    before = run_before(ports, institute, day)
    order, problem = _order_of(ports, institute, day, before=before, refused=refused, armed=armed)
    order = replace(order, charge_back=charge_back)
    moved = LedgerOfDay(ports)
    entries = movements(ports, institute, day, moved.add)
    if not ports.clearing.form(institute).names_payments:
        entries = noted(ports, entries)
    written = ports.clearing.write_day(institute, day, entries, order)
    late = () if before is None or before.state != "late" else (_arrived(before, written),)
    run = SettlementRun(
        id=run_id(institute, day),
        version=0 if refused is None else refused.version,
        institute=institute,
        day=day,
        state="late" if written.carried.late else "written",
        number=order.number,
        files=written.files if late else (*written.released, *written.files),
        keys=written.keys,
        problem=problem,
        ledger=moved.amounts.stored(),
    )
    return _stored(ports, written, [*late, run], () if armed is None else (armed,))


def _stored(
    ports: WritingPorts,
    written: WrittenDay,
    runs: Sequence[SettlementRun],
    removes: tuple[ArmedFaults, ...],
) -> list[SettlementRun]:
    """The runs, of which the last has written these files, stored once what those charge back is
    reserved and what is left is stored. Raises LessLeftError.
    """
    reserve_sales(ports, runs[-1], written.charged_back)
    stored = (*runs[:-1], with_left_parts(ports, runs[-1], written.carried))
    ports.store.commit(unit_of(*stored, removes=removes))
    return [replace(each, version=each.version + 1) for each in stored]


def _order_of(
    ports: WritingPorts,
    institute: str,
    day: date,
    *,
    before: SettlementRun | None,
    refused: SettlementRun | None,
    armed: ArmedFaults | None,
) -> tuple[DayOrder, str]:
    """What the institute is to write, and what of it cannot be followed."""
    files, (carried, unread) = ports.settlement_files, carried_from(ports, before, day)
    faults, not_followed = _faults_of(ports, armed)
    if refused is not None:
        # A late file has come with the one that was refused.
        carried = replace(carried, late=())
    order = DayOrder(
        drop=files.drop(institute),
        key=files.keys(institute),
        contracts=_contracts(ports, institute),
        others=ClearingContract(merchant_number="", settlement_currency=SETTLEMENT_CURRENCY),
        faults=faults,
        carried=carried,
        number=1 if refused is None else refused.number + 1,
        expected=count_postings(ports, institute, day),
        pause=lambda: ports.store.pause(0),
    )
    return order, "; ".join(filter(None, (unread, not_followed)))


def _arrived(before: SettlementRun, written: WrittenDay) -> SettlementRun:
    return replace(before, state="written", files=written.released)


def _faults_of(ports: WritingPorts, armed: ArmedFaults | None) -> tuple[SettlementFaults, str]:
    """The faults that are armed, and what is wrong with a plan that cannot be followed: another
    version or another gateway has stored it. Then nothing is planted.
    """
    if armed is None:
        return SettlementFaults(), ""
    try:
        return ports.clearing.read_faults(armed.plan), ""
    except SettlementFaultsError as error:
        return SettlementFaults(), mask_text(f"the fault plan was not followed: {error}")


def _contracts(ports: WritingPorts, institute: str) -> Mapping[str, ClearingContract]:
    """Those of all merchant numbers: on the live host for days with movements alone."""
    return {
        name: ClearingContract(
            merchant_number=name,
            settlement_currency=account.currency,
            is_standing=account.institute == institute and account.host == TEST,
        )
        for name, account in accounts_of(ports.sandbox).items()
    }
