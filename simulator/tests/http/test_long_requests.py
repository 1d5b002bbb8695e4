"""Requests of many long parameters are worked on aside: other clients have their turn."""

from urllib.parse import urlencode

import pytest

from simulator.tests.kit.gateway import FORM, Gateway
from simulator.tests.measured.hub_slices import slices

SLICE_S = 0.04
PARAMETERS, LENGTH = 8000, 100
# Each comes close to the number of a card again and again.
ALPHABETS = {"escapes": "\\4", "single digits": "1 ", "lines": "4\n4", "umlauts": "\u00e94"}


@pytest.mark.cost
@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS.keys())
def test_a_refused_request_is_masked_aside(gateway: Gateway, alphabet: str) -> None:
    assert gateway.post().status_code == 200
    text = (alphabet * LENGTH)[:LENGTH]
    many = {f"{text}{number}": text for number in range(PARAMETERS)}
    body = urlencode({"entityId": gateway.merchant.entity_id, **many})
    headers = {"Authorization": f"Bearer {gateway.merchant.token}", "Content-Type": FORM}

    with slices() as lengths:
        answer = gateway.client.simulate_post("/v1/payments", body=body, headers=headers)

    assert answer.status_code == 400
    assert max(lengths) < SLICE_S
