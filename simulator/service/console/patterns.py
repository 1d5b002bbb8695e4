"""What a sandbox has to be asked for to be set up like another one."""

from typing import Any

import msgspec

from simulator.domain.core.entities import Sandbox
from simulator.domain.merchants.entities import GIVEN


def options_of(sandbox: Sandbox) -> dict[str, Any]:
    """What a sandbox has to be asked for to be like this one, with its first merchant."""
    channels = [
        {name: value for name, value in msgspec.to_builtins(each).items() if name not in GIVEN}
        for each in sandbox.merchants[0].channels
    ]
    options: dict[str, Any] = {"merchants": [{"channels": channels}]}
    if sandbox.profile != "specification":
        options["profile"] = sandbox.profile
    if sandbox.overrides:
        options["overrides"] = dict(sandbox.overrides)
    return options


def needed_options_of(sandbox: Sandbox) -> dict[str, Any]:
    """The same without what every sandbox has that was asked for nothing, or only named."""
    options = options_of(sandbox)
    channels = options["merchants"][0]["channels"]
    if all(channel.keys() <= {"name"} for channel in channels):
        del options["merchants"]
    return options
