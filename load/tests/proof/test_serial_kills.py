"""A killed gateway takes no serial number and no chip counter twice. `make proof` repeats it."""

from pathlib import Path

import pytest

from load.proof.terminals.serial_kills import pay_and_kill, run_serial_round, send_again


@pytest.mark.parametrize("seed", [0, 1], ids=["INTERNAL", "EXTERNAL"])
def test_no_serial_number_and_no_chip_counter_pays_twice_after_a_kill(tmp_path: Path, seed: int):
    killed = run_serial_round(tmp_path, seed)

    assert killed.faults == []
    assert killed.acknowledged


def test_counters_that_a_gateway_forgot_would_be_found(tmp_path: Path):
    killed = pay_and_kill(tmp_path, seed=0)
    (log,) = tmp_path.glob(f"data/{killed.sandbox.id}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))

    faults = send_again(tmp_path, killed).faults

    assert any(each.endswith("got 000.100.110") for each in faults)
