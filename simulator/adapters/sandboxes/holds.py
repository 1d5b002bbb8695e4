"""The messages of one sandbox that are held at breakpoints; its clock stands meanwhile."""

from collections.abc import Callable, Sequence

import gevent
from gevent.event import AsyncResult
from gevent.lock import BoundedSemaphore
from msgspec.structs import replace

from simulator.adapters.sandboxes.clock import MovableClock
from simulator.adapters.turns import work_beside
from simulator.domain.core.clock import ClockSetting
from simulator.domain.core.errors import ContentionError, DiskError, EpochEndedError
from simulator.domain.core.ports import Store, Unit, unit_of
from simulator.domain.core.transact import transact
from simulator.domain.holding import GO_ON, HELD_MAX, HELD_S, HeldMessage, Let, StoodClock

START_AGAIN_S = 1.0


class HeldMessages:
    """Implements ports.Holds. `wake` is called when the clock was stopped or runs again."""

    __slots__ = ("is_starting", "stops", "turn", "_clock", "_held", "_held_s", "_store", "_wake")

    def __init__(
        self,
        store: Store,
        clock: MovableClock,
        wake: Callable[[], object],
        *,
        held_s: float = HELD_S,
    ):
        self.stops: frozenset[str] = frozenset()
        self.turn = BoundedSemaphore(1)
        # Whether the clock could not be started, and is started again and again.
        self.is_starting = False
        self._store = store
        self._clock = clock
        self._wake = wake
        self._held_s = held_s
        self._held: dict[str, tuple[HeldMessage, AsyncResult[Let]]] = {}

    @property
    def count(self) -> int:
        """How many are held."""
        return len(self._held)

    def hold(self, message: HeldMessage) -> Let:
        """How it goes on, once that is decided."""
        if len(self._held) >= HELD_MAX:
            return GO_ON
        decided: AsyncResult[Let] = AsyncResult()
        self._held[message.id] = message, decided
        try:
            self._stop_clock()
            let: Let = decided.get(timeout=self._held_s)
        except gevent.Timeout:
            let = GO_ON
        finally:
            del self._held[message.id]
        if not self.is_starting and not self._has_started():
            self.is_starting = True
            work_beside(self._start_at_last)
        return let

    def held(self) -> Sequence[HeldMessage]:
        """What is held now and was not let go, oldest first."""
        return [message for message, decided in self._held.values() if not decided.ready()]

    def let_go(self, identity: str, let: Let) -> bool:
        """Let a message go on so; False where it is not held any more."""
        _, decided = self._held.get(identity, (None, None))
        if decided is None or decided.ready():
            return False
        decided.set(let)
        return True

    def stop(self) -> None:
        """The epoch has ended: what is held belongs to no sandbox any more."""
        for _, decided in self._held.values():
            decided.set_exception(EpochEndedError("the sandbox was reset, restored or deleted"))

    def start_clock(self) -> None:
        """Let the clock run as it did before, once nothing is held."""
        if not self._held:
            transact(self._store, self._start)
            if self._held:
                # A message was held while the clock was started.
                self._stop_clock()

    def _start_at_last(self) -> None:
        """Start the clock once the store takes it, unless the epoch ends before."""
        try:
            gevent.sleep(START_AGAIN_S)
            while not self._has_started():
                gevent.sleep(START_AGAIN_S)
        except EpochEndedError:
            return
        finally:
            self.is_starting = False

    def _has_started(self) -> bool:
        """Whether the clock runs, or will once what is held is let go; not where the store does not
        take it, or what was held went on while the clock was stopped for it.
        """
        try:
            self.start_clock()
        except (ContentionError, DiskError):
            return False
        return bool(self._held) or self._store.get(StoodClock, "stood") is None

    def _stop_clock(self) -> None:
        transact(self._store, self._stand)

    def _stand(self) -> None:
        setting = self._stored_setting()
        if not setting.rate or self._store.get(StoodClock, "stood") is not None:
            return
        real, shown = self._clock.real(), self._clock.now()
        stands = replace(setting, mode="frozen", rate=0.0, world=shown, real=real)
        self._put(unit_of(stands, StoodClock(before=setting)))

    def _start(self) -> None:
        setting = self._stored_setting()
        stood = self._store.get(StoodClock, "stood")
        if stood is None or self._held:
            return
        if setting.rate:
            # An operator set it meanwhile, in a gateway before this one.
            self._store.commit(Unit(removes=(stood,)))
            return
        before = stood.before
        runs = replace(
            setting,
            mode="offset" if before.mode == "real" else before.mode,
            rate=before.rate,
            world=self._clock.now(),
            real=self._clock.real(),
        )
        self._put(unit_of(runs, removes=(stood,)))

    def _stored_setting(self) -> ClockSetting:
        """That of the clock, also where it was stored with unknown outcome. Choice: D-687."""
        self._clock.read_again()
        return self._clock.setting

    def _put(self, unit: Unit) -> None:
        self._store.commit(unit)
        setting = unit.puts[0]
        assert isinstance(setting, ClockSetting), "the clock stands first"
        self._clock.put(setting)
        self._wake()
