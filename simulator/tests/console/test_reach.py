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


@pytest.mark.parametrize("url", ["https://192.0.2.7:8443/", ""])
def test_a_refusal_leads_to_where_the_console_is_open(public: Gateway, url: str) -> None:
    public.reach.shared_url = url
    page = sign_in_page(public, remote_addr="203.0.113.9").text
    assert "Back to the console" not in page
    assert ('href="https://192.0.2.7:8443/console"' in page) == bool(url)


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


@pytest.fixture
def beside(tmp_path: Path) -> Iterator[Gateway]:
    """A gateway on loopback, with the proxy that serves its console to others beside it."""
    made = Gateway(tmp_path / "data", console_proxy="127.0.0.1")
    yield made
    made.close()


THROUGH = {"X-Forwarded-Proto": "https"}


@pytest.mark.parametrize("path", ["/", "/docs"])
@pytest.mark.parametrize("host", ["127.0.0.1:8080", "localhost", "pay.example"])
def test_others_get_no_token_through_a_proxy_on_this_machine(
    beside: Gateway, path: str, host: str
) -> None:
    headers = {"Host": host, "Accept": "text/html", **THROUGH}

    page = beside.client.simulate_get(path, headers=headers, remote_addr="127.0.0.1")

    assert page.status_code == 200 and beside.merchant.token not in page.text


def test_what_this_machine_alone_may_is_not_for_those_behind_its_proxy(beside: Gateway) -> None:
    here = {"Host": "127.0.0.1", "Origin": "http://127.0.0.1"}
    tried = beside.client.simulate_post("/try/decline", headers=here, remote_addr="127.0.0.1")
    counted = beside.client.simulate_get("/_sandbox/metrics", headers={**here, **THROUGH})
    plain = sign_in_page(beside, remote_addr="127.0.0.1")

    assert (tried.status_code, counted.status_code, plain.status_code) == (403, 401, 403)


@pytest.mark.parametrize(
    "said", [THROUGH, {"X-Forwarded-For": "203.0.113.9"}, {"Forwarded": "for=x"}]
)
def test_no_one_behind_a_proxy_makes_the_first_administrator(
    beside: Gateway, said: dict[str, str]
) -> None:
    path, near = f"/{beside.console_path}", {"remote_addr": "127.0.0.1", "protocol": "https"}

    far = beside.client.simulate_get(path, headers={"Host": "127.0.0.1", **said}, **near)

    assert far.status_code == 403
    assert (
        beside.client.simulate_get(path, headers={"Host": "127.0.0.1"}, **near).status_code == 200
    )


PASSED_ON = ["X-Forwarded-Proto", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP", "Forwarded",
             "Via"]  # fmt: skip


@pytest.mark.parametrize("name", PASSED_ON)
def test_a_tunnel_that_no_setting_names_leads_others_nowhere(gateway: Gateway, name: str) -> None:
    """It may write a name of this machine into Host, as it has to for this gateway."""
    headers = {"Host": "localhost", "Accept": "text/html", name: "https"}

    pages = [gateway.client.simulate_get(path, headers=headers) for path in ("/", "/docs")]
    console = sign_in_page(gateway, headers={name: "https"}, remote_addr="127.0.0.1")
    tried = gateway.client.simulate_post(
        "/try/pay", headers={**headers, "Origin": "http://localhost"}
    )

    assert all(gateway.merchant.token not in page.text for page in pages)
    assert (console.status_code, tried.status_code) == (403, 403)
    assert "name your proxy" in console.text
