"""How long the settings of a sandbox may be: each change stores all of them. Choice: D-692."""

import msgspec

from simulator.domain.core.entities import Sandbox
from simulator.domain.core.errors import InvalidInputError

SETTINGS_BYTES_MAX = 512 * 1024


def refuse_long_settings(sandbox: Sandbox, before: Sandbox | None = None) -> None:
    """Raise InvalidInputError where the settings are too long, and longer than before."""
    size = _size_of(sandbox)
    if size > SETTINGS_BYTES_MAX and (before is None or size > _size_of(before)):
        expected = f"settings of a sandbox of at most {SETTINGS_BYTES_MAX:,} bytes as JSON"
        raise InvalidInputError("merchants", expected, f"{size:,}")


def _size_of(sandbox: Sandbox) -> int:
    return len(msgspec.json.encode(sandbox))
