"""/_sandbox/v1/sandboxes/{id}/settlements: runs of clearing institutes, their faults and keys."""

from datetime import date
from itertools import chain
from typing import Annotated

import msgspec
from falcon import Request, Response

from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.shapes import shape
from simulator.domain.core.transact import transact
from simulator.domain.masking.refusals import EXPECTED, GOT, holds_secret
from simulator.domain.ports.clearing import SettlementFaultsError
from simulator.domain.ports.sandbox import Ports
from simulator.domain.settlement.picture import settlement_svg
from simulator.domain.settlement.runs import ArmedFaults, SettlementRun
from simulator.service.settlement.daily import start_daily_runs, stop_daily_runs
from simulator.service.settlement.history import UnknownSettlementError, last_runs, run_with
from simulator.service.settlement.proof import sums_of
from simulator.service.settlement.pushing import pushes_of
from simulator.service.settlement.settling import settle_institutes
from simulator.service.settlement.whom import accounts_of
from simulator.web.control.access import ONE_SANDBOX, ControlAccess, read_document
from simulator.web.control.documents.settlement import (
    ArmedSettlementFaults,
    FilePushDocument,
    SettledList,
    SettlementDetail,
    SettlementList,
    SettlementSummary,
    SettlementSums,
)
from simulator.web.http.answers import send
from simulator.web.http.lists import send_pieces
from simulator.web.http.route import Route

SHOWN_MAX = 500
JSON_LINES = "application/x-ndjson"


class AskedSettlement(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which bank days to settle: those that are over, of one institute or of all, to a date, 400 of
    each institute at once.
    `daily` settles those to come by themselves, or no longer.
    """

    institute: Annotated[str, shape("By name. None: every institute.")] | None = None
    date: (
        Annotated[str, shape("The last bank day, 2030-01-03. None: all that are over.")] | None
    ) = None
    daily: bool | None = None


class AskedSettlementFaults(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A fault plan for the next run of an institute: docs/reference/settlement-files.md."""

    institute: str
    plan: Annotated[str, shape("YAML, such as counts: {missing: 1}")]


class SettlementsResource:
    """The runs of a sandbox."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str) -> None:
        """The last 500, by day."""
        ports = self._access.ports(req, identity)
        send(resp, 200, _list(last_runs(ports, SHOWN_MAX)))

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Settle what is over."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedSettlement)
        names = _institutes(ports, asked.institute)
        last = None if asked.date is None else _day(asked.date)
        settled = settle_institutes(ports, names, last)
        if asked.daily is not None:
            for name in names:
                (start_daily_runs if asked.daily else stop_daily_runs)(ports, name)
        send(resp, 200, SettledList(runs=tuple(map(_summary, settled.runs)), more=settled.more))


class SettlementResource:
    """One run, and whether its lines close."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, run: str) -> None:
        """Read it."""
        ports = self._access.ports(req, identity)
        found = run_with(ports, run)
        accounts = (sums_of(ports, found, name) for name in accounts_of(ports.sandbox))
        sums = tuple(
            SettlementSums(
                merchant_account=each.merchant_account,
                currency=each.currency,
                lines=each.lines,
                matched=each.matched,
                amount=each.amount_in - each.amount_out,
                fees=each.fees,
                net=each.net,
                payout=each.payout,
                posted=each.posted,
                differs=dict(each.differs),
                agrees=each.agrees,
            )
            for each in accounts
            if each.lines or each.differs
        )
        pushes = tuple(map(FilePushDocument.of, pushes_of(ports, found)))
        send(resp, 200, SettlementDetail(run=_summary(found), accounts=sums, pushes=pushes))


class SettlementPictureResource:
    """A run as a picture."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(self, req: Request, resp: Response, identity: str, run: str) -> None:
        """Draw where the money of each merchant account came from, and what became of it."""
        ports = self._access.ports(req, identity)
        found = run_with(ports, run)
        accounts = (sums_of(ports, found, name) for name in accounts_of(ports.sandbox))
        resp.content_type = "image/svg+xml; charset=utf-8"
        resp.text = settlement_svg(found, [each for each in accounts if each.lines])


class SettlementKeyResource:
    """The answer key of a merchant account in a run."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_get(
        self, req: Request, resp: Response, identity: str, *, run: str, account: str
    ) -> None:
        """Read it: one JSON object a line."""
        ports = self._access.ports(req, identity)
        found = run_with(ports, run)
        names = [name for name in found.keys if name.partition("_")[0] == account]
        if not names:
            raise UnknownSettlementError("the run has no key of the merchant account in the path")
        try:
            keys = [ports.settlement_files.key(found.institute, name) for name in names]
            send_pieces(resp, chain.from_iterable(keys))
        except FileNotFoundError:
            # It was removed from the folder: a snapshot takes it along.
            raise UnknownSettlementError("the key of this run is not in this data folder") from None
        resp.content_type = JSON_LINES


class SettlementFaultsResource:
    """What goes wrong in the next run of an institute."""

    def __init__(self, access: ControlAccess):
        self._access = access

    def on_post(self, req: Request, resp: Response, identity: str) -> None:
        """Arm a plan in the place of the one there is."""
        ports = self._access.ports(req, identity)
        asked = read_document(req, AskedSettlementFaults)
        (name,) = _institutes(ports, asked.institute)
        # It may be longer than what is read, or looked through, at once.
        aside = self._access.server.aside.of(identity)
        try:
            aside(ports.clearing.read_faults, asked.plan)
        except SettlementFaultsError as error:
            raise InvalidInputError("plan", "a fault plan", str(error)) from None
        if aside(holds_secret, asked.plan):
            raise InvalidInputError("plan", EXPECTED, GOT)

        def arm() -> None:
            before = ports.store.get(ArmedFaults, name)
            version = 0 if before is None else before.version
            armed = ArmedFaults(id=name, version=version, plan=asked.plan)
            ports.store.commit(unit_of(armed))

        transact(ports.store, arm)
        send(resp, 201, ArmedSettlementFaults(institute=name, plan=asked.plan))


def _institutes(ports: Ports, asked: str | None) -> tuple[str, ...]:
    known = ports.clearing.names
    if asked is None:
        return known
    if asked not in known:
        raise InvalidInputError(
            "institute", f"one of {', '.join(known)}", repr(beginning_of(asked, 64))
        )
    return (asked,)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise InvalidInputError(
            "date", "a date as 2030-01-03", repr(beginning_of(text, 32))
        ) from None


def _list(runs: list[SettlementRun]) -> SettlementList:
    return SettlementList(runs=tuple(map(_summary, runs)))


def _summary(run: SettlementRun) -> SettlementSummary:
    return SettlementSummary(
        id=run.id,
        institute=run.institute,
        day=run.day,
        state=run.state,
        files=run.files,
        lines=run.lines,
        delivered=tuple(each.name for each in run.delivered),
        problem=run.problem,
    )


def routes(access: ControlAccess) -> tuple[Route, ...]:
    """The rows of these paths."""
    runs = f"{ONE_SANDBOX}/settlements"
    return (
        Route(runs, SettlementsResource(access)),
        Route(f"{runs}/{{run}}", SettlementResource(access)),
        Route(f"{runs}/{{run}}/picture.svg", SettlementPictureResource(access)),
        Route(f"{runs}/{{run}}/keys/{{account}}", SettlementKeyResource(access)),
        Route(f"{ONE_SANDBOX}/settlement-faults", SettlementFaultsResource(access)),
    )
