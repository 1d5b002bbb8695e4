"""What people of the console do at once, and a button without a token."""

import re
from pathlib import Path

import gevent
import pytest

from simulator.service.console import classes, recording
from simulator.tests.at_once.conftest import at_once, statuses
from simulator.tests.console.visitor import Visitor, administrator_of
from simulator.tests.kit.gateway import Gateway

LINK = re.compile(r"/console/join/[0-9a-f]{64}")
GROUP = re.compile(r"/console/classes/[0-9a-f]{32}")
HERE = {"Host": "localhost:8080"}


@pytest.fixture
def anna(gateway: Gateway) -> Visitor:
    return administrator_of(gateway)


@pytest.fixture
def sandbox(gateway: Gateway) -> str:
    return gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]


def test_first_challenges_at_once_share_one_sandbox(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path, durability="disk")
    press = gateway.client.simulate_post
    assert statuses(at_once(*[lambda: press("/try/challenge", headers=HERE)] * 4)) == [200] * 4
    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == 2
    gateway.close()


def test_of_two_invitations_of_one_name_at_once_one_opens_something(gateway: Gateway) -> None:
    asked = {"role": "operator", "name": "bob"}
    invited = at_once(*[lambda: gateway.control("POST", "/people", asked)] * 2)
    assert statuses(invited) == [201, 201]
    invitations = gateway.control("GET", "/people").json["invitations"]
    assert [each["name"] for each in invitations].count("bob") == 1


def test_the_last_class_is_begun_once(
    anna: Visitor, sandbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(classes, "CLASSES_MAX", 1)
    asked = {"seed": "7", "like": sandbox, "data": "on"}
    begun = at_once(*[lambda: anna.post("/console/classes", asked)] * 3)
    assert statuses(begun) == [200, 400, 400]
    assert len(set(GROUP.findall(anna.get("/console/classes").text))) == 1


def test_the_last_story_is_kept_once(
    anna: Visitor, sandbox: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recording, "STORIES_MAX", 1)
    root = f"/console/{sandbox}"
    anna.get(f"{root}/stage")
    anna.post(f"{root}/recording", {"deed": "begin"})
    anna.post(f"{root}/clock/advance", {"by": "1d"})
    kept = at_once(*[lambda: anna.post(f"{root}/recording/keep", {"title": "One"})] * 3)
    assert statuses(kept) == [303, 400, 400], [each.text for each in kept]


@pytest.mark.parametrize("turns", (0, 12))
def test_a_spectator_who_joins_while_another_stage_is_shown_sees_that_one(
    gateway: Gateway, anna: Visitor, sandbox: str, turns: int
) -> None:
    anna.get("/console/classes")
    page = anna.post("/console/classes", {"seed": "7", "stage": sandbox}).text
    link, group = LINK.search(page)[0], GROUP.search(anna.get("/console/classes").text)[0]
    ada, carl = Visitor(gateway), Visitor(gateway)
    own = ada.post(link, {"name": "Ada"}).headers["Location"].split("/")[2]

    joining = gevent.spawn(carl.post, link, {"name": "Carl", "as": "spectator"})
    for _ in range(turns):
        gevent.sleep(0)
    shown = anna.post(group, {"deed": "show", "sandbox": own})

    assert joining.get(timeout=20).status_code == 303
    assert shown.status_code == 303
    assert carl.get(f"/console/{own}/stage").status_code == 200
    assert carl.get(f"/console/{sandbox}/stage").status_code == 404
