"""Commands at another server than a gateway: one line says that it is none."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from simulator.cli import command_line
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


@contextmanager
def answering(document: object) -> Iterator[str]:
    """The address of a server that answers every request with this document."""
    content = json.dumps(document).encode()

    class Answer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            self.send_response(200)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

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
    with answering(dict.fromkeys(NAMES, other)) as url:
        status = status_of(*command.split(), "--control-url", url, "--control-key", "key")

    assert status == 0 or "is it a gateway?" in capsys.readouterr().err


def test_a_wrong_setting_of_a_command_is_no_fault_of_the_server():
    with answering({}) as url, pytest.raises(SettingsError, match="^script arm: expected a BEHAV"):
        status_of("script", "arm", "--sandbox", "a", "--control-url", url, "--control-key", "key")
