"""However much a page or a story shows, others have their turn while it is made."""

import sys
import threading
from collections.abc import Callable
from datetime import UTC, datetime
from types import ModuleType, SimpleNamespace
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from simulator.domain.console import recorded_story
from simulator.domain.console.recording import (
    HISTORY_BYTES_MAX,
    RECORDING_BYTES_MAX,
    STORIES_BYTES_MAX,
    Deed,
    KeptStory,
    Recording,
    RequestHistory,
    record,
    refuse_long_stories,
    remember,
)
from simulator.domain.core.errors import InvalidInputError
from simulator.domain.core.records import Payment
from simulator.service.console import lists, recording
from simulator.service.console.bench import beginnings, copies
from simulator.tests.console.test_recording import PAYMENT
from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.gateway import Gateway
from simulator.web.console import recordings

FOUND = 40
# A page has hundreds of pieces.
PAGES = ("workbench", "stage", "payments", "journal", "scripts", "start", "shell")


def long_deed(number: int) -> Deed:
    """A deed with as much as a form of the workbench takes."""
    names = {f"customParameters[k{each}]": f"{number} of {each}".ljust(40) for each in range(180)}
    found = {f"customParameters.k{each}": f"{number} of {each}".ljust(41) for each in range(FOUND)}
    return Deed(
        at=datetime(2030, 1, 1, tzinfo=UTC), by="anna", say="x", method="POST",
        path="v1/payments", status=200, form=names, found=found,
    )  # fmt: skip


def calls_during(work: Callable[[], object]) -> int:
    """How many calls of Python there are."""
    calls = 0

    def count(frame: object, event: str, argument: object) -> None:
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return calls


@pytest.fixture
def threads_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[ModuleType, str], list[int]]:
    """In which threads a function of a module works from here on."""

    def noted(module: ModuleType, name: str) -> list[int]:
        threads: list[int] = []
        work = getattr(module, name)

        def note(*arguments: Any, **named: Any) -> Any:
            threads.append(threading.get_ident())
            return work(*arguments, **named)

        monkeypatch.setattr(module, name, note)
        return threads

    return noted


def test_of_ten_times_as_many_deeds_a_story_takes_ten_times_as_long() -> None:
    deeds = [long_deed(number) for number in range(100)]

    def made_of(count: int) -> Callable[[], object]:
        return lambda: recorded_story.story_of(deeds[:count], title="x", about="y", sandbox={})

    assert calls_during(made_of(100)) < 12 * calls_during(made_of(10))


def test_the_bytes_of_a_recording_and_of_the_history_have_a_limit() -> None:
    recorded, history = Recording(is_on=True), RequestHistory()
    for number in range(100):
        recorded, history = (
            record(recorded, long_deed(number)),
            remember(history, long_deed(number)),
        )
    one = len(msgspec.json.encode(long_deed(100)))
    assert recorded.is_full
    assert len(msgspec.json.encode(recorded.deeds)) <= RECORDING_BYTES_MAX + one
    assert len(msgspec.json.encode(history.deeds)) <= HISTORY_BYTES_MAX
    assert history.deeds[0] == long_deed(99)
    huge = replace(long_deed(1), form={"a": "x" * HISTORY_BYTES_MAX})
    assert remember(history, huge).deeds == (huge,)


def test_the_bytes_of_all_stories_that_are_kept_have_a_limit() -> None:
    at, text = datetime(2030, 1, 1, tzinfo=UTC), "x" * (STORIES_BYTES_MAX // 4)
    kept = [KeptStory(id="s", by="anna", at=at, document={"about": text})] * 3
    refuse_long_stories(kept[:2], kept[0])
    with pytest.raises(InvalidInputError, match="at most 4 MiB of stories"):
        refuse_long_stories([*kept, kept[0]], kept[0])


@pytest.mark.parametrize("page", PAGES)
def test_others_have_their_turn_while_a_page_is_made(
    anna: Visitor, sandbox: str, page: str
) -> None:
    anna.get(f"/console/{sandbox}/workbench")
    for _ in range(5):
        anna.post(f"/console/{sandbox}/workbench", PAYMENT)
    assert looks_during(lambda: anna.get(f"/console/{sandbox}/{page}")) > 20


def test_the_file_of_a_recording_is_made_aside(
    anna: Visitor, sandbox: str, threads_of: Callable[[ModuleType, str], list[int]]
) -> None:
    root = f"/console/{sandbox}"
    anna.get(f"{root}/stage")
    anna.post(f"{root}/recording", {"deed": "begin"})
    anna.post(f"{root}/workbench", PAYMENT)
    made, written = threads_of(recording, "story_of"), threads_of(recordings, "story_text")
    read = threads_of(recording, "read_story")

    assert anna.get(f"{root}/recording.yaml").status_code == 200
    moved = anna.post(f"{root}/recording/keep", {"title": "Kept"})
    story = anna.get(moved.headers["Location"]).text.split('value="recorded-')[1].split('"')[0]
    assert anna.get(f"/console/lessons/recorded-{story}/file").status_code == 200

    assert (len(made), len(written)) == (2, 2) and read
    assert threading.get_ident() not in made + written + read


def test_what_was_sent_from_the_workbench_is_written_down_aside(
    anna: Visitor, sandbox: str, threads_of: Callable[[ModuleType, str], list[int]]
) -> None:
    anna.get(f"/console/{sandbox}/workbench")
    written, kept = threads_of(copies, "story_text"), threads_of(recording, "storable_deed")
    masked, found = threads_of(copies, "storable"), threads_of(recording, "found_in")
    of_tree = threads_of(beginnings, "storable")

    page = anna.post(f"/console/{sandbox}/workbench", PAYMENT).text
    payment = page.split("&#34;id&#34;: &#34;")[1].split("&")[0]
    again = {"operation": "read_payment", "deed": "send", "about": payment}
    assert "steps:" in anna.post(f"/console/{sandbox}/workbench", again).text

    everything = (written, kept, masked, found, of_tree)
    assert all(everything)
    assert not any(threading.get_ident() in each for each in everything)


def test_a_tree_with_much_in_it_is_not_written_down(
    gateway: Gateway, anna: Visitor, sandbox: str
) -> None:
    anna.get(f"/console/{sandbox}/workbench")
    many = {f"customParameters[key{number}]": "x" * 100 for number in range(200)}
    first = gateway.post(paymentType="PA", amount="92.00", **many).json["id"]
    again = {"operation": "read_payment", "deed": "send", "about": first}
    assert "steps:" in anna.post(f"/console/{sandbox}/workbench", again).text
    assert gateway.refer(first, "CP", amount="1.00", currency="EUR", **many).status_code == 200
    page = anna.post(f"/console/{sandbox}/workbench", again).text
    assert "steps:" not in page and "What is not shown here" in page


class ListedRecord(msgspec.Struct, frozen=True):
    """A record of which a list shows something."""

    sent: dict[str, str]


class CountedStore:
    """Has so many records of so many parameters, and counts how often others have their turn."""

    def __init__(self, count: int, parameters: int):
        self.records = [ListedRecord(sent={f"{each}": "" for each in range(parameters)})] * count
        self.pauses = 0

    def page(self, *_: object, start: int, most: int) -> tuple[list[ListedRecord], int]:
        return self.records[start : start + most], len(self.records)

    def pause(self, failures: int) -> None:
        self.pauses += 1


@pytest.mark.parametrize(("parameters", "pauses"), [(39, 1), (4_000, 25)])
def test_a_list_of_long_records_is_read_in_short_slices(parameters: int, pauses: int) -> None:
    store = CountedStore(25, parameters)
    ports: Any = SimpleNamespace(store=store)
    listed = lists.list_newest(ports, Payment, "reference", 1).records
    assert store.pauses == pauses
    found = lists.find_newest(ports, Payment, "merchant", host="test").records
    assert store.pauses == 2 * pauses
    # A megabyte of each would stay until the page is made.
    assert listed == found == [ListedRecord(sent={})] * 25
