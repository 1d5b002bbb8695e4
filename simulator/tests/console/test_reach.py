"""From where the console may be opened: this machine, https, or the proxy that was named."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from falcon.testing import Result

from simulator.tests.kit.gateway import Gateway

PROXY = "192.0.2.10"


@pytest.fixture
def public(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway that other machines reach, behind a proxy."""
    made = Gateway(tmp_path / "data", host="0.0.0.0", console_proxy=PROXY)
    yield made
    made.close()


def sign_in_page(gateway: Gateway, **asking: object) -> Result:
    """The answer to the first page."""
    headers = {"Host": "localhost", **asking.pop("headers", {})}
    return gateway.client.simulate_get("/console/sign-in", headers=headers, **asking)


@pytest.mark.parametrize(
    ("asking", "status"),
    [
        ({"remote_addr": "203.0.113.9"}, 403),
        ({"remote_addr": "127.0.0.1"}, 403),
        ({"remote_addr": "203.0.113.9", "protocol": "https"}, 200),
        ({"remote_addr": PROXY, "headers": {"X-Forwarded-Proto": "https"}}, 200),
        ({"remote_addr": PROXY}, 403),
        ({"remote_addr": PROXY, "headers": {"X-Forwarded-Proto": "http"}}, 403),
        ({"remote_addr": "203.0.113.9", "headers": {"X-Forwarded-Proto": "https"}}, 403),
    ],
)
def test_others_need_https(public: Gateway, asking: dict[str, object], status: int) -> None:
    answer = sign_in_page(public, **asking)

    assert answer.status_code == status
    assert status == 200 or "Open the console over https" in answer.text


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("localhost", 200),
        ("LOCALHOST.:8080", 200),
        ("console.localhost:8080", 200),
        ("127.0.0.1:8080", 200),
        ("[::1]:8080", 200),
        ("evil.example", 403),
        ("localhost.evil.example:8080", 403),
        ("127.0.0.1.evil.example", 403),
        ("127.0.0.1@evil.example", 403),
        ("evillocalhost", 403),
    ],
)
def test_a_name_that_may_be_that_of_a_site_opens_nothing(
    gateway: Gateway, host: str, status: int
) -> None:
    for path in ("/console/sign-in", f"/{gateway.console_path}"):
        answer = gateway.client.simulate_get(path, headers={"Host": host})
        assert answer.status_code == status
        assert status == 200 or "under its own address" in answer.text
    form = {"Host": host, "Content-Type": "application/x-www-form-urlencoded"}
    tried = gateway.client.simulate_post("/console/sign-in", headers=form, body="name=a&password=b")
    assert tried.status_code == 403 and ("No account" in tried.text) == (status == 200)


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_this_machine_needs_none(gateway: Gateway, address: str) -> None:
    assert sign_in_page(gateway, remote_addr=address).status_code == 200


def test_the_first_link_works_on_this_machine_alone(public: Gateway) -> None:
    path = f"/{public.console_path}"

    near = public.client.simulate_get(path, remote_addr="127.0.0.1", protocol="https")
    far = public.client.simulate_get(path, remote_addr="203.0.113.9", protocol="https")

    assert (near.status_code, far.status_code) == (200, 403)


def test_over_https_the_cookie_is_bound_to_it(public: Gateway) -> None:
    answer = public.client.simulate_post(
        f"/{public.console_path}",
        body="name=anna&password=correct+horse+battery",
        content_type="application/x-www-form-urlencoded",
        remote_addr="127.0.0.1",
        protocol="https",
    )

    (cookie,) = answer.cookies.values()
    assert cookie.name.startswith("__Host-") and cookie.secure
