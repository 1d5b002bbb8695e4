"""Merchants, channels and tokens after a sandbox was made; what is under way goes on."""

import gevent
import pytest

from simulator.tests.kit.gateway import Credentials, Gateway

UNKNOWN = "8" + "0" * 31


class World:
    """A sandbox over the control API, and its first merchant."""

    def __init__(self, gateway: Gateway, **options: object):
        self.gateway = gateway
        self.made = gateway.control("POST", "/sandboxes", options).json
        self.merchant = self.made["entities"]["merchants"][0]
        self.who = Credentials(self.made["token"], self.made["entity_id"])

    def ask(self, method: str, path: str, document: object = None):
        """A call about this sandbox."""
        return self.gateway.control(method, f"/sandboxes/{self.made['id']}{path}", document)

    def ours(self, method: str, path: str = "", document: object = None):
        """A call about its first merchant."""
        return self.ask(method, f"/merchants/{self.merchant['id']}{path}", document)

    def pay(self, token: str | None = None, entity: str | None = None, **sent: str):
        """A payment."""
        who = Credentials(token or self.who.token, entity or self.who.entity_id)
        return self.gateway.post(who=who, **sent)


@pytest.fixture
def world(gateway: Gateway) -> World:
    """A sandbox of its own."""
    return World(gateway)


def test_a_merchant_that_is_added_pays_with_its_own_token_alone(world: World) -> None:
    paid = world.pay().json["id"]

    added = world.ask("POST", "/merchants", {"name": "Second", "channels": [{"name": "Till"}]})

    who = Credentials(added.json["token"], added.json["channels"][0]["id"])
    assert added.status_code == 201
    assert world.gateway.post(who=who).status_code == 200
    assert world.gateway.read(paid, who).status_code == 404
    assert [each["name"] for each in world.ask("GET", "/merchants").json["merchants"]] == [
        world.merchant["name"], "Second",
    ]  # fmt: skip


def test_a_channel_that_is_added_takes_payments_at_once(world: World) -> None:
    channel = world.ours("POST", "/channels", {"currencies": ["GBP"]}).json

    assert world.pay(entity=channel["id"], currency="GBP").status_code == 200
    assert world.pay(entity=channel["id"]).json["result"]["code"] == "600.200.500"


def test_a_channel_changes_where_it_is_told_and_nowhere_else(world: World) -> None:
    first = world.merchant["channels"][0]
    path = f"/channels/{first['id']}"

    changed = world.ours("PATCH", path, {"brands": ["MASTER"], "three_d_secure": {"VISA": "2.2.0"}})

    assert changed.json == {**first, "brands": ["MASTER"], "three_d_secure": {"VISA": "2.2.0"}}
    assert world.pay().json["result"]["code"] == "600.200.201"
    assert world.ours("GET", path).json == changed.json
    world.ours("PATCH", path, {"brands": [], "three_d_secure": {}})
    assert world.pay().status_code == 200


def test_what_is_under_way_goes_on_while_entities_change(world: World) -> None:
    late = {"name": "late", "title": "Late", "description": "A while.", "steps": {
        "acquirer": {"latency": {"fixed": {"seconds": 0.2}}, "approve": {}}}}  # fmt: skip
    world.ask("POST", "/scripts", {"behaviour": late})
    paying = gevent.spawn(world.pay)
    gevent.sleep(0.05)

    world.ours("PATCH", "", {"name": "Renamed"})

    assert paying.get(timeout=5).status_code == 200
    assert world.ours("GET").json["name"] == "Renamed"


def test_changes_at_once_are_all_kept(world: World) -> None:
    tasks = [gevent.spawn(world.ours, "POST", "/channels", {"name": f"C{n}"}) for n in range(10)]
    gevent.joinall(tasks)

    names = {each["name"] for each in world.ours("GET").json["channels"]}

    assert {f"C{n}" for n in range(10)} < names


def test_tokens_are_listed_without_their_values(world: World) -> None:
    issued = world.ours("POST", "/tokens", {"alias": "till"}).json
    listed = world.ours("GET", "/tokens").json["tokens"]

    assert [(each["host"], each["state"]) for each in listed] == [
        ("test", "active"), ("live", "active"), ("test", "active"),
    ]  # fmt: skip
    assert listed[2] == {name: issued[name] for name in issued if name != "token"}
    assert issued["last_digits"] == issued["token"][-4:]
    assert issued["token"] not in world.ask("GET", "").text
    assert world.pay(issued["token"]).status_code == 200


def test_a_suspended_token_opens_nothing_until_it_is_activated(world: World) -> None:
    issued = world.ours("POST", "/tokens", {}).json
    path = f"/tokens/{issued['id']}"

    assert world.ours("POST", f"{path}/suspend").json["state"] == "suspended"
    assert world.pay(issued["token"]).status_code == 403
    assert world.pay().status_code == 200
    assert world.ours("POST", f"{path}/activate").json["state"] == "active"
    assert world.pay(issued["token"]).status_code == 200


def test_a_rotated_token_ends_and_its_successor_keeps_alias_and_host(world: World) -> None:
    old = world.ours("POST", "/tokens", {"alias": "shop", "host": "live"}).json

    new = world.ours("POST", f"/tokens/{old['id']}/rotate").json

    assert (new["alias"], new["host"], new["state"]) == ("shop", "live", "active")
    assert new["token"] != old["token"]
    ids = [each["id"] for each in world.ours("GET", "/tokens").json["tokens"]]
    assert new["id"] in ids and old["id"] not in ids
    assert world.ours("POST", f"/tokens/{old['id']}/rotate").status_code == 404


def test_the_printed_token_is_one_that_works(world: World) -> None:
    first = world.ours("GET", "/tokens").json["tokens"][0]["id"]

    rotated = world.ours("POST", f"/tokens/{first}/rotate").json["token"]

    assert world.pay(world.who.token).status_code == 403
    assert world.pay(rotated).status_code == 200


@pytest.mark.parametrize(
    ("method", "path", "document", "where"),
    [
        ("POST", "/merchants", {"name": ""}, "$.name"),
        ("POST", "/merchants", {"nme": "x"}, "body"),
        ("POST", "/merchants", {"channels": []}, "$.channels"),
        ("POST", "/merchants", {"channels": [{"cvv": "never"}]}, "channels[0].cvv"),
        ("POST", "/merchants", {"channels": [{"brands": ["VISAA"]}]}, "channels[0].brands"),
        ("POST", "/merchants", {"channels": [{"default_behaviour": "no"}]}, "default_behaviour"),
        ("POST", "/merchants", {"dispatching": [{"channel": "none"}]}, "dispatching[0].channel"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "brands": ["X"]}]},
         "dispatching[0].brands"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "brand": "VISA"}]},
         "$.dispatching[0]"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "amount_min": "-1"}]},
         "dispatching[0].amount_min"),
        ("PATCH", "{m}",
         {"dispatching": [{"channel": "{c}", "amount_min": "2", "amount_max": "1"}]},
         "dispatching[0].amount_max"),
        ("PATCH", "{m}", {"dispatching": [{"channel": "{c}", "recurring": "often"}]},
         "$.dispatching[0].recurring"),
        ("POST", "{m}/channels", {"currencies": ["XXZ"]}, "body.currencies"),
        ("POST", "{m}/channels", {"three_d_secure": {"VISA": "3"}}, "body.three_d_secure"),
        ("POST", "{m}/channels", {"three_d_secure": {"NOBODY": "2.2.0"}}, "body.three_d_secure"),
        ("PATCH", "{m}/channels/{c}", {"id": "8"}, "body.id"),
        ("PATCH", "{m}/channels/{c}", {"colour": "red"}, "body"),
        ("PATCH", "{m}/channels/{c}", {"name": ""}, "body.name"),
        ("POST", "{m}/tokens", {"host": "other"}, "$.host"),
        ("POST", "{m}/tokens", {"alias": "x" * 65}, "alias"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_refused_and_says_what_was_expected(
    world: World, method: str, path: str, document: dict, where: str
) -> None:
    channel = world.merchant["channels"][0]["id"]
    before = world.ask("GET", "").json
    for rule in document.get("dispatching", ()):
        rule["channel"] = rule["channel"].replace("{c}", channel)
    filled = path.replace("{m}", f"/merchants/{world.merchant['id']}").replace("{c}", channel)

    answer = world.ask(method, filled, document)

    assert answer.status_code == 400, answer.text
    assert answer.json["error"]["where"] == where
    assert answer.json["error"]["expected"]
    assert world.ask("GET", "").json == before


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
def test_an_entity_that_is_not_there_is_404(world: World, method: str, path: str) -> None:
    filled = path.replace("{m}", f"/merchants/{world.merchant['id']}")
    assert world.ask(method, filled, {} if method != "GET" else None).status_code == 404


@pytest.mark.parametrize("path", ["", "/merchants", "/merchants/x", "/merchants/x/tokens"])
def test_another_key_opens_nothing(world: World, path: str) -> None:
    url = f"/_sandbox/v1/sandboxes/{world.made['id']}{path}"
    for key in ("Bearer wrong", f"Bearer {world.who.token}"):
        answer = world.gateway.client.simulate_get(url, headers={"Authorization": key})
        assert answer.status_code == 401
    mine = {"Authorization": f"Bearer {world.made['control_key']}"}
    assert world.gateway.client.simulate_get(url, headers=mine).status_code in (200, 404)
