"""A gateway whose console has an administrator."""

import pytest

from simulator.tests.console.visitor import Visitor, administrator_of
from simulator.tests.kit.gateway import Gateway


@pytest.fixture
def anna(gateway: Gateway) -> Visitor:
    """The first administrator."""
    return administrator_of(gateway)


@pytest.fixture
def sandbox(gateway: Gateway) -> str:
    """The id of the default sandbox."""
    return str(gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"])
