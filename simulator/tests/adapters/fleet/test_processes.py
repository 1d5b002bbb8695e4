"""`sandgate serve --processes N`: members on shared ports, started again, stopped together."""

import http.client
import os
import signal
from pathlib import Path
from time import monotonic, sleep
from urllib.parse import urlsplit

import pytest

from simulator.adapters.http.limits import Limits
from simulator.client import Client, Control
from simulator.client.processes import running_gateway
from simulator.setting_sources import read_settings
from simulator.settings import Settings, SettingsError
from simulator.supervisor import _Member, environment_of, supervise
from simulator.tests.adapters.postgresql.cluster import running_cluster

WAIT_S_MAX = 30.0
CONNECTIONS = 16  # of which some arrive at the member that is not the home
STORE = "postgresql://sandgate@db/sandgate"


def test_the_members_have_the_settings_of_the_command(tmp_path: Path) -> None:
    key = "k" * 24
    wanted = Settings(
        store=STORE, data=tmp_path, override={"D-17": "field"}, require_tls=True, idle=3.0,
        processes=4, peer_key=key, ready_json=True,
    )  # fmt: skip
    found, _ = read_settings({}, environment_of(wanted, key))
    assert (found.store, found.data, found.override) == (STORE, tmp_path, {"D-17": "field"})
    assert (found.require_tls, found.idle, found.peer_key) == (True, 3.0, key)
    assert (found.processes, found.share_ports, found.ready_json) == (1, True, False)


def test_members_that_are_given_no_key_need_an_address_too() -> None:
    with pytest.raises(SettingsError, match="peer-url: expected with --peer-host 0.0.0.0"):
        supervise(Settings(store=STORE, processes=2, peer_host="0.0.0.0"))


def test_several_processes_need_a_database() -> None:
    with pytest.raises(SettingsError, match="processes: expected --store with 3 processes"):
        supervise(Settings(processes=3))


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"peer_key": "k" * 24}, "peer-key: expected --store"),
        ({"peer_key": "short", "store": STORE}, "peer-key: expected at least 16 characters, got 5"),
        ({"peer_key": "k" * 24, "store": STORE, "peer_host": "0.0.0.0"}, "peer-url: expected"),
    ],
)
def test_settings_of_a_member_that_cannot_be_are_refused(given: dict, expected: str) -> None:
    with pytest.raises(SettingsError, match=expected):
        read_settings(given, {})


class StopWhileWaiting:
    """A stop that comes while a member waits to be started again."""

    def __init__(self) -> None:
        self._is_set = False

    def is_set(self) -> bool:
        return self._is_set

    def wait(self, timeout: float) -> bool:
        self._is_set = True
        return True


def test_a_member_that_ends_while_all_are_stopped_is_not_started_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    started: list[_Member] = []
    monkeypatch.setattr(_Member, "start", lambda self: started.append(self))
    _Member({}).keep(StopWhileWaiting())
    assert not started


@pytest.mark.proof
def test_a_process_that_is_killed_is_started_again(tmp_path: Path) -> None:
    with running_cluster() as cluster:
        options = ("--store", cluster.create(), "--data", str(tmp_path), "--port", "0")
        with running_gateway(*options, "--processes", "2") as server:
            facts = server.facts
            control = Control(facts["control_url"], facts["control_key"])
            made = control.create_sandbox()
            before = children_of(server.process.pid)
            assert len(before) == 2
            os.kill(before[0], signal.SIGKILL)
            until = monotonic() + WAIT_S_MAX
            while len(now := children_of(server.process.pid)) < 2 or before[0] in now:
                assert monotonic() < until, now
                sleep(0.1)
            client = Client(server.base_url, made["token"], made["entity_id"])
            assert client.get("v1/payments/8a").status in {400, 404}
        assert server.process.returncode == 0


@pytest.mark.proof
def test_the_longest_head_is_answered_at_whichever_member_it_arrives(tmp_path: Path) -> None:
    with running_cluster() as cluster:
        options = ("--store", cluster.create(), "--data", str(tmp_path), "--port", "0")
        with running_gateway(*options, "--processes", "2") as server:
            facts = server.facts
            made = Control(facts["control_url"], facts["control_key"]).create_sandbox()
            fields = {"Authorization": f"Bearer {made['token']}"}
            fields |= {f"X-Field-{number}": "x" for number in range(Limits().fields_max - 3)}
            address = urlsplit(server.base_url)
            for _ in range(CONNECTIONS):
                client = http.client.HTTPConnection(address.hostname, address.port, timeout=6)
                path = f"/v1/payments/8a?entityId={made['entity_id']}"
                client.request("GET", path, headers=fields)
                assert client.getresponse().status in {400, 404}
                client.close()


def children_of(pid: int) -> list[int]:
    """The processes that a process has started and that still run."""
    text = Path(f"/proc/{pid}/task/{pid}/children").read_text()
    return [int(each) for each in text.split()]
