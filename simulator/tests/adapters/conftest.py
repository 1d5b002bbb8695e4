"""A PostgreSQL for the tests of a module, and a database for each of them."""

from collections.abc import Iterator

import pytest

from simulator.tests.adapters.postgresql.cluster import Cluster, running_cluster


@pytest.fixture(scope="module")
def cluster() -> Iterator[Cluster]:
    """It does not wait for the disk."""
    with running_cluster() as cluster:
        yield cluster


@pytest.fixture
def address(cluster: Cluster) -> str:
    """Of a new database."""
    return cluster.create()
