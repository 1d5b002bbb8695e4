"""An acquirer that does not respond: the gateway gives up after 30 seconds of sandbox time."""

from collections.abc import Iterator

import pytest

from simulator.client.gateway import QUIET, GatewayAccess
from simulator.client.processes import gateway_in
from simulator.client.sandbox import SandboxClient

SILENT = {"steps": {"acquirer": {"no_response": {}}}}
REVERSED = "900.100.301"


@pytest.fixture(scope="module")
def shop(tmp_path_factory) -> Iterator[SandboxClient]:
    with gateway_in(tmp_path_factory.mktemp("silent"), *QUIET) as facts:
        access = GatewayAccess(facts["base_url"], facts["control_url"], facts["control_key"])
        sandbox = access.create_sandbox()
        # Thirty seconds there are a tenth of one here.
        sandbox.control.set_clock(sandbox.id, "scaled", rate=300)
        yield sandbox
        access.delete_sandbox(sandbox)


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("behaviour", [SILENT, "acquirer-silent"], ids=["inline", "named"])
def test_the_payment_is_reversed_and_the_next_one_is_answered(shop, mode, behaviour):
    shop.arm(behaviour, times=1)

    answer = shop.pay("92.00", parameters={"testMode": mode})

    assert (answer.status, answer.code) == (400, REVERSED)
    assert "AcquirerResponse" not in (answer.at("resultDetails") or {})
    assert shop.pay("92.00", parameters={"testMode": mode}).status == 200


def test_a_capture_without_a_response_leaves_the_amount_open(shop):
    payment = shop.pay("92.00", payment_type="PA").id
    shop.arm(SILENT, match={"type": "CP"}, times=1)

    assert shop.refer(payment, "CP", "92.00").code == REVERSED
    assert shop.refer(payment, "CP", "92.00").status == 200


def test_the_trace_shows_a_request_and_no_response_of_the_acquirer(shop):
    shop.arm(SILENT, times=1)

    trace = shop.trace(shop.pay("92.00").id)

    assert "gateway -> acquirer" in trace
    assert "acquirer -> gateway" not in trace
