"""The gateway's own pages show the credentials that are valid when they are asked for; where none
are, how to get some. Choice: D-716.
"""

import re
from pathlib import Path

import pytest

from simulator.tests.kit.gateway import Gateway

HERE = {"Host": "localhost:8080"}
PAGE = {"Accept": "text/html", **HERE}
BUTTON = {**PAGE, "Sec-Fetch-Site": "same-origin"}
TOKENS_PAGE = "/console/{sandbox}/tokens"


def default_of(gateway: Gateway) -> tuple[str, str]:
    """The ids of the default sandbox and of its merchant."""
    (sandbox,) = gateway.control("GET", "/sandboxes").json["sandboxes"]
    return sandbox["id"], sandbox["merchants"][0]["id"]


def change_token(gateway: Gateway, deed: str, host: str = "test") -> str:
    """Do something with the merchant's token of a host; the value that a new one has."""
    sandbox, merchant = default_of(gateway)
    path = f"/sandboxes/{sandbox}/merchants/{merchant}/tokens"
    (token,) = [
        each for each in gateway.control("GET", path).json["tokens"] if each["host"] == host
    ]
    return str(gateway.control("POST", f"{path}/{token['id']}/{deed}", {}).json.get("token", ""))


def delete_default(gateway: Gateway) -> None:
    gateway.control("DELETE", f"/sandboxes/{default_of(gateway)[0]}")


def text_of(gateway: Gateway, path: str) -> str:
    answer = gateway.client.simulate_get(path, headers=PAGE)
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_a_page_shows_the_token_that_came_in_the_place_of_another(
    gateway: Gateway, path: str
) -> None:
    assert gateway.merchant.token in text_of(gateway, path)

    new = change_token(gateway, "rotate")

    text = text_of(gateway, path)
    assert new in text and gateway.merchant.token not in text


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_a_page_shows_no_suspended_token_but_where_to_get_another(
    gateway: Gateway, path: str
) -> None:
    change_token(gateway, "suspend")

    text = text_of(gateway, path)
    assert gateway.merchant.token not in text and "/try/" not in text
    assert TOKENS_PAGE.format(sandbox=default_of(gateway)[0]).lstrip("/") in text

    change_token(gateway, "activate")
    assert gateway.merchant.token in text_of(gateway, path)


@pytest.mark.parametrize("path", ["/", "/docs"])
def test_a_page_shows_no_token_of_a_deleted_sandbox_but_what_makes_another(
    gateway: Gateway, path: str
) -> None:
    delete_default(gateway)

    text = text_of(gateway, path)
    assert gateway.merchant.token not in text and "/try/" not in text
    assert gateway.merchant.entity_id not in text
    assert "sandgate sandbox create" in text


def test_another_active_token_is_shown_in_place_of_one_that_is_suspended(gateway: Gateway) -> None:
    sandbox, merchant = default_of(gateway)
    path = f"/sandboxes/{sandbox}/merchants/{merchant}/tokens"
    change_token(gateway, "suspend")
    issued = gateway.control("POST", path, {}).json["token"]

    assert issued in text_of(gateway, "/") and issued in text_of(gateway, "/docs")
    assert gateway.client.simulate_post("/try/pay", headers=BUTTON).status_code == 200


@pytest.mark.parametrize("name", ["pay", "decline"])
def test_a_button_without_an_active_token_answers_with_the_way_on(
    gateway: Gateway, name: str
) -> None:
    change_token(gateway, "suspend")

    page = gateway.client.simulate_post(f"/try/{name}", headers=BUTTON)

    assert page.status_code == 403
    assert page.headers["content-type"].startswith("text/html")
    assert "No access token is active" in page.text
    assert f'href="{TOKENS_PAGE.format(sandbox=default_of(gateway)[0])}"' in page.text
    assert 'href="/"' in page.text


def test_a_button_of_a_deleted_sandbox_answers_with_the_way_on(gateway: Gateway) -> None:
    delete_default(gateway)

    page = gateway.client.simulate_post("/try/pay", headers=BUTTON)

    assert page.status_code == 404
    assert page.headers["content-type"].startswith("text/html")
    assert "sandgate sandbox create" in page.text


@pytest.mark.parametrize(
    "behaviour",
    ["proxy-502", "answer-not-json", "answer-missing", "answer-cut", "connection-closed",
     "connection-reset-before"],
)  # fmt: skip
def test_a_button_whose_payment_has_no_usual_answer_is_answered_with_a_page(
    gateway: Gateway, behaviour: str
) -> None:
    path = f"/sandboxes/{default_of(gateway)[0]}/scripts"
    assert gateway.control("POST", path, {"behaviour": behaviour}).status_code == 201

    page = gateway.client.simulate_post("/try/pay", headers=BUTTON)

    assert page.headers["content-type"].startswith("text/html")
    assert 'href="/"' in page.text and "<h1>" in page.text


def test_a_button_whose_payment_is_throttled_says_so(gateway: Gateway) -> None:
    path = f"/sandboxes/{default_of(gateway)[0]}/throttle"
    limit = {"operation": "create_payment", "scope": "merchant", "limit": 1, "window_s": 3600}
    table = {"name": "of a test", "limits": [limit]}
    assert gateway.control("PUT", path, {"throttle": table}).status_code == 200
    for _ in range(2):
        page = gateway.client.simulate_post("/try/pay", headers=BUTTON)

    assert page.headers["content-type"].startswith("text/html")
    assert "<h1>800.120.100" in page.text and 'href="/"' in page.text


@pytest.mark.parametrize("deed", ["rotate", "suspend", "delete"])
def test_a_start_prints_no_token_that_opens_nothing(tmp_path: Path, deed: str) -> None:
    first = Gateway(tmp_path / "data", durability="os")
    new = ""
    if deed == "delete":
        delete_default(first)
    else:
        new = change_token(first, deed)
        change_token(first, deed, host="live")
    first.close()

    second = Gateway(tmp_path / "data", durability="os")
    try:
        facts = " ".join(second.access.values())
        assert first.merchant.token not in facts and first.live.token not in facts
        assert (second.access.get("token") == new) if deed == "rotate" else True
        assert ("token" in second.access) == (deed != "suspend")
        assert ("live_token" in second.access) == (deed != "suspend")
        shown = re.findall(r"[0-9a-f]{48}", text_of(second, "/"))
        assert set(shown) <= {second.access.get("token")}
    finally:
        second.close()
