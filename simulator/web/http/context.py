"""What is known of an exchange while it lasts: enough to answer it, however it fails."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from datetime import datetime
from typing import Any, NamedTuple, TypeVar

from falcon import Request

from simulator.domain.core.background import LONG_REQUEST, MANY_PARAMETERS, Aside, at_once
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DamagedLogError, DiskError, EpochEndedError
from simulator.domain.core.ports import Clock, Ids
from simulator.domain.payments.initial import TransactionIds
from simulator.domain.ports.journal import Journal
from simulator.domain.ports.sandbox import Ports
from simulator.domain.ports.server import ServerPorts
from simulator.grammar.choices import Choices
from simulator.service.payments.contexts import NDC_SIGNS

Result = TypeVar("Result")


class ClientLeftError(Exception):
    """The client has closed the connection: no one waits for what it asked for."""

    def __init__(self) -> None:
        super().__init__("the client has closed the connection")


class Admission(NamedTuple):
    """The sandbox that admitted a request, and what finds the one that admits it now: that raises
    what refuses it.
    """

    sandbox: Sandbox
    again: Callable[[], Sandbox]


class Exchange:
    """One request and its answer. It starts with the server's clock and ids; the token binds it
    to a sandbox, and `clock` is then that of the sandbox. `asked` is what was asked for in all,
    where some of it was not sent now; `checkout` is the one it is about, `is_form` whether a form
    of it posted, `is_slow` whether its parameters take long to mask, `size` how many characters
    were sent as parameters, `transport` what a script does to its connection. `read` is the
    registration that was shown, where the path names another record; `listed` are those of a list.
    `left_out` are the parameters that were sent and ignored.
    """

    __slots__ = (
        "_aside", "_ids", "_log", "_owner", "_random", "_server_clock", "_sign", "admission",
        "answered_at", "asked", "began", "checkout", "choices", "clock", "code", "entity", "error",
        "is_form", "is_slow", "journal", "left_out", "listed", "read", "sent", "size", "ticket",
        "transport",
    )  # fmt: skip

    def __init__(
        self,
        clock: Clock,
        ids: Ids,
        choices: Choices,
        log: Callable[[str, str, Exception], None],
        *,
        aside: Aside = at_once,
    ):
        self._aside = aside
        self.clock = self._server_clock = clock
        self._ids = ids
        self._log = log
        self._owner = ""
        self._random: str | None = None
        self._sign: str | None = None
        self.admission: Admission | None = None
        self.answered_at: datetime | None = None
        self.asked: Mapping[str, str] = {}
        self.began = clock.now()
        self.checkout: str | None = None
        self.choices = choices
        self.code: str | None = None
        self.entity: str | None = None
        self.error: Exception | None = None
        self.is_form = self.is_slow = False
        self.journal: Journal | None = None
        self.left_out: Mapping[str, str] = {}
        self.listed: list[str] = []
        self.read = ""
        self.sent: Mapping[str, str] = {}
        self.size = 0
        self.ticket: TransactionIds | None = None
        self.transport = ""

    def leave_out(self, known: Mapping[str, str]) -> Mapping[str, str]:
        """Those of the parameters that are known; the others are ignored."""
        if len(known) < len(self.sent):
            self.left_out = {name: self.sent[name] for name in self.sent if name not in known}
        self.sent = known
        return known

    def bind(self, ports: Ports, merchant: str) -> None:
        """From here on the exchange happens in this sandbox: its clock, ids, choices, journal. Long
        work is done in turns of the merchant.
        """
        self._owner = merchant
        self.clock = ports.clock
        self._ids = ports.ids
        self.choices, self._sign = ports.choices, None
        self.journal = ports.journal

    def present(self) -> datetime:
        """The present of the sandbox; that of the server where the clock of the sandbox cannot be
        read: what cannot be served is answered all the same.
        """
        try:
            return self.clock.now()
        except (DamagedLogError, DiskError, EpochEndedError):
            return self._server_clock.now()

    @property
    def ndc(self) -> str:
        """The id of this exchange: entity, sign, 32 hex; the hex alone while no entity is known
        (Choice: D-12). About a checkout it may be the checkout's id (Choice: D-133).
        """
        if self._random is None:
            self._random = self._ids.hex(32)
        if self.entity is None:
            return self._random
        if self.checkout is not None and self.choices["checkout_ndc"] == "checkout":
            return self.checkout
        if self._sign is None:
            self._sign = NDC_SIGNS[self.choices["ndc"]]
        return f"{self.entity}{self._sign}{self._random}"

    def issue_ticket(self) -> TransactionIds:
        """Ids, trace number and time for what this request makes; the same ticket when asked
        again.
        """
        if self.ticket is None:
            self.ticket = TransactionIds(
                id=self._ids.record(),
                short_id=self._ids.short(),
                trace=self._ids.trace(),
                now=self.clock.now(),
                ndc=self.ndc,
            )
        return self.ticket

    def work(self, count: int, work: Callable[..., Result], *arguments: Any) -> Result:
        """What `work` answers, or raises; done aside where it is about a `count` of parameters that
        takes long, or the request is long or slow. It changes nothing.
        """
        if count > MANY_PARAMETERS or self.size > LONG_REQUEST or self.is_slow:
            return self._aside.of(self._owner)(work, *arguments)
        return work(*arguments)

    def give_way(self, count: int) -> None:
        """Let others have a turn, where work on a `count` of parameters takes long."""
        self.work(count, int)

    def log_fault(self, req: Request, error: Exception) -> None:
        """Log a fault with its traceback: method and route, nothing that was sent. Paths hold what
        opens an inbox or a page.
        """
        self._log(f"{req.method} {req.uri_template or 'no route'}", self.ndc, error)


def exchange_of(req: Request) -> Exchange:
    """The exchange that `req` belongs to."""
    exchange: Exchange = req.context.exchange
    return exchange


@contextmanager
def long_turn(req: Request, server: ServerPorts, owner: str) -> Iterator[None]:
    """Wait for a turn of the owner to make a long answer. Raises ClientLeftError where no one waits
    for it.
    """
    with server.turn(owner):
        if req.env.get("sandgate.has_left", bool)():
            raise ClientLeftError
        yield
