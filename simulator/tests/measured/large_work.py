"""How long the hub works in one piece on large work: a report of 500 rows, a snapshot and its
restore, a settlement run, the comparison of the ledgers.

Run as `python -m simulator.tests.measured.large_work ROUNDS`. Prints one JSON line, for each a
value a round: milliseconds of processor time between two switches of greenlets, the longest. The
first settlement run of a process is among them.
"""

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlencode

from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway
from simulator.tests.measured.hub_slices import slices

PAYMENTS, ROWS = 1000, 500
DAY = "2026-11-20"
CLOCK = {"mode": "frozen", "at": f"{DAY}T12:00:00Z"}


def main(rounds: int) -> None:
    """Measure each in a sandbox with PAYMENTS payments of one day."""
    with tempfile.TemporaryDirectory() as folder:
        gateway = Gateway(Path(folder) / "data", durability="os", is_described=False)
        measured: dict[str, list[float]] = {}
        for _ in range(rounds):
            for name, work in _works(gateway).items():
                measured.setdefault(name, []).append(_longest_ms(work))
        gateway.close()
    print(json.dumps(measured))


def _longest_ms(work: Callable[[], object]) -> float:
    with slices() as lengths:
        work()
    return max(lengths) * 1e3


def _works(gateway: Gateway) -> dict[str, Callable[[], object]]:
    """What is done, in order, in a new sandbox."""
    made = gateway.control("POST", "/sandboxes", {"clock": CLOCK, "throttle": "off"}).json
    who, place = Credentials(made["token"], made["entity_id"]), f"/sandboxes/{made['id']}"
    for _ in range(PAYMENTS):
        assert gateway.post(who=who).status_code == 200
    day = {"entityId": who.entity_id, "date.from": DAY, "date.to": DAY, "limit": str(ROWS)}
    key = {"Authorization": f"Bearer {CONTROL_KEY}", "Content-Type": "application/octet-stream"}

    def report() -> None:
        answer = gateway.client.simulate_get(
            f"/v1/query?{urlencode(day)}", headers={"Authorization": f"Bearer {who.token}"}
        )
        assert len(answer.json["payments"]) == ROWS

    def restore() -> None:
        path = "/_sandbox/v1/sandboxes/restore"
        answer = gateway.client.simulate_post(path, body=content, headers=key)
        assert answer.status_code == 200, answer.text

    def settle() -> None:
        gateway.control("POST", f"{place}/clock/advance", {"by": "1d"})
        assert gateway.control("POST", f"{place}/settlements", {}).json["runs"]

    content = gateway.control("GET", f"{place}/snapshot").content
    return {
        "a report of 500 rows": report,
        "a snapshot": lambda: gateway.control("GET", f"{place}/snapshot"),
        "a restore": restore,
        "a settlement run": settle,
        "the comparison of ledgers": lambda: gateway.control("GET", f"{place}/books"),
    }


if __name__ == "__main__":
    main(int(sys.argv[1]))
