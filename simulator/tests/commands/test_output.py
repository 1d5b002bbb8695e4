"""What commands print: no control character of a merchant or another client reaches a terminal."""

import json
import os
import pty
import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

import pytest

from simulator.commands.control.journal import line_of, page_of
from simulator.commands.surface.output import print_result
from simulator.domain.journal.entries import ExchangeEntry, WebhookEntry
from simulator.domain.journal.trace import trace_of, trace_text
from simulator.tests.kit.running import clean_environment

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
HOSTILE = (
    "a\n12:00:00 forged\r\x1b[2J\x1b]0;title\x07\x1b[8m\x7f\x9b31m\u202egnp.exe\u2066\u2028b\ud800"
)
SHOWN = (
    r"a\n12:00:00 forged\r\x1b[2J\x1b]0;title\x07\x1b[8m\x7f\x9b31m\u202egnp.exe\u2066\u2028b\ud800"
)
CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
# Prints its first argument, an escape sequence of its own, and a document, as commands do.
PROGRAM = """
import json, sys
import typer
from simulator.commands.surface.pipes import guard_standard_streams
from simulator.commands.surface.output import print_json
text = json.loads(sys.argv[1])
guard_standard_streams()
sys.stdout.write("\\x1b[31mred\\x1b[0m\\n")
print_json({"text": text})
print(text)
typer.echo(text, err=True)
sys.stdout.flush()
typer.echo("sandgate: \x1b[1A\x1b[2K" + text, err=True)
"""


def exchange(**more: object) -> dict:
    """An exchange in which every text that a client can choose is hostile."""
    return {
        "kind": "exchange", "ndc": "8" * 32, "at": "2026-11-20T12:00:00Z", "duration_ms": 1.0,
        "method": "GET", "path": f"/v1/{HOSTILE}", "request": {HOSTILE: HOSTILE}, "status": 400,
        "answer": {HOSTILE: [HOSTILE]}, "code": "200.300.404", "rules": [HOSTILE],
        "error": HOSTILE, "decided_by": HOSTILE, "near_misses": [HOSTILE], "payments": [],
        "messages": [{
            "sender": "gateway", "receiver": "acquirer", "label": HOSTILE, "body": {"x": HOSTILE},
        }],
        "webhooks": [{
            "at": "x", "event": HOSTILE, "url": HOSTILE, "number": 1, "error": HOSTILE,
        }],
        **more,
    }  # fmt: skip


def test_an_entry_of_the_journal_is_one_line_without_control_characters():
    webhook = {**exchange()["webhooks"][0], "kind": "webhook", "ndc": "x", "at": "x" * 20}
    for entry in (exchange(), exchange(kind="simulator"), webhook):
        shown = line_of(entry).plain
        assert CONTROL.search(shown) is None
        assert "\n" not in shown


def test_a_page_of_the_journal_has_no_line_but_its_own():
    lines = [line.plain for line in page_of(exchange())]

    assert CONTROL.search("".join(lines)) is None
    assert not any("\n" in line for line in lines)
    assert f"  {SHOWN} = {SHOWN}" in lines


def test_a_trace_has_no_line_but_its_own():
    entry = ExchangeEntry(
        ndc="8" * 32, at=NOON, until=NOON, duration_ms=1.0, method="GET", path=f"/v1/{HOSTILE}",
        status=400, rules=(HOSTILE,), error=HOSTILE,
    )  # fmt: skip
    webhook = WebhookEntry(
        ndc="9" * 32, at=NOON, event=HOSTILE, event_id="1", number=1, url=HOSTILE, error=HOSTILE
    )
    shown = trace_text(trace_of("8" * 32, [], [(1, entry), (2, webhook)]))

    assert CONTROL.search(shown) is None
    assert SHOWN in shown
    assert not [line for line in shown.splitlines() if line.startswith("12:00")]


def test_lines_of_a_result_are_one_line_each(capsys: pytest.CaptureFixture[str]):
    print_result({}, [HOSTILE], "text")

    assert capsys.readouterr().out == f"{SHOWN}\n"


def printed_to_a_pipe(encoding: str = "utf-8") -> tuple[str, str]:
    """Standard output and standard error of the program."""
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(HOSTILE)],
        env={**clean_environment(), "PYTHONIOENCODING": encoding},
        capture_output=True, check=True,
    )  # fmt: skip
    return ran.stdout.decode(), ran.stderr.decode()


def printed_to_a_terminal() -> str:
    """What the program prints to a terminal."""
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM, json.dumps(HOSTILE)],
        env={**clean_environment(), "PYTHONIOENCODING": "utf-8"},
        stdout=theirs, stderr=theirs, stdin=subprocess.DEVNULL,
    ) as program:  # fmt: skip
        os.close(theirs)
        shown = b""
        while piece := read_or_end(ours):
            shown += piece
        os.close(ours)
        assert program.wait(10) == 0
    return shown.decode()


def read_or_end(descriptor: int) -> bytes:
    """What a terminal has to read, nothing at its end."""
    try:
        return os.read(descriptor, 65_536)
    except OSError:
        return b""


@pytest.mark.parametrize("encoding", ["utf-8", "ascii", "latin-1"])
def test_nothing_but_lines_and_tabs_goes_through_a_pipe(encoding):
    out, error = printed_to_a_pipe(encoding)

    assert CONTROL.search(out + error) is None
    document = out.partition("\n")[2].partition("}\n")[0] + "}"
    assert json.loads(document) == {"text": HOSTILE}


def test_a_terminal_gets_colors_and_nothing_that_moves_or_turns_text():
    shown = printed_to_a_terminal().replace("\r\n", "\n")

    assert "\x1b[31mred\x1b[0m" in shown
    error = shown.partition("sandgate: ")[2]
    assert error.startswith(r"\u001b[1A\u001b[2Ka") and CONTROL.search(error) is None
    left = re.sub(r"\x1b\[[0-9;]*m|\r", "", shown)
    assert CONTROL.search(left) is None


@pytest.mark.parametrize(
    ("command", "closed"),
    [("target", ">&-"), ("target", "2>&-"), ("demo", "<&-")],
)
def test_a_command_without_a_standard_stream_ends_without_a_traceback(
    command: str, closed: str
) -> None:
    target = {
        "SANDGATE_URL": "http://127.0.0.1:9",
        "SANDGATE_TOKEN": "x",
        "SANDGATE_ENTITY_ID": "y",
    }
    line = f'exec "$0" -m simulator {command} {closed}'

    ended = subprocess.run(
        ["sh", "-c", line, sys.executable],
        env={**clean_environment(), **target}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert ended.returncode == 0
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("encoding", "shown"),
    [
        ("ascii", r"+ x \u2013 \u00e9 \u5f35 \ud83e\uddfe"),
        ("latin-1", "+ x \\u2013 é \\u5f35 \\ud83e\\uddfe"),
        ("cp1252", "+ x – é \\u5f35 \\ud83e\\uddfe"),
        ("utf-8", "✓ ✗ – é 張 🧾"),
    ],
)
def test_what_the_encoding_of_the_output_does_not_have_is_an_escape_of_json(
    encoding: str, shown: str
) -> None:
    text = "✓ ✗ – é 張 🧾"
    ran = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(text)],
        env={**clean_environment(), "PYTHONIOENCODING": encoding},
        capture_output=True, check=True,
    )  # fmt: skip
    printed = ran.stdout.decode(encoding)

    assert printed.endswith(f"\n{shown}\n")
    assert shown in ran.stderr.decode(encoding)
    if encoding != "utf-8":
        text = text.replace("✓", "+").replace("✗", "x")
    assert json.loads(printed[printed.index("{") : printed.rindex("}") + 1]) == {"text": text}


@pytest.mark.parametrize("command", [["openapi"], ["coverage"]])
def test_a_command_prints_where_output_is_ascii(command: list[str], tmp_path: Path) -> None:
    ran = subprocess.run(
        [sys.executable, "-P", "-m", "simulator", *command],
        env={**clean_environment(), "PYTHONIOENCODING": "ascii"},
        cwd=tmp_path, capture_output=True, check=False,
    )  # fmt: skip

    assert ran.stderr.decode() == ""
    assert ran.returncode == 0
    assert ran.stdout.isascii()
