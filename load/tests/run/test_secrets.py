"""Runs at a gateway that repeats every secret of the target file: none is shown anywhere."""

import json
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from load.tests.commands import run_load_command, start_load_command
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening
from simulator.client.ports import free_port

TOKENS = ("0f" * 24, "Zm9+/YmFyLWJheg==qx", "tok_7")
LIVE, OTHER, KEY, RECEIVER = "live-tok.93~x", "other/token+x==", "kx7-wolf.93+5/", "ab" * 32
USERS = ("-u", "3", "-t", "4s", "--think", "0.1")
FILES = ("--json", "r.json", "--html", "r.html", "--csv", "r")
ENTITY = "8" * 32


def echo(request: ReceivedRequest) -> ListenerResponse:
    """A refusal that repeats the token, percent-encoded too, and what else it knows."""
    token = request.headers.get("authorization", "").partition(" ")[2]
    known = " ".join((token, quote(token, safe=""), LIVE, OTHER, RECEIVER, KEY, token, token))
    result = {"code": f"200.{token}", "description": f"{known} is not active"}
    content = json.dumps({"result": result, "id": token, "timestamp": token}).encode()
    return ListenerResponse(400, {"Content-Type": "application/json"}, content)


@pytest.fixture
def address() -> Iterator[str]:
    with listening(echo) as url:
        yield url


def target_file(folder: Path, address: str, token: str, more: str = "") -> None:
    """Describe the gateway at an address."""
    (folder / "t.toml").write_text(
        f'base_url = "{address}"\ntoken = "{token}"\nentity_id = "{ENTITY}"\n'
        f'live_token = "{LIVE}"\n{more}\n[entities.other]\nentity_id = "{ENTITY}"\n'
        f'token = "{OTHER}"\n[receiver]\nurl = "http://127.0.0.1:9/"\nlisten = "127.0.0.1:9"\n'
        f'key = "{RECEIVER}"\n'
    )


def written(folder: Path) -> str:
    """Everything that a run wrote, beside its target file."""
    files = [each for each in folder.iterdir() if each.name != "t.toml"]
    return "\n".join(each.read_text(encoding="utf-8") for each in files)


def require_hidden(text: str, token: str) -> None:
    """Require that none of the secrets stands in a text, and neither does a long part of one."""
    for secret in (token, quote(token, safe=""), LIVE, OTHER, RECEIVER, quote(OTHER, safe="")):
        assert secret not in text and (len(secret) < 16 or secret[:12] not in text)


@pytest.mark.parametrize("more", [(), ("--processes", "2")])
@pytest.mark.parametrize("token", TOKENS)
def test_no_secret_of_the_target_is_on_the_screen_or_in_a_report(token, more, address, tmp_path):
    target_file(tmp_path, address, token)
    ran = run_load_command("t.toml", *USERS, *FILES, *more, folder=tmp_path)

    assert "*** *** *** ***" in ran.output and ran.status == 1
    assert {"r.json", "r.html", "r.locust.html", "r_failures.csv"} <= {
        each.name for each in tmp_path.iterdir()
    }
    require_hidden(ran.output + ran.errors + written(tmp_path), token)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0"])
def test_workers_of_a_master_hide_the_secrets_too(host, address, tmp_path):
    target_file(tmp_path, address, TOKENS[0])
    port = str(free_port())
    leading = start_load_command(
        "t.toml", *USERS, *FILES, "--master", "--expect-workers", "1",
        "--master-bind-port", port, "--master-bind-host", host, folder=tmp_path,
    )  # fmt: skip
    folder = tmp_path / "worker"
    folder.mkdir()
    worked = run_load_command("--worker", "--master-port", port, folder=folder)
    folder.rmdir()

    shown = "".join((*leading.communicate(timeout=60), worked.output, worked.errors))
    assert "*** *** *** ***" in shown
    require_hidden(shown + written(tmp_path), TOKENS[0])


def test_a_refusal_of_the_control_api_repeats_no_key(address, tmp_path):
    control = f'control_url = "{address}_sandbox/v1/"\ncontrol_key = "{KEY}"'
    target_file(tmp_path, address, TOKENS[0], control)
    ran = run_load_command("t.toml", *USERS, folder=tmp_path)

    assert ran.status == 3 and "***" in ran.errors
    assert KEY not in ran.errors + ran.output
    require_hidden(ran.errors + ran.output, TOKENS[0])
