"""The people of the console, in TinyDB: `people.json` in the data folder. Choice: D-309.

The audit log is `audit.jsonl` beside it: lines are appended and never changed.
"""

import os
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import NamedTuple

import msgspec
from gevent.lock import RLock

from simulator.adapters.console.small_tables import SmallTables
from simulator.adapters.store.commit import in_thread
from simulator.adapters.store.files import Disk
from simulator.domain.console.people import (
    SIGN_INS_MAX,
    AuditEntry,
    Invitation,
    Person,
    SignIn,
    displaced_by,
)
from simulator.domain.core.errors import DiskError, UnknownOutcomeError

FILE, AUDIT_FILE = "people.json", "audit.jsonl"
# No line is longer: names and ids have limits.
AUDIT_LINE_BYTES = 1024


class _End(NamedTuple):
    """How long a file of lines is, and whether its last line is whole: a power cut may cut it."""

    size: int
    is_whole: bool


class PeopleFile:
    """Implements ports.console.People. What the file holds is read once; a change goes into the
    file first.
    """

    def __init__(self, folder: Path, disk: Disk):
        self._audit, self._disk = folder / AUDIT_FILE, disk
        self._tables = SmallTables(folder / FILE, disk)
        self._changing: AbstractContextManager[object] = RLock()
        self.read_again()

    def read_again(self) -> None:
        """Hold what the file has: another process may have changed it."""
        self._people = self._tables.read("people", Person)
        self._invitations = self._tables.read("invitations", Invitation)
        self._sign_ins = self._tables.read("sign_ins", SignIn)

    def changing(self) -> AbstractContextManager[object]:
        return self._changing

    def people(self) -> Sequence[Person]:
        return sorted(self._people.values(), key=lambda person: person.name)

    def person(self, name: str) -> Person | None:
        return self._people.get(name)

    def save_person(self, person: Person) -> None:
        self._tables.store(
            "people", person.name, person, hold=lambda: self._people.update({person.name: person})
        )

    def remove_person(self, name: str) -> None:
        # Signed out first: what the disk or a kill leaves would be that of the next with the name.
        self.end_sign_ins_of(name)
        try:
            self._tables.remove("people", name, hold=lambda: self._people.pop(name, None))
        except UnknownOutcomeError:
            with suppress(DiskError):
                self.end_sign_ins_of(name)
            raise
        # And what began meanwhile.
        self.end_sign_ins_of(name)

    def invitations(self) -> Sequence[Invitation]:
        return list(self._invitations.values())

    def save_invitation(self, invitation: Invitation) -> None:
        held = {invitation.id: invitation}
        self._tables.store(
            "invitations", invitation.id, invitation, hold=lambda: self._invitations.update(held)
        )

    def take_invitation(self, identity: str) -> Invitation | None:
        taken = self._invitations.pop(identity, None)
        if taken is not None:
            self._tables.remove("invitations", identity)
        return taken

    def sign_in(self, identity: str) -> SignIn | None:
        return self._sign_ins.get(identity)

    def save_sign_in(self, sign_in: SignIn) -> None:
        while len(self._sign_ins) >= SIGN_INS_MAX:
            self.end_sign_in(displaced_by(sign_in, self._sign_ins.values()).id)
        held = {sign_in.id: sign_in}
        self._tables.store(
            "sign_ins", sign_in.id, sign_in, hold=lambda: self._sign_ins.update(held)
        )

    def change_sign_in(self, sign_in: SignIn) -> None:
        # In memory first: of many requests at once one finds that it was not seen for long.
        if sign_in.id in self._sign_ins:
            self._sign_ins[sign_in.id] = sign_in
            self._tables.store("sign_ins", sign_in.id, sign_in)

    def end_sign_in(self, identity: str) -> None:
        if self._sign_ins.pop(identity, None) is not None:
            self._tables.remove("sign_ins", identity)

    def end_sign_ins_of(self, name: str) -> None:
        for each in [one for one in self._sign_ins.values() if one.person == name]:
            self.end_sign_in(each.id)

    def append_audit(self, entry: AuditEntry) -> None:
        self._tables.write(self._append, msgspec.json.encode(entry) + b"\n")

    def audit_log(self, limit: int) -> Sequence[AuditEntry]:
        lines: list[bytes] = in_thread(_last_lines, self._audit, limit)
        return [*_entries_in(lines)]

    def _append(self, line: bytes) -> None:
        try:
            self._disk.make_folder(self._audit.parent)
            self._append_behind(_end_of(self._audit), line)
        except OSError as error:
            raise DiskError(self._audit, error.strerror or str(error)) from error

    def _append_behind(self, end: _End, line: bytes) -> None:
        handle = self._disk.open(self._audit)
        try:
            self._disk.append(handle, line if end.is_whole else b"\n" + line)
            self._disk.sync(handle)
            if not end.size:
                self._disk.sync_folder(self._audit.parent)
        except OSError:
            with suppress(OSError):
                self._disk.truncate(self._audit, end.size)
            raise
        finally:
            self._disk.close(handle)


def _end_of(path: Path) -> _End:
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 1))
            return _End(size, file.read() in (b"", b"\n"))
    except FileNotFoundError:
        return _End(0, is_whole=True)


def _entries_in(lines: Sequence[bytes]) -> Iterator[AuditEntry]:
    """The entries of the lines. One that a power cut left incomplete was never acknowledged."""
    for line in lines:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):
            yield msgspec.json.decode(line, type=AuditEntry)


def _last_lines(path: Path, limit: int) -> list[bytes]:
    """The newest lines, newest first, out of the end of the file; the rest is not read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            start = max(0, size - limit * AUDIT_LINE_BYTES)
            file.seek(start)
            lines = file.read().splitlines()
    except FileNotFoundError:
        return []
    return lines[1 if start else 0 :][: -limit - 1 : -1]
