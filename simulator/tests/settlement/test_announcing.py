"""A settled bank day is announced by a webhook event, in profile field alone."""

from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.webhooks import WebhookSandbox

RUN = "2026-11-20.sandgate-clearing"


@pytest.mark.parametrize(("profile", "count"), [("field", 1), ("specification", 0)])
def test_a_settled_day_is_announced_once_in_profile_field(
    tmp_path: Path, profile: str, count: int
) -> None:
    gateway = Gateway(tmp_path)
    sandbox = WebhookSandbox(gateway, profile=profile)
    sandbox.pay()
    sandbox.advance("1d")

    for _ in range(2):
        sandbox.ask("POST", "/settlements", {"institute": "Sandgate Clearing"})

    sandbox.ask("POST", "/drain", {"timeout": "5s"})
    sent = [each for each in sandbox.inbox(1 + count) if each["type"] == "SETTLEMENT"]
    (run,) = sandbox.ask("GET", "/settlements").json["runs"]
    assert len(sent) == count
    for each in sent:
        payload = each["payload"]
        assert payload["id"].startswith(RUN)
        assert (payload["files"], payload["count"]) == (run["delivered"], run["lines"])
        assert payload["net"] and payload["ndc"]
    gateway.close()
