"""Scripted faults of the connection, as clients of the standard library and of others meet them."""

import http.client
import json
import ssl
import subprocess
import threading
from collections.abc import Iterator
from contextlib import closing
from time import monotonic
from urllib.parse import urlencode, urlsplit

import pytest
import requests

from simulator.client.control import Control
from simulator.client.control_calls import ControlError
from simulator.client.gateway import QUIET, GatewayAccess
from simulator.client.processes import gateway_in
from simulator.client.sandbox import VISA, SandboxClient

FORM = "application/x-www-form-urlencoded"
PAYMENT = {"operation": "create_payment"}
LOST = (http.client.RemoteDisconnected, ssl.SSLEOFError)
TIMEOUT_S = 5
PATIENCE_S = 30


def transport(**steps: object) -> dict:
    return {"steps": {"transport": steps}}


@pytest.fixture(scope="module")
def access(tmp_path_factory) -> Iterator[dict]:
    with gateway_in(tmp_path_factory.mktemp("faults"), *QUIET) as facts:
        yield facts


@pytest.fixture
def shop(access) -> Iterator[SandboxClient]:
    gateway = GatewayAccess(access["base_url"], access["control_url"], access["control_key"])
    sandbox = gateway.create_sandbox()
    yield sandbox
    gateway.delete_sandbox(sandbox)


def order(shop: SandboxClient, reference: str = "order-0001", **more: str) -> bytes:
    sent = {"entityId": shop.entity_id, "merchantTransactionId": reference, **VISA, **more}
    return urlencode({"paymentType": "DB", "amount": "92.00", "currency": "EUR", **sent}).encode()


def connect(url: str) -> http.client.HTTPConnection:
    parts = urlsplit(url)
    if parts.scheme == "http":
        return http.client.HTTPConnection(parts.netloc, timeout=TIMEOUT_S)
    context = ssl._create_unverified_context()
    return http.client.HTTPSConnection(parts.netloc, timeout=TIMEOUT_S, context=context)


def pay(url: str, shop: SandboxClient, body: bytes | None = None) -> tuple[int, bytes]:
    """Status and body of the answer to a payment, on a connection of its own."""
    with closing(connect(url)) as connection:
        return pay_on(connection, shop, body)


def give_up(url: str, shop: SandboxClient, errors: list[str]) -> None:
    """Wait for the answer to a payment for two seconds."""
    with closing(connect(url)) as connection:
        connection.timeout = 2
        try:
            pay_on(connection, shop)
        except OSError as error:
            errors.append(type(error).__name__)


def pay_on(
    connection: http.client.HTTPConnection, shop: SandboxClient, body: bytes | None = None
) -> tuple[int, bytes]:
    headers = {"Authorization": f"Bearer {shop.token}", "Content-Type": FORM}
    connection.request("POST", "/v1/payments", body or order(shop), headers)
    answer = connection.getresponse()
    return answer.status, answer.read()


def stored(shop: SandboxClient, reference: str = "order-0001") -> list:
    """The payments that a merchant finds under its own number."""
    answer = shop.merchant.get("v1/query", {"merchantTransactionId": reference})
    return answer.at("payments") or []


# steps, what http.client raises, whether the request is carried out
ENDED = {
    "reset": (transport(reset={}), (ConnectionResetError,), True),
    "reset before": (transport(reset={"carried_out": False}), (ConnectionResetError,), False),
    "closed": (transport(close={}), LOST, True),
    "closed before": (transport(close={"carried_out": False}), LOST, False),
    "cut": (transport(cut={}), (http.client.HTTPException,), True),
    "missing": (transport(no_answer={"seconds": 0.2}), LOST, True),
    "missing before": (transport(no_answer={"seconds": 0.2, "carried_out": False}), LOST, False),
}


@pytest.mark.parametrize("address", ["base_url", "tls_url"])
@pytest.mark.parametrize(("steps", "error", "is_stored"), ENDED.values(), ids=ENDED)
def test_an_answer_is_lost_and_its_payment_is_stored_or_not(
    access, shop, address, steps, error, is_stored
):
    shop.arm(steps, match=PAYMENT, times=1)

    with pytest.raises(error):
        pay(access[address], shop)

    assert len(stored(shop)) == is_stored
    status, body = pay(access[address], shop, order(shop, "order-0002"))
    assert (status, json.loads(body)["result"]["code"]) == (200, "000.100.110")


# steps, status, content type is of JSON, whether the request is carried out
REPLACED = {
    "502": (transport(proxy_error={}), 502, True),
    "503": (transport(proxy_error={"status": 503, "carried_out": False}), 503, False),
    "504": (transport(proxy_error={"status": 504}), 504, True),
    "a page": (transport(not_json={}), 200, True),
}


@pytest.mark.parametrize("address", ["base_url", "tls_url"])
@pytest.mark.parametrize(("steps", "status", "is_stored"), REPLACED.values(), ids=REPLACED)
def test_a_page_arrives_in_place_of_the_answer(access, shop, address, steps, status, is_stored):
    shop.arm(steps, match=PAYMENT, times=1)

    came, body = pay(access[address], shop)

    assert (came, body[:6]) == (status, b"<html>")
    assert len(stored(shop)) == is_stored


@pytest.mark.parametrize("address", ["base_url", "tls_url"])
def test_a_slow_answer_is_whole_and_its_connection_goes_on(access, shop, address):
    shop.arm(transport(slow={"seconds": 0.5}), match=PAYMENT, times=1)

    with closing(connect(access[address])) as connection:
        began = monotonic()
        status, body = pay_on(connection, shop)
        took = monotonic() - began
        again, _ = pay_on(connection, shop, order(shop, "order-0002"))

    assert (status, json.loads(body)["result"]["code"]) == (200, "000.100.110")
    assert took >= 0.4
    assert again == 200


def test_a_slow_answer_in_pieces_is_whole_too(shop):
    shop.pay("92.00", parameters={"merchantTransactionId": "order-0001"})
    shop.arm(transport(slow={"seconds": 0.2}), match={"operation": "query_payments"})

    assert len(stored(shop)) == 1


def test_a_cut_answer_in_pieces_is_cut(shop):
    shop.arm(transport(cut={}), match={"operation": "query_payments"}, times=1)

    with pytest.raises(http.client.HTTPException):
        stored(shop)


def test_other_connections_are_served_while_an_answer_is_held_back(access, shop):
    shop.arm(transport(no_answer={"seconds": 120}), match=PAYMENT, times=1)
    errors: list[str] = []
    waiting = threading.Thread(target=give_up, args=(access["base_url"], shop, errors))
    waiting.start()
    deadline = monotonic() + PATIENCE_S
    while not stored(shop) and monotonic() < deadline:
        pass
    status, _ = pay(access["base_url"], shop, order(shop, "order-0002"))
    waiting.join(PATIENCE_S)

    assert status == 200
    assert errors == ["TimeoutError"]


def test_the_operation_and_the_turn_choose_the_request(access, shop):
    payment = shop.pay("92.00", payment_type="PA").id
    shop.arm(
        transport(reset={}), match={"operation": "refer_payment", "type": "CP", "nth": 2}, times=1
    )

    assert shop.merchant.get(f"v1/payments/{payment}").status == 200
    assert shop.refer(payment, "CP", "10.00").status == 200
    with pytest.raises(ConnectionResetError):
        shop.refer(payment, "CP", "20.00")
    assert shop.refer(payment, "CP", "30.00").status == 200


def test_a_lost_payment_is_answered_again_under_its_number(access, shop):
    merchant = shop.control.sandbox(shop.id)["merchants"][0]
    shop.control.change_channel(
        shop.id, merchant["id"], shop.entity_id, repeated_merchant_transaction_id="repeat"
    )
    shop.arm("connection-reset", match=PAYMENT, times=1)

    with pytest.raises(ConnectionResetError):
        pay(access["base_url"], shop)
    (lost,) = stored(shop)
    _, body = pay(access["base_url"], shop)

    assert json.loads(body)["id"] == lost["id"]
    assert len(stored(shop)) == 1


def test_a_refused_request_does_not_use_up_a_fault(access, shop):
    script = shop.arm("connection-reset", match=PAYMENT, times=1)

    assert shop.pay("92.001").status == 400
    assert shop.merchant.with_credentials("0" * 32, shop.entity_id).get("v1/payments").status != 200
    assert shop.control.script(shop.id, script)["asked"] == 0


def test_a_fault_is_counted_before_the_request_is_carried_out(access, shop):
    script = shop.arm("connection-reset-before", match=PAYMENT, times=1)

    with pytest.raises(ConnectionResetError):
        pay(access["base_url"], shop)

    read = shop.control.script(shop.id, script)
    assert (read["matched"], read["state"]) == (1, "used up")


def test_a_fault_of_one_sandbox_is_none_of_another(access, shop):
    shop.arm("connection-reset")
    gateway = GatewayAccess(access["base_url"], access["control_url"], access["control_key"])
    other = gateway.create_sandbox()

    assert other.pay("92.00").status == 200
    gateway.delete_sandbox(other)


def test_the_token_of_a_merchant_orders_no_fault(access, shop):
    merchant = Control(access["control_url"], shop.token)

    with pytest.raises(ControlError, match="status 401"):
        merchant.arm_script(shop.id, "connection-reset")
    merchant.close()


def test_journal_and_trace_say_what_became_of_the_answer(access, shop):
    script = shop.arm("connection-reset", match=PAYMENT, times=1)
    with pytest.raises(ConnectionResetError):
        pay(access["base_url"], shop)
    before = shop.arm("connection-reset-before", match=PAYMENT, times=1)
    with pytest.raises(ConnectionResetError):
        pay(access["base_url"], shop)

    entries = [each["transport"] for each in shop.journal() if "transport" in each]
    assert entries == [
        f"connection reset by script {before}, before the request was carried out",
        f"connection reset by script {script}, after the request was carried out",
    ]
    trace = shop.trace(stored(shop)[0]["id"])
    assert f"connection reset by script {script[:6]}..., after the request was carried" in trace


def test_curl_and_requests_report_a_reset(access, shop):
    shop.arm("connection-reset", match=PAYMENT, times=2)
    url, bearer = f"{access['base_url']}v1/payments", f"Authorization: Bearer {shop.token}"

    curl = subprocess.run(
        ["curl", "-sS", url, "-H", bearer, "-d", order(shop).decode()],
        capture_output=True,
        text=True,
        check=False,
    )
    with pytest.raises(requests.exceptions.ConnectionError):
        requests.post(
            url,
            data=order(shop),
            headers={"Authorization": f"Bearer {shop.token}", "Content-Type": FORM},
            timeout=TIMEOUT_S,
        )

    assert curl.returncode == 56
    assert len(stored(shop)) == 2
