"""`python -m pos_emulator.tests.random_inputs COUNT SEED`: random input for data objects, commands
and cards, and payments with cards whose responses are damaged.

Each ends in an answer or in the module's own error; another exception ends the run with its
traceback. Prints the longest input in seconds as JSON.
"""

import json
import sys
import time
from contextlib import suppress
from random import Random
from typing import NamedTuple

from pos_emulator.apdu import ApduError, parse_command, parse_response
from pos_emulator.card.machine import HANDLERS, answer
from pos_emulator.card.personalization import personalize
from pos_emulator.card.profiles import card_file
from pos_emulator.card.records import ChipState, Interface, fresh_memory, power_on
from pos_emulator.card.slot import CardSlot
from pos_emulator.dol import parse_dol
from pos_emulator.kernel.contact import pay_with_chip
from pos_emulator.kernel.contactless import pay_with_tap
from pos_emulator.kernel.records import CardOutcome, SaleKind
from pos_emulator.tests.bench import Bench
from pos_emulator.tlv import TlvError, parse

# One damaged payment is some twenty exchanges.
INPUTS_A_PAYMENT = 50
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


class Found(NamedTuple):
    """What a run did, and how long its longest input took."""

    inputs: int
    damaged_payments: int
    longest_s: float


def main(count: int, seed: int) -> Found:
    """Try so many random inputs, and a damaged payment for each fifty of them."""
    longest, payments = fuzz(count, seed), count // INPUTS_A_PAYMENT
    babble(payments, seed)
    return Found(count, payments, longest)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*map(int, sys.argv[1:]))._asdict()) + "\n")
