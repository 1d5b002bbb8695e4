"""People who are invited, join, get another role and are removed at once: one after the other."""

from collections.abc import Callable
from itertools import permutations
from typing import Any

import gevent
import pytest
from falcon.testing import Result

from simulator.adapters.console.classes import ClassBook
from simulator.adapters.console.people_file import PeopleFile
from simulator.domain.console.people import Person, SignIn
from simulator.tests.console.test_classes import LINK, class_page
from simulator.tests.console.visitor import PASSWORD, Visitor, person_of
from simulator.tests.kit.gateway import Gateway

Deed = Callable[[], Any]


def at_once(*deeds: Deed) -> list[Any]:
    """What each of the deeds came to, which begin in this order; each waits for the disk."""
    running = [gevent.spawn(deed) for deed in deeds]
    gevent.joinall(running, raise_error=True)
    return [each.value for each in running]


def joins(gateway: Gateway, role: str, password: str) -> tuple[Visitor, Deed]:
    """A visitor with an invitation of their own, who chooses the name bo."""
    link = gateway.control("POST", "/people", {"role": role}).json["link"]
    visitor = Visitor(gateway)
    sent = {"name": "bo", "password": password}
    return visitor, lambda: visitor.post("/" + link.split("/", 3)[3], sent)


def begin_class(trainer: Visitor, stage: str) -> str:
    """A class whose trainer shows this sandbox; the link by which others join it."""
    trainer.get("/console/classes")
    link = LINK.search(trainer.post("/console/classes", {"seed": "7", "stage": stage}).text)
    assert link is not None
    return link[0]


def roles(gateway: Gateway) -> dict[str, str]:
    return {each["name"]: each["role"] for each in gateway.control("GET", "/people").json["people"]}


@pytest.mark.parametrize("first", [0, 1])
def test_of_two_who_choose_a_name_one_has_it(gateway: Gateway, anna: Visitor, first: int) -> None:
    wanted = [("administrator", f"{PASSWORD} 0"), ("viewer", f"{PASSWORD} 1")]
    made = [joins(gateway, *each) for each in wanted]
    order = [made[first][1], made[1 - first][1]]

    answers: list[Result] = at_once(*order)

    assert sorted(each.status_code for each in answers) == [303, 400]
    who = first if answers[0].status_code == 303 else 1 - first
    assert roles(gateway)["bo"] == wanted[who][0]
    may = {number: made[number][0].get("/console/people").status_code for number in (0, 1)}
    assert may[1 - who] == 303, "the other one is not signed in"
    for number in (0, 1):
        sent = {"name": "bo", "password": wanted[number][1]}
        status = Visitor(gateway).post("/console/sign-in", sent).status_code
        assert status == (303 if number == who else 403)
    assert made[1 - who][1]().status_code == 400, "the invitation of the other one is not used up"


@pytest.mark.parametrize("deeds", list(permutations(["role", "remove"])))
def test_two_administrators_never_end_each_other(
    gateway: Gateway, anna: Visitor, deeds: tuple[str, str]
) -> None:
    ben = person_of(gateway, "administrator", "ben")
    ben.get("/console/people")
    how = {"role": {"role": "viewer"}, "remove": {}}

    at_once(
        lambda: anna.post(f"/console/people/ben/{deeds[0]}", how[deeds[0]]),
        lambda: ben.post(f"/console/people/anna/{deeds[1]}", how[deeds[1]]),
    )

    assert list(roles(gateway).values()).count("administrator") == 1


@pytest.mark.parametrize("deeds", list(permutations(["role", "remove"])))
def test_who_is_removed_does_not_come_back_in_another_role(
    gateway: Gateway, anna: Visitor, deeds: tuple[str, str]
) -> None:
    ben, cleo = (person_of(gateway, "administrator", name) for name in ("ben", "cleo"))
    ben.get("/console/people")

    def do(visitor: Visitor, deed: str) -> Deed:
        sent = {"role": "viewer"} if deed == "role" else {}
        return lambda: visitor.post(f"/console/people/cleo/{deed}", sent)

    at_once(do(anna, deeds[0]), do(ben, deeds[1]))

    assert "cleo" not in roles(gateway)
    assert cleo.get("/console").status_code == 303


def test_who_is_removed_while_signing_in_is_not_signed_in(
    gateway: Gateway, anna: Visitor, monkeypatch: pytest.MonkeyPatch
) -> None:
    person_of(gateway, "viewer", "bo")
    again, save = Visitor(gateway), PeopleFile.save_sign_in

    def save_late(people: PeopleFile, sign_in: SignIn) -> None:
        anna.post("/console/people/bo/remove")
        save(people, sign_in)

    with monkeypatch.context() as patched:
        patched.setattr(PeopleFile, "save_sign_in", save_late)
        again.post("/console/sign-in", {"name": "bo", "password": PASSWORD})
    assert "bo" not in roles(gateway)
    person_of(gateway, "administrator", "bo")

    assert again.get("/console/people").status_code == 303, "the cookie is that of another bo"


@pytest.mark.parametrize("role", ["student", "spectator"])
def test_who_joins_a_class_while_it_ends_is_not_in_the_console(
    gateway: Gateway, anna: Visitor, sandbox: str, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    link = begin_class(anna, sandbox)
    page, visitor, save = class_page(anna), Visitor(gateway), PeopleFile.save_person

    def save_late(people: PeopleFile, person: Person) -> None:
        with monkeypatch.context() as patched:
            patched.setattr(PeopleFile, "save_person", save)
            anna.post(page, {"deed": "end"})
        save(people, person)

    with monkeypatch.context() as patched:
        patched.setattr(PeopleFile, "save_person", save_late)
        visitor.post(link, {"name": "Ada", "as": role})

    assert list(roles(gateway)) == ["anna"]
    assert visitor.get(f"/console/{sandbox}/stage").status_code == 303


def test_a_class_that_two_end_at_once_is_ended(gateway: Gateway, anna: Visitor) -> None:
    link, page = begin_class(anna, ""), class_page(anna)
    Visitor(gateway).post(link, {"name": "Ada"})
    end = lambda: anna.post(page, {"deed": "end"})  # noqa: E731

    answers = at_once(end, end, lambda: Visitor(gateway).get("/console/sign-in"))

    assert [each.status_code for each in answers] == [303, 303, 200]
    assert list(roles(gateway)) == ["anna"]


@pytest.mark.parametrize("role", ["student", "spectator"])
def test_who_joined_just_before_a_class_ends_goes_with_it(
    gateway: Gateway, anna: Visitor, sandbox: str, monkeypatch: pytest.MonkeyPatch, role: str
) -> None:
    link = begin_class(anna, sandbox)
    page, visitor, change = class_page(anna), Visitor(gateway), ClassBook.change

    def change_late(classes: ClassBook, identity: str, ended: Any) -> Any:
        with monkeypatch.context() as patched:
            patched.setattr(ClassBook, "change", change)
            assert visitor.post(link, {"name": "Ada", "as": role}).status_code == 303
        return change(classes, identity, ended)

    with monkeypatch.context() as patched:
        patched.setattr(ClassBook, "change", change_late)
        anna.post(page, {"deed": "end"})

    assert list(roles(gateway)) == ["anna"]
    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == 1
    assert visitor.get(f"/console/{sandbox}/stage").status_code == 303
