"""The checks of `sandgate doctor`, one function a subject. They look and change nothing."""

import errno
import importlib.metadata
import re
import socket
import sys
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, datetime
from difflib import get_close_matches
from pathlib import Path

from simulator.adapters.store.folder import owner_of
from simulator.client.extras import install_command
from simulator.commands import data_checks
from simulator.commands.database_check import database_findings
from simulator.commands.findings import CheckedSettings, Finding
from simulator.grammar.version import __version__
from simulator.named_files import check_webhook_ca, read_throttle_tables
from simulator.settings import ROWS, SettingRow, Settings, SettingsError
from simulator.variables import OTHERS, VARIABLES

OLDEST_PYTHON = (3, 11)
CLOCK_SLACK_S = 60
SAME_PORT = "the same as a port above"
PREFIX = "SANDGATE_"
# Ports that listen on this machine alone, whatever --host says.
LOOPBACK, ON_LOOPBACK = "127.0.0.1", ("card_port",)
Check = Callable[[CheckedSettings], Iterator[Finding]]
BOUND = re.compile(r"(>=|<=|==|<|>)([0-9][0-9.]*)")


def findings_of(case: CheckedSettings) -> Iterator[Finding]:
    """What every check found, in the order of a start. Nothing is said of what lies in a data
    folder that cannot be listed: that it cannot be is a finding.
    """
    is_open = data_checks.can_look_into(case.folder)
    blocked = data_checks.blocked_in(case.folder)
    for check in CHECKS:
        if check not in OF_WHAT_IS_INSIDE:
            yield from check(case)
        elif is_open:
            yield from _findings_inside(check, case, blocked)


def _findings_inside(
    check: Check, case: CheckedSettings, blocked: Collection[str]
) -> Iterator[Finding]:
    """What a check found in the data folder, but that a file is `blocked`, which is a finding of
    its own.
    """
    try:
        for finding in check(case):
            if finding.is_good or not any(path in finding.found for path in blocked):
                yield finding
    except OSError as error:
        if not blocked:
            found = f"{error.filename or case.folder}: expected to be read, got: {error.strerror}"
            yield Finding(OF_WHAT_IS_INSIDE[check], found, "let this user read and change it")


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
        yield Finding("versions", "; ".join(wrong), install_command())
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


def _clock(case: CheckedSettings) -> Iterator[Finding]:
    now = datetime.now(UTC)
    newest = max([Path(__file__).lstat().st_mtime, *data_checks.logs_written_at(case.folder)])
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
    is_running = _is_running_in(case.folder)
    above: set[int] = set()
    with ExitStack() as held:
        for row in ROWS:
            if row.kind == "PORT":
                host = LOOPBACK if row.name in ON_LOOPBACK else settings.host
                number = getattr(settings, row.name)
                found = _port(row, host, number, held, is_running=is_running)
                is_repeated = not found.is_good and number in above
                yield found._replace(found=SAME_PORT) if is_repeated else found
                above.add(number)


def _is_running_in(folder: Path) -> bool:
    try:
        return owner_of(folder) is not None
    except OSError:
        return False


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
            return Finding(what, "in use, maybe by the gateway that runs in this folder")
        advice = f"choose another with {row.option}, or --port 0"
        return Finding(what, _reason_of(host, error), advice)
    return Finding(what, "free")


def _reason_of(host: str, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "in use by another program"
    return f"cannot listen on {host}: {error.strerror or error}"


CHECKS: tuple[Check, ...] = (
    _python, _versions, _configuration, _environment, data_checks.check_folder,
    data_checks.check_lock, data_checks.check_keys, data_checks.check_files,
    data_checks.check_logs, data_checks.check_certificate, _clock, _database, _ports,
)  # fmt: skip
# Those of what lies in the data folder, and what each is about.
OF_WHAT_IS_INSIDE: Mapping[Check, str] = {
    data_checks.check_lock: "lock",
    data_checks.check_keys: "keys",
    data_checks.check_files: "files",
    data_checks.check_logs: "logs",
    data_checks.check_certificate: "certificate",
}
