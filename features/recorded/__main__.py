"""`python -m features.recorded 0.2.0`: record what this release answers, for those after it.

Everything is asked twice, by two merchants on two days: what differs between the two is no promise.
"""

import json
import re
import sys
import tempfile
from pathlib import Path
from typing import Any

from features.recorded.recording import FOLDER, play, requests, varying
from features.spec.companions import REFERENCE_CARD
from features.support.sandboxes import merchants_of, new_sandbox
from simulator.client import Answer, Client, Control
from simulator.client.processes import gateway_in

# A clock never goes backwards, and cards of 2099 are still valid.
RELEASE = re.compile(r"[0-9]+\.[0-9]+\.[0-9]+")
DAYS = ("2090-01-15T09:30:00Z", "2091-03-28T22:15:42Z")


def main(words: list[str]) -> int:
    """Write the recording of the gateway in this tree under the name of its release, once."""
    if len(words) != 1 or not RELEASE.fullmatch(words[0]):
        print(f"expected one release such as 0.2.0, got {words}", file=sys.stderr)
        return 2
    path = FOLDER / f"{words[0]}.json"
    if path.exists():
        print(f"{path} is there: what a release answered does not change", file=sys.stderr)
        return 2
    recorded = record()
    path.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path}: {sum(map(len, recorded.values()))} answers; look at it, and commit it")
    return 0


def record() -> dict[str, list[dict[str, Any]]]:
    """What the gateway in this tree answers to every flow: request, status and body of each."""
    with tempfile.TemporaryDirectory() as folder, gateway_in(Path(folder)) as ready:
        client = Client(ready["base_url"], ready["token"], ready["entity_id"])
        control = Control(ready["control_url"], ready["control_key"])
        one, other = (_answers(client, control, day) for day in DAYS)
    return {
        title: [
            {
                "request": list(request),
                "status": first.status,
                "body": varying(first.body, second.body),
            }
            for request, first, second in zip(flow, one[title], other[title], strict=True)
        ]
        for title, flow in requests().items()
    }


def _answers(client: Client, control: Control, day: str) -> dict[str, list[Answer]]:
    sandbox: Any = new_sandbox(control)
    control.set_clock(sandbox["id"], "frozen", at=day)
    (merchant, *_) = merchants_of(client, sandbox, REFERENCE_CARD)
    return {title: play(merchant.client, flow) for title, flow in requests().items()}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
