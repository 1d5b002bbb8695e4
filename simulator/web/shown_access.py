"""The credentials that the gateway's own pages show: those that are valid when a page is asked for.

Where none are, a page says how to get some. Choice: D-716.
"""

from html import escape
from typing import NamedTuple

from falcon import Request

from simulator.domain.merchants.credentials import CurrentAccess
from simulator.domain.ports.server import ServerPorts
from simulator.service.sandboxes.sandboxes import default_access
from simulator.web.http.own_names import is_from_here


class ShownAccess(NamedTuple):
    """What opens the default sandbox; pages may show it where only this machine reaches them."""

    server: ServerPorts
    is_open: bool

    def is_shown(self, req: Request) -> bool:
        """Whether a page may show credentials: none to others, or under the name of a site."""
        return self.is_open and is_from_here(req)

    def now(self) -> CurrentAccess | None:
        """What is valid now; None where the sandbox was deleted."""
        return default_access(self.server)


def way_to_a_token(access: CurrentAccess | None) -> str:
    """What to do where a page has no token to show, as HTML."""
    if access is None:
        return (
            "<p>The sandbox of this gateway was deleted. <code>sandgate sandbox create</code> "
            "makes one and prints its credentials. The next start of the gateway makes one for "
            "this page.</p>"
        )
    page = f"/console/{escape(access.sandbox_id)}/tokens"
    return (
        "<p>No access token is active in the sandbox of this gateway. The page "
        f'<a href="{page}">Tokens</a> of the console activates one or issues another.</p>'
    )
