"""A class: joined by its link, each in a sandbox of their own, seen by the trainer."""

import re
from datetime import timedelta
from html import unescape
from pathlib import Path

import gevent
import pytest
import segno

from simulator.adapters.console.classes import FILE as CLASSES_FILE
from simulator.adapters.console.classes import ClassBook
from simulator.adapters.console.people_file import FILE as PEOPLE_FILE
from simulator.domain.console.classes import PARTICIPANTS_MAX, TrainingClass
from simulator.domain.core.errors import UnknownOutcomeError
from simulator.service.console import joining
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

WAY_BACK = re.compile(r"/console/back/[0-9a-f]{64}")
LINK = re.compile(r"/console/join/[0-9a-f]{64}")
CLASS = re.compile(r"/console/classes/[0-9a-f]{32}")
OWN = re.compile(r"/console/([0-9a-f]{32})/start")


@pytest.fixture
def link(anna: Visitor, sandbox: str) -> str:
    """The link of a class whose spectators see the default sandbox."""
    anna.get("/console/classes")
    page = anna.post("/console/classes", {"seed": "7", "stage": sandbox}).text
    return LINK.search(page)[0]


def joined(gateway: Gateway, link: str, name: str, role: str = "student") -> tuple[Visitor, str]:
    """A participant, and the id of their sandbox."""
    visitor = Visitor(gateway)
    assert "Join the class" in visitor.get(link).text
    moved = visitor.post(link, {"name": name, "as": role})
    assert moved.status_code == 303, moved.text
    place = moved.headers["Location"]
    visitor.get(place)
    return visitor, place.split("/")[2]


def class_page(anna: Visitor) -> str:
    """The path of the only class."""
    return CLASS.search(anna.get("/console/classes").text)[0]


def test_each_participant_has_a_sandbox_and_the_trainer_sees_what_they_do(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    people = [joined(gateway, link, name) for name in ("Ada", "Bob <b>", "Cem")]
    ada, sandbox = people[0]
    assert len({own for _, own in people}) == 3
    paid = ada.post(f"/console/{sandbox}/start", {"name": "decline"})
    assert paid.status_code == 303
    assert "800.100.203" in ada.get(paid.headers["Location"]).text

    page = anna.get(class_page(anna)).text

    assert "Ada" in page and "Bob &lt;b&gt;" in page
    assert "800.100.203" in page
    assert page.count("nothing yet") == 2


def test_a_participant_reads_their_own_name_and_no_command_for_a_terminal_window(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    ada, own = joined(gateway, link, "Ada <b>")
    for name in ("webhooks", "inbox", "terminals"):
        page = ada.get(f"/console/{own}/{name}").text
        assert "Sign out Ada &lt;b&gt;" in page and "student-" not in page
        assert "Your trainer can" in page and "<code>sandgate" not in page
        assert "<code>sandgate" in anna.get(f"/console/{own}/{name}").text
    assert "Sign out anna" in anna.get("/console").text


def test_who_joins_at_once_has_a_place_or_leaves_no_sandbox(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    """Sandboxes take a while: all once found the last place free."""
    people = [joined(gateway, link, f"P{n}", "spectator") for n in range(PARTICIPANTS_MAX - 1)]
    assert people
    before = len(gateway.control("GET", "/sandboxes").json["sandboxes"])
    coming = [Visitor(gateway) for _ in range(3)]
    joining = [gevent.spawn(each.post, link, {"name": "late"}) for each in coming]

    statuses = sorted(each.get(timeout=20).status_code for each in joining)

    assert statuses == [303, 400, 400]
    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == before + 1


def test_a_participant_sees_no_other_sandbox_and_no_value_of_a_token(
    gateway: Gateway, anna: Visitor, link: str, sandbox: str
) -> None:
    ada, own = joined(gateway, link, "Ada")
    _, other = joined(gateway, link, "Bob")
    for place in ("payments", "stage", "tokens", "clock", "start", "journal"):
        assert ada.get(f"/console/{own}/{place}").status_code == 200
        assert ada.get(f"/console/{other}/{place}").status_code == 404, place
        assert ada.get(f"/console/{sandbox}/{place}").status_code == 404, place
    assert ada.post(f"/console/{other}/clock/advance", {"by": "1d"}).status_code == 404
    for place in ("people", "audit", "classes", "lessons"):
        assert ada.get(f"/console/{place}").status_code == 403
    home = ada.get("/console").text
    assert own in home and other not in home and sandbox not in home
    token = re.search(r"/tokens/([0-9a-f]{32})/", anna.get(f"/console/{own}/tokens").text)[1]
    merchant = re.search(r"/merchants/([0-9a-f]{32})/", anna.get(f"/console/{own}/tokens").text)[1]
    reveal = f"/console/{own}/merchants/{merchant}/tokens/{token}/reveal"
    assert ada.post(reveal).status_code == 403


def test_a_spectator_sees_the_stage_and_changes_nothing(
    gateway: Gateway, link: str, sandbox: str
) -> None:
    eve, seen = joined(gateway, link, "Eve", "spectator")
    assert seen == sandbox
    assert eve.get(f"/console/{sandbox}/stage").status_code == 200
    assert eve.post(f"/console/{sandbox}/stage/stops", {"acquirer": "1"}).status_code == 403


def test_spectators_see_the_stage_of_the_participant_that_is_shown(
    gateway: Gateway, anna: Visitor, link: str, sandbox: str
) -> None:
    eve, _ = joined(gateway, link, "Eve", "spectator")
    _, own = joined(gateway, link, "Ada")
    page = class_page(anna)
    assert "Show to spectators" in anna.get(page).text
    assert anna.post(page, {"deed": "show", "sandbox": own}).status_code == 303
    assert eve.get(f"/console/{sandbox}/stage").status_code == 404
    assert eve.get("/console/watch").headers["Location"] == f"/console/{own}/stage"
    assert eve.get(f"/console/{own}/stage").status_code == 200
    assert eve.post(f"/console/{own}/stage/stops", {"acquirer": "1"}).status_code == 403
    assert anna.post(page, {"deed": "show", "sandbox": "0" * 32}).status_code == 404
    anna.post(page, {"deed": "show", "sandbox": sandbox})
    assert eve.get("/console/watch").headers["Location"] == f"/console/{sandbox}/stage"


def test_the_sandboxes_of_a_class_are_set_up_like_another(gateway: Gateway, anna: Visitor) -> None:
    channel = {"name": "Phone", "three_d_secure": {"VISA": "2.2.0"}}
    asked = {"profile": "field", "merchants": [{"channels": [channel]}]}
    pattern = gateway.control("POST", "/sandboxes", asked).json["id"]
    anna.get("/console/classes")
    begun = anna.post("/console/classes", {"seed": "7", "like": pattern}).text
    _, own = joined(gateway, LINK.search(begun)[0], "Ada")
    made = gateway.control("GET", f"/sandboxes/{own}").json
    assert made["profile"] == "field"
    (found,) = made["merchants"][0]["channels"]
    assert (found["name"], found["three_d_secure"]) == ("Phone", {"VISA": "2.2.0"})
    assert anna.post("/console/classes", {"seed": "7", "like": "0" * 32}).status_code == 400


def test_the_trainer_acts_on_all_and_ends_the_class(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    ada, own = joined(gateway, link, "Ada")
    page = class_page(anna)
    anna.get(page)
    anna.post(page, {"deed": "freeze"})
    assert gateway.control("GET", f"/sandboxes/{own}/clock").json["mode"] == "frozen"
    assert "The clock stands." in anna.get(page).text
    anna.post(page, {"deed": "run"})
    assert gateway.control("GET", f"/sandboxes/{own}/clock").json["mode"] == "offset"
    assert "The clock stands." not in anna.get(page).text
    armed = anna.post(page, {"deed": "arm", "behaviour": "lost-card"})
    assert "lost-card is armed, once" in anna.get(armed.headers["Location"]).text
    assert anna.post(page, {"deed": "arm", "behaviour": "everything"}).status_code == 400
    assert anna.post(page, {"deed": "expel"}).status_code == 400
    paid = ada.post(f"/console/{own}/start", {"name": "pay"})
    assert "800.100.165" in ada.get(paid.headers["Location"]).text
    anna.post(page, {"deed": "reset"})
    assert ada.get(paid.headers["Location"]).status_code in (400, 404)
    anna.post(page, {"deed": "end"})
    assert ada.get(f"/console/{own}/stage").status_code == 303
    assert gateway.control("GET", f"/sandboxes/{own}").status_code == 404
    assert Visitor(gateway).post(link, {"name": "Late"}).status_code == 404


def test_a_participant_who_opens_the_link_again_stays_where_they_are(
    gateway: Gateway, link: str
) -> None:
    ada, own = joined(gateway, link, "Ada")

    again = ada.get(link)

    assert (again.status_code, again.headers["Location"]) == (303, f"/console/{own}/stage")


def test_a_form_that_is_sent_twice_makes_one_participant(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    visitor = Visitor(gateway)
    sent = {"name": "Ada", "mark": mark_in(visitor.get(link).text)}
    before = len(gateway.control("GET", "/sandboxes").json["sandboxes"])
    twice = [gevent.spawn(visitor.post, link, sent) for _ in range(2)]

    places = [each.get(timeout=20).headers["Location"] for each in twice]
    places.append(visitor.post(link, sent).headers["Location"])

    assert len(set(places)) == 1
    assert visitor.get(places[0]).status_code == 200
    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == before + 1
    people = gateway.control("GET", "/people").json["people"]
    assert [each["role"] for each in people] == ["administrator", "student"]
    assert anna.get(class_page(anna)).text.count("nothing yet") == 1
    _, other = joined(gateway, link, "Ada")
    assert other not in places[0], "another form is that of another participant"


@pytest.mark.parametrize("file", [CLASSES_FILE, PEOPLE_FILE])
def test_a_join_that_the_disk_refuses_leaves_neither_person_nor_sandbox(
    gateway: Gateway, anna: Visitor, link: str, tmp_path: Path, file: str
) -> None:
    visitor, path = Visitor(gateway), tmp_path / "data" / file
    visitor.get(link)
    before, kept = made_in(gateway), path.read_text()

    path.write_text("cut")
    assert visitor.post(link, {"name": "Ada"}).status_code >= 500

    path.write_text(kept)
    assert made_in(gateway) == before


def test_a_join_that_may_not_last_has_its_place(
    gateway: Gateway, anna: Visitor, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    visitor, put = Visitor(gateway), ClassBook.put
    sent = {"name": "Ada", "mark": mark_in(visitor.get(link).text)}

    def put_unsynced(book: ClassBook, begun: TrainingClass) -> None:
        put(book, begun)
        raise UnknownOutcomeError("classes.json", "no sync")

    with monkeypatch.context() as patched:
        patched.setattr(ClassBook, "put", put_unsynced)
        assert visitor.post(link, sent).status_code == 500
    made = made_in(gateway)

    place = visitor.post(link, sent).headers["Location"]

    assert visitor.get(place).status_code == 200
    assert made_in(gateway) == made


def made_in(gateway: Gateway) -> tuple[list[str], int]:
    """The names of all people, and how many sandboxes there are."""
    people = gateway.control("GET", "/people").json["people"]
    count = len(gateway.control("GET", "/sandboxes").json["sandboxes"])
    return [each["name"] for each in people], count


@pytest.mark.parametrize("named", ["like", "stage"])
def test_a_form_shows_its_link_again_also_once_the_sandbox_is_gone_that_it_names(
    gateway: Gateway, anna: Visitor, named: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    mark = mark_in(anna.get("/console/classes").text)
    sent = {"seed": "7", named: made, "mark": mark}
    link = LINK.search(anna.post("/console/classes", sent).text)[0]

    gateway.control("DELETE", f"/sandboxes/{made}")

    assert LINK.search(anna.post("/console/classes", sent).text)[0] == link


def test_the_form_that_begins_a_class_begins_one_and_shows_its_link_again(
    gateway: Gateway, anna: Visitor
) -> None:
    mark = mark_in(anna.get("/console/classes").text)
    shown = [anna.post("/console/classes", {"seed": "7", "mark": mark}).text for _ in range(2)]

    assert LINK.search(shown[0])[0] == LINK.search(shown[1])[0]
    listed = anna.get("/console/classes").text
    assert len(CLASS.findall(listed)) == 1
    assert Visitor(gateway).get(LINK.search(shown[0])[0]).status_code == 200
    other = anna.post("/console/classes", {"seed": "7", "mark": mark_in(listed)}).text
    assert LINK.search(other)[0] not in shown[0]


def mark_in(page: str) -> str:
    """The mark of the form on a page."""
    return re.search(r'name="mark" value="([0-9a-f]{32})"', page)[1]


def test_the_qr_code_is_that_of_the_link(anna: Visitor) -> None:
    anna.get("/console/classes")
    page = anna.post("/console/classes", {"seed": "7"}).text
    shown = unescape(re.search(r'<code class="secret">([^<]+)</code>', page)[1])

    code = segno.make(shown, micro=False).svg_data_uri(scale=5, border=4, light="white")
    assert unescape(re.search(r'class="qr" alt="[^"]*" src="([^"]+)"', page)[1]) == code


@pytest.mark.parametrize("name", ["", "   ", "x" * 41, "tab\x00"])
def test_a_name_is_short_and_can_be_read(gateway: Gateway, link: str, name: str) -> None:
    assert Visitor(gateway).post(link, {"name": name}).status_code == 400


def test_a_link_that_was_guessed_opens_nothing(gateway: Gateway, link: str) -> None:
    guessed = f"/console/join/{'0' * 64}"
    assert Visitor(gateway).get(guessed).status_code == 404
    assert Visitor(gateway).post(guessed, {"name": "Mallory"}).status_code == 404
    assert (
        Visitor(gateway).post(link, {"name": "Mallory"}, Origin="https://evil.example").status_code
        == 403
    )


def test_no_one_is_invited_as_a_student(gateway: Gateway, anna: Visitor) -> None:
    asked = {"role": "student", "name": "carl"}
    assert gateway.control("POST", "/people", asked).status_code == 400
    assert anna.post("/console/people", asked).status_code == 400


def test_a_class_has_so_many_places_and_ends_after_a_day(
    gateway: Gateway, link: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(joining, "refuse_crowded", _crowded)
    assert Visitor(gateway).post(link, {"name": "Ada"}).status_code == 400
    assert PARTICIPANTS_MAX == 60
    monkeypatch.setattr("simulator.domain.console.classes.LASTS", timedelta(0))
    assert Visitor(gateway).get(link).status_code == 404


def _crowded(found: object) -> None:
    from simulator.domain.core.errors import InvalidInputError

    raise InvalidInputError("class", "at most 60 participants", "one more")


def way_back(anna: Visitor, person: str) -> str:
    """The link that the trainer shows a participant."""
    page = anna.post(class_page(anna), {"deed": "back", "person": person})
    assert page.status_code == 200, page.text
    return WAY_BACK.search(page.text)[0]


def person_in(anna: Visitor) -> str:
    """The person of the only participant with a sandbox."""
    return re.search(r'name="person" value="([^"]+)"', anna.get(class_page(anna)).text)[1]


def test_who_signed_out_comes_back_once_by_the_link_the_trainer_shows(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    ada, own = joined(gateway, link, "Ada <i>")
    ada.post(f"/console/{own}/start", {"name": "decline"})
    signed_out = ada.post("/console/sign-out")
    assert "ask the trainer" in ada.get(signed_out.headers["Location"]).text
    assert ada.get(f"/console/{own}/stage").headers["Location"].startswith("/console/sign-in")
    person = person_in(anna)
    first, second = way_back(anna, person), way_back(anna, person)
    assert ada.get(first).status_code == 404, "a newer way back replaces it"

    assert "Ada &lt;i&gt;" in ada.get(second).text
    assert ada.post(second).headers["Location"] == f"/console/{own}/stage"

    assert "800.100.203" in ada.get(f"/console/{own}/payments").text
    assert Visitor(gateway).get(second).status_code == 404
    assert Visitor(gateway).post(second).status_code == 404


def test_of_two_who_come_back_at_once_one_is_let_in(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    joined(gateway, link, "Ada")
    back = way_back(anna, person_in(anna))
    coming = [gevent.spawn(Visitor(gateway).post, back) for _ in range(3)]
    assert sorted(each.get(timeout=20).status_code for each in coming) == [303, 404, 404]


def test_a_way_back_is_that_of_a_participant_until_the_class_ends(
    gateway: Gateway, anna: Visitor, link: str
) -> None:
    ada, _ = joined(gateway, link, "Ada")
    joined(gateway, link, "Eve", "spectator")
    page, person = class_page(anna), person_in(anna)
    for other in ("anna", "student-00000000", ""):
        assert anna.post(page, {"deed": "back", "person": other}).status_code == 404, other
    assert ada.post(page, {"deed": "back", "person": person}).status_code == 403
    back = way_back(anna, person)
    anna.post(page, {"deed": "end"})
    assert Visitor(gateway).get(back).status_code == 404
    assert Visitor(gateway).get("/console/back/").status_code == 404
