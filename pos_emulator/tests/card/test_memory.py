from dataclasses import replace

import pytest

from pos_emulator.card.faults import CardFaultKind, Fault
from pos_emulator.card.memory import CardMemoryError, FileMemory, RamMemory
from pos_emulator.card.personalization import personalize
from pos_emulator.card.records import Interface, fresh_memory
from pos_emulator.card.slot import CardMuteError, CardRemovedError, CardSlot, slot_of

SELECT = bytes.fromhex("00A4040007A000000003101000")
START = bytes.fromhex("80A80000048302027600")


def start(slot: CardSlot) -> bytes:
    slot.power()
    slot.transmit(SELECT)
    return slot.transmit(START)


def test_a_card_remembers_across_programs(tmp_path):
    start(slot_of("gold", FileMemory(tmp_path)))
    start(slot_of("gold", FileMemory(tmp_path)))
    chip = personalize("gold")
    memory = FileMemory(tmp_path).load(chip)

    assert memory.atc == 2
    everything = replace(
        memory, blocked=("A0",), data={"9F14": b"\x01"}, log=(b"\x01\x02",), pin_check=b"\xff"
    )
    FileMemory(tmp_path).save(chip, everything)
    assert FileMemory(tmp_path).load(chip) == everything


def test_cards_are_kept_apart(tmp_path):
    start(slot_of("gold", FileMemory(tmp_path)))

    assert FileMemory(tmp_path).load(personalize("poor")) == fresh_memory(personalize("poor"))


@pytest.mark.parametrize("content", ["", "{", "[]", '{"atc": "x"}'])
def test_a_damaged_memory_is_an_error_and_not_a_new_card(tmp_path, content):
    (tmp_path / "gold.json").write_text(content)

    with pytest.raises(CardMemoryError):
        FileMemory(tmp_path).load(personalize("gold"))


def test_a_half_written_memory_beside_the_old_one_is_ignored(tmp_path):
    start(slot_of("gold", FileMemory(tmp_path)))
    (tmp_path / "gold.new").write_text('{"atc": 7')

    assert FileMemory(tmp_path).load(personalize("gold")).atc == 1
    start(slot_of("gold", FileMemory(tmp_path)))
    assert FileMemory(tmp_path).load(personalize("gold")).atc == 2


class WatchedMemory:
    """A memory that notes each save."""

    def __init__(self) -> None:
        self.kept = RamMemory()
        self.saved: list[int] = []

    def load(self, chip):
        return self.kept.load(chip)

    def save(self, chip, memory) -> None:
        self.kept.save(chip, memory)
        self.saved.append(memory.atc)


def test_the_counter_is_saved_before_the_answer_leaves():
    memory = WatchedMemory()
    slot = CardSlot(personalize("gold"), memory, [Fault(CardFaultKind.TORN, "GPO")])
    with pytest.raises(CardRemovedError):
        start(slot)

    assert memory.saved == [1]
    assert start(slot)[-2:] == b"\x90\x00"
    assert memory.saved == [1, 2]


def test_a_command_that_changes_nothing_saves_nothing():
    memory = WatchedMemory()
    slot = CardSlot(personalize("gold"), memory)
    slot.power()
    slot.transmit(SELECT)

    assert memory.saved == []


class FailingMemory:
    """A memory whose disk is full."""

    def load(self, chip):
        return fresh_memory(chip)

    def save(self, chip, memory) -> None:
        raise OSError("no space left")


def test_no_answer_leaves_whose_memory_could_not_be_saved():
    slot = CardSlot(personalize("gold"), FailingMemory())

    with pytest.raises(OSError, match="no space left"):
        start(slot)


@pytest.mark.parametrize(
    ("fault", "error"),
    [
        (Fault(CardFaultKind.DEAD), CardMuteError),
        (Fault(CardFaultKind.MUTE, "GPO"), CardMuteError),
        (Fault(CardFaultKind.REMOVED, "GPO"), CardRemovedError),
        (Fault(CardFaultKind.REMOVED, 2), CardRemovedError),
    ],
)
def test_a_fault_comes_at_its_step(fault, error):
    slot = CardSlot(personalize("gold"), RamMemory(), [fault])

    with pytest.raises(error):
        start(slot)


def test_an_error_comes_once():
    slot = CardSlot(personalize("gold"), RamMemory(), [Fault(CardFaultKind.ERROR, "GPO")])

    assert start(slot).hex() == "6f00"
    assert start(slot).endswith(b"\x90\x00")


def test_a_card_that_was_pulled_answers_nothing_until_it_is_put_back():
    slot = CardSlot(personalize("gold"), RamMemory())
    with pytest.raises(CardRemovedError):
        slot.transmit(SELECT)
    slot.power(Interface.CONTACTLESS)

    assert slot.transmit(SELECT).endswith(b"\x90\x00")


def test_an_unknown_card_is_an_error():
    with pytest.raises(KeyError):
        slot_of("silver", RamMemory())
