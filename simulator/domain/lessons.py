"""Lessons: a story that is played on the stage of a sandbox, step by step, and taken back.

Where a lesson stands and what it takes back is kept over a restart. Choice: D-490.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Annotated, Any, TypeVar

import msgspec
from msgspec.structs import replace

from scenarios.story import Story, StoryStep
from simulator.catalogue.console_words import plain
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.journal.entries import Party
from simulator.domain.journal.trace import Arrow

MOMENTS_MAX, MOMENTS_BYTES_MAX = 100, 32 * 1024 * 1024
# So many messages of a lesson are kept, and bytes of them: they are written, and drawn for each who
# looks, at every step.
MESSAGES_MAX, MESSAGES_BYTES_MAX = 1000, 1024 * 1024
STEPS_MAX = 200
Message = TypeVar("Message")


class Moment(msgspec.Struct, frozen=True, kw_only=True):
    """A sandbox as it was before a step: the name of its snapshot and the bytes of that, the pieces
    that the story had kept, and how many deeds were recorded.
    """

    snapshot: Annotated[str, msgspec.Meta(pattern=r"^[0-9a-f-]{1,64}\Z")]
    size: int
    kept: Mapping[str, str]
    recorded: int = 0


class Frame(msgspec.Struct, frozen=True, kw_only=True):
    """A step that was played: what was sent and what came, masked, and the messages it caused.
    `problem` says what came otherwise than the story expects; `left_out` counts the messages before
    those that are kept, and `delivered` the notifications among them.
    """

    number: int
    say: str
    sent: str = ""
    parameters: Mapping[str, Any] = {}
    answer: str = ""
    code: str = ""
    problem: str = ""
    arrows: tuple[Arrow, ...] = ()
    left_out: int = 0
    delivered: int = 0


class Lesson(msgspec.Struct, frozen=True, kw_only=True):
    """A lesson in one sandbox. `mark` is the newest number of its journal before the step that is
    played; `undone` is what the shop received of steps that were taken back; `turn` changes when a
    step is taken back while it is played. Raises ValueError where steps and moments do not fit.
    """

    sandbox: str
    name: str
    story: Story
    frames: tuple[Frame, ...] = ()
    moments: tuple[Moment, ...] = ()
    undone: tuple[str, ...] = ()
    kept: Mapping[str, str] = {}
    mark: int = 0
    turn: int = 0
    is_playing: bool = False

    def __post_init__(self) -> None:
        begun = len(self.frames) + self.is_playing
        snapshots = {each.snapshot for each in self.moments}
        if not len(snapshots) == len(self.moments) <= begun <= len(self.story.steps):
            raise ValueError("expected a moment of its own for each of the last steps")

    @property
    def next_step(self) -> StoryStep | None:
        """The step that is played next; None at the end of the story."""
        place = len(self.frames) + self.is_playing
        return self.story.steps[place] if place < len(self.story.steps) else None

    @property
    def step(self) -> StoryStep | None:
        """The step that is played now, or was played last."""
        place = len(self.frames) - (not self.is_playing)
        return self.story.steps[place] if 0 <= place < len(self.story.steps) else None


def begin_step(lesson: Lesson, moment: Moment, mark: int) -> Lesson:
    """The lesson with its next step under way; the oldest moments go where there are too many.
    Raises InvalidInputError while a step is under way, and at the end.
    """
    refuse_step(lesson)
    moments = _newest((*lesson.moments, moment))
    return replace(lesson, moments=moments, mark=mark, is_playing=True)


def end_step(lesson: Lesson, frame: Frame, kept: Mapping[str, str]) -> Lesson:
    """The lesson after the step that was under way, with its newest messages. Choice: D-722."""
    frames = _with_newest((*lesson.frames, frame))
    return replace(lesson, frames=frames, kept=dict(kept), is_playing=False)


def take_back(lesson: Lesson) -> tuple[Lesson, Moment]:
    """The lesson before its last step, and the moment to restore. Raises InvalidInputError where
    there is none.
    """
    if not lesson.moments:
        raise InvalidInputError("step", plain("errors.step_back"), plain("errors.no_step"))
    moment, undone = lesson.moments[-1], lesson.undone
    frames = lesson.frames
    if not lesson.is_playing:
        undone, frames = (*undone, *_outside(frames[-1])), frames[:-1]
    before = replace(
        lesson,
        frames=frames,
        moments=lesson.moments[:-1],
        undone=undone[-STEPS_MAX:],
        kept=moment.kept,
        turn=lesson.turn + 1,
        is_playing=False,
    )
    return before, moment


def resume(lesson: Lesson) -> Lesson:
    """The lesson as the next process finds it: a step that was under way stays unfinished. A file
    of a version before may have any number of messages.
    """
    step = lesson.step
    if not lesson.is_playing or step is None:
        return replace(lesson, frames=_with_newest(lesson.frames))
    frame = Frame(
        number=len(lesson.frames) + 1, say=step.say.strip(), problem=plain("errors.interrupted")
    )
    return end_step(lesson, frame, lesson.kept)


def fitting(messages: Iterable[Message]) -> Iterator[Message]:
    """The first of these messages, as many as there is room for on a stage. Choice: D-722."""
    room = MESSAGES_BYTES_MAX
    for message in islice(messages, MESSAGES_MAX):
        room -= len(msgspec.json.encode(message))
        if room < 0:
            return
        yield message


def has_gone_on(lesson: Lesson, after: str) -> bool:
    """Whether the step after so many others was begun already: a key was pressed twice, or two
    trainers stand at one stage. `after` may be empty, for whatever step is next.
    """
    return bool(after) and (lesson.is_playing or after != str(len(lesson.frames)))


def refuse_step(lesson: Lesson) -> None:
    """Raise InvalidInputError at the end, and while a step is under way: two trainers may stand at
    one stage.
    """
    if lesson.is_playing:
        raise InvalidInputError("step", plain("errors.step_over"), plain("errors.step_under_way"))
    if lesson.next_step is None:
        raise InvalidInputError("step", plain("errors.step_left"), plain("errors.story_end"))


def _outside(frame: Frame) -> list[str]:
    """What a step did that no restore takes back: what others received."""
    found = []
    if frame.code:
        found.append(plain("stage.shop_received", number=frame.number, code=frame.code))
    if frame.delivered:
        found.append(plain("stage.were_delivered", number=frame.number, count=str(frame.delivered)))
    found += [
        plain("stage.was_delivered", number=frame.number, what=each.label)
        for each in _delivered(frame.arrows)
    ]
    return found


def _delivered(arrows: Iterable[Arrow]) -> list[Arrow]:
    return [each for each in arrows if each.receiver is Party.WEBHOOK]


def _with_newest(frames: Sequence[Frame]) -> tuple[Frame, ...]:
    """The steps, with the newest messages of all of them that there is room for."""
    newest = (each for frame in reversed(frames) for each in reversed(frame.arrows))
    room = sum(1 for _ in fitting(newest))
    found = list[Frame]()
    for frame in reversed(frames):
        found.append(_without(frame, max(len(frame.arrows) - room, 0)))
        room -= len(found[-1].arrows)
    return tuple(reversed(found))


def _without(frame: Frame, count: int) -> Frame:
    """The step without so many of its first messages."""
    if not count:
        return frame
    return replace(
        frame,
        arrows=frame.arrows[count:],
        left_out=frame.left_out + count,
        delivered=frame.delivered + len(_delivered(frame.arrows[:count])),
    )


def _newest(moments: Sequence[Moment]) -> tuple[Moment, ...]:
    room, kept = MOMENTS_BYTES_MAX, list[Moment]()
    for moment in reversed(moments[-MOMENTS_MAX:]):
        room -= moment.size
        if room < 0 and kept:
            break
        kept.append(moment)
    return tuple(reversed(kept))
