"""What the services of the interface share: the terminal, its tills, and who is logged in."""

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from pos_emulator.ecr.nexo.ahead import CardAhead
from pos_emulator.ecr.nexo.dialects import response_of
from pos_emulator.ecr.nexo.exchanges import PAYING, Exchanges, reference_of
from pos_emulator.ecr.nexo.messages import Body, Header
from pos_emulator.ecr.nexo.outcomes import SUCCESS, Condition, NexoError, NexoOutcome
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.ecr.ports import CustomerDesk, TillTerminal

SESSIONS_MAX = 16
WAITING = (*PAYING, "CardAcquisition", "Input")


@dataclass
class Station:
    """A terminal at its till. `desk` is who stands there, for the texts of a till; `sessions` are
    the tills that logged in, and when.
    """

    terminal: TillTerminal
    settings: NexoSettings
    exchanges: Exchanges
    now: Callable[[], datetime]
    desk: CustomerDesk | None = None
    sessions: dict[str, datetime] = field(default_factory=dict)
    _under_way: dict[str, str] = field(default_factory=dict)
    _changed: threading.Condition = field(default_factory=threading.Condition)

    def __post_init__(self) -> None:
        self.ahead = CardAhead(self.terminal)

    def response(self, outcome: NexoOutcome = SUCCESS) -> Body:
        """The member Response, in the dialect of the till."""
        return response_of(outcome, self.settings.additional)

    def login(self, sale: str) -> None:
        """Begin the session of a till; beyond sixteen, the oldest ends."""
        self.sessions.pop(sale, None)
        while len(self.sessions) >= SESSIONS_MAX:
            self.sessions.pop(next(iter(self.sessions)))
        self.sessions[sale] = self.now()

    def begin(self, header: Header, request: Body) -> bool:
        """Note a request; False where its ServiceID was used before.

        A payment is under way from then on: no other thread may find it noted and not yet under
        way. Raises NexoError where another one is.
        """
        with self._changed:
            is_waiting = header.category in WAITING
            if is_waiting and self._under_way:
                text = "expected an idle terminal, but another request is under way"
                raise NexoError(Condition.BUSY, text)
            is_new = self.exchanges.begin(header, request)
            if is_new and is_waiting:
                self._under_way[reference_of(header.sale_id, header.service_id)] = header.category
        return is_new

    def abort(self, reference: str) -> bool:
        """End the wait of a request of a till; whether it waited."""
        if self._under_way.get(reference) == "Input":
            self.desk_of_customer().abort()
            return True
        return self.terminal.abort(reference)

    def desk_of_customer(self) -> CustomerDesk:
        """Who sees the texts of a till. Raises NexoError."""
        if self.desk is None:
            text = "expected a terminal that shows texts of a till, but this one does not"
            raise NexoError(Condition.UNAVAILABLE_DEVICE, text)
        return self.desk

    def end(self, reference: str) -> None:
        """A payment is no longer under way, and its answer is kept."""
        with self._changed:
            self._under_way.pop(reference, None)
            self._changed.notify_all()

    def is_under_way(self, reference: str) -> bool:
        """Whether an exchange is under way."""
        with self._changed:
            return reference in self._under_way

    def is_busy(self) -> bool:
        """Whether a payment is under way."""
        with self._changed:
            return bool(self._under_way)

    def wait_for_end(self, reference: str, seconds: float) -> bool:
        """Whether an exchange is over, after at most so many seconds."""
        with self._changed:
            return self._changed.wait_for(lambda: reference not in self._under_way, seconds)
