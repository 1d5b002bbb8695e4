"""What a large day costs: memory that does not grow with it, and time within the day's budget."""

import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time

import pytest
from msgspec.structs import replace

from acquirer_mocks.tests.settlement.movements import INSTITUTES, file_of, movement, run
from simulator.domain.ports.clearing import ClearingContract, ClearingEntry

MERCHANTS = [f"{number:032x}" for number in range(20)]
CONTRACTS = {each: ClearingContract(merchant_number=each) for each in MERCHANTS}
# A fifth of a day of a million, and what that may take: 60 s of 120 for pricing, file and keys.
PAYMENTS = 200_000
SECONDS_MAX = 12
GROWTH_MB_MAX = 60
MB = 1024 * (1024 if sys.platform == "darwin" else 1)


def payments(count: int) -> Iterator[ClearingEntry]:
    like = movement(1)
    for each in range(count):
        merchant = MERCHANTS[each % len(MERCHANTS)]
        yield replace(
            like, payment=f"{each:032x}", merchant_number=merchant, reference=f"{each:012d}"
        )


def peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / MB


@pytest.mark.proof
@pytest.mark.cost
@pytest.mark.parametrize("institute", INSTITUTES)
def test_a_large_day_fits_into_its_budget(tmp_path: Path, institute: str) -> None:
    run(tmp_path, payments(1_000), institute=institute, contracts=CONTRACTS)
    memory, start = peak_mb(), process_time()

    written = run(tmp_path, payments(PAYMENTS), institute=institute, contracts=CONTRACTS)

    print(f"{institute}: {process_time() - start:.1f} s, {peak_mb() - memory:.0f} MB more")
    assert file_of(tmp_path, written).stat().st_size > PAYMENTS * 200
    assert written.lines >= PAYMENTS
    assert process_time() - start < SECONDS_MAX
    assert peak_mb() - memory < GROWTH_MB_MAX
