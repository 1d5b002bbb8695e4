"""A disk that names a record and then fails: the gateway goes on with the record that stands."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from threading import Event
from time import sleep
from typing import Any

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.console.classes import ClassBook
from simulator.adapters.console.people_file import PeopleFile
from simulator.adapters.console.recordings import RecordingFiles
from simulator.adapters.sandboxes.file_engine import FileEngine
from simulator.adapters.sandboxes.sandbox_files import SandboxFiles
from simulator.adapters.store.commit import Durability
from simulator.adapters.store.files import LocalDisk
from simulator.adapters.store.snapshots import Spool
from simulator.domain.console.classes import TrainingClass
from simulator.domain.console.people import Person, SignIn
from simulator.domain.core.errors import UnknownOutcomeError
from simulator.settings import Settings
from simulator.tests.kit.gateway import CONTROL_KEY, Credentials, Gateway
from simulator.tests.lost_writes.faulty_disk import UnnamedDisk

REFUSALS = pytest.mark.parametrize("refusals", [1, 2, 4])
SLOW = {"approve": {}, "latency": {"fixed": {"seconds": 1}}}
HEADERS = {"Authorization": f"Bearer {CONTROL_KEY}", "Sandgate-Passphrase": "correct horse battery"}
NOW = datetime(2030, 1, 3, tzinfo=UTC)


def engine_on(disk: UnnamedDisk, settings: Settings) -> FileEngine:
    """The embedded engine, the records of whose sandboxes are on this disk."""
    durability = Durability(settings.durability)
    engine = FileEngine(settings.data, durability)
    engine.records = SandboxFiles(settings.data, durability=durability, disk=disk)
    return engine


class Shop:
    """A sandbox of a gateway on such a disk, in which payments are made."""

    def __init__(self, data: Path, disk: UnnamedDisk | None = None, idle: float = 0):
        self.disk, self._data, self._idle = disk or UnnamedDisk(), data, idle
        self.start()
        self.made = self.gateway.control("POST", "/sandboxes").json
        self.path = f"/sandboxes/{self.made['id']}"
        self.who = Credentials(self.made["token"], self.made["entity_id"])

    def start(self) -> None:
        self.gateway = Gateway(
            self._data,
            durability="disk",
            idle=self._idle,
            open_engine=lambda settings, _: engine_on(self.disk, settings),
        )

    def restart(self) -> None:
        self.gateway.close()
        self.start()

    def change(self, method: str, path: str, *, refusals: int) -> None:
        """Change the sandbox, whose record stands then, and may not last."""
        self.disk.refusals = refusals
        answer = self.gateway.control(method, f"{self.path}{path}")
        assert (answer.status_code, answer.json["result"]["code"]) == (500, "999.999.999")
        assert "Retry-After" not in answer.headers

    def token_path(self) -> str:
        """Where the token of the test host is, below the sandbox."""
        path = f"/merchants/{self.made['entities']['merchants'][0]['id']}/tokens"
        tokens = self.gateway.control("GET", self.path + path).json["tokens"]
        (test,) = (each["id"] for each in tokens if each["host"] == "test")
        return f"{path}/{test}"

    def pay(self) -> Any:
        """The answer to a payment that is sent again as long as nothing is stored."""
        while self.disk.refusals:
            assert self.gateway.post(who=self.who).status_code == 503
        return self.gateway.post(who=self.who)

    def stored(self) -> dict[str, Any]:
        """The record as the disk has it."""
        content = (self._data / self.made["id"] / "sandbox.json").read_bytes()
        record: dict[str, Any] = json.loads(content)["sandboxes"][self.made["id"]]
        return record


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    shop = Shop(tmp_path / "data")
    yield shop
    shop.gateway.close()


@REFUSALS
def test_what_is_paid_behind_a_reset_that_may_not_last_is_there(shop: Shop, refusals: int) -> None:
    former = shop.pay().json["id"]
    shop.change("POST", "/reset", refusals=refusals)

    paid = [shop.pay().json["id"] for _ in range(3)]
    assert shop.gateway.control("GET", shop.path).json["epoch"] == shop.stored()["epoch"] == 2

    shop.restart()
    assert [shop.gateway.read(each, shop.who).status_code for each in paid] == [200] * 3
    assert shop.gateway.read(former, shop.who).status_code == 404


@REFUSALS
def test_nothing_is_paid_behind_a_deletion_that_may_not_last(shop: Shop, refusals: int) -> None:
    shop.pay()
    shop.change("DELETE", "", refusals=refusals)

    assert shop.pay().status_code == 403
    assert shop.gateway.control("GET", shop.path).status_code == 404

    shop.restart()
    assert shop.gateway.post(who=shop.who).status_code == 403
    assert shop.gateway.control("GET", shop.path).status_code == 404


@REFUSALS
def test_a_token_opens_nothing_behind_its_rotation_that_may_not_last(
    shop: Shop, refusals: int
) -> None:
    shop.pay()
    shop.change("POST", f"{shop.token_path()}/rotate", refusals=refusals)

    assert shop.pay().status_code == 403

    shop.restart()
    assert shop.gateway.post(who=shop.who).status_code == 403


@REFUSALS
def test_a_payment_under_way_goes_on_behind_a_change_of_its_epoch(
    shop: Shop, refusals: int
) -> None:
    script = {"behaviour": {"steps": {"acquirer": SLOW}}, "times": 1}
    assert shop.gateway.control("POST", f"{shop.path}/scripts", script).status_code == 201
    paying = gevent.spawn(shop.gateway.post, who=shop.who)
    gevent.sleep(0.2)
    shop.change("POST", f"{shop.token_path()}/rotate", refusals=refusals)

    paid = paying.get(timeout=10)
    assert (paid.status_code, paid.json["result"]["code"]) == (200, "000.100.110")
    assert shop.pay().status_code == 403


def test_a_sandbox_that_is_unloaded_while_the_disk_is_waited_for_is_in_memory_once(
    tmp_path: Path,
) -> None:
    slow = SlowFolders()
    shop = Shop(tmp_path / "data", UnnamedDisk(slow), idle=0.2)
    assert shop.gateway.post(who=shop.who).status_code == 200
    shop.change("POST", f"{shop.token_path()}/rotate", refusals=2)
    slow.takes_s = 1.0

    ports = shop.gateway.ports(shop.made["id"])

    slow.takes_s = 0.0
    assert shop.gateway.ports(shop.made["id"]) is ports
    shop.gateway.close()


def test_a_sandbox_that_may_not_last_keeps_none_of_the_others_back(shop: Shop) -> None:
    other = shop.gateway.control("POST", "/sandboxes").json
    path, client = "/_sandbox/v1/sandboxes", shop.gateway.client
    taken = client.simulate_get(f"{path}/{other['id']}/snapshot", headers=HEADERS).content
    shop.disk.only_in = shop.made["id"]
    shop.change("POST", f"{shop.token_path()}/rotate", refusals=50)
    left = shop.disk.refusals

    unknown = shop.who._replace(token="unknown")
    assert shop.gateway.post(who=unknown).status_code == 403
    assert shop.disk.refusals == left
    restored = client.simulate_post(f"{path}/restore", headers=HEADERS, body=taken)
    assert restored.status_code == 200
    assert shop.gateway.post(who=shop.who).status_code == 503


def test_a_sandbox_that_may_not_last_is_made_and_found(shop: Shop) -> None:
    before = shop.gateway.control("GET", "/sandboxes").json
    shop.disk.refusals = 1
    assert shop.gateway.control("POST", "/sandboxes").status_code == 500

    listed = shop.gateway.control("GET", "/sandboxes").json
    assert len(listed["sandboxes"]) == len(before["sandboxes"]) + 1

    shop.restart()
    assert shop.gateway.control("GET", "/sandboxes").json == listed


def test_people_whose_change_may_not_last_are_those_of_the_file(tmp_path: Path) -> None:
    disk = UnnamedDisk()
    people = PeopleFile(tmp_path, disk)
    anna = Person(name="anna", role="trainer", password="", created_at=NOW)
    for change in (lambda: people.save_person(anna), lambda: people.remove_person("anna")):
        disk.refusals = 1
        with pytest.raises(UnknownOutcomeError):
            change()
        assert people.people() == PeopleFile(tmp_path, LocalDisk()).people()


def test_a_removal_that_may_not_last_leaves_no_sign_in_to_the_next_of_the_name(
    tmp_path: Path,
) -> None:
    disk = UnnamedDisk()
    people = PeopleFile(tmp_path, disk)
    people.save_person(Person(name="eve", role="viewer", password="", created_at=NOW))
    begun = SignIn(id="a" * 64, person="eve", form_token="f" * 64, began_at=NOW, seen_at=NOW)
    people.save_sign_in(begun)

    disk.refusals = 1
    with pytest.raises(UnknownOutcomeError):
        people.remove_person("eve")

    assert people.sign_in(begun.id) is None
    assert PeopleFile(tmp_path, LocalDisk()).sign_in(begun.id) is None
    people.remove_person("eve")
    assert not people.people()


def test_who_signs_in_during_a_removal_that_may_not_last_is_signed_out(tmp_path: Path) -> None:
    waiting = WaitingDisk()
    disk = UnnamedDisk(waiting)
    people = PeopleFile(tmp_path, disk)
    waiting.go_on.set()
    people.save_person(Person(name="eve", role="viewer", password="", created_at=NOW))
    begun = SignIn(id="a" * 64, person="eve", form_token="f" * 64, began_at=NOW, seen_at=NOW)
    waiting.go_on.clear()
    waiting.is_reached, disk.refusals = False, 2
    changes = [gevent.spawn(people.save_sign_in, begun)]
    wait_for_name(waiting)
    changes.append(gevent.spawn(people.remove_person, "eve"))
    gevent.sleep(0)
    waiting.go_on.set()
    gevent.joinall(changes, timeout=10)

    assert all(isinstance(each.exception, UnknownOutcomeError) for each in changes)
    assert people.sign_in(begun.id) is None
    assert PeopleFile(tmp_path, LocalDisk()).sign_in(begun.id) is None


def test_the_snapshot_of_a_class_goes_with_a_removal_that_may_not_last(tmp_path: Path) -> None:
    disk = UnnamedDisk()
    book = ClassBook(tmp_path, disk)
    book.keep_snapshot("a" * 32, Spool(b"", BytesIO(b"content"), 7, ""))
    book.put(TrainingClass(id="a" * 32, key="b" * 64, by="anna", began_at=NOW))

    disk.refusals = 1
    with pytest.raises(UnknownOutcomeError):
        book.remove("a" * 32)

    assert not [*(tmp_path / "classes").iterdir()]


def test_classes_whose_change_may_not_last_are_those_of_the_file(tmp_path: Path) -> None:
    disk = UnnamedDisk()
    book = ClassBook(tmp_path, disk)
    begun = TrainingClass(id="a" * 32, key="b" * 64, by="anna", began_at=NOW)
    for change in (lambda: book.put(begun), lambda: book.remove(begun.id)):
        disk.refusals = 1
        with pytest.raises(UnknownOutcomeError):
            change()
        assert book.classes() == ClassBook(tmp_path, LocalDisk()).classes()


def wait_for_name(disk: "WaitingDisk") -> None:
    """Return when a name is being changed."""
    while not disk.is_reached:
        gevent.sleep(0.001)


class WaitingDisk:
    """A disk that holds back each change of a name as long as a test wants."""

    def __init__(self) -> None:
        self._disk = LocalDisk()
        self.go_on, self.is_reached = Event(), False

    def __getattr__(self, name: str) -> object:
        return getattr(self._disk, name)

    def rename(self, source: Path, target: Path) -> None:
        self.is_reached = True
        self.go_on.wait(10)
        self._disk.rename(source, target)


class SlowFolders:
    """A disk that takes its time to sync a folder."""

    def __init__(self) -> None:
        self._disk = LocalDisk()
        self.takes_s = 0.0

    def __getattr__(self, name: str) -> object:
        return getattr(self._disk, name)

    def sync_folder(self, path: Path) -> None:
        sleep(self.takes_s)
        self._disk.sync_folder(path)


def test_a_recording_that_is_read_while_it_is_changed_is_that_of_the_file(tmp_path: Path) -> None:
    waiting, sandbox = WaitingDisk(), "1" * 32
    disk = UnnamedDisk(waiting)
    files = RecordingFiles(tmp_path, disk, epoch_of=lambda _: "first")
    disk.refusals = 1
    changing = gevent.spawn(files.change, sandbox, lambda before: replace(before, is_on=True))
    wait_for_name(waiting)

    assert not files.recording(sandbox).is_on
    waiting.go_on.set()
    with pytest.raises(UnknownOutcomeError):
        changing.get(timeout=10)

    again = RecordingFiles(tmp_path, LocalDisk(), epoch_of=lambda _: "first")
    assert files.recording(sandbox) == again.recording(sandbox)
    assert files.recording(sandbox).is_on
