"""A file of the console that is damaged while the gateway runs: the page names it, and the log says
what to do.
"""

from pathlib import Path

import pytest

from simulator.tests.console.test_recording import PAYMENT
from simulator.tests.console.visitor import Visitor


@pytest.mark.parametrize("content", [b"{", b"\xff" * 100], ids=["cut", "binary"])
@pytest.mark.parametrize(
    ("name", "page"),
    [
        ("stories.json", "/console/lessons"),
        ("{sandbox}/recording.json", "/console/{sandbox}/workbench"),
        ("{sandbox}/lesson.json", "/console/{sandbox}/stage"),
    ],
)  # fmt: skip
def test_a_damaged_file_is_named(
    tmp_path: Path, anna: Visitor, sandbox: str, caplog: pytest.LogCaptureFixture,
    name: str, page: str, content: bytes,
) -> None:  # fmt: skip
    path = tmp_path / "data" / name.format(sandbox=sandbox)
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(content)

    shown = anna.get(page.format(sandbox=sandbox))

    assert shown.status_code == 503
    assert path.name in shown.text and str(path.parent) not in shown.text
    assert f"{path}, line 1: expected" in caplog.text
    assert f"What to do: put {path.name} back from a backup" in caplog.text


def test_a_change_of_a_damaged_file_says_the_same(
    tmp_path: Path, anna: Visitor, sandbox: str, caplog: pytest.LogCaptureFixture
) -> None:
    anna.get(f"/console/{sandbox}/stage")
    path = tmp_path / "data" / sandbox / "recording.json"
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(b"{")

    shown = anna.post(f"/console/{sandbox}/recording", {"deed": "begin"})

    assert shown.status_code == 503
    assert path.name in shown.text
    assert f"What to do: put {path.name} back from a backup" in caplog.text


def test_a_story_is_not_kept_in_a_damaged_file(
    tmp_path: Path, anna: Visitor, sandbox: str, caplog: pytest.LogCaptureFixture
) -> None:
    root = f"/console/{sandbox}"
    anna.get(f"{root}/stage")
    anna.post(f"{root}/recording", {"deed": "begin"})
    anna.post(f"{root}/workbench", PAYMENT)
    path = tmp_path / "data" / "stories.json"
    path.write_bytes(b"{")

    shown = anna.post(f"{root}/recording/keep", {"title": "Mine"})

    assert shown.status_code == 503
    assert path.name in shown.text and path.read_bytes() == b"{"
    assert f"What to do: put {path.name} back from a backup" in caplog.text
