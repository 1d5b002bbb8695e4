"""The pytest plugin: a gateway for the run, and a sandbox of its own for each test.

pytest loads it wherever Sandgate is installed. It starts nothing until a test asks for a fixture.
With pytest-xdist each worker has its own gateway; under `sandgate run` all of them share one. As
every test has its own sandbox, tests may run in any order and at once.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPException
from typing import Any

import pytest

from simulator.client.control_calls import ControlError
from simulator.client.gateway import GatewayAccess, gateway_for
from simulator.client.sandbox import SandboxClient
from simulator.client.shown.exchanges import lines_of, shown

MARKER = "sandgate"
ENTRIES_SHOWN = 20
_SANDBOX = pytest.StashKey[SandboxClient]()


def pytest_configure(config: pytest.Config) -> None:
    """Declare the marker."""
    config.addinivalue_line(
        "markers",
        f"{MARKER}(**options): options of the sandbox of a test, such as profile, clock or "
        "merchants",
    )


@pytest.fixture(scope="session")
def sandgate_gateway() -> Iterator[GatewayAccess]:
    """The gateway of this run: that of `sandgate run` or of SANDGATE_* variables, else one of its
    own.
    """
    with gateway_for(os.environ) as access:
        yield access


@pytest.fixture
def sandgate_sandbox(
    request: pytest.FixtureRequest, sandgate_gateway: GatewayAccess
) -> Iterator[SandboxClient]:
    """A sandbox for this test alone, deleted afterwards; `@pytest.mark.sandgate` has its options.

    When the test fails, its report shows what the gateway was asked and what it answered.
    """
    with _said_as_shown():
        sandbox = sandgate_gateway.create_sandbox(**_options_of(request.node))
    request.node.stash[_SANDBOX] = sandbox
    yield sandbox
    with _said_as_shown():
        sandgate_gateway.delete_sandbox(sandbox)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    """Add the journal of the sandbox to the report of a failed test."""
    report: pytest.TestReport = yield  # type: ignore[assignment]
    sandbox = item.stash.get(_SANDBOX, None)
    if report.when == "call" and report.failed and sandbox is not None:
        report.sections.append((f"journal of sandbox {shown(sandbox.id)}", _journal_of(sandbox)))
    return report  # type: ignore[return-value]


def _options_of(item: pytest.Item) -> dict[str, Any]:
    """The options of every marker of a test; the one closest to the test wins."""
    options: dict[str, Any] = {}
    for marker in reversed(list(item.iter_markers(MARKER))):
        if marker.args:
            pytest.fail(
                f"@pytest.mark.{MARKER}: expected options with names, such as profile='field', "
                f"got {', '.join(map(repr, marker.args))}",
                pytrace=False,
            )
        options |= marker.kwargs
    return options


def _journal_of(sandbox: SandboxClient) -> str:
    """The newest entries of a journal as they may be shown; any failure to get them is said."""
    try:
        entries = sandbox.control.journal(sandbox.id, limit=ENTRIES_SHOWN)["entries"]
        if not isinstance(entries, list):
            return "the journal could not be read: expected a list as entries; is it a gateway?"
        return lines_of(entries)
    except (ControlError, HTTPException, OSError, RecursionError) as error:
        return f"the journal could not be read: {shown(error)}"


@contextmanager
def _said_as_shown() -> Iterator[None]:
    """What a gateway says against a call may be shown in the report of a test."""
    try:
        yield
    except ControlError as error:
        raise ControlError(shown(error), error.status) from None
