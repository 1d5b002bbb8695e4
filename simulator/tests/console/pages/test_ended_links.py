"""A link that opens nothing any more says so, and from whom a new one comes."""

import re

import pytest

from simulator.tests.console.visitor import PASSWORD, Visitor
from simulator.tests.kit.gateway import Gateway

CLASSES = "/console/classes"
LINK = re.compile(r"/console/(?:join|back)/[0-9a-f]{64}")
PERSON = re.compile(r'name="person" value="([^"]+)"')
ASK_TRAINER = "Ask the trainer for a new one."
ASK_ADMINISTRATOR = "Ask an administrator for a new one."


def link_on(anna: Visitor, path: str, sent: dict[str, str]) -> str:
    """The link of a class, or the way back of a participant."""
    (link, *_) = LINK.findall(anna.post(path, sent).text)
    return str(link)


def begin(anna: Visitor) -> tuple[str, str]:
    """The link of a new class, and the path of its page."""
    anna.get(CLASSES)
    link = link_on(anna, CLASSES, {"seed": "7"})
    (page,) = re.findall(f"{CLASSES}/[0-9a-f]{{32}}", anna.get(CLASSES).text)
    return link, page


def said_of(visitor: Visitor, link: str) -> list[str]:
    """What is said of a link, opened and pressed; never that there is nothing here."""
    answers = [visitor.get(link), visitor.post(link, {"name": "Late", "password": PASSWORD})]
    assert [each.status_code for each in answers] == [404, 404]
    assert all("This link opens nothing any more" in each.text for each in answers)
    return [each.text for each in answers]


def test_the_link_of_a_class_that_has_ended_leads_to_the_trainer(
    gateway: Gateway, anna: Visitor
) -> None:
    link, page = begin(anna)
    anna.post(page, {"deed": "end"})

    assert all(ASK_TRAINER in each for each in said_of(Visitor(gateway), link))


def test_a_way_back_that_was_used_leads_to_the_trainer(gateway: Gateway, anna: Visitor) -> None:
    """It was answered "There is nothing here. It may have been removed"."""
    link, page = begin(anna)
    ada = Visitor(gateway)
    ada.post(link, {"name": "Ada"})
    (person,) = PERSON.findall(anna.get(page).text)
    back = link_on(anna, page, {"deed": "back", "person": person})
    assert ada.post(back).status_code == 303

    assert all(ASK_TRAINER in each for each in said_of(ada, back))


def invited(gateway: Gateway, name: str, role: str = "viewer") -> str:
    """The path of the link of an invitation."""
    link = gateway.control("POST", "/people", {"role": role, "name": name}).json["link"]
    return "/" + str(link).split("/", 3)[3]


def names_invited(gateway: Gateway) -> list[tuple[str, str]]:
    """Who was invited, and in which role."""
    listed = gateway.control("GET", "/people").json["invitations"]
    return [(each["name"], each["role"]) for each in listed]


def test_a_newer_invitation_of_a_person_replaces_the_older(gateway: Gateway, anna: Visitor) -> None:
    older = invited(gateway, "jim", "administrator")
    other = invited(gateway, "jane")
    newer = invited(gateway, "jim")

    assert names_invited(gateway) == [("jane", "viewer"), ("jim", "viewer")]
    assert all(ASK_ADMINISTRATOR in each for each in said_of(Visitor(gateway), older))
    assert "You join this gateway as" in Visitor(gateway).get(newer).text
    assert Visitor(gateway).get(other).status_code == 200


def test_an_invitation_is_withdrawn_by_its_name(gateway: Gateway, anna: Visitor) -> None:
    path = invited(gateway, "jim")

    assert gateway.control("DELETE", "/people/jim").status_code == 200
    assert names_invited(gateway) == []
    assert all(ASK_ADMINISTRATOR in each for each in said_of(Visitor(gateway), path))
    assert gateway.control("DELETE", "/people/jim").status_code == 404
    assert "withdraw invitation" in anna.get("/console/audit").text


def test_the_page_people_withdraws_each_invitation(gateway: Gateway, anna: Visitor) -> None:
    anna.get("/console/people")
    anna.post("/console/people", {"role": "administrator", "name": ""})
    links = re.findall(
        r"/console/invitations/[0-9a-f]{64}",
        anna.post("/console/people", {"role": "viewer", "name": ""}).text,
    )
    buttons = re.findall(
        r'action="(/console/invited/[0-9a-f]+/withdraw)"', anna.get("/console/people").text
    )
    assert len(buttons) == 2

    for each in buttons:
        assert anna.post(each).headers["Location"] == "/console/people"

    assert "/withdraw" not in anna.get("/console/people").text
    assert all(ASK_ADMINISTRATOR in each for each in said_of(Visitor(gateway), links[0]))
    assert anna.post(buttons[0]).status_code == 404


def test_who_joins_by_a_name_of_their_choice_leaves_no_other_link_for_it(
    gateway: Gateway, anna: Visitor
) -> None:
    anna.get("/console/people")
    page = anna.post("/console/people", {"role": "viewer", "name": ""}).text
    (link,) = re.findall(r"/console/invitations/[0-9a-f]{64}", page)
    named = invited(gateway, "jim")

    assert Visitor(gateway).post(link, {"name": "jim", "password": PASSWORD}).status_code == 303

    assert names_invited(gateway) == []
    assert all(ASK_ADMINISTRATOR in each for each in said_of(Visitor(gateway), named))


@pytest.mark.parametrize("role", ["viewer", "trainer"])
def test_an_invitation_that_was_used_leads_to_an_administrator(gateway: Gateway, role: str) -> None:
    link = gateway.control("POST", "/people", {"role": role, "name": "ben"}).json["link"]
    path = "/" + link.split("/", 3)[3]
    assert Visitor(gateway).post(path, {"password": PASSWORD}).status_code == 303

    assert all(ASK_ADMINISTRATOR in each for each in said_of(Visitor(gateway), path))
