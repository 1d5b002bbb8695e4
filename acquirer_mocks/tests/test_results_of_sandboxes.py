"""The results of challenges that time out: those of one sandbox wait for no other."""

import gevent
import pytest
from gevent.event import Event

from acquirer_mocks.tests.bench import GATEWAY, RESULTS, Bench, areq_of, minutes
from acquirer_mocks.three_d_secure.challenges import LIFETIME
from simulator.adapters.periodic import OneOfEach

SILENT = f"{GATEWAY}silent"


class SilentAddress:
    """An address of a bench's gateway that is silent until `silence` is set. `asked` counts its
    requests.
    """

    def __init__(self, bench: Bench):
        self._bench, self._take = bench, bench.take
        self.silence, self.asked = Event(), 0
        bench.begin, bench.take = OneOfEach().begin, self.take

    def areq(self) -> dict:
        """The answer to an AReq with this address, of a caller without a key."""
        return self._bench.post("ds/areq", areq_of(threeDSServerURL=SILENT), Authorization="").json

    def take(self, url: str, body: bytes) -> bytes | None:
        """What the gateway answers."""
        if url == SILENT:
            self.asked += 1
            self.silence.wait(5)
        return self._take(url, body)


@pytest.fixture
def bench() -> Bench:
    return Bench()


@pytest.fixture
def silent(bench: Bench) -> SilentAddress:
    return SilentAddress(bench)


def sweep(bench: Bench) -> None:
    """Sweep, and let the work begin."""
    bench.acs.sweep()
    gevent.sleep(0)


def test_results_that_are_not_taken_delay_none_of_another_sandbox(bench, silent):
    for _ in range(3):
        silent.areq()
    bench.areq()
    bench.clock.advance(LIFETIME)
    bench.real.advance(LIFETIME)
    sweep(bench)
    sweep(bench)
    assert [url for url, _ in bench.results] == [RESULTS]
    assert silent.asked == 1
    silent.silence.set()
    gevent.sleep(0)
    assert silent.asked == 3


def test_who_confirms_while_another_result_is_sent_has_not_timed_out(bench, silent):
    silent.areq()
    path = silent.areq()["acsURL"].removeprefix("http://acs.test/")
    bench.real.advance(LIFETIME)
    sweep(bench)
    bench.real.advance(-minutes(1))
    confirming = gevent.spawn(bench.act, path, "approve")
    gevent.sleep(0)
    bench.real.advance(minutes(1))
    silent.silence.set()
    assert confirming.get(timeout=5)["transStatus"] == "Y"
    gevent.sleep(0)
    assert [rreq["transStatus"] for _, rreq in bench.results] == ["N", "Y"]


def test_work_that_fails_is_logged_and_the_next_piece_of_its_owner_begins(caplog):
    begun, done = OneOfEach(), []
    begun.begin("one", lambda: 1 / 0)
    begun.begin("other", lambda: done.append("other"))
    gevent.sleep(0)
    begun.begin("one", lambda: done.append("one"))
    gevent.sleep(0)
    assert done == ["other", "one"]
    assert "internal error in work in the background" in caplog.text
