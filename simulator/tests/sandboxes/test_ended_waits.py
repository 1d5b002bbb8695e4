"""What waits in a sandbox that is reset or deleted ends with it: its clock may stand for ever."""

import gevent
import pytest

from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_crowded_sandboxes import WAITS, CrowdedSandbox

KINDS = {**WAITS, "payment": CrowdedSandbox.pay}
ENDS = {"reset": ("POST", "/reset"), "deleted": ("DELETE", "")}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_waits_ends_with_its_sandbox(gateway: Gateway, kind: str, end: str) -> None:
    sandbox = CrowdedSandbox(gateway)
    sandbox.control("POST", "/scripts", {"behaviour": "slow"})
    waiting = [gevent.spawn(KINDS[each], sandbox) for each in ("payment", kind)]
    gevent.sleep(0.05)
    assert not any(each.ready() for each in waiting)

    sandbox.control(*ENDS[end])

    assert len(gevent.joinall(waiting, timeout=5)) == len(waiting)
    assert waiting[0].value.status_code == 403
