"""What was acknowledged survives `kill -9` under load. `make proof` repeats it many times."""

import pytest

from load.proof.kills import EXTERNAL, check_after_restart, load_and_kill, run_kill_round

ROUNDS = 3


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_was_acknowledged_is_there_once_after_a_kill(tmp_path, seed):
    killed = run_kill_round(tmp_path / "data", seed)

    assert killed.faults == []
    assert killed.acknowledged


def test_after_a_kill_requests_in_flight_are_reversed_and_the_ledgers_agree(tmp_path):
    killed = run_kill_round(tmp_path / "data", 0, EXTERNAL)

    assert killed.faults == []
    assert killed.acknowledged
    assert killed.advices


def test_a_payment_that_only_the_card_host_lost_would_be_found(tmp_path):
    load = load_and_kill(tmp_path / "data", 0, EXTERNAL)
    (log,) = tmp_path.glob(f"data/{load.merchant.sandbox}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in lines if b"card_entries" not in line))
    checked = check_after_restart(tmp_path / "data", load, timeout_s=0.1)

    assert any("ledger:" in fault for fault in checked.faults)


def test_a_lost_acknowledged_payment_would_be_found(tmp_path):
    load = load_and_kill(tmp_path / "data", seed=0)
    (log,) = tmp_path.glob(f"data/{load.merchant.sandbox}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))

    assert check_after_restart(tmp_path / "data", load).faults
