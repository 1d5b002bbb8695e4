"""Plans of faults of settlement: what can be followed, and what is said of what cannot."""

import json

import pytest

from acquirer_mocks.settlement.fault_plan import DEFERRED, LINE_FAULTS, read_faults
from simulator.domain.ports.clearing import SettlementFaults, SettlementFaultsError
from simulator.tests.kit.trees import ROOT


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("shares: {nonsense: 0.1}", "expected one of missing, .*received 'nonsense'"),
        ("shares: {missing: 2}", r"shares\.missing: expected 0 to 1; received 2"),
        ("counts: {missing: -1}", r"counts\.missing: expected 0 to 100000; received -1"),
        ("file: burnt", "fault plan of settlement: file: expected one of cut, empty, late"),
        ("unknown: 1", "unknown: expected one of seed, mix, shares, counts, file, payout, got a"),
        ("a" * 70_000, "at most 65536 characters; received 70000"),
    ],
)
def test_a_plan_that_cannot_be_followed_says_why(text: str, message: str) -> None:
    with pytest.raises(SettlementFaultsError, match=message):
        read_faults(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("counts: [1", "did not find expected ',' or ']' in line 2, column 1"),
        ("seed: 1\nfile: 'cut", "found unexpected end of stream in line 2, column 11"),
        ("counts: {missing: *one}", "found undefined alias in line 1, column 19"),
        ("file: \x07", "control characters are not allowed"),
        ("seed: !!bool x", "a value that cannot be read"),
        ("seed: \ud800", "a value that cannot be read"),
        ("{" * 200, "more than 100 in each other"),
        ("[" + "1:2:3," * 9900 + "]", "more than 200 values"),
    ],
)
def test_a_plan_that_is_no_yaml_says_in_one_line_where(text: str, reason: str) -> None:
    with pytest.raises(SettlementFaultsError) as caught:
        read_faults(text)

    assert str(caught.value) == f"fault plan of settlement: expected YAML, got: {reason}"


def test_a_plan_of_nothing_is_clean() -> None:
    assert read_faults("") == SettlementFaults()


def test_a_plan_of_every_name_there_is_can_be_followed() -> None:
    names = [*LINE_FAULTS, DEFERRED]
    shares, counts = dict.fromkeys(names, 0.1), dict.fromkeys(names, 1)
    plan = {"seed": 7, "mix": "default", "shares": shares, "counts": counts, "file": "cut",
            "payout": "rejected"}  # fmt: skip

    faults = read_faults(json.dumps(plan))

    assert (faults.shares, faults.counts) == (dict.fromkeys(names, 1000), counts)


def test_the_plan_of_the_page_can_be_followed() -> None:
    page = (ROOT / "docs/reference/settlement-files.md").read_text("utf-8")

    faults = read_faults(page.partition("```yaml\n")[2].partition("```")[0])

    assert (faults.seed, faults.file, faults.counts) == (7, "cut", {"missing": 2})
    assert faults.shares == dict.fromkeys(LINE_FAULTS, 20) | {"amount_cent": 100}
