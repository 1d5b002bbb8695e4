"""The judge's own receiver: it keeps what comes and answers as it was told."""

from features.receiver import listening
from simulator.client import Connection


def test_what_comes_is_kept_and_answered_as_told() -> None:
    with listening() as receiver:
        receiver.answer_next(500, times=1)
        link = Connection(receiver.url)
        statuses = [
            link.ask("POST", "hook", headers={"X-Number": number}, body=b"text").status
            for number in "12"
        ]
        link.close()
    assert statuses == [500, 200]
    assert [(call.method, call.path, call.headers["x-number"]) for call in receiver.calls(2)] == [
        ("POST", "/hook", "1"),
        ("POST", "/hook", "2"),
    ]
    assert [call.body for call in receiver.calls()] == [b"text", b"text"]
    assert [call.status for call in receiver.calls()] == [500, 200]
