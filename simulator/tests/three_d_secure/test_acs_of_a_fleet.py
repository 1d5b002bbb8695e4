"""The ACS of a fleet: a challenge is in the memory of one member, and answered at each of them."""

import re
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from html import unescape
from http.client import HTTPConnection, HTTPSConnection
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit

import pytest

from simulator.client import Client, Control
from simulator.client.processes import ServerProcess, running_gateway
from simulator.domain.urls import without_origin
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.kit.gateway import ORDER
from simulator.tests.merchants.test_requirements import ADDRESS, BROWSER

KEY = "the-key-of-the-fleet-of-tests"
CHANNEL = {"three_d_secure": {"VISA": "2.2.0"}, "brands": ["VISA"]}
WITH_METHOD, PAID, SHOP = "4200000000000042", "000.100.110", "https://shop.test/back"
PENDING = "000.200.000"
TEXTS = {"Accept": "text/html", "Content-Type": "application/x-www-form-urlencoded"}
FORM = re.compile(r'<form method="post"(?: action="([^"]*)")?(.*?)</form>', re.DOTALL)
FIELD = re.compile(r'<input type="hidden" name="([^"]*)" value="([^"]*)">')
CODE = re.compile(r'class="note".*?<b>(\d{6})</b>', re.DOTALL)
FORMS_MAX = 8


class PageAt(NamedTuple):
    """What a shopper was answered."""

    status: int
    text: str


class BrowserAt:
    """A browser at one address of a gateway: it goes nowhere else."""

    def __init__(self, url: str):
        parts = urlsplit(url)
        self.went: list[str] = []
        if parts.scheme == "https":
            trusting = ssl._create_unverified_context()
            self._line = HTTPSConnection(parts.hostname, parts.port, timeout=20, context=trusting)
        else:
            self._line = HTTPConnection(parts.hostname, parts.port, timeout=20)

    def go(self, path: str, form: dict[str, str] | None = None) -> PageAt:
        assert path.startswith("/"), path
        self.went.append(path)
        body = None if form is None else urlencode(form)
        self._line.request("GET" if form is None else "POST", path, body, TEXTS)
        answer = self._line.getresponse()
        return PageAt(answer.status, answer.read().decode())

    def submit(self, page: PageAt) -> PageAt:
        """Press the button of a page."""
        found = FORM.search(page.text)
        assert found is not None, page
        form = {name: unescape(value) for name, value in FIELD.findall(found[2])}
        if code := CODE.search(page.text):
            form = {"code": code[1]}
        return self.go(unescape(found[1] or self.went[-1]), form)


@pytest.fixture(scope="module")
def members(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    data = str(tmp_path_factory.mktemp("fleet"))
    with running_cluster() as cluster, ExitStack() as stack:
        options = ("--store", cluster.create(), "--data", data, "--port", "0", "--peer-key", KEY)
        yield [stack.enter_context(running_gateway(*options)) for _ in range(2)]


@pytest.mark.parametrize("listener", ["base_url", "tls_url"])
@pytest.mark.parametrize("home", [0, 1])
def test_a_challenge_that_one_member_has_is_answered_at_another(
    members: list[ServerProcess], home: int, listener: str
) -> None:
    first, other = members[home], members[1 - home]
    control = Control(first.facts["control_url"], first.facts["control_key"])
    made = control.create_sandbox(merchants=[{"channels": [CHANNEL]}])
    client = Client(first.base_url, made["token"], made["entity_id"])
    sent = {**ORDER, **ADDRESS, **BROWSER, "card.number": WITH_METHOD, "shopperResultUrl": SHOP}
    paid = client.post("v1/payments", sent)
    assert paid.code == PENDING, paid.body
    redirect = paid.body["redirect"]
    shopper = BrowserAt(other.facts[listener])

    (call,) = redirect["preconditions"]
    form = {each["name"]: each["value"] for each in call["parameters"]}
    loaded = shopper.submit(shopper.go(without_origin(call["url"]), form))
    page = shopper.go(without_origin(redirect["url"]))
    for _ in range(FORMS_MAX):
        if f'action="{SHOP}"' in page.text:
            break
        page = shopper.submit(page)

    assert loaded.status == 200 and f'action="{SHOP}"' in page.text, (loaded, page)
    assert client.get(f"v1/payments/{paid.id}").code == PAID
    assert any(re.match(r"/members/\d+/acs/challenge/", each) for each in shopper.went)
    client.close()
    control.close()


def test_a_challenge_of_a_member_that_is_gone_says_so(members: list[ServerProcess]) -> None:
    shopper = BrowserAt(members[0].facts["tls_url"])
    page = shopper.go("/members/999/acs/challenge/1", {"code": "1"})
    assert page.status == 503 and "pay again" in page.text
