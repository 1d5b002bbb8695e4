"""What tests of `sandgate check` run it in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from features.tests.minimal_gateway import GatewaySettings, minimal_gateway
from features.tests.shop_folder import furnished


@pytest.fixture(scope="module")
def gateway() -> Iterator[GatewaySettings]:
    """A little gateway that answers as the features of a shop expect."""
    with minimal_gateway() as settings:
        settings.echoes = True
        yield settings


@pytest.fixture
def folder(tmp_path: Path, gateway: GatewaySettings) -> Path:
    """A folder with a target file, features, and all that may lead a judge astray."""
    return furnished(tmp_path, gateway)
