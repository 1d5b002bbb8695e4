"""Faults of the connection to a card host, where a script asks for one.

The request was decided and booked all the same, save where the host signs off first. Choice: D-187.
"""

from collections.abc import Callable, Mapping
from datetime import timedelta

from simulator.adapters.acquiring.codec import encoded
from simulator.adapters.acquiring.connections import LinkConnection
from simulator.domain.acquiring.messages import SIGN_OFF, Message, network_message
from simulator.domain.core.ports import Clock
from simulator.domain.core.records import Outcome

SLOW_START = timedelta(seconds=20)
SILENT_REVERSALS = 2
TRACES = 1_000_000
# The first byte of the first field, after TPDU, type and primary bitmap.
GARBLED_AT = 5 + 4 + 8

# What becomes of a request that the host does not take.
UNPROCESSED: Mapping[str | None, Outcome] = {
    "sign_off": Outcome(
        code="900.100.600",
        details={"AcquirerResponse": "91"},
        decided_by="card host: signed off",
    ),
}

Fault = Callable[[LinkConnection, Message, Clock], object]


def silent_reversals(fault: str | None) -> int:
    """How many reversals of a payment are not answered either."""
    return SILENT_REVERSALS if fault == "silent" else 0


def comes_late(fault: str | None) -> bool:
    """Whether the answer comes after that of the reversal."""
    return fault == "late"


def slow_start_after(fault: str) -> timedelta:
    """How long every sign-on is refused afterwards."""
    return SLOW_START if fault == "slow_start" else timedelta(0)


def _nothing(line: LinkConnection, answer: Message, clock: Clock) -> None:
    """No answer; a late one follows the reversal."""


def _duplicate(line: LinkConnection, answer: Message, clock: Clock) -> None:
    line.send(encoded(answer))
    line.send(encoded(answer))


def _wrong_stan(line: LinkConnection, answer: Message, clock: Clock) -> None:
    other = (int(answer["11"]) + 1) % TRACES
    line.send(encoded({**answer, "11": f"{other:06d}"}))


def _garble(line: LinkConnection, answer: Message, clock: Clock) -> None:
    raw = bytearray(encoded(answer))
    raw[GARBLED_AT] = 0xFF
    line.send(bytes(raw))


def _drop(line: LinkConnection, answer: Message, clock: Clock) -> None:
    line.break_off(encoded(answer))


def _sign_off(line: LinkConnection, answer: Message, clock: Clock) -> None:
    line.signed_on = False
    message = network_message(
        SIGN_OFF, sandbox=line.sandbox, trace=int(answer["11"]), at=clock.now()
    )
    line.send(encoded(message))
    line.send(encoded(answer))


def _slow_start(line: LinkConnection, answer: Message, clock: Clock) -> None:
    line.send(encoded(answer))
    line.close()


FAULTS: Mapping[str, Fault] = {
    "timeout": _nothing,
    "silent": _nothing,
    "late": _nothing,
    "duplicate": _duplicate,
    "wrong_stan": _wrong_stan,
    "garble": _garble,
    "drop": _drop,
    "sign_off": _sign_off,
    "slow_start": _slow_start,
}
