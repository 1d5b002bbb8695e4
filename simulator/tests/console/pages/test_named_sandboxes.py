"""A sandbox that a form names: chosen from a list, by the digits that pages show, or refused."""

import re
from collections.abc import Iterable
from html import unescape
from typing import NamedTuple

import pytest

from simulator.domain.core.errors import InvalidInputError
from simulator.service.console.named import sandbox_named
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

CLASSES = "/console/classes"
LABELS = {
    "stage": "Sandbox whose stage spectators see (or none)",
    "like": "Set up like this sandbox (or the default)",
}
FILLED = {"seed": "4711", "stage": "", "like": "", "data": "1"}
CARD = "5454545454545454"


class Named(NamedTuple):
    """As much of a sandbox as its name needs."""

    id: str


class Known:
    """A registry with sandboxes of these ids."""

    def __init__(self, *ids: str) -> None:
        self._found = {each: Named(each) for each in ids}

    def sandbox(self, identity: str) -> Named | None:
        """The one with this id."""
        return self._found.get(identity)

    def sandboxes(self) -> Iterable[Named]:
        """All of them."""
        return self._found.values()


ONE, TWO, OTHER = "8dbe2cbb" + "1" * 24, "8dbe2cbb" + "2" * 24, "a" * 32


@pytest.mark.parametrize("text", [OTHER, OTHER[:8], OTHER[:20], f" {OTHER[:8].upper()}\n", TWO[:9]])
def test_a_sandbox_is_named_by_its_id_or_as_many_digits_as_name_it_alone(text: str) -> None:
    found = sandbox_named(Known(ONE, TWO, OTHER), text, where="stage")
    assert found.id.startswith(text.strip().lower())


@pytest.mark.parametrize(
    ("text", "got"),
    [
        ("8dbe2cbb", "8dbe2cbb, with which 2 begin"),
        (OTHER[:7], OTHER[:7]),
        ("8dbe2cbc", "8dbe2cbc"),
        (f"{OTHER}a", f"{OTHER}a"),
        ("Sandgate Shop", "Sandgate Shop"),
    ],
)
def test_a_name_of_no_sandbox_or_of_several_is_refused(text: str, got: str) -> None:
    with pytest.raises(InvalidInputError) as refused:
        sandbox_named(Known(ONE, TWO, OTHER), text, where="stage")
    assert (refused.value.where, refused.value.got) == ("stage", got)


def value_of(page: str, name: str) -> str:
    """What stands in a field of a page."""
    return unescape(re.search(f'<input name="{name}" value="([^"]*)"', page)[1])


@pytest.mark.parametrize("field", ["stage", "like"])
@pytest.mark.parametrize("typed", ["1234567890abcdef" * 2, "12345678", 'my "sandbox" <b>'])
def test_a_class_with_a_sandbox_that_is_not_there_is_refused_in_its_form(
    anna: Visitor, field: str, typed: str
) -> None:
    """It was answered "There is nothing here", and what was filled in was gone."""
    anna.get(CLASSES)

    page = anna.post(CLASSES, {**FILLED, "like": "", field: typed})

    assert page.status_code == 400
    said = unescape(re.search('<p class="problem" role="alert"[^>]*>([^<]+)</p>', page.text)[1])
    assert said == (
        f"{LABELS[field]}: expected the id of a sandbox that there is, or its first 8 digits; "
        f"the page Sandboxes lists them, got {typed}"
    )
    assert value_of(page.text, field) == typed and value_of(page.text, "seed") == "4711"
    assert 'name="data" value="1" checked' in page.text
    assert "<b>" not in page.text and "There is nothing here" not in page.text
    assert anna.get(CLASSES).text.count("0 participants") == 0


@pytest.mark.parametrize("field", ["stage", "like"])
def test_a_class_names_a_sandbox_by_the_digits_that_the_bar_shows(
    gateway: Gateway, anna: Visitor, sandbox: str, field: str
) -> None:
    bar = re.search("<code>([0-9a-f]{8})</code>", anna.get(f"/console/{sandbox}/stage").text)[1]

    begun = anna.post(CLASSES, {"seed": "7", field: bar})

    assert begun.status_code == 200
    link = re.search(r"/console/join/[0-9a-f]{64}", begun.text)[0]
    eve = Visitor(gateway)
    assert ("Watch the stage" in eve.get(link).text) is (field == "stage")
    if field == "stage":
        moved = eve.post(link, {"name": "Eve", "as": "spectator"})
        assert moved.headers["Location"] == f"/console/{sandbox}/stage"


@pytest.mark.parametrize(
    ("filled", "said"),
    [
        ({"seed": "many"}, "Seed (the same numbers for everybody): expected a whole number to"),
        ({"seed": "4711", "data": "1"}, f"{LABELS['like']}: expected the sandbox whose data is"),
        ({"seed": CARD}, "got "),
        ({"seed": "7", "stage": CARD}, "got "),
    ],
    ids=["seed", "no data", "seed of a card", "stage of a card"],
)
def test_every_refusal_of_a_class_stands_in_its_form(
    anna: Visitor, filled: dict[str, str], said: str
) -> None:
    anna.get(CLASSES)
    page = anna.post(CLASSES, filled)
    assert page.status_code in (200, 400)
    assert CARD not in page.text
    if page.status_code == 400:
        assert said in page.text and "Begin a class" in page.text


def test_the_form_of_a_class_offers_the_newest_sandboxes_and_their_lessons(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    anna.get("/console/lessons")
    lesson = anna.post("/console/lessons", {"story": "first-payment"}).headers["Location"]
    asked = {"merchants": [{"name": 'Bakery "<b>"'}]}
    bakery = gateway.control("POST", "/sandboxes", asked).json["id"]

    page = anna.get(CLASSES).text

    offered = re.findall(r'<option value="([0-9a-f]{32})">([^<]*)</option>', page)
    names = {identity: unescape(text) for identity, text in offered}
    assert next(iter(names)) == bakery and sandbox in names
    assert names[bakery] == 'Bakery "<b>"'
    assert "The first payment" in names[lesson.split("/")[2]]
    assert page.count('list="sandboxes"') == 2
