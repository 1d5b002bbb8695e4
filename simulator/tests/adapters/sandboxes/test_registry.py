"""The registry of sandboxes: unreadable data is reported, and no two runtimes share a log."""

from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import gevent
import pytest
from gevent.event import Event

from simulator.adapters.sandboxes.file_engine import FileEngine
from simulator.adapters.sandboxes.registry import SandboxRegistry
from simulator.adapters.sandboxes.token_index import TokenIndex
from simulator.adapters.sandboxes.wake_timer import WakeTimer
from simulator.adapters.simulators import load_simulators
from simulator.adapters.store import lines
from simulator.adapters.vault import open_vault
from simulator.app import build
from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import DamagedLogError, InvalidInputError
from simulator.settings import Settings
from simulator.tests.kit.gateway import Credentials, Gateway

ID = "8" + "a" * 31
WAIT_S_MAX = 20
RECORD = b'[1,{"id":"%b","version":1,"created_at":"2026-11-20T12:00:00Z"}]' % ID.encode()


def test_a_registry_of_another_version_is_reported_and_not_changed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    unit = lines.unit_of([("sandboxes", ID, RECORD)])
    header = lines.header_line()
    content = header + b"".join(lines.render(len(header), unit, place=len(header)))
    (folder / "registry.log").write_bytes(content)
    open_vault(folder / "vault.key")

    with pytest.raises(DamagedLogError, match="registry.log.*records of this version"):
        build(Settings(data=folder), load_simulators())

    assert (folder / "registry.log").read_bytes() == content


@pytest.mark.parametrize("identity", ["..", "../outside", "/tmp/outside", "a/b", "tls", ""])
def test_a_registry_that_names_another_folder_is_reported_and_nothing_is_touched(
    tmp_path: Path, identity: str
) -> None:
    folder = tmp_path / "data"
    Gateway(folder, durability="os").close()
    record = RECORD.replace(ID.encode(), identity.encode())
    unit = lines.unit_of([("sandboxes", identity, record)])
    header = lines.header_line()
    log = header + b"".join(lines.render(0, unit, place=len(header)))
    (folder / "registry.log").write_bytes(log)
    (outside := tmp_path / "1.log").write_text("kept")

    with pytest.raises(DamagedLogError, match="registry.log.*an id of 32 hex digits"):
        build(Settings(data=folder), load_simulators())

    assert outside.read_text() == "kept"


def test_concurrent_requests_load_a_sandbox_once(tmp_path: Path) -> None:
    first = Gateway(tmp_path / "data", durability="os")
    paid = first.post().json["id"]
    first.close()
    again = Gateway(tmp_path / "data", durability="os")
    try:
        reading = [gevent.spawn(again.read, paid) for _ in range(10)]
        assert {each.get(timeout=5).status_code for each in reading} == {200}
    finally:
        again.close()


class ForeignSandbox:
    """Engine and records in which another gateway has just made a sandbox with one token; changes
    are named once, and each reading of them takes a while.
    """

    is_lasting = False

    def __init__(self) -> None:
        self.records, self.readings, self.fails = self, 0, 0
        self._named = [ID]

    def sandboxes(self) -> tuple[()]:
        return ()

    def changed(self) -> list[str]:
        self.readings += 1
        gevent.sleep(0.02)
        if self.readings <= self.fails:
            raise OSError("the database is away")
        named, self._named = self._named, []
        return named

    def get(self, kind: type, identity: str) -> SimpleNamespace:
        merchant = SimpleNamespace(id="8" * 32, tokens=[SimpleNamespace(hash="of the token")])
        return SimpleNamespace(id=identity, merchants=[merchant])


def test_a_token_waits_for_the_sandbox_that_another_request_just_reads(tmp_path: Path) -> None:
    engine = ForeignSandbox()
    registry = SandboxRegistry(tmp_path, parts=None, engine=engine)
    asking = [gevent.spawn(registry.sandbox_of_token, "of the token") for _ in range(10)]
    unknown = [gevent.spawn(registry.sandbox_of_token, f"not known {n}") for n in range(10)]

    assert {each.get(timeout=5) for each in asking} == {ID}
    assert {each.get(timeout=5) for each in unknown} == {None}
    assert engine.readings <= 2


def test_a_reading_that_fails_is_no_answer_for_those_who_wait(tmp_path: Path) -> None:
    engine = ForeignSandbox()
    registry = SandboxRegistry(tmp_path, parts=None, engine=engine)
    engine.fails = 1
    asking = [gevent.spawn(registry.sandbox_of_token, "of the token") for _ in range(3)]
    gevent.joinall(asking, timeout=5)

    assert [type(each.exception) for each in asking] == [OSError, type(None), type(None)]
    assert [each.value for each in asking[1:]] == [ID, ID]


def test_a_change_that_could_not_be_read_is_read_at_the_next_look() -> None:
    known, stored = TokenIndex(), dict[str, SimpleNamespace]()

    def read(identity: str) -> SimpleNamespace:
        if identity not in stored:
            raise OSError("the database is gone")
        return stored[identity]

    with pytest.raises(OSError, match="gone"):
        known.know_changed([ID], read)
    token = SimpleNamespace(hash="t")
    stored[ID] = SimpleNamespace(id=ID, merchants=[SimpleNamespace(id="m", tokens=[token])])
    known.know_changed([], read)

    assert known.of_token == {"t": ID}


def test_a_damaged_record_keeps_no_other_change_back() -> None:
    known = TokenIndex()
    whole = SimpleNamespace(id=ID, merchants=[SimpleNamespace(id="m", tokens=[])])

    def read(identity: str) -> SimpleNamespace:
        if identity == "damaged":
            raise DamagedLogError("registry.log", 1, "a record")
        return whole

    with pytest.raises(DamagedLogError):
        known.know_changed(["damaged", ID], read)
    known.know_changed([], read)

    assert known.of_merchant == {"m": ID}


def test_two_restores_at_once_bring_no_token_twice() -> None:
    known = TokenIndex()
    one, other, third = (
        SimpleNamespace(id=name, merchants=[SimpleNamespace(id=merchant, tokens=[])])
        for name, merchant in (("a", "m"), ("b", "m"), ("c", "n"))
    )

    with known.arriving(one), known.arriving(third), known.arriving(one):
        refused = known.arriving(other)
        pytest.raises(InvalidInputError, refused.__enter__)
    with known.arriving(other):
        pass


def test_a_timer_wakes_once_at_the_last_time_it_was_set_to() -> None:
    woken: list[str] = []
    timer = WakeTimer(woken.append)
    for milliseconds in (20, 5000, 30):
        timer.set("a", timedelta(milliseconds=milliseconds))
    timer.set("b", timedelta(milliseconds=10))
    timer.set("c", timedelta(milliseconds=10))
    timer.set("c", None)
    with gevent.Timeout(3):
        while len(timer):
            gevent.sleep(0.01)
    gevent.sleep(0.05)

    assert woken == ["b", "a"]


def test_a_timer_that_is_stopped_wakes_nothing_that_is_set_later() -> None:
    woken: list[str] = []
    timer = WakeTimer(woken.append)
    timer.set("a", timedelta(0))
    timer.stop()
    timer.set("b", timedelta(0))
    gevent.sleep(0.05)

    assert woken == []
    assert len(timer) == 0


def test_an_error_in_one_sandbox_does_not_stop_the_timer() -> None:
    woken: list[str] = []

    def wake(name: str) -> None:
        woken.append(name)
        if woken == ["a"]:
            raise RuntimeError("not now")

    timer = WakeTimer(wake)
    timer.set("a", timedelta(0))
    timer.set("b", timedelta(milliseconds=50))
    with gevent.Timeout(5):
        while len(timer):
            gevent.sleep(0.01)

    assert woken == ["a", "b", "a"]


def test_none_waits_for_the_log_of_another_sandbox_to_be_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    gateway = Gateway(tmp_path / "data", durability="os")
    slow, quick = (gateway.control("POST", "/sandboxes").json for _ in range(2))
    is_removing, may_go_on = Event(), Event()
    drop = FileEngine.drop

    def dropped(engine: FileEngine, sandbox: Sandbox) -> None:
        if (sandbox.id, sandbox.epoch) == (slow["id"], 1):
            is_removing.set()
            may_go_on.wait()
        drop(engine, sandbox)

    monkeypatch.setattr(FileEngine, "drop", dropped)
    reset = gevent.spawn(gateway.control, "POST", f"/sandboxes/{slow['id']}/reset", {})
    with gevent.Timeout(WAIT_S_MAX):
        is_removing.wait()
        other = gateway.control("POST", f"/sandboxes/{quick['id']}/reset", {})
        unknown = gateway.post(who=Credentials("unknown", slow["entity_id"]))
        may_go_on.set()
        reset.join()

    assert (other.status_code, unknown.status_code, reset.value.status_code) == (200, 403, 200)
    gateway.close()


def with_tokens(identity: str, *hashes: str) -> SimpleNamespace:
    tokens = [SimpleNamespace(hash=each) for each in hashes]
    return SimpleNamespace(
        id=identity, merchants=[SimpleNamespace(id=f"m{identity}", tokens=tokens)]
    )


def test_a_token_that_was_rotated_elsewhere_is_known_no_more() -> None:
    known = TokenIndex()
    for number in range(60):
        known.add(with_tokens("a", f"{number}", f"{number + 1}"))
    known.add(with_tokens("b", "other"))

    assert known.of_token == {"59": "a", "60": "a", "other": "b"}
    known.know("a", None)
    assert known.of_token == {"other": "b"} and known.of_merchant == {"mb": "b"}


def test_a_token_that_another_sandbox_has_stays_known_of_it() -> None:
    known = TokenIndex()
    known.add(with_tokens("a", "one"))
    known.add(with_tokens("b", "one"))
    known.forget("a")

    assert known.of_token == {"one": "b"}
