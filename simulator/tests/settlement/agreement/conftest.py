"""The merchants of these tests: one for each institute."""

from pathlib import Path

import pytest

from simulator.tests.settlement.agreement.merchant import Merchant
from simulator.tests.settlement.test_runs import INSTITUTES


@pytest.fixture(params=INSTITUTES)
def merchant(request: pytest.FixtureRequest, tmp_path: Path) -> Merchant:
    """A merchant whose cards settle at the institute."""
    return Merchant(tmp_path, request.param)
