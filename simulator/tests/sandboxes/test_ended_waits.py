"""What waits in a sandbox that is reset or deleted ends with it: its clock may stand for ever."""

import gevent
import pytest

from simulator.tests.kit.gateway import CONTROL_KEY, Gateway
from simulator.tests.sandboxes.test_crowded_sandboxes import WAITS, CrowdedSandbox

PATH, KEY = "/_sandbox/v1/sandboxes", {"Authorization": f"Bearer {CONTROL_KEY}"}
KINDS = {**WAITS, "payment": CrowdedSandbox.pay}
ENDS = {
    "reset": ("POST", "/reset", 503, "999.999.888"),
    "deleted": ("DELETE", "", 403, "800.900.300"),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("kind", KINDS)
def test_what_waits_ends_with_its_sandbox(gateway: Gateway, kind: str, end: str) -> None:
    sandbox = CrowdedSandbox(gateway)
    sandbox.control("POST", "/scripts", {"behaviour": "slow"})
    waiting = [gevent.spawn(KINDS[each], sandbox) for each in ("payment", kind)]
    gevent.sleep(0.05)
    assert not any(each.ready() for each in waiting)

    method, path, status, code = ENDS[end]
    sandbox.control(method, path)

    assert len(gevent.joinall(waiting, timeout=5)) == len(waiting)
    answer = waiting[0].value
    assert (answer.status_code, answer.json["result"]["code"]) == (status, code)
    # Who is admitted still may send it again: nothing of it is kept.
    assert answer.headers.get("Retry-After") == ("1" if status == 503 else None)


def test_a_token_that_a_restore_ends_opens_nothing_and_one_that_stays_may_pay_again(
    gateway: Gateway,
) -> None:
    sandbox = CrowdedSandbox(gateway)
    taken = gateway.client.simulate_get(f"{PATH}/{sandbox.made['id']}/snapshot", headers=KEY)
    (merchant,) = sandbox.made["entities"]["merchants"]
    issued = sandbox.control("POST", f"/merchants/{merchant['id']}/tokens", {"host": "test"})
    ended = sandbox.merchant._replace(token=issued.json["token"])
    sandbox.control("POST", "/scripts", {"behaviour": "slow"})
    waiting = [gevent.spawn(gateway.post, who=who) for who in (sandbox.merchant, ended)]
    gevent.sleep(0.05)
    assert not any(each.ready() for each in waiting)

    restored = gateway.client.simulate_post(f"{PATH}/restore", headers=KEY, body=taken.content)

    assert restored.status_code == 200
    gevent.joinall(waiting, timeout=5)
    assert [each.value.status_code for each in waiting] == [503, 403]
    assert sandbox.pay().status_code == 200


def test_what_a_card_host_may_have_charged_is_not_to_be_sent_again(gateway: Gateway) -> None:
    sandbox = CrowdedSandbox(gateway)
    late = {"approve": {}, "latency": {"fixed": {"seconds": 20}}}
    words = {"name": "late", "title": "Late", "description": "For a test."}
    sandbox.control("POST", "/scripts", {"behaviour": {**words, "steps": {"acquirer": late}}})
    waiting = gevent.spawn(gateway.post, who=sandbox.merchant, testMode="EXTERNAL")
    gevent.sleep(0.3)
    assert not waiting.ready()

    sandbox.control("POST", "/reset")

    answer = waiting.get(timeout=5)
    assert (answer.status_code, answer.json["result"]["code"]) == (500, "999.999.999")
    assert "Retry-After" not in answer.headers
