"""Payments by chip and PIN at terminals against payments by a clear card, on one server.

Each connection is a terminal with a card of its own: the counters of keys and card only rise. Its
payments are made before the clock starts, by the device's own keys, card and kernel.
"""

import selectors
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from urllib.parse import urlencode

from load.bench.generator import KeepAliveConnection, MissingResponseError, open_connections
from load.bench.payment import PATH, address_of, format_post
from load.bench.plan import BenchPlan
from load.figures.figure import AT_LEAST, Figure, Goal
from load.gateway.server import start_gateway
from load.traffic.chip_payments import ChipTerminal
from simulator.client import SandboxClient
from simulator.client.gateway import GatewayAccess
from simulator.client.processes import ServerProcess

CHIP, CLEAR = "chip and PIN", "clear card"
CONNECTIONS = 8
PAYMENTS_PER_SECOND = 1500
RESPONSE_TIMEOUT_S = 30.0
APPROVED = b"000.100.1"
ORDER = {"paymentType": "DB", "amount": "1.00", "currency": "EUR"}
CLEAR_CARD = {
    "paymentBrand": "VISA", "card.number": "4200000000000000", "card.holder": "Jane Jones",
    "card.expiryMonth": "05", "card.expiryYear": "2034", "card.cvv": "123",
}  # fmt: skip


def terminal_figures(plan: BenchPlan, folder: Path) -> list[Figure]:
    """Measure both rates and their ratio."""
    with start_gateway(folder / "data", pinned=True) as server:
        rounds = [_round(server, plan, folder / f"{number}") for number in range(plan.rounds)]
    rates = {name: tuple(each[name] for each in rounds) for name in (CHIP, CLEAR)}
    ratios = tuple(each[CHIP] / each[CLEAR] for each in rounds)
    return [
        Figure("payments by clear card", "requests/s", rates[CLEAR]),
        Figure("payments by chip and PIN", "requests/s", rates[CHIP]),
        Figure("chip and PIN against clear card", "ratio", ratios, Goal(AT_LEAST, 0.6, 0.6)),
    ]


def _round(server: ServerProcess, plan: BenchPlan, folder: Path) -> dict[str, float]:
    """The rates of a round, in a sandbox of its own: its cards are new."""
    facts = server.facts
    access = GatewayAccess(server.base_url, facts["control_url"], facts["control_key"])
    sandbox = access.create_sandbox()
    count = round(plan.round_s * PAYMENTS_PER_SECOND / CONNECTIONS)
    chips = [
        list(_chip_payments(sandbox, folder / f"{number}", number, count))
        for number in range(1, CONNECTIONS + 1)
    ]
    clear = [[_post(sandbox, CLEAR_CARD)] * count for _ in range(CONNECTIONS)]
    warm_up = [each[: count // 5] for each in clear]
    _rate(server, warm_up)
    measured = {CLEAR: _rate(server, clear), CHIP: _rate(server, chips)}
    access.delete_sandbox(sandbox)
    return measured


def _rate(server: ServerProcess, requests: list[list[bytes]]) -> float:
    """Responses per second; each connection sends its requests one after the other."""
    with (
        open_connections(address_of(server.base_url), len(requests)) as connections,
        selectors.DefaultSelector() as selector,
    ):
        began = perf_counter()
        for connection, own in zip(connections, requests, strict=True):
            left = iter(own)
            selector.register(connection.socket, selectors.EVENT_READ, (connection, left))
            connection.send(next(left))
        while selector.get_map():
            _read_responses(selector)
        return sum(map(len, requests)) / (perf_counter() - began)


def _read_responses(selector: selectors.BaseSelector) -> None:
    """Read what has come, and forget connections that have nothing left to send."""
    for key, _ in selector.select(RESPONSE_TIMEOUT_S):
        if _is_over(*key.data):
            selector.unregister(key.fileobj)


def _is_over(connection: KeepAliveConnection, left: Iterator[bytes]) -> bool:
    """Read what came, and send the next; whether none is left. Raises MissingResponseError."""
    response = connection.receive()
    if response is None:
        return False
    if APPROVED not in response:
        raise MissingResponseError(f"expected an approval, got {response[-400:]!r}")
    following = next(left, None)
    if following is not None:
        connection.send(following)
    return following is None


def _chip_payments(
    sandbox: SandboxClient, folder: Path, number: int, count: int
) -> Iterator[bytes]:
    """The requests of one terminal and one card, in their order."""
    terminal = ChipTerminal(sandbox, folder, number)
    for _ in range(count):
        yield _post(sandbox, terminal.parameters(terminal.read_card()))
    terminal.close()


def _post(sandbox: SandboxClient, more: dict[str, str]) -> bytes:
    body = urlencode({"entityId": sandbox.entity_id, **ORDER, **more})
    return format_post(address_of(sandbox.url), PATH, token=sandbox.token, body=body)
