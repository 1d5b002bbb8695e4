"""What was acknowledged survives `kill -9` under load. `make proof` repeats it many times."""

import re
from zlib import crc32

import pytest

from load.proof.kills import EXTERNAL, check_after_restart, load_and_kill, run_kill_round

ROUNDS = 3
KILLS_MAX = 5


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_was_acknowledged_is_there_once_after_a_kill(tmp_path, seed):
    killed = run_kill_round(tmp_path / "data", seed)

    assert killed.faults == []
    assert killed.acknowledged


def test_after_a_kill_requests_in_flight_are_reversed_and_the_ledgers_agree(tmp_path):
    # A kill may come at an instant at which nothing is in flight: then the next one is looked at.
    for seed in range(KILLS_MAX):
        killed = run_kill_round(tmp_path / str(seed), seed, EXTERNAL)
        assert killed.faults == []
        assert killed.acknowledged
        if killed.advices:
            break

    assert killed.advices


def without_place(line: bytes) -> bytes:
    """A line of a log as 0.1.0 wrote it: it does not say where it begins, so none is missed."""
    rest = re.sub(rb"^([0-9]+)@[0-9]+ ", rb"\1 ", line[9:-1])
    return b"%08x %b\n" % (crc32(rest), rest)


def test_a_payment_that_only_the_card_host_lost_would_be_found(tmp_path):
    load = load_and_kill(tmp_path / "data", 0, EXTERNAL)
    (log,) = tmp_path.glob(f"data/{load.merchant.sandbox}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    kept = [without_place(line) for line in lines if b"card_entries" not in line]
    log.write_bytes(b"".join(kept))
    checked = check_after_restart(tmp_path / "data", load, timeout_s=0.1)

    assert any("ledger:" in fault for fault in checked.faults)


def test_a_lost_acknowledged_payment_would_be_found(tmp_path):
    load = load_and_kill(tmp_path / "data", seed=0)
    (log,) = tmp_path.glob(f"data/{load.merchant.sandbox}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))

    assert check_after_restart(tmp_path / "data", load).faults
