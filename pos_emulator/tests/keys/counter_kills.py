"""`python -m pos_emulator.tests.keys.counter_kills PAYMENTS KILLS`: no serial number is used twice.

A terminal pays and pays, each time with a key of TDES DUKPT and one of AES DUKPT. It is a process
of its own, which reports every serial number it uses through a pipe and is killed (SIGKILL) at a
random instant; the next one opens the same files. A serial number that comes twice, or one
that is not above the last, is a fault. Prints what was found as JSON.
"""

import json
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from time import sleep
from typing import BinaryIO, NamedTuple

import pydukpt

from pos_emulator.keys.slot import KeySlot
from pos_emulator.keys.storage import SealedFile, storage_key
from pos_emulator.tests.folders import quick_folder
from pos_emulator.tests.keys.blocks import IDENTITY, KBPK, KBPK_AES, KSN, wrap_initial_key

INITIAL_KEY = bytes.fromhex("6AC292FAA1315B4D858AB3A3D7D5933A")
LENGTHS = {"TDES": 10, "AES": 12}
ONES_MAX = {"TDES": 10, "AES": 16}
INSTANT_S = 0.012
# TDES DUKPT has 21 bits to count with, and no run of AES DUKPT comes that far.
COUNTERS = 1 << 21


class Used(NamedTuple):
    """A serial number that a terminal used, as a number, with the key of it."""

    method: str
    ksn: int
    key: bytes


class Found(NamedTuple):
    """What a run found; the first three say how much it tried, `skipped` what the kills cost."""

    payments: int
    kills: int
    serial_numbers: int
    skipped: int
    half_written: int
    used_twice: int
    not_above_the_last: int
    wrong_keys: int


def main(payments: int, kills: int, seed: int = 1) -> Found:
    """Pay so often, killed so often, and count."""
    chance = Random(seed)
    with quick_folder("sandgate-counters-") as name:
        folder = Path(name)
        load_terminal(folder)
        used: list[Used] = []
        half_written = wrong = 0
        for number in range(kills):
            left = (payments - len(used) // 2) / (kills - number)
            used += run_and_kill(folder, max(1, round(chance.uniform(0.5, 1.5) * left)), chance)
            half_written += any(folder.glob("*.new"))
            wrong += is_wrong(next(each for each in reversed(used) if each.method == "TDES"))
    return count(used, kills, half_written, wrong)


def load_terminal(folder: Path) -> None:
    """Load the initial keys of both methods."""
    files = open_files(folder)
    KeySlot(files["TDES"]).load(wrap_initial_key(INITIAL_KEY, KSN), KBPK)
    block = wrap_initial_key(
        INITIAL_KEY, IDENTITY, kbpk=KBPK_AES, version="D", algorithm="A", name="IK"
    )
    KeySlot(files["AES"]).load(block, KBPK_AES)
    for each in files.values():
        each.close()


def open_files(folder: Path) -> dict[str, SealedFile]:
    key = storage_key(folder)
    return {method: SealedFile(folder / f"{method}.keys", key) for method in LENGTHS}


def run_and_kill(folder: Path, payments: int, chance: Random) -> list[Used]:
    """Let a terminal pay at least so often, kill it at some instant of the next, and return all
    that it used.
    """
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        pay_for_ever(folder, writer)
    os.close(writer)
    with os.fdopen(reader, "rb") as pipe:
        stream = read_used(pipe)
        used = [next(stream) for _ in range(2 * payments)]
        sleep(chance.uniform(0, INSTANT_S))
        os.kill(child, signal.SIGKILL)
        used += stream
    os.waitpid(child, 0)
    return used


def pay_for_ever(folder: Path, writer: int) -> None:
    """Take a key of each slot, and use it: write its serial number into the pipe."""
    try:
        slots = {method: KeySlot(file) for method, file in open_files(folder).items()}
        while True:
            for method, slot in slots.items():
                taken = slot.take()
                os.write(writer, method[:1].encode() + taken.ksn + taken.key)
    finally:
        os._exit(1)


def read_used(pipe: BinaryIO) -> Iterator[Used]:
    by_letter = {method[:1].encode(): method for method in LENGTHS}
    while letter := pipe.read(1):
        method = by_letter[letter]
        yield Used(method, int.from_bytes(pipe.read(LENGTHS[method])), pipe.read(16))


def is_wrong(used: Used) -> bool:
    """Whether the key after all these kills is not the one that a library derives."""
    return pydukpt.derive_key(INITIAL_KEY, used.ksn.to_bytes(10)) != used.key


def count(used: list[Used], kills: int, half_written: int, wrong_keys: int) -> Found:
    """Return what a run found, from all that was used in order."""
    ksns = {method: [each.ksn for each in used if each.method == method] for method in LENGTHS}
    twice = sum(len(each) - len(set(each)) for each in ksns.values())
    back = sum(
        last >= following
        for each in ksns.values()
        for last, following in zip(each, each[1:], strict=False)
    )
    skipped = sum(number_of_skipped(ksns[method], ones) for method, ones in ONES_MAX.items())
    payments = min(len(each) for each in ksns.values())
    return Found(payments, kills, len(used), skipped, half_written, twice, back, wrong_keys)


def number_of_skipped(ksns: list[int], ones_max: int) -> int:
    """Return how many counters that a device may use lie unused between the first and the last."""
    mask = COUNTERS - 1
    used = {each & mask for each in ksns}
    allowed = (each for each in range(min(used), max(used) + 1) if each.bit_count() <= ones_max)
    return sum(1 for _ in allowed) - len(used)


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*map(int, sys.argv[1:]))._asdict()) + "\n")
