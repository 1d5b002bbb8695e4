"""A gateway for tests: the one the environment names, or one started for them."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from pathlib import Path
from typing import Any

from simulator.client.control import Control
from simulator.client.control_calls import ControlError
from simulator.client.processes import gateway_in
from simulator.client.sandbox import SandboxClient
from simulator.client.transport.sendable import demand_address, demand_credential
from simulator.client.wire import ANSWERED_S_MAX

# The second is what 0.1.0 called it; read for one more release.
KEYS = ("SANDGATE_CONTROL_API_KEY", "SANDGATE_CONTROL_KEY")
ADDRESSES = ("SANDGATE_URL", "SANDGATE_CONTROL_URL")
QUIET = ("--log-level", "warning", "--durability", "os")


@dataclass(frozen=True, slots=True)
class GatewayAccess:
    """Where a gateway is reached, and the key of its control API. Addresses end with a slash.

    `ca_file` is the certificate authority of a gateway that is reached over TLS. One that says
    nothing for `timeout_s` seconds raises TimeoutError; while it settles, or advances a clock, for
    600, or `timeout_s` where that is longer.
    """

    url: str
    control_url: str
    control_key: str = field(repr=False)
    ca_file: str | None = None
    timeout_s: float = ANSWERED_S_MAX

    def create_sandbox(self, **options: Any) -> SandboxClient:
        """A new sandbox; options are those of `Control.create_sandbox`. Raises ControlError."""
        control = self.control()
        made = control.create_sandbox(**options)
        return SandboxClient(
            made, self.url, control, timeout_s=self.timeout_s, ca_file=self.ca_file
        )

    def delete_sandbox(self, sandbox: SandboxClient) -> None:
        """Remove a sandbox with all it holds, and close its connections."""
        sandbox.control.delete(sandbox.id)
        sandbox.close()

    def control(self) -> Control:
        """The control API, on a connection of its own."""
        return Control(
            self.control_url, self.control_key, timeout_s=self.timeout_s, ca_file=self.ca_file
        )


def access_of(variables: Mapping[str, str]) -> GatewayAccess | None:
    """The gateway that environment variables name, as `sandgate run` sets them; None where they
    name none. Raises UnsendableError for one that no request can carry.
    """
    __tracebackhide__ = True
    key = next((name for name in KEYS if variables.get(name)), "")
    url, control_url = (variables.get(name) for name in ADDRESSES)
    if not (url and control_url and key):
        return None
    demand_address(url, "SANDGATE_URL")
    demand_address(control_url, "SANDGATE_CONTROL_URL")
    demand_credential(variables[key], key)
    return GatewayAccess(url, control_url, variables[key], variables.get("SANDGATE_CA_FILE"))


def has_sandbox(control: Control, sandbox: str) -> bool:
    """Whether a gateway has a sandbox with this id. Raises ControlError for any other refusal."""
    try:
        control.sandbox(sandbox)
    except ControlError as error:
        if error.status != HTTPStatus.NOT_FOUND or not error.code:
            raise
        return False
    return True


@contextmanager
def gateway_for(variables: Mapping[str, str]) -> Iterator[GatewayAccess]:
    """The gateway that environment variables name, else one that runs until the end of the block.

    Its data is in a temporary folder that is removed. Raises ServerStartError, and
    UnsendableError as `access_of` does.
    """
    __tracebackhide__ = True
    named = access_of(variables)
    if named is not None:
        yield named
        return
    with (
        tempfile.TemporaryDirectory(prefix="sandgate-") as folder,
        gateway_in(Path(folder), *QUIET) as facts,
    ):
        yield GatewayAccess(facts["base_url"], facts["control_url"], facts["control_key"])
