"""Directory server and ACS where they are served: their listener, and the way of a result."""

import json
import urllib.request
from collections.abc import Iterator
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest

from acquirer_mocks.tests.bench import areq_of, creq_of, packed, unpacked
from acquirer_mocks.three_d_secure.building import sandbox_ports
from acquirer_mocks.three_d_secure.messages import erro
from simulator.domain.core.errors import EpochEndedError
from simulator.tests.kit.running import Serving, serving

MESSAGE = {"Content-Type": "application/json"}
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Accept": "text/html"}


@pytest.fixture(scope="module")
def gateway(tmp_path_factory) -> Iterator[Serving]:
    with serving(tmp_path_factory.mktemp("acs") / "data") as running:
        yield running


def post(url: str, body: bytes, headers: dict) -> tuple[int, bytes]:
    """Status and body of what a POST is answered."""
    request = urllib.request.Request(url, body, headers)
    try:
        with urllib.request.urlopen(request, timeout=20) as answer:
            return answer.status, answer.read()
    except HTTPError as error:
        return error.code, error.read()


def test_it_listens_on_a_port_of_its_own(gateway):
    ports = [urlsplit(gateway.facts[name]).port for name in ("acs_url", "base_url", "live_url")]
    assert len(set(ports)) == 3
    status, body = post(
        f"{gateway.facts['acs_url']}ds/lookup", b'{"acctNumber": "4200000000000042"}', MESSAGE
    )
    found = json.loads(body)
    assert (status, found["enrolled"]) == (200, True)
    assert found["threeDSMethodURL"] == f"{gateway.facts['acs_url']}acs/method"


def test_the_api_is_not_served_there_nor_the_acs_with_the_api(gateway):
    assert post(f"{gateway.facts['acs_url']}v1/payments", b"", FORM)[0] == 404
    assert post(f"{gateway.facts['base_url']}ds/lookup", b"{}", MESSAGE)[0] == 404


def test_a_challenge_leads_back_even_where_the_gateway_does_not_know_the_result(gateway):
    base = gateway.facts["base_url"]
    areq = areq_of(threeDSServerURL=f"{base}nowhere", notificationURL=f"{base}back")
    _, body = post(f"{gateway.facts['acs_url']}ds/areq", json.dumps(areq).encode(), MESSAGE)
    ares = json.loads(body)
    assert ares["transStatus"] == "C"
    assert ares["acsURL"].startswith(gateway.facts["acs_url"])
    _, page = post(ares["acsURL"], f"creq={packed(creq_of(ares))}".encode(), FORM)
    assert b"Corner Shop" in page
    _, answer = post(ares["acsURL"], b'{"action": "approve"}', MESSAGE)
    assert unpacked(json.loads(answer)["cres"])["transStatus"] == "Y"


def test_a_body_the_listener_stops_at_is_refused_by_the_directory_server(gateway):
    status, body = post(f"{gateway.facts['acs_url']}ds/areq", b" " * 100_000, MESSAGE)
    assert (status, json.loads(body)["errorCode"]) == (413, "101")


def test_only_the_key_of_a_sandbox_uses_up_its_scripts(gateway):
    server_key = {"Authorization": f"Bearer {gateway.facts['control_key']}", **MESSAGE}
    control = f"{gateway.facts['control_url']}sandboxes"
    made, other = (json.loads(post(control, b"{}", server_key)[1]) for _ in range(2))
    script = b'{"behaviour": {"steps": {"acs": "reject"}}, "times": 1}'
    assert post(f"{control}/{made['id']}/scripts", script, server_key)[0] == 201
    areq = areq_of("4200000000000026", threeDSServerURL=f"{gateway.facts['base_url']}nowhere")
    areq["messageExtension"][0]["data"]["sandbox"] = made["id"]

    def status_with(key: str) -> str:
        headers = {**MESSAGE, "Authorization": f"Bearer {key}"}
        _, body = post(f"{gateway.facts['acs_url']}ds/areq", json.dumps(areq).encode(), headers)
        return json.loads(body)["transStatus"]

    assert [status_with(key) for key in ("", "x", other["control_key"])] == ["Y"] * 3
    assert [status_with(made["control_key"]) for _ in range(2)] == ["R", "Y"]


@pytest.mark.parametrize("identity", ["", "a" * 32])
def test_a_sandbox_that_is_not_there_has_no_scripts(identity):
    assert sandbox_ports(Registry(), identity) is None


def test_a_sandbox_that_is_deleted_meanwhile_has_none_either():
    assert sandbox_ports(Registry(known="b"), "b") is None


def test_an_erro_needs_no_message():
    from acquirer_mocks.three_d_secure.messages import MessageRefusedError
    from simulator.derive.schemas.three_d_secure import Wrong

    assert erro(MessageRefusedError(Wrong("101", "x")))["messageVersion"] == "2.2.0"


class Registry:
    """A registry whose sandboxes are all deleted."""

    def __init__(self, known: str = ""):
        self._known = known

    def sandbox(self, identity: str) -> object | None:
        """A sandbox, where it is known."""
        return identity if identity == self._known else None

    def ports(self, identity: str) -> None:
        """Gone."""
        raise EpochEndedError(identity)
