"""What is lost with a member or the database is noted in a line, and the rest goes on."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gevent
import pytest

from simulator.adapters.fleet import handing_over
from simulator.adapters.fleet.beside import BesideHomes, BesideParts
from simulator.adapters.fleet.calm_home import KEPT_MAX, KEPT_S, CalmHome
from simulator.adapters.fleet.calm_messages import LeftBehind, encoded
from simulator.adapters.fleet.handing_over import HomeLine
from simulator.adapters.fleet.metrics import FleetMetrics
from simulator.adapters.fleet.peers import ForwardedAnswer, LostForwardError
from simulator.adapters.postgresql.calm import Calm
from simulator.adapters.postgresql.writer import Work
from simulator.adapters.store.engine import FleetPeer
from simulator.domain.core.errors import (
    DamagedLogError,
    DiskError,
    EpochEndedError,
    HomeNeededError,
    LostOutcomeError,
    UnreachableStoreError,
)
from simulator.tests.adapters.fleet.fleets import Fleet, start, stop
from simulator.tests.adapters.fleet.test_calm import a_sandbox, quick
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.kit.sinks import Sink, status

SANDBOX = "8" + "a" * 31
COUNTED = b"# TYPE a counter\na_total 1.0\n"
WAIT_S_MAX = 5


class Answering:
    """Members that answer with a status and these pieces, then are lost where `is_cut`."""

    def __init__(self, status: str, *pieces: bytes, is_cut: bool = False):
        self._status, self._pieces, self._is_cut = status, pieces, is_cut

    def send(self, *_: object, **__: object) -> ForwardedAnswer:
        return ForwardedAnswer(self._status, [], self._come(), None)

    def _come(self) -> Iterator[bytes]:
        yield from self._pieces
        if self._is_cut:
            raise LostForwardError("connection reset")


@pytest.mark.parametrize(
    ("peers", "members"),
    [
        (Answering("200 OK", COUNTED), 2),
        (Answering("200 OK", b"# TYPE", is_cut=True), 1),
        (Answering("503 Service Unavailable"), 1),
    ],
    ids=["whole", "cut", "refused"],
)
def test_a_member_that_does_not_answer_whole_is_left_out_of_the_metrics(
    peers: Any, members: int, capsys: pytest.CaptureFixture[str]
) -> None:
    known = [FleetPeer(1, "http://one/"), FleetPeer(2, "http://two/")]
    metrics = FleetMetrics(lambda: COUNTED, 1, peers=peers, members=lambda: known)

    assert f"sandgate_members {members}.0" in metrics().decode()
    assert "Traceback" not in capsys.readouterr().err


def fail_once(error: Exception) -> tuple[Callable[[object], None], list[object]]:
    """What fails with the error at its first call, and its calls."""
    calls: list[object] = []

    def send(message: object) -> None:
        calls.append(message)
        if len(calls) == 1:
            raise error

    return send, calls


@pytest.mark.parametrize(
    ("error", "tries"),
    [
        (LostForwardError("reset"), 2),
        (DiskError("a log", "no space"), 2),
        (HomeNeededError("another member has it"), 2),
        (EpochEndedError("the sandbox was deleted"), 1),
        (DamagedLogError("a log", 7, "a record"), 1),
    ],
    ids=lambda each: type(each).__name__ if isinstance(each, Exception) else "",
)
def test_deliveries_are_handed_over_again_while_the_sandbox_lasts(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    tries: int,
) -> None:
    monkeypatch.setattr(handing_over, "AGAIN_S", 0.01)
    lost, _ = fail_once(LostForwardError("reset"))
    again, calls = fail_once(error)

    HomeLine(lost, again).hand()
    with gevent.Timeout(WAIT_S_MAX):
        while len(calls) < tries:
            gevent.sleep(0.01)
    gevent.sleep(0.05)

    assert len(calls) == tries
    assert "Traceback" not in capsys.readouterr().err


class Homes:
    """The homes of a member, and the calms that began."""

    def __init__(self) -> None:
        self.calms: dict[str, int] = {}

    def begin_calm(self, identity: str, number: int) -> None:
        self.calms[identity] = number

    def end_calm(self, identity: str) -> None:
        del self.calms[identity]


class SlowRegistry:
    """Sandboxes that are quiet; `loading` is called while one is loaded."""

    def __init__(self) -> None:
        self.loading: Callable[[], object] = lambda: None

    def runtime(self, identity: str) -> Any:
        self.loading()
        return Runtime()


class Ring:
    newest, forgotten = 0, None

    def __init__(self) -> None:
        self.merged: list[bytes] = []

    def merge(self, after: int, dumped: Sequence[bytes]) -> None:
        self.merged += dumped


class Runtime:
    is_calm, ring = True, Ring()

    def take_up(self) -> None:
        pass


class OtherMember:
    """A line to a member that says once what it has of a calm."""

    def __init__(self) -> None:
        self.journals = [b"journal"]

    def members(self) -> list[FleetPeer]:
        return [FleetPeer(2, "http://two/")]

    def ask(self, peer: FleetPeer, what: str, sandbox: str, number: int) -> bytes:
        return encoded(LeftBehind(number, self.journals.pop() if self.journals else b""))


@pytest.mark.parametrize("is_parting", [False, True], ids=["called back", "left before"])
def test_what_a_member_hands_back_while_the_database_is_away_is_in_the_journal(
    monkeypatch: pytest.MonkeyPatch, *, is_parting: bool
) -> None:
    homes, registry, line = Homes(), SlowRegistry(), OtherMember()
    home = CalmHome(homes, registry, line)  # type: ignore[arg-type]
    home.rules = home.rules._replace(after_s=0.0)
    monkeypatch.setattr(Runtime, "ring", Ring())
    number = home.begin(SANDBOX, 2)
    registry.loading = be_away
    if is_parting:
        home.part(SANDBOX, 2, LeftBehind(number, line.journals.pop()))
    with pytest.raises(UnreachableStoreError):
        home.end(SANDBOX)

    registry.loading = lambda: None
    home.end(SANDBOX)

    assert Runtime.ring.merged == [b"journal"] and not homes.calms


@pytest.mark.parametrize("comes_late", [False, True], ids=["twice", "called back meanwhile"])
def test_what_a_member_hands_back_is_taken_once(
    monkeypatch: pytest.MonkeyPatch, *, comes_late: bool
) -> None:
    homes, line = Homes(), OtherMember()
    home = CalmHome(homes, SlowRegistry(), line)  # type: ignore[arg-type]
    home.rules = home.rules._replace(after_s=0.0)
    monkeypatch.setattr(Runtime, "ring", Ring())
    left = LeftBehind(home.begin(SANDBOX, 2), b"journal")
    if comes_late:
        monkeypatch.setattr(Homes, "end_calm", lambda *_: be_away())
        with pytest.raises(UnreachableStoreError):
            home.end(SANDBOX)
    for _ in range(2):
        home.part(SANDBOX, 2, left)

    assert Runtime.ring.merged == [b"journal"]
    assert home.begin(SANDBOX, 2) in {left.number, 0}


class Leaving:
    """A sandbox beside its home, with an outcome that may be unknown; the home is notified by one
    of so many tries.
    """

    def __init__(self, tries: int, home: int, *, is_unknown: bool = True) -> None:
        self.calm = Calm(SANDBOX, home, 7)
        self.database = SimpleNamespace(is_unknown=is_unknown)
        self.tries = tries

    def part(self) -> bool:
        gevent.sleep(0.01)
        self.tries -= 1
        return self.tries <= 0


@pytest.mark.parametrize(
    ("sandbox", "left"),
    [(Leaving(3, 2), 0), (Leaving(3, 4), 2), (Leaving(3, 2, is_unknown=False), 2)],
    ids=["unknown", "home is gone", "known"],
)
def test_a_home_is_notified_again_of_an_unknown_outcome(sandbox: Any, left: int) -> None:
    beside = BesideHomes(BesideParts(None, None, None, OtherMember()))  # type: ignore[arg-type]
    beside._sandboxes[SANDBOX] = sandbox
    beside._part(sandbox)
    for _ in range(8):
        beside.look()
        gevent.sleep(0.008)

    assert sandbox.tries == left
    assert not beside._parting and not beside._notifying


def be_away() -> None:
    raise UnreachableStoreError("it is away")


@pytest.mark.parametrize("waited_s", [0.0, KEPT_S + 1])
def test_a_sandbox_whose_calm_just_begins_is_not_forgotten(waited_s: float) -> None:
    homes, registry = Homes(), SlowRegistry()
    home = CalmHome(homes, registry, line=None)  # type: ignore[arg-type]
    home.rules = home.rules._replace(after_s=0.0)
    for number in range(KEPT_MAX + 1):
        home.begin(f"other{number}", 2)
    for identity in home._sandboxes:
        home._sandboxes[identity].number = 0

    def look() -> None:
        home._sandboxes[SANDBOX].steered_at -= KEPT_S + 1
        home._sandboxes[SANDBOX].asked_at -= waited_s
        home.look({2})

    registry.loading = look
    number = home.begin(SANDBOX, 2)

    assert number and homes.calms[SANDBOX] == number
    assert home._sandboxes[SANDBOX].number == number


def test_sandboxes_are_forgotten_that_no_member_asked_for_lately() -> None:
    home = CalmHome(Homes(), SlowRegistry(), line=None)  # type: ignore[arg-type]
    for number in range(KEPT_MAX + 1):
        home.begin(f"other{number}", 2)
    home._sandboxes["other7"].asked_at -= KEPT_S + 1
    home.look({2})

    assert "other7" not in home._sandboxes and len(home._sandboxes) == KEPT_MAX


def test_a_webhook_of_unknown_outcome_beside_the_home_does_not_wait_for_the_end_of_the_calm(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, sink = cluster.create(), Sink(lambda number: status(200))
    fleet = Fleet([quick(start(tmp_path, store)) for _ in range(2)], store, tmp_path)
    calm = a_sandbox(fleet)
    calm.control(0, "POST", "/webhooks", {"url": sink.url, "format": "json"})
    calm.calm_down(1)
    gevent.sleep(0.3)
    known, engine = len(sink.requests), fleet.gateways[1].member.beside._parts.engine
    store_work = engine.store

    def lose(work: Work) -> None:
        store_work(work)
        if work.changes:
            raise LostOutcomeError("it was lost")

    with monkeypatch.context() as patched:
        patched.setattr(engine, "store", lose)
        assert calm.pay(1).status_code == 500

    sink.wait(known + 1)
    assert calm.pay(1).status_code == 200
    sink.wait(known + 2)
    ids = [each.headers["x-event-id"] for each in sink.requests[known:]]
    assert len(set(ids)) == len(ids) == 2
    sink.server.stop()
    for member in fleet.members:
        stop(member)
