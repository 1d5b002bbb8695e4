"""A terminal waits, a person acts: what each method of a desk returns, and what ends it."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from decimal import Decimal
from threading import Event

import pytest

from pos_emulator.card.memory import RamMemory
from pos_emulator.counter.desk import CounterDesk, NotAskedError
from pos_emulator.counter.till import sale_of
from pos_emulator.counter.tray import TrayError
from pos_emulator.ecr.ports import InputPrompt, InputSigns
from pos_emulator.kernel.records import PinPrompt
from pos_emulator.receipts.conversion import ConversionRates
from pos_emulator.receipts.document import PrintedLine
from pos_emulator.terminal.records import (
    CardInsertedError,
    CardPrompt,
    CurrencyOffer,
    DeskAbortedError,
    DeskCanceledError,
    Inserted,
    Keyed,
    OrderError,
    TillOrder,
)

WAIT_S_MAX = 10
ORDER = TillOrder()
ALL = CardPrompt("PLEASE INSERT CARD", ORDER, frozenset({"chip", "tap", "magstripe", "manual"}))
OFFER = CurrencyOffer("USD 60.00", "EUR 51.75", "1 USD = 0.8625 EUR, WITH 3.5 % MARKUP")
PIN = PinPrompt(1200, "978", is_online=True)


class Counter:
    """A desk, and a thread in which a terminal asks it."""

    def __init__(self, pool: ThreadPoolExecutor) -> None:
        self._pool = pool
        self._noticed = Event()
        self.desk = CounterDesk(RamMemory(), self._noticed.set, wait_s_max=WAIT_S_MAX)

    def ask(self, method: Callable, *given: object) -> Future:
        """Ask, and return once the question stands on the display."""
        self._noticed.clear()
        asked = self._pool.submit(method, *given)
        assert self._noticed.wait(WAIT_S_MAX)
        assert self.desk.view.question is not None
        return asked


@pytest.fixture
def counter() -> Iterator[Counter]:
    with ThreadPoolExecutor(1) as pool:
        yield Counter(pool)


def test_a_card_a_pin_a_choice_and_a_signature_are_given(counter: Counter) -> None:
    desk = counter.desk

    asked = counter.ask(desk.present, ALL)
    assert desk.view.question.readers == ("chip", "magstripe", "manual", "tap")
    desk.present_card("gold", "chip")
    assert isinstance(asked.result(WAIT_S_MAX), Inserted)
    assert desk.view.inserted == "gold"

    asked = counter.ask(desk.ask_pin, PIN)
    desk.enter_pin("1234")
    assert asked.result(WAIT_S_MAX) == "1234"

    asked = counter.ask(desk.choose, ["VISA", "VISA DEBIT"])
    desk.choose_label(1)
    assert asked.result(WAIT_S_MAX) == 1

    asked = counter.ask(desk.confirm_signature, ORDER)
    desk.judge_signature(accepted=False)
    assert asked.result(WAIT_S_MAX) is False
    assert desk.view.question is None


@pytest.mark.parametrize(("place", "due"), [(0, "USD 60.00"), (1, "EUR 51.75")])
def test_a_currency_is_chosen_and_its_amount_is_due(counter: Counter, place: int, due: str) -> None:
    desk = counter.desk
    sale = TillOrder(amount=Decimal("60.00"), currency="USD")
    asked = counter.ask(desk.present, CardPrompt("PRESENT CARD", sale, frozenset({"chip"})))
    desk.present_card("gold", "chip")
    asked.result(WAIT_S_MAX)

    asked = counter.ask(desk.choose_currency, OFFER)
    question = desk.view.question
    assert (question.kind, question.labels) == ("currency", ("USD 60.00", "EUR 51.75"))
    assert question.terms == OFFER.terms and desk.view.display == "CHOOSE A CURRENCY"
    with pytest.raises(TrayError, match="one of 2 places"):
        desk.choose_label(2)
    with pytest.raises(NotAskedError, match="asks for a currency now"):
        desk.enter_pin("1234")
    desk.choose_label(place)
    assert asked.result(WAIT_S_MAX) is bool(place)

    asked = counter.ask(desk.ask_pin, PIN)
    assert desk.view.display == f"{due}\nENTER PIN"
    desk.enter_pin("1234")
    asked.result(WAIT_S_MAX)


def test_a_second_tap_is_due_what_was_chosen(counter: Counter) -> None:
    desk = counter.desk
    rates = ConversionRates(rates={"USD": Decimal("1.2"), "EUR": Decimal(1)})
    chosen = rates.offer(Decimal("60.00"), "USD", "EUR")
    sale = TillOrder(amount=Decimal("60.00"), currency="USD")

    asked = counter.ask(desk.present, CardPrompt("TAP AGAIN", sale, frozenset({"tap"}), chosen))

    assert desk.view.display == "EUR 51.75\nTAP AGAIN"
    desk.press_cancel()
    with pytest.raises(DeskCanceledError):
        asked.result(WAIT_S_MAX)


def test_a_text_is_typed_for_a_till(counter: Counter) -> None:
    desk = counter.desk
    prompt = InputPrompt(text="PHONE" * 100, signs=InputSigns.DIGITS, longest=8)

    asked = counter.ask(desk.ask_text, prompt)
    assert len(desk.view.display) == 160
    with pytest.raises(TrayError, match="expected digits") as refused:
        desk.type_text("907 15a")
    desk.type_text("907153")

    assert asked.result(WAIT_S_MAX) == "907153"
    assert "907" not in str(refused.value)
    assert "907153" not in repr(desk.view)


def test_a_card_ends_a_text_where_the_till_wants_that_and_pays_then(counter: Counter) -> None:
    desk = counter.desk
    prompt = InputPrompt(text="PHONE", signs=InputSigns.DIGITS)

    with desk.ending_at_card():
        for ask in ((desk.choose, ["YES", "NO"]), (desk.ask_text, prompt)):
            asked = counter.ask(*ask)
            assert desk.view.question.readers == ("chip",)
            with pytest.raises(NotAskedError, match="reads chip now"):
                desk.present_card("gold", "tap")
            desk.present_card("gold", "chip")
            with pytest.raises(CardInsertedError):
                asked.result(WAIT_S_MAX)
    assert desk.view.inserted == "gold"

    presented = desk.present(ALL)
    assert isinstance(presented, Inserted) and presented.card.power() is None
    asked = counter.ask(desk.ask_text, prompt)
    with pytest.raises(NotAskedError):
        desk.present_card("gold", "chip")
    desk.type_text("1")
    assert asked.result(WAIT_S_MAX) == "1"


def test_a_card_that_was_pulled_again_pays_nothing(counter: Counter) -> None:
    desk = counter.desk
    with desk.ending_at_card():
        asked = counter.ask(desk.choose, ["YES", "NO"])
        desk.present_card("gold", "chip")
        with pytest.raises(CardInsertedError):
            asked.result(WAIT_S_MAX)

    desk.pull_card()

    asked = counter.ask(desk.present, ALL)
    desk.present_card("sign", "chip")
    assert asked.result(WAIT_S_MAX).card.name == "sign"


def test_a_document_of_a_till_comes_out_of_the_printer(counter: Counter) -> None:
    counter.desk.print_lines("VOUCHER", [PrintedLine("One tea")])

    (paper,) = counter.desk.papers
    assert (paper.name, paper.lines, paper.receipt) == ("VOUCHER", (PrintedLine("One tea"),), "")


def test_a_pin_stands_in_nothing_that_is_shown(counter: Counter) -> None:
    asked = counter.ask(counter.desk.ask_pin, PIN)
    counter.desk.enter_pin("907153")
    asked.result(WAIT_S_MAX)

    assert "907153" not in repr(counter.desk.view)
    assert "907153" not in repr(vars(counter.desk))


def test_a_pin_may_be_skipped_and_a_card_typed_in(counter: Counter) -> None:
    asked = counter.ask(counter.desk.ask_pin, PIN)
    counter.desk.enter_pin("")
    assert asked.result(WAIT_S_MAX) == ""

    asked = counter.ask(counter.desk.present, ALL)
    counter.desk.type_card("4242420000010009", "3112", "123")
    assert asked.result(WAIT_S_MAX) == Keyed("4242420000010009", "3112", "123")


def test_the_red_key_and_the_till_end_a_wait(counter: Counter) -> None:
    asked = counter.ask(counter.desk.present, ALL)
    counter.desk.press_cancel()
    with pytest.raises(DeskCanceledError):
        asked.result(WAIT_S_MAX)

    asked = counter.ask(counter.desk.ask_pin, PIN)
    counter.desk.abort()
    with pytest.raises(DeskAbortedError) as ended:
        asked.result(WAIT_S_MAX)
    assert not ended.value.timed_out


def test_no_wait_is_endless() -> None:
    desk = CounterDesk(RamMemory(), wait_s_max=0.01)

    with pytest.raises(DeskAbortedError) as ended:
        desk.present(ALL)

    assert ended.value.timed_out and desk.view.question is None


def test_an_end_without_a_wait_ends_nothing_later(counter: Counter) -> None:
    counter.desk.abort()
    with pytest.raises(NotAskedError):
        counter.desk.press_cancel()

    asked = counter.ask(counter.desk.ask_pin, PIN)
    counter.desk.enter_pin("1234")
    assert asked.result(WAIT_S_MAX) == "1234"


def test_what_is_not_asked_for_is_refused(counter: Counter) -> None:
    desk = counter.desk
    for act in (
        lambda: desk.present_card("gold", "chip"),
        lambda: desk.enter_pin("1234"),
        lambda: desk.choose_label(0),
        lambda: desk.judge_signature(accepted=True),
        desk.press_cancel,
        desk.pull_card,
    ):
        with pytest.raises(NotAskedError):
            act()

    asked = counter.ask(desk.present, CardPrompt("TAP", ORDER, frozenset({"tap"})))
    with pytest.raises(NotAskedError, match="reads tap now, not chip"):
        desk.present_card("gold", "chip")
    with pytest.raises(NotAskedError, match="asks for a card"):
        desk.enter_pin("1234")
    assert desk.view.inserted == ""
    desk.abort()
    assert asked.exception(WAIT_S_MAX)


@pytest.mark.parametrize("pin", ["123", "1234567890123", "12a4", "١٢٣٤", " 1234", "-123"])
def test_what_is_no_pin_is_refused_without_repeating_it(counter: Counter, pin: str) -> None:
    asked = counter.ask(counter.desk.ask_pin, PIN)

    with pytest.raises(TrayError) as refused:
        counter.desk.enter_pin(pin)

    assert pin not in str(refused.value)
    counter.desk.abort()
    assert asked.exception(WAIT_S_MAX)


@pytest.mark.parametrize(
    "typed", [("", "3112", ""), ("4242", "3112", ""), ("4242420000010009", "31", ""),
              ("4242420000010009", "3112", "12345"), ("424242000001000x", "3112", "")],
)  # fmt: skip
def test_what_is_no_card_is_refused(counter: Counter, typed: tuple[str, str, str]) -> None:
    asked = counter.ask(counter.desk.present, ALL)

    with pytest.raises(TrayError) as refused:
        counter.desk.type_card(*typed)

    assert "4242" not in str(refused.value)
    counter.desk.abort()
    assert asked.exception(WAIT_S_MAX)


def test_one_fault_goes_with_one_card(counter: Counter) -> None:
    counter.desk.choose_fault("mute")
    with pytest.raises(TrayError):
        counter.desk.choose_fault("fire")
    assert counter.desk.view.fault == "mute"

    asked = counter.ask(counter.desk.present, ALL)
    counter.desk.present_card("gold", "chip")

    asked.result(WAIT_S_MAX)
    assert counter.desk.view.fault == "none"


def test_a_card_is_pulled_once(counter: Counter) -> None:
    asked = counter.ask(counter.desk.present, ALL)
    counter.desk.present_card("gold", "chip")
    asked.result(WAIT_S_MAX)

    counter.desk.pull_card()

    assert counter.desk.view.inserted == ""
    with pytest.raises(NotAskedError):
        counter.desk.pull_card()


@pytest.mark.parametrize(
    ("typed", "amount", "cash", "tip"),
    [
        ("12.50", "12.50", "0", "0"),
        ("12,50+20", "12.50", "20", "0"),
        ("12.50 t 1", "12.50", "0", "1"),
        ("12.50 + 20 T 1,5", "12.50", "20", "1.5"),
    ],
)
def test_a_sale_is_typed_with_cash_and_tip(typed: str, amount: str, cash: str, tip: str) -> None:
    order = sale_of(typed)

    assert (order.amount, order.cashback, order.tip) == (
        Decimal(amount),
        Decimal(cash),
        Decimal(tip),
    )


@pytest.mark.parametrize(
    "typed",
    [
        "", "t", "12t", "t1", "12+", "12+t1", "1t1t1", "1t1+1", "x", "1_000", "1e2", "-1", "--1",
        "1.2.3", "1,2,3", "1 000", ".", "\u0661\u0662", "\uff11", "0x10", "NaN", "0", "0.00",
        "99999999999999", "1" * 200,
    ],
)  # fmt: skip
def test_what_is_no_sale_is_refused(typed: str) -> None:
    with pytest.raises(OrderError, match="amount: expected"):
        sale_of(typed)
