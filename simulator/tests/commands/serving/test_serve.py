"""A gateway process: what it says when it is ready, what it keeps, and how it ends."""

import json
import signal
import socket
import ssl
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from pos_emulator.scripts.scripted import scripted_terminal
from simulator.adapters.http.own_addresses import own_addresses
from simulator.client import Client, Control
from simulator.client.gateway import access_of
from simulator.client.ports import free_port
from simulator.commands.serve import unused_ports
from simulator.setting_sources import read_settings
from simulator.tests.kit.gateway import ORDER
from simulator.tests.kit.running import Serving, clean_environment, command_of, serving
from simulator.variables import variables_of

OTHER_PORTS = ("--tls-port", "--live-port", "--acs-port", "--card-port", "--sftp-port")


@pytest.fixture(scope="module")
def gateway(tmp_path_factory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("served") / "data") as running:
        yield running


REDIRECTED = {
    "paymentType": "DB",
    "amount": "92.00",
    "currency": "EUR",
    "paymentBrand": "EPS",
    "shopperResultUrl": "https://shop.example/done",
}


def client_of(running: Serving, *, address: str = "base_url", ca: Path | None = None) -> Client:
    facts = running.facts
    token = facts["live_token" if address == "live_url" else "token"]
    return Client(facts[address], token, facts["entity_id"], ca_file=str(ca) if ca else None)


@pytest.mark.parametrize(
    ("given", "noted"),
    [
        ({"port": "0", "live_port": "39917"}, ["live-port 39917 is not used: --port 0"]),
        ({"port": "0", "acs_port": "1", "sftp_port": "2"}, ["acs-port 1 is", "sftp-port 2 is"]),
        ({"port": "0", "live_port": "0"}, []),
        ({"port": "0"}, []),
        ({"port": "8090", "live_port": "39917"}, []),
    ],
)
def test_a_port_that_is_not_used_is_noted(given: dict[str, str], noted: list[str]) -> None:
    notes = [*unused_ports(*read_settings(given, {}))]

    assert len(notes) == len(noted)
    assert all(note.startswith(begin) for note, begin in zip(notes, noted, strict=True))


def test_every_listener_serves_the_api(gateway, tmp_path):
    data = Path(gateway.process.args[gateway.process.args.index("--data") + 1])
    plain = client_of(gateway).post("v1/payments", ORDER)
    live = client_of(gateway, address="live_url").post("v1/payments", ORDER)
    secure = client_of(gateway, address="tls_url", ca=data / "tls" / "ca.pem")

    answers = [plain, live, secure.post("v1/payments", ORDER)]

    assert [answer.status for answer in answers] == [200] * 3
    assert [answer.code for answer in answers] == ["000.100.110", "000.000.000", "000.100.110"]


def test_port_0_takes_another_port_for_each_listener(gateway):
    urls = [gateway.facts[name] for name in ("base_url", "tls_url", "live_url")]

    assert len({urlsplit(url).port for url in urls}) == 3
    assert all(url.endswith("/") for url in urls)
    assert gateway.facts["control_url"] == urls[0] + "_sandbox/v1/"


def test_it_says_its_profile_and_the_throttle_table_of_each_host(gateway, tmp_path):
    said = [gateway.facts[name] for name in ("profile", "throttle", "live_throttle")]
    assert said == ["specification", "sandbox", "sandbox"]

    (tmp_path / "mine.toml").write_text("limits = []\n")
    tables = ("--throttle", str(tmp_path / "mine.toml"), "--live-throttle", "field")
    with serving(tmp_path / "data", *tables) as running:
        said = [running.facts[name] for name in ("throttle", "live_throttle")]
        assert said == ["mine", "field"]


@pytest.mark.parametrize(
    ("content", "reason"),
    [(None, "No such file or directory"), ("no certificate", "no certificate in PEM form")],
)
def test_authorities_of_webhooks_that_cannot_be_read_end_the_start(tmp_path, content, reason):
    # It started, and each webhook over TLS failed for thirty days.
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)

    done = subprocess.run(
        [*command_of(tmp_path / "data"), "--webhook-ca", str(file)], env=clean_environment(),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 2
    assert f"webhook-ca: expected a file of CA certificates, got {file}: {reason}" in done.stderr
    assert not (tmp_path / "data").exists()


def test_a_host_whose_name_is_not_known_ends_the_start(tmp_path):
    # It ended with "Unknown error -2".
    chosen = ("--host", "no.such.host.invalid", "--control-key", "0123456789abcdef")

    done = subprocess.run(
        [*command_of(tmp_path / "data"), *chosen], env=clean_environment(),
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert done.returncode == 1
    assert "no.such.host.invalid: expected an address of this machine" in done.stderr


def test_a_throttle_table_that_cannot_be_ends_the_start_with_what_was_expected(tmp_path):
    (tmp_path / "mine.toml").write_text('name = "mine"\nlimits = [{operation = "read_paymnt"}]\n')
    command = [*command_of(tmp_path / "data"), "--throttle", str(tmp_path / "mine.toml")]

    ended = subprocess.run(
        command, env=clean_environment(), capture_output=True, text=True, timeout=60
    )

    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
    assert "mine.toml: limits[0].operation: expected one of" in ended.stderr
    assert "nearest: read_payment" in ended.stderr


def test_the_control_key_opens_the_control_api(gateway):
    control = Control(gateway.facts["control_url"], gateway.facts["control_key"])

    assert control.create_sandbox()["id"]


BROKEN = [b"nonsense\r\n\r\n", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\nHost: a\r\n\r\n"]


@pytest.mark.parametrize("sent", BROKEN)
def test_bytes_that_are_no_request_are_answered_in_json_too(gateway, sent):
    host, port = urlsplit(gateway.facts["base_url"]).netloc.split(":")
    with socket.create_connection((host, int(port)), timeout=10) as peer:
        peer.sendall(sent)
        answer = b""
        while piece := peer.recv(65536):
            answer += piece

    body = json.loads(answer.partition(b"\r\n\r\n")[2])
    assert set(body) == {"result", "resultDetails", "buildNumber", "timestamp", "ndc"}
    assert body["result"]["code"]
    assert "request line" in body["resultDetails"]["ExtendedDescription"]


def test_a_folder_has_one_owner(gateway):
    data = Path(gateway.process.args[gateway.process.args.index("--data") + 1])

    second = subprocess.run(
        command_of(data), env=clean_environment(), capture_output=True, text=True, timeout=60
    )

    assert (second.returncode, second.stdout) == (1, "")
    assert str(data) in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize("option", ["--port", *OTHER_PORTS])
def test_a_port_that_is_taken_is_reported_with_its_option(gateway, tmp_path, option):
    port = urlsplit(gateway.facts["base_url"]).port
    data = ["--data", str(tmp_path / "data")]
    # Another than 0: that one alone would have all others free ones.
    plain = port if option == "--port" else free_port()
    given = ["--port", str(plain), *(f"{each}=0" for each in OTHER_PORTS), f"{option}={port}"]

    second = subprocess.run(
        [sys.executable, "-m", "simulator", "serve", *data, *given],
        env=clean_environment(), capture_output=True, text=True, timeout=60,
    )  # fmt: skip

    assert second.returncode == 1
    assert f"port {port}" in second.stderr
    assert f"choose another {option}, or --port 0" in second.stderr
    assert "Traceback" not in second.stderr


def test_credentials_and_payments_outlive_a_restart(tmp_path):
    with serving(tmp_path / "data") as first:
        taken = client_of(first).post("v1/payments", ORDER)
        kept = {name: first.facts[name] for name in ("token", "entity_id", "control_key")}
    with serving(tmp_path / "data") as second:
        assert {name: second.facts[name] for name in kept} == kept
        assert client_of(second).get(f"v1/payments/{taken.id}").code == "000.100.110"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_with_status_0(tmp_path, number):
    with serving(tmp_path / "data") as running:
        running.process.send_signal(number)

        assert running.process.wait(20) == 0


def test_where_tls_is_required_plain_requests_are_refused_and_the_rest_is_tls(tmp_path):
    with serving(tmp_path / "data", "--require-tls") as running:
        ca = tmp_path / "data" / "tls" / "ca.pem"
        refused = client_of(running).post("v1/payments", ORDER)
        secure = client_of(running, address="tls_url", ca=ca)
        taken, asked = (secure.post("v1/payments", each) for each in (ORDER, REDIRECTED))

        assert asked.at("redirect.url").startswith(running.facts["tls_url"])
        assert (refused.status, bool(refused.code)) == (400, True)
        assert taken.status == 200
        assert running.facts["live_url"].startswith("https://")
        assert running.facts["control_url"].startswith("https://")


def test_programs_find_a_gateway_that_requires_tls_by_its_variables(tmp_path):
    with serving(tmp_path / "data", "--require-tls") as running:
        ca = str(tmp_path / "data" / "tls" / "ca.pem")
        access = access_of(variables_of({**running.facts, "ca_file": ca}))
        sandbox = access.create_sandbox()

        assert access.url == running.facts["tls_url"]
        assert sandbox.pay("92.00").status == 200
        with scripted_terminal(sandbox, tmp_path / "terminal") as terminal:
            assert terminal.sale("9.20", tap="gold").ending.name == "APPROVED"
        access.delete_sandbox(sandbox)


EVERY_ADDRESS = ("--host", "0.0.0.0", "--control-key", "k" * 24)


@pytest.mark.parametrize("more", [(), ("--require-tls",)])
def test_on_every_address_each_that_is_shown_works(tmp_path, more):
    """No client can verify a certificate for 0.0.0.0, and on another machine it is that one."""
    ca = str(tmp_path / "data" / "tls" / "ca.pem")
    with serving(tmp_path / "data", *EVERY_ADDRESS, *more) as running:
        access = access_of(variables_of({**running.facts, "ca_file": ca}))
        asked = access.create_sandbox().merchant.post("v1/payments", REDIRECTED)
        shown = ("tls_url", "live_url") if more else ("base_url", "tls_url", "live_url")
        answers = [client_of(running, address=each, ca=ca).get("v1/x") for each in shown]
        shared = [url for url in [running.facts.get("shared_url")] if url]
        opened = [Client(url, "t", "e", ca_file=ca).get("console/sign-in") for url in shared]

        assert not [text for text in running.facts.values() if "0.0.0.0" in text]
        assert running.facts["console_url"].startswith("https://127.0.0.1:")
        assert "0.0.0.0" not in asked.at("redirect.url")
        assert [answer.status for answer in answers] == [404] * len(shown)
        assert len(opened) == bool(own_addresses("0.0.0.0"))
        assert all(page.status == 200 for page in opened)


def test_the_public_host_is_in_the_certificate(tmp_path):
    with serving(tmp_path / "data", "--public-url", "https://pay.example/") as running:
        address = urlsplit(running.facts["tls_url"])
        context = ssl.create_default_context(cafile=tmp_path / "data" / "tls" / "ca.pem")
        with (
            socket.create_connection((address.hostname, address.port), timeout=10) as plain,
            context.wrap_socket(plain, server_hostname="pay.example") as secure,
        ):
            assert secure.version() in ("TLSv1.2", "TLSv1.3")


def test_the_banner_shows_addresses_credentials_and_lines_to_paste(tmp_path):
    command = [part for part in command_of(tmp_path / "data") if part != "--ready-json"]
    with subprocess.Popen(
        command, env=clean_environment(), stdout=subprocess.PIPE, text=True
    ) as process:
        shown = []
        for line in process.stdout:
            shown.append(line)
            if line.startswith("export "):
                break
        process.terminate()

    text = "".join(shown)
    assert "Sandgate is ready" in text
    assert "ca.pem" in text
    assert sum(line.startswith("curl ") for line in shown) == 1
    exported = dict(pair.split("=", 1) for pair in shown[-1].split()[1:])
    assert exported["SANDGATE_TOKEN"].strip("'") in text


def test_a_log_for_machines_is_one_json_object_a_line(tmp_path):
    process = subprocess.Popen(
        [*command_of(tmp_path / "data"), "--log", "json"],
        env=clean_environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    with process:
        ready = json.loads(process.stdout.readline())
        with pytest.raises(urllib.error.HTTPError):
            urllib.request.urlopen(ready["base_url"] + "nothing")
        process.terminate()
        lines = process.stderr.read().splitlines()

    assert lines
    assert {"time", "level", "logger", "message"} <= set(json.loads(lines[-1]))
    assert ready["token"] not in "".join(lines)


def test_data_without_its_key_is_not_served(tmp_path):
    data = tmp_path / "data"
    with serving(data):
        pass
    (data / "vault.key").unlink()

    ended = subprocess.run(
        command_of(data), cwd=tmp_path, env=clean_environment(), capture_output=True, text=True
    )

    assert ended.returncode == 1
    assert "expected the key of the records that are there" in ended.stderr
    assert ended.stderr.rstrip().endswith("Put it back, or start with another data folder")
    assert "Traceback" not in ended.stderr
    assert not (data / "vault.key").exists()
