"""Twelve cards, what can read each, and how one is pulled out of a reader."""

import pytest

from pos_emulator.apdu import CardCommand
from pos_emulator.card.memory import RamMemory
from pos_emulator.card.slot import CardMuteError, CardRemovedError
from pos_emulator.counter.tray import FAULTS, TrayError, take_card, tray_cards
from pos_emulator.terminal.records import Inserted, Swiped, Tapped

SELECT = CardCommand(0x00, 0xA4, 0x04, 0x00, b"1PAY.SYS.DDF01").encode()


def test_the_tray_has_twelve_cards_and_no_number_of_any() -> None:
    cards = tray_cards()

    assert len(cards) == 12
    assert {card.name for card in cards} >= {"gold", "stolen", "tap", "two-apps"}
    assert all(len(card.digits) == 4 for card in cards)
    assert next(card for card in cards if card.name == "tap").readers == ("tap",)


@pytest.mark.parametrize(
    ("reader", "kind"), [("chip", Inserted), ("tap", Tapped), ("magstripe", Swiped)]
)
def test_a_card_is_held_to_each_reader(reader: str, kind: type) -> None:
    assert isinstance(take_card("gold", reader, RamMemory()), kind)


@pytest.mark.parametrize(
    ("name", "reader", "fault", "why"),
    [
        ("copper", "chip", "none", "expected one of gold"),
        ("gold", "printer", "none", "expected a reader"),
        ("gold", "chip", "fire", "a fault of the list"),
        ("tap", "chip", "none", "no chip to insert"),
        ("sign", "tap", "none", "cannot be tapped"),
        ("tap", "magstripe", "none", "no magstripe"),
        ("x" * 5000, "chip", "none", "expected one of"),
    ],
)
def test_what_cannot_be_read_is_refused(name: str, reader: str, fault: str, why: str) -> None:
    with pytest.raises(TrayError, match=why) as refused:
        take_card(name, reader, RamMemory(), fault)
    assert len(str(refused.value)) < 300


def test_a_pulled_card_answers_nothing() -> None:
    held = take_card("gold", "chip", RamMemory()).card
    held.power()
    assert held.transmit(SELECT)[-2:] == b"\x90\x00"

    held.pull()

    for call in (held.power, lambda: held.transmit(SELECT)):
        with pytest.raises(CardRemovedError):
            call()


def test_a_fault_goes_with_the_card() -> None:
    with pytest.raises(CardMuteError):
        take_card("gold", "chip", RamMemory(), "mute").card.power()
    assert len({row.title for row in FAULTS.values()}) == len(FAULTS) == 8
