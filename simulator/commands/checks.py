"""The checks of `sandgate doctor`, one function a subject. They look and change nothing."""

import errno
import importlib.metadata
import os
import re
import shutil
import socket
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path
from typing import NamedTuple

from cryptography import x509

from simulator.adapters.key_files import UnsafeKeyFileError
from simulator.adapters.store.folder import links_in, owner_of, permission_problem
from simulator.adapters.store.integrity import (
    ORPHAN_ADVICE,
    advice_on,
    check_log,
    holds_sandboxes,
    logs_in,
    orphans_in,
)
from simulator.adapters.vault import open_vault
from simulator.commands.database_check import database_findings
from simulator.domain.core.errors import DamagedLogError
from simulator.grammar.version import __version__
from simulator.named_files import check_webhook_ca, read_throttle_tables
from simulator.setting_sources import Source
from simulator.settings import ROWS, SettingRow, Settings, SettingsError
from simulator.variables import OTHERS, VARIABLES

OLDEST_PYTHON = (3, 11)
FREE_BYTES_MIN = 100 * 1024 * 1024
CLOCK_SLACK_S = 60
MODE_OF_OTHERS = 0o077
KEY_FILES = ("vault.key", "control.key", "tls/ca-key.pem", "tls/server-key.pem")
PREFIX = "SANDGATE_"
# Ports that listen on this machine alone, whatever --host says.
LOOPBACK, ON_LOOPBACK = "127.0.0.1", ("card_port",)
BOUND = re.compile(r"(>=|<=|==|<|>)([0-9][0-9.]*)")


class CheckedSettings(NamedTuple):
    """What is judged: the settings and where they came from, or why they were refused."""

    settings: Settings
    sources: tuple[Source, ...]
    environ: Mapping[str, str]
    refused: str | None = None

    @property
    def folder(self) -> Path:
        return self.settings.data


class Finding(NamedTuple):
    """One line of the report; a wrong one has an advice."""

    what: str
    found: str
    advice: str = ""

    @property
    def is_good(self) -> bool:
        return not self.advice


def findings_of(case: CheckedSettings) -> Iterator[Finding]:
    """What every check found, in the order of a start."""
    for check in CHECKS:
        yield from check(case)


def _python(case: CheckedSettings) -> Iterator[Finding]:
    found = ".".join(map(str, sys.version_info[:3]))
    too_old = sys.version_info < OLDEST_PYTHON
    yield Finding("Python", found, "install Python 3.11 or newer" if too_old else "")


def _versions(case: CheckedSettings) -> Iterator[Finding]:
    try:
        asked = importlib.metadata.requires("sandgate") or []
    except importlib.metadata.PackageNotFoundError:
        yield Finding("versions", f"sandgate {__version__}, run from its source folder")
        return
    wrong = [reason for line in asked if "extra ==" not in line and (reason := _unsatisfied(line))]
    if wrong:
        yield Finding("versions", "; ".join(wrong), "install what requirements.lock names")
    else:
        yield Finding("versions", f"sandgate {__version__} and everything it needs")


def _unsatisfied(requirement: str) -> str | None:
    """What is wrong with a package that is asked for, or None."""
    name = re.split(r"[^A-Za-z0-9._-]", requirement)[0]
    try:
        version = importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return f"{name} is not installed"
    bounds = BOUND.findall(requirement.partition(";")[0])
    if all(_keeps(version, sign, bound) for sign, bound in bounds):
        return None
    return f"{name} is {version}, expected {', '.join(map(''.join, bounds))}"


def _keeps(version: str, sign: str, bound: str) -> bool:
    found, limit = _numbers(version), _numbers(bound)
    length = max(len(found), len(limit))
    left, right = (each + (0,) * (length - len(each)) for each in (found, limit))
    return {
        ">=": left >= right, "<=": left <= right, "==": left == right,
        "<": left < right, ">": left > right,
    }[sign]  # fmt: skip


def _numbers(version: str) -> tuple[int, ...]:
    found = re.match(r"[0-9]+(?:\.[0-9]+)*", version)
    return tuple(map(int, found[0].split("."))) if found else (0,)


def _configuration(case: CheckedSettings) -> Iterator[Finding]:
    refused = case.refused or _refused_later(case.settings)
    if refused is not None:
        advice = "change it; `sandgate serve --help` lists what there is"
        yield Finding("settings", refused, advice)
        return
    chosen = [
        f"{source.row.key} ({source.origin})"
        for source in case.sources
        if source.origin != "default"
    ]
    yield Finding("settings", ", ".join(chosen) or "every one has its default")


def _refused_later(settings: Settings) -> str | None:
    try:
        read_throttle_tables(settings)
        check_webhook_ca(settings)
    except SettingsError as error:
        return str(error)
    return None


def _environment(case: CheckedSettings) -> Iterator[Finding]:
    known = {row.variable for row in ROWS} | {variable for variable, _ in VARIABLES} | {*OTHERS}
    ours = sorted(name for name in case.environ if name.startswith(PREFIX))
    unknown = [name for name in ours if name not in known]
    words = [name.removeprefix(PREFIX) for name in known]
    if not unknown:
        yield Finding("variables", ", ".join(ours) or "none is set")
    for name in unknown:
        near = get_close_matches(name.removeprefix(PREFIX), words, 1)
        advice = f"write {PREFIX}{near[0]}" if near else "unset it, nothing reads it"
        yield Finding("variables", f"{name} is no variable of Sandgate", advice)


def _folder(case: CheckedSettings) -> Iterator[Finding]:
    folder = case.folder
    existing = next(each for each in (folder, *folder.absolute().parents) if each.exists())
    state = str(folder) if folder.exists() else f"{folder}, made at the first start"
    advice = ""
    if not existing.is_dir():
        state, advice = f"{existing} is a file", "name another folder with --data"
    elif not os.access(existing, os.W_OK | os.X_OK):
        state, advice = f"{existing} is not writable", "name another folder with --data"
    elif folder.exists() and (problem := permission_problem(folder)) is not None:
        state, advice = problem
    elif (locked := _not_writable_in(folder)) is not None:
        state, advice = f"{locked} is not writable", f"chown -R {os.getuid()} {folder}"
    elif shutil.disk_usage(existing).free < FREE_BYTES_MIN:
        state, advice = "less than 100 MB are free there", "free some, or name another with --data"
    yield Finding("data folder", state, advice)
    for link in links_in(folder) if folder.is_dir() else ():
        yield Finding("data folder", f"{link} is a link", "put the file or folder in its place")


def _not_writable_in(folder: Path) -> Path | None:
    """The first file or folder in the data folder that the gateway could not change."""
    for path in sorted(folder.rglob("*")):
        needed = os.R_OK | os.W_OK | (os.X_OK if path.is_dir() else 0)
        if not os.access(path, needed):
            return path
    return None


def _owner(case: CheckedSettings) -> Iterator[Finding]:
    owner = owner_of(case.folder)
    yield Finding("lock", f"a gateway runs there: {owner}" if owner else "free")


def _keys(case: CheckedSettings) -> Iterator[Finding]:
    present = [path for name in KEY_FILES if (path := case.folder / name).exists()]
    open_to_others = [path for path in present if _mode_of(path) & MODE_OF_OTHERS]
    vault = case.folder / "vault.key"
    for path in open_to_others:
        yield Finding("keys", f"others may read {path}", f"chmod 600 {path}")
    if not vault.exists() and holds_sandboxes(case.folder):
        found = f"{vault} is gone, and what it sealed with it"
        yield Finding("keys", found, "put it back from a backup, or start with an empty folder")
    elif not open_to_others:
        yield from _vault_key(vault)


def _vault_key(vault: Path) -> Iterator[Finding]:
    if not vault.exists():
        yield Finding("keys", "made at the first start")
        return
    try:
        open_vault(vault)
    except (UnsafeKeyFileError, OSError) as error:
        yield Finding("keys", str(error), "put it back from a backup")
    else:
        yield Finding("keys", "for their owner alone")


def _logs(case: CheckedSettings) -> Iterator[Finding]:
    """What a start would refuse, and all of it. The logs of a gateway that runs are being
    written.
    """
    if not holds_sandboxes(case.folder):
        yield Finding("logs", "made at the first start")
    elif owner_of(case.folder) is not None:
        yield Finding("logs", "not read while a gateway runs there")
    else:
        yield from _read_logs(case.folder)


def _read_logs(folder: Path) -> Iterator[Finding]:
    try:
        paths = logs_in(folder)
    except (DamagedLogError, OSError) as error:
        yield _unusable(error)
        return
    whole = []
    for path in paths:
        try:
            whole.append(check_log(path))
        except (DamagedLogError, OSError) as error:
            yield _unusable(error)
    state = f"whole: {len(whole)}, with {sum(log.units for log in whole):,} lines in all"
    torn = [str(log.path) for log in whole if log.torn_bytes]
    if torn:
        state += f"; the next start cuts off the torn end of {', '.join(torn)}"
    if len(whole) == len(paths):
        yield Finding("logs", state)
    for orphan in orphans_in(folder):
        yield Finding("logs", f"{orphan} belongs to no sandbox", ORPHAN_ADVICE)


def _unusable(error: DamagedLogError | OSError) -> Finding:
    if isinstance(error, DamagedLogError):
        return Finding("logs", str(error), advice_on(error))
    return Finding("logs", str(error), "let who starts the gateway read it")


def _certificate(case: CheckedSettings) -> Iterator[Finding]:
    chain = case.folder / "tls" / "server.pem"
    if not chain.exists():
        yield Finding("certificate", "made at the first start")
        return
    renew = "start the gateway again: it issues another"
    try:
        until = x509.load_pem_x509_certificate(chain.read_bytes()).not_valid_after_utc
    except (OSError, ValueError):
        yield Finding("certificate", f"{chain} is not readable", renew)
        return
    is_over = until <= datetime.now(UTC)
    yield Finding("certificate", f"valid until {until:%Y-%m-%d}", renew if is_over else "")


def _clock(case: CheckedSettings) -> Iterator[Finding]:
    now = datetime.now(UTC)
    files = [Path(__file__), *case.folder.glob("*.log"), *case.folder.glob("*/*.log")]
    newest = max(path.lstat().st_mtime for path in files)
    is_behind = now.timestamp() + CLOCK_SLACK_S < newest
    found = f"{now:%Y-%m-%d %H:%M:%S} UTC"
    if is_behind:
        found += f", but files were written at {datetime.fromtimestamp(newest, UTC):%Y-%m-%d %H:%M}"
    yield Finding("clock", found, "set the clock of this machine" if is_behind else "")


def _database(case: CheckedSettings) -> Iterator[Finding]:
    yield from (Finding(*each) for each in database_findings(case.settings))


def _ports(case: CheckedSettings) -> Iterator[Finding]:
    """Every port that `serve` opens, each held until the last one is tried: no two are the same."""
    settings = case.settings
    if settings.port == 0:
        yield Finding("ports", "any free ones")
        return
    is_running = owner_of(case.folder) is not None
    with ExitStack() as held:
        for row in ROWS:
            if row.kind == "PORT":
                host = LOOPBACK if row.name in ON_LOOPBACK else settings.host
                found = _port(row, host, getattr(settings, row.name), held, is_running=is_running)
                yield found


def _port(row: SettingRow, host: str, number: int, held: ExitStack, *, is_running: bool) -> Finding:
    what = f"{row.key} {number}"
    if number == 0:
        return Finding(what, "any free one")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    probe = held.enter_context(socket.socket(family))
    probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        probe.bind((host, number))
        probe.listen()
    except OSError as error:
        if error.errno == errno.EADDRINUSE and is_running:
            return Finding(what, "in use, and a gateway runs here")
        advice = f"choose another with {row.option}, or --port 0"
        return Finding(what, _reason_of(host, error), advice)
    return Finding(what, "free")


def _reason_of(host: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "in use by another program, or by a port above"
    return f"cannot listen on {host}: {error.strerror or error}"


def _mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


CHECKS = (
    _python, _versions, _configuration, _environment, _folder, _owner, _keys, _logs, _certificate,
    _clock, _database, _ports,
)  # fmt: skip
