"""Recordings of releases: complete, asked again in full, and missed members are noticed."""

import re
from pathlib import Path

import pytest

from features.recorded.__main__ import main, record
from features.recorded.recording import (
    ANY,
    differences,
    recording_of,
    releases,
    requests,
    varying,
)

FEATURE = Path(__file__).parents[2] / "versions.feature"
RECORDED = {"id": ANY, "amount": "92.00", "card": {"bin": "420000"}, "items": [{"name": "a"}]}


def test_every_flow_of_every_release_is_asked_again() -> None:
    rows = re.findall(r"^ +\| (\d\S+) +\| (.+?) +\|", FEATURE.read_text("utf-8"), re.M)
    assert releases()
    assert set(rows) == {(name, flow) for name in releases() for flow in recording_of(name)}


def test_the_newest_recording_has_every_flow() -> None:
    newest = recording_of(releases()[-1])
    assert {title: [each.request for each in flow] for title, flow in newest.items()} == requests()


@pytest.mark.parametrize(
    ("came", "said"),
    [
        (RECORDED, []),
        (RECORDED | {"id": "8a82", "added": 1}, []),
        (RECORDED | {"amount": "92.0"}, ["amount was '92.00', is '92.0'"]),
        (RECORDED | {"card": {}}, ["card.bin was '420000', is None"]),
        (RECORDED | {"items": []}, ["items was [{'name': 'a'}], is []"]),
        (RECORDED | {"items": [{}]}, ["items[0].name was 'a', is None"]),
        ({**RECORDED, "id": None}, ["id was '~', is None"]),
    ],
)
def test_what_is_missed_is_said_and_what_was_added_is_not(came: object, said: list[str]) -> None:
    assert list(differences(RECORDED, came)) == said


def test_this_tree_is_recorded_as_its_release_was() -> None:
    """A recording that was made now would promise the same, and more at most."""
    recorded = record()
    for title, flow in recording_of(releases()[-1]).items():
        for then, now in zip(flow, recorded[title], strict=True):
            assert (then.request, then.status) == (tuple(now["request"]), now["status"])
            assert list(differences(then.body, now["body"])) == []


@pytest.mark.parametrize("words", [[], ["next"], ["0.1.0"], ["0.2.0", "0.3.0"]], ids=str)
def test_a_release_is_recorded_once_under_its_number(words: list[str]) -> None:
    assert main(words) == 2


def test_what_varies_is_no_promise() -> None:
    one = {"id": "1", "result": {"code": "0", "description": "well"}, "list": [1, 2]}
    assert varying(one, one | {"id": "2"}) == {
        "id": ANY, "result": {"code": "0", "description": ANY}, "list": [1, 2],
    }  # fmt: skip
