"""Random input for TLV, commands and cards: an answer or the module's own error, never another."""

import os
import time
from contextlib import suppress
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.apdu import ApduError, parse_command, parse_response
from pos_emulator.card.machine import HANDLERS, answer
from pos_emulator.card.personalization import personalize
from pos_emulator.card.profiles import card_file
from pos_emulator.card.records import ChipState, Interface, fresh_memory, power_on
from pos_emulator.card.slot import CardSlot
from pos_emulator.dol import parse_dol
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.contactless import pay_with_tap
from pos_emulator.kernel.history import exchange_event
from pos_emulator.kernel.records import CardOutcome, SaleKind
from pos_emulator.tests.bench import Bench
from pos_emulator.tlv import TlvError, parse

SEED = int(os.environ.get("FUZZ_SEED", "20261123"))
SLOW_S = 2.0
KNOWN = sorted(HANDLERS)
GOOD = [
    bytes.fromhex(command)
    for command in (
        "00A404000E315041592E5359532E444446303100", "00A404000E325041592E5359532E444446303100",
        "00A4040007A000000003101000", "00A4040205A00000000300", "80A80000048302027600",
        "00B2010C00", "00B2011400", "00B2011C00", "80CA9F3600", "80CA9F1700",
        "0020008008241234FFFFFFFFFF", "0084000000", "008800000401020304",
        "80AE80001D" + "00" * 29 + "00", "80AE40002B" + "00" * 43 + "00",
        "0082000008" + "11" * 8, "841E000008" + "22" * 8, "00C0000010",
    )
]  # fmt: skip


def mutated(random: Random, data: bytes) -> bytes:
    """The bytes with some changed, cut off or added."""
    changed = bytearray(data)
    for _ in range(random.randrange(4)):
        if changed:
            changed[random.randrange(len(changed))] = random.randrange(256)
    if random.random() < 0.2:
        del changed[random.randrange(len(changed) + 1) :]
    if random.random() < 0.1:
        changed += random.randbytes(random.randrange(16))
    return bytes(changed)


def command(random: Random) -> bytes:
    """Any bytes, a known header with any data, or a good command that was changed."""
    shape = random.random()
    if shape < 0.2:
        return random.randbytes(random.randrange(20))
    if shape < 0.5:
        cla, ins = random.choice(KNOWN)
        data = random.randbytes(random.randrange(40))
        header = bytes([cla, ins, random.randrange(256), random.choice((0, 0x80, 0x88, 0x0C))])
        return header + bytes([len(data)]) + data
    good = random.choice(GOOD)
    return good if shape < 0.8 else mutated(random, good)


def try_reading(data: bytes) -> None:
    """Each reader of bytes: a result, or its own error."""
    for reader in (parse, parse_dol):
        with suppress(TlvError):
            reader(data)
    for reader in (parse_command, parse_response):
        with suppress(ApduError):
            reader(data)


def play(random: Random, states: list[ChipState], place: int) -> None:
    """One random command to one of the cards; now and then it is taken out and put back."""
    state = states[place]
    sent = command(random)
    state, response = answer(state, sent)
    assert parse_response(response).sw >> 12 in (6, 9)
    if random.random() < 0.02:
        state = power_on(state.chip, state.memory, random.choice(list(Interface)))
    if random.random() < 0.002:
        state = power_on(state.chip, fresh_memory(state.chip))
    states[place] = state


def fuzz(count: int, seed: int) -> float:
    """Give so many random inputs to the readers and the cards; the longest one in seconds."""
    random, longest = Random(seed), 0.0
    chips = [personalize(name) for name in card_file().cards]
    states = [power_on(chip, fresh_memory(chip)) for chip in chips]
    for turn in range(count):
        began = time.perf_counter()
        if turn % 2:
            tree = random.choice(GOOD)[5:]
            data = random.randbytes(random.randrange(40)) if turn % 4 == 1 else tree
            try_reading(mutated(random, data))
        else:
            play(random, states, random.randrange(len(states)))
        longest = max(longest, time.perf_counter() - began)
    return longest


@given(st.binary(max_size=300))
@settings(max_examples=50)
def test_bytes_of_any_kind_are_read_or_refused(data):
    try_reading(data)


@given(st.lists(st.one_of(st.sampled_from(GOOD), st.binary(max_size=40)), max_size=8))
@settings(max_examples=25)
def test_a_card_answers_commands_of_any_kind_in_any_order(commands):
    chip = personalize("gold")
    state = power_on(chip, fresh_memory(chip))
    for sent in commands:
        state, response = answer(state, sent)
        assert len(response) >= 2


def test_some_thousand_random_inputs_end_in_answers():
    assert fuzz(4_000, SEED) < SLOW_S


@pytest.mark.proof
@pytest.mark.timeout(1_800)
def test_a_million_random_inputs_end_in_answers():
    longest = fuzz(1_000_000, SEED)

    assert longest < SLOW_S, f"one input took {longest:.3f} s"


class Babbling:
    """A card whose responses are changed on their way."""

    def __init__(self, slot: CardSlot, random: Random, share: float) -> None:
        self.slot, self.random, self.share = slot, random, share

    def power(self, interface: Interface = Interface.CONTACT) -> None:
        self.slot.power(interface)

    def transmit(self, command: bytes) -> bytes:
        response = self.slot.transmit(command)
        return mutated(self.random, response) if self.random.random() < self.share else response


def pay(random: Random, name: str, share: float) -> CardOutcome:
    bench = Bench(name, seed=random.randrange(1 << 30))
    bench.holder.pins = [bench.profile.pin or "0000"]
    bench.slot = Babbling(bench.slot, random, share)  # type: ignore[assignment]
    is_tap = bench.profile.contactless and random.random() < 0.5
    payment = bench.payment(random.choice((10_00, 60_00)), SaleKind.PURCHASE)
    return (pay_with_tap if is_tap else pay_with_chip)(bench.terminal, payment, bench.devices())


def babble(count: int, seed: int) -> None:
    """Payments with cards whose responses are damaged: each ends in an outcome."""
    random, names = Random(seed), sorted(card_file().cards)
    for turn in range(count):
        outcome = pay(random, names[turn % len(names)], random.choice((0.05, 0.2, 0.6)))
        assert isinstance(outcome, CardOutcome)


def test_the_kernel_ends_with_an_outcome_when_the_card_babbles():
    babble(120, SEED)


@pytest.mark.proof
@pytest.mark.timeout(1_800)
def test_the_kernel_ends_with_an_outcome_in_many_thousand_damaged_payments():
    babble(20_000, SEED)


@given(st.binary(min_size=2, max_size=200))
@settings(max_examples=50)
def test_any_response_can_be_shown(data):
    event = exchange_event(parse_command(GOOD[5]), parse_response(data))

    assert event.text
