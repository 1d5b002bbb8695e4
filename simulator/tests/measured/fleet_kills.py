"""A fleet under load that loses what a fleet can lose: members, its database, the way to it.

`python -m simulator.tests.measured.fleet_kills SECONDS` prints what came of it as JSON. Shoppers
authorize, capture and refund in several sandboxes, each request at a random member. Meanwhile a
random member is killed every five seconds, and another one started in its place; then the database
ends at once and recovers; then one member cannot reach it for 15 seconds. What was acknowledged
must read as it was acknowledged, and of every amount exactly what was not captured or refunded must
be left.
"""

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPException
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from threading import Event, Thread
from time import monotonic, sleep
from typing import NamedTuple

from load.gateway.server import start_gateway
from load.proof.kills import TrackedPayment, check_payment
from load.proof.merchant import ProofMerchant, create_merchant
from load.traffic.requests import SUCCESS
from simulator.client import Answer, Client
from simulator.client.processes import ServerProcess
from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster
from simulator.tests.adapters.postgresql.relay import Relay

MEMBERS, SANDBOXES, SHOPPERS = 3, 6, 4
KILL_EACH_S, PARTITION_S, CALM_S = 5.0, 15.0, 8.0
AUTHORIZED_CENTS, CAPTURES = 100_00, 3
PAUSE_S = 0.15
ANSWER_S_MAX = 30.0
KEY = "the-key-of-the-fleet-of-proofs"
UNAVAILABLE = 503


class Sent(NamedTuple):
    """A request: when it began, how long it took, and whether it was carried out."""

    began: float
    seconds: float
    is_done: bool


class Shopper:
    """Pays in one sandbox after the other, and knows what was acknowledged and what may be."""

    def __init__(self, members: list[ServerProcess], merchants: list[ProofMerchant], seed: int):
        self.acknowledged: list[tuple[ProofMerchant, dict]] = []
        self.payments: list[tuple[ProofMerchant, TrackedPayment]] = []
        self.sent: list[Sent] = []
        self.unexpected: list[str] = []
        self._members = members
        self._merchants = merchants
        self._random = Random(seed)

    def run(self, is_over: Event) -> None:
        """Pay until it is over."""
        while not is_over.is_set():
            merchant = self._random.choice(self._merchants)
            authorized = self._ask(merchant, lambda at: at.authorize(AUTHORIZED_CENTS))
            if authorized is not None:
                payment = TrackedPayment(authorized.id, "CP", AUTHORIZED_CENTS)
                self.payments.append((merchant, payment))
                for _ in range(CAPTURES):
                    self._capture(merchant, payment)
            sleep(PAUSE_S)

    def _capture(self, merchant: ProofMerchant, payment: TrackedPayment) -> None:
        cents = self._random.randint(1, AUTHORIZED_CENTS // CAPTURES)
        payment.unknown.append(cents)
        if self._ask(merchant, lambda at: at.refer(payment.id, "CP", cents)) is not None:
            payment.acknowledged.append(cents)
            payment.unknown.remove(cents)

    def _ask(
        self, merchant: ProofMerchant, send: Callable[[ProofMerchant], Answer]
    ) -> Answer | None:
        """The approval, or None where it is unknown what became of the request."""
        began, answer = monotonic(), None
        with suppress(OSError, HTTPException):
            answer = send(at_member(merchant, self._random.choice(self._members)))
        is_done = answer is not None and answer.code.startswith(SUCCESS)
        self.sent.append(Sent(began, monotonic() - began, is_done))
        if answer is None or answer.status == UNAVAILABLE:
            return None
        if not is_done:
            self.unexpected.append(f"{answer.status} {answer.code} {answer.reason}")
            return None
        self.acknowledged.append((merchant, answer.body))
        return answer


class FleetUnderLoad:
    """Members on one database, the first ones with `options`, and shoppers."""

    def __init__(
        self,
        stack: ExitStack,
        cluster: Cluster,
        data: Path,
        store: str = "",
        options: Sequence[str] = (),
    ):
        self.relay = Relay(cluster.socket)
        self._stack, self._data = stack, data
        self._store = store or cluster.create()
        self.members = [self.start(None, *options) for _ in range(MEMBERS)]
        makers = (self.members[number % MEMBERS] for number in range(SANDBOXES))
        self.merchants = [create_merchant(maker) for maker in makers]
        self.shoppers = [
            Shopper(self.members, self.merchants, number) for number in range(SHOPPERS)
        ]

    def start(self, store: str | None = None, *more: str) -> ServerProcess:
        """Another member."""
        options = ("--store", store or self._store, "--peer-key", KEY, "--throttle", "off")
        return self._stack.enter_context(start_gateway(self._data, *options, *more))

    def behind_relay(self) -> ServerProcess:
        """Another member, which reaches the database by the relay alone."""
        name = self._store.partition("///")[2].partition("?")[0]
        address = f"postgresql://sandgate@127.0.0.1:{self.relay.port}/{name}?sslmode=disable"
        return self.start(address)

    @contextmanager
    def loaded(self) -> Iterator[None]:
        """While it lasts shoppers pay."""
        is_over = Event()
        threads = [Thread(target=each.run, args=(is_over,)) for each in self.shoppers]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            is_over.set()
            for thread in threads:
                thread.join()

    def longest_wait_s(self, since: float, until: float) -> float:
        """The longest request that was carried out and was under way in a span."""
        sent = [one for shopper in self.shoppers for one in shopper.sent if one.is_done]
        spans = [
            one.seconds for one in sent if one.began < until and one.began + one.seconds > since
        ]
        return max(spans, default=ANSWER_S_MAX)

    def faults(self) -> list[str]:
        """What is not as it was acknowledged, after everything."""
        found = [fault for shopper in self.shoppers for fault in shopper.unexpected]
        member = self.members[0]
        for shopper in self.shoppers:
            for merchant, body in shopper.acknowledged:
                found.append(check_payment(body, at_member(merchant, member)) or "")
            for merchant, payment in shopper.payments:
                possible = payment.possible_remainders()
                there = at_member(merchant, member)
                found.append(there.check_remainder(payment.id, payment.kind, possible) or "")
        return [fault for fault in found if fault]


def at_member(merchant: ProofMerchant, member: ServerProcess) -> ProofMerchant:
    """The merchant at a member, on a connection of its own."""
    old = merchant.client
    client = Client(member.base_url, old.token, old.entity_id, timeout_s=ANSWER_S_MAX)
    return merchant._replace(client=client)


def kill_members(fleet: FleetUnderLoad, seconds: float) -> list[float]:
    """Kill a random member every five seconds; the longest wait after each one."""
    random, waits, until = Random(0), [], monotonic() + seconds
    while monotonic() < until:
        sleep(KILL_EACH_S)
        number = random.randrange(MEMBERS)
        killed, began = fleet.members[number], monotonic()
        fleet.members[number] = fleet.members[(number + 1) % MEMBERS]
        killed.kill()
        fleet.members[number] = fleet.start()
        sleep(max(0.0, began + KILL_EACH_S - monotonic()))
        waits.append(fleet.longest_wait_s(began, began + KILL_EACH_S))
    return waits


def crash_database(fleet: FleetUnderLoad, cluster: Cluster) -> float:
    """End the database at once and start it; how long until a request was carried out again."""
    sleep(1)
    cluster.stop()
    cluster.start()
    return back_after_s(fleet, monotonic())


def back_after_s(fleet: FleetUnderLoad, began: float) -> float:
    """How long from an instant until a request was carried out that ended after it."""
    sleep(CALM_S)
    after = [
        one.began + one.seconds - began
        for shopper in fleet.shoppers
        for one in shopper.sent
        if one.is_done and one.began + one.seconds > began
    ]
    return min(after, default=ANSWER_S_MAX)


def cut_off(fleet: FleetUnderLoad) -> dict[str, float]:
    """Keep one member from the database for 15 seconds: when it refused, and how it ended."""
    alone = fleet.behind_relay()
    merchant = create_merchant(alone)
    sleep(1)
    fleet.relay.loses_requests = fleet.relay.loses_answers = True
    began, refused = monotonic(), ANSWER_S_MAX
    while monotonic() < began + PARTITION_S:
        with suppress(OSError, HTTPException):
            answer = at_member(merchant, alone).authorize(100)
            if answer.status == UNAVAILABLE:
                refused = min(refused, monotonic() - began)
        sleep(0.2)
    moved = at_member(merchant, fleet.members[0]).authorize(100)
    fleet.relay.loses_requests = fleet.relay.loses_answers = False
    fleet.relay.cut()
    ended = alone.process.wait(ANSWER_S_MAX)
    return {"refused_after_s": refused, "moved": moved.status, "ended": ended}


def main(seconds: float) -> None:
    """Load a fleet, and print what came of it."""
    with (
        running_cluster(is_durable=True) as cluster,
        TemporaryDirectory(prefix="sandgate-proof-") as name,
        ExitStack() as stack,
    ):
        fleet = FleetUnderLoad(stack, cluster, Path(name))
        with fleet.loaded():
            waits = kill_members(fleet, seconds)
            back_s = crash_database(fleet, cluster)
            partition = cut_off(fleet)
        sent = [one for shopper in fleet.shoppers for one in shopper.sent]
        found = {
            "requests": len(sent),
            "acknowledged": sum(len(each.acknowledged) for each in fleet.shoppers),
            "unknown": sum(not one.is_done for one in sent),
            "waits_s": waits,
            "back_s": back_s,
            "partition": partition,
            "faults": fleet.faults(),
        }
    print(json.dumps(found))


if __name__ == "__main__":
    main(float(sys.argv[1]))
