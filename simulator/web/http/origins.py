"""Links of the pages of a shopper, as the browser follows them that opened the page.

Links that merchants are given begin at one address. A browser may have opened the page at another
one, of this machine or over TLS: there it blocks frames and forms that lead to the first one. All
pages of the gateway are at each of its addresses, and those of the ACS are beside them: so a page
leads on at the origin that it has. Choice: D-711.
"""

import re
from typing import Any

from falcon import Request
from msgspec.structs import replace

from simulator.domain.core.ports import Addresses
from simulator.domain.core.records import Redirect
from simulator.domain.urls import origin_of, without_origin
from simulator.web.http.validation import host_of

# How the paths of the ACS begin that are beside those of the gateway, in a fleet with its member.
PAGES = ("/acs/", "/members/")
ORIGIN = re.compile(r"https?://[A-Za-z0-9.:\[\]_-]+")


def way_up(req: Request) -> str:
    """How a link begins that leads from the page that is asked for to another one of the gateway: a
    gateway may stand below a path of another server, which only the browser knows.
    """
    path: str = req.env["PATH_INFO"]
    return "../" * (path.count("/") - 1)


class OpenedAt:
    """The origin at which a browser opened a page, and what it makes of links. `base` is where they
    begin, `origin` the other one at which the page is, or empty.
    """

    def __init__(self, addresses: Addresses, base: str, origin: str):
        self._addresses = addresses
        self._base = base
        # Below a path of its own a gateway is behind a proxy alone.
        is_other = without_origin(base) == "/" and origin != origin_of(base)
        self.origin = origin if is_other else ""

    def page(self, url: str) -> str:
        """The link to a page of the gateway; any other one as it is."""
        is_ours = bool(self.origin) and url.startswith(self._base)
        return without_origin(url) if is_ours else url

    def acs(self, url: str) -> str:
        """The link to a page of the ACS, which stays at its own origin where a browser goes there
        from this one, and from there comes back to it.
        """
        path = without_origin(url)
        is_blocked = self._base.startswith("https:") and url.startswith("http:")
        # From the one that was given a browser comes back to the base alone.
        is_left = path.startswith(PAGES) if self.origin else not self._addresses.is_acs_given
        if not is_left or not (self.origin or is_blocked):
            return url
        return without_origin(self._base) + path.lstrip("/")

    def whole(self, link: str) -> str:
        """A link with its origin, for a page that another one follows."""
        origin = self.origin or origin_of(self._base)
        return f"{origin}{link}" if link.startswith("/") else link


def opened_at(req: Request, addresses: Addresses) -> OpenedAt:
    """Where a page is that a browser asks for."""
    return OpenedAt(addresses, addresses.base(host_of(req)), f"{req.scheme}://{req.netloc}")


def redirect_of_form(req: Request, addresses: Addresses, body: dict[str, Any]) -> None:
    """Let the redirect of an answer begin where the frame of the form is that has posted: the
    browser says so, also behind a proxy.
    """
    origin = req.get_header("Origin") or ""
    if "redirect" not in body or not ORIGIN.fullmatch(origin):
        return
    at, redirect = OpenedAt(addresses, addresses.base(host_of(req)), origin), body["redirect"]
    redirect["url"] = at.whole(at.page(redirect["url"]))
    for each in redirect.get("preconditions", ()):
        each["url"] = at.whole(at.acs(each["url"]))


def redirect_here(redirect: Redirect, at: OpenedAt) -> Redirect:
    """A redirect as a page follows it."""
    calls = (replace(each, url=at.acs(each.url)) for each in redirect.preconditions)
    return replace(redirect, url=at.page(redirect.url), preconditions=tuple(calls))
