"""Merchants, channels and tokens after a sandbox was made; what is under way goes on."""

import gevent
import pytest

from simulator.tests.kit.gateway import Credentials, Gateway

RISK_CHECK = "risk-amount"
UNKNOWN = "8" + "0" * 31


class EntitySandbox:
    """A sandbox over the control API, and its first merchant."""

    def __init__(self, gateway: Gateway, **options: object):
        self.gateway = gateway
        self.made = gateway.control("POST", "/sandboxes", options).json
        self.merchant = self.made["entities"]["merchants"][0]
        self.who = Credentials(self.made["token"], self.made["entity_id"])

    def ask(self, method: str, path: str, document: object = None):
        """A call about this sandbox."""
        return self.gateway.control(method, f"/sandboxes/{self.made['id']}{path}", document)

    def ask_merchant(self, method: str, path: str = "", document: object = None):
        """A call about its first merchant."""
        return self.ask(method, f"/merchants/{self.merchant['id']}{path}", document)

    def pay(self, token: str | None = None, entity: str | None = None, **sent: str):
        """A payment."""
        who = Credentials(token or self.who.token, entity or self.who.entity_id)
        return self.gateway.post(who=who, **sent)


@pytest.fixture
def sandbox(gateway: Gateway) -> EntitySandbox:
    """A sandbox of its own."""
    return EntitySandbox(gateway)


def test_a_merchant_that_is_added_pays_with_its_own_token_alone(sandbox: EntitySandbox) -> None:
    paid = sandbox.pay().json["id"]

    added = sandbox.ask("POST", "/merchants", {"name": "Second", "channels": [{"name": "Till"}]})

    who = Credentials(added.json["token"], added.json["channels"][0]["id"])
    assert added.status_code == 201
    assert sandbox.gateway.post(who=who).status_code == 200
    assert sandbox.gateway.read(paid, who).status_code == 404
    assert [each["name"] for each in sandbox.ask("GET", "/merchants").json["merchants"]] == [
        sandbox.merchant["name"], "Second",
    ]  # fmt: skip


def test_a_channel_that_is_added_takes_payments_at_once(sandbox: EntitySandbox) -> None:
    channel = sandbox.ask_merchant("POST", "/channels", {"currencies": ["GBP"]}).json

    assert sandbox.pay(entity=channel["id"], currency="GBP").status_code == 200
    assert sandbox.pay(entity=channel["id"]).json["result"]["code"] == "600.200.500"


def test_a_channel_changes_where_a_change_is_sent_and_nowhere_else(sandbox: EntitySandbox) -> None:
    first = sandbox.merchant["channels"][0]
    path = f"/channels/{first['id']}"

    changed = sandbox.ask_merchant(
        "PATCH", path, {"brands": ["MASTER"], "three_d_secure": {"VISA": "2.2.0"}}
    )

    assert changed.json == {**first, "brands": ["MASTER"], "three_d_secure": {"VISA": "2.2.0"}}
    assert sandbox.pay().json["result"]["code"] == "600.200.201"
    assert sandbox.ask_merchant("GET", path).json == changed.json
    sandbox.ask_merchant("PATCH", path, {"brands": [], "three_d_secure": {}})
    assert sandbox.pay().status_code == 200


REFERENCES = [
    ("PA", "CP", "000.100.110"),
    ("PA", "RV", "000.100.110"),
    ("DB", "RF", "000.100.110"),
    ("DB", "CB", "000.100.200"),
    # A rebill is a new charge, which the channel no longer takes.
    ("DB", "RB", "600.200.500"),
]


@pytest.mark.parametrize(("kind", "refers", "code"), REFERENCES)
def test_what_refers_to_a_payment_of_before_keeps_to_its_currency(
    sandbox: EntitySandbox, kind: str, refers: str, code: str
) -> None:
    paid = sandbox.pay(paymentType=kind).json["id"]
    channel = sandbox.merchant["channels"][0]["id"]
    changed = sandbox.ask_merchant("PATCH", f"/channels/{channel}", {"currencies": ["USD"]})
    assert changed.status_code == 200
    assert sandbox.pay().json["result"]["code"] == "600.200.500"
    sent = {"entityId": sandbox.who.entity_id, "paymentType": refers}
    sent |= {} if refers == "RV" else {"amount": "9.00", "currency": "EUR"}
    answer = sandbox.gateway.send(f"/v1/payments/{paid}", sent, sandbox.who)
    assert answer.json["result"]["code"] == code
    sent |= {"amount": "9.00", "currency": "USD"}
    refused = sandbox.gateway.send(f"/v1/payments/{paid}", sent, sandbox.who)
    assert refused.status_code == 400


def test_what_is_under_way_goes_on_while_entities_change(sandbox: EntitySandbox) -> None:
    late = {"name": "late", "title": "Late", "description": "A while.", "steps": {
        "acquirer": {"latency": {"fixed": {"seconds": 0.2}}, "approve": {}}}}  # fmt: skip
    sandbox.ask("POST", "/scripts", {"behaviour": late})
    paying = gevent.spawn(sandbox.pay)
    gevent.sleep(0.05)

    sandbox.ask_merchant("PATCH", "", {"name": "Renamed"})

    assert paying.get(timeout=5).status_code == 200
    assert sandbox.ask_merchant("GET").json["name"] == "Renamed"


def test_changes_at_once_are_all_kept(sandbox: EntitySandbox) -> None:
    tasks = [
        gevent.spawn(sandbox.ask_merchant, "POST", "/channels", {"name": f"C{n}"})
        for n in range(10)
    ]
    gevent.joinall(tasks)

    names = {each["name"] for each in sandbox.ask_merchant("GET").json["channels"]}

    assert {f"C{n}" for n in range(10)} < names


def test_tokens_are_listed_without_their_values(sandbox: EntitySandbox) -> None:
    issued = sandbox.ask_merchant("POST", "/tokens", {"alias": "till"}).json
    listed = sandbox.ask_merchant("GET", "/tokens").json["tokens"]

    assert [(each["host"], each["state"]) for each in listed] == [
        ("test", "active"), ("live", "active"), ("test", "active"),
    ]  # fmt: skip
    assert listed[2] == {name: issued[name] for name in issued if name != "token"}
    assert issued["last_digits"] == issued["token"][-4:]
    assert issued["token"] not in sandbox.ask("GET", "").text
    assert sandbox.pay(issued["token"]).status_code == 200


def test_a_suspended_token_opens_nothing_until_it_is_activated(sandbox: EntitySandbox) -> None:
    issued = sandbox.ask_merchant("POST", "/tokens", {}).json
    path = f"/tokens/{issued['id']}"

    assert sandbox.ask_merchant("POST", f"{path}/suspend").json["state"] == "suspended"
    assert sandbox.pay(issued["token"]).status_code == 403
    assert sandbox.pay().status_code == 200
    assert sandbox.ask_merchant("POST", f"{path}/activate").json["state"] == "active"
    assert sandbox.pay(issued["token"]).status_code == 200


def test_a_rotated_token_ends_and_its_successor_keeps_alias_and_host(
    sandbox: EntitySandbox,
) -> None:
    old = sandbox.ask_merchant("POST", "/tokens", {"alias": "shop", "host": "live"}).json

    new = sandbox.ask_merchant("POST", f"/tokens/{old['id']}/rotate").json

    assert (new["alias"], new["host"], new["state"]) == ("shop", "live", "active")
    assert new["token"] != old["token"]
    ids = [each["id"] for each in sandbox.ask_merchant("GET", "/tokens").json["tokens"]]
    assert new["id"] in ids and old["id"] not in ids
    assert sandbox.ask_merchant("POST", f"/tokens/{old['id']}/rotate").status_code == 404


def test_the_printed_token_is_one_that_works(sandbox: EntitySandbox) -> None:
    first = sandbox.ask_merchant("GET", "/tokens").json["tokens"][0]["id"]

    rotated = sandbox.ask_merchant("POST", f"/tokens/{first}/rotate").json["token"]

    assert sandbox.pay(sandbox.who.token).status_code == 403
    assert sandbox.pay(rotated).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "document", "where"),
    [
        ("POST", "/merchants", {"name": ""}, "name"),
        ("POST", "/merchants", {"nme": "x"}, "nme"),
        ("POST", "/merchants", {"channels": []}, "channels"),
        ("POST", "/merchants", {"channels": [{"cvv": "never"}]}, "channels[0].cvv"),
        ("POST", "/merchants", {"channels": [{"brands": ["VISAA"]}]}, "channels[0].brands"),
        ("POST", "/merchants", {"channels": [{"default_behaviour": "no"}]},
         "channels[0].default_behaviour"),
        ("POST", "/merchants", {"dispatching": [{"channel": "none"}]}, "dispatching[0].channel"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "brands": ["X"]}]},
         "dispatching[0].brands"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "brand": "VISA"}]},
         "dispatching[0].brand"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "amount_min": "-1"}]},
         "dispatching[0].amount_min"),
        *(("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "amount_max": amount}]},
           "dispatching[0].amount_max")
          for amount in ("1E+30000", "1E-30000", "0E-30000", "1" + "0" * 30_000, "1." + "0" * 30)),
        ("PATCH", "{m}",
         {"dispatching": [{"channel": "{c}", "amount_min": "2", "amount_max": "1"}]},
         "dispatching[0].amount_max"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "recurring": "often"}]},
         "dispatching[0].recurring"),
        ("POST", "{m}/channels", {"currencies": ["XXZ"]}, "currencies"),
        ("POST", "{m}/channels", {"clearing_institute": "Nope"}, "clearing_institute"),
        ("PATCH", "{m}/channels/{c}", {"clearing_institute": "sandgate bank"},
         "clearing_institute"),
        ("PATCH", "{m}/channels/{c}", {"clearing_institute": ""}, "clearing_institute"),
        ("POST", "{m}/channels", {"three_d_secure": {"VISA": "3"}}, "three_d_secure"),
        ("POST", "{m}/channels", {"three_d_secure": {"VISA": "2.3.1"}}, "three_d_secure"),
        ("POST", "{m}/channels", {"three_d_secure": {"UNKNOWN": "2.2.0"}}, "three_d_secure"),
        ("POST", "{m}/channels", {"brands": ["VISA", "AMEX", "VISA"]}, "brands"),
        ("POST", "{m}/channels", {"currencies": ["EUR", "EUR"]}, "currencies"),
        ("POST", "{m}/channels", {"risk": [RISK_CHECK] * 2}, "risk"),
        ("POST", "{m}/channels", {"screening": [RISK_CHECK] * 2}, "screening"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "countries": ["DE", "DE"]}]},
         "dispatching[0].countries"),
        ("PATCH", "{m}/channels/{c}", {"form_brands": [{"brands": ["VISA", "VISA"]}]},
         "form_brands[0].brands"),
        ("PATCH", "{m}/channels/{c}", {"id": "8"}, "id"),
        ("PATCH", "{m}/channels/{c}", {"colour": "red"}, "colour"),
        ("PATCH", "{m}/channels/{c}", {"name": ""}, "name"),
        ("PATCH", "{m}/channels/{c}", {"name": "a\r\nb"}, "name"),
        ("POST", "{m}/channels", {"name": "\x1b[2J"}, "name"),
        ("PATCH", "{m}", {"name": "\x00"}, "name"),
        ("POST", "/merchants", {"name": "\u202ex"}, "name"),
        ("POST", "/merchants", {"channels": [{"name": "\u2028"}]}, "channels[0].name"),
        ("PATCH", "{m}/channels/{c}",
         {"form_brands": [{"brands": ["VISA"], "risk_profiles": ["\x07"]}]},
         "form_brands[0].risk_profiles"),
        ("POST", "{m}/tokens", {"alias": "\x9b31m"}, "alias"),
        ("POST", "{m}/tokens", {"host": "other"}, "host"),
        ("POST", "{m}/tokens", {"alias": "x" * 65}, "alias"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_says_what_was_expected(
    sandbox: EntitySandbox, method: str, path: str, document: dict, where: str
) -> None:
    channel = sandbox.merchant["channels"][0]["id"]
    before = sandbox.ask("GET", "").json
    for rule in document.get("dispatching", ()):
        rule["channel"] = rule["channel"].replace("{c}", channel)
    filled = path.replace("{m}", f"/merchants/{sandbox.merchant['id']}").replace("{c}", channel)

    answer = sandbox.ask(method, filled, document)

    assert answer.status_code == 400, answer.text
    assert answer.json["error"]["where"] == where
    assert answer.json["error"]["expected"]
    assert sandbox.ask("GET", "").json == before


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", f"/merchants/{UNKNOWN}"),
        ("PATCH", f"/merchants/{UNKNOWN}"),
        ("POST", f"/merchants/{UNKNOWN}/channels"),
        ("GET", f"/merchants/{UNKNOWN}/tokens"),
        ("POST", f"/merchants/{UNKNOWN}/tokens"),
        ("PATCH", f"{{m}}/channels/{UNKNOWN}"),
        ("GET", f"{{m}}/channels/{UNKNOWN}"),
        ("POST", f"{{m}}/tokens/{UNKNOWN}/suspend"),
        ("POST", f"{{m}}/tokens/{UNKNOWN}/rotate"),
    ],
)
def test_an_entity_that_is_not_there_is_404(sandbox: EntitySandbox, method: str, path: str) -> None:
    filled = path.replace("{m}", f"/merchants/{sandbox.merchant['id']}")
    assert sandbox.ask(method, filled, {} if method != "GET" else None).status_code == 404


@pytest.mark.parametrize("path", ["", "/merchants", "/merchants/x", "/merchants/x/tokens"])
def test_another_key_opens_nothing(sandbox: EntitySandbox, path: str) -> None:
    url = f"/_sandbox/v1/sandboxes/{sandbox.made['id']}{path}"
    for key in ("Bearer wrong", f"Bearer {sandbox.who.token}"):
        answer = sandbox.gateway.client.simulate_get(url, headers={"Authorization": key})
        assert answer.status_code == 401
    mine = {"Authorization": f"Bearer {sandbox.made['control_key']}"}
    assert sandbox.gateway.client.simulate_get(url, headers=mine).status_code in (200, 404)
