"""The bar at the top of the pages of a sandbox shows the time of what the page shows."""

import re

import gevent

from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

BAR = re.compile(r'<a class="clock"[^>]*>.*?<span data-bar>([^<]+)</span>')
CLOCK = re.compile(r"<p hidden data-clock>([^<]+)</p>")
VERSION = re.compile(r'data-version="([^"]+)"')
BEGUN, LATER = "2030-03-01 09:00:00 UTC, frozen", "2030-03-01 10:00:00 UTC, frozen"
WAIT_S = 5


def stage_of_lesson(anna: Visitor) -> str:
    """The path of the stage of a new lesson."""
    anna.get("/console/lessons")
    return str(anna.post("/console/lessons", {"story": "first-payment"}).headers["Location"])


def advance(gateway: Gateway, page: str) -> None:
    """Move the clock of the sandbox of a page by an hour, as from a terminal."""
    path = f"/sandboxes/{page.split('/')[2]}/clock/advance"
    assert gateway.control("POST", path, {"by": "1h"}).status_code == 200


def test_what_is_renewed_of_a_stage_has_the_time_for_the_bar(
    gateway: Gateway, anna: Visitor
) -> None:
    """A lesson moved the clock: the heading showed the new time, the bar above it the old one."""
    stage = stage_of_lesson(anna)
    page = anna.get(stage).text
    assert BAR.findall(page) == CLOCK.findall(page) == [BEGUN]

    advance(gateway, stage)

    renewed = anna.get(f"{stage}/now").text
    assert CLOCK.findall(renewed) == [LATER]
    assert BAR.findall(anna.get(stage).text) == [LATER]


def test_a_stage_is_renewed_as_soon_as_its_clock_is_moved(gateway: Gateway, anna: Visitor) -> None:
    stage = stage_of_lesson(anna)
    (version,) = VERSION.findall(anna.get(stage).text)
    waiting = gevent.spawn(anna.get, f"{stage}/now?after={version}")
    gevent.sleep(0.05)

    advance(gateway, stage)

    assert CLOCK.findall(waiting.get(timeout=WAIT_S).text) == [LATER]


def test_what_is_renewed_of_a_journal_has_the_time_for_the_bar(
    gateway: Gateway, anna: Visitor
) -> None:
    journal = stage_of_lesson(anna).replace("/stage", "/journal")
    page = anna.get(journal).text
    assert BAR.findall(page) == CLOCK.findall(page) == [BEGUN]

    advance(gateway, journal)

    assert CLOCK.findall(anna.get(f"{journal}/now?after=-1").text) == [LATER]


def test_a_lesson_that_is_saved_has_its_time_once(anna: Visitor) -> None:
    stage = stage_of_lesson(anna)
    page = anna.get(f"{stage}/lesson.html").text
    assert CLOCK.findall(page) == [] and page.count("2030-03-01 09:00:00") == 1
