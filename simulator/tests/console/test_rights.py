"""Every page of the console by every role, and by no one."""

import json
import re
from pathlib import Path

import pytest
from falcon.testing import Result

from simulator.domain.console.rights import INVITED, ROLES, Right
from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Gateway
from simulator.web.console.resources import ConsoleRow
from simulator.web.console.routes import ROWS

# What a role may do, written down a second time.
MAY = {
    "administrator": {"read", "operate", "teach", "tokens", "people"},
    "operator": {"read", "operate"},
    "trainer": {"read", "teach"},
    "viewer": {"read"},
    "student": {"read", "operate"},
}


def test_the_table_of_roles_says_what_is_written_here() -> None:
    assert {role: set(map(str, rights)) for role, rights in ROLES.items()} == MAY


def class_in(anna: Visitor) -> str:
    """The id of a new class."""
    page = anna.post("/console/classes", {"seed": "1"}).text
    return page.split("/console/classes/")[1].split('"')[0]


def story_in(anna: Visitor, sandbox: str) -> str:
    """The name of a story that was recorded and kept."""
    root = f"/console/{sandbox}"
    anna.post(f"{root}/recording", {"deed": "begin"})
    anna.post(f"{root}/start", {"name": "pay"})
    anna.post(f"{root}/recording/keep", {"title": "Kept"})
    return anna.get("/console/lessons").text.split("/console/lessons/")[1].split("/")[0]


def invitation_by(anna: Visitor) -> str:
    """The id of an invitation."""
    anna.get("/console/people")
    page = anna.post("/console/people", {"role": "viewer", "name": "dora"}).text
    return page.split("/console/invited/")[1].split("/")[0]


@pytest.fixture
def ids(gateway: Gateway, anna: Visitor, sandbox: str) -> dict[str, str]:
    """Ids that paths may name."""
    merchants = f"/sandboxes/{sandbox}/merchants"
    merchant = gateway.control("GET", merchants).json["merchants"][0]["id"]
    tokens = gateway.control("GET", f"{merchants}/{merchant}/tokens").json["tokens"]
    endpoint = gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"}).json
    script = gateway.control("POST", f"/sandboxes/{sandbox}/scripts", {"behaviour": "approve"}).json
    payment = gateway.post().json
    gateway.control("POST", f"/sandboxes/{sandbox}/clock/advance", {"by": "4d"})
    settled = gateway.control("POST", f"/sandboxes/{sandbox}/settlements", {}).json["runs"]
    event = gateway.control("GET", f"/sandboxes/{sandbox}/notices").json["notices"][0]
    return {
        "sandbox": sandbox,
        "merchant": merchant,
        "token": tokens[0]["id"],
        "payment": payment["id"],
        "ndc": payment["ndc"],
        "endpoint": endpoint["id"],
        "event": event["id"],
        "script": script["id"],
        "person": "carl",
        "held": "0" * 32,
        "group": class_in(anna),
        "story": story_in(anna, sandbox),
        "run": settled[0]["id"],
        "invitation": invitation_by(anna),
    }


def _refused(role: str, right: str) -> str:
    """What a person reads who may not do something."""
    is_trainer = role == "trainer" and right == "operate"
    return "A trainer acts in lessons" if is_trainer else "Your role does not allow this"


@pytest.mark.parametrize("role", [*INVITED, None])
def test_each_page_asks_for_its_right(
    gateway: Gateway, anna: Visitor, ids: dict[str, str], role: str | None, tmp_path: Path
) -> None:
    person_of(gateway, "viewer", "carl")
    visitor = Visitor(gateway) if role is None else person_of(gateway, role, "ben")
    if role is not None:
        visitor.form_token = _form_token_of("ben", tmp_path)

    for row in ROWS:
        answer = _asked(visitor, row, ids)
        if role is None:
            assert answer.status_code == 303
            assert answer.headers["Location"].startswith("/console/sign-in"), row
        elif MAY[role] >= {*row.rights}:
            # Nothing is held, and no shopper is waited for.
            known = 404 if "{held}" in row.path or "/phone/" in row.path else 200
            assert answer.status_code in (known, 303, 400), (row, answer.text)
            assert "Your role does not allow this" not in answer.text
        else:
            assert answer.status_code == 403, row
            missing = next(each for each in row.rights if each not in MAY[role])
            assert _refused(role, missing) in answer.text


def test_every_page_that_changes_something_needs_more_than_reading() -> None:
    # Which host is shown is kept with the sign-in of the person alone.
    changing = [row for row in ROWS if row.method == "POST" and row.path != "/console/host"]
    assert [row for row in changing if row.right is Right.READ] == []


def test_unknown_ids_are_not_there(gateway: Gateway, anna: Visitor, ids: dict[str, str]) -> None:
    unknown = dict.fromkeys(ids, "8" + "0" * 31)
    rows = [row for row in ROWS if "{" in row.path and "search" not in row.path]

    answers = {row.path: _asked(anna, row, unknown).status_code for row in rows}

    assert set(answers.values()) == {404}, answers


def _form_token_of(name: str, folder: Path) -> str:
    """What the forms of a person send; pages that only read show none."""
    sign_ins = json.loads((folder / "data" / "people.json").read_text())["sign_ins"].values()
    return next(each["form_token"] for each in sign_ins if each["person"] == name)


def _asked(visitor: Visitor, row: ConsoleRow, ids: dict[str, str]) -> Result:
    path = row.path.format(**ids)
    return visitor.get(path) if row.method == "GET" else visitor.post(path, {"state": "suspend"})


def test_a_trainer_learns_where_to_act(gateway: Gateway, anna: Visitor, sandbox: str) -> None:
    ben = person_of(gateway, "trainer", "ben")
    looked = ben.get(f"/console/{sandbox}/payments").text
    assert "only looked at" in looked and 'href="/console/lessons"' in looked
    refused = ben.get(f"/console/{sandbox}/workbench")
    assert refused.status_code == 403
    assert "A trainer acts in lessons and classes" in refused.text
    assert "Your role does not allow this" in ben.get("/console/people").text
    ben.get("/console/lessons")
    stage = ben.post("/console/lessons", {"story": "first-payment"}).headers["Location"]
    assert "only looked at" not in ben.get(stage.replace("/stage", "/payments")).text
    assert "only looked at" not in anna.get(f"/console/{sandbox}/payments").text


@pytest.mark.parametrize("role", ["student", "spectator"])
def test_no_page_of_another_sandbox_is_there_for_a_participant(
    gateway: Gateway, anna: Visitor, ids: dict[str, str], role: str
) -> None:
    stage = gateway.control("POST", "/sandboxes", {}).json["id"]
    link = anna.post("/console/classes", {"seed": "1", "stage": stage}).text
    ada = Visitor(gateway)
    ada.post(re.findall("/console/join/[0-9a-f]+", link)[0], {"name": "Ada", "as": role})
    ada.get("/console")
    rows = [row for row in ROWS if "{" in row.path]

    statuses = {(row.method, row.path): _asked(ada, row, ids).status_code for row in rows}

    assert set(statuses.values()) <= {403, 404}, statuses
    assert statuses["GET", "/console/{sandbox}/payments"] == 404


def test_every_form_asks_for_the_token_of_its_sign_in(
    gateway: Gateway, anna: Visitor, ids: dict[str, str]
) -> None:
    ben = person_of(gateway, "administrator", "ben")
    ben.get("/console/people")
    for row in ROWS:
        for token in ("", ben.form_token, f"{anna.form_token}&form_token={anna.form_token}"):
            if row.method == "POST":
                body, path = f"form_token={token}&deed=end&state=suspend", row.path.format(**ids)
                assert anna.post_raw(path, body).status_code == 403, (row, token)
