"""Which Host headers name this gateway. Choice: D-261.

A page of another site can point its own name at this machine, and a browser then takes the gateway
for that site: its pages would read and post here. Addresses cannot be made to point elsewhere.
"""

import re
from collections.abc import Callable, Iterable
from ipaddress import ip_address

HOST = re.compile(r"(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::[0-9]{1,5})?")
LOCAL = "localhost"


def host_check(names: Iterable[str]) -> Callable[[str], bool]:
    """Whether a Host header names something else than this machine or one of `names`."""
    known = {LOCAL, *(name.lower() for name in names)}

    def is_misdirected(header: str) -> bool:
        found = HOST.fullmatch(header.lower())
        if found is None:
            return True
        name = found[1].rstrip(".")
        return not (name in known or name.endswith(f".{LOCAL}") or _is_address(name))

    return is_misdirected


def _is_address(name: str) -> bool:
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True
