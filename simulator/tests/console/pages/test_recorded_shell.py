"""What the shell of the console steers is recorded as the pages record it."""

import re
from typing import Any

import pytest
import yaml

from simulator.tests.console.test_recording import play_all
from simulator.tests.console.test_stage import STORY, shown
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

LINES = (
    "clock set frozen 2030-03-01T09:00:00Z", "sandgate script arm insufficient-funds --times 1",
    "script arm lost-card", "clock advance 1h", "clock advance next", "settle run",
)  # fmt: skip
UNRECORDED = (
    "clock advance 9x", "script arm everything", "script list", "clock show", "journal tail",
    "hold at acquirer", "settle show", f"script disarm {'0' * 32}", "nothing",
)  # fmt: skip
AS_ON_PAGES = (
    ("clock", {"mode": "frozen", "at": "2030-03-01T09:00:00Z"}),
    ("scripts", {"behaviour": "insufficient-funds", "times": "1"}),
    ("scripts", {"behaviour": "lost-card"}),
    ("clock/advance", {"by": "1h"}),
    ("clock/advance", {"by": "next"}),
    ("settlements", {}),
)


def recording(gateway: Gateway, anna: Visitor) -> str:
    """Where the pages of a new sandbox are; it records."""
    sandbox = gateway.control("POST", "/sandboxes", {}).json["id"]
    anna.get(f"/console/{sandbox}/stage")
    assert anna.post(f"/console/{sandbox}/recording", {"deed": "begin"}).status_code == 303
    return f"/console/{sandbox}"


def steps_of(visitor: Visitor, root: str) -> list[dict[str, Any]]:
    """The steps of the story."""
    return list(yaml.safe_load(visitor.get(f"{root}/recording.yaml").text)["steps"])


def test_lines_of_the_shell_are_recorded_as_the_forms_that_do_the_same(
    gateway: Gateway, anna: Visitor
) -> None:
    """They were left out without a word: the story then went otherwise than it says."""
    by_shell, by_pages = recording(gateway, anna), recording(gateway, anna)
    for line in LINES:
        assert anna.post(f"{by_shell}/shell", {"line": line}).status_code == 200
    for page, sent in AS_ON_PAGES:
        assert anna.post(f"{by_pages}/{page}", sent).status_code == 303

    assert len(steps_of(anna, by_shell)) == len(LINES)
    assert steps_of(anna, by_shell) == steps_of(anna, by_pages)


def armed_on_page(visitor: Visitor, root: str) -> str:
    """The id of the script that the page of scripts shows first."""
    return str(re.findall("/scripts/([0-9a-f]+)/disarm", visitor.get(f"{root}/scripts").text)[0])


@pytest.mark.parametrize("arms", ["page", "shell"])
@pytest.mark.parametrize("disarms", ["page", "shell"])
def test_a_script_that_is_disarmed_is_disarmed_in_the_story_too(
    gateway: Gateway, anna: Visitor, arms: str, disarms: str
) -> None:
    """It stayed armed there, and the payment after it was declined."""
    root = recording(gateway, anna)
    if arms == "page":
        anna.post(f"{root}/scripts", {"behaviour": "lost-card"})
    else:
        anna.post(f"{root}/shell", {"line": "script arm lost-card"})
    script = armed_on_page(anna, root)
    if disarms == "page":
        anna.post(f"{root}/scripts/{script}/disarm")
    else:
        anna.post(f"{root}/shell", {"line": f"script disarm {script}"})
    anna.post(f"{root}/start", {"name": "pay"})

    steps = steps_of(anna, root)

    assert steps[0]["keep"] == {"answer_1": "id"}
    assert steps[1]["control"] == {"method": "DELETE", "path": "scripts/{answer_1}"}
    assert "lost-card" in steps[1]["say"]
    assert plays(anna, root, len(steps))


def test_a_script_that_was_armed_before_is_not_disarmed_in_the_story(
    gateway: Gateway, anna: Visitor
) -> None:
    """Nothing arms it in the sandbox of the story."""
    root = recording(gateway, anna)
    anna.post(f"{root}/scripts", {"behaviour": "lost-card"})
    anna.post(f"{root}/recording", {"deed": "end"})
    anna.post(f"{root}/recording", {"deed": "begin"})
    anna.post(f"{root}/scripts/{armed_on_page(anna, root)}/disarm")
    assert anna.get(f"{root}/recording.yaml").status_code == 400


def test_a_day_that_is_settled_is_settled_in_the_story_too(gateway: Gateway, anna: Visitor) -> None:
    root = recording(gateway, anna)
    anna.post(f"{root}/clock", {"mode": "frozen", "at": "2030-03-01T09:00:00Z"})
    anna.post(f"{root}/start", {"name": "pay"})
    anna.post(f"{root}/clock/advance", {"by": "24h"})
    anna.post(f"{root}/settlements")

    steps = steps_of(anna, root)

    assert steps[3]["control"] == {"method": "POST", "path": "settlements"}
    stage = plays(anna, root, len(steps))
    assert "2030-03-01" in anna.get(stage.replace("/stage", "/settlements")).text


def plays(visitor: Visitor, root: str, count: int) -> str:
    """The stage on which the story went as it says."""
    moved = visitor.post(f"{root}/recording/keep", {"title": "Kept"})
    name = visitor.get(moved.headers["Location"]).text.split('value="recorded-')[1].split('"')[0]
    stage = str(visitor.post("/console/lessons", {"story": f"recorded-{name}"}).headers["Location"])
    visitor.get(stage)
    assert "Otherwise than" not in play_all(visitor, stage, count)
    return stage


@pytest.mark.parametrize("line", UNRECORDED)
def test_what_is_refused_or_only_looks_is_not_recorded(
    gateway: Gateway, anna: Visitor, line: str
) -> None:
    root = recording(gateway, anna)
    anna.post(f"{root}/shell", {"line": line})
    assert anna.get(f"{root}/recording.yaml").status_code == 400


@pytest.mark.parametrize("answer", ["lost-card", "800.100.203"])
def test_a_held_message_that_the_shell_answers_is_a_script_before_the_request(
    anna: Visitor, answer: str
) -> None:
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": STORY}).headers["Location"]
    root = stage.removesuffix("/stage")
    anna.get(stage)
    anna.post(f"{root}/recording", {"deed": "begin"})
    anna.post(f"{root}/shell", {"line": "hold at acquirer"})
    anna.post(f"{stage}/next")
    page = shown(anna, stage, lambda text: "Held: " in text)
    (held,) = set(re.findall("/held/([0-9a-f]+)", page))

    answered = anna.post(f"{root}/shell", {"line": f"hold answer {held} {answer}"})

    assert answered.status_code == 200
    shown(anna, stage, lambda text: "Otherwise than" in text)
    first, second = steps_of(anna, root)
    assert first["control"]["path"] == "scripts" and first["control"]["document"]["times"] == 1
    assert "The acquirer will answer otherwise" in first["say"]
    assert "call" in second
