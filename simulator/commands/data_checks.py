"""The checks of `sandgate doctor` that look into the data folder."""

import errno
import os
import shutil
import stat
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from simulator.adapters.access import (
    CHANGE,
    OTHER_FOLDER,
    WRITE_ADVICE,
    is_read_only,
    is_there,
    obstacle_of,
    obstacles_in,
)
from simulator.adapters.console.stored_files import damaged_files_in
from simulator.adapters.http.tls import problems_in, valid_until
from simulator.adapters.key_files import UnsafeKeyFileError, read_control_key
from simulator.adapters.sftp.host_key import open_host_key
from simulator.adapters.store.folder import links_in, owner_of, permission_problem
from simulator.adapters.store.integrity import (
    ORPHAN_ADVICE,
    REGISTRY,
    UnreadableRecords,
    advice_on,
    check_log,
    holds_sandboxes,
    logs_in,
    orphans_in,
)
from simulator.adapters.vault import open_vault
from simulator.commands.findings import CheckedSettings, Finding
from simulator.domain.core.errors import DamagedLogError

DAMAGED_SHOWN = 5
FREE_BYTES_MIN = 100 * 1024 * 1024
CLOCK_SLACK_S = 60
MODE_OF_OTHERS = 0o077
GO_ELSEWHERE = "go to another folder, or name one with --data"
KEY_FILES = ("vault.key", "control.key", "sftp.key", "tls/ca-key.pem", "tls/server-key.pem")


def can_look_into(folder: Path) -> bool:
    """Whether what the folder holds can be judged: this user may list it, or there is none yet."""
    try:
        os.scandir(folder).close()
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return os.access(folder, os.R_OK | os.X_OK, effective_ids=True)


def blocked_in(folder: Path) -> frozenset[str]:
    """The files that this user cannot use, which `check_folder` names."""
    found = obstacles_in(folder) if can_look_into(folder) and is_there(folder) else ()
    return frozenset(str(each.path) for each in found)


def check_folder(case: CheckedSettings) -> Iterator[Finding]:
    """The folder itself, what this user cannot use in it, and links."""
    path = case.folder
    problem = _folder_problem(path)
    problems = [problem] if problem is not None else []
    # On a disk that is mounted read-only everything in it would be a problem.
    if can_look_into(path) and is_there(path) and not is_read_only(path):
        problems += _problems_inside(path)
    state = str(path) if is_there(path) else f"{path}, made at the first start"
    yield from (Finding("data folder", *row) for row in problems or [(state, "")])


def _folder_problem(path: Path) -> tuple[str, str] | None:
    """What is wrong with the folder, or with the one that it would be made in, and what to do."""
    if not path.is_absolute() and not _has_working_folder():
        return f"{path}: the working folder was removed", GO_ELSEWHERE
    existing = next(each for each in (path, *path.absolute().parents) if is_there(each))
    other = "name another folder with --data"
    if not existing.is_dir():
        return f"{existing} is a file", other
    obstacle = obstacle_of(existing.resolve(), CHANGE, is_folder=True)
    if obstacle is not None:
        expected = f"expected {obstacle.expected}, got {obstacle.found}"
        advice = obstacle.advice if is_read_only(existing) else other
        return f"{existing} is not writable: {expected}", advice
    if existing == path and (problem := permission_problem(path)) is not None:
        return problem
    if shutil.disk_usage(existing).free < FREE_BYTES_MIN:
        return "less than 100 MB are free there", "free some, or name another with --data"
    return None


def _has_working_folder() -> bool:
    """Whether the folder that the command was started in is still there."""
    try:
        Path.cwd()
    except OSError:
        return False
    return True


def _problems_inside(path: Path) -> Iterator[tuple[str, str]]:
    obstacles = [*obstacles_in(path)]
    for each in obstacles:
        yield f"{each.path}: expected {each.expected}, got {each.found}", each.advice
    if not obstacles and (locked := _not_writable_in(path)) is not None:
        yield f"{locked} is not writable", _advice_on_locked(locked, path)
    for link in links_in(path):
        yield f"{link} is a link", "put the file or folder in its place"


def _advice_on_locked(locked: Path, data: Path) -> str:
    if is_there(locked) and is_read_only(locked):
        return f"{WRITE_ADVICE[errno.EROFS]}, {OTHER_FOLDER}"
    return f"chown -R {os.getuid()} {data}"


def _not_writable_in(folder: Path) -> Path | None:
    """The first file or folder in the data folder that the gateway could not change."""
    for path in sorted(_all_in(folder)):
        needed = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
        if not os.access(path, needed, effective_ids=True) and _is_still_there(path):
            return path
    return None


def _all_in(folder: Path) -> Iterator[Path]:
    """Files and folders below this one; what a gateway that runs removes meanwhile is left out."""
    for place, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield Path(place, name)


def _is_still_there(path: Path) -> bool:
    return os.path.lexists(path)


def logs_written_at(folder: Path) -> Iterator[float]:
    """When each log was written last, in seconds since 1970."""
    for path in _all_in(folder):
        if path.suffix == ".log":
            # A gateway that runs there may have removed it.
            with suppress(OSError):
                yield path.lstat().st_mtime


def check_lock(case: CheckedSettings) -> Iterator[Finding]:
    """Whether a gateway runs in the folder."""
    owner = owner_of(case.folder)
    yield Finding("lock", f"a gateway runs there: {owner}" if owner else "free")


def check_keys(case: CheckedSettings) -> Iterator[Finding]:
    """The key files: for their owner alone, and each with a key."""
    present = [path for name in KEY_FILES if (path := case.folder / name).exists()]
    open_to_others = [path for path in present if _mode_of(path) & MODE_OF_OTHERS]
    given = case.settings.vault_key_file
    vault = given or case.folder / "vault.key"
    for path in open_to_others:
        yield Finding("keys", f"others may read {path}", f"chmod 600 {path}")
    if given is not None and not is_there(given):
        yield Finding("keys", f"{given} is not there", "name another with --vault-key-file")
    elif not vault.exists() and holds_sandboxes(case.folder):
        found = f"{vault} is gone, and what it sealed with it"
        yield Finding("keys", found, "put it back from a backup, or start with an empty folder")
    elif not open_to_others:
        yield from _holds_keys(case, vault)


def _holds_keys(case: CheckedSettings, vault: Path) -> Iterator[Finding]:
    if not vault.exists():
        yield Finding("keys", "made at the first start")
        return
    problems = [*_key_problems(case, vault)]
    yield from problems or [Finding("keys", "for their owner alone")]


def _key_problems(case: CheckedSettings, vault: Path) -> Iterator[Finding]:
    """Each key file that holds no key, with what the start would say of it."""
    rows: list[tuple[Path, Callable[[Path], object]]] = [
        (vault.resolve() if case.settings.vault_key_file else vault, open_vault),
        (case.folder / "sftp.key", open_host_key),
    ]
    if not case.settings.control_key:
        rows.append((case.folder / "control.key", read_control_key))
    for path, read in rows:
        try:
            if path.exists():
                read(path)
        except UnsafeKeyFileError as error:
            found, _, advice = str(error).partition("; ")
            yield Finding("keys", found, advice or "put it back from a backup")


def check_logs(case: CheckedSettings) -> Iterator[Finding]:
    """What a start would refuse, and all of it. The logs of a gateway that runs are being
    written.
    """
    if not holds_sandboxes(case.folder):
        yield Finding("logs", "made at the first start")
    elif owner_of(case.folder) is not None:
        yield Finding("logs", "not read while a gateway runs there")
    else:
        yield from _read_logs(case.folder)


def check_files(case: CheckedSettings) -> Iterator[Finding]:
    """The files of documents: those of the console, of the sandboxes and of the server."""
    damaged = [*damaged_files_in(case.folder)]
    for error in damaged:
        yield Finding("files", str(error), advice_on(error))
    if not damaged:
        is_new = not holds_sandboxes(case.folder)
        yield Finding("files", "made at the first start" if is_new else "whole")


def _read_logs(folder: Path) -> Iterator[Finding]:
    try:
        paths = logs_in(folder)
    except (DamagedLogError, OSError) as error:
        yield _unusable(error)
        return
    whole = []
    for path in paths:
        records = UnreadableRecords(path)
        try:
            whole.append(check_log(path, None if path.name == REGISTRY else records.look))
        except (DamagedLogError, OSError) as error:
            yield _unusable(error)
        yield from _unreadable(records)
    state = f"whole: {len(whole)}, with {sum(log.units for log in whole):,} lines in all"
    torn = [str(log.path) for log in whole if log.torn_bytes]
    if torn:
        state += f"; the next start cuts off the torn end of {', '.join(torn)}"
    if len(whole) == len(paths):
        yield Finding("logs", state)
    for orphan in orphans_in(folder):
        yield Finding("logs", f"{orphan} belongs to no sandbox", ORPHAN_ADVICE)


def _unreadable(records: UnreadableRecords) -> Iterator[Finding]:
    """The records of a log that requests would meet in vain: the first few, and how many more."""
    damaged = [*records.found.values()]
    for number, error in enumerate(damaged[:DAMAGED_SHOWN], 1):
        left = len(damaged) - number if number == DAMAGED_SHOWN else 0
        more = f"; and {left:,} more records of this log" if left else ""
        yield Finding("logs", f"{error}{more}", advice_on(error))


def _unusable(error: DamagedLogError | OSError) -> Finding:
    if isinstance(error, DamagedLogError):
        return Finding("logs", str(error), advice_on(error))
    return Finding("logs", str(error), "let who starts the gateway read it")


def check_certificate(case: CheckedSettings) -> Iterator[Finding]:
    """The certificates and their keys."""
    folder, now = case.folder / "tls", datetime.now(UTC)
    problems = [Finding("certificate", *each) for each in problems_in(folder, now=now)]
    until = valid_until(folder)
    state = "made at the first start" if until is None else f"valid until {until:%Y-%m-%d}"
    yield from problems or [Finding("certificate", state)]


def _mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)
