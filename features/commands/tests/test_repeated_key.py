"""A receiver that repeats its key, as the state of a payment: no report has it."""

import json
from pathlib import Path

from features.commands.tests.test_check_merchant import run
from features.merchant_side.tests.merchants import KEY
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening


def repeat(request: ReceivedRequest) -> ListenerResponse:
    """Any notification is taken, and any payment has this state."""
    return ListenerResponse(200, {}, json.dumps({"state": f"no {KEY.hex()} here"}).encode())


def test_no_report_has_a_key_that_the_receiver_repeats(tmp_path: Path) -> None:
    files = {f"--{kind}": tmp_path / kind for kind in ("json", "junit", "html", "events")}
    with listening(repeat) as url:
        done = run(
            "--webhook-url", f"{url}hook", "--state-url", f"{url}state", "--settle", "0",
            "--only", "understands", *(str(each) for pair in files.items() for each in pair),
        )  # fmt: skip

    assert done.exit_code in (1, 3), done.output
    for file in files.values():
        assert KEY.hex() not in file.read_text() and "no *** here" in file.read_text()
