"""`kill -9` under load: what was acknowledged is there after the next start, whole and once.

Several shoppers authorise, capture and refund, each on a connection of its own, and all of them
capture from one authorisation that they share. At a random instant the server is killed, then
started again on the same folder. Every acknowledged payment must read as it was answered. Of every
sum must be left exactly what was not taken: a request without an answer may count or not, as a
whole; an acknowledged one that is missing, or there twice, changes the sum.

In the test mode EXTERNAL a line lies between: a request that was open at the kill is taken back at
the card host by an advice, and then the books of gateway and host agree to the cent.
"""

from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from itertools import combinations
from pathlib import Path
from random import Random
from time import monotonic, sleep
from typing import Any, NamedTuple

from load.proof.merchant import APPROVED, Merchant, new_merchant
from load.servers import gateway
from simulator.client import Answer

SHOPPERS = 6
AUTHORISED_CENTS, SHARED_CENTS = 100_00, 1_000_000_00
CAPTURES_A_TREE = 3
KILL_AFTER_S = (0.15, 1.0)
DELAY_S = 0.01
INTERNAL, EXTERNAL = "INTERNAL", "EXTERNAL"
ADVICE = "0420"
CLOSED_WITHIN_S = 20.0
OF_ITS_TIME = ("timestamp", "ndc", "buildNumber")


class Unexpected(RuntimeError):
    """A request that nothing forbids was not approved; the message shows the answer."""


class Purse:
    """A payment that parts are taken from: what was taken for sure, and what has no answer yet."""

    __slots__ = ("payment", "kind", "cents", "taken", "unanswered")

    def __init__(self, payment: str, kind: str, cents: int):
        self.payment = payment
        self.kind = kind
        self.cents = cents
        self.taken: list[int] = []
        self.unanswered: list[int] = []

    def possible_remainders(self) -> list[int]:
        """What may be left: a part without an answer was taken or was not."""
        left = self.cents - sum(self.taken)
        sizes = range(len(self.unanswered) + 1)
        return [left - sum(some) for size in sizes for some in combinations(self.unanswered, size)]


class Witness(NamedTuple):
    """What the other side of a killed server remembers."""

    merchant: Merchant
    shoppers: list["Shopper"]
    shared: Purse


class Round(NamedTuple):
    """What one kill came to: payments acknowledged, requests cut short, what is wrong, and how many
    were taken back at the card host.
    """

    acknowledged: int
    unanswered: int
    faults: list[str]
    advices: int = 0


class Shopper:
    """One connection under load, and all that it was told."""

    def __init__(self, merchant: Merchant, shared: Purse, random: Random):
        self.told: list[Mapping[str, Any]] = []
        self.purses: list[Purse] = []
        self._merchant = merchant
        self._shared = shared
        self._random = random

    def run(self) -> None:
        """Shop until the server is gone."""
        try:
            while True:
                self._shop()
        except (OSError, HTTPException):
            self._merchant.client.close()

    def _shop(self) -> None:
        authorised = self._heard(self._merchant.authorise(AUTHORISED_CENTS))
        purse = self._purse(authorised, "CP", AUTHORISED_CENTS)
        for _ in range(CAPTURES_A_TREE):
            cents = self._random.randint(1, AUTHORISED_CENTS // CAPTURES_A_TREE)
            captured = self._take(purse, cents)
            self._take(self._purse(captured, "RF", cents), self._random.randint(1, cents))
        self._take(self._shared, self._random.randint(1, 999))

    def _take(self, purse: Purse, cents: int) -> Answer:
        purse.unanswered.append(cents)
        answer = self._heard(self._merchant.take(purse.payment, purse.kind, cents))
        purse.taken.append(cents)
        purse.unanswered.remove(cents)
        return answer

    def _purse(self, answer: Answer, kind: str, cents: int) -> Purse:
        self.purses.append(Purse(answer.id, kind, cents))
        return self.purses[-1]

    def _heard(self, answer: Answer) -> Answer:
        if not answer.code.startswith(APPROVED):
            raise Unexpected(f"expected an approval, got {answer.code} {answer.description}")
        self.told.append(answer.body)
        return answer


def kill_round(folder: Path, seed: int, mode: str = INTERNAL) -> Round:
    """Load a gateway over `folder`, kill it, start it again, look."""
    return look(folder, load_and_kill(folder, seed, mode))


def load_and_kill(folder: Path, seed: int, mode: str = INTERNAL) -> Witness:
    """What shoppers remember who were served until a random instant.

    In rounds with an odd seed the acquirer takes a moment, and so does a card host. Raises
    Unexpected.
    """
    random = Random(seed)
    with gateway(folder) as server:
        merchant = new_merchant(server)._replace(mode=mode)
        if seed % 2 or mode == EXTERNAL:
            # Even delays would let all shoppers wait for the same commit.
            merchant.delay_answers(DELAY_S, uneven=mode == EXTERNAL)
        shared = Purse(merchant.authorise(SHARED_CENTS).id, "CP", SHARED_CENTS)
        shoppers = [
            Shopper(merchant.again(), shared, Random(random.random())) for _ in range(SHOPPERS)
        ]
        with ThreadPoolExecutor(SHOPPERS) as pool:
            served = [pool.submit(shopper.run) for shopper in shoppers]
            sleep(random.uniform(*KILL_AFTER_S))
            server.kill()
        for each in served:
            each.result()
    return Witness(merchant, shoppers, shared)


def look(folder: Path, witness: Witness, patience_s: float = CLOSED_WITHIN_S) -> Round:
    """Whether a gateway over `folder` knows what the witness was told."""
    with gateway(folder) as server:
        merchant = witness.merchant.at(server)
        if merchant.mode != EXTERNAL:
            return _looked_at(witness, merchant)
        differing = _differing_books(merchant, patience_s)
        advices = _advices(merchant)
        looked = _looked_at(witness, merchant)
        return looked._replace(faults=[*differing, *looked.faults], advices=advices)


def _differing_books(merchant: Merchant, patience_s: float) -> list[str]:
    """Where gateway and card host differ, once every reversal had its time to be answered."""
    until = monotonic() + patience_s
    while True:
        books = merchant.control.books(merchant.sandbox)
        found = [f"books: {each}" for each in books["differences"]]
        found += [f"books: {each} is under way" for each in books["under_way"]]
        if not found or monotonic() > until:
            return found
        sleep(DELAY_S)


def _advices(merchant: Merchant) -> int:
    """How many requests the new start took back at the card host."""
    entries = merchant.control.journal(merchant.sandbox, limit=500)["entries"]
    said = (each for entry in entries for each in entry.get("messages", ()))
    return sum(each["label"] == ADVICE for each in said)


def _looked_at(witness: Witness, merchant: Merchant) -> Round:
    told = [body for shopper in witness.shoppers for body in shopper.told]
    purses = [witness.shared, *(each for shopper in witness.shoppers for each in shopper.purses)]
    found = [_fault_of(body, merchant) for body in told]
    found += [
        merchant.fault_of_remainder(purse.payment, purse.kind, purse.possible_remainders())
        for purse in purses
    ]
    unanswered = sum(len(purse.unanswered) for purse in purses)
    return Round(len(told), unanswered, [fault for fault in found if fault])


def _fault_of(told: Mapping[str, Any], merchant: Merchant) -> str | None:
    """What is wrong with an acknowledged payment, as it reads now."""
    read = merchant.client.get(f"v1/payments/{told['id']}")
    if read.status == 200 and _lasting(read.body) == _lasting(told):
        return None
    return f"{told['id']}: answered {_lasting(told)}, reads {read.status} {_lasting(read.body)}"


def _lasting(body: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in body.items() if name not in OF_ITS_TIME}
