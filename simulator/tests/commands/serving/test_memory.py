"""The memory of a gateway: what is deleted is given back to the system."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from simulator.client import Client, Control
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import Serving, serving

PAYMENTS = 150
LONG = {f"customParameters[key{number}]": "v" * 2000 for number in range(450)}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("served") / "data") as running:
        yield running


def resident_of(running: Serving) -> int:
    """Resident memory in KiB."""
    status = Path(f"/proc/{running.process.pid}/status").read_text(encoding="ascii")
    (line,) = (line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1])


def status_of(client: Client, more: dict[str, str]) -> int:
    """The status of a payment."""
    return client.post("v1/payments", {**ORDER, **more}).status


def test_a_deleted_sandbox_gives_its_memory_back(gateway: Serving) -> None:
    facts = gateway.facts
    control = Control(facts["control_url"], facts["control_key"])
    made = control.create_sandbox()
    client = Client(facts["base_url"], made["token"], made["entity_id"])
    other = Client(facts["base_url"], facts["token"], facts["entity_id"])
    before = resident_of(gateway)
    with ThreadPoolExecutor() as pool:
        # What others store meanwhile lies between, and stays.
        paid = pool.map(lambda _: status_of(client, LONG), range(PAYMENTS))
        beside = pool.map(lambda _: status_of(other, {}), range(10 * PAYMENTS))
        assert {*paid, *beside} == {200}
    full = resident_of(gateway)
    assert full - before > PAYMENTS * 900

    control.delete(made["id"])

    assert resident_of(gateway) - before < (full - before) // 3
