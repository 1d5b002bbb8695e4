"""The control API says no in the same way everywhere: wrong key 401, unknown sandbox 404."""

import pytest

from simulator.derive.control_openapi import control_openapi_document
from simulator.tests.gateway import Gateway

UNKNOWN = "8" + "0" * 31
PATHS = control_openapi_document()["paths"]
CALLS = [
    (method, path) for path, item in PATHS.items() for method in item if method != "parameters"
]
# Whoever knows its address may post there; the key in it is the permission.
OPEN = ("post", "/sandboxes/{id}/inbox/{key}")


def filled(path: str, sandbox: str) -> str:
    """The path with this sandbox and made-up ids."""
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
        assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize(("method", "path"), [each for each in CALLS if "{id}" in each[1]])
def test_an_unknown_sandbox_is_404(gateway: Gateway, method: str, path: str) -> None:
    answer = gateway.control(method.upper(), filled(path, UNKNOWN), {})

    assert answer.status_code == 404


@pytest.mark.parametrize(
    "body",
    [b"{", b"[]", b'"x"', b'{"profile": "nobody"}', b'{"overrides": {"D-00": "x"}}', b"\xff"],
)
def test_a_document_that_cannot_be_says_what_was_expected(gateway: Gateway, body: bytes) -> None:
    answer = gateway.client.simulate_post(
        "/_sandbox/v1/sandboxes",
        headers={"Authorization": "Bearer control-key-of-the-tests"},
        body=body,
    )

    assert answer.status_code == 400
    assert all(answer.json["error"][part] for part in ("where", "expected", "got"))
