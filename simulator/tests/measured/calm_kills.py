"""`kill -9` of the members that serve one calm sandbox: first of one beside its home, then of that.

`python -m simulator.tests.measured.calm_kills` prints what came of it as JSON. What was
acknowledged must read as it was acknowledged, of every amount exactly what was not captured must be
left, and every payment must have been notified under one event id, whichever member stored it.
"""

import json
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import sleep

import psycopg

from load.gateway.receiver_process import KEEP, ReceiverProcess, start_receiver
from load.gateway.server import start_gateway
from load.proof.deliveries import compare_events
from load.proof.kills import check_payment
from load.proof.merchant import ProofMerchant, create_merchant
from simulator.adapters.fleet.calm_home import CalmRules
from simulator.client import Control
from simulator.client.processes import ServerProcess
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.measured.fleet_kills import KEY, Shopper, at_member

MEMBERS, SHOPPERS = 3, 8
# Until the sandbox is calm and the others have asked; between kills; until another one is home.
CALM_S, BETWEEN_S, AFTER_S = CalmRules().after_s + 3.0, 3.0, 8.0
FIND_CALM = "select calm <> 0 from sandgate.homes where sandbox = %s"


def is_calm(store: str, sandbox: str) -> bool:
    """Whether the home lets others serve the sandbox."""
    with psycopg.connect(store) as connection:
        row = connection.execute(FIND_CALM, (sandbox,)).fetchone()
    return row is not None and bool(row[0])


@contextmanager
def paying(members: list[ServerProcess], merchant: ProofMerchant) -> Iterator[list[Shopper]]:
    """While it lasts shoppers pay, each request at a random member."""
    shoppers = [Shopper(members, [merchant], number) for number in range(SHOPPERS)]
    is_over = Event()
    threads = [Thread(target=each.run, args=(is_over,)) for each in shoppers]
    for thread in threads:
        thread.start()
    try:
        yield shoppers
    finally:
        is_over.set()
        for thread in threads:
            thread.join()


def faults_of(
    shoppers: list[Shopper], merchant: ProofMerchant, receiver: ReceiverProcess
) -> list[str]:
    """What is not as it was acknowledged, or not as it was notified."""
    found = [fault for shopper in shoppers for fault in shopper.unexpected]
    acknowledged = [body for shopper in shoppers for _, body in shopper.acknowledged]
    found += [check_payment(body, merchant) or "" for body in acknowledged]
    merchant.control.drain(merchant.sandbox, "60s")
    accepted = receiver.stats()["accepted"]
    ids = [body["id"] for body in acknowledged]
    found += compare_events(ids, accepted, is_pending=False).faults
    for payment in (each for shopper in shoppers for _, each in shopper.payments):
        possible = payment.possible_remainders()
        found.append(merchant.check_remainder(payment.id, payment.kind, possible) or "")
    return [fault for fault in found if fault]


def run() -> dict[str, object]:
    """What came of it."""
    with (
        running_cluster(is_durable=True) as cluster,
        TemporaryDirectory(prefix="sandgate-calm-") as name,
        start_receiver(KEEP) as receiver,
        ExitStack() as stack,
    ):
        store = cluster.create()
        options = ("--store", store, "--peer-key", KEY)
        members = [stack.enter_context(start_gateway(Path(name), *options)) for _ in range(MEMBERS)]
        home, left, beside = members
        merchant = create_merchant(home)
        merchant.control.create_webhook(
            merchant.sandbox, receiver.url, format="json", skip_activation=True
        )
        with paying(members, merchant) as shoppers:
            sleep(CALM_S)
            was_calm = is_calm(store, merchant.sandbox)
            for killed in (beside, home):
                members[members.index(killed)] = left
                killed.kill()
                sleep(BETWEEN_S)
            sleep(AFTER_S)
        control = Control(left.facts["control_url"], left.facts["control_key"])
        there = at_member(merchant, left)._replace(control=control)
        return {
            "was_calm": was_calm,
            "acknowledged": sum(len(each.acknowledged) for each in shoppers),
            "unknown": sum(not one.is_done for each in shoppers for one in each.sent),
            "faults": faults_of(shoppers, there, receiver),
        }


if __name__ == "__main__":
    print(json.dumps(run()))
