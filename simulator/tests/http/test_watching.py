"""Health, readiness and metrics: what they say, to whom, and that the counts are right."""

from collections.abc import Mapping
from pathlib import Path

import gevent
import pytest
from gevent.event import Event
from prometheus_client.parser import text_string_to_metric_families

from simulator.adapters import health
from simulator.adapters.health import SharedLook
from simulator.adapters.meter import BOUNDS_S, Metrics, PrometheusMeter
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway

WAIT_S_MAX = 20
DECLINED = {"card.holder": "800.100.151"}


def samples_of(gateway: Gateway) -> Mapping[tuple[str, tuple[str, ...]], float]:
    """Every number of the metrics, by its name and the values of its labels in their order."""
    text = gateway.client.simulate_get("/_sandbox/metrics").text
    return {
        (sample.name, tuple(sample.labels[name] for name in sorted(sample.labels))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def counted(gateway: Gateway, metric: str) -> Mapping[tuple[str, ...], float]:
    """The numbers of one metric, by the values of its labels."""
    found = samples_of(gateway).items()
    return {labels: value for (name, labels), value in found if name == metric}


def test_a_process_that_answers_is_healthy(gateway: Gateway) -> None:
    answer = gateway.client.simulate_get("/_sandbox/health")

    assert (answer.status_code, answer.json["status"]) == (200, "up")


def test_a_server_with_a_sandbox_and_a_folder_to_write_to_is_ready(gateway: Gateway) -> None:
    answer = gateway.client.simulate_get("/_sandbox/ready")

    assert (answer.status_code, answer.json) == (200, {"ready": True, "missing": []})


def test_requests_at_once_share_one_look() -> None:
    looks = []

    def look() -> int:
        looks.append(None)
        gevent.sleep(0.01)
        return len(looks)

    shared = SharedLook(look)
    asked = [gevent.spawn(shared) for _ in range(50)]

    assert [each.get() for each in asked] == [1] * 50
    assert shared() == 2


def test_without_a_sandbox_it_is_not_ready_and_says_so(gateway: Gateway) -> None:
    (only,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    gateway.control("DELETE", f"/sandboxes/{only['id']}")

    answer = gateway.client.simulate_get("/_sandbox/ready")

    assert (answer.status_code, answer.json["ready"]) == (503, False)
    assert [reason.partition(":")[0] for reason in answer.json["missing"]] == ["no sandbox"]


def test_a_disk_that_does_not_answer_keeps_none_waiting_and_is_asked_once(
    gateway: Gateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked, answers = [], Event()

    def in_thread(*call: object) -> None:
        asked.append(call)
        answers.wait()

    monkeypatch.setattr(health, "in_thread", in_thread)
    monkeypatch.setattr(health, "PROBE_S", 0.05)
    with gevent.Timeout(WAIT_S_MAX):
        slow = [gateway.client.simulate_get("/_sandbox/ready") for _ in range(3)]
    answers.set()
    again = gateway.client.simulate_get("/_sandbox/ready")

    assert [each.status_code for each in slow] == [503] * 3 and len(asked) <= 2
    assert "no answer within 0.05 s" in slow[0].json["missing"][0]
    assert again.status_code == 200


def test_without_a_folder_to_write_to_it_is_not_ready_and_names_no_path(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path / "data")
    (tmp_path / "data").rename(tmp_path / "gone")

    answer = gateway.client.simulate_get("/_sandbox/ready")
    gateway.close()

    assert answer.status_code == 503
    (reason,) = answer.json["missing"]
    assert reason.startswith("the data folder is not writable (No such file or directory)")
    assert str(tmp_path) not in reason


def test_a_look_at_readiness_leaves_nothing_behind(gateway: Gateway, tmp_path: Path) -> None:
    before = set((tmp_path / "data").iterdir())
    gateway.client.simulate_get("/_sandbox/ready")

    assert set((tmp_path / "data").iterdir()) == before


def test_requests_are_counted_by_operation_status_and_group_of_their_code(gateway: Gateway) -> None:
    paid = gateway.post(paymentType="PA").json["id"]
    gateway.post(**DECLINED)
    gateway.post(amount="1,00")
    gateway.refer(paid, "CP", amount="1.00", currency="EUR")
    gateway.read(paid)
    gateway.read(paid)
    gateway.client.simulate_get("/v1/nothing")
    gateway.client.simulate_patch("/v1/payments")
    gateway.sandbox()

    assert counted(gateway, "sandgate_requests_total") == {
        # operation, group of the code, status
        ("create_payment", "success", "200"): 1,
        ("create_payment", "rejected_bank_or_external", "400"): 1,
        ("create_payment", "format", "400"): 1,
        ("refer_payment", "success", "200"): 1,
        ("read_payment", "success", "200"): 2,
        ("other", "format", "404"): 1,
        ("other", "format", "405"): 1,
        ("control", "none", "201"): 1,
    }


def test_bytes_that_are_no_request_are_counted_too(gateway: Gateway) -> None:
    gateway.answer(414)

    assert samples_of(gateway)["sandgate_requests_total", ("unreadable", "none", "414")] == 1


def test_payments_are_counted_by_type_and_the_state_they_came_to(gateway: Gateway) -> None:
    paid = gateway.post(paymentType="PA").json["id"]
    gateway.refer(paid, "CP", amount="1.00", currency="EUR")
    gateway.post(**DECLINED)
    gateway.post(amount="1,00")

    assert counted(gateway, "sandgate_payments_total") == {  # state, type
        ("authorized", "PA"): 1,
        ("completed", "CP"): 1,
        ("failed", "DB"): 1,
    }


def test_sandboxes_are_counted_and_those_in_use_apart(gateway: Gateway) -> None:
    gateway.sandbox()
    gateway.post(who=gateway.sandbox())

    seen = samples_of(gateway)

    assert seen["sandgate_sandboxes", ()] == 3
    assert seen["sandgate_sandboxes_awake", ()] == 1


def test_the_logs_of_the_store_are_measured(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path / "data", durability="os")
    gateway.post()

    measured = samples_of(gateway)["sandgate_store_log_bytes", ()]
    gateway.close()

    assert measured == sum(path.stat().st_size for path in (tmp_path / "data").rglob("*.log"))
    assert measured > 1000


def test_the_histogram_counts_every_answer_of_an_operation_once(gateway: Gateway) -> None:
    for _ in range(3):
        gateway.post()

    seen = samples_of(gateway)

    assert seen["sandgate_request_seconds_count", ("create_payment",)] == 3
    assert seen["sandgate_request_seconds_bucket", ("+Inf", "create_payment")] == 3
    assert 0 < seen["sandgate_request_seconds_sum", ("create_payment",)] < 3


def test_an_answer_falls_below_every_bound_it_took_less_than() -> None:
    meter = PrometheusMeter()
    meter.answered(meter.mark() - 0.3, "read_payment", 200, None)

    text = Metrics(meter, ()).text().decode()

    for bound in BOUNDS_S:
        count = 1.0 if bound > 0.3 else 0.0
        assert f'le="{bound}",operation="read_payment"}} {count}' in text


def test_two_gateways_in_one_process_count_apart(gateway: Gateway, tmp_path: Path) -> None:
    other = Gateway(tmp_path / "other")
    other.post()

    assert counted(gateway, "sandgate_payments_total") == {}
    other.close()


def test_no_label_carries_what_a_client_sent(gateway: Gateway) -> None:
    paid = gateway.post().json
    gateway.read(paid["id"])
    gateway.client.simulate_get("/v1/payments/4200000000000000?entityId=4200000000000000")

    text = gateway.client.simulate_get("/_sandbox/metrics").text

    merchant = gateway.merchant
    for word in (paid["id"], merchant.token, merchant.entity_id, "4200000000000000"):
        assert word not in text


REACHABLE = ({"host": "0.0.0.0"}, {"public_url": "https://pay.example/"})


@pytest.mark.parametrize("settings", REACHABLE)
def test_where_others_can_reach_the_server_metrics_need_the_control_key(
    tmp_path: Path, settings: dict
) -> None:
    gateway = Gateway(tmp_path / "data", **settings)
    headers = {"Authorization": f"Bearer {CONTROL_KEY}"}

    refused = gateway.client.simulate_get("/_sandbox/metrics")
    given = gateway.client.simulate_get("/_sandbox/metrics", headers=headers)
    open_to_all = [gateway.client.simulate_get(f"/_sandbox/{name}") for name in ("health", "ready")]
    gateway.close()

    assert (refused.status_code, given.status_code) == (401, 200)
    assert given.headers["Content-Type"].startswith("text/plain; version=0.0.4")
    assert [each.status_code for each in open_to_all] == [200, 200]


def test_a_delivery_is_pending_until_it_is_made_or_given_up(gateway: Gateway) -> None:
    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    # Nothing listens on the port of things to discard: the first attempt fails.
    endpoint = {"url": "http://127.0.0.1:9/", "types": ["PAYMENT"], "skip_activation": True}
    gateway.control("POST", f"/sandboxes/{sandbox['id']}/webhooks", endpoint)
    before = samples_of(gateway)["sandgate_deliveries_pending", ()]

    gateway.post()

    assert (before, samples_of(gateway)["sandgate_deliveries_pending", ()]) == (0, 1)


def test_requests_over_a_limit_are_counted_apart(gateway: Gateway) -> None:
    limit = {"operation": "create_payment", "scope": "merchant", "limit": 1, "window_s": 60}
    table = {"name": "of a test", "limits": [limit]}
    merchant = gateway.sandbox(throttle=table, clock={"mode": "frozen"})

    statuses = [gateway.post(who=merchant).status_code for _ in range(3)]

    assert statuses == [200, 429, 429]
    assert counted(gateway, "sandgate_throttled_total") == {("create_payment",): 2}
