"""The file of people: changes of sign-ins that come together."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import gevent
import msgspec
import pytest
from msgspec.structs import replace

from simulator.adapters.console.people_file import FILE, PeopleFile
from simulator.adapters.store.files import LocalDisk
from simulator.domain.console.people import SIGN_INS_MAX, SignIn

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


def test_who_signs_in_again_and_again_signs_out_no_other(tmp_path: Path) -> None:
    """As who has the link of a class can: the form that joins is answered each time."""
    later = [f"{number:064x}" for number in range(SIGN_INS_MAX)]
    many = [replace(BEGUN, id=each, person="eve", seen_at=NOW + timedelta(1)) for each in later]
    kept = {each.id: msgspec.to_builtins(each) for each in (BEGUN, *many[1:])}
    (tmp_path / FILE).write_text(json.dumps({"sign_ins": kept}))
    people = PeopleFile(tmp_path, LocalDisk())

    people.save_sign_in(replace(many[0], seen_at=NOW + timedelta(2)))

    assert people.sign_in(BEGUN.id) == BEGUN
    assert people.sign_in(later[0]) is not None and people.sign_in(later[1]) is None


def test_of_many_who_are_signed_in_who_signs_in_again_ends_their_own(tmp_path: Path) -> None:
    others = [replace(BEGUN, id=f"{n:064x}", person=f"p{n}") for n in range(1, SIGN_INS_MAX)]
    eve = replace(BEGUN, id="c" * 64, person="eve", seen_at=NOW + timedelta(1))
    kept = {each.id: msgspec.to_builtins(each) for each in (*others, eve)}
    (tmp_path / FILE).write_text(json.dumps({"sign_ins": kept}))
    people = PeopleFile(tmp_path, LocalDisk())

    people.save_sign_in(replace(eve, id="d" * 64))

    assert people.sign_in(eve.id) is None
    assert all(people.sign_in(each.id) for each in others)
