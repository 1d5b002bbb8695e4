"""The card host: speaks card messages on lines, and decides as the sandbox's acquirer does.

A line signs on for one sandbox in its present epoch; each request is answered by itself, after its
delay. What cannot be read is refused and logged by field and position, never by value, and the line
stays up, unless it is the first that came. The host
keeps an entry for each request it decided, so that a request that comes twice is decided once; the
entry is durable before the response leaves. Choices: D-186, D-187, D-618, D-671.
"""

import logging
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from typing import NamedTuple

from msgspec.structs import replace

from acquirer_mocks.line_faults import (
    FAULTS,
    UNPROCESSED,
    comes_late,
    silent_reversals,
    slow_start_after,
)
from acquirer_mocks.responses import APPROVED, answered_response
from simulator.adapters.acquiring.codec import InvalidMessageError, decoded, encoded
from simulator.adapters.acquiring.connections import LinkConnection, beside, give_way
from simulator.adapters.turns import Turns
from simulator.domain.acquiring.answers import answer_of, answer_to
from simulator.domain.acquiring.fields import shown
from simulator.domain.acquiring.host_entries import CardEntry
from simulator.domain.acquiring.issuing import taken_back
from simulator.domain.acquiring.messages import (
    FORMS,
    NETWORK,
    NETWORK_ANSWER,
    REQUESTS,
    SIGN_ON,
    Message,
    MessageRoute,
    ask_in,
    epoch_in,
    is_of_a_lost_request,
    route_in,
    sandbox_in,
    type_in,
)
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.acquiring.requirements import refuse_lacking, refuse_misled, refuse_unfit
from simulator.domain.core.currencies import currency_of
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    EpochEndedError,
    Refusal,
)
from simulator.domain.core.flushes import FLUSHED, Flush
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Outcome
from simulator.domain.core.transact import transact
from simulator.domain.ports.sandbox import Ports

LOG = logging.getLogger("sandgate.card_host")
FORMAT_ERROR, NO_SUCH_MERCHANT, NOT_SIGNED_ON, OUT_OF_ORDER = "30", "03", "91", "96"
NOT_FOUND = "25"
TAKEN_BACK = Outcome(code="800.100.167", decided_by="card host: reversed before it came")
TAKEN_BACK_PLAN = AcquirerResponse(outcome=TAKEN_BACK)


class HostDecision(NamedTuple):
    """The entry of a payment, what makes it durable, what happens to its response on the line, and
    when that is sent.
    """

    entry: CardEntry
    flush: Flush = FLUSHED
    fault: str | None = None
    delay: timedelta = timedelta(0)


class CardHost:
    """All card hosts of this server: each sandbox has its own behind the same listener.

    `ports_of` gives the ports of a sandbox; raises EpochEndedError. What lives on between calls is
    until when a host that starts slowly refuses every sign-on, in which epoch.
    """

    def __init__(self, ports_of: Callable[[str], Ports]):
        self.ports_of = ports_of
        self._starting: dict[str, tuple[str, datetime]] = {}
        self._turns = Turns()

    def serve(self, line: LinkConnection) -> None:
        """Answer everything that comes on a line, until it is closed, or an answer cannot be sent:
        no one reads the others either. Others have their turn before each message, however
        many are here; of all lines without a sign-on one message is taken in each turn.
        """
        try:
            for raw in line.frames():
                give_way() if line.signed_on else self._turns.take()
                self._take(line, raw)
                if line.is_lost:
                    return
        finally:
            line.close()

    def _take(self, line: LinkConnection, raw: bytes) -> None:
        try:
            message = decoded(raw)
        except InvalidMessageError as error:
            line.log.warning("message refused: %s", error)
            self._refuse(line, error.read, FORMAT_ERROR)
            if not line.is_known:
                line.close()
            return
        line.is_known = True
        try:
            self._answer(line, message)
        except ValueError as error:
            line.log.warning("message refused: %s: %s", error, shown(message))
            self._refuse(line, message, FORMAT_ERROR)
        except EpochEndedError:
            self._refuse(line, message, NO_SUCH_MERCHANT)
        # What a plan lacks concerns one payment: what others await on the line still comes.
        except (DamagedLogError, DiskError, KeyError) as error:
            self._refuse_unstored(line, message, error)

    def _refuse_unstored(self, line: LinkConnection, message: Message, error: Exception) -> None:
        LOG.error("nothing was decided: %s", error, exc_info=isinstance(error, KeyError))
        self._refuse(line, message, OUT_OF_ORDER)

    def _refuse(self, line: LinkConnection, message: Message, response: str) -> None:
        """Say no to a request, as far as it could be read."""
        if message.get("t") in REQUESTS and "11" in message:
            line.send(encoded(answer_to(message, response)))

    def _answer(self, line: LinkConnection, message: Message) -> None:
        kind = message["t"]
        if kind not in REQUESTS:
            if kind != NETWORK_ANSWER:
                line.log.warning("message refused: field t: %s is no request", kind)
            return
        refuse_lacking(message)
        if kind == NETWORK:
            self._manage(line, message)
        elif (ports := self._ports_on(line, message)) is None:
            self._refuse(line, message, NOT_SIGNED_ON)
        elif is_of_a_lost_request(message):
            self._reverse(line, message, ports)
        else:
            self._pay(line, message, ports)

    def _ports_on(self, line: LinkConnection, message: Message) -> Ports | None:
        """The ports of the sandbox of a request; None where the line has not signed on for it, or
        its epoch has ended since. Choice: D-618.
        """
        if not line.signed_on or sandbox_in(message) != line.sandbox:
            return None
        ports = self.ports_of(line.sandbox)
        return ports if ports.sandbox.epoch_id == line.epoch else None

    def _manage(self, line: LinkConnection, message: Message) -> None:
        """Sign-on, sign-off, echo. A host that is starting lets a sign-on wait."""
        if message.get("70") != SIGN_ON:
            line.send(encoded(answer_to(message, APPROVED)))
            return
        identity = sandbox_in(message)
        ports = self.ports_of(identity)
        epoch = ports.sandbox.epoch_id
        if epoch_in(message) not in ("", epoch):
            raise EpochEndedError("the sandbox was reset, restored or deleted")
        line.sandbox, line.epoch = identity, epoch
        wait = self._start_left(ports)

        def sign_on() -> None:
            with ports.in_flight:
                ports.clock.wait(wait)
            line.signed_on = True
            line.send(encoded(answer_to(message, APPROVED)))

        if wait:
            beside(sign_on)
        else:
            sign_on()

    def _start_left(self, ports: Ports) -> timedelta:
        """How long the host of a sandbox is still starting."""
        epoch, until = self._starting.pop(ports.sandbox.id, ("", None))
        if until is None or epoch != ports.sandbox.epoch_id:
            return timedelta(0)
        return max(until - ports.clock.now(), timedelta(0))

    def _pay(self, line: LinkConnection, message: Message, ports: Ports) -> None:
        route = route_in(message)
        refuse_misled(route)
        ask = ask_in(message, route, currency_of(message.get("49", "")))
        refuse_unfit(message, ask)
        with ports.in_flight:
            decision = _decided(ports, ask)
        if decision.flush.is_over and decision.fault is None and not decision.delay:
            line.send(encoded(_response_to(message, decision.entry)))
        else:
            # A response that waits for the disk, takes its time, or goes astray, must not hold up
            # the others.
            beside(self._send_later, line, message, decision, ports)

    def _send_later(
        self, line: LinkConnection, message: Message, decision: HostDecision, ports: Ports
    ) -> None:
        with ports.in_flight:
            try:
                decision.flush.wait()
            except DiskError as error:
                self._refuse_unstored(line, message, error)
                return
            if decision.delay:
                ports.clock.wait(decision.delay)
            answer, fault = _response_to(message, decision.entry), decision.fault
            if fault is None:
                line.send(encoded(answer))
                return
            FAULTS[fault](line, answer, ports.clock)
            if slow_start_after(fault):
                until = ports.clock.now() + slow_start_after(fault)
                self._starting[ports.sandbox.id] = ports.sandbox.epoch_id, until

    def _reverse(self, line: LinkConnection, message: Message, ports: Ports) -> None:
        route = route_in(message)
        refuse_misled(route)
        with ports.in_flight:
            entry = _reversed(ports, message, route)
            if entry.silent:
                return
            line.send(encoded(answer_to(message, APPROVED)))
            if entry.is_late:
                request = {**message, "t": FORMS[entry.type].message}
                line.send(encoded(answer_of(request, entry.plan, entry.response)))


def _decided(ports: Ports, ask: AcquirerRequest) -> HostDecision:
    """What is decided of a payment.

    One that was decided before is answered again, at once, as it was then; one that was reversed
    is declined. Raises ValueError where the same id came with another request.
    """
    mark = _mark_of(ports, ask)

    def change() -> HostDecision:
        entry = ports.store.get(CardEntry, ask.payment)
        if entry is not None:
            if _is_of_another(entry, ask, mark):
                raise ValueError("field 60, part 03: another request named this payment")
            ports.store.wait_durable()
            return HostDecision(_answered_again(entry))
        plan = _planned(ports, ask)
        entry = replace(_entry_of(ports, ask, plan), mark=mark)
        flush = ports.store.commit_unflushed(unit_of(entry, *plan.scripts, *plan.books))
        return HostDecision(entry, flush, plan.link, plan.delay)

    return transact(ports.store, change)


def _mark_of(ports: Ports, ask: AcquirerRequest) -> str:
    """By what a request is known again that has the id, type and trace of another."""
    money = "" if ask.money is None else f"{ask.money.amount} {ask.money.currency}"
    asked = (ask.entity, ask.host, ask.number or "", ask.original or "", money)
    return ports.vault.fingerprint(",".join(asked))


def _is_of_another(entry: CardEntry, ask: AcquirerRequest, mark: str) -> bool:
    """Whether an entry was made for another request. One that a reversal made, or an earlier build,
    has no mark.
    """
    if (entry.type, entry.trace) != (ask.type, ask.trace):
        return True
    return entry.money not in (None, ask.money) or entry.mark not in ("", mark)


def _answered_again(entry: CardEntry) -> CardEntry:
    """An entry as the same request is answered that comes again. Choice: D-186."""
    if entry.reversed_at is None:
        return entry
    return replace(entry, response=NOT_FOUND, plan=TAKEN_BACK_PLAN)


def _response_to(message: Message, entry: CardEntry) -> Message:
    return answer_of(message, entry.plan, entry.response)


def _planned(ports: Ports, ask: AcquirerRequest) -> AcquirerResponse:
    try:
        plan = ports.acquirer.plan(ask)
    except Refusal as refusal:
        return AcquirerResponse(outcome=Outcome(code=refusal.code, decided_by="card host"))
    except KeyError:
        if _has_channel(ports, ask.entity):
            raise
        raise ValueError("field 60, part 02: expected a channel of the sandbox") from None
    if plan.link in UNPROCESSED:
        return replace(plan, outcome=UNPROCESSED[plan.link], then=None, books=())
    return plan


def _has_channel(ports: Ports, identity: str) -> bool:
    channels = (each for merchant in ports.sandbox.merchants for each in merchant.channels)
    return any(each.id == identity for each in channels)


def _entry_of(ports: Ports, ask: AcquirerRequest, plan: AcquirerResponse) -> CardEntry:
    return CardEntry(
        id=ask.payment,
        type=ask.type,
        at=ports.clock.now(),
        money=ask.money,
        original=ask.original,
        trace=ask.trace,
        response=answered_response(plan.outcome),
        plan=replace(plan, scripts=(), books=(), near_misses=(), delay=timedelta(0)),
        silent=silent_reversals(plan.link),
        is_late=comes_late(plan.link),
    )


def _reversed(ports: Ports, message: Mapping[str, str], route: MessageRoute) -> CardEntry:
    """Take back a payment, whether it ever came or not; the entry as it was before."""

    def change() -> CardEntry:
        now = ports.clock.now()
        entry = ports.store.get(CardEntry, route.payment)
        if entry is None:
            # It may still come: then it finds that it was taken back.
            entry = CardEntry(
                id=route.payment,
                type=type_in(route),
                at=now,
                trace=int(message["11"]),
                response=NOT_FOUND,
                plan=TAKEN_BACK_PLAN,
            )
        changed = replace(
            entry,
            reversed_at=entry.reversed_at or now,
            silent=max(0, entry.silent - 1),
            is_late=entry.is_late and entry.silent > 0,
        )
        moved, gone = taken_back(entry.id, ports.store)
        if changed != entry or entry.version == 0:
            ports.store.commit(unit_of(changed, *moved, removes=gone))
        return entry

    return transact(ports.store, change)
