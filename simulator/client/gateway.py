"""A gateway for tests: the one the environment names, or one started for them."""

import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.client.control import Control
from simulator.client.processes import gateway_in
from simulator.client.sandbox import SandboxClient

# What 0.1.0 called the key; read for one more release.
FORMER_KEY = "SANDGATE_CONTROL_KEY"
QUIET = ("--log-level", "warning", "--durability", "os")


@dataclass(frozen=True, slots=True)
class GatewayAccess:
    """Where a gateway is reached, and the key of its control API. Addresses end with a slash."""

    url: str
    control_url: str
    control_key: str

    def create_sandbox(self, **options: Any) -> SandboxClient:
        """A new sandbox; options are those of `Control.create_sandbox`. Raises ControlError."""
        control = self.control()
        return SandboxClient(control.create_sandbox(**options), self.url, control)

    def delete_sandbox(self, sandbox: SandboxClient) -> None:
        """Remove a sandbox with all it holds, and close its connections."""
        sandbox.control.delete(sandbox.id)
        sandbox.close()

    def control(self) -> Control:
        """The control API, on a connection of its own."""
        return Control(self.control_url, self.control_key)


def access_of(variables: Mapping[str, str]) -> GatewayAccess | None:
    """The gateway that environment variables name, as `sandgate run` sets them; None where they
    name none.
    """
    key = variables.get("SANDGATE_CONTROL_API_KEY") or variables.get(FORMER_KEY)
    found = [variables.get("SANDGATE_URL"), variables.get("SANDGATE_CONTROL_URL"), key]
    return GatewayAccess(*found) if all(found) else None  # type: ignore[arg-type]


@contextmanager
def gateway_for(variables: Mapping[str, str]) -> Iterator[GatewayAccess]:
    """The gateway that environment variables name, else one that runs until the end of the block.

    Its data is in a temporary folder that is removed. Raises ServerStartError.
    """
    named = access_of(variables)
    if named is not None:
        yield named
        return
    with (
        tempfile.TemporaryDirectory(prefix="sandgate-") as folder,
        gateway_in(Path(folder), *QUIET) as facts,
    ):
        yield GatewayAccess(facts["base_url"], facts["control_url"], facts["control_key"])
