"""`kill -9` under delivery: each change of state is notified at least once, under one event id.

Shoppers pay while notifications go to a receiver that rejects some of them; in odd rounds their
payments are pending first. At a random instant after the first answer the server is killed, then
restarted on the same folder, and its clock is advanced past the retries of what was rejected. Each
change of every acknowledged payment must have been notified under exactly one event id, however
often.
"""

import json
from collections import Counter, defaultdict
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from random import Random
from threading import Event
from time import sleep
from typing import Any, NamedTuple

from load.gateway.receiver_process import KEEP, ReceiverProcess, start_receiver
from load.gateway.server import start_gateway
from load.proof.merchant import ProofMerchant, create_merchant

SHOPPERS = 4
CENTS = 92_00
KILL_AFTER_S = (0.0, 0.85)
# A busy machine takes its time for the first answer.
BEGIN_S_MAX = 30.0
REJECTS_EVERY = 7
# Longer than the first retry intervals, and than a payment is pending.
ADVANCES = ("1m", "2m", "4m")
CREATED, UPDATED = "CREATED", "UPDATED"


class DeliveryRound(NamedTuple):
    """The result of one kill: acknowledged payments, accepted notifications, repeated ones."""

    acknowledged: int
    accepted: int
    repeated: int
    faults: list[str]


def run_delivery_round(folder: Path, seed: int) -> DeliveryRound:
    """Load a gateway with data in `folder`, kill and restart it, compare payments and events."""
    random, is_pending = Random(seed), bool(seed % 2)
    with start_receiver(KEEP) as receiver:
        receiver.reject(every=REJECTS_EVERY)
        merchant, payment_ids = _pay_and_kill(folder, receiver, random, is_pending=is_pending)
        receiver.reject(every=0)
        with start_gateway(folder) as server:
            _deliver_all(merchant.at(server))
        return compare_events(payment_ids, receiver.stats()["accepted"], is_pending=is_pending)


def compare_events(
    payment_ids: list[str], accepted: list[Mapping[str, Any]], *, is_pending: bool
) -> DeliveryRound:
    """Compare the acknowledged payments with the accepted notifications."""
    event_ids: dict[tuple[str, str], set[str]] = defaultdict(set)
    for each in accepted:
        event = json.loads(each["body"])
        event_ids[event["payload"]["id"], event["action"]].add(each["event_id"])
    changes = (CREATED, UPDATED) if is_pending else (CREATED,)
    faults = [
        f"{payment}: {change} was never notified"
        for payment in payment_ids
        for change in changes
        if (payment, change) not in event_ids
    ]
    faults += [
        f"{payment}: {change} was notified under {len(ids)} event ids"
        for (payment, change), ids in event_ids.items()
        if len(ids) != 1
    ]
    deliveries = Counter(each["event_id"] for each in accepted)
    repeated = sum(number - 1 for number in deliveries.values())
    return DeliveryRound(len(payment_ids), len(deliveries), repeated, faults)


def _pay_and_kill(
    folder: Path, receiver: ReceiverProcess, random: Random, *, is_pending: bool
) -> tuple[ProofMerchant, list[str]]:
    """Return the merchant and the ids of its payments acknowledged before the server was killed."""
    with start_gateway(folder) as server:
        merchant = create_merchant(server)
        merchant.control.create_webhook(
            merchant.sandbox, receiver.url, format="json", skip_activation=True
        )
        if is_pending:
            merchant.control.arm_script(merchant.sandbox, "pending-then-approved")
        payment_ids, has_begun = list[str](), Event()
        with ThreadPoolExecutor(SHOPPERS) as pool:
            paying = [
                pool.submit(_pay_until_killed, merchant.reconnect(), payment_ids, has_begun)
                for _ in range(SHOPPERS)
            ]
            has_begun.wait(BEGIN_S_MAX)
            sleep(random.uniform(*KILL_AFTER_S))
            server.kill()
            for each in paying:
                each.result()
        return merchant, payment_ids


def _pay_until_killed(merchant: ProofMerchant, payment_ids: list[str], has_begun: Event) -> None:
    try:
        while True:
            payment_ids.append(merchant.authorize(CENTS).id)
            has_begun.set()
    except (OSError, HTTPException):
        merchant.client.close()


def _deliver_all(merchant: ProofMerchant) -> None:
    for advance in ADVANCES:
        merchant.control.drain(merchant.sandbox, "60s")
        merchant.control.advance_clock(merchant.sandbox, by=advance)
    merchant.control.drain(merchant.sandbox, "60s")
