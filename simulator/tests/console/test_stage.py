"""The stage: a story step by step, held, answered otherwise, and taken back."""

import re
from collections.abc import Callable
from pathlib import Path

import gevent
import pytest
from falcon.testing import Result
from msgspec.structs import replace

from scenarios.story import load_story, stories
from simulator.adapters.console.stages import STEPS
from simulator.domain.lessons import MOMENTS_MAX, Frame, Lesson, Moment, begin_step, end_step
from simulator.tests.console.visitor import FORM_TOKEN, Visitor, person_of
from simulator.tests.kit.gateway import Gateway

STORY = "first-payment"
STORIES = {name: load_story(path) for name, path in stories().items()}
SECONDS_MAX = 5


@pytest.fixture
def stage(anna: Visitor) -> str:
    """The path of the stage of a new lesson."""
    anna.get("/console/lessons")
    moved = anna.post("/console/lessons", {"story": STORY})
    assert moved.status_code == 303, moved.text
    anna.get(moved.headers["Location"])
    return str(moved.headers["Location"])


def shown(visitor: Visitor, stage: str, is_so: Callable[[str], bool]) -> str:
    """The page of a stage, as soon as it is so."""
    with gevent.Timeout(SECONDS_MAX):
        while not is_so(page := visitor.get(stage).text):
            gevent.sleep(0.01)
    return page


def play(visitor: Visitor, stage: str, number: int) -> str:
    """The page after the next step, which has this number."""
    assert visitor.post(f"{stage}/next").status_code == 303
    return shown(visitor, stage, lambda page: is_played(page, number))


def is_played(page: str, number: int) -> bool:
    return f"<strong>{number}.</strong>" in page and "Next step" in page


def payments_in(gateway: Gateway, stage: str) -> int:
    """How many exchanges about payments the journal of the sandbox of a stage has."""
    return len(gateway.control("GET", f"/sandboxes/{stage.split('/')[2]}/journal").json["entries"])


def test_every_story_is_offered_and_a_lesson_has_a_sandbox_of_its_own(
    anna: Visitor, stage: str, sandbox: str
) -> None:
    offered = anna.get("/console/lessons").text
    assert all(story.title in offered for story in STORIES.values())
    assert sandbox not in stage
    assert STORIES[STORY].title in anna.get(stage).text


def test_a_step_is_played_and_its_messages_are_on_the_stage(anna: Visitor, stage: str) -> None:
    page = play(anna, stage, 1)
    assert "(merchant to gateway)" in page
    assert "(gateway to acquirer)" in page
    assert "000.100.110" in page
    assert "4200000000000000" not in page


def test_a_step_back_restores_what_was_before(anna: Visitor, stage: str, gateway: Gateway) -> None:
    before = anna.get(stage).text
    page = play(anna, stage, 1)
    payment = page.split("/v1/payments/")[0]
    assert "From the start" in payment
    assert anna.post(f"{stage}/back").status_code == 303
    page = anna.get(stage).text
    assert "<strong>1.</strong>" not in page
    assert "step 1: the shop received 000.100.110" in page
    assert "From the start" not in page
    assert "Next step" in before
    assert payments_in(gateway, stage) == 0
    assert "000.100.110" in play(anna, stage, 1)


def hold_the_first(anna: Visitor, stage: str) -> str:
    """Where the message of the first step is decided that waits on its way to the acquirer."""
    anna.post(f"{stage}/stops", {"acquirer": "1"})
    anna.post(f"{stage}/next")
    page = shown(anna, stage, lambda text: "Held: gateway → acquirer" in text)
    held = page.split("/held/")[1].split('"')[0]
    return stage.replace("/stage", f"/held/{held}")


def test_a_held_message_is_answered_otherwise_and_the_step_taken_back(
    anna: Visitor, stage: str
) -> None:
    path = hold_the_first(anna, stage)
    assert anna.post(f"{stage}/next").status_code == 400
    assert anna.post(path, {"action": "answer", "answer": "everything"}).status_code == 400
    assert anna.post(path, {"action": "keep"}).status_code == 400
    assert anna.post(path, {"action": "answer", "answer": "lost-card"}).status_code == 303
    page = shown(anna, stage, lambda text: "Otherwise than the story expects" in text)
    assert "800.100.165" in page
    assert anna.post(path, {"action": "release"}).status_code == 404
    anna.post(f"{stage}/stops", {})
    anna.post(f"{stage}/back")
    assert "000.100.110" in play(anna, stage, 1)


def test_a_step_after_one_that_went_otherwise_names_what_it_needs_of_it(
    anna: Visitor, stage: str
) -> None:
    path = hold_the_first(anna, stage)
    anna.post(path, {"action": "answer", "answer": "lost-card"})
    shown(anna, stage, lambda text: "Otherwise than the story expects" in text)
    anna.post(f"{stage}/stops", {})
    page = play(anna, stage, 2)
    assert "this step needs {payment}, which step 1 did not give as it went otherwise" in page
    assert "expected one of" not in page


def test_a_step_that_is_held_is_taken_back(anna: Visitor, stage: str) -> None:
    anna.post(f"{stage}/stops", {"acquirer": "1"})
    anna.post(f"{stage}/next")
    shown(anna, stage, lambda text: "Held: " in text)
    assert anna.post(f"{stage}/back").status_code == 303
    gevent.sleep(0.05)
    page = anna.get(stage).text
    assert "Held: " not in page
    assert "<strong>1.</strong>" not in page
    assert 'name="acquirer" value="1" checked' in page


def test_two_trainers_at_one_stage_play_each_step_once(
    anna: Visitor, stage: str, gateway: Gateway
) -> None:
    ben = person_of(gateway, "trainer", "ben")
    ben.get(stage)
    anna.post(f"{stage}/stops", {"acquirer": "1"})
    answers = [anna.post(f"{stage}/next"), ben.post(f"{stage}/next")]
    assert sorted(each.status_code for each in answers) == [303, 400]
    shown(ben, stage, lambda text: text.count("Held: ") == 1)


def test_many_who_act_at_one_stage_at_once_leave_it_whole(
    anna: Visitor, stage: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Each change once wrote the file of the lesson beside the others: some were answered 503."""
    acting = [
        gevent.spawn(anna.post, f"{stage}/{deed}") for deed in ("next", "back", "restart") * 8
    ]

    statuses = {each.get(timeout=30).status_code for each in acting}

    assert statuses <= {303, 400}
    anna.post(f"{stage}/restart")
    play(anna, stage, 1)
    assert [each.getMessage() for each in caplog.records if each.levelname == "ERROR"] == []


def test_a_lesson_starts_again_and_ends(anna: Visitor, stage: str) -> None:
    for number in range(1, len(STORIES[STORY].steps)):
        play(anna, stage, number)
    anna.post(f"{stage}/next")
    shown(anna, stage, lambda page: "The end." in page)
    assert anna.post(f"{stage}/next").status_code == 400
    assert anna.post(f"{stage}/restart").status_code == 303
    assert "<strong>1.</strong>" not in anna.get(stage).text
    assert anna.post(f"{stage}/back").status_code == 400


def test_a_step_that_is_asked_for_twice_is_played_once(anna: Visitor, stage: str) -> None:
    sent = {"after": "0"}
    asked = [anna.post(f"{stage}/next", sent) for _ in range(3)]
    page = shown(anna, stage, lambda page: is_played(page, 1))
    asked.append(anna.post(f"{stage}/next", sent))
    assert {each.status_code for each in asked} == {303}
    assert 'name="after" value="1"' in page
    assert "<strong>2.</strong>" not in anna.get(stage).text


def test_the_stage_of_a_deleted_sandbox_is_not_found(
    anna: Visitor, stage: str, gateway: Gateway
) -> None:
    gateway.control("DELETE", f"/sandboxes/{stage.split('/')[2]}")
    answers: list[Result] = [anna.get(stage), anna.get(f"{stage}/now"), anna.post(f"{stage}/next")]
    assert {each.status_code for each in answers} == {404}


def test_a_sandbox_without_a_lesson_shows_its_newest_messages(
    anna: Visitor, gateway: Gateway, sandbox: str
) -> None:
    gateway.post()
    page = anna.get(f"/console/{sandbox}/stage").text
    assert "(merchant to gateway)" in page
    assert "Next step" not in page
    assert anna.post(f"/console/{sandbox}/stage/next").status_code == 400


def test_what_is_remembered_of_a_lesson_is_bounded() -> None:
    story = replace(STORIES[STORY], steps=STORIES[STORY].steps[:1] * MOMENTS_MAX)
    lesson = Lesson(sandbox="s", name=STORY, story=story)
    for number in range(MOMENTS_MAX):
        moment = Moment(snapshot=f"{number:x}", size=1024 * 1024, kept={})
        lesson = end_step(begin_step(lesson, moment, 0), Frame(number=number + 1, say=""), {})
    assert len(lesson.moments) == 32
    assert lesson.is_playing is False


def test_snapshots_that_nothing_leads_back_to_are_removed(
    anna: Visitor, stage: str, tmp_path: Path
) -> None:
    steps = tmp_path / "data" / stage.split("/")[2] / STEPS
    play(anna, stage, 1)
    play(anna, stage, 2)
    assert len(list(steps.iterdir())) == 2
    anna.post(f"{stage}/back")
    assert len(list(steps.iterdir())) == 1
    anna.post(f"{stage}/restart")
    assert list(steps.iterdir()) == []


def test_a_step_whose_snapshot_cannot_be_stored_is_not_played(
    anna: Visitor, stage: str, gateway: Gateway, tmp_path: Path
) -> None:
    in_the_way = tmp_path / "data" / stage.split("/")[2] / STEPS
    in_the_way.write_bytes(b"a file where a folder has to be")
    refused = anna.post(f"{stage}/next")
    assert refused.status_code == 503 and "It could not be stored" in refused.text
    assert payments_in(gateway, stage) == 0
    in_the_way.unlink()
    assert "000.100.110" in play(anna, stage, 1)


@pytest.mark.parametrize("damage", ["cut", "gone", "changed"])
def test_a_snapshot_that_is_damaged_takes_nothing_back(
    anna: Visitor, stage: str, tmp_path: Path, damage: str
) -> None:
    play(anna, stage, 1)
    (kept,) = (tmp_path / "data" / stage.split("/")[2] / STEPS).iterdir()
    content = kept.read_bytes()
    match damage:
        case "cut":
            kept.write_bytes(content[:-20])
        case "changed":
            kept.write_bytes(content.replace(b'"log":"sandgate"', b'"log":"sandgade"'))
        case _:
            kept.unlink()

    assert anna.post(f"{stage}/back").status_code == 400

    page = anna.get(stage).text
    assert is_played(page, 1) and "000.100.110" in page
    play(anna, stage, 2)


def test_what_is_drawn_for_all_has_the_token_of_its_reader(
    anna: Visitor, stage: str, gateway: Gateway
) -> None:
    ben = person_of(gateway, "trainer", "ben")
    for visitor in (anna, ben, anna):
        own = FORM_TOKEN.findall(visitor.get(stage).text)[0]
        found = set(FORM_TOKEN.findall(visitor.get(f"{stage}/now").text))
        assert found == {own}


def test_no_text_of_a_merchant_becomes_the_token_of_its_reader(
    gateway: Gateway, anna: Visitor
) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    memo = "token-of-the-reader"
    assert gateway.post(merchantMemo=memo).status_code == 200

    shown = anna.get(f"/console/{sandbox}/stage/now").text

    tokens = re.findall(f"(.{{7}}){anna.form_token}", shown)
    assert memo in shown and set(tokens) == {'value="'}


def test_the_stage_shows_no_payment_of_before_a_reset(gateway: Gateway, anna: Visitor) -> None:
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    now = f"/console/{sandbox}/stage/now"
    for memo, other in (("before", "after"), ("after", "before")):
        gateway.control("POST", f"/sandboxes/{sandbox}/reset")
        assert gateway.post(merchantMemo=f"memo-{memo}").status_code == 200
        page = anna.get(now).text
        assert f"memo-{memo}" in page and f"memo-{other}" not in page


def test_a_lesson_is_saved_as_a_file_that_needs_nothing_else(anna: Visitor, stage: str) -> None:
    play(anna, stage, 1)
    saved = anna.get(f"{stage}/lesson.html")
    assert saved.headers["content-disposition"] == f'attachment; filename="{STORY}.html"'
    assert "(gateway to acquirer)" in saved.text
    for outside in ("<form", "<script", "/console", "http://", "https://", "url("):
        assert outside not in saved.text
