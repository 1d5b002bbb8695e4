"""The pytest plugin, tried by pytest runs of their own in folders outside the repository."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.metadata import entry_points
from pathlib import Path
from threading import Thread

import pytest

from simulator.client.gateway import GatewayAccess, access_of, gateway_for
from simulator.client.processes import without_settings
from simulator.variables import variables_of

PAGE = Path(__file__).parents[3] / "docs" / "how-to" / "pytest.md"
PLUGIN = ("-p", "simulator.client.pytest_plugin")
# Plugins of others: to import them takes twice as long as to import pytest.
OTHERS = ("randomly", "cacheprovider", "schemathesis", "hypothesispytest", "faker", "pytest-bdd",
          "pytest_cov", "locust")  # fmt: skip
LONELY = """
import pytest

PAYMENTS = {"customParameters[SHOPPER_run]": "1"}

@pytest.mark.parametrize("count", [1, 2, 3, 4])
def test_each_test_has_a_sandbox_of_its_own(sandgate_sandbox, count):
    assert sandgate_sandbox.journal() == []
    paid = sandgate_sandbox.pay("92.00", parameters=PAYMENTS)
    assert (paid.status, paid.code) == (200, "000.100.110")
    assert sandgate_sandbox.refer(paid.id, "RF", "10.00").code == "000.100.110"
    assert sandgate_sandbox.refer(paid, "RF", "10.00").code == "000.100.110"
    assert sandgate_sandbox.trace(paid) == sandgate_sandbox.trace(paid.id)
    assert len(sandgate_sandbox.journal()) == 3

@pytest.mark.sandgate(profile="field", clock={"mode": "frozen", "at": "2031-05-05T05:05:05Z"})
class TestMarked:
    @pytest.mark.sandgate(seed=7)
    def test_options_come_from_markers(self, sandgate_sandbox):
        found = sandgate_sandbox.control.sandbox(sandgate_sandbox.id)
        assert (found["profile"], found["seed"]) == ("field", 7)
        paid = sandgate_sandbox.pay("92.00")
        assert paid.at("timestamp").startswith("2031-05-05 05:05:05")

def test_a_script_a_webhook_and_the_clock(sandgate_sandbox):
    sandgate_sandbox.freeze()
    sandgate_sandbox.listen()
    sandgate_sandbox.arm("insufficient-funds", times=1)
    assert sandgate_sandbox.pay("92.00").code == "800.100.203"
    assert sandgate_sandbox.pay("92.00").code == "000.100.110"
    assert len(sandgate_sandbox.inbox(2)) >= 2
    sandgate_sandbox.advance("2d")
    assert sandgate_sandbox.drain()
"""
FAILING = """
def test_that_fails(sandgate_sandbox):
    sandgate_sandbox.pay("92,00")
    assert "93.00" in sandgate_sandbox.trace(sandgate_sandbox.pay("93.00").id)
    assert sandgate_sandbox.pay("94.00").code == "nothing"
"""

# Each ends in another place, while a key or a token is in use.
REFUSED = """
from socket import create_server

import pytest

from simulator.client import Client, Control
from simulator.client.sandbox import SandboxClient

BODY = bytes(30_000_000)

@pytest.fixture
def box(sandgate_sandbox):
    with open("secrets", "a") as file:
        print(sandgate_sandbox.token, sandgate_sandbox.facts["control_key"], file=file)
    return sandgate_sandbox

def test_of_a_behaviour_that_is_unknown(box):
    box.arm("no-such")

def test_of_a_path_with_a_blank(box):
    box.merchant.get("v1/payments/a b")

def test_of_a_server_that_is_gone(box):
    Client("http://127.0.0.1:9/", box.token, box.entity_id).get("v1/payments")

def test_of_a_header_of_its_own(box):
    Client(box.url, "", "").request("GET", "a b", headers=with_token_of(box))

def with_token_of(box):
    return {"Authorization": "Bearer " + box.token}

def test_of_a_token_with_a_line_break(box):
    box.merchant.with_credentials(box.token + "\\n", "").get("v1/payments")

def test_of_a_server_that_reads_nothing(box):
    with create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/"
        Client(url, box.token, "", timeout_s=0.1).request("POST", "", body=memoryview(BODY))

@pytest.mark.parametrize("make", [
    lambda box: Client("https://a/", box.token, "", ca_file="none"),
    lambda box: Control("https://a/", box.facts["control_key"], ca_file="none"),
    lambda box: SandboxClient(box.facts, "https://a/", box.control, ca_file="none"),
])
def test_of_authorities_that_are_missing(box, make):
    make(box)
"""


def run_pytest(folder: Path, text: str, *options: str, **variables: str) -> tuple[int, str]:
    """The exit status of a pytest run of one file, and what it printed."""
    (folder / "test_it.py").write_text(text, encoding="utf-8")
    others = [word for name in OTHERS for word in ("-p", f"no:{name}")]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *others, *_plugin(), *options, "test_it.py"],
        cwd=folder, env=without_settings() | variables,
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def _plugin() -> tuple[str, ...]:
    """Naming the plugin, where this installation was made before the plugin was."""
    named = {entry.name for entry in entry_points(group="pytest11")}
    return () if "sandgate" in named else PLUGIN


def test_workers_of_xdist_do_not_disturb_each_other(tmp_path: Path) -> None:
    status, output = run_pytest(tmp_path, LONELY, "-n", "2")

    assert status == 0, output
    assert "6 passed" in output


def test_a_named_gateway_is_used_and_left_clean(tmp_path: Path) -> None:
    with gateway_for({}) as access:
        facts = {
            "base_url": access.url,
            "control_url": access.control_url,
            "control_key": access.control_key,
        }
        before = access.control().sandboxes()
        status, output = run_pytest(tmp_path, LONELY, **variables_of(facts))

        assert status == 0, output
        assert access.control().sandboxes() == before


def test_no_report_of_a_test_shows_the_key_of_the_gateway(tmp_path: Path) -> None:
    """Many may read a report, and pytest shows in it what a failing function was given."""
    url, key = "http://127.0.0.1:9/", "key-of-a-gateway-that-has-ended"
    facts = {"base_url": url, "control_url": f"{url}_sandbox/v1/", "control_key": key}

    status, output = run_pytest(tmp_path, FAILING, **variables_of(facts))

    assert status == 1 and url in output, output
    assert key not in output


STYLES = [(), ("-l",), ("--tb=long", "-l", "-vv")]


@pytest.mark.cost
@pytest.mark.parametrize("style", STYLES)
def test_no_style_of_a_report_shows_a_key_or_a_token(tmp_path: Path, style: Sequence[str]) -> None:
    with gateway_for({}) as access:
        facts = {
            "base_url": access.url,
            "control_url": access.control_url,
            "control_key": access.control_key,
        }
        style = (*style, "--junit-xml=report.xml")
        output = run_pytest(tmp_path, REFUSED, *style, **variables_of(facts))[1]

    reports = output + (tmp_path / "report.xml").read_text(encoding="utf-8")
    assert "9 failed" in output and "with_token_of(box)" in output, output
    secrets = {access.control_key, *(tmp_path / "secrets").read_text(encoding="utf-8").split()}
    assert len(secrets) == 19
    assert not [each for each in secrets if each[:16] in reports], reports


@pytest.mark.parametrize("style", STYLES)
def test_no_style_of_a_report_shows_variables_with_a_key(
    tmp_path: Path, style: Sequence[str]
) -> None:
    text = """
from simulator.client.gateway import gateway_for

def test_of_variables(sandgate_gateway): ...

def test_of_variables_of_its_own():
    with gateway_for(__import__("os").environ): ...
"""
    facts = {"base_url": "http://a/", "control_url": "http://b/", "control_key": "the-key-\u20ac"}
    for changed in ({}, {"base_url": "a", "control_key": "the-key-e"}):
        named = variables_of(facts | changed)
        output = run_pytest(tmp_path, text, *style, **named)[1]

        assert "1 failed, 1 error" in output, output
        assert "the-key-" not in output, output


def test_a_failed_test_shows_what_the_gateway_was_asked(tmp_path: Path) -> None:
    status, output = run_pytest(tmp_path, FAILING)

    assert status == 1
    assert "journal of sandbox" in output
    assert "POST /v1/payments -> 400 200.300.404" in output
    assert "    amount: " in output
    assert output.index('"92,00"') < output.index('"94.00"')
    assert "4200000000000000" not in output.partition("journal of sandbox")[2]


def test_the_code_of_the_page_runs(tmp_path: Path) -> None:
    *tests, program = re.findall(
        r"^```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )
    done = subprocess.run(
        [sys.executable, "-c", program], env=without_settings(), capture_output=True, text=True
    )

    assert "3 passed" in run_pytest(tmp_path, "\n".join(tests))[1]
    assert done.stdout == "000.100.110\n", done.stderr


def test_a_wrong_option_says_what_is_known(tmp_path: Path) -> None:
    text = "import pytest\n@pytest.mark.sandgate(profil='field')\ndef test(sandgate_sandbox): ...\n"
    status, output = run_pytest(tmp_path, text)

    assert status == 1
    assert "ControlError" in output and "profil" in output


def test_an_option_without_a_name_is_refused(tmp_path: Path) -> None:
    text = "import pytest\n@pytest.mark.sandgate('field')\ndef test(sandgate_sandbox): ...\n"
    status, output = run_pytest(tmp_path, text)

    assert status == 1
    assert "expected options with names, such as profile='field', got 'field'" in output


@pytest.mark.cost
@pytest.mark.parametrize(
    ("option", "said"),
    [
        ("modl='MOBILE'", "expected one of model, method, merchant, timeout_s, rates (nearest: mo"),
        ("'MOBILE'", "expected options with names, such as model='UNATTENDED', got 'MOBILE'"),
        (
            "model='MOBIL'",
            "model: expected one of COUNTERTOP, PORTABLE, MOBILE, PINPAD, INTEGRATED",
        ),
        ("method='DES'", "method: expected AES or TDES; got 'DES'"),
        ("merchant='4200000000000000'", "merchant: expected a name, received the number of a card"),
    ],
)
def test_a_wrong_option_of_a_terminal_says_what_is_known(
    tmp_path: Path, option: str, said: str
) -> None:
    marker = f"@pytest.mark.sandgate_terminal({option})"
    text = f"import pytest\n{marker}\ndef test(sandgate_terminal): ...\n"
    status, output = run_pytest(tmp_path, text, *_plugin_of_terminals())

    assert status == 1
    assert "Failed: @pytest.mark.sandgate_terminal: " in output
    assert said in output
    assert "Error: " not in output and "ScriptedTerminal" not in output


def _plugin_of_terminals() -> tuple[str, ...]:
    return ("-p", "pos_emulator.scripts.fixtures") if _plugin() else ()


def test_nothing_is_started_for_tests_that_do_not_ask(tmp_path: Path) -> None:
    text = "import sys\ndef test(): assert 'gevent' not in sys.modules\n"

    assert run_pytest(tmp_path, text)[0] == 0


@pytest.mark.parametrize("name", ["SANDGATE_CONTROL_API_KEY", "SANDGATE_CONTROL_KEY"])
def test_the_key_is_read_under_its_name_and_under_the_former_one(name: str) -> None:
    places = {"SANDGATE_URL": "http://a/", "SANDGATE_CONTROL_URL": "http://a/_sandbox/v1/"}

    assert access_of({**places, name: "key"}) == GatewayAccess(*places.values(), "key")
    assert access_of(places) is None


SIGNS = "\x1b]0;name\x07\x1b[31m\x9b31m\u202e"
CARD = "4200000000000000"
HOSTILE = {
    "kind": "exchange", "method": SIGNS, "path": f"/v1/{SIGNS}{CARD}", "status": SIGNS,
    "answer": {"result": {"code": SIGNS, "description": f"{CARD} {SIGNS}", "parameterErrors": [
        {"name": SIGNS, "message": f"{CARD} {SIGNS}"}]}},
    "request": {"card.number": CARD, "card.cvv": "987", SIGNS: SIGNS},
}  # fmt: skip
FAILING_AND_OTHER = """
def test_that_fails(sandgate_sandbox):
    assert 1 == 2

def test_after_it():
    pass
"""


def exchange_with(errors: object) -> dict[str, object]:
    answer = {"result": {"code": "1", "parameterErrors": errors}}
    return {"kind": "exchange", "method": "POST", "path": "/v1/payments", "answer": answer}


@pytest.mark.parametrize(
    "entries",
    [
        [HOSTILE], [exchange_with(5)], [exchange_with(["x"])], [exchange_with([{"name": [5]}])],
        ["text"], 5, None, [{"kind": "exchange", "answer": 5, "request": 5, "path": {}}],
        [{"kind": "exchange", "path": "\ud800", "answer": {"result": []}}],
        [{"kind": "exchange", "request": json.loads("[" * 400 + "]" * 400)}],
    ],
)  # fmt: skip
def test_an_odd_answer_ends_no_run_and_takes_no_effect(tmp_path: Path, entries: object) -> None:
    asked: list[str] = []
    with _odd_gateway(entries, asked) as url:
        facts = {"base_url": url, "control_url": f"{url}_sandbox/v1/", "control_key": "k" * 20}
        status, output = run_pytest(tmp_path, FAILING_AND_OTHER, **variables_of(facts))

    assert status == 1 and "1 failed, 1 passed" in output, output
    assert "journal of sandbox" in output
    assert output.replace("\n", "").isprintable(), ascii(output)
    assert CARD not in output and "987" not in output.partition("journal of")[2]
    assert any(each.startswith("DELETE ") for each in asked)


def test_what_a_gateway_says_against_a_sandbox_takes_no_effect(tmp_path: Path) -> None:
    with _odd_gateway([], [], status=500, made={"result": {"code": f"{CARD} {SIGNS}"}}) as url:
        facts = {"base_url": url, "control_url": f"{url}_sandbox/v1/", "control_key": "k" * 20}
        status, output = run_pytest(tmp_path, FAILING_AND_OTHER, **variables_of(facts))

    assert status == 1 and "ControlError" in output and "1 passed" in output, output
    assert output.replace("\n", "").isprintable(), ascii(output)
    assert CARD not in output


MADE = {"id": "a" * 32, "token": "t" * 48, "entity_id": "e" * 32, "control_key": "k" * 48,
        "entities": []}  # fmt: skip


@contextmanager
def _odd_gateway(
    entries: object, asked: list[str], *, status: int = 200, made: object = MADE
) -> Iterator[str]:
    """The address of a server that answers each request for a journal with these entries."""

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length") or 0))
            asked.append(f"{self.command} {self.path}")
            body = json.dumps({"entries": entries} if "journal" in self.path else made).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        do_GET = do_POST = do_DELETE = answer

        def log_message(self, *_: object) -> None: ...

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()
