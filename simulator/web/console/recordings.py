"""Recordings: begin and end one, save it as a story, keep it among the lessons."""

from scenarios.story import story_text
from simulator.catalogue.console_words import say
from simulator.client.shown.beginnings import beginning_of
from simulator.domain.core.errors import InvalidInputError
from simulator.service.console import recording as using
from simulator.web.console.rendering import Moved, SavedText
from simulator.web.console.visits import ConsoleVisit

LESSONS = "/console/lessons"


def change_recording(visit: ConsoleVisit) -> Moved:
    """Begin a recording, or end it."""
    deed, sandbox = visit.form.get("deed", ""), visit.sandbox().id
    if deed not in ("begin", "end"):
        raise InvalidInputError("deed", "begin, end", beginning_of(deed, 20))
    using.set_recording(visit.console, sandbox, is_on=deed == "begin")
    return Moved(f"/console/{sandbox}/stage")


def save_recording(visit: ConsoleVisit) -> SavedText:
    """What was recorded, as the file of a story."""
    title = visit.asked("title") or str(say("recording.title"))
    return SavedText("recording.yaml", visit.aside(story_text, _story(visit, title)))


def keep_recording(visit: ConsoleVisit) -> Moved:
    """Keep what was recorded, so that lessons can play it."""
    using.keep_story(visit.console, visit.name, _story(visit, visit.form.get("title", "")))
    return Moved(LESSONS)


def save_story(visit: ConsoleVisit) -> SavedText:
    """A story that was kept, as its file."""
    story = using.kept_story(visit.console, visit.ids["story"])
    return SavedText(f"{story.id}.yaml", visit.aside(story_text, story.document))


def remove_story(visit: ConsoleVisit) -> Moved:
    """Forget a story that was kept."""
    using.remove_story(visit.console, visit.ids["story"])
    return Moved(LESSONS)


def _story(visit: ConsoleVisit, title: str) -> dict[str, object]:
    about = str(say("recording.about", name=visit.name))
    return using.recorded_story(visit.console, visit.sandbox().id, title, about)
