"""What was acknowledged survives `kill -9` under load. `python -m load.proof` does it at length."""

import pytest

from load.proof.kills import kill_round, load_and_kill, look

ROUNDS = 3


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_was_acknowledged_is_there_once_after_a_kill(tmp_path, seed):
    killed = kill_round(tmp_path / "data", seed)

    assert killed.faults == []
    assert killed.acknowledged


def test_a_lost_acknowledged_payment_would_be_noticed(tmp_path):
    witness = load_and_kill(tmp_path / "data", seed=0)
    (log,) = tmp_path.glob(f"data/{witness.merchant.sandbox}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))

    assert look(tmp_path / "data", witness).faults
