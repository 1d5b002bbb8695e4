"""Names of settlement files: no character in them means anything to a file system, so that none
leads out of the folder it is looked for in. Choice: D-660.
"""

import re
from datetime import date

# What is being written ends with .part, and is no file yet.
PLAIN_NAME = r"[A-Za-z0-9][A-Za-z0-9._-]{0,200}(?<!\.part)"
_PLAIN = re.compile(PLAIN_NAME, re.ASCII)
_DELIVERED = re.compile(
    r"[A-Za-z0-9-]+_[a-z0-9-]+_([0-9]{4}-[0-9]{2}-[0-9]{2})_[0-9]{3}\.csv", re.ASCII
)


def is_file_name(name: str) -> bool:
    """Whether a file of settlement may have this name."""
    return _PLAIN.fullmatch(name) is not None


def day_of_file(name: str) -> date | None:
    """The settlement date in the name of a file that merchants fetch; None in any other."""
    found = _DELIVERED.fullmatch(name) if is_file_name(name) else None
    try:
        return None if found is None else date.fromisoformat(found[1])
    except ValueError:
        return None
