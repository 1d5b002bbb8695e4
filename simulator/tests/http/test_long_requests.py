"""Requests whose masking takes long are worked on aside: other clients have their turn."""

import gc
from urllib.parse import urlencode

import pytest

from simulator.tests.kit.gateway import FORM, Gateway
from simulator.tests.measured.hub_slices import slices

SLICE_S = 0.04
# As many as a request may be long.
PARAMETERS, LENGTH = 1400, 100
# Each comes close to the number of a card again and again.
ALPHABETS = {"escapes": "\\4", "single digits": "1 ", "lines": "4\n4", "umlauts": "\u00e94"}


@pytest.mark.cost
@pytest.mark.parametrize("alphabet", ALPHABETS.values(), ids=ALPHABETS.keys())
def test_a_refused_request_is_masked_aside(gateway: Gateway, alphabet: str) -> None:
    text = (alphabet * LENGTH)[:LENGTH]
    many = {f"{text}{number}": text for number in range(PARAMETERS)}
    assert longest_slice_of(gateway, many) < SLICE_S


# Few characters, each pair of them the end of a group of digits.
DENSE = {"percents": "4%", "blanks": "1 ", "semicolons": "12;", "equals": "=4", "spaced": "4\u200b"}


@pytest.mark.cost
@pytest.mark.parametrize("sign", DENSE.values(), ids=DENSE.keys())
def test_a_short_request_of_many_groups_of_digits_is_masked_aside(
    gateway: Gateway, sign: str
) -> None:
    few = {f"customParameters[a{number}]": (sign * 2000)[:2000] for number in range(6)}
    assert longest_slice_of(gateway, few) < SLICE_S


@pytest.mark.cost
@pytest.mark.parametrize("word", ["customParameters", "bearer ", "a"])
def test_unknown_names_are_soon_compared_with_those_that_are_known(
    gateway: Gateway, word: str
) -> None:
    names = {f"{(word * 60)[:60]}{number}": "x" for number in range(20)}
    assert longest_slice_of(gateway, names) < SLICE_S


def longest_slice_of(gateway: Gateway, parameters: dict[str, str]) -> float:
    """The longest time in which others had no turn while a payment of these was refused."""
    assert gateway.post().status_code == 200
    body = urlencode({"entityId": gateway.merchant.entity_id, **parameters})
    headers = {"Authorization": f"Bearer {gateway.merchant.token}", "Content-Type": FORM}
    # A collection takes as long as other tests have left objects in this process.
    gc.disable()
    try:
        with slices() as lengths:
            answer = gateway.client.simulate_post("/v1/payments", body=body, headers=headers)
    finally:
        gc.enable()
    assert answer.status_code == 400
    return max(lengths)
