"""The target of a run: a gateway started for it on loopback, or one described by a target file."""

import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, replace
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from features.conformance.naming import names_of
from features.target.reachability import (
    RefusedCredentialsError,
    UnreachableTargetError,
    demand_merchant_api,
)
from features.target.reading import TargetFileError, parse_target, read_target, with_members
from features.target.records import Target
from load.gateway.server import start_gateway
from load.oracle.limits import ThrottleLimit
from simulator.client import Client, Connection, Control, ControlError, Interceptor
from simulator.client.addresses import LOOPBACK
from simulator.client.browser import BY_TARGET_FILE, failure_reason
from simulator.client.files.bounded import read_within
from simulator.client.processes import ServerProcess
from simulator.client.shown.hidden import REFUSED_MIN, hiding
from simulator.client.shown.masking import Masking
from simulator.client.spread import MemberSpread

SPECIFICATION = "specification"
BAD_REQUEST = 400
CONTROL_TIMEOUT_S = 600
ThrottleTable = Mapping[str, Any] | str


class TargetNotAllowedError(ValueError):
    """A target on another machine that was not declared with --owned."""


class ThrottleTableError(ValueError):
    """A throttle table the target does not know, or a target without a control API to set it."""


@dataclass(frozen=True, slots=True)
class LoadTarget:
    """A gateway with a merchant in it, and the means to control it.

    `control` is None without a control API, `server` unless this run started the gateway, `spread`
    unless it is a fleet.
    """

    target: Target
    token: str = field(repr=False)
    entity_id: str
    limits: tuple[ThrottleLimit, ...] = ()
    control: Control | None = None
    sandbox: str = ""
    server: ServerProcess | None = None
    spread: MemberSpread | None = None

    @property
    def has_declining_cards(self) -> bool:
        """Whether it declines the test cards of this project."""
        return "declines" in self.target.offers

    @property
    def has_reports(self) -> bool:
        """Whether it offers reports, under the suite's paths or those of its target file."""
        return "reports" in self.target.offers

    @property
    def authorities(self) -> str:
        """The certificates (PEM) that sign the target's; empty if those of the machine do.

        Raises TargetFileError.
        """
        if not self.target.ca_file:
            return ""
        try:
            return read_within(Path(self.target.ca_file)).decode("ascii")
        except (OSError, UnicodeDecodeError) as error:
            raise TargetFileError(f"ca_file: expected certificates as PEM, got: {error}") from None

    def connect(self) -> Client:
        """Return the merchant's client on a connection of its own, at any member of a fleet; it
        uses the target's own names.
        """
        return Client(
            self.target.base_url, self.token, self.entity_id,
            ca_file=self.target.ca_file or None, around=_around(self.spread),
            names=names_of(self.target),
        )  # fmt: skip

    def connect_to(self, base_url: str) -> Connection:
        """Return a connection to an address of the target, at any member of a fleet."""
        ca_file = self.target.ca_file or None
        return Connection(base_url, ca_file=ca_file, around=_around(self.spread))


@contextmanager
def start_own_target(table: ThrottleTable | None = None) -> Iterator[LoadTarget]:
    """Start a gateway for this run only. Raises ServerStartError, ThrottleTableError."""
    with tempfile.TemporaryDirectory(prefix="sandgate-load-") as folder:
        data = Path(folder) / "data"
        with start_gateway(data, "--log-level", "warning") as server:
            target = parse_target(server.facts, source="the ready line")
            with _sandbox_for_run(target, table, server) as load_target:
                yield load_target


@contextmanager
def open_target(
    path: Path, *, is_owned: bool, table: ThrottleTable | None = None, members: Sequence[str] = ()
) -> Iterator[LoadTarget]:
    """Use the gateway of a target file; `members` are further members of the fleet it belongs to.

    Raises TargetFileError, TargetNotAllowedError, ThrottleTableError, ControlError, OSError.
    """
    target = with_members(read_target(path), members)
    for address in (target.base_url, *target.members):
        require_allowed(address, is_owned=is_owned)
    with _sandbox_for_run(target, table, None) as load_target:
        yield load_target


def require_allowed(base_url: str, *, is_owned: bool) -> None:
    """Require a gateway on this machine, unless --owned was given. Raises TargetNotAllowedError."""
    host = urlsplit(base_url).hostname
    if host not in LOOPBACK and not is_owned:
        raise TargetNotAllowedError(
            f"expected a gateway on this machine, got {host}; "
            "add --owned if you are allowed to load it"
        )


@contextmanager
def _sandbox_for_run(
    target: Target, table: ThrottleTable | None, server: ServerProcess | None
) -> Iterator[LoadTarget]:
    """Create a sandbox for the run through the control API; without one use the target's token.

    What the gateway refuses is shown without the secrets of the target.
    """
    spread = _spread_of(target)
    if not (target.control_url and target.control_key):
        if table is not None:
            raise ThrottleTableError(
                "--throttle: expected a target with control_url and control_key, got one without"
            )
        _demand_answer(target)
        yield LoadTarget(target, target.token, target.entity_id, spread=spread)
        return
    around = hiding(Masking(*target.secrets).body, _around(spread), status_min=REFUSED_MIN)
    control = Control(
        target.control_url, target.control_key,
        timeout_s=CONTROL_TIMEOUT_S, ca_file=target.ca_file or None, around=around,
    )  # fmt: skip
    _demand_one_gateway(control, target)
    made = _create_sandbox(control, table, target.control_url)
    try:
        described = control.throttles(made["id"])["throttle"]
        limits = tuple(ThrottleLimit(**row) for row in described.get("limits", ()))
        yield LoadTarget(
            target, made["token"], made["entity_id"], limits, control, made["id"], server, spread
        )
    finally:
        _delete_sandbox(control, made["id"])


def _spread_of(target: Target) -> MemberSpread | None:
    if not target.members:
        return None
    return MemberSpread(
        target.base_url, target.members, seed="closing check", ca_file=target.ca_file or None
    )


def _around(spread: MemberSpread | None) -> Interceptor | None:
    return None if spread is None else spread.around


def _demand_answer(target: Target) -> None:
    """Require a gateway that takes the target's credentials: a run could take hours without."""
    try:
        demand_merchant_api(target)
    except UnreachableTargetError as error:
        raise ControlError(str(error)) from None


def _demand_one_gateway(control: Control, target: Target) -> None:
    """Require that the merchant API is that of the gateway which the control API controls. Asked
    with the token of another sandbox: in that of the run each request counts for its throttles.
    """
    made = _create_sandbox(control, None, target.control_url)
    try:
        demand_merchant_api(replace(target, token=made["token"], entity_id=made["entity_id"]))
    except RefusedCredentialsError as error:
        raise ControlError(
            f"base_url: expected the gateway of which {target.control_url} is the control API, "
            f"got another one at {error.address}: it refuses a token of that gateway"
        ) from None
    except UnreachableTargetError as error:
        raise ControlError(str(error)) from None
    finally:
        with suppress(OSError, ControlError):
            control.delete(made["id"])


def _create_sandbox(
    control: Control, table: ThrottleTable | None, address: str
) -> Mapping[str, Any]:
    options = {} if table is None else {"throttle": table}
    try:
        return control.create_sandbox(profile=SPECIFICATION, **options)
    except ControlError as error:
        if table is None or error.status != BAD_REQUEST:
            raise
        raise ThrottleTableError(f"--throttle: expected a throttle table, got: {error}") from None
    except (OSError, HTTPException) as error:
        reason = failure_reason(error, trust=BY_TARGET_FILE)
        raise ControlError(
            f"control_url: expected a gateway at {address}, got: {reason}. "
            "Start it, or correct the address"
        ) from None


def _delete_sandbox(control: Control, sandbox: str) -> None:
    """Delete the sandbox; a gateway that has ended no longer has one."""
    try:
        control.delete(sandbox)
    except (OSError, ControlError):
        pass
    finally:
        control.close()
