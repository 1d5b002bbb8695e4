"""Calm sandboxes are served by any member; what steers one is done at its home alone, at once."""

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

import gevent
import msgspec
import pytest
from falcon.testing import Result

from simulator.adapters.fleet import beside
from simulator.adapters.fleet.calm_home import CalmRules
from simulator.adapters.postgresql.calm import OVER, CalmDatabase
from simulator.domain.chargebacks import Return
from simulator.domain.core.errors import HomeNeededError
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment
from simulator.domain.settlement.runs import SettlementRun, run_id
from simulator.domain.webhooks.records import Delivery, Endpoint, WebhookEvent
from simulator.tests.adapters.fleet.fleets import MEMBERS, Fleet, Member, start, stop
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.making import CARD, NOON
from simulator.tests.kit.sinks import Sink, status

DECLINE = "800.100.153"
WAIT_S_MAX = 20
ROUNDS = 60
JOINS = 20
A_DAY_S = 24 * 3600


class Calm(NamedTuple):
    """A sandbox with its home at the first member, which lets the others serve it."""

    fleet: Fleet
    identity: str
    who: Credentials

    @property
    def gateways(self) -> list[Gateway]:
        return self.fleet.gateways

    def pay(self, member: int, **more: str) -> Result:
        return self.gateways[member % MEMBERS].post(who=self.who, **more)

    def refer(self, member: int, payment: str, kind: str, amount: str) -> Result:
        sent = {"entityId": self.who.entity_id, "paymentType": kind}
        sent |= {"amount": amount, "currency": "EUR"}
        gateway = self.gateways[member % MEMBERS]
        return gateway.send(f"/v1/payments/{payment}", sent, self.who)

    def ask(self, member: int, method: str, path: str, **sent: str) -> Result:
        return self.gateways[member % MEMBERS].client.simulate_request(
            method,
            path,
            params={"entityId": self.who.entity_id, **sent},
            headers={"Authorization": f"Bearer {self.who.token}"},
        )

    def control(self, member: int, method: str, path: str, document: object = None) -> Result:
        whole = f"/sandboxes/{self.identity}{path}"
        answer = self.gateways[member % MEMBERS].control(method, whole, document)
        assert answer.status_code < 300, answer.text
        return answer

    def served(self, member: int) -> int:
        """How much a member has served beside homes."""
        return self.gateways[member % MEMBERS].member.beside.served

    def calm_down(self, *members: int) -> None:
        """Pay at these members, by default all but the home, until they do that beside it."""
        for member in members or range(1, MEMBERS):
            before = self.served(member)
            with gevent.Timeout(WAIT_S_MAX):
                while self.served(member) == before:
                    assert self.pay(member).status_code == 200
                    gevent.sleep(0.01)


def quick(member: Member) -> Member:
    """A member whose sandboxes are calm as soon as nothing steers them."""
    member.gateway.member.calm.rules = CalmRules(after_s=0.0, part=0.05)
    member.gateway.member.beside.ask_again_s = 0.0
    return member


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with running_cluster() as cluster:
        data, store = tmp_path_factory.mktemp("fleet"), cluster.create()
        members = [quick(start(data, store)) for _ in range(MEMBERS)]
        yield Fleet(members, store, data)
        for member in members:
            stop(member)


def a_sandbox(fleet: Fleet, **options: object) -> Calm:
    first = fleet.gateways[0]
    made = first.control("POST", "/sandboxes", options).json
    who = first.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    return Calm(fleet, made["id"], who)


def all_of(calls: list) -> list[Result]:
    """What calls at once answer."""
    running = [gevent.spawn(*each) for each in calls]
    gevent.joinall(running, timeout=WAIT_S_MAX)
    return [each.value for each in running]


def test_every_member_pays_captures_and_reads(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    before = [calm.served(member) for member in range(MEMBERS)]
    authorized = calm.pay(1, paymentType="PA").json["id"]
    assert calm.refer(2, authorized, "CP", "10.00").status_code == 200
    assert calm.refer(0, authorized, "CP", "10.00").status_code == 200
    for member in range(MEMBERS):
        assert calm.gateways[member].read(authorized, who=calm.who).status_code == 200
    assert [calm.served(member) - before[member] for member in range(MEMBERS)] == [0, 2, 2]


@pytest.mark.parametrize("idle_s", [60.0, 0.0], ids=["called back", "left before"])
def test_a_registration_that_was_removed_is_gone_from_what_members_noted(
    fleet: Fleet, idle_s: float
) -> None:
    calm, beside = a_sandbox(fleet, profile="specification"), fleet.gateways[1].member.beside
    made = {**CARD, "card.holder": "Jane Markholder", "merchantTransactionId": "order-one"}
    made["entityId"] = calm.who.entity_id
    registered = fleet.gateways[0].send("/v1/registrations", made, calm.who).json["id"]
    calm.calm_down()
    listed = calm.ask(1, "GET", "/v1/query", merchantTransactionId="order-one")
    assert "Markholder" in listed.text
    assert "Markholder" in calm.ask(1, "GET", f"/v1/query/{registered}").text
    assert calm.ask(0, "DELETE", f"/v1/registrations/{registered}").status_code == 200
    before, beside.idle_s = beside.idle_s, idle_s
    beside.look()
    gevent.sleep(0.2)
    beside.idle_s = before
    noted = calm.control(0, "GET", "/journal?limit=500")
    paths = [each.get("path", "") for each in noted.json["entries"]]
    assert len([each for each in paths if "/v1/query" in each]) == 2
    assert "Markholder" not in noted.text


@pytest.mark.parametrize("idle_s", [60.0, 0.0], ids=["joins at once", "leaves at once"])
def test_all_that_members_did_is_in_the_journal_of_the_home(fleet: Fleet, idle_s: float) -> None:
    calm, beside = a_sandbox(fleet), fleet.gateways[1].member.beside
    paid = []
    for _ in range(JOINS):
        gevent.sleep(0.02)
        paid += all_of([(calm.pay, 1) for _ in range(8)])
        before, beside.idle_s = beside.idle_s, idle_s
        beside.look()
        beside.idle_s = before
        noted = calm.control(0, "GET", "/journal?limit=500").json["entries"]
        missing = {each.json["ndc"] for each in paid} - {each["ndc"] for each in noted}
        assert not missing, len(missing)


def test_captures_at_once_through_all_never_exceed_what_is_open(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    authorized = calm.pay(1, paymentType="PA", amount="92.00").json["id"]
    before = calm.served(1) + calm.served(2)
    captures = all_of([(calm.refer, each, authorized, "CP", "10.00") for each in range(32)])
    assert Counter(each.status_code for each in captures) == {200: 9, 400: 23}
    assert calm.served(1) + calm.served(2) > before
    books = calm.control(0, "GET", "/books").json
    assert not books["differences"], books


def test_a_script_that_was_armed_is_used_by_the_next_payment_anywhere(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    script = {"behaviour": {"steps": {"acquirer": {"decline": {"code": DECLINE}}}}, "times": 1}
    wrong = []
    for number in range(ROUNDS):
        calm.calm_down(1)
        _, *paid = all_of(
            [
                (calm.control, number, "POST", "/scripts", script),
                *[(calm.pay, each) for each in range(MEMBERS)],
            ]
        )
        paid.append(calm.pay(1))
        codes = [each.json["result"]["code"] for each in paid]
        if codes.count(DECLINE) != 1:
            wrong.append((number, codes))
    assert not wrong


def test_a_clock_that_was_set_is_that_of_every_member(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    at = "2031-05-01T12:00:00Z"
    calm.control(2, "PUT", "/clock", {"mode": "frozen", "at": at})
    for member in range(MEMBERS):
        assert calm.pay(member).json["timestamp"].startswith("2031-05-01 12:00:00")
    paid = calm.served(1) + calm.served(2)
    calm.pay(1)
    assert calm.served(1) + calm.served(2) == paid


def test_the_home_is_alone_as_it_settles_a_bank_day(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    home = fleet.gateways[0].member.calm
    before, ports = calm.served(1), home._registry.runtime(calm.identity).ports
    with ports.settlement_files.turn("Sandgate Clearing"):
        home.rules = CalmRules(after_s=10.0, part=0.05)
        try:
            assert calm.pay(1).status_code == 200
        finally:
            home.rules = CalmRules(after_s=0.0, part=0.05)

    assert calm.served(1) == before


def test_no_member_takes_a_payment_in_a_bank_day_that_is_settled(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    ports = calm.gateways[0].ports(calm.identity)
    institute, today = ports.clearing.names[0], ports.clock.now().date()
    # The clock of its home is ahead of the others.
    run = SettlementRun(
        id=run_id(institute, today), institute=institute, day=today, state="delivered"
    )
    ports.store.commit(unit_of(run))
    calm.calm_down()

    before = calm.served(1)
    paid = calm.pay(1).json["id"]

    assert calm.served(1) == before + 1
    ends = ports.clearing.window(institute, today)[1]
    assert ports.store.get(Payment, paid).created_at >= ends


def test_what_members_stored_is_looked_for_where_it_was_passed_over(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    runtime = fleet.gateways[0].member.calm._registry.runtime(calm.identity)
    with runtime.scheduler.looking(0) as agenda:
        agenda.pass_over(Return)
        agenda.wait("x", Return(id="x", due=NOON, code="000.100.203"))

    runtime.take_up(())

    assert agenda.passed(Return) is None


def test_a_reset_is_one_for_all(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    paid = calm.pay(1).json["id"]
    calm.control(0, "POST", "/reset")
    assert calm.gateways[2].read(paid, who=calm.who).status_code == 404
    calm.calm_down()
    assert calm.gateways[1].read(paid, who=calm.who).status_code == 404


def test_the_journal_has_what_every_member_did_in_order(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    calm.control(0, "GET", "/journal")
    calm.calm_down()
    ndcs = [calm.pay(member).json["ndc"] for member in (1, 0, 2, 1, 2, 0)]
    refused = calm.pay(2, amount="1").json["ndc"]
    found = calm.control(1, "GET", "/journal?limit=7").json
    assert [each["ndc"] for each in found["entries"]][::-1] == [*ndcs, refused]
    for ndc in (*ndcs, refused):
        assert calm.control(2, "GET", f"/journal/{ndc}").json["ndc"] == ndc


@pytest.mark.parametrize("last", [0, 1])
def test_a_throttle_lets_exactly_its_limit_through_all(fleet: Fleet, last: int) -> None:
    limits = [{"operation": "*", "scope": "merchant", "limit": 200, "window_s": A_DAY_S}]
    calm = a_sandbox(fleet, throttle={"name": "narrow", "limits": limits})
    calm.calm_down()
    before = calm.served(1) + calm.served(2)
    paid = all_of([(calm.pay, each) for each in range(90)])
    assert calm.served(1) + calm.served(2) > before
    # What was lent to the others and not used goes to one of them.
    paid += [calm.pay(last) for _ in range(200)]
    assert {each.status_code for each in paid} == {200, 429}
    ports = calm.gateways[0].ports(calm.identity)
    assert ports.store.count(Payment) == 200
    (window,) = ports.throttles.open_windows(ports.clock.now())
    assert window.used == 200


def test_webhooks_of_every_member_come_once_and_in_order(fleet: Fleet) -> None:
    sink = Sink(lambda number: status(200))
    calm = a_sandbox(fleet)
    calm.control(0, "POST", "/webhooks", {"url": sink.url, "format": "json"})
    calm.calm_down()
    gevent.sleep(0.3)
    known = len(sink.requests)

    def order(number: int) -> list[str]:
        authorized = calm.pay(number, paymentType="PA").json["id"]
        captured = calm.refer(number + 1, authorized, "CP", "10.00").json["id"]
        return [authorized, captured]

    orders = all_of([(order, number) for number in range(30)])
    sink.wait(known + 60)
    came = [each.body.decode() for each in sink.requests[known:]]
    ids = Counter(each.headers["x-event-id"] for each in sink.requests[known:])
    assert len(ids) == 60 and set(ids.values()) == {1}
    for authorized, captured in orders:
        places = [
            next(place for place, body in enumerate(came) if f'"id":"{each}"' in body)
            for each in (authorized, captured)
        ]
        assert places == sorted(places)
    sink.server.stop()


def test_a_member_that_stops_leaves_its_part_of_the_journal(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    fourth = quick(start(fleet.data, fleet.store))
    with gevent.Timeout(WAIT_S_MAX):
        while not fourth.gateway.member.beside.served:
            ndc = fourth.gateway.post(who=calm.who).json["ndc"]
    stop(fourth)
    assert calm.control(1, "GET", f"/journal/{ndc}").json["ndc"] == ndc
    assert calm.pay(1).status_code == 200


def test_another_member_takes_over_where_the_home_of_a_calm_stops(fleet: Fleet) -> None:
    fourth = quick(start(fleet.data, fleet.store))
    made = fourth.gateway.control("POST", "/sandboxes").json
    who = fourth.gateway.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    calm = Calm(fleet, made["id"], who)
    calm.calm_down(0, 1, 2)
    authorized = calm.pay(1, paymentType="PA").json["id"]
    stop(fourth)
    captures = all_of([(calm.refer, each, authorized, "CP", "10.00") for each in range(12)])
    assert Counter(each.status_code for each in captures) == {200: 9, 400: 3}


def test_what_was_stored_and_not_handed_over_is_sent_after_the_calm(fleet: Fleet) -> None:
    sink = Sink(lambda number: status(200))
    calm = a_sandbox(fleet)
    calm.control(0, "POST", "/webhooks", {"url": sink.url, "format": "json"})
    calm.calm_down(1)
    gevent.sleep(0.3)
    known = len(sink.requests)
    ports = calm.gateways[1].member.beside.principal_of(calm.who.token).ports
    event = WebhookEvent(
        id="e", type="PAYMENT", payload=msgspec.Raw(b"{}"), created_at=ports.clock.now()
    )
    (endpoint,) = ports.store.find(Endpoint, "all", "yes")
    delivery = Delivery(
        id="d", event_id="e", endpoint=endpoint.id, under_way=True, began_at=event.created_at
    )
    gevent.spawn(ports.store.commit, unit_of(event, delivery)).get()
    calm.control(2, "GET", "/clock")
    sink.wait(known + 1)
    assert [each.headers["x-event-id"] for each in sink.requests[known:]] == ["e"]
    sink.server.stop()


def test_what_only_the_home_does_is_forwarded_as_if_it_was_not_tried(fleet: Fleet) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down()
    before, seen = calm.served(1), len(calm.control(0, "GET", "/journal").json["entries"])
    calm.calm_down(1)
    made = calm.pay(1, createRegistration="true")
    assert made.status_code == 200 and made.json["registrationId"]
    entries = calm.control(0, "GET", "/journal?limit=100").json["entries"]
    assert [each["ndc"] for each in entries].count(made.json["ndc"]) == 1
    assert seen < len(entries) and calm.served(1) > before


def the_calm_is_over(database: CalmDatabase) -> None:
    raise HomeNeededError(OVER)


@pytest.mark.parametrize(
    ("place", "name", "value"),
    [(beside, "LONG_ANSWER_BYTES", 10), (CalmDatabase, "end", the_calm_is_over)],
    ids=["it is long", "the calm ends"],
)
def test_a_report_that_is_left_to_the_home_stands_once_in_the_journal(
    fleet: Fleet, monkeypatch: pytest.MonkeyPatch, place: object, name: str, value: object
) -> None:
    calm = a_sandbox(fleet)
    calm.calm_down(1)
    paid, before = calm.pay(1).json["id"], calm.served(1)
    monkeypatch.setattr(place, name, value)
    answer = calm.gateways[1].read(paid, who=calm.who)
    assert answer.status_code == 200 and calm.served(1) == before
    entries = calm.control(0, "GET", "/journal?limit=100").json["entries"]
    read = [each["ndc"] for each in entries if each.get("path", "").endswith(paid)]
    assert read == [answer.json["ndc"]]
