"""Random power cuts under a working store: nothing acknowledged is lost, nothing is there by half.

python -m simulator.tests.adapters.store.power_cuts 10000
"""

import json
import random
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import gevent

from simulator.adapters.store.store import DocumentStore
from simulator.domain.core.errors import DiskError
from simulator.domain.core.ports import Unit
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk
from simulator.tests.adapters.webhooks.parcels import KINDS, Parcel, Receipt, a_parcel

LOG = Path("data/a.log")
COUNTERS = ("x", "y")
SAVERS_MAX = 6
SAVES_MAX = 8
RECEIPTS_MAX = 3
STEPS_MAX = 30

DiskMaker = Callable[..., PowerCutDisk]


class Saved(NamedTuple):
    """What a unit did: made a parcel and its receipts, and counted up a shared parcel."""

    parcel: str
    receipts: int
    counter: str
    version: int


def main(cuts: int, seed: int = 0, make_disk: DiskMaker = PowerCutDisk) -> dict[str, int]:
    """The figures of so many cuts. Raises AssertionError, with the seed, where anything is lost."""
    figures: Counter[str] = Counter(rounds=0, cuts=0)
    while figures["cuts"] < cuts:
        figures.update(two_lives(seed + figures["rounds"], make_disk))
        figures["rounds"] += 1
    return {"first_seed": seed, **figures}


def two_lives(seed: int, make_disk: DiskMaker) -> dict[str, int]:
    """A life of a store that ends in a power cut, and a second one upon what the first has left.

    The second cut may come while the store is still reading what the first one has left.
    """
    chance = random.Random(seed)
    disk = make_disk(seed=seed)
    there: list[Saved] = []
    figures: Counter[str] = Counter(acknowledged=0, unanswered=0, unanswered_but_stored=0)
    for life in range(2):
        disk.steps_left = chance.randrange(STEPS_MAX)
        acknowledged, unanswered = work(disk, chance, f"{life}")
        figures["cuts"] += disk.steps_left == 0
        disk = disk.after_cut()
        stored = check(disk.after_cut(), there + acknowledged, unanswered, seed=seed)
        there += acknowledged + stored
        figures["acknowledged"] += len(acknowledged)
        figures["unanswered"] += len(unanswered)
        figures["unanswered_but_stored"] += len(stored)
    return figures


def work(disk: PowerCutDisk, chance: random.Random, life: str) -> tuple[list[Saved], list[Saved]]:
    """What several greenlets saved until they were done or the power went: answered, and not."""
    store = DocumentStore(LOG, kinds=KINDS, disk=disk)
    acknowledged: list[Saved] = []
    unanswered: list[Saved] = []

    def save_some(name: str, own: random.Random) -> None:
        for number in range(own.randrange(1, SAVES_MAX + 1)):
            try:
                saved, unit = plan(store, f"{life}-{name}-{number}", own)
            except (DiskError, OSError):
                return
            try:
                store.commit(unit)
            except (DiskError, OSError):
                unanswered.append(saved)
            else:
                acknowledged.append(saved)
            if own.random() < 0.1:
                store.sleep()

    def compact() -> None:
        gevent.sleep(0)
        try:
            store.compact()
        except (DiskError, OSError):
            return

    names = [f"{number}" for number in range(chance.randrange(1, SAVERS_MAX + 1))]
    savers = [gevent.spawn(save_some, name, random.Random(chance.random())) for name in names]
    if chance.random() < 0.5:
        savers.append(gevent.spawn(compact))
    gevent.joinall(savers, raise_error=True)
    return acknowledged, unanswered


def plan(store: DocumentStore, name: str, chance: random.Random) -> tuple[Saved, Unit]:
    """A unit over three tables' worth of records, and what it will have done."""
    counter = chance.choice(COUNTERS)
    held = store.get(Parcel, counter)
    version = 1 if held is None else held.version + 1
    receipts = chance.randrange(RECEIPTS_MAX + 1)
    unit = Unit(
        puts=(
            a_parcel(name, sender=counter, labels={"filler": "x" * chance.randrange(200)}),
            *(Receipt(id=f"{name}/{one}", version=1, parcel=name) for one in range(receipts)),
            a_parcel(counter, version),
        )
    )
    return Saved(name, receipts, counter, version), unit


def check(
    disk: PowerCutDisk, acknowledged: list[Saved], unanswered: list[Saved], *, seed: int
) -> list[Saved]:
    """Those of the unanswered that are stored all the same; AssertionError if anything is amiss."""
    store = DocumentStore(LOG, kinds=KINDS, disk=disk)
    is_there = {saved.parcel: store.get(Parcel, saved.parcel) is not None
                for saved in acknowledged + unanswered}  # fmt: skip
    lost = [saved for saved in acknowledged if not is_there[saved.parcel]]
    assert not lost, f"seed {seed}: acknowledged and lost: {lost}"
    for saved in acknowledged + unanswered:
        receipts = len(store.find(Receipt, "parcel", saved.parcel))
        assert receipts == saved.receipts * is_there[saved.parcel], f"seed {seed}: half of {saved}"
    stored = [saved for saved in unanswered if is_there[saved.parcel]]
    for counter in COUNTERS:
        counted = [saved for saved in acknowledged + stored if saved.counter == counter]
        assert_counted(store, counter, counted, seed=seed)
    return stored


def assert_counted(store: DocumentStore, counter: str, counted: list[Saved], *, seed: int) -> None:
    """Each unit counted once, in order, and its parcel is found once."""
    held = store.get(Parcel, counter)
    last = 0 if held is None else held.version
    versions = sorted(saved.version for saved in counted)
    assert versions == list(range(1, last + 1)), f"seed {seed}: {counter} counted {versions}"
    found = sorted(parcel.id for parcel in store.find(Parcel, "sender", counter))
    assert found == sorted(saved.parcel for saved in counted), f"seed {seed}: found {found}"


if __name__ == "__main__":
    sys.stdout.write(json.dumps(main(*map(int, sys.argv[1:]))) + "\n")
