"""The run of a bank day: the institute writes, the gateway fetches, books and delivers.

Each step is stored before the next begins, and each line is booked under its settlement id, so a
run that was interrupted goes on where it stopped. Choices: D-401 to D-404.
"""

from collections import deque
from collections.abc import Iterator
from datetime import date
from functools import partial
from itertools import islice
from typing import Any, Protocol
from zoneinfo import ZoneInfo

from msgspec.structs import replace

from simulator.domain.core.long_work import ports_of_long_work
from simulator.domain.core.ports import unit_of
from simulator.domain.ports.clearing import InstituteForm
from simulator.domain.ports.settlement import Deliveries, HasSettlementFiles, MerchantFile
from simulator.domain.settlement.blocks import SettledBlock, SettledFile, place_of
from simulator.domain.settlement.lines import SettlementFileError
from simulator.domain.settlement.match_keys import MatchCandidate
from simulator.domain.settlement.matching import CandidateIndex
from simulator.domain.settlement.runs import (
    Aggregation,
    DeliveredCsv,
    RunState,
    SettlementRun,
    aggregation_id,
    run_id,
)
from simulator.service.payments.pipeline import PipelinePorts
from simulator.service.settlement.announcing import prepare_settlement_events
from simulator.service.settlement.booking import LineBooking, LineTakers, open_booking
from simulator.service.settlement.carrying import drop_left
from simulator.service.settlement.comparing import LinesOfRun
from simulator.service.settlement.history import delivered_names, open_days, run_before
from simulator.service.settlement.movements import (
    MovementPorts,
    posted,
    posted_at,
)
from simulator.service.settlement.projecting import candidate_of
from simulator.service.settlement.pushing import prepare_pushes
from simulator.service.settlement.reading import LinePayments, in_parts
from simulator.service.settlement.references import payments_by_reference
from simulator.service.settlement.remaining import free_reserved
from simulator.service.settlement.whom import accounts_of
from simulator.service.settlement.writing import write_run
from simulator.service.webhooks.deliveries import dispatch_events

RUNS_AT_ONCE_MAX = 400
LAST = "~"
SUMMARY = ".summary.csv"


class SettlementPorts(PipelinePorts, MovementPorts, HasSettlementFiles, Protocol):
    """What a settlement run needs."""


def settle_until(
    ports: SettlementPorts, institute: str, last: date | None, *, most: int = RUNS_AT_ONCE_MAX
) -> list[SettlementRun]:
    """Run the first bank days, 400, of an institute that are over and have no finished run, to
    `last` at most, in order. Raises UnknownInstituteError. Choice: D-718.
    """
    days = open_days(ports, institute, last)
    return [run for made in _settled_days(ports, institute, days, most) for run in made]


def settle_open_days(ports: SettlementPorts, institute: str) -> bool:
    """Run the first 400 bank days of an institute that are over and have no finished run; whether
    there are no more.
    """
    days = open_days(ports, institute, None)
    for _ in _settled_days(ports, institute, days, RUNS_AT_ONCE_MAX):
        pass
    return next(days, None) is None


def _settled_days(
    ports: SettlementPorts, institute: str, days: Iterator[date], most: int
) -> Iterator[list[SettlementRun]]:
    """The runs that each of the first days makes, so many at most. Where the file that is sent
    again for the day before is refused too, none of the days that are left has one: each would be
    paid twice or not at all.
    """
    for day in islice(days, most):
        made = settle_day(ports, institute, day)
        yield made
        if made[-1].day != day:
            # They are asked for again with the next run.
            deque(days, maxlen=0)


def settle_day(ports: SettlementPorts, institute: str, day: date) -> list[SettlementRun]:
    """The finished run of one bank day, behind that of the day before where it is finished with it:
    a file that is late comes with the next one, and in the place of one that was refused another
    comes before the next one. What a crash left is taken up. The clock's advance, the calendar and
    a person may come to the same day at once: who comes later finds it finished. Raises DiskError
    where a write failed since it began: the next run of the day goes on with what is stored.
    Choices: D-402, D-671.
    """
    with ports.settlement_files.turn(institute):
        ports = ports_of_long_work(ports)
        run = ports.store.get(SettlementRun, run_id(institute, day))
        before = run_before(ports, institute, day) if run is None else None
        runs: list[SettlementRun] = []
        if before is not None and before.state == "refused":
            again = write_run(ports, institute, before.day, before, has_faults=False)
            runs += [_finish(ports, each) for each in again]
            if runs[-1].state == "refused":
                return runs
        if run is None or run.state == "refused":
            written = write_run(ports, institute, day, run)
        else:
            written = [run]
        return runs + [_finish(ports, each) for each in written]


def _finish(ports: SettlementPorts, run: SettlementRun) -> SettlementRun:
    with ports.settlement_files.deliveries() as deliveries:
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
    stored = _stored(ports, done, *booking.aggregations(), *booked.values())
    free_reserved(ports, run.institute)
    return stored


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
    before = run_before(ports, run.institute, run.day)
    if before is not None:
        # Its lines are booked: no file of this day is written again.
        drop_left(ports, before)
    finished = replace(run, state="delivered", delivered=(*run.delivered, *delivered))
    stored = _stored(ports, finished, *events, *pushes)
    dispatch_events(ports, events)
    if pushes:
        ports.scheduler.wake()
    return stored


def _stored(ports: SettlementPorts, run: SettlementRun, *more: Any) -> SettlementRun:
    ports.store.commit(unit_of(run, *more))
    return replace(run, version=run.version + 1)
