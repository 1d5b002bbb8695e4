"""A gateway for the tests of a module: they restore what they change."""

from collections.abc import Iterator

import pytest

from simulator.tests.kit.gateway import Gateway


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("restored") / "data", durability="os")
    yield made
    made.close()
