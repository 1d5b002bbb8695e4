"""The gateway's own pages: what they lead to, what they show to whom, that no frame has them."""

import re
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from simulator.derive.openapi.trial import LINES
from simulator.tests.kit.gateway import CONTROL_KEY, Gateway
from simulator.tests.kit.running import serving

HERE = {"Host": "localhost:8080"}
PAGE = {"Accept": "text/html,application/xhtml+xml", **HERE}
PAGES = ["/", "/docs", "/_sandbox/docs", "/reference"]


def test_a_program_is_led_to_the_descriptions(gateway: Gateway) -> None:
    answer = gateway.client.simulate_get("/", headers={"Accept": "application/json", **HERE})

    assert answer.json["result"]["code"] == "000.000.100"
    for url in answer.json["links"].values():
        path = re.sub("^https?://[^/]+", "", url)
        assert gateway.client.simulate_get(path, headers=HERE).status_code < 400, path


def test_a_person_gets_a_page_with_a_first_payment_to_paste(gateway: Gateway) -> None:
    page = gateway.client.simulate_get("/", headers=PAGE)

    assert page.headers["content-type"].startswith("text/html")
    assert gateway.merchant.token in page.text and gateway.merchant.entity_id in page.text
    assert CONTROL_KEY not in page.text


@pytest.mark.parametrize("settings", [{"host": "0.0.0.0"}, {"public_url": "https://pay.example/"}])
@pytest.mark.parametrize("path", PAGES)
def test_no_page_shows_credentials_where_other_machines_reach_it(
    tmp_path: Path, settings: dict, path: str
) -> None:
    gateway = Gateway(tmp_path / "data", **settings)
    try:
        page = gateway.client.simulate_get(path, headers=PAGE)
        assert page.status_code == 200
        for secret in (gateway.merchant.token, gateway.live.token, CONTROL_KEY):
            assert secret not in page.text
    finally:
        gateway.close()


@pytest.mark.parametrize("path", PAGES)
def test_no_other_site_may_frame_a_page(gateway: Gateway, path: str) -> None:
    page = gateway.client.simulate_get(path, headers=PAGE)

    assert "frame-ancestors 'none'" in page.headers["content-security-policy"]


def test_the_page_to_try_the_api_has_a_request_for_each_use_case(gateway: Gateway) -> None:
    headers = {"Authorization": f"Bearer {gateway.merchant.token}"}
    document = gateway.client.simulate_get("/docs/openapi.json", headers=headers).json

    operations = [each for item in document["paths"].values() for each in item.values()]
    forms = [each["requestBody"]["content"][LINES] for each in operations if "requestBody" in each]
    assert all(form["schema"] == {"type": "string"} and form["examples"] for form in forms)
    for example in (each for form in forms for each in form["examples"].values()):
        lines = example["value"].splitlines()
        assert lines[0] == f"entityId={gateway.merchant.entity_id}"
        assert len(lines) < 30


@pytest.mark.parametrize(
    ("name", "code"),
    [("pay", "000.100.110"), ("decline", "800.100.203"), ("challenge", "100.390.")],
)
def test_a_button_takes_a_first_payment_and_draws_it(
    gateway: Gateway, name: str, code: str
) -> None:
    assert f'formaction="/try/{name}"' in gateway.client.simulate_get("/", headers=PAGE).text

    page = gateway.client.simulate_post(
        f"/try/{name}", headers={"Sec-Fetch-Site": "same-origin", **HERE}
    )

    assert page.status_code == 200
    assert f"<h1>{code}" in page.text
    assert 'src="data:image/svg+xml;base64,' in page.text
    assert gateway.merchant.token not in page.text


def test_the_button_of_a_challenge_leads_to_the_issuer(tmp_path: Path) -> None:
    with serving(tmp_path / "data") as running:
        here = running.facts["base_url"]
        asked = Request(f"{here}try/challenge", b"", {"Origin": here.rstrip("/")})
        page = urlopen(asked, timeout=20).read().decode()

    assert "<h1>000.200.000" in page
    assert "Answer as the shopper" in page


def test_challenges_share_one_sandbox(gateway: Gateway) -> None:
    for _ in range(3):
        assert gateway.client.simulate_post("/try/challenge", headers=HERE).status_code == 200
    assert len(gateway.control("GET", "/sandboxes").json["sandboxes"]) == 2


@pytest.mark.parametrize(
    "headers", [{"Origin": "https://evil.example"}, {"Sec-Fetch-Site": "cross-site"}]
)
def test_no_other_site_takes_a_first_payment(gateway: Gateway, headers: dict) -> None:
    assert gateway.client.simulate_post("/try/pay", headers={**HERE, **headers}).status_code == 403
    assert gateway.client.simulate_post("/try/everything", headers=HERE).status_code == 400
    assert gateway.client.simulate_get("/lessons/shop").status_code == 200


@pytest.mark.parametrize("host", ["evil.example", "localhost.evil.example", "127.0.0.1.example"])
def test_under_the_name_of_a_site_nothing_is_shown_or_done(gateway: Gateway, host: str) -> None:
    """Its own name may lead to this machine once its page is loaded."""
    for path in PAGES:
        page = gateway.client.simulate_get(path, headers={**PAGE, "Host": host})
        assert page.status_code == 200
        assert gateway.merchant.token not in page.text and "/try/" not in page.text
    own = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert gateway.client.simulate_post("/try/pay", headers=own).status_code == 403


def test_other_machines_take_no_first_payment(tmp_path: Path) -> None:
    gateway = Gateway(tmp_path / "data", host="0.0.0.0")
    try:
        assert "/try/" not in gateway.client.simulate_get("/", headers=PAGE).text
        assert gateway.client.simulate_post("/try/pay").status_code == 403
    finally:
        gateway.close()
