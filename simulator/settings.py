"""Settings: one row an option."""

import ipaddress
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple

from simulator.grammar.choices import PROFILES
from simulator.setting_values import (
    OneOf,
    as_address,
    as_count,
    as_credential,
    as_flag,
    as_pairs,
    as_path,
    as_peer_key,
    as_port,
    as_processes,
    as_seconds,
    as_span,
    as_store,
    as_text,
    as_url,
)

CONTROL_KEY_LENGTH_MIN = 16
CONFIG_FILE = Path("sandgate.toml")


class SettingsError(ValueError):
    """A setting that cannot be; the message says which, from where, and what was expected."""


class SettingRow(NamedTuple):
    """One option: `--name`, `SANDGATE_NAME`, and `name` in the configuration file."""

    name: str
    kind: str
    default: object
    help: str
    read: Callable[[object], Any]
    secret: bool

    @property
    def option(self) -> str:
        return "--" + self.name.replace("_", "-")

    @property
    def variable(self) -> str:
        return "SANDGATE_" + self.name.upper()

    @property
    def key(self) -> str:
        return self.name.replace("_", "-")


def _row(
    kind: str, read: Callable[[str], object], default: Any, help: str, *, secret: bool = False
) -> Any:
    metadata = {"kind": kind, "read": read, "help": help, "secret": secret, "default": default}
    if isinstance(default, dict):
        return field(default_factory=default.copy, metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Everything that can be set, with its default."""

    host: str = _row(
        "ADDRESS",
        as_text,
        "127.0.0.1",
        "address to listen on; any but a loopback one needs a control key",
    )
    port: int = _row(
        "PORT", as_port, 8080, "port of plain HTTP; 0 takes free ports for every listener"
    )
    tls_port: int = _row("PORT", as_port, 8443, "port of HTTPS")
    live_port: int = _row("PORT", as_port, 8081, "port of the live host")
    card_port: int = _row("PORT", as_port, 8583, "port of the card host, on this machine alone")
    acs_port: int = _row(
        "PORT", as_port, 8084, "port of the directory server and the ACS of 3-D Secure"
    )
    sftp_port: int = _row("PORT", as_port, 8022, "port of the SFTP server of settlement files")
    data: Path = _row("FOLDER", as_path, Path(".sandgate"), "folder of all stored data")
    durability: str = _row(
        "WHEN",
        OneOf(("disk", "os", "memory")),
        "disk",
        "where a change is before its answer leaves: disk, os (the system has it), or memory",
    )
    store: str | None = _row(
        "URL",
        as_store,
        None,
        "PostgreSQL database that keeps the records instead of the data folder, such as "
        "postgresql://user@host/database",
        secret=True,
    )
    processes: int = _row(
        "COUNT", as_processes, 1, "processes that serve on this machine, as a fleet; needs --store"
    )
    share_ports: bool = _row(
        "", as_flag, False, "let other gateways of this user listen on the same ports"
    )
    peer_key: str | None = _row(
        "KEY",
        as_peer_key,
        None,
        "secret of at least 16 characters that the members of a fleet share; with it several "
        "gateways serve the database of --store",
        secret=True,
    )
    peer_host: str = _row(
        "ADDRESS",
        as_text,
        "127.0.0.1",
        "address on which a member of a fleet listens for the other members",
    )
    peer_port: int = _row(
        "PORT", as_port, 0, "port on which a member listens for the others; 0 takes a free one"
    )
    peer_url: str | None = _row(
        "URL",
        as_url,
        None,
        "address under which the other members reach this one, if it differs from --peer-host and "
        "--peer-port",
    )
    vault_key_file: Path | None = _row(
        "FILE",
        as_path,
        None,
        "file of the key that seals secrets; else vault.key of the data folder, made at the first "
        "start",
    )
    write_level: int | None = _row(
        "LEVEL", as_count, None, "highest write level; the former one keeps the way back open"
    )
    profile: str = _row(
        "NAME",
        OneOf(PROFILES),
        PROFILES[0],
        "profile of the default sandbox: " + " or ".join(PROFILES),
    )
    override: Mapping[str, str] = _row(
        "D-nn=VALUE",
        as_pairs,
        {},
        "override of a decision of the profile; may be repeated",
    )
    throttle: str = _row(
        "TABLE",
        as_text,
        "sandbox",
        "throttle table of the test host: off, sandbox, field, or a TOML or JSON file",
    )
    live_throttle: str = _row(
        "TABLE",
        as_text,
        "sandbox",
        "throttle table of the live host: off, sandbox, field, or a TOML or JSON file",
    )
    public_url: str | None = _row(
        "URL",
        as_url,
        None,
        "address under which clients reach the gateway, if it differs from --host and --port",
    )
    public_acs_url: str | None = _row(
        "URL",
        as_url,
        None,
        "address under which browsers reach the ACS, if it differs from --host and --acs-port",
    )
    console_proxy: str | None = _row(
        "ADDRESS",
        as_address,
        None,
        "address of the proxy that serves the console to other machines over https",
    )
    require_tls: bool = _row("", as_flag, False, "refuse plain HTTP")
    allow_private_webhooks: bool = _row(
        "", as_flag, False, "allow webhook endpoints at private and link-local addresses"
    )
    webhook_ca: Path | None = _row(
        "FILE",
        as_path,
        None,
        "CA certificates to verify webhook endpoints with; else those of the machine",
    )
    control_key: str | None = _row(
        "KEY",
        as_credential,
        None,
        "key of the control API, of letters, digits and -._~+/ (at the end also =); else one is "
        f"made at the first start and kept; at least {CONTROL_KEY_LENGTH_MIN} characters where "
        "other machines can reach the gateway",
        secret=True,
    )
    grace: float = _row("SECONDS", as_seconds, 10.0, "how long a stop waits for requests in flight")
    idle: float = _row(
        "SECONDS",
        as_seconds,
        60.0,
        "idle time before a sandbox is unloaded from memory; 0 disables",
    )
    ready_json: bool = _row("", as_flag, False, "print one JSON line when ready, and no banner")
    stop_at_eof: bool = _row(
        "",
        as_flag,
        False,
        "stop when standard input ends, as it does when the parent process has ended",
    )
    journal_count: int = _row(
        "COUNT", as_count, 1000, "entries the journal of a sandbox keeps; 0 keeps none"
    )
    journal_age: str = _row(
        "SPAN", as_span, "24h", "how long the journal keeps entries, such as 30m, 24h or 7d"
    )
    log: str = _row(
        "FORM", OneOf(("console", "json")), "console", "log on standard error: console or json"
    )
    log_level: str = _row(
        "LEVEL",
        OneOf(("debug", "info", "warning", "error")),
        "info",
        "lowest level that is logged: debug, info, warning or error",
    )
    config: Path | None = _row(
        "FILE",
        as_path,
        None,
        f"configuration file; else {CONFIG_FILE} of this folder, if there is one",
    )


ROWS = tuple(
    SettingRow(
        item.name,
        item.metadata["kind"],
        item.metadata["default"],
        item.metadata["help"],
        item.metadata["read"],
        item.metadata["secret"],
    )
    for item in fields(Settings)
)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the address."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_reachable_by_others(settings: Settings) -> bool:
    """Whether other machines can reach a listener: its address, or one that leads to it."""
    # A proxy on this machine makes all that it passes on look as if it came from here.
    leading = (settings.public_url, settings.public_acs_url, settings.console_proxy)
    return any(each is not None for each in leading) or not is_loopback(settings.host)
