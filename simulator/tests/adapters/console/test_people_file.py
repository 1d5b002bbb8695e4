"""The file of people: changes of sign-ins that come together."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import gevent
import pytest
from msgspec.structs import replace

from simulator.adapters.console.people_file import PeopleFile
from simulator.adapters.store.files import LocalDisk
from simulator.domain.console.people import SignIn

NOW = datetime(2030, 1, 3, tzinfo=UTC)
BEGUN = SignIn(id="a" * 64, person="anna", form_token="b" * 64, began_at=NOW, seen_at=NOW)


@pytest.fixture
def people(tmp_path: Path) -> Iterator[PeopleFile]:
    made = PeopleFile(tmp_path, LocalDisk())
    made.save_sign_in(BEGUN)
    yield made


def test_a_sign_in_that_has_ended_is_not_changed_back(people: PeopleFile) -> None:
    people.end_sign_in(BEGUN.id)

    people.change_sign_in(replace(BEGUN, host="live"))

    assert people.sign_in(BEGUN.id) is None
    people.read_again()
    assert people.sign_in(BEGUN.id) is None


def test_a_sign_in_that_ends_while_it_is_changed_has_ended(people: PeopleFile) -> None:
    changing = gevent.spawn(people.change_sign_in, replace(BEGUN, host="live"))
    ending = gevent.spawn(people.end_sign_in, BEGUN.id)
    gevent.joinall([changing, ending], raise_error=True)

    assert people.sign_in(BEGUN.id) is None
    people.read_again()
    assert people.sign_in(BEGUN.id) is None


def test_others_see_a_change_before_it_is_stored(people: PeopleFile) -> None:
    """So that of many requests at once one stores that the person was seen."""
    changing = gevent.spawn(people.change_sign_in, replace(BEGUN, host="live"))
    gevent.sleep(0)

    found = people.sign_in(BEGUN.id)

    assert found is not None and found.host == "live"
    changing.join()
