"""`python -m pos_emulator.tests.terminal.many_payments COUNT SEED`: payments under chance faults.

Both links have faults; afterwards the ledgers agree: nothing is charged twice, nothing is lost.

Prints as JSON how the payments ended and how often the ledgers were compared; a difference ends
it with a traceback.
"""

import json
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import NamedTuple

from pos_emulator.terminal.records import Ending, OrderKind, Stage, TerminalEntry
from pos_emulator.tests.folders import quick_folder
from pos_emulator.tests.terminal.shop import CLOCK, Shop
from simulator.client import gateway_for

BATCH, TIMEOUT_S = 200, 0.5
FAULTS = {
    "create_payment": ["connection-reset", "connection-reset-before", "connection-closed",
                       "answer-cut", "answer-not-json", "proxy-502", "proxy-503"],
    "refer_payment": ["connection-reset", "connection-reset-before", "answer-cut"],
    "query_payments": ["connection-reset", "proxy-503"],
}  # fmt: skip
LINK = ["timeout", "silent", "garble", "drop", "duplicate", "wrong_stan", "late"]
CARDS = [
    (lambda shop: shop.insert("gold"), "1234"),
    (lambda shop: shop.insert("offline"), "1234"),
    (lambda shop: shop.insert("sign"), "1234"),
    (lambda shop: shop.insert("wrong-pin-proof"), "4321"),
    (lambda shop: shop.tap("tap"), "1234"),
]


class FaultyPayments(NamedTuple):
    """How the payments of a run ended, and how often all ledgers were found to agree."""

    endings: Counter[str]
    comparisons: int


def main(count: int, seed: int) -> None:
    """Pay so often at a terminal of a gateway that is started for it."""
    with gateway_for({}) as access, quick_folder("sandgate-many-") as folder:
        sandbox = access.create_sandbox(clock=CLOCK)
        shop = Shop(sandbox, Path(folder) / "terminal", timeout_s=TIMEOUT_S)
        found = pay_under_faults(shop, count, seed)
        shop.close()
    sys.stdout.write(json.dumps(found._asdict()) + "\n")


def pay_under_faults(shop: Shop, count: int, seed: int = 1) -> FaultyPayments:
    """Every third payment meets a fault; at the end of each batch the ledgers agree."""
    chance, endings, comparisons = Random(seed), Counter[str](), 0
    for number in range(1, count + 1):
        fault(shop, chance)
        shop.terminal.network_up = chance.random() > 0.1
        entry = chosen(shop, chance)()
        endings[entry.ending.value if entry.ending else "open"] += 1
        if chance.random() < 0.05:
            shop.restart()
        shop.terminal.network_up = True
        shop.clock.advance(seconds=20)
        if chance.random() < 0.2:
            shop.terminal.work()
        if number % BATCH == 0 or number == count:
            settle(shop)
            shop.agree()
            comparisons += 1
    assert endings[Ending.APPROVED.value] > count / 4
    return FaultyPayments(endings, comparisons)


def fault(shop: Shop, chance: Random) -> None:
    """Arm nothing, a fault of the connection to the gateway, or one between gateway and host."""
    drawn = chance.random()
    if drawn < 0.25:
        operation = chance.choice(list(FAULTS))
        match = {"operation": operation}
        shop.sandbox.arm(chance.choice(FAULTS[operation]), times=1, match=match)
    elif drawn < 0.35:
        shop.sandbox.arm({"steps": {"link": chance.choice(LINK)}}, times=1)


def chosen(shop: Shop, chance: Random) -> Callable[[], TerminalEntry]:
    """A payment with a chip, a tap, a magstripe, or about an earlier one."""
    amount = f"{chance.randrange(100, 9000) / 100:.2f}"
    if chance.random() < 0.2 and (earlier := approved_sales(shop)):
        operation = chance.choice([OrderKind.VOID, OrderKind.REFUND])
        return lambda: shop.order(None, operation, receipt=chance.choice(earlier).receipt)
    present, pin = chance.choice(CARDS)
    operation = OrderKind.PRE_AUTHORIZATION if chance.random() < 0.1 else OrderKind.SALE
    return lambda: shop.order(amount, operation, cards=[present(shop)], pins=[pin])


def approved_sales(shop: Shop) -> list[TerminalEntry]:
    return [
        each for each in shop.terminal.entries()
        if each.stage is Stage.APPROVED and each.order.operation is OrderKind.SALE
    ]  # fmt: skip


def settle(shop: Shop) -> None:
    """Let time pass until nothing is open on any side."""
    for script in shop.sandbox.control.scripts(shop.sandbox.id):
        shop.sandbox.disarm(script["id"])
    for _ in range(5):
        shop.clock.advance(minutes=2)
        shop.sandbox.advance("5m")
        assert shop.sandbox.drain()
        if shop.terminal.work() == 0:
            return
    shop.pass_a_day()
    assert shop.terminal.work() == 0, "something is still open"


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
