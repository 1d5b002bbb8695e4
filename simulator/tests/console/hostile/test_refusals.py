"""Whatever stops a page of the console, a person sees a page that says what to do."""

import re
from types import SimpleNamespace
from typing import Any, cast

import pytest
from falcon import Response

from simulator.adapters.http.limits import Limits
from simulator.domain.core.errors import (
    CrowdedSandboxError,
    DamagedLogError,
    DiskError,
    EpochEndedError,
    UnreachableStoreError,
)
from simulator.domain.ports.console import ConsolePorts
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway
from simulator.web.console.rendering import POLICY
from simulator.web.console.resources import REFUSALS, with_errors

BROWSER = "text/html,application/xhtml+xml"
STORING = (
    (DiskError("records.log", "No space left on device"), 503),
    (UnreachableStoreError("the connection was lost"), 503),
    (DamagedLogError("records.log", 7, "a unit"), 503),
    (CrowdedSandboxError("payments under way", 100), 503),
    (EpochEndedError("the sandbox was deleted"), 404),
)


def answer_to(error: Exception) -> Response:
    """What a person gets whose page meets the error."""
    ports: Any = SimpleNamespace(server=SimpleNamespace(aside=lambda work: work()))
    resp = Response()

    def meet() -> None:
        raise error

    with_errors(cast("ConsolePorts", ports), resp, meet)
    return resp


@pytest.mark.parametrize(("error", "status"), STORING, ids=lambda each: type(each).__name__)
def test_what_stops_the_records_is_a_page(error: Exception, status: int) -> None:
    resp = answer_to(error)
    assert resp.status_code == status
    assert str(resp.content_type).startswith("text/html")
    assert str(error) not in str(resp.text), "paths of the machine are not for a browser"


@pytest.mark.parametrize("refused", REFUSALS, ids=lambda each: each.__name__)
def test_a_refusal_of_a_kind_is_answered_like_the_kind(refused: type[Exception]) -> None:
    """Such as an unreachable database, which is a kind of a disk that refuses."""
    kind = type("Kind", (refused,), {"__init__": Exception.__init__})
    assert answer_to(kind()).status_code == REFUSALS[refused][0]


@pytest.mark.parametrize("length", [1300, 4000, 8100])
@pytest.mark.parametrize("character", ["x", "%25", "%C3%A4", "&"])
def test_a_long_address_leads_to_the_sign_in(gateway: Gateway, length: int, character: str) -> None:
    """Signing in works from each page, though its address grows where it is written anew."""
    visitor = Visitor(gateway)
    answer = visitor.get(f"/console/people?q={character * (length // len(character))}")
    assert answer.status_code == 303
    assert len(answer.headers["Location"]) < Limits().line_bytes_max // 2
    assert visitor.get(answer.headers["Location"]).status_code == 200


FAULTS = [
    ("get", "/console/no/such/page/at/all", 404),
    ("get", "/console/assets/no.css", 404),
    ("get", "/console/host", 405),
    ("get", "/console/a/stage/next", 405),
    ("post", "/console/people/a/b/c/d", 404),
]


@pytest.mark.parametrize(("method", "path", "status"), FAULTS)
def test_a_browser_is_shown_a_page_where_none_is(
    gateway: Gateway, method: str, path: str, status: int
) -> None:
    page = getattr(Visitor(gateway), method)(path, Accept=BROWSER)

    assert page.status_code == status
    assert page.headers["Content-Type"].startswith("text/html")
    assert page.headers["Content-Security-Policy"] == POLICY
    assert 'href="/console"' in page.text and path not in page.text


@pytest.mark.parametrize(
    ("path", "accepted"), [("/console/no/such", "application/json"), ("/consoles", BROWSER)]
)
def test_a_program_is_answered_in_json_where_no_page_is(
    gateway: Gateway, path: str, accepted: str
) -> None:
    answer = Visitor(gateway).get(path, Accept=accepted)

    assert (answer.status_code, answer.json["result"]["code"]) == (404, "200.300.404")


def test_a_fault_of_the_console_is_a_page_that_names_its_line_in_the_log(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError("a path of the machine")

    monkeypatch.setattr("simulator.web.console.resources.signed_in", fail)
    page = Visitor(gateway).get("/console", Accept=BROWSER)

    assert page.status_code == 500
    assert page.headers["Content-Type"].startswith("text/html")
    assert re.search("[0-9a-f]{32}", page.text)
    assert "a path of the machine" not in page.text
