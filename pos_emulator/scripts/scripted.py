"""A terminal in a sandbox whose people act as a test says, call by call."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from pathlib import Path
from typing import Any

from pos_emulator.card.memory import memory_in
from pos_emulator.kernel.models import MAKER, MODELS, short_name
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.scripts.acts import Act, ActError, ScriptedDesk, check_known
from pos_emulator.scripts.player import StepOutcome, TerminalPlayer
from pos_emulator.scripts.stories import TerminalStory
from pos_emulator.terminal.gateway import Gateway
from pos_emulator.terminal.records import OrderKind, TerminalEntry, TillOrder
from pos_emulator.terminal.setup import load_terminal
from pos_emulator.terminal.terminal import NO_RATES, Terminal
from simulator.client import SandboxClient

# The card host answers, with an issuer that checks cryptograms and PINs.
TEST_MODE = "EXTERNAL"


class ScriptedTerminal:
    """One terminal of a sandbox; its keys, journal and cards are in a folder of its own.

    `terminal` is the terminal itself, `desk` has what was shown and printed. Options of an order:
    `insert`, `tap`, `swipe` and `type` name a card, `pin` is what the holder types, `fault` what
    goes wrong with the card, `acts` is a list of acts in place of these. `rates` are those at which
    a card of another currency is offered to pay in its own.
    """

    def __init__(
        self,
        sandbox: SandboxClient,
        folder: Path,
        *,
        model: str = "COUNTERTOP",
        method: str = "AES",
        merchant: str = "Tea house",
        timeout_s: float = 30,
        rates: ConversionRates = NO_RATES,
    ) -> None:
        model = short_name(model)
        check_known("model", model, MODELS)
        self._own_rates = self._rates = rates
        self._sandbox, self._folder, self._timeout_s = sandbox, folder, timeout_s
        made = sandbox.control.create_terminal(
            sandbox.id, model=MAKER + model, channel=sandbox.entity_id, method=method
        )
        folder.mkdir(parents=True, exist_ok=True)
        identity = load_terminal(folder, made, merchant=merchant)
        cards = memory_in(folder, identity.id, lambda: sandbox.control.terminals(sandbox.id))
        self.desk = ScriptedDesk(cards)
        self.terminal = self._opened()

    def sale(self, amount: str, currency: str = "EUR", **acts: Any) -> TerminalEntry:
        """The journal entry of a sale. Raises ActError where the people did something else than
        the terminal asked for.
        """
        return self._order(OrderKind.SALE, acts, amount=Decimal(amount), currency=currency)

    def pre_authorize(self, amount: str, currency: str = "EUR", **acts: Any) -> TerminalEntry:
        """The journal entry of a pre-authorization."""
        kind = OrderKind.PRE_AUTHORIZATION
        return self._order(kind, acts, amount=Decimal(amount), currency=currency)

    def capture(self, entry: TerminalEntry, amount: str | None = None) -> TerminalEntry:
        """The journal entry of a capture, of the whole or of a part."""
        return self._refer(OrderKind.CAPTURE, entry, amount)

    def void(self, entry: TerminalEntry) -> TerminalEntry:
        """The journal entry of a void."""
        return self._refer(OrderKind.VOID, entry, None)

    def refund(
        self,
        amount: str | None,
        of: TerminalEntry | None = None,
        currency: str = "EUR",
        **acts: Any,
    ) -> TerminalEntry:
        """The journal entry of a refund: of an earlier payment, or to the card of `acts`."""
        if of is not None:
            return self._refer(OrderKind.REFUND, of, amount)
        money = Decimal(amount) if amount is not None else None
        return self._order(OrderKind.REFUND, acts, amount=money, currency=currency)

    def plan(self, **acts: Any) -> None:
        """What the people do at the next order of a till that is connected to `terminal`."""
        self.desk.plan(_acts_of(**acts))

    def restart(self) -> Terminal:
        """Cut the power, and switch the terminal on again."""
        self.terminal.close()
        self.terminal = self._opened()
        return self.terminal

    def play(self, story: TerminalStory) -> Iterator[StepOutcome]:
        """The outcome of each step of a story, as it ends. It has its own rates of conversions,
        or those of the terminal; one with others switches the terminal on anew with them.
        """
        rates = self._own_rates if story.conversion is None else story.conversion
        if rates != self._rates:
            self._rates = rates
            self.restart()
        return TerminalPlayer(self.terminal, self.desk, self._sandbox, self.restart).play(story)

    def close(self) -> None:
        """Switch the terminal off."""
        self.terminal.close()

    def _refer(self, kind: OrderKind, entry: TerminalEntry, amount: str | None) -> TerminalEntry:
        money = Decimal(amount) if amount is not None else None
        return self._order(kind, {}, amount=money, receipt=entry.name)

    def _order(self, kind: OrderKind, acts: dict[str, Any], **order: Any) -> TerminalEntry:
        self.plan(**acts)
        entry = self.terminal.run(TillOrder(operation=kind, **order))
        if self.desk.left:
            raise ActError(f"the terminal did not ask for {self.desk.left[0].name}")
        return entry

    def _opened(self) -> Terminal:
        sandbox = self._sandbox
        gateway = Gateway(
            sandbox.url,
            sandbox.token,
            sandbox.entity_id,
            timeout_s=self._timeout_s,
            ca_file=sandbox.ca_file,
            test_mode=TEST_MODE,
        )
        return Terminal(self._folder, gateway, self.desk, rates=self._rates)


@contextmanager
def scripted_terminal(
    sandbox: SandboxClient, folder: Path, **options: Any
) -> Iterator[ScriptedTerminal]:
    """A scripted terminal until the end of the block; options are those of the class."""
    made = ScriptedTerminal(sandbox, folder, **options)
    try:
        yield made
    finally:
        made.close()


def _acts_of(
    *,
    pin: str | Iterable[str] = (),
    acts: Iterable[Act] = (),
    fault: str = "none",
    **card: Any,
) -> tuple[Act, ...]:
    pins = (pin,) if isinstance(pin, str) else pin
    cards = (Act(**{name: value}, fault=fault) for name, value in card.items())
    return (*cards, *(Act(pin=each) for each in pins), *acts)
