"""`kill -9` under load: what was acknowledged is there after the next start, complete and once.

Several shoppers authorize, capture and refund, each on a connection of its own, and all of them
capture from one shared authorization. At a random instant the server is killed, then restarted on
the same folder. Every acknowledged payment must read as it was acknowledged, and of every amount
exactly what was not captured or refunded must be left: a request without a response may count or
not, as a whole; an acknowledged one that is missing or duplicated changes the remainder.

In the test mode EXTERNAL a request that was in flight at the kill is reversed at the card host by
an advice, and then the ledgers of gateway and card host agree to the cent.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from itertools import combinations
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, NamedTuple

from load.gateway.server import start_gateway
from load.proof.merchant import ProofMerchant, create_merchant
from load.traffic.requests import SUCCESS
from simulator.client import Answer

SHOPPERS = 6
AUTHORIZED_CENTS, SHARED_CENTS = 100_00, 1_000_000_00
CAPTURES_PER_AUTHORIZATION = 3
KILL_AFTER_S = (0.15, 1.0)
DELAY_S = 0.01
INTERNAL, EXTERNAL = "INTERNAL", "EXTERNAL"
ADVICE = "0420"
RECONCILED_WITHIN_S = 20.0
CHANGING_FIELDS = ("timestamp", "ndc", "buildNumber")


class UnexpectedDeclineError(RuntimeError):
    """A request that has to be approved was not; the message shows the response."""


class TrackedPayment:
    """A payment with its captures or refunds: those acknowledged, and those without a response."""

    __slots__ = ("id", "kind", "cents", "acknowledged", "unknown")

    def __init__(self, payment_id: str, kind: str, cents: int):
        self.id = payment_id
        self.kind = kind
        self.cents = cents
        self.acknowledged: list[int] = []
        self.unknown: list[int] = []

    def possible_remainders(self) -> list[int]:
        """Return what may be left: each request without a response counts or does not."""
        left = self.cents - sum(self.acknowledged)
        sizes = range(len(self.unknown) + 1)
        return [left - sum(some) for size in sizes for some in combinations(self.unknown, size)]


class KilledLoad(NamedTuple):
    """What the clients of a killed server know."""

    merchant: ProofMerchant
    shoppers: list["TrackingShopper"]
    shared: TrackedPayment


class KillRound(NamedTuple):
    """The result of one kill: acknowledged payments, requests without a response, faults, and how
    many requests were reversed at the card host by an advice.
    """

    acknowledged: int
    unknown: int
    faults: list[str]
    advices: int = 0


class TrackingShopper:
    """One connection under load, and all responses it received."""

    def __init__(self, merchant: ProofMerchant, shared: TrackedPayment, random: Random):
        self.acknowledged: list[Mapping[str, Any]] = []
        self.payments: list[TrackedPayment] = []
        self._merchant = merchant
        self._shared = shared
        self._random = random

    def run(self) -> None:
        """Send requests until the server is killed."""
        try:
            while True:
                self._shop()
        except (OSError, HTTPException):
            self._merchant.client.close()

    def _shop(self) -> None:
        authorization = self._acknowledge(self._merchant.authorize(AUTHORIZED_CENTS))
        payment = self._track(authorization, "CP", AUTHORIZED_CENTS)
        for _ in range(CAPTURES_PER_AUTHORIZATION):
            cents = self._random.randint(1, AUTHORIZED_CENTS // CAPTURES_PER_AUTHORIZATION)
            capture = self._refer(payment, cents)
            self._refer(self._track(capture, "RF", cents), self._random.randint(1, cents))
        self._refer(self._shared, self._random.randint(1, 999))

    def _refer(self, payment: TrackedPayment, cents: int) -> Answer:
        payment.unknown.append(cents)
        answer = self._acknowledge(self._merchant.refer(payment.id, payment.kind, cents))
        payment.acknowledged.append(cents)
        payment.unknown.remove(cents)
        return answer

    def _track(self, answer: Answer, kind: str, cents: int) -> TrackedPayment:
        self.payments.append(TrackedPayment(answer.id, kind, cents))
        return self.payments[-1]

    def _acknowledge(self, answer: Answer) -> Answer:
        if not answer.code.startswith(SUCCESS):
            raise UnexpectedDeclineError(f"expected an approval, got {answer.code} {answer.reason}")
        self.acknowledged.append(answer.body)
        return answer


def run_kill_round(folder: Path, seed: int, mode: str = INTERNAL) -> KillRound:
    """Load a gateway with data in `folder`, kill it, restart it, check it."""
    return check_after_restart(folder, load_and_kill(folder, seed, mode))


def load_and_kill(
    folder: Path, seed: int, mode: str = INTERNAL, *, options: Sequence[str] = ()
) -> KilledLoad:
    """Load a gateway with these options until a random instant, kill it, and return what its
    clients know.

    With an odd seed the acquirer delays its responses, as a card host does. Raises
    UnexpectedDeclineError.
    """
    random = Random(seed)
    with start_gateway(folder, *options) as server:
        merchant = create_merchant(server)._replace(mode=mode)
        if seed % 2 or mode == EXTERNAL:
            # Equal delays would let all shoppers wait for the same commit.
            merchant.delay_responses(DELAY_S, is_random=mode == EXTERNAL)
        shared = TrackedPayment(merchant.authorize(SHARED_CENTS).id, "CP", SHARED_CENTS)
        shoppers = [
            TrackingShopper(merchant.reconnect(), shared, Random(random.random()))
            for _ in range(SHOPPERS)
        ]
        with ThreadPoolExecutor(SHOPPERS) as pool:
            running = [pool.submit(shopper.run) for shopper in shoppers]
            sleep(random.uniform(*KILL_AFTER_S))
            server.kill()
        for each in running:
            each.result()
    return KilledLoad(merchant, shoppers, shared)


def check_after_restart(
    folder: Path,
    load: KilledLoad,
    timeout_s: float = RECONCILED_WITHIN_S,
    *,
    options: Sequence[str] = (),
) -> KillRound:
    """Restart a gateway with data in `folder`, and check it against what its clients know."""
    with start_gateway(folder, *options) as server:
        merchant = load.merchant.at(server)
        if merchant.mode != EXTERNAL:
            return _check_payments(load, merchant)
        differences = _reconcile(merchant, timeout_s)
        advices = _count_advices(merchant)
        checked = _check_payments(load, merchant)
        return checked._replace(faults=[*differences, *checked.faults], advices=advices)


def _reconcile(merchant: ProofMerchant, timeout_s: float) -> list[str]:
    """Return how gateway and card host differ, after every reversal could be answered."""
    until = monotonic() + timeout_s
    while True:
        report = merchant.control.books(merchant.sandbox)
        faults = [f"ledger: {each}" for each in report["differences"]]
        faults += [f"ledger: {each} is in flight" for each in report["under_way"]]
        if not faults or monotonic() > until:
            return faults
        sleep(DELAY_S)


def _count_advices(merchant: ProofMerchant) -> int:
    """Return how many requests the restarted gateway reversed at the card host."""
    entries = merchant.control.journal(merchant.sandbox, limit=500)["entries"]
    messages = (each for entry in entries for each in entry.get("messages", ()))
    return sum(each["label"] == ADVICE for each in messages)


def _check_payments(load: KilledLoad, merchant: ProofMerchant) -> KillRound:
    acknowledged = [body for shopper in load.shoppers for body in shopper.acknowledged]
    payments = [load.shared, *(each for shopper in load.shoppers for each in shopper.payments)]
    faults = [check_payment(body, merchant) for body in acknowledged]
    faults += [
        merchant.check_remainder(payment.id, payment.kind, payment.possible_remainders())
        for payment in payments
    ]
    unknown = sum(len(payment.unknown) for payment in payments)
    return KillRound(len(acknowledged), unknown, [fault for fault in faults if fault])


def check_payment(body: Mapping[str, Any], merchant: ProofMerchant) -> str | None:
    """Return a fault unless an acknowledged payment still reads the same."""
    read = merchant.client.get(f"v1/payments/{body['id']}")
    expected, received = _lasting_fields(body), _lasting_fields(read.body)
    if read.status == 200 and received == expected:
        return None
    return f"{body['id']}: acknowledged {expected}, reads {read.status} {received}"


def _lasting_fields(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in CHANGING_FIELDS}
