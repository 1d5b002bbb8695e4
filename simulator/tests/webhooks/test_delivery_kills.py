"""Each change is told at least once, whatever is killed. `make proof` does it at length."""

import pytest

from load.proof.deliveries import _compared, delivery_round

ROUNDS = 3


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_each_change_is_told_at_least_once_under_one_identity(tmp_path, seed):
    killed = delivery_round(tmp_path / "data", seed)

    assert killed.faults == []
    assert killed.acknowledged
    assert killed.taken >= killed.acknowledged


def test_a_change_that_was_never_told_would_be_noticed():
    body = '{"action": "CREATED", "payload": {"id": "8a"}}'
    twice = [{"event_id": "1", "body": body}, {"event_id": "2", "body": body}]

    assert len(_compared(["8a", "8b"], twice, pending=False).faults) == 2
    assert _compared(["8a"], twice[:1] * 2, pending=False).repeated == 1
    assert _compared(["8a"], twice[:1], pending=True).faults == ["8a: UPDATED was never told"]
