"""What tests of `sandgate check` run it in."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from features.tests.minimal_gateway import Manners, little_gateway
from features.tests.shop_folder import furnished


@pytest.fixture(scope="module")
def gateway() -> Iterator[Manners]:
    """A little gateway that answers as the features of a shop expect."""
    with little_gateway() as manners:
        manners.echoes = True
        yield manners


@pytest.fixture
def folder(tmp_path: Path, gateway: Manners) -> Path:
    """A folder with a target file, features, and all that may lead a judge astray."""
    return furnished(tmp_path, gateway)
