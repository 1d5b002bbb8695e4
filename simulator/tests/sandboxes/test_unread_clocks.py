"""A request whose sandbox has a clock that cannot be read any more is answered all the same."""

import logging

import pytest

from simulator.adapters.sandboxes import binding
from simulator.domain.core.errors import DamagedRecordError, EpochEndedError, UnreachableStoreError
from simulator.tests.kit.gateway import Gateway

UNREAD = {
    "resets without end": (EpochEndedError("it is over"), 503, "999.999.888"),
    "the database is away": (UnreachableStoreError("it is away"), 503, "999.999.888"),
    "a damaged record": (DamagedRecordError("clocks", "clock", "cut"), 503, "999.999.888"),
}


@pytest.mark.parametrize("why", UNREAD)
def test_a_payment_that_meets_it_is_answered(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, why: str
) -> None:
    error, status, code = UNREAD[why]

    def read(*_: object) -> None:
        raise error

    made = gateway.control("POST", "/sandboxes").json
    who = type(gateway.merchant)(made["token"], made["entity_id"])
    assert gateway.control("POST", f"/sandboxes/{made['id']}/reset", {}).status_code == 200
    monkeypatch.setattr(binding, "_setting_in", read)
    with caplog.at_level(logging.ERROR):
        answer = gateway.post(who=who)

    assert (answer.status_code, answer.json["result"]["code"]) == (status, code)
    assert answer.json["timestamp"] and not any(each.exc_info for each in caplog.records)
