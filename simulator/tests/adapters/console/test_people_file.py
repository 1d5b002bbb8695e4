"""The file of people: changes of sign-ins that come together."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from errno import ENOSPC
from pathlib import Path
from typing import Any

import gevent
import msgspec
import pytest
from msgspec.structs import replace

from simulator.adapters.console.people_file import AUDIT_FILE, FILE, PeopleFile
from simulator.adapters.store.files import LocalDisk
from simulator.domain.console.people import SIGN_INS_MAX, AuditEntry, SignIn
from simulator.domain.core.errors import DiskError

NOW = datetime(2030, 1, 3, tzinfo=UTC)
BEGUN = SignIn(id="a" * 64, person="anna", form_token="b" * 64, began_at=NOW, seen_at=NOW)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[PeopleFile]:
    made = PeopleFile(tmp_path, LocalDisk())
    made.save_sign_in(BEGUN)
    yield made


def test_a_sign_in_that_has_ended_is_not_changed_back(people: PeopleFile) -> None:
    people.end_sign_in(BEGUN.id)

    people.change_sign_in(replace(BEGUN, host="live"))

    assert people.sign_in(BEGUN.id) is None
    people.read_again()
    assert people.sign_in(BEGUN.id) is None


def test_a_sign_in_that_ends_while_it_is_changed_has_ended(people: PeopleFile) -> None:
    changing = gevent.spawn(people.change_sign_in, replace(BEGUN, host="live"))
    ending = gevent.spawn(people.end_sign_in, BEGUN.id)
    gevent.joinall([changing, ending], raise_error=True)

    assert people.sign_in(BEGUN.id) is None
    people.read_again()
    assert people.sign_in(BEGUN.id) is None


def test_others_see_a_change_before_it_is_stored(people: PeopleFile) -> None:
    """So that of many requests at once one stores that the person was seen."""
    changing = gevent.spawn(people.change_sign_in, replace(BEGUN, host="live"))
    gevent.sleep(0)

    found = people.sign_in(BEGUN.id)

    assert found is not None and found.host == "live"
    changing.join()


def test_who_signs_in_again_and_again_signs_out_no_other(tmp_path: Path) -> None:
    """As who has the link of a class can: the form that joins is answered each time."""
    later = [f"{number:064x}" for number in range(SIGN_INS_MAX)]
    many = [replace(BEGUN, id=each, person="eve", seen_at=NOW + timedelta(1)) for each in later]
    kept = {each.id: msgspec.to_builtins(each) for each in (BEGUN, *many[1:])}
    (tmp_path / FILE).write_text(json.dumps({"sign_ins": kept}))
    people = PeopleFile(tmp_path, LocalDisk())

    people.save_sign_in(replace(many[0], seen_at=NOW + timedelta(2)))

    assert people.sign_in(BEGUN.id) == BEGUN
    assert people.sign_in(later[0]) is not None and people.sign_in(later[1]) is None


def test_of_many_who_are_signed_in_who_signs_in_again_ends_their_own(tmp_path: Path) -> None:
    others = [replace(BEGUN, id=f"{n:064x}", person=f"p{n}") for n in range(1, SIGN_INS_MAX)]
    eve = replace(BEGUN, id="c" * 64, person="eve", seen_at=NOW + timedelta(1))
    kept = {each.id: msgspec.to_builtins(each) for each in (*others, eve)}
    (tmp_path / FILE).write_text(json.dumps({"sign_ins": kept}))
    people = PeopleFile(tmp_path, LocalDisk())

    people.save_sign_in(replace(eve, id="d" * 64))

    assert people.sign_in(eve.id) is None
    assert all(people.sign_in(each.id) for each in others)


class FillingDisk:
    """A disk that may be full in the middle of a line, and notes which folders it syncs."""

    def __init__(self) -> None:
        self.is_full = False
        self.named: list[Path] = []
        self._disk = LocalDisk()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._disk, name)

    def append(self, handle: int, data: bytes) -> None:
        """Write it, or a part of it."""
        self._disk.append(handle, data[:20] if self.is_full else data)
        if self.is_full:
            raise OSError(ENOSPC, "No space left on device")

    def sync_folder(self, path: Path) -> None:
        """Note it."""
        self._disk.sync_folder(path)
        self.named.append(path)


def an_entry(action: str) -> AuditEntry:
    return AuditEntry(at=NOW, person="anna", action=action, object="token")


def test_an_audit_entry_behind_a_line_that_a_power_cut_cut_is_there(tmp_path: Path) -> None:
    people = PeopleFile(tmp_path, LocalDisk())
    people.append_audit(an_entry("first"))
    with (tmp_path / AUDIT_FILE).open("ab") as file:
        file.write(b'{"at":"2030-01-03T00:00:00Z","person":"an')

    people.append_audit(an_entry("second"))
    people.append_audit(an_entry("third"))

    actions = [each.action for each in people.audit_log(10)]
    assert actions == ["third", "second", "first"]


def test_of_an_audit_entry_that_a_full_disk_refuses_nothing_stays(tmp_path: Path) -> None:
    disk: Any = FillingDisk()
    people = PeopleFile(tmp_path, disk)
    people.append_audit(an_entry("first"))
    stored, disk.is_full = (tmp_path / AUDIT_FILE).read_bytes(), True

    with pytest.raises(DiskError, match=AUDIT_FILE):
        people.append_audit(an_entry("second"))

    assert (tmp_path / AUDIT_FILE).read_bytes() == stored


def test_a_power_cut_takes_no_audit_log_away_that_is_new(tmp_path: Path) -> None:
    disk: Any = FillingDisk()
    PeopleFile(tmp_path, disk).append_audit(an_entry("first"))
    assert tmp_path in disk.named
