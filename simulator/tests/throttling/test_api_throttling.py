"""Throttling as a merchant meets it, and as the control API sets it."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import gevent
import pytest

from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.client import Client, Control
from simulator.tests.kit.gateway import ORDER, Credentials, Gateway
from simulator.tests.kit.running import serving

UNKNOWN = "8" + "0" * 31
HALF_PAST = {"mode": "frozen", "at": "2027-01-31T12:00:30Z"}
AT_ONCE = 32


def table(limit: int, *, operation: str = "create_payment", scope: str = "merchant") -> dict:
    """A table of one limit a minute."""
    row = {"operation": operation, "scope": scope, "limit": limit, "window_s": 60}
    return {"name": "of a test", "limits": [row]}


class ThrottledSandbox:
    """A sandbox at half past noon, made with these options."""

    def __init__(self, gateway: Gateway, **options: object):
        made = gateway.control("POST", "/sandboxes", {"clock": HALF_PAST, **options})
        assert made.status_code == 201, made.json
        self.gateway, self.id = gateway, made.json["id"]
        self.merchant = Credentials(made.json["token"], made.json["entity_id"])
        self.live = Credentials(made.json["live_token"], made.json["entity_id"], "live")

    def pay(self, count: int, who: Credentials | None = None) -> list[int]:
        """The statuses of so many payments."""
        who = who or self.merchant
        return [self.gateway.post(who=who).status_code for _ in range(count)]

    def advance(self, span: str) -> None:
        """Move the clock."""
        moved = self.gateway.control("POST", f"/sandboxes/{self.id}/clock/advance", {"by": span})
        assert moved.status_code == 200

    def put(self, **tables: object) -> dict:
        """Throttle by other tables."""
        answer = self.gateway.control("PUT", f"/sandboxes/{self.id}/throttle", tables)
        assert answer.status_code == 200, answer.json
        return answer.json


def test_a_window_takes_its_limit_and_the_next_takes_it_again(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(2))

    assert sandbox.pay(4) == [200, 200, 429, 429]
    sandbox.advance("29s")
    assert sandbox.pay(1) == [429]
    sandbox.advance("1s")
    assert sandbox.pay(3) == [200, 200, 429]


def test_a_throttled_request_gets_the_documented_body_and_when_to_return(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1))
    sandbox.pay(1)

    answer = gateway.post(who=sandbox.merchant)

    assert set(answer.json) == {"id", "result", "buildNumber", "timestamp", "ndc"}
    assert set(answer.json["result"]) == {"code", "description"}
    assert answer.json["result"]["code"] == "800.120.100"
    assert "too many requests" in answer.json["result"]["description"]
    assert "retry later" in answer.json["result"]["description"]
    assert answer.json["timestamp"] == "2027-01-31 12:00:30+0000"
    assert re.fullmatch(r"8[0-9a-f]{31}", answer.json["id"])
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "30")


def test_when_to_return_is_no_later_where_the_clock_of_the_machine_was_set_back(
    tmp_path: Path,
) -> None:
    gateway = Gateway(tmp_path, durability="os")
    made = gateway.control("POST", "/sandboxes", {"throttle": table(1)}).json
    gateway.ports(made["id"]).clock.reach(datetime.now(UTC) + timedelta(hours=9))
    who = Credentials(made["token"], made["entity_id"])

    answers = [gateway.post(who=who) for _ in range(3)]

    assert answers[-1].status_code == 429
    assert int(answers[-1].headers["Retry-After"]) <= 60


def test_a_throttled_payment_does_not_exist(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1))
    sandbox.pay(1)

    identity = gateway.post(who=sandbox.merchant).json["id"]

    assert gateway.read(identity, sandbox.merchant).status_code == 404


def test_the_status_is_400_where_the_switch_says_so(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1), overrides={"D-89": "400"})
    sandbox.pay(1)

    answer = gateway.post(who=sandbox.merchant)

    assert (answer.status_code, answer.json["result"]["code"]) == (400, "800.120.100")
    assert answer.headers["Retry-After"] == "30"


@pytest.mark.parametrize("operation", [row.id for row in OPERATIONS.values() if "{id}" in row.path])
def test_every_operation_with_an_id_is_counted_for_each_object(
    gateway: Gateway, operation: str
) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(2, operation=operation, scope="object"))
    method, path = OPERATIONS[operation].method, OPERATIONS[operation].path
    headers = {"Authorization": f"Bearer {sandbox.merchant.token}"}

    def ask(identity: str) -> int:
        where = path.replace("{id}", identity)
        return gateway.client.simulate_request(method, where, headers=headers).status_code

    assert [ask(UNKNOWN) == 429 for _ in range(3)] == [False, False, True]
    assert [ask(UNKNOWN[::-1]) == 429 for _ in range(3)] == [False, False, True]
    assert gateway.post(who=sandbox.merchant).status_code == 200


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_operation_passes_the_throttle(gateway: Gateway, operation: str) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1, operation=operation))
    row = OPERATIONS[operation]
    path = row.path.replace("{id}", UNKNOWN)
    headers = {"Authorization": f"Bearer {sandbox.merchant.token}"}

    first, second = (
        gateway.client.simulate_request(row.method, path, headers=headers).status_code
        for _ in range(2)
    )

    assert (first != 429, second) == (True, 429)


def test_only_what_passes_header_and_token_counts_and_what_is_wrong_after_them_does(
    gateway: Gateway,
) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(2))
    unknown_token = Credentials("unknown", sandbox.merchant.entity_id)
    wrong_entity = Credentials(sandbox.merchant.token, UNKNOWN)

    assert sandbox.pay(5, unknown_token) == [403] * 5
    assert gateway.client.simulate_post("/v1/payments").status_code == 401
    assert sandbox.pay(1, wrong_entity) == [403]
    assert gateway.post(who=sandbox.merchant, amount="1.0").status_code == 400
    assert sandbox.pay(1) == [429]


def test_merchants_do_not_use_up_each_others_windows(gateway: Gateway) -> None:
    made = gateway.control(
        "POST", "/sandboxes", {"throttle": table(1), "merchants": [{"name": "a"}, {"name": "b"}]}
    ).json
    both = [
        Credentials(each["token"], each["channels"][0]["id"])
        for each in made["entities"]["merchants"]
    ]

    paid = [gateway.post(who=who).status_code for who in both for _ in range(2)]

    assert paid == [200, 429, 200, 429]


def test_each_host_has_its_own_table_and_its_own_counts(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1), live_throttle=table(2))

    assert sandbox.pay(3) == [200, 429, 429]
    assert sandbox.pay(3, sandbox.live) == [200, 200, 429]


def test_a_table_may_be_changed_and_given_back(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1))
    assert sandbox.pay(2) == [200, 429]

    shown = sandbox.put(throttle="off", live_throttle="field")
    assert [each["name"] for each in shown.values()] == ["off", "field"]
    assert sandbox.pay(2) == [200, 200]

    assert sandbox.put(throttle=None)["throttle"] == table(1)
    assert sandbox.pay(2) == [200, 429]
    read = gateway.control("GET", f"/sandboxes/{sandbox.id}/throttle").json
    assert [each["name"] for each in read.values()] == ["of a test", "field"]


def test_a_table_that_is_set_again_forgets_nothing_it_has_counted(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1))
    assert sandbox.pay(1) == [200]

    sandbox.put(throttle=table(1), live_throttle="off")

    assert sandbox.pay(1) == [429]


def test_a_reset_gives_back_the_tables_a_sandbox_was_made_with(gateway: Gateway) -> None:
    sandbox = ThrottledSandbox(gateway, throttle=table(1))
    sandbox.put(throttle="off")

    gateway.control("POST", f"/sandboxes/{sandbox.id}/reset")

    assert sandbox.pay(2) == [200, 429]


def test_a_changed_table_outlives_a_restart_and_its_counts_do_not(tmp_path: Path) -> None:
    first = Gateway(tmp_path / "data", durability="disk")
    sandbox = ThrottledSandbox(first)
    sandbox.put(throttle=table(1))
    assert sandbox.pay(2) == [200, 429]
    first.close()

    second = Gateway(tmp_path / "data", durability="disk")
    sandbox.gateway = second
    try:
        assert sandbox.pay(2) == [200, 429]
    finally:
        second.close()


def test_a_sandbox_that_names_no_table_follows_the_server(tmp_path: Path) -> None:
    (tmp_path / "mine.json").write_text('{"limits": []}')
    made = Gateway(tmp_path / "data", throttle=str(tmp_path / "mine.json"), live_throttle="field")
    try:
        sandbox, other = (
            ThrottledSandbox(made),
            ThrottledSandbox(made, throttle="off", live_throttle="mine"),
        )
        for each, expected in ((sandbox, ["mine", "field"]), (other, ["off", "mine"])):
            shown = made.control("GET", f"/sandboxes/{each.id}/throttle").json
            assert [shown[name]["name"] for name in ("throttle", "live_throttle")] == expected
    finally:
        made.close()


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({"throttle": "nonsense"}, "throttle"),
        ({"live_throttle": 5}, "live_throttle"),
        ({"throttle": "/etc/hosts"}, "throttle"),
        ({"throttle": table(-1)}, "throttle.limits[0].limit"),
        ({"throttle": {"name": "x"}}, "throttle.limits"),
        ({"tables": "off"}, "tables"),
    ],
)
def test_a_malformed_table_is_400_and_says_what_was_expected(
    gateway: Gateway, asked: dict, where: str
) -> None:
    sandbox = ThrottledSandbox(gateway)

    put = gateway.control("PUT", f"/sandboxes/{sandbox.id}/throttle", asked)
    assert (put.status_code, put.json["error"]["where"]) == (400, where)
    assert put.json["error"]["expected"]
    if "tables" not in asked:
        made = gateway.control("POST", "/sandboxes", asked)
        assert (made.status_code, made.json["error"]["where"]) == (400, where)


@pytest.mark.parametrize("limit", [1, 7, 31, 32])
def test_n_allowed_means_n_for_32_at_once(tmp_path: Path, limit: int) -> None:
    # On disk every payment waits for its commit, so that all of them are under way together.
    made = Gateway(tmp_path / "data", durability="disk")
    try:
        sandbox = ThrottledSandbox(made, throttle=table(limit))
        asked = [gevent.spawn(sandbox.pay, 1) for _ in range(AT_ONCE)]
        gevent.joinall(asked, raise_error=True)
        statuses = Counter(each.value[0] for each in asked)
    finally:
        made.close()

    assert statuses == Counter({200: limit, 429: AT_ONCE - limit})


def test_n_allowed_means_n_over_sockets_on_either_host(tmp_path: Path) -> None:
    with serving(tmp_path / "data", "--durability", "os") as running:
        facts = running.facts
        control = Control(facts["control_url"], facts["control_key"])
        made = control.create_sandbox(clock=HALF_PAST, throttle=table(10), live_throttle=table(5))
        control.close()
        hosts = (facts["base_url"], made["token"]), (facts["live_url"], made["live_token"])
        answered = [_at_once(url, token, made["entity_id"]) for url, token in hosts]

    assert answered == [
        Counter({(200, None): 10, (429, "30"): AT_ONCE - 10}),
        Counter({(200, None): 5, (429, "30"): AT_ONCE - 5}),
    ]


def _at_once(url: str, token: str, entity_id: str) -> Counter:
    """Status and Retry-After of 32 payments, each over a connection of its own."""

    def pay(_: int) -> tuple[int, str | None]:
        client = Client(url, token, entity_id)
        answer = client.post("v1/payments", ORDER)
        client.close()
        return answer.status, answer.headers.get("retry-after")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return Counter(pool.map(pay, range(AT_ONCE)))
