"""Endpoints over the control API: made, activated, changed, given another secret, removed."""

from typing import Any

import pytest

from simulator.domain.webhooks.envelopes import open_envelope
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.sinks import Request, sink, status, unused_port
from simulator.tests.kit.webhooks import WebhookSandbox

SECRET = "0123456789abcdef" * 4
OTHER = "fedcba9876543210" * 4


@pytest.fixture
def sandbox(gateway: Gateway) -> WebhookSandbox:
    return WebhookSandbox(gateway, with_endpoint=False)


def event_in(request: Request, *secrets: str) -> Any:
    """The event in a request."""
    return open_envelope(request.headers, request.body, secrets)


def test_an_endpoint_is_active_once_the_activation_call_was_answered(
    sandbox: WebhookSandbox,
) -> None:
    with sink() as server:
        made = sandbox.webhook(server.url, secret=SECRET)
        (request,) = server.requests
    assert made["active"]
    assert made["activation"] == {"status": 200, "error": ""}
    event = event_in(request, SECRET)
    assert (event["type"], event["action"]) == ("test", "webhook activation")
    assert event["payload"]["result"]["code"] == "000.100.110"
    assert sandbox.notices() == []


@pytest.mark.parametrize("code", [302, 400, 500])
def test_an_endpoint_that_refuses_the_activation_call_gets_no_events(
    sandbox: WebhookSandbox, code: int
) -> None:
    with sink(lambda number: status(code if number == 1 else 200)) as server:
        made = sandbox.webhook(server.url)
        sandbox.pay()
        assert (made["active"], made["activation"]["status"]) == (False, code)
        assert sandbox.notices() == []
        again = sandbox.ask("POST", f"/webhooks/{made['id']}/activate", {}).json
        assert again["active"]
        sandbox.pay()
        sandbox.ask("POST", "/drain", {})
        assert len(server.requests) == 3


def test_an_endpoint_that_refuses_connections_is_created_inactive(sandbox: WebhookSandbox) -> None:
    made = sandbox.webhook(f"http://127.0.0.1:{unused_port()}/")
    assert (made["active"], made["activation"]["error"]) == (False, "connection refused")


def test_the_activation_call_may_be_skipped(sandbox: WebhookSandbox) -> None:
    with sink() as server:
        made = sandbox.webhook(server.url, skip_activation=True)
        assert (made["active"], made["activation"]["error"]) == (True, "not called")
        assert server.requests == []


def test_the_inbox_needs_no_activation(sandbox: WebhookSandbox) -> None:
    assert sandbox.webhook()["active"]
    assert sandbox.inbox() == []


def test_a_secret_is_generated_and_shown_once(sandbox: WebhookSandbox) -> None:
    made = sandbox.webhook()
    assert len(bytes.fromhex(made["secret"])) == 32
    read = sandbox.ask("GET", f"/webhooks/{made['id']}").json
    assert read == {name: made[name] for name in read}
    assert "secret" not in read
    assert sandbox.ask("GET", "/webhooks").json["webhooks"] == [read]


def test_a_rotation_keeps_the_old_secret_until_it_is_finished(sandbox: WebhookSandbox) -> None:
    with sink() as server:
        made = sandbox.webhook(server.url, secret=SECRET, skip_activation=True)
        path = f"/webhooks/{made['id']}/rotate"
        rotated = sandbox.ask("POST", path, {"secret": OTHER}).json
        assert (rotated["next_secret"], rotated["rotating"]) == (OTHER, True)
        sandbox.pay()
        sandbox.ask("POST", "/drain", {})
        assert not sandbox.ask("POST", f"{path}/finish", {}).json["rotating"]
        sandbox.pay()
        sandbox.ask("POST", "/drain", {})
        before, after = server.requests
    assert event_in(before, SECRET)["type"] == event_in(after, OTHER)["type"] == "PAYMENT"
    assert sandbox.ask("POST", f"{path}/finish", {}).status_code == 400


def test_the_inbox_reads_both_secrets_during_a_rotation(sandbox: WebhookSandbox) -> None:
    made = sandbox.webhook()
    sandbox.ask("POST", f"/webhooks/{made['id']}/rotate", {})
    sandbox.pay()
    assert [each["error"] for each in sandbox.inbox(1)] == [""]


def test_an_endpoint_is_changed(sandbox: WebhookSandbox) -> None:
    made = sandbox.webhook()
    asked = {"types": ["REGISTRATION"], "format": "json", "fields": "NON_CUSTOMER_DATA"}
    changed = sandbox.ask("PATCH", f"/webhooks/{made['id']}", asked).json
    assert changed["types"] == ["REGISTRATION"]
    assert (changed["format"], changed["fields"]) == ("json", "NON_CUSTOMER_DATA")
    sandbox.pay()
    assert sandbox.notices() == []


def test_another_url_has_to_be_activated(sandbox: WebhookSandbox) -> None:
    made = sandbox.webhook()
    with sink(500) as server:
        changed = sandbox.ask("PATCH", f"/webhooks/{made['id']}", {"url": server.url}).json
    assert (changed["active"], changed["activation"]["status"]) == (False, 500)


def test_nothing_is_sent_to_a_url_before_it_is_activated(sandbox: WebhookSandbox) -> None:
    with sink(500) as former, sink(lambda number: status(200 if number > 1 else 500)) as other:
        path = f"/webhooks/{sandbox.webhook(former.url, skip_activation=True)['id']}"
        sandbox.pay()
        sandbox.ask("POST", "/drain", {})
        assert not sandbox.ask("PATCH", path, {"url": other.url}).json["active"]
        for step in ("1m", "2m"):
            sandbox.advance(step)
            sandbox.ask("POST", "/drain", {})
        assert (len(former.requests), len(other.requests)) == (1, 1)
        assert sandbox.ask("POST", f"{path}/activate", {}).json["active"]
        sandbox.advance("4m")
        sandbox.ask("POST", "/drain", {})
    assert len(other.requests) == 3


def test_an_endpoint_is_switched_off_and_on(sandbox: WebhookSandbox) -> None:
    path = f"/webhooks/{sandbox.webhook()['id']}"
    sandbox.ask("PATCH", path, {"active": False})
    sandbox.pay()
    sandbox.ask("PATCH", path, {"active": True})
    sandbox.pay()
    assert len(sandbox.inbox(1)) == 1


def test_an_endpoint_is_removed_once_and_gets_nothing_more(sandbox: WebhookSandbox) -> None:
    with sink(500) as server:
        made = sandbox.webhook(server.url, skip_activation=True)
        sandbox.pay()
        sandbox.ask("POST", "/drain", {})
        assert sandbox.ask("DELETE", f"/webhooks/{made['id']}").json["deleted"]
        sandbox.advance("1d")
        assert len(server.requests) == 1
    assert sandbox.ask("GET", f"/webhooks/{made['id']}").status_code == 404
    assert sandbox.ask("DELETE", f"/webhooks/{made['id']}").status_code == 404


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ({}, "url"),
        ({"url": "inbox", "secret": "0" * 63}, "secret"),
        ({"url": "inbox", "secret": "x" * 64}, "secret"),
        ({"url": "inbox", "types": ["PAYMENTS"]}, "types"),
        ({"url": "inbox", "types": []}, "types"),
        ({"url": "inbox", "fields": "SOME"}, "fields"),
        ({"url": "inbox", "format": "xml"}, "format"),
        ({"url": "inbox", "entity": "8" * 32}, "entity"),
        ({"url": "inbox", "secrets": SECRET}, "secrets"),
        ({"url": "ftp://shop.example/"}, "url"),
        ({"url": "http://user:hush@shop.example/"}, "url"),
        ({"url": "http://10.0.0.1/"}, "url"),
        ({"url": "http://169.254.169.254/latest/meta-data/"}, "url"),
        ({"url": "http://[::ffff:192.168.0.1]/"}, "url"),
        ({"url": "http://0x0a000001/"}, "url"),
    ],
)
def test_what_cannot_be_is_refused_and_says_what_was_expected(
    sandbox: WebhookSandbox, asked: dict, where: str
) -> None:
    answer = sandbox.ask("POST", "/webhooks", asked)
    assert (answer.status_code, answer.json["error"]["where"]) == (400, where)
    assert answer.json["error"]["expected"]
    for secret in ("hush", "0" * 63, "x" * 64):
        assert secret not in answer.text
    assert sandbox.ask("GET", "/webhooks").json == {"webhooks": []}


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("/notices?failed=perhaps", "failed"),
        ("/notices?limit=0", "limit"),
        ("/notices?limit=501", "limit"),
        ("/notices?limit=all", "limit"),
        ("/inbox?count=-1", "count"),
        ("/inbox?count=501", "count"),
        ("/inbox?wait=soon", "wait"),
        ("/inbox?wait=2m", "wait"),
    ],
)
def test_an_invalid_query_is_refused(sandbox: WebhookSandbox, path: str, where: str) -> None:
    answer = sandbox.ask("GET", path)
    assert (answer.status_code, answer.json["error"]["where"]) == (400, where)


def test_private_addresses_are_taken_where_the_server_allows_it(tmp_path) -> None:
    gateway = Gateway(tmp_path / "data", allow_private_webhooks=True)
    made = WebhookSandbox(gateway, with_endpoint=False).webhook(
        "http://10.0.0.1/", skip_activation=True
    )
    gateway.close()
    assert made["active"]


# fmt: off
OPEN_TO_OTHERS = (
    {"host": "0.0.0.0"},
    {"public_url": "https://pay.example/"},
    {"public_acs_url": "https://acs.example/"},
)
LOOPBACK_NAMES = (
    "127.0.0.1", "127.8.9.10", "localhost", "2130706433", "0x7f.1", "127.1", "[::1]",
    "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[64:ff9b::7f00:1]", "0.0.0.0", "0", "[::]",
)
# fmt: on


@pytest.mark.parametrize("settings", OPEN_TO_OTHERS, ids=str)
def test_loopback_is_refused_where_others_can_reach_the_server(tmp_path, settings: dict) -> None:
    gateway = Gateway(tmp_path / "data", **settings)
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    answers = {
        host: sandbox.ask("POST", "/webhooks", {"url": f"http://{host}:9/"})
        for host in LOOPBACK_NAMES
    }
    gateway.close()
    taken = [host for host, answer in answers.items() if answer.status_code != 400]
    assert not taken
    assert {answer.json["error"]["where"] for answer in answers.values()} == {"url"}


@pytest.mark.parametrize("settings", OPEN_TO_OTHERS, ids=str)
def test_no_notification_reaches_loopback_where_others_can_reach_the_server(
    tmp_path, settings: dict
) -> None:
    gateway = Gateway(tmp_path / "data", **settings)
    sandbox = WebhookSandbox(gateway, with_endpoint=False)
    sandbox.arm("pending-then-approved")
    with sink() as server:
        sandbox.pay(notificationUrl=server.url)
        sandbox.advance("2m")
        assert server.requests == []
    (notice,) = sandbox.notices()
    gateway.close()
    assert "is no public address" in str(notice)


def test_a_sandbox_sends_no_events_of_another(gateway: Gateway) -> None:
    one, other = WebhookSandbox(gateway), WebhookSandbox(gateway)
    one.pay()
    one.ask("POST", "/drain", {})
    assert len(one.inbox(1)) == 1
    assert other.inbox() == []
    assert other.ask("GET", f"/webhooks/{one.endpoint['id']}").status_code == 404


def test_the_control_api_of_webhooks_needs_the_control_key(sandbox: WebhookSandbox) -> None:
    for path in ("/webhooks", "/notices", "/inbox"):
        answer = sandbox.gateway.client.simulate_get(
            f"/_sandbox/v1/sandboxes/{sandbox.made['id']}{path}"
        )
        assert answer.status_code == 401
