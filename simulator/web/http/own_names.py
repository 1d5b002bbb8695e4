"""The names under which only this machine is meant.

A page of any site may have its own name lead to this machine after it was loaded (DNS rebinding),
and then reads what the gateway shows under that name. What needs no credentials is not shown there.
Choice: D-633.
"""

from collections.abc import Mapping
from ipaddress import ip_address

from falcon import Request

LOCAL, BELOW = "localhost", ".localhost"


def is_own_name(req: Request) -> bool:
    """Whether a request was sent to an address, or to a name that no site can have."""
    name = req.host.rstrip(".").lower()
    if name == LOCAL or name.endswith(BELOW):
        return True
    try:
        ip_address(name.strip("[]"))
    except ValueError:
        return False
    return True


def shown_under(req: Request, shown: Mapping[str, str]) -> Mapping[str, str]:
    """The credentials that a page may show; none under a name that may be that of a site."""
    return shown if is_own_name(req) else {}
