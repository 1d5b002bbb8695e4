"""The till on the counter: it gives one order at a time, and does not wait for its end."""

import re
from collections.abc import Callable
from contextlib import suppress
from decimal import Decimal
from threading import Event, Lock, Thread

from pos_emulator.terminal.records import (
    BusyError,
    Ending,
    OrderError,
    OutOfOrderError,
    TerminalEntry,
    TillOrder,
)
from pos_emulator.terminal.terminal import Terminal

# What is left over is tried again each minute. Source: design of the terminal, failures.
WORK_EVERY_S = 60.0
AMOUNT_MAX = Decimal("9999999.99")
# No exponent, sign or underscore, and no digits of other scripts: they are slips.
WRITTEN = re.compile(r"[0-9]{1,12}(\.[0-9]{1,12})?|\.[0-9]{1,12}|[0-9]{1,12}\.")


class CounterTill:
    """Runs orders in a thread; `message` is what became of the last one, "" while one goes on."""

    def __init__(self, terminal: Terminal, changed: Callable[[], None] = lambda: None) -> None:
        self._terminal = terminal
        self._tell = changed
        self._lock = Lock()
        self._under_way: Thread | None = None
        self._closed = Event()
        self.message = ""
        Thread(target=self._work, daemon=True).start()

    @property
    def is_busy(self) -> bool:
        """Whether an order of this till is under way."""
        return self._under_way is not None

    def forget_message(self) -> None:
        """Say no more what became of the last order, as something else is asked."""
        self.message = ""
        self._tell()

    def start(self, order: TillOrder) -> None:
        """Give an order to the terminal. Raises BusyError."""
        with self._lock:
            if self._under_way is not None:
                raise BusyError("another payment is under way; end it first")
            self._under_way = Thread(target=self._run, args=(order,), daemon=True)
            self.message = ""
        self._under_way.start()
        self._tell()

    def work(self) -> int:
        """Try what is still to be reversed or uploaded; how many remain."""
        remain = self._terminal.work()
        self._tell()
        return remain

    def work_at_once(self) -> int:
        """Try it also where it was tried just now; how many pieces remain, which the till says.
        Raises BusyError, OutOfOrderError.
        """
        remain = self._terminal.work_at_once()
        reason = "" if self._terminal.network_up else ": the network is unplugged"
        left = f"{remain} still open{reason}" if remain else "nothing is open any more"
        self.message = f"Tried again: {left}."
        self._tell()
        return remain

    def close(self) -> None:
        """End what is under way, and wait for it."""
        self._closed.set()
        self._terminal.abort("")
        under_way = self._under_way
        if under_way is not None:
            under_way.join(timeout=5)

    def _run(self, order: TillOrder) -> None:
        try:
            self.message = words_of(self._terminal.run(order))
        except (BusyError, OutOfOrderError, OrderError) as error:
            self.message = f"Not carried out: {error}"
        finally:
            with self._lock:
                self._under_way = None
            self._tell()

    def _work(self) -> None:
        while not self._closed.wait(WORK_EVERY_S):
            with suppress(BusyError, OutOfOrderError):
                self.work()


def words_of(entry: TerminalEntry) -> str:
    """How a payment ended, in one line for the till."""
    ending = entry.ending.value if entry.ending else entry.stage.value
    tries = "" if entry.tries_left is None else f", {entry.tries_left} tries left"
    is_plain = entry.ending in (None, Ending.APPROVED) or not entry.reason
    reason = "" if is_plain or entry.reason == ending else f": {entry.reason}"
    return f"{entry.order.operation.value.capitalize()} {entry.receipt}: {ending}{tries}{reason}"


def sale_of(text: str) -> TillOrder:
    """The sale of an amount as it was typed; behind a plus stands what is paid out in cash, and
    behind a t the tip. Raises OrderError.
    """
    rest, mark, tip = text.lower().partition("t")
    amount, plus, cash = rest.partition("+")
    return TillOrder(
        amount=amount_in(amount),
        cashback=amount_in(cash) if plus else Decimal(0),
        tip=amount_in(tip) if mark else Decimal(0),
    )


def amount_in(text: str) -> Decimal:
    """An amount as it was typed; a comma is taken for a point. Raises OrderError."""
    written = text.strip().replace(",", ".")
    if not WRITTEN.fullmatch(written):
        raise OrderError("amount: expected digits and a point, such as 12.50")
    amount = Decimal(written)
    if not 0 < amount <= AMOUNT_MAX:
        raise OrderError(f"amount: expected more than 0 and at most {AMOUNT_MAX}")
    return amount
