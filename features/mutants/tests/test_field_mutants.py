"""Every limit of every field is guarded: a gateway that is off by a hair is failed."""

import random
from collections.abc import Iterator

import pytest

from features.mutants.field_mutants import UNKNOWN, FieldFault, Sound, caught_by, field_faults
from features.mutants.page import UNSEEN_FIELDS
from simulator.client import Client
from simulator.client.processes import running_server

FAULTS = field_faults()
SAMPLE, SEED = 60, 4711


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sound]:
    with running_server(tmp_path_factory.mktemp("sound")) as ready:
        client = Client(ready["base_url"], ready["token"], ready["entity_id"])
        yield Sound(client)
        client.close()


def test_there_are_hundreds_and_each_has_a_name_of_its_own() -> None:
    titles = [fault.title for fault in FAULTS]
    assert len(titles) > 1500
    assert len(set(titles)) == len(titles)


def test_a_sound_gateway_is_failed_by_no_case_of_a_field(sound: Sound) -> None:
    for name in ("billing.street1", "card.number", "customer.givenName", "customParameters[name]"):
        assert caught_by(FieldFault(name, "none"), sound) == []


def test_some_faults_of_fields_are_caught(sound: Sound) -> None:
    sample = random.Random(SEED).sample(FAULTS, SAMPLE)
    assert [fault.title for fault in sample if not is_seen(fault, sound)] == []


@pytest.mark.proof
def test_every_fault_of_a_field_is_caught_but_those_that_are_published(sound: Sound) -> None:
    missed = [fault.title for fault in FAULTS if not is_seen(fault, sound)]
    assert missed == [f"FIELD:{name}:{UNKNOWN}" for name in UNSEEN_FIELDS]


def is_seen(fault: FieldFault, sound: Sound) -> bool:
    """Whether the case it was made for fails; any case of its field, where the field is unknown."""
    addresses = caught_by(fault, sound)
    return bool(addresses) if fault.kind == UNKNOWN else fault.title in addresses
