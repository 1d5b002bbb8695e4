"""`kill -9` under delivery: each change of state is told at least once, under one identity.

Shoppers pay while notifications go to a receiver that refuses some of them; in odd rounds their
payments are pending first. At a random instant the server is killed, then started again on the
same folder, and its clock is moved past the waits of what was refused. Every payment that was
acknowledged must have been told of, each of its changes under one identity, however often it came.
"""

import json
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path
from random import Random
from time import sleep
from typing import Any, NamedTuple

from load.proof.merchant import Merchant, new_merchant
from load.servers import Server, gateway, running
from simulator.client import Connection

SHOPPERS = 4
CENTS = 92_00
KILL_AFTER_S = (0.15, 1.0)
REFUSES_EVERY = 7
# Longer than the waits of the first failures, and than what is pending takes.
WAITS = ("1m", "2m", "4m")
CREATED, UPDATED = "CREATED", "UPDATED"


class Round(NamedTuple):
    """What one kill came to: payments acknowledged, notifications taken, some again, faults."""

    acknowledged: int
    taken: int
    repeated: int
    faults: list[str]


class Receiver(NamedTuple):
    """The receiver of the notifications."""

    server: Server

    @property
    def url(self) -> str:
        """Where notifications go."""
        return f"{self.server.base_url}hook"

    def refuse(self, every: int) -> None:
        """From now on refuse each so-many-th; 0 takes all."""
        self._ask(f"every/{every}")

    def taken(self) -> list[Mapping[str, Any]]:
        """What was taken: `event_id` and `body` of each."""
        return list(self._ask("stats").body["heard"])

    def _ask(self, path: str) -> Any:
        link = Connection(self.server.base_url)
        try:
            return link.ask("GET", path, headers={})
        finally:
            link.close()


def delivery_round(folder: Path, seed: int) -> Round:
    """Load a gateway over `folder` that tells a receiver, kill it, start it again, compare."""
    random = Random(seed)
    with receiver() as told:
        told.refuse(REFUSES_EVERY)
        merchant, paid = _pay_and_kill(folder, told, random, pending=bool(seed % 2))
        told.refuse(0)
        with gateway(folder) as server:
            _deliver_all(merchant.at(server))
        return _compared(paid, told.taken(), pending=bool(seed % 2))


@contextmanager
def receiver() -> Iterator[Receiver]:
    """A receiver in a process of its own."""
    with running([sys.executable, "-m", "load.sink", "keep"]) as server:
        yield Receiver(server)


def _pay_and_kill(
    folder: Path, told: Receiver, random: Random, *, pending: bool
) -> tuple[Merchant, list[str]]:
    with gateway(folder) as server:
        merchant = new_merchant(server)
        merchant.control.create_webhook(
            merchant.sandbox, told.url, format="json", skip_activation=True
        )
        if pending:
            merchant.control.arm_script(merchant.sandbox, "pending-then-approved")
        with ThreadPoolExecutor(SHOPPERS) as pool:
            shopping = [pool.submit(_shop, merchant.again()) for _ in range(SHOPPERS)]
            sleep(random.uniform(*KILL_AFTER_S))
            server.kill()
        return merchant, [payment for each in shopping for payment in each.result()]


def _shop(merchant: Merchant) -> list[str]:
    """The payments that were acknowledged until the server was gone."""
    paid = []
    try:
        while True:
            paid.append(merchant.authorise(CENTS).id)
    except (OSError, HTTPException):
        merchant.client.close()
    return paid


def _deliver_all(merchant: Merchant) -> None:
    for wait in WAITS:
        merchant.control.drain(merchant.sandbox, "60s")
        merchant.control.advance_clock(merchant.sandbox, by=wait)
    merchant.control.drain(merchant.sandbox, "60s")


def _compared(paid: list[str], taken: list[Mapping[str, Any]], *, pending: bool) -> Round:
    told: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in taken:
        event = json.loads(each["body"])
        told[event["payload"]["id"], event["action"]].add(each["event_id"])
    changes = (CREATED, UPDATED) if pending else (CREATED,)
    faults = [
        f"{payment}: {change} was never told"
        for payment in paid
        for change in changes
        if (payment, change) not in told
    ]
    faults += [
        f"{payment}: {change} was told under {len(identities)} identities"
        for (payment, change), identities in told.items()
        if len(identities) != 1
    ]
    times = Counter(each["event_id"] for each in taken)
    repeated = sum(number - 1 for number in times.values())
    return Round(len(paid), len(times), repeated, faults)
