"""Every link of every page leads to a page, in a sandbox that has something of everything."""

import html
import re
from collections import deque
from urllib.parse import urljoin, urlsplit

import pytest

from simulator.tests.console.links.everything import fill, teach
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway
from simulator.web.console.routes import ROWS

LINK = re.compile(r'(?:href|src)="([^"#]+)"')
# No links: what scripts of a page ask for, once there is something.
AWAITED = re.compile(r"/(?:now|parties|watch|phone/[^/]+)$")


def links_of(address: str, text: str) -> set[str]:
    """Where the links of a page lead in the console, without what is behind their `#`."""
    found = {urljoin(address, html.unescape(each)) for each in LINK.findall(text)}
    return {each for each in found if each.startswith("/console")}


def followed(visitor: Visitor, *starts: str) -> dict[str, tuple[int, str]]:
    """The status of every page that links lead to, and a page where each is linked."""
    found: dict[str, tuple[int, str]] = {}
    ahead = deque((start, "") for start in starts)
    while ahead:
        address, linked = ahead.popleft()
        if address in found or AWAITED.search(urlsplit(address).path):
            continue
        answer = visitor.get(address)
        found[address] = answer.status_code, linked
        if answer.status_code == 303:
            ahead.append((answer.headers["Location"], address))
        if answer.headers.get("Content-Type", "").startswith("text/html"):
            ahead.extend((each, address) for each in links_of(address, answer.text))
    return found


@pytest.mark.parametrize("host", ["test", "live"])
def test_every_link_leads_to_a_page(
    gateway: Gateway, anna: Visitor, sandbox: str, host: str
) -> None:
    fill(gateway, sandbox)
    teach(gateway, anna, sandbox)
    anna.post("/console/host", {"host": host})
    root = f"/console/{sandbox}"

    found = followed(anna, "/console", f"{root}/ledger?compare=1", f"{root}/start")

    broken = {address: each for address, each in found.items() if each[0] not in (200, 303)}
    assert broken == {}
    assert _never_seen(set(found)) == set()


def _never_seen(found: set[str]) -> set[str]:
    """The pages that no link has led to, by their paths: the test says nothing of those."""
    paths = {urlsplit(each).path for each in found}
    patterns = {
        row.path: re.compile(re.sub(r"\\{\w+\\}", "[^/]+", re.escape(row.path)) + "$")
        for row in ROWS
        if row.method == "GET" and not AWAITED.search(row.path)
    }
    return {path for path, form in patterns.items() if not any(map(form.match, paths))}
