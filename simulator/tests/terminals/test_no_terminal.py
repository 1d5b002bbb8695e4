"""A payment without a terminal passes through no function that is there for terminals.

What such a payment takes is counted, not timed: what is never called cannot make it slower. The
kept figures are in docs/makers/performance.md.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType

import pytest

from simulator.tests.kit.gateway import Gateway
from simulator.tests.terminals.keys import Device, sent_by

# Folders and modules of terminals, as a path has them.
OF_TERMINALS = (
    "/terminals/", "/terminal_data.py", "/messages/terminals.py", "/acquirer_mocks/issuing/",
    "/scenarios/terminal_cards.py", "/fields/pos.py", "/chip_cards.py",
    "/acquirer_mocks/internal.py:_offline_approval", "/acquirer_mocks/internal.py:_with_response",
)  # fmt: skip
TESTS = "/simulator/tests/"
ROOT = str(Path(__file__).parents[3])


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    built = Gateway(tmp_path_factory.mktemp("plain") / "data")
    yield built
    built.close()


def calls_of(act: Callable[[], object]) -> Counter[str]:
    """How often each function of the repository is called by `act`, as "file:function"."""
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, argument: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(ROOT):
            calls[f"{code.co_filename.removeprefix(ROOT)}:{code.co_qualname}"] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(before)
    return calls


def of_terminals(calls: Counter[str]) -> list[str]:
    return sorted(
        name
        for name in calls
        if any(part in name for part in OF_TERMINALS) and not name.startswith(TESTS)
    )


@pytest.mark.cost
@pytest.mark.parametrize("test_mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize("kind", ["DB", "PA", "CD"])
def test_a_payment_without_a_terminal_calls_nothing_of_terminals(
    gateway: Gateway, kind: str, test_mode: str
) -> None:
    gateway.post(paymentType=kind, testMode=test_mode)

    calls = calls_of(lambda: gateway.post(paymentType=kind, testMode=test_mode))

    host = "/acquirer_mocks/card_host.py:CardHost._pay"
    assert sum(calls.values()) > 100 and (host in calls) == (test_mode == "EXTERNAL")
    assert of_terminals(calls) == []


@pytest.mark.cost
@pytest.mark.parametrize("refers", ["CP", "RV", "RF"])
def test_what_refers_to_it_calls_nothing_of_terminals_either(gateway: Gateway, refers: str) -> None:
    kind = "DB" if refers == "RF" else "PA"
    more = {} if refers == "RV" else {"amount": "1.00", "currency": "EUR"}
    first, second = (gateway.post(paymentType=kind).json["id"] for _ in range(2))
    gateway.refer(first, refers, **more)

    calls = calls_of(lambda: gateway.refer(second, refers, **more))

    assert sum(calls.values()) > 100
    assert of_terminals(calls) == []


@pytest.mark.cost
def test_one_at_a_terminal_does(gateway: Gateway) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    device = Device.of(gateway, sandbox)

    calls = calls_of(lambda: gateway.post(**sent_by(device)))

    assert len(of_terminals(calls)) > 10
