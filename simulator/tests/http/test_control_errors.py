"""The control API says no in the same way everywhere: wrong key 401, unknown sandbox 404."""

from urllib.parse import urlsplit

import pytest

from simulator.tests.kit.gateway import CONTROL_KEY, Gateway
from simulator.web.control.access import VALUES_MAX
from simulator.web.control.description.openapi import control_openapi_document
from simulator.web.control.inbox import COMMAS_MAX, EVENT_BYTES_MAX

UNKNOWN = "8" + "0" * 31
PATHS = control_openapi_document()["paths"]
CALLS = [
    (method, path) for path, item in PATHS.items() for method in item if method != "parameters"
]
# Every client that knows its address may post there; the key in it is the permission.
OPEN = ("post", "/sandboxes/{id}/inbox/{key}")


def filled(path: str, sandbox: str) -> str:
    """The path with this sandbox and unknown ids."""
    names = (
        "script",
        "payment",
        "endpoint",
        "notice",
        "key",
        "ndc",
        "merchant",
        "channel",
        "token",
        "checkout",
        "terminal",
        "person",
        "run",
        "account",
        "held",
    )
    return path.format(id=sandbox, **dict.fromkeys(names, UNKNOWN))


@pytest.mark.parametrize(("method", "path"), [each for each in CALLS if each != OPEN])
def test_a_wrong_key_opens_nothing(gateway: Gateway, method: str, path: str) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    url = f"/_sandbox/v1{filled(path, made['id'])}"
    others = gateway.control("POST", "/sandboxes", {}).json["control_key"]

    for key in (None, "Basic eDp5", "Bearer wrong", f"Bearer {made['token']}", f"Bearer {others}"):
        headers = {} if key is None else {"Authorization": key}
        answer = gateway.client.simulate_request(method.upper(), url, headers=headers)
        assert (answer.status_code, answer.json["result"]["code"]) == (401, "800.900.300")
        challenge = answer.headers["www-authenticate"]
        assert challenge.startswith('Bearer realm="sandgate"')
        assert ("invalid_token" in challenge) == bool(headers)


@pytest.mark.parametrize(("method", "path"), [each for each in CALLS if "{id}" in each[1]])
def test_an_unknown_sandbox_is_404(gateway: Gateway, method: str, path: str) -> None:
    answer = gateway.control(method.upper(), filled(path, UNKNOWN), {})

    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("method", "path", "missing"),
    [
        ("POST",   "/notices/{notice}/resend",              "no webhook event has the id"),
        ("DELETE", "/webhooks/{endpoint}",                  "no webhook endpoint has the id"),
        ("GET",    "/merchants/{merchant}",                 "no merchant, channel or token has"),
        ("GET",    "/merchants/{merchant}/channels/{channel}", "no merchant, channel or token has"),
        ("GET",    "/payments/{payment}/trace",             "no payment, checkout or request has"),
        ("GET",    "/journal/{ndc}",                        "no exchange has the ndc"),
        ("DELETE", "/scripts/{script}",                     "no script has the id"),
    ],
)  # fmt: skip
def test_an_unknown_id_is_answered_with_what_none_has(
    gateway: Gateway, method: str, path: str, missing: str
) -> None:
    # A webhook event that is unknown was answered with its id alone, which said nothing.
    made = gateway.control("POST", "/sandboxes", {}).json

    answer = gateway.control(method, filled(f"/sandboxes/{{id}}{path}", made["id"]), {})

    assert answer.status_code == 404
    assert missing in answer.json["resultDetails"]["ExtendedDescription"]


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'"x"', b'{"profile": "unknown"}', b'{"overrides": {"D-00": "x"}}', b"\xff"],
)
def test_a_document_that_cannot_be_says_what_was_expected(gateway: Gateway, body: bytes) -> None:
    answer = gateway.client.simulate_post(
        "/_sandbox/v1/sandboxes",
        headers={"Authorization": "Bearer control-key-of-the-tests"},
        body=body,
    )

    assert answer.status_code == 400
    assert all(answer.json["error"][part] for part in ("where", "expected", "got"))


# Bodies that no reader of JSON makes a document of, each in its own way.
RAW = [
    b"[" * 100_000 + b"]" * 100_000,
    b'{"name":' * 5000 + b"1" + b"}" * 5000,
    b'{"name":"\xe9"}',
    b"\xff",
    b"{",
    b'{"name":"\\ud800"}',
    b"\x00",
]
WRITING = [call for call in CALLS if call[0] in ("post", "put", "patch") and call != OPEN]


@pytest.mark.parametrize(("method", "path"), WRITING)
def test_bytes_that_are_no_document_never_are_a_fault(
    gateway: Gateway, method: str, path: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json
    url = f"/_sandbox/v1{filled(path, made['id'])}"
    headers = {"Authorization": f"Bearer {made['control_key']}"}
    if path == "/sandboxes" or "restore" in path:
        headers = {"Authorization": f"Bearer {CONTROL_KEY}"}
    for raw in RAW:
        answer = gateway.client.simulate_request(method.upper(), url, headers=headers, body=raw)
        assert answer.status_code < 500, (raw[:20], answer.text)
        assert answer.json["result"]["code"] if answer.status_code >= 400 else answer.json


@pytest.mark.parametrize("raw", RAW)
def test_bytes_that_are_no_event_are_kept_in_the_inbox_as_unreadable(
    gateway: Gateway, raw: bytes
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    address = urlsplit(gateway.control("GET", f"/sandboxes/{made}/inbox").json["url"]).path
    body = raw[:EVENT_BYTES_MAX]
    assert gateway.client.simulate_post(address, body=body).status_code == 400
    (arrived,) = gateway.control("GET", f"/sandboxes/{made}/inbox").json["arrived"]
    assert arrived["error"] and arrived["type"] is None


@pytest.mark.parametrize(
    "raw", [b"x" * (EVENT_BYTES_MAX + 1), b'{"type":"x","a":[%b0]}' % (b"0," * (COMMAS_MAX + 1))]
)
def test_a_message_that_others_would_wait_for_is_refused_by_the_inbox(
    gateway: Gateway, raw: bytes
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    address = urlsplit(gateway.control("GET", f"/sandboxes/{made}/inbox").json["url"]).path
    assert gateway.client.simulate_post(address, body=raw).status_code == 413
    assert gateway.control("GET", f"/sandboxes/{made}/inbox").json["arrived"] == []


@pytest.mark.parametrize("values", [b"1", b"[]", b"{}", b'"a,b"', b"[[]]"])
def test_a_document_with_values_that_others_would_wait_for_is_413(
    gateway: Gateway, values: bytes
) -> None:
    signs = sum(map((b"," + values).count, (b",", b"[", b"{")))
    most = (VALUES_MAX - 1) // signs
    headers = {"Authorization": f"Bearer {CONTROL_KEY}"}
    answers = [
        gateway.client.simulate_post(
            "/_sandbox/v1/sandboxes", headers=headers, body=b'{"x":[%b]}' % b",".join([values] * n)
        )
        for n in (most, most + 1)
    ]

    assert [each.status_code for each in answers] == [400, 413]
    assert [each.json["result"]["code"] for each in answers] == ["200.300.404", "200.100.103"]
    assert f"values in the body: expected at most {VALUES_MAX}" in answers[1].text


@pytest.mark.parametrize("path", ["/sandboxes", "/sandboxes/{id}/clock/advance"])
def test_a_coded_document_is_415(gateway: Gateway, path: str) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    headers = {"Authorization": f"Bearer {CONTROL_KEY}", "Content-Encoding": "gzip"}
    url = f"/_sandbox/v1{filled(path, made)}"

    answer = gateway.client.simulate_post(url, headers=headers, body=b"\x1f\x8b")

    assert (answer.status_code, answer.json["result"]["code"]) == (415, "200.100.103")


@pytest.mark.parametrize(
    ("match", "where"),
    [
        ({"brand": "VIZA"}, "match.brand"),
        ({"amount": {"min": "2.00", "max": "1.00"}}, "match.amount.min"),
    ],
)
def test_a_script_that_nothing_can_match_is_refused_with_the_reason(
    gateway: Gateway, match: dict, where: str
) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    document = {"behaviour": "decline", "match": match}

    answer = gateway.control("POST", f"/sandboxes/{made}/scripts", document)

    assert (answer.status_code, answer.json["error"]["where"]) == (400, where)
    assert gateway.control("GET", f"/sandboxes/{made}/scripts").json == {"scripts": []}


@pytest.mark.parametrize(
    ("document", "where", "expected", "got"),
    [
        ({"profile": "unknown"}, "profile", "one of specification, field", "'unknown'"),
        ({"overrides": {"D-00": "x"}}, "overrides", "the number of a decision", "'D-00'"),
        ({"overrides": {"D-14": "x"}}, "overrides.D-14", "one of specification, field", "'x'"),
    ],
)
def test_a_choice_that_does_not_exist_is_named(
    gateway: Gateway, document: dict, where: str, expected: str, got: str
) -> None:
    error = gateway.control("POST", "/sandboxes", document).json["error"]

    assert (error["where"], error["got"]) == (where, got)
    assert error["expected"].startswith(expected)


def test_the_error_for_a_script_without_a_behaviour_names_what_it_needs(gateway: Gateway) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]

    error = gateway.control("POST", f"/sandboxes/{made}/scripts", {"times": 1}).json["error"]

    assert error["where"] == "behaviour"
    assert error["expected"] == "the name of a behaviour, or one inline with its steps"


def test_an_unknown_member_is_named(gateway: Gateway) -> None:
    error = gateway.control("POST", "/sandboxes", {"profil": "field"}).json["error"]
    assert (error["where"], error["got"]) == ("profil", "unknown field 'profil'")


def test_a_member_of_another_kind_is_reported_with_what_came(gateway: Gateway) -> None:
    error = gateway.control("POST", "/sandboxes", {"merchants": "one"}).json["error"]
    assert (error["expected"], error["got"]) == ("a list of 1 to 100 entries", "'one'")


@pytest.mark.parametrize("host", ["a..b", "x" * 64 + ".example", ".example"])
def test_a_host_that_cannot_be_is_no_webhook(gateway: Gateway, host: str) -> None:
    made = gateway.control("POST", "/sandboxes", {}).json["id"]
    answer = gateway.control("POST", f"/sandboxes/{made}/webhooks", {"url": f"http://{host}/"})
    assert answer.status_code == 400
