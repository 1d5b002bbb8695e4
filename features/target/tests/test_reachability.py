"""Before anything is judged: whether the target is there and takes what its file says."""

import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
import trustme

from features.target.reachability import (
    ListedEntity,
    ListedMerchant,
    ListedSandbox,
    UnreachableTargetError,
    demand_reachable,
    entities_of,
)
from features.target.records import ReceiverAddress, Target
from features.tests.minimal_gateway import TOKEN, GatewaySettings, minimal_gateway
from simulator.client import Answer, Connection
from simulator.client.ports import free_port
from simulator.client.processes import python, without_settings

KEY = "a-key-that-may-not-be-seen-987654"
SANDGATE = python("from simulator.__main__ import main; main()")


@pytest.fixture
def gateway() -> Iterator[GatewaySettings]:
    with minimal_gateway() as settings:
        settings.control_body = {"sandboxes": []}
        yield settings


def target_at(gateway: GatewaySettings) -> Target:
    return Target(
        gateway.url, TOKEN, "e" * 32, control_url=f"{gateway.url}control/", control_key=KEY
    )


@pytest.mark.parametrize("status", [200, 400, 404, 429, 500])
def test_a_gateway_is_reached_by_one_request_whatever_it_says_of_an_unknown_payment(
    gateway: GatewaySettings, status: int
) -> None:
    gateway.status = status
    demand_reachable(target_at(gateway))
    read, listed = gateway.paths
    assert read.startswith("/v1/payments/")
    assert read.endswith(f"?entityId={'e' * 32}")
    assert listed == "/control/sandboxes"


@pytest.mark.parametrize("status", [401, 403])
def test_a_token_that_is_refused_is_a_mistake_in_the_target_file(
    gateway: GatewaySettings, status: int
) -> None:
    gateway.status = status
    with pytest.raises(
        UnreachableTargetError, match=f"^token, entity_id: expected .+ status {status} "
    ):
        demand_reachable(target_at(gateway))


def test_an_entity_that_can_be_none_is_a_mistake_in_the_target_file(
    gateway: GatewaySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(name: str) -> None:
        errors = [{"name": name, "message": "must match ^[a-f0-9]{32}$"}]
        answer = Answer(400, {}, {"result": {"code": "200.300.404", "parameterErrors": errors}})
        monkeypatch.setattr(Connection, "ask", lambda *_, **__: answer)
        demand_reachable(replace(target_at(gateway), control_url=""))

    refuse("another")
    with pytest.raises(UnreachableTargetError, match="^token, entity_id: expected .+ status 400 "):
        refuse("entityId")


@pytest.mark.parametrize(
    ("status", "said"),
    [
        (401, "^control_key: expected credentials that the gateway at .+ accepts, got: status 401"),
        (403, "^control_key: expected credentials that the gateway at .+ accepts, got: status 403"),
        (404, "^control_url: expected a control API at .+, got: status 404"),
    ],
)
def test_a_control_api_that_refuses_is_a_mistake_in_the_target_file(
    gateway: GatewaySettings, status: int, said: str
) -> None:
    gateway.control_status = status
    gateway.control_body = {"result": {"code": "800.900.300", "description": f"no\n{KEY}"}}
    with pytest.raises(UnreachableTargetError, match=said) as error:
        demand_reachable(target_at(gateway))
    assert KEY not in str(error.value)
    assert "\n" not in str(error.value)


def test_a_sandbox_has_every_entity_that_a_payment_may_name() -> None:
    sandbox = ListedSandbox(
        "field",
        [ListedMerchant("m", [ListedEntity("c"), ListedEntity("d")]), ListedMerchant("n", [])],
    )
    assert entities_of(sandbox) == {"m", "c", "d", "n"}


def described(**variables: str) -> subprocess.CompletedProcess[str]:
    """What `sandgate target` says by these variables."""
    named = {"URL": "http://127.0.0.1/", "TOKEN": TOKEN, "ENTITY_ID": "e", **variables}
    environment = {f"SANDGATE_{name}": text for name, text in named.items()}
    return subprocess.run(
        [*SANDGATE, "target"], env={**without_settings(), **environment}, capture_output=True,
        text=True,
    )  # fmt: skip


def assert_error(ran: subprocess.CompletedProcess[str], said: str) -> None:
    assert (ran.returncode, ran.stdout) == (2, "")
    (line,) = ran.stderr.splitlines()
    assert said in line
    assert KEY not in line
    assert TOKEN not in line


@pytest.mark.parametrize(
    ("variables", "said"),
    [
        ({"CONTROL_KEY": f"{KEY}\n"}, "control_key: expected printable ASCII"),
        ({"CONTROL_URL": "http://[::1"}, "control_url: expected an address with a host"),
        ({"CONTROL_URL": "http://h:99999/"}, "control_url: expected an address with a host"),
        ({"CA_FILE": "/none.pem"}, "ca_file: expected a file of certificates at '/none.pem'"),
        ({"CA_FILE": "/\udce9.pem"}, r"SANDGATE_CA_FILE: expected a path in UTF-8"),
        ({"CA_FILE": __file__}, "ca_file: expected a file of certificates at '/"),
        ({"CONTROL_URL": "http://127.0.0.1:1/"}, "control_url: expected a gateway at http://127"),
    ],
)
def test_a_variable_that_is_wrong_ends_the_call_in_one_line(
    variables: Mapping[str, str], said: str
) -> None:
    ours = {"CONTROL_URL": "https://127.0.0.1:1/", "CONTROL_KEY": KEY}
    assert_error(described(**{**ours, **variables}), said)


@pytest.mark.parametrize("body", [[], [1], {"sandboxes": None}, {"sandboxes": [{}]}, None])
def test_what_is_no_control_api_ends_the_call_in_one_line(
    gateway: GatewaySettings, body: Any
) -> None:
    gateway.control_body = body
    ran = described(CONTROL_URL=f"{gateway.url}control/", CONTROL_KEY=KEY)
    assert_error(ran, "control_url: expected a control API at http://127.0.0.1")


def test_the_profile_of_a_target_is_that_of_its_sandbox(gateway: GatewaySettings) -> None:
    merchant = {"id": "m", "channels": [{"id": "e"}]}
    gateway.control_body = {"sandboxes": [{"profile": "field", "merchants": [merchant]}]}
    ran = described(CONTROL_URL=f"{gateway.url}control/", CONTROL_KEY=KEY)
    assert ran.returncode == 0, ran.stderr
    assert 'profile = "field"' in ran.stdout
    assert 'openapi_url = "http://127.0.0.1/openapi.json"' in ran.stdout


@pytest.mark.parametrize("listen", ["192.0.2.1:9000", "[2001:db8::1]:9000"])
def test_a_receiver_that_cannot_listen_is_a_mistake_in_the_target_file(
    gateway: GatewaySettings, listen: str
) -> None:
    target = Target(
        gateway.url, TOKEN, "e" * 32, offers=frozenset({"webhooks"}),
        receiver=ReceiverAddress(listen, "http://judge.example/", "0" * 64),
    )  # fmt: skip
    with pytest.raises(
        UnreachableTargetError, match=r"^receiver\.listen: expected a free address of "
    ):
        demand_reachable(target)


def test_a_receiver_whose_port_is_taken_is_a_mistake_in_the_target_file(
    gateway: GatewaySettings,
) -> None:
    with socket.create_server(("127.0.0.1", free_port())) as taken:
        listen = f"127.0.0.1:{taken.getsockname()[1]}"
        target = Target(
            gateway.url, TOKEN, "e" * 32, offers=frozenset({"webhooks"}),
            receiver=ReceiverAddress(listen, f"http://{listen}/", "0" * 64),
        )  # fmt: skip
        with pytest.raises(UnreachableTargetError, match="Address already in use"):
            demand_reachable(target)


@contextmanager
def listening_over_tls() -> Iterator[str]:
    """An address whose certificate an authority signed that no machine knows."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("127.0.0.1").configure_cert(context)
    server = HTTPServer(("127.0.0.1", 0), BaseHTTPRequestHandler)
    server.socket = context.wrap_socket(server.socket, server_side=True)
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    yield f"https://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


def test_where_the_authority_is_unknown_the_way_to_name_it_is_one_that_is_read() -> None:
    with listening_over_tls() as url:
        with pytest.raises(UnreachableTargetError) as gone:
            demand_reachable(Target(url, TOKEN, "e" * 32))
        ran = described(CONTROL_URL=url, CONTROL_KEY=KEY)

    assert "name the CA with ca_file in the target file" in str(gone.value)
    assert "--ca-file" not in str(gone.value)
    assert_error(ran, "name the CA with SANDGATE_CA_FILE. ")
