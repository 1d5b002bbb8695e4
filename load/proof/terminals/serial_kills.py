"""`kill -9` of a gateway while it counts: no serial number of a key and no chip counter pays twice.

Several terminals pay by chip and PIN, each with keys and a card of its own. At a random instant
the gateway is killed, then restarted on the same folder, and gets everything again: as it was sent,
and with the data of the chip under new keys. What was acknowledged may not pay again, in neither
way; what had no response may pay once.
"""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException
from pathlib import Path
from random import Random
from time import sleep
from typing import NamedTuple

from load.gateway.server import start_gateway
from load.proof.kills import EXTERNAL, INTERNAL, KILL_AFTER_S, UnexpectedDeclineError
from load.traffic.chip_payments import ChipTerminal
from load.traffic.requests import SUCCESS
from pos_emulator.kernel.records import OnlineRequest
from simulator.client import Client, SandboxClient
from simulator.client.gateway import GatewayAccess
from simulator.client.processes import ServerProcess

TERMINALS = 4
USED = "200.200.106"


class SentPayment(NamedTuple):
    """What a terminal sent, and what its card had said."""

    asked: OnlineRequest
    form: dict[str, str]


class SerialRound(NamedTuple):
    """The result of one kill: payments with a response, those without, and faults."""

    acknowledged: int
    unknown: int
    faults: list[str]


class PayingTerminal:
    """A terminal on a connection of its own, and all that it sent; the last of it is `unknown`."""

    def __init__(self, sandbox: SandboxClient, terminal: ChipTerminal, mode: str):
        self.acknowledged: list[SentPayment] = []
        self.unknown: SentPayment | None = None
        self.terminal = terminal
        self._order = {
            "paymentType": "DB", "amount": "1.00", "currency": "EUR", "testMode": mode,
            "entityId": sandbox.entity_id,
        }  # fmt: skip
        self._client = Client(sandbox.url, sandbox.token, sandbox.entity_id)

    def run(self) -> None:
        """Pay until the server is killed. Raises UnexpectedDeclineError."""
        try:
            while True:
                self.pay()
        except (OSError, HTTPException):
            self._client.close()

    def pay(self) -> None:
        """Pay once. Raises UnexpectedDeclineError, and what the client raises."""
        asked = self.terminal.read_card()
        self.unknown = SentPayment(asked, self.form_of(asked))
        answer = self._client.post("v1/payments", self.unknown.form)
        if not answer.code.startswith(SUCCESS):
            raise UnexpectedDeclineError(f"expected an approval, got {answer.code} {answer.reason}")
        self.acknowledged.append(self.unknown)
        self.unknown = None

    def form_of(self, asked: OnlineRequest) -> dict[str, str]:
        """The parameters of a payment by what the card said, under new keys."""
        return {**self._order, **self.terminal.parameters(asked)}

    def faults_at(self, client: Client) -> Iterator[str]:
        """Send everything again to the restarted server."""
        for place, sent in enumerate(self.acknowledged):
            yield from _refused(client, f"payment {place}", sent.form)
        if self.unknown is not None:
            client.post("v1/payments", self.unknown.form)
            yield from _refused(client, "the payment without a response", self.unknown.form)
        for place, sent in enumerate(self.acknowledged):
            answer = client.post("v1/payments", self.form_of(sent.asked))
            if answer.code.startswith(SUCCESS):
                yield f"payment {place}: the chip's counter paid again"


class KilledTerminals(NamedTuple):
    """The terminals of a killed gateway, and their sandbox."""

    sandbox: SandboxClient
    paying: list[PayingTerminal]


def run_serial_round(folder: Path, seed: int) -> SerialRound:
    """Load a gateway with its data in `folder`, kill it, restart it, and send everything again.

    An odd seed pays in the test mode EXTERNAL. Raises UnexpectedDeclineError.
    """
    return send_again(folder, pay_and_kill(folder, seed))


def pay_and_kill(folder: Path, seed: int) -> KilledTerminals:
    """Pay at a gateway until a random instant, and kill it. Raises UnexpectedDeclineError."""
    random = Random(seed)
    mode = EXTERNAL if seed % 2 else INTERNAL
    with start_gateway(folder / "data") as server:
        sandbox = _access(server).create_sandbox()
        paying = [
            PayingTerminal(sandbox, ChipTerminal(sandbox, folder / f"{each}", each), mode)
            for each in range(1, TERMINALS + 1)
        ]
        for each in paying:
            each.pay()
        with ThreadPoolExecutor(TERMINALS) as pool:
            running = [pool.submit(each.run) for each in paying]
            sleep(random.uniform(*KILL_AFTER_S))
            server.kill()
        for future in running:
            future.result()
    return KilledTerminals(sandbox, paying)


def send_again(folder: Path, killed: KilledTerminals) -> SerialRound:
    """Restart a gateway with its data in `folder`, and send everything again."""
    sandbox, paying = killed
    with start_gateway(folder / "data") as server:
        client = Client(server.base_url, sandbox.token, sandbox.entity_id)
        faults = [fault for each in paying for fault in each.faults_at(client)]
        client.close()
    for each in paying:
        each.terminal.close()
    acknowledged = sum(len(each.acknowledged) for each in paying)
    return SerialRound(acknowledged, sum(each.unknown is not None for each in paying), faults)


def _refused(client: Client, name: str, form: dict[str, str]) -> Iterator[str]:
    answer = client.post("v1/payments", form)
    if answer.code != USED:
        yield f"{name}: expected {USED}, got {answer.code}"


def _access(server: ServerProcess) -> GatewayAccess:
    facts = server.facts
    return GatewayAccess(server.base_url, facts["control_url"], facts["control_key"])
