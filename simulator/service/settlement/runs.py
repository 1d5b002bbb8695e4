"""The run of a bank day: the institute writes, the gateway fetches, books and delivers.

Each step is stored before the next begins, and each line is booked under its settlement id, so a
run that was interrupted goes on where it stopped. Choices: D-401 to D-404.
"""

from collections.abc import Iterator, Mapping
from datetime import date
from functools import partial
from itertools import islice
from typing import Any, Protocol
from zoneinfo import ZoneInfo

import msgspec
from msgspec.structs import replace

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.hosts import TEST
from simulator.domain.core.ports import unit_of
from simulator.domain.masking.masking import mask_text
from simulator.domain.ports.clearing import (
    CarriedOver,
    ClearingContract,
    DayOrder,
    InstituteForm,
    SettlementFaults,
    SettlementFaultsError,
)
from simulator.domain.ports.settlement import Deliveries, HasSettlementFiles, MerchantFile
from simulator.domain.settlement.blocks import SettledBlock, SettledFile, place_of
from simulator.domain.settlement.lines import SettlementFileError
from simulator.domain.settlement.match_keys import MatchCandidate
from simulator.domain.settlement.matching import CandidateIndex
from simulator.domain.settlement.runs import (
    Aggregation,
    ArmedFaults,
    DeliveredCsv,
    RunState,
    SettlementRun,
    aggregation_id,
    run_id,
)
from simulator.service.payments.pipeline import PipelinePorts
from simulator.service.settlement.announcing import prepare_settlement_events
from simulator.service.settlement.booking import LineBooking, LineTakers, open_booking
from simulator.service.settlement.comparing import LedgerOfDay, LinesOfRun
from simulator.service.settlement.history import delivered_names, open_days, run_before
from simulator.service.settlement.movements import (
    MovementPorts,
    count_postings,
    movements,
    posted,
    posted_at,
)
from simulator.service.settlement.projecting import candidate_of
from simulator.service.settlement.pushing import prepare_pushes
from simulator.service.settlement.reading import LinePayments, in_parts
from simulator.service.settlement.references import noted, payments_by_reference
from simulator.service.settlement.remaining import with_what_is_left
from simulator.service.settlement.whom import CURRENCY, accounts_of
from simulator.service.webhooks.deliveries import dispatch_events

RUNS_AT_ONCE_MAX = 400
LAST = "~"
SUMMARY = ".summary.csv"


class SettlementPorts(PipelinePorts, MovementPorts, HasSettlementFiles, Protocol):
    """What a settlement run needs."""


def settle_until(ports: SettlementPorts, institute: str, last: date | None) -> list[SettlementRun]:
    """Run every bank day of an institute that is over and has no finished run, to `last` at most,
    in order. Raises UnknownInstituteError, InvalidInputError above 400 days.
    """
    days = open_days(ports, institute, last)
    runs = [settle_day(ports, institute, day) for day in islice(days, RUNS_AT_ONCE_MAX)]
    if next(days, None) is not None:
        raise InvalidInputError("date", f"at most {RUNS_AT_ONCE_MAX} bank days", "more")
    return runs


def settle_open_days(ports: SettlementPorts, institute: str) -> bool:
    """Run the first 400 bank days of an institute that are over and have no finished run; whether
    there are no more.
    """
    days = open_days(ports, institute, None)
    for day in islice(days, RUNS_AT_ONCE_MAX):
        settle_day(ports, institute, day)
    return next(days, None) is None


def settle_day(ports: SettlementPorts, institute: str, day: date) -> SettlementRun:
    """The finished run of one bank day; what a crash left is taken up. In the place of a file that
    was refused the institute sends another one. The clock's advance, the calendar and a person may
    come to the same day at once: who comes later finds it finished.
    """
    files = ports.settlement_files
    with files.turn(institute), files.deliveries() as deliveries:
        run = ports.store.get(SettlementRun, run_id(institute, day))
        if run is None or run.state == "refused":
            run = _write(ports, institute, day, run)
        if run.state == "written":
            run = _book(ports, run, deliveries)
        if run.state == "booked":
            run = _deliver(ports, run, deliveries)
    return run


def blocks_of(
    ports: SettlementPorts, run: SettlementRun, merchant_account: str
) -> Iterator[SettledBlock]:
    """The blocks of a merchant account in a run, in the order of the file."""
    low, high = (place_of(run.id, merchant_account, bound) for bound in ("", LAST))
    for block in ports.store.between(SettledBlock, "order", low, high):
        yield block
        ports.store.pause(0)


def _write(
    ports: SettlementPorts, institute: str, day: date, refused: SettlementRun | None
) -> SettlementRun:
    """Let the institute write its files; after a crash they are the same."""
    files, armed = ports.settlement_files, ports.store.get(ArmedFaults, institute)
    before, unread = _left(ports, institute, day)
    faults, not_followed = _faults_of(ports, armed)
    order = DayOrder(
        drop=files.drop(institute),
        key=files.keys(institute),
        contracts=_contracts(ports, institute),
        others=ClearingContract(merchant_number="", settlement_currency=CURRENCY),
        faults=faults,
        carried=with_what_is_left(ports, before, day),
        number=1 if refused is None else refused.number + 1,
        expected=count_postings(ports, institute, day),
        pause=lambda: ports.store.pause(0),
    )
    moved = LedgerOfDay(ports)
    entries = movements(ports, institute, day, moved.add)
    if not ports.clearing.form(institute).names_payments:
        entries = noted(ports, entries)
    written = ports.clearing.write_day(institute, day, entries, order)
    run = SettlementRun(
        id=run_id(institute, day),
        version=0 if refused is None else refused.version,
        institute=institute,
        day=day,
        state="written",
        number=order.number,
        files=written.files,
        keys=written.keys,
        left=msgspec.json.encode(written.carried).decode(),
        problem="; ".join(filter(None, (unread, not_followed))),
        ledger=moved.amounts.stored(),
    )
    ports.store.commit(unit_of(run, removes=() if armed is None else (armed,)))
    return replace(run, version=run.version + 1)


def _faults_of(ports: SettlementPorts, armed: ArmedFaults | None) -> tuple[SettlementFaults, str]:
    """The faults that are armed, and what is wrong with a plan that cannot be followed: another
    version or another gateway has stored it. Then nothing is planted.
    """
    if armed is None:
        return SettlementFaults(), ""
    try:
        return ports.clearing.read_faults(armed.plan), ""
    except SettlementFaultsError as error:
        return SettlementFaults(), mask_text(f"the fault plan was not followed: {error}")


def _left(ports: SettlementPorts, institute: str, day: date) -> tuple[CarriedOver, str]:
    """What the run before left, and what is wrong with it where another gateway has stored it."""
    before = run_before(ports, institute, day)
    if before is None:
        return CarriedOver(), ""
    try:
        return msgspec.json.decode(before.left, type=CarriedOver), ""
    except (msgspec.DecodeError, RecursionError):
        return CarriedOver(), f"what {before.id} left cannot be read: nothing of it is settled"


def _contracts(ports: SettlementPorts, institute: str) -> Mapping[str, ClearingContract]:
    """Those of all merchant numbers: on the live host for days with movements alone."""
    return {
        name: ClearingContract(
            merchant_number=name,
            settlement_currency=account.currency,
            is_standing=account.institute == institute and account.host == TEST,
        )
        for name, account in accounts_of(ports.sandbox).items()
    }


def _book(ports: SettlementPorts, run: SettlementRun, deliveries: Deliveries) -> SettlementRun:
    """Book every line of every file once. Of a file that is refused nothing is booked."""
    form = ports.clearing.form(run.institute)
    payments = LinePayments(ports)
    candidates = _candidates(ports, run, payments, form)
    lines = LinesOfRun(ports, run)
    takers = LineTakers(deliveries.add, lines.add)
    booking = open_booking(ports, run, candidates, payments=payments, form=form, takers=takers)
    names = [name for name in run.files if not name.endswith(SUMMARY)]
    problems, refused, booked = [*filter(None, [run.problem])], 0, dict[str, SettledFile]()
    for name in names:
        try:
            digest = ports.settlement_files.hash_of(run.institute, name)
            known = booked.get(digest) or ports.store.get(SettledFile, digest)
            if known is not None and (known.run, known.name) != (run.id, name):
                problems.append(f"{name} is {known.name} once more: nothing of it is booked")
                continue
            if _book_file(ports, booking, run, name):
                booked[digest] = SettledFile(id=digest, run=run.id, name=name)
        except SettlementFileError as error:
            problems.append(str(error))
            refused += 1
    ports.store.wait_durable()
    if booking.problem:
        problems.append(booking.problem)
    state: RunState = "refused" if names and refused == len(names) else "booked"
    if state == "booked":
        run = lines.compared(run_before(ports, run.institute, run.day))
    done = replace(run, state=state, lines=booking.lines, problem="; ".join(problems))
    return _stored(ports, done, *booking.aggregations(), *booked.values())


def _book_file(ports: SettlementPorts, booking: LineBooking, run: SettlementRun, name: str) -> bool:
    """Book the lines of a file; whether there are any: those of days without movements may be
    alike. Raises SettlementFileError before the first line.
    """
    before = booking.lines
    form = ports.clearing.form(run.institute)
    lines = ports.settlement_files.lines(run.institute, name, form=form.form, zone=form.zone)
    for part in in_parts(lines):
        booking.book(part)
    booking.close_block()
    return booking.lines > before


def _candidates(
    ports: SettlementPorts, run: SettlementRun, payments: LinePayments, form: InstituteForm
) -> CandidateIndex:
    """The payments that lines of the run can be about."""
    zone = ZoneInfo(form.zone)

    def find(identity: str) -> MatchCandidate | None:
        payment = payments.get(identity)
        if payment is None:
            return None
        return candidate_of(payment, posted_at(ports, payment) or payment.created_at, zone)

    known = (candidate_of(*each, zone) for each in posted(ports, run.institute, run.day))
    if form.names_payments:
        return CandidateIndex(known, find)
    return CandidateIndex(known, find, partial(payments_by_reference, ports))


def _deliver(ports: SettlementPorts, run: SettlementRun, deliveries: Deliveries) -> SettlementRun:
    """Give each merchant account its file, and announce it."""
    accounts = accounts_of(ports.sandbox)
    names: dict[str, tuple[str, ...]] = {}
    sums: dict[str, Aggregation] = {}
    for name, account in accounts.items():
        found = ports.store.get(Aggregation, aggregation_id(run.id, name))
        if found is None:
            continue
        sums[name] = found
        day = found.settlement_date
        names[name] = deliveries.deliver(
            MerchantFile(account.merchant.id, name, run.institute, day),
            partial(blocks_of, ports, run, name),
            lines=found.lines,
            delivered=delivered_names(ports, account, day),
        )
    delivered = tuple(
        DeliveredCsv(merchant=accounts[name].merchant.id, merchant_account=name, name=each)
        for name, files in names.items()
        for each in files
    )
    events = prepare_settlement_events(ports, accounts, names, sums)
    pushes = tuple(prepare_pushes(ports, run, delivered))
    finished = replace(run, state="delivered", delivered=(*run.delivered, *delivered))
    stored = _stored(ports, finished, *events, *pushes)
    dispatch_events(ports, events)
    if pushes:
        ports.scheduler.wake()
    return stored


def _stored(ports: SettlementPorts, run: SettlementRun, *more: Any) -> SettlementRun:
    ports.store.commit(unit_of(run, *more))
    return replace(run, version=run.version + 1)
