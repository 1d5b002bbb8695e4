"""The names under which only this machine is meant.

A page of any site may have its own name lead to this machine after it was loaded (DNS rebinding),
and then reads what the gateway shows under that name. What needs no credentials is not shown there.
Choice: D-633.
"""

from ipaddress import IPv4Address, IPv6Address, ip_address

from falcon import Request

# What proxies say of a request that they pass on.
PASSED_ON = (
    "X-Forwarded-Proto", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded", "Via",
)  # fmt: skip
LOCAL, BELOW = "localhost", ".localhost"


def is_own_name(req: Request) -> bool:
    """Whether a request was sent to an address, or to a name that no site can have."""
    return _is_local(req) or _address_in(req) is not None


def leads_home(req: Request) -> bool:
    """Whether a request was sent to a name or an address that each machine has for itself."""
    address = _address_in(req)
    if address is None:
        return _is_local(req)
    return address.is_loopback or address.is_unspecified


def is_passed_on(req: Request) -> bool:
    """Whether a proxy or a tunnel on this machine has sent it: what comes that way may come from
    anywhere, also under a name of this machine.
    """
    return any(req.get_header(name) is not None for name in PASSED_ON)


def is_from_here(req: Request) -> bool:
    """Whether a request was sent under a name of this machine, and not passed on."""
    return is_own_name(req) and not is_passed_on(req)


def _is_local(req: Request) -> bool:
    name = _name_in(req)
    return name == LOCAL or name.endswith(BELOW)


def _address_in(req: Request) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(_name_in(req).strip("[]"))
    except ValueError:
        return None


def _name_in(req: Request) -> str:
    return str(req.host).rstrip(".").lower()
