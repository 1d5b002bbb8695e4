"""A member that stops: the others have its sandboxes before it has ended; nothing is refused."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from json import loads
from pathlib import Path
from urllib.parse import urlencode

import gevent
import pytest

from simulator.adapters.fleet.calm_home import CalmHome
from simulator.adapters.fleet.giving import STOP_DRAIN_S
from simulator.adapters.fleet.home_application import PLACE_KEY, HomeApplication
from simulator.adapters.postgresql.homes import Homes
from simulator.adapters.sandboxes.hand_over import HandOverSteps
from simulator.adapters.store.engine import ServedElsewhereError
from simulator.client import GatewayAccess
from simulator.client.sandbox import SandboxClient
from simulator.domain.core.errors import EpochEndedError
from simulator.domain.core.ports import unit_of
from simulator.tests.adapters.fleet.fleets import Member, start, stop
from simulator.tests.adapters.fleet.test_forwarding import environ_of
from simulator.tests.adapters.fleet.test_upgrade import access_to, at
from simulator.tests.adapters.webhooks.parcels import a_parcel
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.running import serving

APPROVED = "000.100.110"
WAIT_S_MAX = 20.0
LONG, REPORTED = {f"customParameters[note{n}]": "v" * 900 for n in range(8)}, 12
PENDING = {"behaviour": "pending-then-approved"}


@contextmanager
def members(count: int, data: Path, store: str, idle: float = 0) -> Iterator[list[Member]]:
    running = [start(data, store, idle=idle) for _ in range(count)]
    yield running
    for member in running:
        stop(member)


def made_at(gateway: Gateway, **options: object) -> tuple[str, Credentials]:
    made = gateway.control("POST", "/sandboxes", options).json
    return made["id"], gateway.merchant._replace(token=made["token"], entity_id=made["entity_id"])


def period() -> dict[str, str]:
    today = datetime.now(UTC).date()
    return {"date.from": f"{today - timedelta(1)}", "date.to": f"{today + timedelta(1)}"}


def homes_of(member: Member) -> Homes:
    return member.gateway.member.beside._parts.homes


def test_its_sandboxes_are_paid_at_the_others_while_its_last_requests_run(
    address: str, tmp_path: Path
) -> None:
    options = ("--store", address, "--peer-key", "the-key-of-the-fleet-of-tests")
    data = tmp_path / "data"
    with serving(data, *options) as stopping, serving(data, *options) as other:
        shop: SandboxClient = access_to(stopping).create_sandbox()
        access: GatewayAccess = access_to(stopping)
        host, port = access.url.removeprefix("http://").rstrip("/").split(":")
        elsewhere = at(shop, other)
        assert elsewhere.pay("1.00").code == APPROVED
        with socket.create_connection((host, int(port))) as unfinished:
            unfinished.sendall(b"GET / HTTP/1.1\r\n")
            shop.pay("1.00")
            stopping.process.terminate()
            codes = {elsewhere.pay("1.00").code for _ in range(20)}
            assert stopping.process.poll() is None
        assert codes == {APPROVED}
        assert stopping.process.wait(WAIT_S_MAX) == 0


def test_a_sandbox_goes_once_no_request_for_it_is_under_way(address: str, tmp_path: Path) -> None:
    with members(2, tmp_path, address) as (first, second):
        busy, who = made_at(first.gateway)
        free, _ = made_at(first.gateway)
        in_flight = first.gateway.ports(busy).in_flight
        in_flight.begin()
        leaving = gevent.spawn(first.gateway.member.leave)
        with gevent.Timeout(WAIT_S_MAX):
            while homes_of(first).own != [busy]:
                gevent.sleep(0.01)
            # Let go, the other one is only just being stored as free.
            while homes_of(second).home_of(free) is not None:
                gevent.sleep(0.01)
            # It is served meanwhile, at its home.
            assert second.gateway.post(who=who).status_code == 200
            assert not leaving.ready()
            in_flight.end()
            leaving.get()
        assert homes_of(second).home_of(busy) is None
        assert second.gateway.post(who=who).status_code == 200


def test_requests_at_every_member_are_answered_while_it_hands_over(
    address: str, tmp_path: Path
) -> None:
    with members(3, tmp_path, address) as running:
        made = [made_at(running[0].gateway) for _ in range(6)]
        over, statuses = [], []

        def shop(number: int) -> None:
            while not over:
                gateway = running[number % 3].gateway
                paid = gateway.post(who=made[number][1])
                statuses.append(paid.status_code)
                read = gateway.control("GET", f"/sandboxes/{made[number][0]}/journal")
                statuses.append(read.status_code)

        shoppers = [gevent.spawn(shop, number) for number in range(6)]
        gevent.sleep(0.2)
        running[0].gateway.member.leave()
        gevent.sleep(0.2)
        over.append(True)
        gevent.joinall(shoppers, timeout=WAIT_S_MAX)
        assert set(statuses) == {200}
        assert homes_of(running[0]).own == []


def test_a_report_is_sent_whole_before_its_sandbox_goes(address: str, tmp_path: Path) -> None:
    with members(2, tmp_path, address) as (first, _):
        identity, who = made_at(first.gateway)
        ids = [first.gateway.post(who=who, **LONG).json["id"] for _ in range(REPORTED)]
        query = urlencode({"entityId": who.entity_id, "limit": 500, **period()})
        asked = {"REQUEST_METHOD": "GET", "QUERY_STRING": query}
        environ = environ_of("/v1/query", who, b"", **asked)
        report = first.gateway.member.gateway(environ, lambda *_: None)
        pieces = iter(report)
        body = next(pieces)
        leaving = gevent.spawn(first.gateway.member.leave)
        gevent.sleep(3 * STOP_DRAIN_S)
        while_sent = homes_of(first).own
        body += b"".join(pieces)
        report.close()
        leaving.get(timeout=WAIT_S_MAX)

        assert identity in while_sent and homes_of(first).own == []
        assert {each["id"] for each in loads(body)["payments"]} == {*ids}


def test_its_former_home_stores_nothing_and_takes_nothing(address: str, tmp_path: Path) -> None:
    with members(2, tmp_path, address) as (first, second):
        identity, who = made_at(first.gateway)
        store = first.gateway.ports(identity).store
        first.gateway.member.leave()

        with pytest.raises(EpochEndedError):
            store.commit(unit_of(a_parcel("late", 0)))
        paid = first.gateway.post(who=who)
        assert paid.status_code == 200
        assert homes_of(second).home_of(identity) is None
        assert homes_of(first).take_free() == []
        with pytest.raises(ServedElsewhereError):
            first.gateway.ports(identity)
        assert second.gateway.read(paid.json["id"], who=who).status_code == 200


def test_a_sandbox_that_rests_leaves_nothing_at_the_home_that_gives_it_away(
    address: str, tmp_path: Path
) -> None:
    limit = {"operation": "create_payment", "scope": "merchant", "limit": 2, "window_s": 60}
    with members(2, tmp_path, address, idle=0.2) as (first, second):
        identity, who = made_at(first.gateway, throttle={"name": "two", "limits": [limit]})
        path = f"/sandboxes/{identity}"
        assert first.gateway.control("POST", f"{path}/scripts", PENDING).status_code == 201
        ndc = first.gateway.post(who=who).json["ndc"]
        registry = first.gateway.member.beside._parts.registry
        with gevent.Timeout(WAIT_S_MAX):
            while identity in registry._loaded:
                gevent.sleep(0.01)
        homes_of(second).take(identity)
        due = len(registry._unloader._timer)
        changed = second.gateway.control("PUT", f"{path}/throttle", {"throttle": "off"})
        assert changed.status_code == 200, changed.text
        homes_of(first).take(identity)

        throttle = first.gateway.control("GET", f"{path}/throttle").json["throttle"]
        entry = first.gateway.control("GET", f"{path}/journal/{ndc}")
        assert (due, throttle["name"], entry.status_code) == (0, "off", 404)


@pytest.mark.parametrize("count", [1, 2])
def test_members_that_all_stop_serve_to_the_end(count: int, address: str, tmp_path: Path) -> None:
    with members(count, tmp_path, address) as running:
        made = [made_at(member.gateway) for member in running]
        leaving = [gevent.spawn(member.gateway.member.leave) for member in running]
        gevent.joinall(leaving, timeout=WAIT_S_MAX, raise_error=True)
        for _, who in made:
            statuses = [member.gateway.post(who=who).status_code for member in running]
            assert statuses == [200] * count


def test_a_request_is_under_way_before_its_sandbox_is_in_memory() -> None:
    seen: list[int] = []

    def application(environ: dict, start_response: object) -> list[bytes]:
        steps = HandOverSteps(lambda: home.under_way["8a"], lambda: None, lambda: None)
        seen.append(home.under_way["8a"])
        assert not steps.is_drained(None, 0.0)
        return []

    calm = CalmHome(None, None, None)
    home = HomeApplication(application, calm, lambda: b"")
    home({PLACE_KEY: "8a", "PATH_INFO": "/v1/payments"}, None)
    home({PLACE_KEY: "8a", "PATH_INFO": "/_sandbox/v1/sandboxes/8a"}, None)
    assert seen == [1, 1] and not home.under_way


def test_a_request_is_under_way_until_the_last_piece_of_its_answer() -> None:
    closed: list[bool] = []

    def application(environ: dict, start_response: object) -> Iterator[bytes]:
        try:
            yield b"one"
            yield b"two"
        finally:
            closed.append(True)

    home = HomeApplication(application, CalmHome(None, None, None), lambda: b"")
    for taken in range(3):
        pieces = home({PLACE_KEY: "8a", "PATH_INFO": "/v1/query"}, None)
        got = [each for _, each in zip(range(taken), pieces, strict=False)]
        assert got == [b"one", b"two"][:taken] and home.under_way == {"8a": 1}
        pieces.close()
        assert not home.under_way
    # A generator that was never begun has nothing to end.
    assert len(closed) == 2
