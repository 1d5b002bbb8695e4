"""The order of errors, line by line: a request that is wrong in several ways gets the first of
them.

TLS, route, method, header, token, throttle, size and encoding, entity, parameters, unknown id,
state, acquirer.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from falcon.testing import Result

from simulator.catalogue.fields.limits import PARAMETERS_MAX
from simulator.tests.kit.gateway import CONTROL_KEY, FORM, Gateway

OTHER_ENTITY = "8" + "f" * 31
UNKNOWN = "8" + "0" * 31
ONE_A_DAY = {"operation": "*", "scope": "merchant", "limit": 1, "window_s": 86400}


class Wrongs:
    """A request with every wrong at once, of which the test corrects one after the other."""

    def __init__(self, gateway: Gateway):
        self.gateway = gateway
        self.scheme = "http"
        self.method = "PUT"
        self.path = f"/v1/refunds/{UNKNOWN}"
        self.headers = {"Content-Type": FORM}
        self.sent = (
            "entityId="
            + OTHER_ENTITY
            + "&paymentType=CP&amount=1.0&currency=eur&a="
            + "&a=" * PARAMETERS_MAX
        )

    def ask(self) -> tuple[int, str]:
        """Status and result code of the answer."""
        answer: Result = self.gateway.client.simulate_request(
            self.method, self.path, headers=self.headers, body=self.sent, protocol=self.scheme
        )
        return answer.status_code, answer.json["result"]["code"]


def throttle(gateway: Gateway, table: object) -> None:
    """Give the default sandbox another throttle table."""
    here = {"protocol": "https", "headers": {"Authorization": f"Bearer {CONTROL_KEY}"}}
    prefix = "/_sandbox/v1/sandboxes"
    identity = gateway.client.simulate_get(prefix, **here).json["sandboxes"][0]["id"]
    put = gateway.client.simulate_put(
        f"{prefix}/{identity}/throttle", json={"throttle": table}, **here
    )
    assert put.status_code == 200


@pytest.fixture
def strict(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway that requires TLS."""
    made = Gateway(tmp_path / "data", require_tls=True)
    yield made
    made.close()


def test_the_first_wrong_decides(strict: Gateway) -> None:
    request = Wrongs(strict)
    assert request.ask() == (400, "200.100.199")
    request.scheme = "https"
    assert request.ask() == (404, "200.300.404")
    request.path = f"/v1/payments/{UNKNOWN}"
    assert request.ask() == (405, "200.300.403")
    request.method = "POST"
    assert request.ask() == (401, "800.900.300")
    request.headers["Authorization"] = "Bearer unknown"
    assert request.ask() == (403, "800.900.300")
    request.headers["Authorization"] = f"Bearer {strict.merchant.token}"
    throttle(strict, {"name": "one a day", "limits": [ONE_A_DAY]})
    request.ask()
    assert request.ask() == (429, "800.120.100")
    throttle(strict, "off")
    assert request.ask() == (413, "200.100.103")
    request.sent = request.sent[: request.sent.index("&a=")]
    request.headers["Content-Encoding"] = "gzip"
    assert request.ask() == (415, "200.100.103")
    del request.headers["Content-Encoding"]
    assert request.ask() == (403, "800.900.300")
    request.sent = request.sent.replace(OTHER_ENTITY, strict.merchant.entity_id)
    assert request.ask() == (400, "200.300.404")
    request.sent = request.sent.replace("1.0", "1.00").replace("eur", "EUR")
    assert request.ask() == (404, "700.400.510")
    payment = strict.client.simulate_post(
        "/v1/payments",
        protocol="https",
        headers=request.headers,
        body=f"entityId={strict.merchant.entity_id}&paymentType=PA&amount=0.50&currency=EUR"
        "&card.number=4200000000000000&card.expiryMonth=05&card.expiryYear=2034",
    )
    request.path = f"/v1/payments/{payment.json['id']}"
    assert request.ask() == (400, "700.400.100")
    request.sent = (
        request.sent.replace("1.00", "0.50") + "&customParameters[forceResultCode]=800.100.152"
    )
    assert request.ask() == (400, "800.100.152")
    request.sent = request.sent.replace("800.100.152", "000.100.110")
    assert request.ask() == (200, "000.100.110")


@pytest.mark.parametrize(
    ("header", "status"),
    [
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer ", 401),
        ("Basic abc", 401),
        ("Bearer two words", 401),
        ("Bearer a,b", 401),
        ("Bearer unknown", 403),
        ("bearer unknown", 403),
        ("bEARER unknown", 403),
        ("BEARER unknown", 403),
        ("bEARER  a,b", 401),
    ],
)
def test_a_bad_header_is_401_and_a_bad_token_403(
    gateway: Gateway, header: str | None, status: int
) -> None:
    headers = {} if header is None else {"Authorization": header}
    answer = gateway.client.simulate_get(f"/v1/payments/{UNKNOWN}", headers=headers)
    assert answer.status_code == status
    assert ("WWW-Authenticate" in answer.headers) == (status == 401)
