"""Where a run takes place: a gateway of its own on loopback, or one that somebody describes."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from features.target.reading import TargetFileError, parse_target, read_target
from features.target.records import Target
from load.oracle import Limit
from load.servers import Server, gateway
from simulator.client import Client, Control, ControlError
from simulator.client.addresses import LOOPBACK

SPECIFICATION = "specification"
BAD_REQUEST = 400
Tables = Mapping[str, Any] | str


class NotOurs(ValueError):
    """A target that nobody said we may load."""


class NoTable(ValueError):
    """A throttle table that the target does not know, or that it has nowhere to put."""


@dataclass(frozen=True, slots=True)
class Place:
    """A gateway with a merchant in it, and what may be asked of it beside payments.

    `control` is None where there is no control API, `server` where somebody else started it.
    """

    target: Target
    token: str
    entity_id: str
    limits: tuple[Limit, ...] = ()
    control: Control | None = None
    sandbox: str = ""
    server: Server | None = None

    @property
    def declines(self) -> bool:
        """Whether its test cards are declined as ours are."""
        return "declines" in self.target.offers

    @property
    def authorities(self) -> str:
        """The certificates (PEM) that sign the target's, empty where the machine trusts it.

        Raises TargetFileError.
        """
        if not self.target.ca_file:
            return ""
        try:
            return Path(self.target.ca_file).read_text(encoding="ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise TargetFileError(f"ca_file: expected certificates as PEM, got: {error}") from None

    def client(self) -> Client:
        """The merchant on a connection of its own."""
        ca_file = self.target.ca_file or None
        return Client(self.target.base_url, self.token, self.entity_id, ca_file=ca_file)


@contextmanager
def own_place(table: Tables | None = None) -> Iterator[Place]:
    """A gateway for this run alone. Raises ServerStartError, NoTable."""
    with tempfile.TemporaryDirectory(prefix="sandgate-load-") as folder:
        data = Path(folder) / "data"
        with gateway(data, "--log-level", "warning") as server:
            target = parse_target(server.facts, source="the ready line")
            with _opened(target, table, server) as place:
                yield place


@contextmanager
def foreign_place(path: Path, *, is_owned: bool, table: Tables | None = None) -> Iterator[Place]:
    """The gateway a target file describes. Raises TargetFileError, NotOurs, NoTable,
    ControlError, OSError.
    """
    target = read_target(path)
    refuse_strangers(target.base_url, is_owned=is_owned)
    with _opened(target, table, None) as place:
        yield place


def refuse_strangers(base_url: str, *, is_owned: bool) -> None:
    """Load is made where it may be: on this machine, or where somebody vouches. Raises NotOurs."""
    host = urlsplit(base_url).hostname
    if host not in LOOPBACK and not is_owned:
        raise NotOurs(
            f"expected a gateway on this machine, got {host}; add --owned if it is yours to load"
        )


def limits_of(described: Mapping[str, Any]) -> tuple[Limit, ...]:
    """The rows of a throttle table as the control API shows it."""
    return tuple(Limit(**row) for row in described.get("limits", ()))


@contextmanager
def _opened(target: Target, table: Tables | None, server: Server | None) -> Iterator[Place]:
    """A sandbox for the run where the target makes one, else the target's own merchant."""
    if not (target.control_url and target.control_key):
        if table is not None:
            raise NoTable("--throttle: expected a target with control_url and control_key, got one"
                          " without")  # fmt: skip
        yield Place(target, target.token, target.entity_id)
        return
    control = Control(
        target.control_url, target.control_key, timeout_s=120, ca_file=target.ca_file or None
    )
    made = _sandbox(control, table)
    try:
        limits = limits_of(control.throttles(made["id"])["throttle"])
        yield Place(target, made["token"], made["entity_id"], limits, control, made["id"], server)
    finally:
        _leave(control, made["id"])


def _sandbox(control: Control, table: Tables | None) -> Mapping[str, Any]:
    options = {} if table is None else {"throttle": table}
    try:
        return control.create_sandbox(profile=SPECIFICATION, **options)
    except ControlError as error:
        if table is None or error.status != BAD_REQUEST:
            raise
        raise NoTable(f"--throttle: expected a throttle table, got: {error}") from None


def _leave(control: Control, sandbox: str) -> None:
    """Remove the sandbox; a gateway that is gone by now has none."""
    try:
        control.delete(sandbox)
    except (OSError, ControlError):
        pass
    finally:
        control.close()
