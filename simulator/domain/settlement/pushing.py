"""Files that the gateway pushes to the SFTP server of a merchant: where to, and how far it got.

Choice: D-620.
"""

from datetime import date, datetime, timedelta
from typing import Annotated, Literal, NamedTuple

import msgspec
from msgspec.structs import replace

from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.ports import Vault
from simulator.domain.core.shapes import shape
from simulator.domain.masking.refusals import refuse_secrets
from simulator.domain.merchants.names import refuse_controls
from simulator.domain.merchants.passwords import refuse_other_secret
from simulator.domain.merchants.sftp import fingerprint_of, public_key_in
from simulator.domain.settlement.file_names import day_of_file
from simulator.domain.settlement.push_keys import read_push_key
from simulator.domain.settlement.runs import DeliveredCsv, SettlementRun

PORT, PORT_MAX = 22, 65535
HOST_LENGTH_MAX, USER_LENGTH_MAX, FOLDER_LENGTH_MAX, SECRET_LENGTH_MAX = 253, 64, 512, 16_384
HOST_CHARACTERS = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-:_")
PROBLEM_LENGTH_MAX = 500
# The last span repeats until the file is given up.
DELAYS = tuple(timedelta(minutes=each) for each in (1, 5, 15, 60, 240))
GIVEN_UP_AFTER = timedelta(days=3)

PushState = Literal["waiting", "pushed", "given up"]


class AskedPushTarget(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Where the files of a merchant shall be pushed to. Its host key is pinned; it is logged in to
    with the password or the private key.
    """

    host: Annotated[str, shape(minLength=1, maxLength=HOST_LENGTH_MAX)]
    port: Annotated[int, shape(minimum=1, maximum=PORT_MAX)] = PORT
    user: Annotated[str, shape(minLength=1, maxLength=USER_LENGTH_MAX)]
    host_key: Annotated[str, shape("Its public key as OpenSSH writes it: ssh-ed25519 AAAA...")]
    folder: Annotated[str, shape("It has to be there.", maxLength=FOLDER_LENGTH_MAX)] = "."
    password: Annotated[str, shape(minLength=1, maxLength=128)] | None = None
    key: Annotated[str, shape("As OpenSSH writes it, without passphrase.")] | None = None


class PushTarget(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The server of the merchant with this id; password and key are sealed under it, and empty
    where there is none.
    """

    id: str
    version: int = 0
    host: str
    port: int
    user: str
    host_key: str
    folder: str
    password: str = ""
    key: str = ""

    @property
    def fingerprint(self) -> str:
        """How clients show its host key."""
        return fingerprint_of(self.host_key)


class PushAccess(NamedTuple):
    """A target with its secrets opened."""

    target: PushTarget
    password: str
    key: str


class FilePush(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The push of the file with this name, of a merchant and run. It is tried when it is `due`, no
    more where that is None; `problem` says in words what kept the last attempt from it.
    """

    id: str
    version: int = 0
    merchant: str
    run: str
    day: date
    began: datetime
    due: datetime | None
    state: PushState = "waiting"
    attempts: int = 0
    problem: str = ""


class PushFailedError(Exception):
    """A file was not pushed; the message says where to, what was expected and what came."""


def push_target(merchant: str, asked: AskedPushTarget, vault: Vault) -> PushTarget:
    """The target as it is stored. Raises InvalidInputError."""
    _refuse_text("host", asked.host, HOST_LENGTH_MAX)
    if not HOST_CHARACTERS.issuperset(asked.host):
        raise InvalidInputError("host", "a host name or an address", "other characters")
    if not 1 <= asked.port <= PORT_MAX:
        raise InvalidInputError("port", f"1 to {PORT_MAX}", str(asked.port))
    _refuse_text("user", asked.user, USER_LENGTH_MAX)
    _refuse_text("folder", asked.folder, FOLDER_LENGTH_MAX)
    if (asked.password is None) == (asked.key is None):
        raise InvalidInputError("password", "either a password or a key", "both or none")
    if asked.password is not None:
        refuse_controls(asked.password, "password")
        _refuse_length("password", asked.password, 128)
        refuse_other_secret(asked.password, "password")
    if asked.key is not None:
        _refuse_key(asked.key)
    return PushTarget(
        id=merchant,
        host=asked.host,
        port=asked.port,
        user=asked.user,
        host_key=public_key_in(asked.host_key, "host_key"),
        folder=asked.folder,
        password="" if asked.password is None else vault.seal(merchant, asked.password),
        key="" if asked.key is None else vault.seal(merchant, asked.key),
    )


def opened(target: PushTarget, vault: Vault) -> PushAccess:
    """The target with its secrets. Raises TamperedSecretError."""
    password, key = (
        vault.open(target.id, sealed) if sealed else "" for sealed in (target.password, target.key)
    )
    return PushAccess(target, password, key)


def file_push(run: SettlementRun, file: DeliveredCsv, now: datetime) -> FilePush:
    """The push of a file that a run delivered, due at once. Its name says its day."""
    day = day_of_file(file.name)
    assert day is not None, "the gateway named it"
    return FilePush(id=file.name, merchant=file.merchant, run=run.id, day=day, began=now, due=now)


def after_attempt(push: FilePush, problem: str, now: datetime) -> FilePush:
    """The push after one attempt more, that failed by `problem`, or did not."""
    tried = replace(push, attempts=push.attempts + 1, problem=problem[:PROBLEM_LENGTH_MAX])
    if not problem:
        return replace(tried, state="pushed", due=None)
    due = now + DELAYS[min(push.attempts, len(DELAYS) - 1)]
    if due - push.began > GIVEN_UP_AFTER:
        return replace(tried, state="given up", due=None)
    return replace(tried, due=due)


def tried_again(push: FilePush, now: datetime) -> FilePush:
    """The push as if it began now; one that is done stays."""
    if push.state == "pushed":
        return push
    return replace(push, state="waiting", began=now, due=now, attempts=0)


def _refuse_text(name: str, text: str, longest: int) -> None:
    _refuse_length(name, text, longest)
    refuse_controls(text, name)
    refuse_secrets(text, name)


def _refuse_length(name: str, text: str, longest: int) -> None:
    if not 1 <= len(text) <= longest:
        raise InvalidInputError(name, f"1 to {longest} characters", str(len(text)))


def _refuse_key(key: str) -> None:
    _refuse_length("key", key, SECRET_LENGTH_MAX)
    read_push_key(key)
