"""Which sandbox a request is for, before it is routed."""

from base64 import b64encode
from io import BytesIO
from urllib.parse import urlencode

import pytest

from simulator.adapters.fleet.places import CONSOLE, place_of
from simulator.domain.checkouts.ids import new_checkout_id
from simulator.domain.merchants.tokens import token_hash
from simulator.tests.kit.twins import SeededIds

TOKEN, SANDBOX = "abcdef0123456789", "8a" + "7" * 30
OTHER = "8b" + "6" * 30
CHECKOUT = new_checkout_id(SANDBOX, SeededIds(1))
LOGIN = {"authentication.userId": "merchant", "authentication.password": TOKEN}


def find(key: str) -> str | None:
    return SANDBOX if key == token_hash(TOKEN) else None


def request(path: str, token: str | None = None, *, query: str = "", body: str = "") -> dict:
    environ = {"PATH_INFO": path, "QUERY_STRING": query, "wsgi.input": BytesIO(body.encode())}
    return environ if token is None else environ | {"HTTP_AUTHORIZATION": f"Bearer {token}"}


CROWD = "a=1&" * 2000
BOTH = b64encode(f"merchant|{TOKEN}".encode()).decode()


@pytest.mark.parametrize(
    ("environ", "place"),
    [
        (request("/v1/payments", TOKEN), SANDBOX),
        (request("/v1/payments/8a", TOKEN), SANDBOX),
        (request("/v1/payments", "unknown"), None),
        (request("/v1/payments", BOTH), SANDBOX),
        (request("/v1/payments", body=urlencode(LOGIN)), SANDBOX),
        (request("/v1/payments/8a", query=urlencode(LOGIN)), SANDBOX),
        (request("/v1/payments", body=urlencode(LOGIN).replace(".", "%2E")), SANDBOX),
        (request("/v1/payments", body=urlencode(LOGIN).replace("password", "%70assword")), SANDBOX),
        (request("/v1/payments", body=CROWD + urlencode(LOGIN)), SANDBOX),
        (request("/v1/payments", body="amount=92.00"), None),
        (request(f"/v1/checkouts/{CHECKOUT}/payment", TOKEN), SANDBOX),
        (request(f"/v1/checkouts/{CHECKOUT}/payment"), SANDBOX),
        (request(f"/checkouts/{CHECKOUT}/payment"), SANDBOX),
        (request("/v1/checkouts/none/payment"), None),
        (request(f"/form/{CHECKOUT}"), SANDBOX),
        (request("/form/relay"), None),
        (request(f"/redirect/{OTHER}/8a/secret"), OTHER),
        (request(f"/threeDSecure/{OTHER}/8a/return"), OTHER),
        (request(f"/_sandbox/v1/sandboxes/{OTHER}"), OTHER),
        (request(f"/_sandbox/v1/sandboxes/{OTHER}/clock/advance", TOKEN), OTHER),
        (request("/_sandbox/v1/sandboxes", TOKEN + "x"), None),
        (request("/_sandbox/v1/people/mara"), CONSOLE),
        (request("/console"), CONSOLE),
        (request("/console/sandboxes/8a"), CONSOLE),
        (request("/try/decline"), CONSOLE),
        (request("/consoles"), None),
        (request("/openapi.json", TOKEN), SANDBOX),
        (request("/openapi.json"), None),
        (request("/docs/openapi.json", TOKEN), SANDBOX),
        (request("/_sandbox/ready", TOKEN), None),
        (request("/_sandbox/metrics", TOKEN), None),
    ],
)
def test_a_request_is_for_one_sandbox_or_for_any_member(environ: dict, place: str | None) -> None:
    assert place_of(environ, find) == place


def test_the_body_of_a_request_can_be_read_afterwards() -> None:
    environ = request("/v1/payments", body=urlencode(LOGIN))
    place_of(environ, find)
    assert environ["wsgi.input"].read() == urlencode(LOGIN).encode()
