"""The picture of a traced payment in the README, drawn by a gateway that is started for it.

Print it anew with `python -m simulator.tests.kit.picture > docs/images/trace.svg`.
"""

import json
import re
import tempfile
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from simulator.tests.kit.running import serving

SANDBOX = {"seed": 7, "clock": {"mode": "frozen", "at": "2027-01-31T12:00:00Z"}}
AUTHORIZATION = {
    "paymentType": "PA", "amount": "92.00", "currency": "EUR", "testMode": "EXTERNAL",
    "card.number": "4200000000000000", "card.holder": "Jane Jones", "card.expiryMonth": "05",
    "card.expiryYear": "2034",
}  # fmt: skip
CAPTURE = {"paymentType": "CP", "amount": "60.00", "currency": "EUR"}


def draw_trace(facts: Mapping[str, str]) -> str:
    """The trace of an authorization and its capture at the gateway of `facts`, as SVG.

    Ids are drawn at random, so each is replaced by one that names its place in the picture.
    """
    created = json.loads(send_control(facts, "sandboxes", SANDBOX))
    sandbox = f"sandboxes/{created['id']}"
    send_control(facts, f"{sandbox}/webhooks", {"url": "inbox"})
    root = send_payment(facts, created, "v1/payments", AUTHORIZATION)
    send_control(facts, f"{sandbox}/drain", {"timeout": "10s"})
    send_payment(facts, created, f"v1/payments/{root}", CAPTURE)
    send_control(facts, f"{sandbox}/drain", {"timeout": "10s"})
    svg = send_control(facts, f"{sandbox}/payments/{root}/trace.svg")
    ids = list(dict.fromkeys(re.findall(r"\b[0-9a-f]{32}\b", svg)))
    for place, identity in enumerate(ids, start=1):
        svg = svg.replace(identity, f"8{place:031x}")
    return svg


def send_control(facts: Mapping[str, str], path: str, document: object = None) -> str:
    body = None if document is None else json.dumps(document).encode()
    return send(facts["control_url"] + path, facts["control_key"], body)


def send_payment(
    facts: Mapping[str, str], created: Mapping[str, str], path: str, form: Mapping[str, str]
) -> str:
    """Send a payment request of the created sandbox; the id of the payment."""
    body = urlencode({"entityId": created["entity_id"], **form}).encode()
    return json.loads(send(facts["base_url"] + path, created["token"], body))["id"]


def send(url: str, token: str, body: bytes | None) -> str:
    with urlopen(Request(url, body, {"Authorization": f"Bearer {token}"}), timeout=30) as response:
        return response.read().decode()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder, "data")) as running:
        print(draw_trace(running.facts), end="")
