"""Set and move the clock of a sandbox."""

from collections.abc import Callable
from datetime import datetime, timedelta

from msgspec.structs import replace

from simulator.domain.core.clock import ClockSetting, Mode, moved_to, refuse_past, set_mode
from simulator.domain.core.errors import ContentionError, DiskError, UnknownOutcomeError
from simulator.domain.core.long_work import LongWorkStore
from simulator.domain.core.ports import unit_of
from simulator.domain.core.transact import transact
from simulator.domain.holding import StoodClock
from simulator.domain.ports.sandbox import Ports
from simulator.service.sandboxes.due_work import DuePorts, next_due, run_due

# Wire time that an advance allows for the first attempts of what it starts.
ATTEMPT_S = 1.0
# After so many instants an advance waits for the disk: what is not durable yet stays bounded.
BATCH_INSTANTS = 100


def set_clock(
    ports: DuePorts, mode: Mode, *, at: datetime | None, rate: float | None
) -> ClockSetting:
    """The clock in another mode. Raises InvalidInputError."""

    def change() -> None:
        # It may show more than its setting says, where the clock of the machine was set back.
        real_now, shown = ports.clock.real(), ports.clock.now()
        begins = shown if at is None and mode != "real" else at
        setting = set_mode(ports.clock.setting, mode, at=begins, rate=rate, real_now=real_now)
        # From here on it stands or runs as it was set, also where a message is held.
        stood = ports.store.get(StoodClock, "stood")
        _put(ports, setting, removes=() if stood is None else (stood,))

    with ports.clock.turn:
        # A message that is held stops the clock at any moment.
        transact(ports.store, change)
    return ports.clock.setting


def freeze_clock(ports: DuePorts) -> ClockSetting:
    """Let the clock stand where it is: an advance that is under way stops. Choice: D-299."""
    with ports.clock.halting():
        return set_clock(ports, "frozen", at=None, rate=None)


def advance_clock(
    ports: Ports, *, by: timedelta | None, has_left: Callable[[], bool] = lambda: False
) -> ClockSetting:
    """Move the clock by a span, or to the next due work, and run due work on the way, in order.

    Returns after what it caused was attempted. One advance at a time a sandbox. It stops on the way
    once `has_left` says that its client is gone. Choice: D-299.
    """
    with ports.clock.turn:
        target = next_instant(ports)
        if by is not None:
            target = ports.clock.now() + by
        if target is not None:
            refuse_past(target, ports.clock.now(), where="by")
            _go_to(ports, target, has_left)
    return ports.clock.setting


def move_clock(
    ports: Ports, *, to: datetime, has_left: Callable[[], bool] = lambda: False
) -> ClockSetting:
    """Move the clock to an instant, as `advance_clock` does. Raises InvalidInputError for one that
    has passed.
    """
    with ports.clock.turn:
        refuse_past(to, ports.clock.now(), where="to")
        _go_to(ports, to, has_left)
    return ports.clock.setting


def next_instant(ports: DuePorts) -> datetime | None:
    """The next instant at which work is due, or a response is that a request waits for."""
    instants = (next_due(ports), ports.clock.next_waited_for())
    return min((each for each in instants if each is not None), default=None)


def next_shown(ports: DuePorts, now: datetime) -> datetime | None:
    """The next instant as it is shown: what a clock that was set made due is due now."""
    following = next_instant(ports)
    return None if following is None else max(following, now)


def _go_to(ports: Ports, target: datetime, has_left: Callable[[], bool]) -> None:
    # What is in flight belongs to the time before: its retry is due on the way.
    ports.in_flight.quiesce(ATTEMPT_S)
    batched = replace(ports, store=LongWorkStore(ports.store, is_batched=True))
    try:
        with ports.clock.moving():
            _run_until(batched, target, has_left)
            batched.store.wait_durable()
    except UnknownOutcomeError:
        # Sent again it would go further. What the clock shows is read once the outcome is known.
        raise
    except (ContentionError, DiskError) as error:
        # What the disk refused was taken back, and with it where the clock stood.
        ports.clock.take_back(ports.store.get(ClockSetting, "clock") or ports.sandbox.clock)
        raise DiskError("the clock", "the advance stopped on the way") from error


def _run_until(ports: DuePorts, target: datetime, has_left: Callable[[], bool]) -> None:
    instants = 0
    while (due := next_instant(ports)) is not None and due <= target:
        if has_left() or ports.clock.is_halting:
            return
        _move(ports, due)
        run_due(ports)
        ports.in_flight.quiesce(ATTEMPT_S)
        instants += 1
        if not instants % BATCH_INSTANTS:
            ports.store.wait_durable()
    _move(ports, target)


def _move(ports: DuePorts, to: datetime) -> None:
    def change() -> None:
        real_now = ports.clock.real()
        if to > ports.clock.now():
            _put(ports, moved_to(ports.clock.setting, to, real_now=real_now))

    transact(ports.store, change)


def _put(ports: DuePorts, setting: ClockSetting, removes: tuple[StoodClock, ...] = ()) -> None:
    unit = unit_of(setting, removes=removes)
    ports.store.commit(unit)
    ports.clock.put(unit.puts[0])
    ports.scheduler.wake()
