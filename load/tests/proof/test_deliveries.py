"""Each change is notified at least once after a kill. `make proof` repeats it many times."""

import pytest

from load.proof.deliveries import compare_events, run_delivery_round

ROUNDS = 3


@pytest.mark.parametrize("seed", range(ROUNDS))
def test_each_change_is_notified_at_least_once_under_one_event_id(tmp_path, seed):
    killed = run_delivery_round(tmp_path / "data", seed)

    assert killed.faults == []
    assert killed.acknowledged
    assert killed.accepted >= killed.acknowledged


def test_a_change_that_was_never_notified_would_be_found():
    body = '{"action": "CREATED", "payload": {"id": "8a"}}'
    twice = [{"event_id": "1", "body": body}, {"event_id": "2", "body": body}]

    assert len(compare_events(["8a", "8b"], twice, is_pending=False).faults) == 2
    assert compare_events(["8a"], twice[:1] * 2, is_pending=False).repeated == 1
    pending = compare_events(["8a"], twice[:1], is_pending=True)
    assert pending.faults == ["8a: UPDATED was never notified"]
