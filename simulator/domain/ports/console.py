"""The ports of the console: where its people are kept, and how passwords are checked."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

import msgspec

from scenarios.records import Behaviour
from simulator.client.wire import Answer
from simulator.domain.console.classes import TrainingClass
from simulator.domain.console.people import AuditEntry, Invitation, Person, SignIn
from simulator.domain.console.recording import KeptStory, Recording, RequestHistory
from simulator.domain.lessons import Lesson
from simulator.domain.ports.server import ServerPorts, SnapshotFile
from simulator.domain.story_run import StoryCall


class People(Protocol):
    """The people, invitations, sign-ins and the audit log of a server. A change is durable when
    its call returns, and may raise DiskError.
    """

    def read_again(self) -> None:
        """Forget what is in memory: another process may have changed what is stored."""

    def changing(self) -> AbstractContextManager[object]:
        """People come, change and go one after the other: what is read of them in this block is so
        until its end. One within another is the same.
        """

    def people(self) -> Sequence[Person]:
        """Everybody, by name."""

    def person(self, name: str) -> Person | None:
        """The one with this name, or None."""

    def save_person(self, person: Person) -> None:
        """Store a person new or changed."""

    def remove_person(self, name: str) -> None:
        """Remove a person, who is signed out everywhere."""

    def invitations(self) -> Sequence[Invitation]:
        """Every invitation that no one has used."""

    def save_invitation(self, invitation: Invitation) -> None:
        """Store an invitation."""

    def take_invitation(self, identity: str) -> Invitation | None:
        """The invitation, which is gone now; None where it was used already."""

    def sign_in(self, identity: str) -> SignIn | None:
        """The sign-in with this id, or None."""

    def save_sign_in(self, sign_in: SignIn) -> None:
        """Store a new sign-in, which displaces one of SIGN_INS_MAX."""

    def change_sign_in(self, sign_in: SignIn) -> None:
        """Store a sign-in that was changed, unless it has ended meanwhile; it is so at once."""

    def end_sign_in(self, identity: str) -> None:
        """End a sign-in."""

    def end_sign_ins_of(self, name: str) -> None:
        """Sign a person out everywhere."""

    def append_audit(self, entry: AuditEntry) -> None:
        """Append an entry to the audit log."""

    def audit_log(self, limit: int) -> Sequence[AuditEntry]:
        """The newest entries, newest first."""


class Passwords(Protocol):
    """Makes and checks what is kept of passwords; both take some 50 ms."""

    def hash(self, password: str) -> str:
        """What is kept of a password. Raises CrowdedSignInError."""

    def fits(self, password: str, kept: str) -> bool:
        """Whether it is that password; an empty `kept` fits none and takes as long. Raises
        CrowdedSignInError.
        """


class FailedTries(Protocol):
    """How often a wrong password came for a name in the last minute."""

    def wait_s(self, name: str, now: datetime) -> int:
        """Seconds until the next try is allowed; 0 where it is allowed now."""

    def count(self, name: str, now: datetime) -> None:
        """A password came, which counts as wrong until it is forgiven: so no more of one name are
        looked at at once than are allowed in a minute.
        """

    def forgive(self, name: str) -> None:
        """The password that was counted last was right, or was not looked at."""


class Stages(Protocol):
    """The lessons of a server, and the sandbox of first payments that are challenged: empty
    until there was one.
    """

    trial_sandbox: str

    def read_again(self) -> None:
        """Forget what is in memory: another process may have changed what is stored."""

    def lesson(self, sandbox: str) -> Lesson | None:
        """The lesson of a sandbox that there is, or None."""

    def put(self, lesson: Lesson) -> Lesson:
        """Keep a lesson, new or changed, durably, and wake who waits for a change. Raises
        DiskError.
        """

    def changing(self, sandbox: str) -> AbstractContextManager[object]:
        """The lesson of a sandbox is changed by one at a time."""

    def keep_snapshot(self, sandbox: str, snapshot: SnapshotFile) -> str:
        """Keep a snapshot of a sandbox, durably; the name under which it is found. Raises
        DiskError.
        """

    def snapshot(self, sandbox: str, name: str) -> SnapshotFile:
        """The snapshot with this name. Raises InvalidInputError where it is gone."""

    def forget_snapshots(self, sandbox: str, names: Iterable[str]) -> None:
        """Remove snapshots that nothing leads back to."""

    def version(self, sandbox: str) -> int:
        """A number that grows with each change on the stage of a sandbox."""

    def notify(self, sandbox: str) -> None:
        """Something changed on the stage of a sandbox."""

    def wait_for_other(
        self, sandbox: str, known: str, read: Callable[[], str], seconds: float
    ) -> None:
        """Return when `read` reads something else of the stage of a sandbox than what is known, or
        after so many seconds; it must not raise.
        """

    def drawn(self, place: str, key: str, draw: Callable[[], str]) -> str:
        """What `draw` makes of a place, such as the stage of a sandbox, as it is under this key:
        made once for all who look. A key begins with the version, and a space.
        """

    def drawn_lately(self, place: str, draw: Callable[[], str]) -> str:
        """What `draw` makes of a place that changes all the time: made a few times a second, for
        all who look.
        """

    def spawn(self, work: Callable[[], object]) -> None:
        """Do a piece of work while others are served."""


class Classes(Protocol):
    """The classes of a server. A change is durable when its call returns, and may raise
    DiskError.
    """

    def read_again(self) -> None:
        """Forget what is in memory: another process may have changed what is stored."""

    def classes(self) -> Sequence[TrainingClass]:
        """Every class, the newest last."""

    def get(self, identity: str) -> TrainingClass | None:
        """The class with this id, or None."""

    def beginning(self) -> AbstractContextManager[object]:
        """Classes begin one after the other: no other one begins in this block."""

    def put(self, begun: TrainingClass) -> None:
        """Keep a class that began."""

    def keep_snapshot(self, identity: str, snapshot: SnapshotFile) -> None:
        """Keep what the sandboxes of a class are made from, as long as the class lasts."""

    def snapshot(self, identity: str) -> SnapshotFile:
        """The snapshot of a class. Raises InvalidInputError where it is gone."""

    def change(
        self, identity: str, change: Callable[[TrainingClass], TrainingClass]
    ) -> TrainingClass | None:
        """The class after a change, which comes before or after any other one; None where it has
        ended. Raises what `change` raises.
        """

    def ending(self, identity: str) -> AbstractContextManager[bool]:
        """Whether no one else ends the class; no one else does in this block."""

    def remove(self, identity: str) -> TrainingClass | None:
        """Forget a class; as it was, with those who came last, or None where it is gone."""


class Recordings(Protocol):
    """What was done in sandboxes from the console, and the stories that people kept. A change is
    durable when its call returns, and may raise DiskError.
    """

    def read_again(self) -> None:
        """Forget what is in memory: another process may have changed what is stored."""

    def recording(self, sandbox: str) -> Recording:
        """The recording of a sandbox that there is."""

    def change(self, sandbox: str, change: Callable[[Recording], Recording]) -> Recording:
        """The recording after a change, which comes before or after any other one."""

    def history(self, sandbox: str) -> RequestHistory:
        """What was sent last from the workbench of a sandbox."""

    def change_history(
        self, sandbox: str, change: Callable[[RequestHistory], RequestHistory]
    ) -> None:
        """Change what was sent last."""

    def stories(self) -> Sequence[KeptStory]:
        """The stories that people kept, the newest last."""

    def keeping(self) -> AbstractContextManager[object]:
        """Stories are kept one after the other: no other one is kept in this block."""

    def keep_story(self, story: KeptStory) -> None:
        """Keep a story."""

    def remove_story(self, identity: str) -> None:
        """Forget a story."""


class CrowdedSignInError(Exception):
    """Too many passwords are being checked at once."""


# All of an answer is in memory, and while it is decoded everybody waits.
ANSWER_BYTES_MAX = 4 << 20


class AskGateway(Protocol):
    """Asks the gateway what a client would, one that leaves once `has_left` says so. Raises
    InvalidInputError for an answer of more than `most` bytes.
    """

    def __call__(
        self,
        call: StoryCall,
        *,
        has_left: Callable[[], bool] = lambda: False,
        most: int = ANSWER_BYTES_MAX,
    ) -> Answer: ...


class InTurns(Protocol):
    """Makes a page piece by piece, in turns of an owner: others have theirs in between."""

    def __call__(self, owner: str, pieces: Iterable[str]) -> Iterator[str]: ...


class ConsolePorts(msgspec.Struct, frozen=True):
    """What the console stands on: the server, who may see it, how pages are made while others are
    served, and the behaviours scripts may name.
    """

    server: ServerPorts
    people: People
    passwords: Passwords
    tries: FailedTries
    stages: Stages
    classes: Classes
    recordings: Recordings
    ask: AskGateway
    in_turns: InTurns
    behaviours: Mapping[str, Behaviour] = {}
