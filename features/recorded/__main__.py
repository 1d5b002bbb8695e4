"""`python -m features.recorded 0.1.0`: record what this release answers, for those after it.

Everything is asked twice, by two merchants on two days: what differs between the two is no promise.
"""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any

from features.plugin import merchants_of, new_sandbox
from features.recorded.recording import FOLDER, play, requests, varying
from features.server import running_server
from simulator.client import Answer, Client, Control

# A clock never goes backwards, and cards of 2099 are still valid.
DAYS = ("2090-01-15T09:30:00Z", "2091-03-28T22:15:42Z")


def main(release: str) -> None:
    """Write the recording of the gateway in this tree under the name of its release."""
    with tempfile.TemporaryDirectory() as folder, running_server(Path(folder)) as ready:
        client = Client(ready["base_url"], ready["token"], ready["entity_id"])
        control = Control(ready["control_url"], ready["control_key"])
        one, other = (_answers(client, control, day) for day in DAYS)
    recorded = {
        title: [
            {"request": request, "status": first.status, "body": varying(first.body, second.body)}
            for request, first, second in zip(flow, one[title], other[title], strict=True)
        ]
        for title, flow in requests().items()
    }
    path = FOLDER / f"{release}.json"
    path.write_text(json.dumps(recorded, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    print(f"{path}: {sum(map(len, recorded.values()))} answers; look at it, and commit it")


def _answers(client: Client, control: Control, day: str) -> dict[str, list[Answer]]:
    sandbox: Any = new_sandbox(control)
    control.set_clock(sandbox["id"], "frozen", at=day)
    (merchant, *_) = merchants_of(client, sandbox)
    return {title: play(merchant.client, flow) for title, flow in requests().items()}


if __name__ == "__main__":
    main(sys.argv[1])
