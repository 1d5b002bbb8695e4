"""A terminal in a text window: display, cards, PIN, receipts, and what happened.

The terminal works in threads of its own; this window looks at what they have changed a few times
a second, and acts for the person at the keyboard.
"""

import signal
from asyncio import get_running_loop
from collections.abc import Callable

from textual import events
from textual.app import App, ComposeResult
from textual.binding import Binding
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Input, OptionList, Static
from textual.widgets.option_list import Option

from pos_emulator.counter.desk import CHOICES, CounterDesk, DeskQuestion, NotAskedError
from pos_emulator.counter.feed import Feed
from pos_emulator.counter.till import CounterTill, sale_of
from pos_emulator.counter.tray import FAULTS, TrayError, tray_cards
from pos_emulator.receipts.text import render_text
from pos_emulator.terminal.records import (
    BusyError,
    OrderError,
    OrderKind,
    OutOfOrderError,
    TillOrder,
)
from pos_emulator.terminal.terminal import Terminal
from pos_emulator.tui.words import display_of, happened_in

LOOK_EVERY_S = 0.1
PIN_DIGITS_MAX = 12
DIGITS = "0123456789"
# What the terminal asks for, to be answered by its own keys: digits, green, red and yellow.
BY_KEYS = CHOICES | {"pin", "signature"}
STYLE = """
#cards { width: 30; height: 14; border: round $primary; }
#about { width: 30; padding: 0 1; color: $text-muted; }
#screen { height: 8; padding: 0 1; border: round $success; }
#left { width: 30; }
#paper, #happened { padding: 0 1; }
.hidden { display: none; }
"""
REFUSED = (NotAskedError, TrayError, BusyError, OrderError, OutOfOrderError)


class TerminalWindow(App[None]):
    """The window of one terminal. Digits of a PIN stand here until Enter, shown as stars."""

    CSS = STYLE
    TITLE = "Terminal"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS = [
        # First: the foot of a narrow window ends before the last.
        ("q", "quit", "Quit"), Binding("ctrl+c", "quit", show=False, priority=True),
        ("s", "ask_amount", "Sale"), ("i", "hold('chip')", "Insert"), ("t", "hold('tap')", "Tap"),
        ("w", "hold('magstripe')", "Swipe"), ("p", "pull", "Pull"), ("f", "next_fault", "Fault"),
        ("u", "plug", "Network"), ("v", "void", "Void"), ("a", "abort", "Abort"),
        ("r", "turn", "Receipt"),
        # With priority: they are the terminal's before any part of the window has them.
        *(Binding(key, f"press('{key}')", show=False, priority=True)
          for key in (*DIGITS, "enter", "escape", "backspace")),
    ]  # fmt: skip

    def __init__(
        self, terminal: Terminal, desk: CounterDesk, *, till: CounterTill, feed: Feed
    ) -> None:
        super().__init__()
        self._terminal = terminal
        self._desk = desk
        self._till = till
        self._feed = feed
        self._cards = {card.name: card for card in tray_cards()}
        self._digits = ""
        self._asked = 0
        self._complaint = ""
        self._written: dict[str, str] = {}

    def compose(self) -> ComposeResult:
        """The parts of the window."""
        with Horizontal():
            with Vertical(id="left"):
                options = (Option(f"{c.name}  {c.digits}", id=c.name) for c in self._cards.values())
                yield OptionList(*options, id="cards")
                yield Static(id="about", markup=False)
            with Vertical():
                yield Input(
                    placeholder="12.50; with 20.00 in cash: 12.50+20; with a tip: 12.50 t 1",
                    max_length=100,
                    id="amount",
                    compact=True,
                )
                yield Static(id="screen", markup=False)
                with VerticalScroll(id="events"):
                    yield Static(id="happened", markup=False)
                with VerticalScroll(id="papers", classes="hidden"):
                    yield Static(id="paper", markup=False)
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Begin to look at the terminal."""
        if not self.is_headless:
            get_running_loop().add_signal_handler(signal.SIGTERM, self._end)
        self.sub_title = self._terminal.identity.id
        self.query_one("#cards", OptionList).focus()
        self.set_interval(LOOK_EVERY_S, self.look)
        self.look()

    def _end(self) -> None:
        """Close the window as the key for it does. A process that is ended may be continued for
        that; its library would then draw on a window that is gone.
        """
        signal.signal(signal.SIGCONT, signal.SIG_IGN)
        self.exit()

    def look(self) -> None:
        """Show what is new. There is nothing to show it on while the window closes."""
        if not self.query("#screen"):
            return
        view = self._desk.view
        self._notice(view.question)
        papers = self._desk.papers
        self._write("screen", display_of(
            view, self._terminal.out_of_order, digits=len(self._digits),
            message=self._message(),
        ))  # fmt: skip
        self._write("happened", happened_in(self._feed.since(0)))
        self._write("about", self._about())
        if papers:
            self._write("paper", render_text(papers[-1].lines))

    def _notice(self, question: DeskQuestion | None) -> None:
        """Begin with what the terminal asks for, where that has changed."""
        number = question.number if question else 0
        if number != self._asked:
            self._digits, self._asked = "", number
            self._give_field(question)

    def _give_field(self, question: DeskQuestion | None) -> None:
        """Let the customer type where a till asks for a text, and not where keys are asked for."""
        field = self.query_one("#amount", Input)
        field.password = bool(question and question.prompt and question.prompt.is_masked)
        is_by_keys = question is not None and question.kind in BY_KEYS
        if is_by_keys and field.has_focus:
            # At once: what is typed now is for the terminal.
            self.screen.set_focus(self.query_one("#cards"))
        field.disabled = is_by_keys
        if question and question.kind == "text":
            field.value = ""
            field.focus()

    async def on_event(self, event: events.Event) -> None:
        """See what the terminal asks for before something is typed: a field takes that before any
        key of the window.
        """
        if isinstance(event, (events.Key, events.Paste)) and self.query("#amount"):
            self._notice(self._desk.view.question)
        await super().on_event(event)

    def on_key(self, event: events.Key) -> None:
        """Escape leaves the field, and is the red key elsewhere."""
        if event.key != "escape":
            return
        if isinstance(self.focused, Input):
            self.query_one("#cards").focus()
        else:
            self._try(self._desk.press_cancel)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool:
        """Whether a key does this now: those of the terminal are its own while it asks for them,
        wherever the focus is.
        """
        return action != "press" or self._asks_for_keys()

    def action_press(self, key: str) -> None:
        """Press a key of the terminal."""
        question = self._desk.view.question
        if question is None:
            return
        if key == "enter":
            self._press_green(question.kind)
        elif key == "escape":
            self._try(self._desk.press_cancel)
        elif key == "backspace":
            self._digits = self._digits[:-1]
        else:
            self._press(question.kind, key)

    def on_input_submitted(self, submitted: Input.Submitted) -> None:
        """Start a sale of the amount that was typed, or hand over the text that a till asks for."""
        self.query_one("#cards").focus()
        question, typed = self._desk.view.question, submitted.value
        submitted.input.value = ""
        if question and question.kind == "text":
            self._try(lambda: self._desk.type_text(typed))
        else:
            self._try(lambda: self._till.start(sale_of(typed)))

    def action_ask_amount(self) -> None:
        """Ask for the amount of a sale."""
        question = self._desk.view.question
        if question and question.kind in BY_KEYS:
            self._complaint = f"the terminal asks for a {question.kind} now"
            return
        asked = self.query_one("#amount", Input)
        asked.value = ""
        asked.focus()

    def action_hold(self, reader: str) -> None:
        """Hold the chosen card to a reader."""
        self._try(lambda: self._desk.present_card(self._chosen(), reader))

    def action_pull(self) -> None:
        """Pull the card out."""
        self._try(self._desk.pull_card)

    def action_next_fault(self) -> None:
        """Choose the next fault of the list for the next card."""
        names = list(FAULTS)
        following = (names.index(self._desk.view.fault) + 1) % len(names)
        self._try(lambda: self._desk.choose_fault(names[following]))

    def action_plug(self) -> None:
        """Plug the network cable in, or out."""
        self._terminal.network_up = not self._terminal.network_up

    def action_void(self) -> None:
        """Void the last payment."""
        entries = self._terminal.entries()
        if entries:
            order = TillOrder(operation=OrderKind.VOID, receipt=entries[-1].name)
            self._try(lambda: self._till.start(order))

    def action_abort(self) -> None:
        """Abort the payment, as a till does."""
        self._terminal.abort("")

    def action_turn(self) -> None:
        """Show the receipt in place of what happened, or the other way round."""
        self.query_one("#events").toggle_class("hidden")
        self.query_one("#papers").toggle_class("hidden")

    def _asks_for_keys(self) -> bool:
        question = self._desk.view.question
        return question is not None and question.kind in BY_KEYS

    def _press_green(self, kind: str) -> None:
        if kind == "pin":
            pin, self._digits = self._digits, ""
            self._try(lambda: self._desk.enter_pin(pin))
        elif kind == "signature":
            self._try(lambda: self._desk.judge_signature(accepted=True))

    def _press(self, kind: str, digit: str) -> None:
        if kind == "pin" and len(self._digits) < PIN_DIGITS_MAX:
            self._digits += digit
        elif kind in CHOICES:
            self._try(lambda: self._desk.choose_label(int(digit) - 1))

    def _try(self, act: Callable[[], object]) -> None:
        self._complaint = ""
        try:
            act()
        except REFUSED as error:
            self._complaint = str(error)

    def _chosen(self) -> str:
        at = self.query_one("#cards", OptionList).highlighted or 0
        return list(self._cards)[at]

    def _about(self) -> str:
        card = self._cards[self._chosen()]
        network = "plugged in" if self._terminal.network_up else "UNPLUGGED"
        fault = FAULTS[self._desk.view.fault].title
        pin = f"\nPIN {card.pin}" if card.pin and card.pin not in card.title else ""
        gps = self._terminal.gps
        place = f"\nGPS: {gps.position or 'receives nothing'}" if gps.is_fitted else ""
        return f"{card.title}{pin}\n\nNext card: {fault}\nNetwork: {network}{place}"

    def _message(self) -> str:
        question = self._desk.view.question
        if isinstance(self.focused, Input) and not (question and question.kind == "text"):
            return "Type the amount, then Enter"
        return self._complaint or self._till.message

    def _write(self, place: str, text: str) -> None:
        if self._written.get(place) != text:
            self._written[place] = text
            self.query_one(f"#{place}", Static).update(text)
