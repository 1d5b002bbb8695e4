"""A lesson of many messages: the newest are kept, and others have their turn between any two."""

from datetime import UTC, datetime
from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from scenarios.story import load_story, stories
from simulator.adapters.console.stages import StageBoard
from simulator.adapters.store.files import LocalDisk
from simulator.domain.journal.entries import Party
from simulator.domain.journal.trace import Arrow
from simulator.domain.lessons import (
    MESSAGES_BYTES_MAX,
    MESSAGES_MAX,
    Frame,
    Lesson,
    Moment,
    begin_step,
    end_step,
    resume,
    take_back,
)
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.event_loop import most_between_looks
from simulator.web.console.rendering import as_json

STORY = load_story(stories()["first-payment"])
STEPS, OF_A_STEP = 42, 600


def frame_of(number: int, text: str = "") -> Frame:
    """A step with many messages, of which every second one is a notification."""
    receivers = (Party.GATEWAY, Party.WEBHOOK) * (OF_A_STEP // 2)
    arrows = [
        Arrow(datetime(2030, 1, 1, tzinfo=UTC), Party.MERCHANT, each, f"{number}", body={"x": text})
        for each in receivers
    ]
    return Frame(number=number, say="x", arrows=tuple(arrows))


def lesson_with(steps: int, sandbox: str = "s") -> Lesson:
    return Lesson(sandbox=sandbox, name="x", story=replace(STORY, steps=STORY.steps[:1] * steps))


def played(text: str = "") -> Lesson:
    """A lesson whose long steps were all played."""
    lesson = lesson_with(STEPS)
    for number in range(STEPS):
        moment = Moment(snapshot=f"{number:x}", size=1, kept={})
        lesson = end_step(begin_step(lesson, moment, 0), frame_of(number + 1, text), {})
    return lesson


def kept_in(lesson: Lesson) -> list[Arrow]:
    return [arrow for frame in lesson.frames for arrow in frame.arrows]


@pytest.mark.parametrize("text", ["", "x" * 2000], ids=["short", "long"])
def test_a_lesson_keeps_its_newest_messages_and_counts_the_others(text: str) -> None:
    lesson = played(text)

    assert 400 < len(kept_in(lesson)) <= MESSAGES_MAX
    assert len(msgspec.json.encode(kept_in(lesson))) <= MESSAGES_BYTES_MAX + 2 * MESSAGES_MAX
    assert [each.number for each in lesson.frames] == [*range(1, STEPS + 1)]
    assert all(each.left_out + len(each.arrows) == OF_A_STEP for each in lesson.frames)
    assert lesson.frames[-1].arrows[-1].label == f"{STEPS}"
    assert not lesson.frames[0].arrows


def test_a_step_back_says_how_many_notifications_were_left_out() -> None:
    lesson = played()
    for _ in range(STEPS):
        lesson, _ = take_back(lesson)

    assert lesson.undone[-1] == (
        f"step 1: notifications that were delivered among the messages left out: {OF_A_STEP // 2}"
    )


def test_a_long_lesson_of_an_earlier_version_has_its_newest_messages() -> None:
    frames = tuple(map(frame_of, range(1, 4)))

    lesson = resume(replace(lesson_with(3), frames=frames))

    assert [len(each.arrows) for each in lesson.frames] == [0, 400, 600]


@pytest.fixture
def long_stage(anna: Visitor, sandbox: str, tmp_path: Path) -> str:
    """The path of a stage with as many messages as there may be."""
    lesson = end_step(replace(lesson_with(2, sandbox), is_playing=True), frame_of(1, "text"), {})
    frames = end_step(replace(lesson, is_playing=True), frame_of(2, "text"), {}).frames
    StageBoard(tmp_path / "data", LocalDisk()).put(replace(lesson, frames=frames))
    return f"/console/{sandbox}/stage"


@pytest.mark.parametrize("path", ["", "/now", "/lesson.html"])
def test_others_have_their_turn_between_any_two_messages(
    anna: Visitor, long_stage: str, path: str
) -> None:
    pages: list[str] = []

    def look() -> None:
        pages.append(anna.get(f"{long_stage}{path}").text)

    most = most_between_looks(look, as_json)

    assert pages[0].count("<pre") == MESSAGES_MAX
    assert "Earlier messages of this step that are left out here: 200." in pages[0]
    assert 1 <= most <= 2
