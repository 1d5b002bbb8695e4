"""The client of the API: what it puts on the wire and what it makes of the answer."""

import json
import socket
import threading
from collections.abc import Iterator
from http.client import HTTPException, IncompleteRead
from typing import Any, BinaryIO

import pytest

from simulator.client import (
    Answer,
    Client,
    Connection,
    Control,
    ControlError,
    OutgoingRequest,
    SendRequest,
    form_of,
)


@pytest.fixture(scope="module")
def hung_up() -> threading.Event:
    """Set when the server has closed a connection on its own account."""
    return threading.Event()


@pytest.fixture(scope="module")
def base_url(hung_up: threading.Event) -> Iterator[str]:
    """Where a server listens that answers with what it was sent, connection by connection."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=serve, args=(listener, hung_up), daemon=True).start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/"


def serve(listener: socket.socket, hung_up: threading.Event) -> None:
    for peer in range(100):
        try:
            link, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=echo, args=(link, peer, hung_up), daemon=True).start()


def echo(link: socket.socket, peer: int, hung_up: threading.Event) -> None:
    with link, link.makefile("rwb") as stream:
        while sent := request_on(stream):
            content = (
                b"" if "silent" in sent["path"] else json.dumps(sent | {"peer": peer}).encode()
            )
            status = b"404 Not Found" if "missing" in sent["path"] else b"200 OK"
            head = b"HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n" % (status, len(content))
            stream.write(head + content)
            stream.flush()
            if "closing" in sent["path"]:
                link.shutdown(socket.SHUT_RDWR)
                hung_up.set()
                return


def request_on(stream: BinaryIO) -> dict[str, Any]:
    """One request as it was read, or nothing when the other side has gone."""
    line = stream.readline().decode("latin-1").split()
    if not line:
        return {}
    headers = {}
    while field := stream.readline().decode("latin-1").strip():
        name, _, value = field.partition(":")
        headers[name.lower()] = value.strip()
    body = stream.read(int(headers.get("content-length", 0))).decode("latin-1")
    return {"method": line[0], "path": line[1], "headers": headers, "body": body}


@pytest.fixture
def client(base_url: str) -> Iterator[Client]:
    client = Client(base_url, "a-token", "8" * 32)
    yield client
    client.close()


def test_a_post_carries_token_entity_and_an_encoded_form(client: Client) -> None:
    sent = client.post("v1/payments", {"card.holder": "Jörg M", "a[b]": "&"}).body
    assert sent["path"] == "/v1/payments"
    assert sent["headers"]["authorization"] == "Bearer a-token"
    assert sent["headers"]["content-type"].startswith("application/x-www-form-urlencoded")
    assert sent["body"] == f"entityId={'8' * 32}&card.holder=J%C3%B6rg+M&a%5Bb%5D=%26"


def test_an_entity_that_is_named_is_not_replaced(client: Client) -> None:
    assert client.post("v1/payments", {"entityId": "other"}).body["body"] == "entityId=other"


def test_pairs_keep_their_order_and_their_repetitions() -> None:
    assert form_of([("b", "1"), ("a", "2"), ("b", "1")]) == b"b=1&a=2&b=1"


@pytest.mark.parametrize("verb", ["get", "delete"])
def test_a_read_and_a_removal_carry_their_entity_in_the_query(client: Client, verb: str) -> None:
    sent = getattr(client, verb)("v1/payments/1", {"testMode": "INTERNAL"}).body
    assert sent["path"] == f"/v1/payments/1?entityId={'8' * 32}&testMode=INTERNAL"
    assert sent["body"] == ""


def test_a_header_may_be_replaced_or_left_out(client: Client) -> None:
    headers = client.request("GET", "x", headers={"Authorization": None, "X-A": "b"}).body[
        "headers"
    ]
    assert "authorization" not in headers
    assert headers["x-a"] == "b"


def test_requests_share_one_connection(client: Client) -> None:
    assert client.get("a").body["peer"] == client.get("b").body["peer"]


def test_other_credentials_use_the_same_connection(client: Client) -> None:
    other = client.with_credentials("b-token", "9" * 32)
    assert other.get("a").body["peer"] == client.get("a").body["peer"]
    assert other.get("a").body["headers"]["authorization"] == "Bearer b-token"
    assert client.token == "a-token"


def test_a_connection_the_other_side_closed_is_opened_again(
    client: Client, hung_up: threading.Event
) -> None:
    first = client.get("closing").body["peer"]
    assert hung_up.wait(5)
    assert client.get("again").body["peer"] != first


def test_an_answer_without_a_body_has_none(client: Client) -> None:
    answer = client.get("silent")
    assert (answer.status, answer.body, answer.code, answer.id) == (200, None, "", "")


def test_an_answer_is_read_by_path() -> None:
    items = [{"name": "Book"}]
    result = {"code": "000.100.110", "description": "taken", "parameterErrors": [{"name": "x"}]}
    body = {"id": "8a", "result": result, "cart": {"items": items}, "custom": {"a.b": "c"}}
    answer = Answer(200, {}, body)
    assert (answer.id, answer.code, answer.description) == ("8a", "000.100.110", "taken")
    assert answer.parameter_errors == [{"name": "x"}]
    assert answer.at("cart.items[0].name") == "Book"
    assert answer.at("custom[a.b]") == "c"
    assert answer.at("cart.items[1].name") is None
    assert answer.at("cart.items.name") is None


def test_control_sends_its_key_and_json(base_url: str) -> None:
    control = Control(f"{base_url}_sandbox/v1/", "a-key")
    sent = control.create_sandbox(profile="field")
    control.close()
    assert sent["path"] == "/_sandbox/v1/sandboxes"
    assert sent["headers"]["authorization"] == "Bearer a-key"
    assert json.loads(sent["body"]) == {"profile": "field"}


def test_a_script_is_armed_with_its_match_and_times(base_url: str) -> None:
    control = Control(f"{base_url}_sandbox/v1/", "a-key")
    sent = control.arm_script("box", "decline", match={"amount": "1.00"}, times=2)
    control.close()
    assert sent["path"] == "/_sandbox/v1/sandboxes/box/scripts"
    assert json.loads(sent["body"]) == {
        "behaviour": "decline",
        "match": {"amount": "1.00"},
        "times": 2,
    }


def test_what_control_refuses_is_raised(base_url: str) -> None:
    control = Control(f"{base_url}_sandbox/v1/", "a-key")
    with pytest.raises(ControlError, match="GET sandboxes/missing was answered with status 404"):
        control.sandbox("missing")
    control.close()


@pytest.mark.parametrize(
    ("head", "body", "found"),
    [
        pytest.param("Content-Length: 3000", b"[" * 3000, bytes, id="deep"),
        pytest.param("Content-Length: 9000", b"9" * 9000, bytes, id="digits"),
        pytest.param("Content-Length: 10001", b"a" * 10_001, HTTPException, id="long"),
        pytest.param("Connection: close", b"a" * 10_001, HTTPException, id="no length"),
        pytest.param(
            "Transfer-Encoding: chunked",
            b"400\r\n" + b"a" * 1024 + b"\r\n",
            IncompleteRead,
            id="cut",
        ),
        pytest.param(
            "Transfer-Encoding: chunked",
            (b"400\r\n" + b"a" * 1024 + b"\r\n") * 11,
            HTTPException,
            id="chunks",
        ),
        pytest.param("Content-Length: 9", b"[1]", HTTPException, id="short"),
        pytest.param("Content-Length: 3", b"[1]", list, id="whole"),
    ],
)
def test_no_answer_of_a_server_ends_its_client(head: str, body: bytes, found: type) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answer = f"HTTP/1.1 200 OK\r\n{head}\r\n\r\n".encode() + body
        threading.Thread(target=answer_once, args=(listener, answer), daemon=True).start()
        address = f"http://127.0.0.1:{listener.getsockname()[1]}/"
        connection = Connection(address, bytes_max=10_000)
        try:
            came = type(connection.ask("GET", "", headers={}).body)
        except HTTPException as error:
            came = type(error)
        finally:
            connection.close()
    assert came is found


def answer_once(listener: socket.socket, answer: bytes) -> None:
    link, _ = listener.accept()
    with link:
        link.recv(4096)
        link.sendall(answer)


def test_who_stands_around_a_connection_sees_each_request_and_sends_it(base_url: str) -> None:
    seen = []

    def twice(asked: OutgoingRequest, send: SendRequest) -> Answer:
        first = send()
        seen.append((asked.base_url, asked.method, asked.path, asked.body, first.status))
        return send()

    client = Client(base_url, "t", "e", around=twice)
    answer = client.on_own_connection().with_credentials("u", "f").post("v1/payments", {"a": "b"})
    assert seen == [(base_url, "POST", "v1/payments", b"entityId=f&a=b", 200)]
    assert answer.at("headers.authorization") == "Bearer u"
    client.close()


def test_who_stands_around_control_sees_what_it_refuses(base_url: str) -> None:
    seen = []

    def watching(asked: OutgoingRequest, send: SendRequest) -> Answer:
        answer = send()
        seen.append((asked.path, answer.status))
        return answer

    with pytest.raises(ControlError):
        Control(base_url, "k", around=watching).script("s", "missing")
    assert seen == [("sandboxes/s/scripts/missing", 404)]
