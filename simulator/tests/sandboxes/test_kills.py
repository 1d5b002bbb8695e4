"""What was acknowledged survives `kill -9` under load. `python -m load.proof` does it at length."""

import pytest

from load.proof.kills import EXTERNAL, kill_round, load_and_kill, look

ROUNDS = 3


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_what_was_acknowledged_is_there_once_after_a_kill(tmp_path, seed):
    killed = kill_round(tmp_path / "data", seed)

    assert killed.faults == []
    assert killed.acknowledged


def test_after_a_kill_what_was_open_is_reversed_at_the_card_host_and_the_books_agree(tmp_path):
    killed = kill_round(tmp_path / "data", 0, EXTERNAL)

    assert killed.faults == []
    assert killed.acknowledged
    assert killed.advices


def test_a_payment_that_the_card_host_alone_forgot_would_be_noticed(tmp_path):
    witness = load_and_kill(tmp_path / "data", 0, EXTERNAL)
    (log,) = tmp_path.glob(f"data/{witness.merchant.sandbox}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(line for line in lines if b"card_entries" not in line))
    looked = look(tmp_path / "data", witness, patience_s=0.1)

    assert any("books:" in fault for fault in looked.faults)


def test_a_lost_acknowledged_payment_would_be_noticed(tmp_path):
    witness = load_and_kill(tmp_path / "data", seed=0)
    (log,) = tmp_path.glob(f"data/{witness.merchant.sandbox}/*.log")
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[: len(lines) // 2]))

    assert look(tmp_path / "data", witness).faults
