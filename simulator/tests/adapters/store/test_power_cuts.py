"""A power cut takes nothing that was acknowledged."""

from functools import partial

import pytest

from simulator.tests.adapters.store import power_cuts
from simulator.tests.adapters.store.power_cut_disk import PowerCutDisk


def test_no_power_cut_takes_what_was_acknowledged():
    figures = power_cuts.main(300)

    assert figures["cuts"] >= 300
    assert figures["acknowledged"] > 1000
    assert figures["unanswered_but_stored"] > 10, "the twin keeps some of what was not synced"


@pytest.mark.parametrize("lie", ["keeps_bytes", "keeps_names"])
def test_a_disk_that_does_not_sync_is_noticed(lie):
    with pytest.raises(AssertionError, match="acknowledged and lost"):
        power_cuts.main(100, make_disk=partial(PowerCutDisk, **{lie: False}))


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_ten_thousand_power_cuts_take_nothing_that_was_acknowledged():
    assert power_cuts.main(10_000, seed=1_000_000)["cuts"] >= 10_000
