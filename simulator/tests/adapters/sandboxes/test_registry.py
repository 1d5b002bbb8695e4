"""The registry of sandboxes: unreadable data is reported, and no two runtimes share a log."""

from datetime import timedelta
from pathlib import Path

import gevent
import pytest

from simulator.adapters.sandboxes.wake_timer import WakeTimer
from simulator.adapters.store import lines
from simulator.adapters.vault import open_vault
from simulator.app import build
from simulator.domain.core.errors import DamagedLogError
from simulator.settings import Settings
from simulator.tests.kit.gateway import Gateway

RECORD = b'[1,{"id":"8a","version":1,"created_at":"2026-11-20T12:00:00Z"}]'


def test_a_registry_of_another_version_is_reported_and_not_changed(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    unit = lines.unit_of([("sandboxes", "8a", RECORD)])
    header = lines.header_line()
    content = header + b"".join(lines.render(len(header), unit))
    (folder / "registry.log").write_bytes(content)
    open_vault(folder / "vault.key")

    with pytest.raises(DamagedLogError, match="registry.log.*records of this version"):
        build(Settings(data=folder))

    assert (folder / "registry.log").read_bytes() == content


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
