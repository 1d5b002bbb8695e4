"""Three gateways of one fleet in this process: a request is carried out wherever it is sent."""

from collections.abc import Callable, Iterator
from io import BytesIO
from time import monotonic
from typing import Any
from urllib.parse import urlencode

import gevent
import psycopg
import pytest
from falcon.testing import Result

from simulator.adapters.fleet.giving import DRAIN_S
from simulator.adapters.fleet.internal import HAND_OVER, METRICS, ask_to_hand_over
from simulator.adapters.fleet.peers import KEY, PLACE, Peers
from simulator.adapters.store.engine import FleetPeer
from simulator.tests.adapters.fleet.fleets import MEMBERS, PEER_KEY, Fleet, start, stop
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.kit.gateway import FORM, ORDER, Credentials, Gateway

AT_ONCE = 12
DECLINE = "800.100.153"


def metric(gateway: Gateway, name: str) -> float:
    text = gateway.client.simulate_get("/_sandbox/metrics").text
    found = [line for line in text.splitlines() if line.startswith((f"{name} ", f"{name}{{"))]
    return sum(float(line.rpartition(" ")[2]) for line in found)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with running_cluster() as cluster:
        data, store = tmp_path_factory.mktemp("fleet"), cluster.create()
        members = [start(data, store) for _ in range(MEMBERS)]
        yield Fleet(members, store, data)
        for member in members:
            stop(member)


def test_all_members_have_one_default_sandbox(fleet: Fleet) -> None:
    assert len({gateway.merchant for gateway in fleet.gateways}) == 1


def test_a_payment_made_at_one_member_is_captured_and_read_at_another(fleet: Fleet) -> None:
    first, second, third = fleet.gateways
    authorized = first.post(paymentType="PA")
    assert authorized.status_code == 200
    captured = second.refer(authorized.json["id"], "CP", amount="10.00", currency="EUR")
    assert captured.status_code == 200
    read = third.read(authorized.json["id"])
    assert read.json["id"] == authorized.json["id"] and read.status_code == 200


def test_captures_through_every_member_never_exceed_what_is_open(fleet: Fleet) -> None:
    authorized = fleet.gateways[0].post(paymentType="PA", amount="92.00").json["id"]

    def capture(number: int) -> Result:
        gateway = fleet.gateways[number % MEMBERS]
        return gateway.refer(authorized, "CP", amount="10.00", currency="EUR")

    captures = [gevent.spawn(capture, number) for number in range(AT_ONCE)]
    gevent.joinall(captures, timeout=30)
    assert [each.value.status_code for each in captures].count(200) == 9


def test_a_sandbox_made_at_one_member_pays_at_another_at_once(fleet: Fleet) -> None:
    first, second, _ = fleet.gateways
    made = first.control("POST", "/sandboxes").json
    sent = {"entityId": made["entity_id"], "paymentType": "DB", "amount": "1.00"}
    who = second.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    assert second.post(who=who, **sent).status_code == 200


def test_a_script_that_counts_is_used_as_often_as_it_says_through_all(fleet: Fleet) -> None:
    first = fleet.gateways[0]
    made = first.control("POST", "/sandboxes").json
    script = {"behaviour": {"steps": {"acquirer": {"decline": {"code": DECLINE}}}}, "times": 4}
    armed = fleet.gateways[1].control("POST", f"/sandboxes/{made['id']}/scripts", script)
    assert armed.status_code == 201, armed.text
    who = first.merchant._replace(token=made["token"], entity_id=made["entity_id"])

    def pay(number: int) -> Result:
        return fleet.gateways[number % MEMBERS].post(who=who)

    payments = [gevent.spawn(pay, number) for number in range(AT_ONCE)]
    gevent.joinall(payments, timeout=30)
    codes = [each.value.json["result"]["code"] for each in payments]
    assert codes.count(DECLINE) == 4


def test_the_console_is_one_for_all_members(fleet: Fleet) -> None:
    first, second, third = fleet.gateways
    made = first.control("POST", "/people", {"name": "mara", "role": "trainer"})
    link = made.json["link"].partition("/console/")[2]
    for gateway in (second, third):
        page = gateway.client.simulate_get(f"/console/{link}", headers={"Host": "localhost"})
        assert page.status_code == 200, page.text


def test_a_reset_at_one_member_is_one_for_all(fleet: Fleet) -> None:
    first, second, third = fleet.gateways
    made = first.control("POST", "/sandboxes").json
    who = first.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    paid = first.post(who=who).json["id"]
    assert second.control("POST", f"/sandboxes/{made['id']}/reset").status_code == 200
    assert third.read(paid, who=who).status_code == 404
    assert third.control("DELETE", f"/sandboxes/{made['id']}").status_code in {200, 204}
    assert first.post(who=who).status_code == 403


def test_requests_at_other_members_leave_a_sandbox_and_its_journal_at_home(fleet: Fleet) -> None:
    first, second, third = fleet.gateways
    made = first.control("POST", "/sandboxes").json
    who = first.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    ndcs = [gateway.post(who=who).json["ndc"] for gateway in fleet.gateways]
    headers = {"Authorization": f"Bearer {made['token']}"}
    described = second.client.simulate_get("/openapi.json", headers=headers)
    assert described.status_code == 200
    for ndc in ndcs:
        found = third.control("GET", f"/sandboxes/{made['id']}/journal/{ndc}")
        assert found.status_code == 200, found.text


class Stream:
    """A body that is still being read."""

    def __init__(self, body: bytes):
        self._body = BytesIO(body)

    def read(self, size: int) -> bytes:
        return self._body.read(size)


def long_form(who: Credentials) -> bytes:
    """A payment that is not read before the application is called."""
    sent = {**ORDER, "entityId": who.entity_id}
    return urlencode(sent | {f"customParameters[K{n}]": "v" * 900 for n in range(60)}).encode()


def environ_of(path: str, who: Credentials, body: bytes, **more: object) -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "POST", "PATH_INFO": path, "QUERY_STRING": "", "SCRIPT_NAME": "",
        "SERVER_NAME": "127.0.0.1", "SERVER_PORT": "80", "SERVER_PROTOCOL": "HTTP/1.1",
        "wsgi.url_scheme": "http", "wsgi.errors": BytesIO(), "wsgi.input": Stream(body),
        "HTTP_HOST": "127.0.0.1", "HTTP_AUTHORIZATION": f"Bearer {who.token}", "CONTENT_TYPE": FORM,
        "CONTENT_LENGTH": str(len(body)), "sandgate.listener": "plain", "REMOTE_ADDR": "127.0.0.1",
        **more,
    }  # fmt: skip


def chunked(environ: dict[str, Any]) -> dict[str, Any]:
    del environ["CONTENT_LENGTH"]
    return {**environ, "HTTP_TRANSFER_ENCODING": "chunked", "wsgi.input_terminated": True}


# What a client may send that is not sent on as it stands.
UNUSUAL: dict[str, Callable[[Credentials], dict[str, Any]]] = {
    "a long body": lambda who: environ_of("/v1/payments", who, long_form(who)),
    "a long body in chunks": lambda who: chunked(environ_of("/v1/payments", who, long_form(who))),
    "two slashes": lambda who: environ_of("//v1/payments", who, long_form(who)),
    "a method in small letters": lambda who: environ_of(
        "/v1/payments", who, long_form(who), REQUEST_METHOD="post"
    ),
    "signs beyond ASCII": lambda who: environ_of(
        "/v1/payments", who, long_form(who), HTTP_USER_AGENT="\xe9\xff", QUERY_STRING="\xe9=\xff"
    ),
}


@pytest.mark.parametrize("unusual", UNUSUAL.values(), ids=UNUSUAL)
def test_an_unusual_request_at_another_member_leaves_the_sandbox_at_home(
    fleet: Fleet, unusual: Callable[[Credentials], dict[str, Any]]
) -> None:
    first, second, third = fleet.gateways
    made = first.control("POST", "/sandboxes").json
    who = first.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    ndc = first.post(who=who).json["ndc"]

    started: list[str] = []
    b"".join(second.member.gateway(unusual(who), lambda status, _: started.append(status)))
    alone: list[str] = []
    b"".join(first.member.gateway(unusual(who), lambda status, _: alone.append(status)))
    assert started == alone
    # The journal is in the memory of the home.
    found = third.control("GET", f"/sandboxes/{made['id']}/journal/{ndc}")
    assert found.status_code == 200, found.text


def test_a_sandbox_that_does_not_come_free_keeps_no_other_one_waiting(fleet: Fleet) -> None:
    first = fleet.gateways[0]
    busy, other = (first.control("POST", "/sandboxes").json["id"] for _ in range(2))
    in_flight = first.ports(busy).in_flight
    home = FleetPeer(0, f"http://127.0.0.1:{fleet.members[0].internal.server_port}/")
    in_flight.begin()
    asking = [gevent.spawn(ask_to_hand_over, Peers(PEER_KEY), home, busy, to=0) for _ in range(4)]
    gevent.sleep(0.1)
    began = monotonic()
    assert first.control("POST", f"/sandboxes/{other}/reset").status_code == 200
    assert monotonic() - began < DRAIN_S / 2
    assert not any(each.ready() for each in asking)
    in_flight.end()
    gevent.joinall(asking, timeout=30)


def test_every_member_shows_what_all_of_them_count(fleet: Fleet) -> None:
    for gateway in fleet.gateways:
        before = metric(gateway, "sandgate_payments_total")
        assert gateway.post().status_code == 200
        counted = [metric(each, "sandgate_payments_total") for each in fleet.gateways]
        assert counted == [before + 1] * MEMBERS
        assert metric(gateway, "sandgate_members") == MEMBERS


@pytest.mark.parametrize("path", [METRICS, f"{HAND_OVER}8a", "/_member", "/_member/other"])
def test_what_is_between_members_is_nothing_a_client_reaches(fleet: Fleet, path: str) -> None:
    forged = {
        "HTTP_X_SANDGATE_PEER": PEER_KEY, "HTTP_X_SANDGATE_LISTENER": "",
        "HTTP_X_SANDGATE_PLACE": "1", "wsgi.input": BytesIO(),
    }  # fmt: skip
    started: list[str] = []
    for gateway in fleet.gateways:
        for method in ("GET", "POST"):
            environ = environ_of(path, gateway.merchant, b"", **forged | {"REQUEST_METHOD": method})
            gateway.member.gateway(environ, lambda status, _: started.append(status))
    assert started == ["404 Not Found"] * MEMBERS * 2


@pytest.mark.parametrize("path", [METRICS, f"{HAND_OVER}8a", "/_member/other"])
def test_no_browser_of_the_acs_reaches_what_is_between_members(fleet: Fleet, path: str) -> None:
    acs, merchant = fleet.gateways[0].member.acs.application, fleet.gateways[0].merchant
    with psycopg.connect(fleet.store) as connection:
        numbers = connection.execute("select id from sandgate.members").fetchall()
    started: list[str] = []
    for (number,) in numbers:
        environ = environ_of(f"/members/{number}{path}", merchant, b"", REQUEST_METHOD="GET")
        acs(environ, lambda status, _: started.append(status))
    assert started == ["404 Not Found"] * MEMBERS


@pytest.mark.parametrize("key", ["", "another", PEER_KEY + "x"])
def test_the_internal_listener_refuses_what_has_not_the_key(fleet: Fleet, key: str) -> None:
    started: list[str] = []
    environ = {
        "REQUEST_METHOD": "POST", "PATH_INFO": "/_member/hand-over/8a", "wsgi.input": BytesIO(),
        "HTTP_X_SANDGATE_PEER": key, "HTTP_X_SANDGATE_PLACE": "1",
    }  # fmt: skip
    member = fleet.gateways[0].member
    answer = b"".join(member.internal(environ, lambda status, _: started.append(status)))
    assert started == ["403 Forbidden"] and PEER_KEY.encode() not in answer
    assert KEY.startswith("X-Sandgate-") and PLACE.startswith("X-Sandgate-")


def test_a_member_that_stops_leaves_its_sandboxes_to_the_others(fleet: Fleet) -> None:
    leaving = start(fleet.data, fleet.store)
    made = leaving.gateway.control("POST", "/sandboxes").json
    who = leaving.gateway.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    paid = leaving.gateway.post(who=who).json["id"]
    stop(leaving)
    for gateway in fleet.gateways:
        assert gateway.read(paid, who=who).status_code == 200
