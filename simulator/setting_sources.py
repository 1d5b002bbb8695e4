"""Where settings come from: command line, environment, configuration file, defaults; and what they
must be together.
"""

import re
import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs

from simulator.client.files.bounded import read_text_within
from simulator.client.shown.known_secrets import hide_from_now_on, secrets_in_file
from simulator.client.shown.writable import writable
from simulator.domain.masking.masking import mask_text
from simulator.setting_values import fleet_problem
from simulator.settings import (
    CONFIG_FILE,
    CONTROL_KEY_LENGTH_MIN,
    ROWS,
    SettingRow,
    Settings,
    SettingsError,
    is_loopback,
    is_reachable_by_others,
)

ORDER = "command line, environment, configuration file, default"
# What may not be said of a database on the command line.
PASSWORDS = frozenset({"password", "sslpassword"})
SHOWN_PASSWORD = re.compile(r"://[^/@]*:.*@")


class Source(NamedTuple):
    """Where a value came from, and the value as a person may see it."""

    row: SettingRow
    shown: str
    origin: str


def read_settings(
    given: Mapping[str, object], environ: Mapping[str, str]
) -> tuple[Settings, list[Source]]:
    """The settings and where each came from. `given` are options by row name, None if not given.

    Raises SettingsError.
    """
    config = _value("config", given, environ)
    in_file = _file(config, must_exist=config is not None)
    named = str(config or CONFIG_FILE)
    found = [_find(row, given, environ, in_file, named=named) for row in ROWS]
    settings = Settings(**{row.name: value for row, (value, _) in zip(ROWS, found, strict=True)})
    _check(settings)
    _refuse_shown_password(given.get("store"))
    sources = [
        Source(row, _shown(row, value), origin)
        for row, (value, origin) in zip(ROWS, found, strict=True)
    ]
    return settings, sources


def _value(name: str, given: Mapping[str, object], environ: Mapping[str, str]) -> Any:
    row = next(row for row in ROWS if row.name == name)
    return _find(row, given, environ, {})[0]


def _find(
    row: SettingRow,
    given: Mapping[str, object],
    environ: Mapping[str, str],
    in_file: Mapping[str, object],
    *,
    named: str = "",
) -> tuple[Any, str]:
    places = (
        (given.get(row.name) or _no(given.get(row.name)), f"option {row.option}"),
        (environ.get(row.variable) or None, f"variable {row.variable}"),
        (in_file.get(row.key), f"file {named}"),
    )
    for value, origin in places:
        if value is not None:
            return _read(row, value, origin), origin
    return row.default, "default"


def _no(value: object) -> bool | None:
    # A flag given as no is a choice; an empty list or text is none.
    return False if value is False else None


def _read(row: SettingRow, value: object, origin: str) -> Any:
    try:
        return row.read(value)
    except (ValueError, TypeError) as error:
        got = "another value" if row.secret else mask_text(repr(value))
        raise SettingsError(f"{row.key}: expected {error}, got {got} ({origin})") from error


def _file(config: Path | None, *, must_exist: bool) -> Mapping[str, object]:
    place = config or CONFIG_FILE
    if not must_exist and not place.is_file():
        return {}
    try:
        content = tomllib.loads(read_text_within(place))
    except OSError as error:
        expected = f"expected a file that can be read, got: {error.strerror}"
        raise SettingsError(f"configuration file {place}: {expected}") from error
    except (ValueError, RecursionError) as error:
        raise SettingsError(f"configuration file {place}: expected TOML, got: {error}") from error
    hide_from_now_on(secrets_in_file(content))
    known = [row.key for row in ROWS if row.name != "config"]
    for key in content:
        if key not in known:
            near = get_close_matches(key, known, 1)
            hint = f"; did you mean {near[0]}?" if near else f"; known are {', '.join(known)}"
            named = mask_text(repr(key))
            raise SettingsError(f"configuration file {place}: no setting {named}{hint}")
    return content


def _check(settings: Settings) -> None:
    _refuse_unnamed_folder(settings.data)
    if settings.control_key is None and not is_loopback(settings.host):
        raise SettingsError(
            f"host: {settings.host} can be reached from other machines, so the control API needs "
            "a key of your choice: --control-key KEY or SANDGATE_CONTROL_KEY"
        )
    if settings.store is not None and settings.durability == "memory":
        raise SettingsError(
            "durability: expected disk or os with --store, got memory, which stores nothing; leave "
            "one of them out"
        )
    problem = fleet_problem(
        settings.peer_key, settings.store, host=settings.peer_host, url=settings.peer_url
    )
    if problem is not None:
        raise SettingsError(problem)
    length = len(settings.control_key or "")
    if 0 < length < CONTROL_KEY_LENGTH_MIN and is_reachable_by_others(settings):
        raise SettingsError(
            "control-key: other machines can reach the gateway, so the key must have at least "
            f"{CONTROL_KEY_LENGTH_MIN} characters, got {length}; leave it out where --host is a "
            "loopback address, and one is made"
        )


def _refuse_unnamed_folder(data: Path) -> None:
    """Its certificate is named in lines to paste, in JSON and in target files, which are text."""
    try:
        whole = str(data.absolute())
    except FileNotFoundError:
        # The working folder was removed, which is said where the folder is made or looked at.
        return
    shown = writable(whole)
    if shown != whole:
        raise SettingsError(
            f"data: expected a folder whose whole path is UTF-8, got {shown}; choose another one "
            "with --data or SANDGATE_DATA"
        )


def _refuse_shown_password(store: object) -> None:
    """A command line can be read by everybody on the machine."""
    address, _, query = str(store or "").partition("?")
    if SHOWN_PASSWORD.search(address) or PASSWORDS & parse_qs(query).keys():
        raise SettingsError(
            "store: expected an address without a password, got one with it; name the password in "
            "a file (PGPASSFILE), or the whole address in SANDGATE_STORE"
        )


def _shown(row: SettingRow, value: object) -> str:
    if row.secret and value is not None:
        return "********"
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={word}" for name, word in value.items()) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "none" if value is None else mask_text(str(value))
