"""Commands at another server than a gateway: one line says that it is none."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from simulator.cli import command_line
from simulator.client import Control
from simulator.client.control_calls import Answered
from simulator.client.transport.sendable import UnsendableError
from simulator.settings import SettingsError

NAMES = (
    "people", "scripts", "sandboxes", "held", "webhooks", "notices", "arrived", "terminals", "runs",
    "entries", "id", "link", "behaviour", "times", "match", "matched", "asked", "state", "status",
    "near_misses", "name", "role", "created_at", "merchants", "pending", "clock", "at", "kind",
)  # fmt: skip
# Well-formed values where a gateway has others; the last is a list of documents of lists.
OTHERS = (None, 5, "text", [5], [[5]], {"a": 1}, [{name: [1] for name in NAMES}])
COMMANDS = (
    "console list", "console invite a", "script list --sandbox a", "sandbox list", "sandbox show",
    "clock show --sandbox a", "hold list --sandbox a", "webhooks list --sandbox a",
    "webhooks endpoints --sandbox a", "terminal list --sandbox a", "settle show --sandbox a",
    "settle show r --sandbox a", "journal show e --sandbox a",
)  # fmt: skip
COMMANDS_ABOUT_AN_ID = (
    "sandbox show {}", "clock show --sandbox {}", "trace {} --sandbox a",
    "settle show {} --sandbox a", "script list --sandbox {}", "hold list --sandbox {}",
    "webhooks list --sandbox {}", "terminal list --sandbox {}", "journal show {} --sandbox a",
    "console remove {}", "sandbox delete {}", "reconcile key {} --sandbox a",
)  # fmt: skip

# An empty name of a sandbox is none: the command finds the one that there is.
OF_ANY = {"sandbox show {}", *(row for row in COMMANDS_ABOUT_AN_ID if row.endswith("--sandbox {}"))}


@contextmanager
def answering(
    content: bytes, kind: str = "application/json", missing: int = 0, status: int = 200
) -> Iterator[str]:
    """The address of a server that answers every request with this body, which states to be longer
    than it is by the bytes that are missing.
    """

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(content) + missing))
            self.end_headers()
            self.wfile.write(content)
            self.close_connection = missing > 0

        do_POST = do_GET

        def log_message(self, format: str, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/_sandbox/v1/"
        server.shutdown()


def status_of(*arguments: str) -> int:
    """The exit status of a command; what is no end of one is raised."""
    try:
        command_line()(args=arguments, prog_name="sandgate")
    except SystemExit as ended:
        return int(ended.code or 0)
    return 0


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("other", OTHERS, ids=range(len(OTHERS)))
def test_an_answer_of_another_form_ends_a_command_with_one_line(other, command, capsys):
    with answering(json.dumps(dict.fromkeys(NAMES, other)).encode()) as url:
        status = status_of(*command.split(), "--control-url", url, "--control-key", "key")

    assert status == 0 or "is it a gateway?" in capsys.readouterr().err


@pytest.mark.parametrize("other", OTHERS, ids=range(len(OTHERS)))
@pytest.mark.parametrize("command", [row for row in COMMANDS_ABOUT_AN_ID if row not in OF_ANY])
def test_an_empty_id_is_named_and_not_left_out_of_the_path(command, other, capsys):
    with answering(json.dumps(dict.fromkeys(NAMES, other)).encode()) as url:
        words = [word if word != "{}" else "" for word in command.split()]
        assert status_of(*words, "--control-url", url, "--control-key", "key") == 1

    said = capsys.readouterr().err
    assert "expected an" in said or "expected the id" in said or "--sandbox" in said, said
    assert said.count("\n") == 1


@pytest.mark.parametrize("content", [b"<!DOCTYPE html>\n<html>x", b"", b'{"message": "no"}'])
def test_an_answer_that_is_no_document_is_not_shown_as_a_program_would(content, capsys):
    with answering(content, status=404) as url:
        assert status_of("sandbox", "list", "--control-url", url, "--control-key", "key") == 1

    said = capsys.readouterr().err
    assert "status 404, " in said and said.count("\n") == 1
    assert "b'" not in said and "<html" not in said and "{'" not in said


@pytest.mark.parametrize("levels", [500, 900, 5000])
def test_an_answer_of_many_levels_ends_a_command_with_one_line(levels, capsys):
    content = b'{"sandboxes":' + b"[" * levels + b"]" * levels + b"}"
    with answering(content) as url:
        assert status_of("sandbox", "list", "--control-url", url, "--control-key", "key") == 1

    said = capsys.readouterr().err
    assert "is it a gateway?" in said and said.count("\n") == 1


def test_a_wrong_setting_of_a_command_is_no_fault_of_the_server():
    with (
        answering(b"{}") as url,
        pytest.raises(SettingsError, match="^script arm: expected a BEHAV"),
    ):
        status_of("script", "arm", "--sandbox", "a", "--control-url", url, "--control-key", "key")


@pytest.mark.parametrize("odd", ["schl\u00fcssel\u20ac0123456", "abcdefgh\udcff12345678", "a\nb"])
@pytest.mark.parametrize("name", ["control-url", "control-key"])
def test_what_no_request_can_carry_is_refused_by_its_name(name, odd):
    given = {"control-url": "http://127.0.0.1:1/", "control-key": "key"}
    given[name] = "http://127.0.0.1:1/" * (name == "control-url") + odd

    with pytest.raises(UnsendableError, match=f"^--{name} or SANDGATE_CONTROL_.*ASCII"):
        status_of("sandbox", "list", *(f"--{each}={text}" for each, text in given.items()))


PLACE = {
    "SANDGATE_URL": "http://127.0.0.1:1/",
    "SANDGATE_CONTROL_URL": "http://127.0.0.1:1/_sandbox/v1/",
    "SANDGATE_CONTROL_API_KEY": "key", "SANDGATE_CONTROL_KEY": "key", "SANDGATE_TOKEN": "token",
    "SANDGATE_SANDBOX_ID": "a", "SANDGATE_ENTITY_ID": "b",
}  # fmt: skip
OF_A_SANDBOX = ("SANDGATE_TOKEN", "SANDGATE_SANDBOX_ID", "SANDGATE_ENTITY_ID")
OF_A_GATEWAY = tuple(name for name in PLACE if name not in OF_A_SANDBOX)
COMMANDS_BY_VARIABLES = {
    "shop --port 0":         OF_A_GATEWAY,
    "terminal play":         OF_A_GATEWAY,
    "terminal run --port 0": tuple(PLACE),
    "terminal fleet 1":      tuple(PLACE),
    "wait --timeout 1":      ("SANDGATE_URL",),
}  # fmt: skip


@pytest.mark.parametrize("odd", ["schl\u00fcssel\u20ac0123456", "abcdefgh\udcff12345678", "a\nb"])
@pytest.mark.parametrize(
    ("command", "name"),
    [(command, name) for command, names in COMMANDS_BY_VARIABLES.items() for name in names],
)
def test_a_variable_that_no_request_can_carry_is_refused_by_its_name(
    command, name, odd, monkeypatch
):
    for each, text in PLACE.items():
        monkeypatch.setenv(each, text)
    monkeypatch.setenv(name, PLACE[name] * name.endswith("URL") + odd)
    if name == "SANDGATE_CONTROL_KEY":
        monkeypatch.delenv("SANDGATE_CONTROL_API_KEY")

    with pytest.raises(UnsendableError, match=f"{name}: expected .*ASCII"):
        status_of(*command.split())


@pytest.mark.parametrize("address", ["http://[", "http://h:99999/", "h:8080", "http://"])
def test_what_is_no_address_is_refused_before_anything_is_asked(address):
    with pytest.raises(UnsendableError, match="^--control-url or SANDGATE_CONTROL_URL: expected"):
        status_of("sandbox", "list", "--control-url", address, "--control-key", "key")


@pytest.mark.parametrize("command", COMMANDS_ABOUT_AN_ID)
def test_an_id_that_is_no_text_is_no_answer_of_another_server(command, capsys):
    words = command.format("8a\udcff").split()

    assert status_of(*words, "--control-url", "http://127.0.0.1:1/", "--control-key", "key") == 1
    said = capsys.readouterr().err
    assert r"8a\udcff" in said and "it was not sent" in said and said.count("\n") == 1


FILE = "application/octet-stream"


def snapshot_of(url: str, file: Path) -> int:
    place = ("--sandbox", "a", "--control-url", url, "--control-key", "key")
    return status_of("sandbox", "snapshot", str(file), *place)


def test_a_snapshot_that_came_whole_is_a_file_for_its_owner(tmp_path):
    kept = tmp_path / "kept.snapshot"
    with answering(b"a snapshot", FILE) as url:
        assert snapshot_of(url, kept) == 0

    assert kept.read_bytes() == b"a snapshot"
    assert kept.stat().st_mode & 0o777 == 0o600
    assert [*tmp_path.iterdir()] == [kept]


@pytest.mark.parametrize(
    ("kind", "missing", "said"),
    [(FILE, 5, "expected a gateway"), ("application/json", 0, "expected a file")],
)
def test_a_snapshot_that_did_not_come_leaves_the_file_as_it_was(
    kind, missing, said, tmp_path, capsys
):
    kept = tmp_path / "kept.snapshot"
    kept.write_bytes(b"of yesterday")
    with answering(b"12345", kind, missing) as url:
        assert snapshot_of(url, kept) == 1

    assert said in capsys.readouterr().err
    assert kept.read_bytes() == b"of yesterday"
    assert [*tmp_path.iterdir()] == [kept]


def test_a_snapshot_that_cannot_be_written_is_no_fault_of_the_server(tmp_path, capsys):
    with answering(b"a snapshot", FILE) as url:
        assert snapshot_of(url, tmp_path) == 1
        assert snapshot_of(url, tmp_path / "missing" / "kept.snapshot") == 1
        assert snapshot_of(url, tmp_path / ("a" * 300)) == 1

    said = capsys.readouterr().err.splitlines()
    assert all(line.startswith("sandgate: expected a file that can be written") for line in said)
    assert len(said) == 3


def test_a_snapshot_goes_into_a_device_as_it_is():
    with answering(b"a snapshot", FILE) as url:
        assert snapshot_of(url, Path("/dev/null")) == 0

    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize(
    ("accounts", "status"), [(("8a", "La"), 0), (("La",), 0), (("8a", "8b"), 2), (("La", "Lb"), 2)]
)
def test_the_key_of_the_test_host_is_meant_where_none_is_named(
    accounts, status, monkeypatch, capsys
):
    found = {"accounts": [{"merchant_account": each} for each in accounts]}
    monkeypatch.setattr(Control, "settlement", lambda *_: found)
    asked = []
    monkeypatch.setattr(Control, "save_settlement_key", lambda *given: asked.append(given[3]))
    place = ("--sandbox", "a", "--control-key", "key", "--control-url", "http://127.0.0.1:1/")

    assert status_of("reconcile", "key", "r", *place) == status
    assert asked == ([accounts[0]] if status == 0 else [])


@pytest.mark.parametrize(("state", "status"), [("delivered", 0), ("late", 0), ("refused", 3)])
def test_a_refused_file_says_how_another_one_comes(state, status, monkeypatch, capsys):
    run = dict.fromkeys(("lines", "delivered", "problem"), "") | {"id": "1", "state": state}
    run |= {"institute": "Sandgate Bank", "day": "2030-01-03"}
    runs = [{**run, "state": "refused"}, run, {**run, "id": "2", "state": "delivered"}]
    settled = Answered({"runs": runs, "more": []})
    monkeypatch.setattr(Control, "settle_days", lambda *_, **__: settled)
    found = {"run": run, "accounts": [], "pushes": []}
    monkeypatch.setattr(Control, "settlement", lambda *_: found)
    place = ("--sandbox", "a", "--control-key", "key", "--control-url", "http://127.0.0.1:1/")

    for command in (("settle", "run"), ("settle", "show", "r")):
        assert status_of(*command, *place) == status
        way_on = "sandgate settle run --institute 'Sandgate Bank' --date 2030-01-03"
        assert (way_on in capsys.readouterr().err) == (status != 0)


@pytest.mark.parametrize(("agrees", "word", "status"), [(True, "yes", 0), (False, "no", 3)])
def test_whether_the_sums_of_a_run_agree_is_said_in_a_word(agrees, word, status, capsys):
    run = {"id": "1", "state": "delivered", "lines": 2, "delivered": ["a.csv"], "problem": ""}
    sums = dict.fromkeys(("merchant_account", "currency", "lines", "matched", "net", "payout"), "0")
    found = {"run": run, "accounts": [sums | {"agrees": agrees}], "pushes": []}
    with answering(json.dumps(found).encode()) as url:
        place = ("--sandbox", "a", "--control-key", "key", "--control-url", url)
        assert status_of("settle", "show", "r", *place) == status

    assert capsys.readouterr().out.split()[-1] == word


def test_days_that_are_left_are_said_with_what_was_settled(monkeypatch, capsys):
    run = dict.fromkeys(("lines", "delivered", "problem"), "") | {"id": "1", "state": "delivered"}
    settled = Answered({"runs": [run], "more": ["Sandgate Bank", "Sandgate Clearing"]})
    monkeypatch.setattr(Control, "settle_days", lambda *_, **__: settled)
    place = ("--sandbox", "a", "--control-key", "key", "--control-url", "http://127.0.0.1:1/")

    assert status_of("settle", "run", *place) == 3

    printed = capsys.readouterr()
    assert "delivered" in printed.out
    assert "More bank days of Sandgate Bank, Sandgate Clearing are over" in printed.err


def test_an_answer_key_cannot_steer_the_window(monkeypatch, capsys):
    monkeypatch.setattr(Control, "settlement", lambda *_: {"accounts": [{"merchant_account": "a"}]})
    content = '{"kind": "\x1b[31mpayout\x9b2J"}\n'.encode()
    place = ("--sandbox", "a", "--control-key", "key", "--control-url")
    with answering(content, "application/x-ndjson") as url:
        assert status_of("reconcile", "key", "r", *place, url) == 0

    assert capsys.readouterr().out == '{"kind": "\\u001b[31mpayout\\u009b2J"}\n'


@pytest.mark.parametrize("kept", ["none.pem", ".", "empty.pem"])
@pytest.mark.parametrize(
    "command",
    [*COMMANDS, "wait https://127.0.0.1:1/", "shop", "terminal run", "terminal fleet 1",
     "terminal play reversal"],
)  # fmt: skip
def test_a_file_without_certificates_is_named(command, kept, tmp_path, monkeypatch):
    (tmp_path / "empty.pem").write_text("")
    ca_file = str(tmp_path / kept)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SANDGATE_URL", "https://127.0.0.1:1/")
    monkeypatch.setenv("SANDGATE_CONTROL_URL", "https://127.0.0.1:1/_sandbox/v1/")
    monkeypatch.setenv("SANDGATE_CONTROL_API_KEY", "key")
    monkeypatch.setenv("SANDGATE_CA_FILE", ca_file)

    with pytest.raises(UnsendableError) as refused:
        status_of(*command.split())
    assert f"expected a file of certificates at {ca_file!r}, got: " in str(refused.value)
    assert "correct --ca-file or SANDGATE_CA_FILE" in str(refused.value)


@pytest.mark.parametrize("command", ["terminal run", "terminal fleet 1", "terminal play"])
def test_a_terminal_says_which_gateway_it_expected_and_what_to_do(
    command, tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SANDGATE_URL", "http://127.0.0.1:1/")
    monkeypatch.setenv("SANDGATE_CONTROL_URL", "http://127.0.0.1:1/_sandbox/v1/")
    monkeypatch.setenv("SANDGATE_CONTROL_API_KEY", "key")
    for name in ("SANDGATE_SANDBOX_ID", "SANDGATE_ENTITY_ID", "SANDGATE_TOKEN"):
        monkeypatch.setenv(name, "8a8294174b7ecb28014b9699220015ca")

    assert status_of(*command.split())
    said = " ".join(capsys.readouterr().err.split())
    assert "expected a gateway at http://127.0.0.1:1/_sandbox/v1/, got: connection refused" in said
    assert "Start it, or correct SANDGATE_URL and SANDGATE_CONTROL_URL" in said


@pytest.mark.parametrize("command", ["shop", "terminal run"])
def test_a_refused_key_is_said_with_what_to_do(command, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with answering(b'{"error": {"code": "x", "message": "no"}}', status=401) as url:
        monkeypatch.setenv("SANDGATE_URL", url.replace("_sandbox/v1/", ""))
        monkeypatch.setenv("SANDGATE_CONTROL_URL", url)
        monkeypatch.setenv("SANDGATE_CONTROL_API_KEY", "key")

        assert status_of(*command.split())
    assert "Correct SANDGATE_CONTROL_API_KEY" in " ".join(capsys.readouterr().err.split())
