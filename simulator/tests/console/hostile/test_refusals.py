"""Whatever stops a page of the console, a person sees a page that says what to do."""

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
from simulator.web.console.resources import REFUSALS, with_errors

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
