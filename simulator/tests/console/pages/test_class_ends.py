"""What participants of a class read: as they join, where they may not go, and when it is over."""

import re

import pytest

from simulator.tests.console.pages.test_ended_links import CLASSES, PERSON, begin, link_on
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

SIGN_IN = "/console/sign-in"
OVER = "The class is over"


def joined(gateway: Gateway, link: str, name: str = "Ada") -> Visitor:
    """A participant."""
    visitor = Visitor(gateway)
    assert visitor.post(link, {"name": name}).status_code == 303
    return visitor


@pytest.mark.parametrize(("name", "got"), [("  ", "0"), ("x" * 41, "41")])
def test_a_name_that_cannot_be_is_refused_in_the_form(
    gateway: Gateway, anna: Visitor, name: str, got: str
) -> None:
    link, _ = begin(anna)
    ada = Visitor(gateway)

    refused = ada.post(link, {"name": name})

    assert refused.status_code == 400
    assert f"Your name: expected 1 to 40 characters, got {got}" in refused.text
    assert f'action="{link}"' in refused.text and "Back to the console" not in refused.text


def test_who_was_in_a_class_reads_that_it_is_over(gateway: Gateway, anna: Visitor) -> None:
    link, page = begin(anna)
    ada, other = joined(gateway, link), Visitor(gateway)
    assert OVER not in ada.get(SIGN_IN).text

    anna.post(page, {"deed": "end"})

    moved = ada.get("/console/watch")
    assert moved.headers["Location"].startswith(SIGN_IN)
    assert OVER in ada.get(moved.headers["Location"]).text
    assert OVER not in other.get(SIGN_IN).text


def test_who_came_back_to_a_class_reads_that_it_is_over(gateway: Gateway, anna: Visitor) -> None:
    link, page = begin(anna)
    joined(gateway, link)
    (person,) = PERSON.findall(anna.get(page).text)
    back = link_on(anna, page, {"deed": "back", "person": person})
    elsewhere = Visitor(gateway)
    assert elsewhere.post(back).status_code == 303

    anna.post(page, {"deed": "end"})

    assert OVER in elsewhere.get(SIGN_IN).text


def test_participants_of_one_name_are_numbered(gateway: Gateway, anna: Visitor) -> None:
    link, page = begin(anna)
    for name in ("Ada", "Ada", "Ada (2)", "Ada"):
        joined(gateway, link, name)

    names = {"Ada", "Ada (2)", "Ada (2) (2)", "Ada (3)"}
    tiles = anna.get(page).text
    assert all(len(re.findall(rf"\b{re.escape(name)}<", tiles)) >= 1 for name in names), tiles


def test_a_participant_reads_that_the_pages_of_others_are_not_theirs(
    gateway: Gateway, anna: Visitor
) -> None:
    link, _ = begin(anna)

    refused = joined(gateway, link).get("/console/lessons")

    assert refused.status_code == 403
    assert "An administrator can change your role" not in refused.text
    assert "sees and uses the pages of one sandbox alone" in refused.text


def test_fields_with_a_pattern_say_what_it_is(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    payment = gateway.post(paymentType="PA").json["id"]
    root = f"/console/{sandbox}"
    for path in (CLASSES, f"{root}/payments", f"{root}/payments/{payment}"):
        fields = re.findall(r"<input[^>]* pattern=[^>]*>", anna.get(path).text)
        assert fields and all(" title=" in each for each in fields), path
