"""The schedule endpoints: what they take, what they answer, and what a year of one leaves."""

from urllib.parse import urlencode

import pytest
from falcon.testing import Result

from simulator.service.schedules import schedules
from simulator.tests.kit.gateway import FORM, Credentials, Gateway
from simulator.web.http import lists

SCHEDULES = "/scheduling/v1/schedules"
MONTHLY = {
    "paymentType": "DB",
    "amount": "9.99",
    "currency": "EUR",
    "merchantTransactionId": "subscription-7",
    "job.dayOfMonth": "05",
    "job.hour": "07",
}


class Shop:
    """A merchant with a stored card in a sandbox whose clock stands at noon."""

    def __init__(self, gateway: Gateway, **options: object):
        self.gateway = gateway
        clock = {"mode": "frozen", "at": "2026-11-20T12:00:00Z"}
        made = gateway.control("POST", "/sandboxes", {"clock": clock, **options}).json
        self.sandbox = made["id"]
        self.merchant = made["entities"]["merchants"][0]["id"]
        self.who = Credentials(made["token"], made["entity_id"])
        self.registration = gateway.post(who=self.who, createRegistration="true").json[
            "registrationId"
        ]

    def send(self, path: str = SCHEDULES, sent: dict | None = None, **more: str) -> Result:
        """A request with exactly these parameters and the entity."""
        whole = {"entityId": self.who.entity_id, **(sent or {}), **more}
        return self.gateway.send(path, whole, self.who)

    def schedule(self, path: str = SCHEDULES, **more: str) -> Result:
        """A monthly schedule on the stored card; None leaves a parameter out."""
        sent = {"registrationId": self.registration, **MONTHLY, **more}
        return self.send(path, {name: value for name, value in sent.items() if value is not None})

    def get(self, path: str, **query: str) -> Result:
        """A GET with the entity in its query."""
        return self._bare("GET", path, {"entityId": self.who.entity_id, **query})

    def delete(self, path: str) -> Result:
        """A DELETE with the entity in its query."""
        return self._bare("DELETE", path, {"entityId": self.who.entity_id})

    def advance(self, **how: str) -> dict:
        """The clock, moved."""
        path = f"/sandboxes/{self.sandbox}/clock/advance"
        return self.gateway.control("POST", path, how).json

    def _bare(self, method: str, path: str, query: dict) -> Result:
        return self.gateway.client.simulate_request(
            method,
            path,
            query_string=urlencode(query),
            headers={"Authorization": f"Bearer {self.who.token}", "Content-Type": FORM},
            extras={"sandgate.listener": self.who.listener},
        )


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def errors(answer: Result) -> list[str]:
    return [error["name"] for error in answer.json["result"]["parameterErrors"]]


def test_a_schedule_is_answered_with_its_plan(shop: Shop) -> None:
    answer = shop.schedule(**{"customParameters[shelf]": "B4", "job.name": "gym"})
    body = answer.json
    assert answer.status_code == 200
    assert body["result"]["code"] == "000.100.110"
    assert list(body)[:5] == ["id", "registrationId", "paymentType", "amount", "currency"]
    assert (body["paymentType"], body["registrationId"]) == ("SD", shop.registration)
    assert body["plan"] == {
        "active": True,
        "paymentType": "DB",
        "executions": 0,
        "nextExecution": "2026-12-05 07:00:00+0000",
    }
    assert body["job"] == {"name": "gym", "dayOfMonth": "05", "hour": "07"}
    assert body["customParameters"] == {"shelf": "B4"}
    assert body["merchantTransactionId"] == "subscription-7"
    assert body["source"] == "SCHEDULER"
    assert body["ndc"].startswith(shop.who.entity_id)
    read = shop.get(f"{SCHEDULES}/{body['id']}").json
    assert {**read, "ndc": "", "timestamp": ""} == {**body, "ndc": "", "timestamp": ""}


def test_the_journal_has_payments_of_a_schedule_in_their_order(shop: Shop) -> None:
    """Their exchange with the acquirer once waited for the exchange of a merchant, or a reader."""
    place = f"/sandboxes/{shop.sandbox}"
    shop.gateway.control("POST", f"{place}/webhooks", {"url": "inbox"})
    shop.schedule(**{"job.dayOfMonth": "*"})
    shop.advance(by="3d")
    shop.gateway.control("POST", f"{place}/drain", {})

    entries = shop.gateway.control("GET", f"{place}/journal").json["entries"]

    kinds = [each["kind"] for each in entries]
    at = [each["at"] for each in entries]
    assert at == sorted(at, reverse=at[0] > at[-1]), [*zip(at, kinds, strict=True)]
    assert kinds.count("webhook") >= 3
    assert sum(each not in ("webhook", "exchange") for each in kinds) >= 3


def test_a_year_of_a_monthly_job_passes_in_one_advance(shop: Shop) -> None:
    identity = shop.schedule().json["id"]
    shop.advance(by="365d")
    plan = shop.get(f"{SCHEDULES}/{identity}").json["plan"]
    assert plan["executions"] == 12
    assert plan["nextExecution"] == "2027-12-05 07:00:00+0000"
    last = plan["lastExecution"]
    assert (last["timestamp"], last["result"]["code"]) == (
        "2027-11-05 07:00:00+0000",
        "000.100.110",
    )
    payment = shop.gateway.read(last["id"], shop.who).json
    assert (payment["paymentType"], payment["amount"]) == ("DB", "9.99")
    assert payment["registrationId"] == shop.registration
    assert payment["standingInstruction"]["source"] == "MIT"


def test_rescheduling_and_descheduling_have_ids_of_their_own(shop: Shop) -> None:
    old = shop.schedule().json["id"]
    new = shop.send(f"{SCHEDULES}/{old}/reschedule", amount="19.99", currency="EUR").json
    assert (new["paymentType"], new["amount"], new["referencedId"]) == ("RS", "19.99", old)
    assert new["plan"]["active"] is True
    assert shop.get(f"{SCHEDULES}/{old}").json["plan"]["active"] is False
    ended = shop.send(f"{SCHEDULES}/{old}/deschedule").json
    assert (ended["paymentType"], ended["referencedId"]) == ("DS", new["id"])
    assert ended["id"] not in (old, new["id"])
    assert ended["plan"]["active"] is False
    again = shop.send(f"{SCHEDULES}/{new['id']}/deschedule")
    assert (again.status_code, again.json["result"]["code"]) == (400, "100.360.303")


@pytest.mark.parametrize("name", ["registrationId", "registrations[0].id"])
def test_a_reschedule_charges_the_same_account_in_profile_field_too(
    gateway: Gateway, name: str
) -> None:
    shop = Shop(gateway, profile="field")
    path = f"{SCHEDULES}/{shop.schedule().json['id']}/reschedule"
    assert errors(shop.send(path, {name: "8" * 32})) == [name]


def test_the_older_paths_do_the_same(shop: Shop) -> None:
    made = shop.schedule("/v1/schedules")
    assert made.json["paymentType"] == "SD"
    ended = shop.delete(f"/v1/schedules/{made.json['id']}")
    assert (ended.status_code, ended.json["paymentType"]) == (200, "DS")
    assert shop.get(f"{SCHEDULES}/{made.json['id']}").json["plan"]["active"] is False


def test_schedules_of_a_registration_are_listed(shop: Shop) -> None:
    made = [shop.schedule().json["id"] for _ in range(2)]
    for listed in (
        shop.get(f"{SCHEDULES}/{shop.registration}"),
        shop.get(SCHEDULES, registrationId=shop.registration),
    ):
        assert [each["id"] for each in listed.json["schedules"]] == made
        assert listed.json["result"]["code"] == "000.000.100"


def test_an_unknown_registration_is_refused(shop: Shop) -> None:
    unknown = {"registrationId": "8" * 32}
    for answer in (shop.schedule(**unknown), shop.get(SCHEDULES, **unknown)):
        assert (answer.status_code, answer.json["result"]["code"]) == (400, "100.150.200")
        assert "in the path" not in answer.text


def test_an_unknown_id_is_answered_as_unknown(shop: Shop) -> None:
    for answer in (
        shop.get(f"{SCHEDULES}/{'8' * 32}"),
        shop.send(f"{SCHEDULES}/{'8' * 32}/reschedule"),
        shop.send(f"{SCHEDULES}/{'8' * 32}/deschedule"),
        shop.delete(f"/v1/schedules/{'8' * 32}"),
    ):
        assert answer.status_code == 404


@pytest.mark.parametrize(
    ("wrong", "named"),
    [
        ({"registrationId": None}, ["registrationId"]),
        ({"amount": None}, ["amount"]),
        ({"paymentType": None}, ["paymentType"]),
        ({"paymentType": "SD"}, ["paymentType"]),
        ({"job.hour": "7"}, ["job.hour"]),
        ({"job.dayOfWeek": "2"}, ["job.dayOfWeek"]),
        ({"job.noticeNumber": "1"}, ["job.noticeUnit"]),
        ({"job.durationUnit": "DAY"}, ["job.durationNumber"]),
        ({"job.noticeCallable": "DURATION_END"}, ["job.durationNumber"]),
        ({"card.number": "4200000000000000"}, ["card.number"]),
    ],
)
def test_a_wrong_parameter_is_named(shop: Shop, wrong: dict, named: list[str]) -> None:
    answer = shop.schedule(**wrong)
    assert answer.status_code == 400
    assert errors(answer) == named


def test_a_time_outside_its_range_is_refused_in_both_profiles_and_no_hint_says_otherwise(
    shop: Shop, gateway: Gateway
) -> None:
    (error,) = shop.schedule(**{"job.hour": "24"}).json["result"]["parameterErrors"]
    in_field = Shop(gateway, profile="field").schedule(**{"job.hour": "24"})

    assert error["message"] == "must be 2-digit values, comma list, or *; values are 00 to 23"
    assert in_field.json["result"]["code"] == "100.250.121"


def test_profile_field_writes_single_fields_as_in_an_expression(gateway: Gateway) -> None:
    shop = Shop(gateway, profile="field")
    fields = {
        "job.second": "33",
        "job.minute": "43",
        "job.hour": "7",
        "job.dayOfMonth": "5",
        "job.month": "*",
        "job.dayOfWeek": "?",
        "job.year": "*",
        "job.startDate": "2017-06-29 00:00:00",
        "job.endDate": "2030-06-29 00:00:00",
    }
    made = shop.schedule(**fields).json
    assert made["plan"]["nextExecution"] == "2026-12-05 07:43:33+0000"
    assert errors(shop.schedule(**{**fields, "job.dayOfWeek": "2"})) == ["job.dayOfWeek"]


def test_an_expression_overrides_the_single_fields(shop: Shop) -> None:
    made = shop.schedule(**{"job.expression": "0 0 9 ? * MON-FRI"}).json
    assert made["plan"]["nextExecution"] == "2026-11-23 09:00:00+0000"


def test_a_slow_acquirer_does_not_hold_up_an_advance(shop: Shop) -> None:
    shop.gateway.control("POST", f"/sandboxes/{shop.sandbox}/scripts", {"behaviour": "slow"})
    identity = shop.schedule().json["id"]
    shop.advance(by="70d")
    plan = shop.get(f"{SCHEDULES}/{identity}").json["plan"]
    assert plan["executions"] == 2
    assert plan["lastExecution"]["result"]["code"] == "000.100.110"


def test_many_schedules_due_at_one_instant_are_all_made(shop: Shop) -> None:
    made = [shop.schedule().json["id"] for _ in range(30)]
    shop.advance(by="30d")
    plans = [shop.get(f"{SCHEDULES}/{each}").json["plan"] for each in made]
    assert {plan["executions"] for plan in plans} == {1}
    assert len({plan["lastExecution"]["id"] for plan in plans}) == 30


@pytest.mark.parametrize("mode", ["frozen", "offset"])
def test_a_drain_waits_for_all_that_a_jump_of_the_clock_made_due(shop: Shop, mode: str) -> None:
    daily = {"job.dayOfMonth": None, "job.hour": None, "job.expression": "0 0 7 * * ?"}
    identity = shop.schedule(**daily).json["id"]
    sandbox = f"/sandboxes/{shop.sandbox}"
    jump = {"mode": mode, "at": "2027-01-19T12:00:00Z"}
    assert shop.gateway.control("PUT", f"{sandbox}/clock", jump).status_code == 200
    drained = shop.gateway.control("POST", f"{sandbox}/drain", {"timeout": "20s"}).json
    assert drained == {"drained": True}
    assert shop.get(f"{SCHEDULES}/{identity}").json["plan"]["executions"] == 60


def test_a_live_schedule_succeeds_with_the_live_code(gateway: Gateway) -> None:
    registration = gateway.post(who=gateway.live, createRegistration="true").json["registrationId"]
    sent = {
        "entityId": gateway.live.entity_id,
        "registrationId": registration,
        **MONTHLY,
    }
    made = gateway.send(SCHEDULES, sent, gateway.live)
    assert made.json["result"]["code"] == "000.000.000"


def require_reference(shop: Shop) -> None:
    """The channel requires a merchantTransactionId from now on."""
    path = f"/sandboxes/{shop.sandbox}/merchants/{shop.merchant}/channels/{shop.who.entity_id}"
    asked = {"requires_merchant_transaction_id": True}
    assert shop.gateway.control("PATCH", path, asked).status_code == 200


REFERENCE = "merchantTransactionId"
NO_REFERENCE = {REFERENCE: None}
TWO = {"amount": "2.00", "currency": "EUR"}


def test_a_reference_that_the_channel_requires_is_required_of_a_schedule(shop: Shop) -> None:
    require_reference(shop)
    assert errors(shop.schedule(**NO_REFERENCE)) == ["merchantTransactionId"]
    refused = shop.schedule("/v1/schedules", **NO_REFERENCE)
    assert errors(refused) == ["merchantTransactionId"]
    made = shop.schedule()
    again = shop.send(f"{SCHEDULES}/{made.json['id']}/reschedule", TWO)
    assert again.status_code == 200, again.text


def test_a_reference_is_required_before_the_registration_is_looked_for(shop: Shop) -> None:
    before = shop.schedule(**NO_REFERENCE).json["id"]
    require_reference(shop)
    assert errors(shop.schedule(**NO_REFERENCE, registrationId="8" * 32)) == [REFERENCE]
    assert shop.delete(f"/v1/registrations/{shop.registration}").status_code == 200
    assert errors(shop.schedule(**NO_REFERENCE)) == [REFERENCE]
    assert errors(shop.send(f"{SCHEDULES}/{before}/reschedule", TWO)) == [REFERENCE]


def test_a_schedule_of_before_takes_a_required_reference_when_it_is_replaced(shop: Shop) -> None:
    path = f"{SCHEDULES}/{shop.schedule(**NO_REFERENCE).json['id']}/reschedule"
    require_reference(shop)
    assert errors(shop.send(path, TWO)) == ["merchantTransactionId"]
    assert shop.send(path, {**TWO, "merchantTransactionId": "order-0001"}).status_code == 200


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ({"recurringType": "INITIAL", "standingInstruction.mode": "REPEATED"}, "100.900.500"),
        ({"standingInstruction.mode": "REPEATED", "standingInstruction.expiry": "2026-11-19"},
         "600.200.501"),
    ],
)  # fmt: skip
def test_a_place_in_a_series_that_no_payment_could_have_is_refused(
    shop: Shop, place: dict, code: str
) -> None:
    assert shop.schedule(**place).json["result"]["code"] == code
    path = f"{SCHEDULES}/{shop.schedule().json['id']}/reschedule"
    assert shop.send(path, {**TWO, **place}).json["result"]["code"] == code


def test_a_list_goes_on_when_a_schedule_is_replaced(shop: Shop) -> None:
    items = {"cart.items[0].name": "a", "cart.items[1].name": "b"}
    path = f"{SCHEDULES}/{shop.schedule(**items).json['id']}/reschedule"

    assert errors(shop.send(path, {**TWO, "cart.items[3].name": "d"})) == ["cart.items[3].name"]
    new = shop.send(path, {**TWO, "cart.items[2].name": "c", "customParameters[one]": "1"}).json

    assert [each["name"] for each in new["cart"]["items"]] == ["a", "b", "c"]


def events_of(shop: Shop) -> list[tuple[str, str]]:
    """Action, and payment if any, of the SCHEDULE notifications that arrived."""
    sandbox = f"/sandboxes/{shop.sandbox}"
    shop.gateway.control("POST", f"{sandbox}/drain", {"timeout": "5s"})
    arrived = shop.gateway.control("GET", f"{sandbox}/inbox").json["arrived"]
    assert {each["type"] for each in arrived} == {"SCHEDULE"}
    return [(each["action"], each["payload"].get("referencedId", "")) for each in arrived]


def test_events_are_sent_when_a_schedule_is_made_executed_and_ended(gateway: Gateway) -> None:
    shop = Shop(gateway, profile="field", overrides={"D-82": "send"})
    hook = {"url": "inbox", "types": ["SCHEDULE"]}
    gateway.control("POST", f"/sandboxes/{shop.sandbox}/webhooks", hook)
    identity = shop.schedule(**{"job.noticeNumber": "14", "job.noticeUnit": "DAY"}).json["id"]
    shop.advance(by="20d")
    shop.send(f"{SCHEDULES}/{identity}/deschedule")
    payment = shop.get(f"{SCHEDULES}/{identity}").json["plan"]["lastExecution"]["id"]
    assert events_of(shop) == [("CREATED", ""), ("UPDATED", payment)]
    shop.advance(by="14d")
    assert events_of(shop)[2:] == [("DELETED", "")]


def test_a_registration_has_a_thousand_schedules_at_most(gateway: Gateway, monkeypatch) -> None:
    monkeypatch.setattr(schedules, "SCHEDULES_MAX", 3)
    shop = Shop(gateway)
    made = [shop.schedule().json["id"] for _ in range(3)]

    refused = (shop.schedule(), shop.send(f"{SCHEDULES}/{made[0]}/reschedule", MONTHLY))

    assert {each.json["result"]["code"] for each in refused} == {"700.500.001"}
    listed = shop.get(f"{SCHEDULES}/{shop.registration}").json
    assert [each["id"] for each in listed["schedules"]] == made


def test_a_long_list_comes_in_pieces_and_a_short_one_whole(gateway: Gateway, monkeypatch) -> None:
    shop = Shop(gateway)
    made = [shop.schedule().json["id"] for _ in range(5)]
    whole = shop.get(SCHEDULES, registrationId=shop.registration)
    monkeypatch.setattr(lists, "PIECE_BYTES", 400)
    pieces = shop.get(SCHEDULES, registrationId=shop.registration)

    assert "content-length" in whole.headers and "content-length" not in pieces.headers
    assert [each["id"] for each in whole.json["schedules"]] == made
    assert pieces.json["schedules"] == whole.json["schedules"]
    assert pieces.json["result"]["code"] == "000.000.100"
