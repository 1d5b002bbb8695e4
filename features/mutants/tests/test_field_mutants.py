"""Every mutant of a field limit is killed."""

import random
from collections.abc import Iterator

import pytest

from features.mutants.field_mutants import (
    UNKNOWN,
    CachingGateway,
    FieldMutant,
    field_mutants,
    killing_cases,
)
from features.mutants.page import SURVIVING_FIELDS
from simulator.client import Client
from simulator.client.processes import gateway_in

MUTANTS = field_mutants()
SAMPLE, SEED = 60, 4711


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[CachingGateway]:
    with gateway_in(tmp_path_factory.mktemp("sound")) as ready:
        client = Client(ready["base_url"], ready["token"], ready["entity_id"])
        yield CachingGateway(client)
        client.close()


def test_there_are_hundreds_of_mutants_each_with_its_own_id() -> None:
    titles = [mutant.title for mutant in MUTANTS]
    assert len(titles) > 1500
    assert len(set(titles)) == len(titles)


def test_the_original_gateway_passes_the_cases_of_a_field(gateway: CachingGateway) -> None:
    for name in ("billing.street1", "card.number", "customer.givenName", "customParameters[name]"):
        assert killing_cases(FieldMutant(name, "none"), gateway) == []


def test_some_field_mutants_are_killed(gateway: CachingGateway) -> None:
    sample = random.Random(SEED).sample(MUTANTS, SAMPLE)
    assert [mutant.title for mutant in sample if not is_killed(mutant, gateway)] == []


@pytest.mark.proof
def test_every_field_mutant_is_killed_but_the_published_survivors(
    gateway: CachingGateway,
) -> None:
    missed = [mutant.title for mutant in MUTANTS if not is_killed(mutant, gateway)]
    assert missed == [f"FIELD:{name}:{UNKNOWN}" for name in SURVIVING_FIELDS]


def is_killed(mutant: FieldMutant, gateway: CachingGateway) -> bool:
    """Whether its own case fails; for an ignored field, any case of the field."""
    addresses = killing_cases(mutant, gateway)
    return bool(addresses) if mutant.kind == UNKNOWN else mutant.title in addresses
