"""Snapshots: one file with a sandbox, its credentials and its data, to be restored later.

    {"snapshot":"sandgate","format":1,"made_at":...,"bytes":...,"sha256":...,"locked_key":...,...}
    {"id":"8a82...", ...}                      the sandbox, its credentials sealed
    2f1c9a04 0 {"log":"sandgate",...}          the log of its epoch, as the store writes it

Length and checksum are those of everything after the first line; `key_sum` is the checksum of the
locked key, so that damage to it is not taken for a wrong passphrase. What is sealed opens with the
key of the sandbox alone, and that travels sealed: with the key of this installation, or under a
passphrase. Choice: D-110.
"""

from collections.abc import Callable
from datetime import datetime
from hashlib import sha256
from typing import Literal, TypeVar

import msgspec
from msgspec.structs import replace

from simulator.domain.core.entities import Merchant, Sandbox
from simulator.domain.core.errors import InvalidInputError, TamperedSecretError
from simulator.domain.core.ports import ServerVault
from simulator.domain.documents import as_record, json_in

SNAPSHOT_BYTES_MAX = 1024 * 1024 * 1024
HEADER_BYTES_MAX = 64 * 1024
# Of a merchant, with every channel and token it may have, or of a sandbox beside its merchants.
PART_BYTES_MAX = 2 * 1024 * 1024
NO_LIST = msgspec.Raw(b"[]")
PASSPHRASE_LENGTH_MIN = 8
DAMAGED = "one that is damaged or cut short"
FOREIGN = "one sealed by another installation, or damaged"
Parts = TypeVar("Parts")
to_json = msgspec.json.Encoder(decimal_format="string").encode


class SnapshotHeader(msgspec.Struct, frozen=True, kw_only=True):
    """The first line of a snapshot."""

    snapshot: Literal["sandgate"] = "sandgate"
    format: Literal[1] = 1
    made_at: datetime
    bytes: int
    sha256: str
    locked_key: str = ""
    key_sum: str = ""


def packed(sandbox: Sandbox, vault: ServerVault, passphrase: str | None) -> tuple[bytes, str]:
    """The line of the sandbox, and its key locked with the passphrase, if there is one.

    Raises InvalidInputError for a passphrase that is too short.
    """
    if passphrase is None:
        return to_json(sandbox) + b"\n", ""
    _refuse_short(passphrase)
    locked = vault.locked(sandbox.id, sandbox.key_sealed, passphrase)
    return to_json(replace(sandbox, key_sealed="")) + b"\n", locked


def header_line(header: SnapshotHeader) -> bytes:
    """The first line of a snapshot."""
    return to_json(replace(header, key_sum=_sum_of(header))) + b"\n"


def read_header(line: bytes) -> SnapshotHeader:
    """The header that a file begins with. Raises InvalidInputError."""
    try:
        _refuse_long_header(line)
        return as_record(json_in(line), SnapshotHeader)
    except InvalidInputError:
        raise InvalidInputError(
            "body", "a snapshot of a sandbox, format 1", "another file"
        ) from None


def _refuse_long_header(line: bytes) -> None:
    if len(line) > HEADER_BYTES_MAX:
        raise InvalidInputError("body", f"a line of at most {HEADER_BYTES_MAX} bytes", "more")


def refuse_large(size: int) -> None:
    """Raise InvalidInputError for a file that no restore would take."""
    if size > SNAPSHOT_BYTES_MAX:
        expected = f"a snapshot of at most {SNAPSHOT_BYTES_MAX:,} bytes, as a restore takes"
        way_on = "stop the gateway, and copy its data folder instead"
        raise InvalidInputError("sandbox", f"{expected}; {way_on}", f"{size:,}")


def refuse_damaged(header: SnapshotHeader, size: int, checksum: str) -> None:
    """Raise InvalidInputError unless header and what follows it are what they were made as."""
    if (size, checksum) != (header.bytes, header.sha256):
        raise InvalidInputError(
            "body", f"{header.bytes} bytes with the checksum of the header", DAMAGED
        )
    # Snapshots of a former version have none.
    if header.key_sum not in ("", _sum_of(header)):
        raise InvalidInputError("body", "a locked key with the checksum of the header", DAMAGED)


def read_sandbox(line: bytes, pause: Callable[[], object] = lambda: None) -> Sandbox:
    """The sandbox of a snapshot, of which nothing is checked but its shape. Others have their turn
    in each `pause`: a sandbox may have many megabytes. Raises InvalidInputError.
    """
    members = _raw_in(line, dict[str, msgspec.Raw], "sandbox")
    raws = _raw_in(members.pop("merchants", NO_LIST), list[msgspec.Raw], "sandbox.merchants")
    _refuse_long("sandbox", sum(map(len, members.values())))
    document = {name: json_in(raw) for name, raw in members.items()}
    sandbox = as_record({**document, "merchants": []}, Sandbox, "sandbox")
    merchants = []
    for number, raw in enumerate(raws):
        pause()
        where = f"sandbox.merchants[{number}]"
        _refuse_long(where, len(raw))
        merchants.append(as_record(json_in(raw), Merchant, where))
    return replace(sandbox, merchants=tuple(merchants))


def _raw_in(content: bytes, kind: type[Parts], where: str) -> Parts:
    """What a document is made of, not taken apart itself. Raises InvalidInputError."""
    try:
        return msgspec.json.decode(content, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        as_record(json_in(content), kind, where)
        raise


def _refuse_long(where: str, size: int) -> None:
    if size > PART_BYTES_MAX:
        raise InvalidInputError(where, f"at most {PART_BYTES_MAX} bytes", str(size))


def unlocked(
    header: SnapshotHeader, sandbox: Sandbox, vault: ServerVault, passphrase: str | None
) -> Sandbox:
    """The sandbox with its key sealed by this installation, checked to open. Raises
    InvalidInputError.
    """
    if header.locked_key:
        return replace(sandbox, key_sealed=_unlocked(header, sandbox, vault, passphrase))
    try:
        vault.vault_of(sandbox.id, sandbox.key_sealed).open(sandbox.id, sandbox.control_key_sealed)
    except TamperedSecretError:
        expected = "a snapshot of this installation, or one made with a passphrase"
        raise InvalidInputError("body", expected, FOREIGN) from None
    return sandbox


def _unlocked(
    header: SnapshotHeader, sandbox: Sandbox, vault: ServerVault, passphrase: str | None
) -> str:
    if passphrase is None:
        raise InvalidInputError(
            "Sandgate-Passphrase", "the passphrase the snapshot was made with", "none"
        )
    try:
        return vault.unlocked(sandbox.id, header.locked_key, passphrase)
    except TamperedSecretError:
        expected = "the passphrase the snapshot was made with"
        got = "another one" if header.key_sum else "another one, or the first line is damaged"
        raise InvalidInputError("Sandgate-Passphrase", expected, got) from None


def _sum_of(header: SnapshotHeader) -> str:
    return sha256(header.locked_key.encode()).hexdigest()


def _refuse_short(passphrase: str) -> None:
    if len(passphrase) < PASSPHRASE_LENGTH_MIN:
        expected = f"at least {PASSPHRASE_LENGTH_MIN} characters"
        raise InvalidInputError("Sandgate-Passphrase", expected, f"{len(passphrase)}")
