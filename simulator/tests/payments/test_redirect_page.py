"""The redirect page over HTTP: for shoppers, for programs, and what it may not do."""

import re
from base64 import b64encode
from hashlib import sha256
from html import unescape
from types import SimpleNamespace
from urllib.parse import parse_qs, urlsplit

import pytest

from simulator.domain.core.records import State
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.shopper import BROWSER, Shopper, a_shopper, back_for, path_of, trace_of
from simulator.web.http.way_back import returning_page


@pytest.fixture
def shopper(gateway: Gateway) -> Shopper:
    """A shopper at a merchant whose clock stands still."""
    return a_shopper(gateway)


def test_the_answer_of_a_redirected_payment_says_where_to_go(shopper: Shopper) -> None:
    payment = shopper.pays(merchantTransactionId="order-4711")

    assert payment["result"]["code"] == "000.200.000"
    assert payment["result"]["description"] == "transaction pending"
    assert (payment["paymentBrand"], payment["amount"]) == ("EPS", "92.00")
    (parameter,) = payment["redirect"]["parameters"]
    assert parameter.keys() == {"name", "value"}
    assert list(payment).index("result") < list(payment).index("redirect")


def test_a_settled_payment_shows_no_redirect_any_more(shopper: Shopper) -> None:
    payment = shopper.pays()
    shopper.posts(payment, "action=pay")

    assert "redirect" not in shopper.gateway.read(payment["id"], shopper.merchant).json


def test_without_a_way_back_the_request_names_what_is_missing(shopper: Shopper) -> None:
    (error,) = shopper.pays(shopperResultUrl=None)["result"]["parameterErrors"]

    assert error["name"] == "shopperResultUrl"
    assert error["message"] == (
        "must be present so the shopper's browser can be redirected back to you after being "
        "redirected to the third party's website"
    )


@pytest.mark.parametrize(
    "series",
    [
        {"standingInstruction.source": "MIT", "standingInstruction.type": "UNSCHEDULED",
         "standingInstruction.mode": "REPEATED"},
        {"recurringType": "REPEATED"},
    ],
)  # fmt: skip
def test_no_way_back_is_asked_for_where_no_shopper_is(shopper: Shopper, series: dict) -> None:
    answer = shopper.pays(shopperResultUrl=None, **series)

    named = {each["name"] for each in answer["result"].get("parameterErrors", ())}
    assert "shopperResultUrl" not in named
    assert "redirect" not in answer


def test_a_browser_gets_a_page_that_stands_alone(shopper: Shopper) -> None:
    payment = shopper.pays(merchantTransactionId='<img src=x onerror="alert(1)">')

    page = shopper.opens(payment, BROWSER)

    assert page.status_code == 200
    assert page.headers["content-type"].startswith("text/html")
    assert re.findall(r'name="action" value="(\w+)"', page.text) == [
        "pay", "cancel", "fail", "leave"
    ]  # fmt: skip
    assert "92.00 EUR" in page.text
    assert "<img" not in page.text and "&lt;img src=x onerror=" in page.text
    assert not re.search(r"(src|href)=", page.text.replace("&lt;img src", ""))
    assert shopper.code(payment) == "000.200.000"


@pytest.mark.parametrize(
    ("sent", "name"), [({}, "Sandgate Merchant"), ({"merchant.name": "Corner Shop"}, "Corner Shop")]
)
def test_the_page_names_the_merchant_and_not_his_channel(
    shopper: Shopper, sent: dict, name: str
) -> None:
    page = shopper.opens(shopper.pays(**sent), BROWSER)

    assert name in page.text
    assert "Sandgate Channel" not in page.text


def test_the_page_may_load_nothing_and_send_forms_only_where_it_says(shopper: Shopper) -> None:
    payment = shopper.pays()
    asking = shopper.opens(payment, BROWSER).headers
    returning = shopper.posts(payment, "action=pay", BROWSER).headers

    for headers, form in ((asking, "'self'"), (returning, "https://shop.example")):
        policy = dict(part.split(" ", 1) for part in
                      headers["content-security-policy"].split("; "))  # fmt: skip
        assert (policy["default-src"], policy["frame-ancestors"]) == ("'none'", "'self'")
        assert policy["form-action"] == form
        assert "unsafe" not in headers["content-security-policy"]
        assert headers["cache-control"] == "no-store"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize(
    ("url", "form"),
    [
        ("https://shop.example:8443/a", "https://shop.example:8443"),
        ("https://sh;op.example/", "https:"),
        ("https://[::1]:80/", "https:"),
        ("shop.app://done", "shop.app:"),
        ("https://shöp.example/", "https://xn--shp-tna.example"),
    ],
)
def test_a_policy_takes_nothing_of_an_address_but_a_plain_origin(
    shopper: Shopper, url: str, form: str
) -> None:
    payment = shopper.pays(shopperResultUrl=url)
    policy = shopper.posts(payment, "action=pay", BROWSER).headers["content-security-policy"]

    assert f"form-action {form}; base-uri" in policy


def test_a_browser_that_chose_gets_a_page_that_leads_back_by_itself(shopper: Shopper) -> None:
    payment = shopper.pays()
    page = shopper.posts(payment, "action=pay", BROWSER)

    assert page.status_code == 200
    action = re.search(r'<form method="get" action="([^"]*)">', page.text)[1]
    hidden = re.findall(r'<input type="hidden" name="([^"]*)" value="([^"]*)">', page.text)
    assert action == "https://shop.example/done"
    assert {unescape(name): unescape(value) for name, value in hidden} == {
        name: value for name, (value,) in parse_qs(urlsplit(back_for(payment)).query).items()
    }
    assert "<script>document.forms[0].submit();</script>" in page.text
    assert "Back to the shop" in page.text


def test_nothing_of_an_address_leaves_its_place_on_the_page(shopper: Shopper) -> None:
    url = 'https://shop.example/"><script>alert(1)</script>?"><b>=<i>&\'=1#"><u>'
    payment = shopper.pays(shopperResultUrl=url)
    page = shopper.posts(payment, "action=cancel", BROWSER).text

    assert page.count("<script>") == 1
    assert not re.search(r"<(b|i|u)>", page)


@pytest.mark.parametrize(
    ("action", "code"),
    [
        ("pay", "000.100.110"),
        ("cancel", "100.396.101"),
        ("fail", "100.396.104"),
        ("leave", "000.200.000"),
    ],
)
def test_a_program_chooses_by_one_post(shopper: Shopper, action: str, code: str) -> None:
    payment = shopper.pays()
    answer = shopper.posts(payment, f"action={action}")

    assert answer.status_code == 303
    assert answer.headers["location"] == answer.json["shopperResultUrl"] == back_for(payment)
    assert answer.json["result"]["code"] == code == shopper.code(payment)


@pytest.mark.parametrize("body", ["action=buy", "action=", "action=pay&action=cancel"])
def test_another_choice_is_no_choice(shopper: Shopper, body: str) -> None:
    payment = shopper.pays()
    answer = shopper.posts(payment, body)

    assert answer.status_code == 400
    assert "one of pay, cancel, fail, leave" in answer.json["resultDetails"]["ExtendedDescription"]
    assert shopper.code(payment) == "000.200.000"


def test_the_page_is_opened_by_post_with_the_parameters_as_well(shopper: Shopper) -> None:
    payment = shopper.pays()
    (parameter,) = payment["redirect"]["parameters"]
    form = f"{parameter['name']}={parameter['value']}"

    assert 'value="pay"' in shopper.posts(payment, form, BROWSER).text
    assert shopper.posts(payment, form).json["actions"] == ["pay", "cancel", "fail", "leave"]


def test_a_page_used_twice_repeats_the_way_back_and_changes_nothing(shopper: Shopper) -> None:
    payment = shopper.pays()
    first = shopper.posts(payment, "action=pay")
    second = shopper.posts(payment, "action=cancel")
    opened = shopper.opens(payment)

    assert second.headers["location"] == opened.headers["location"] == first.headers["location"]
    assert (second.status_code, opened.status_code) == (303, 307)
    assert "The payment is complete." in shopper.opens(payment, BROWSER).text
    assert shopper.code(payment) == "000.100.110"


@pytest.mark.parametrize("part", [0, 1, 2])
def test_an_address_that_is_wrong_in_any_part_leads_nowhere(shopper: Shopper, part: int) -> None:
    payment = shopper.pays()
    parts = path_of(payment).split("/")[2:]
    parts[part] = parts[part][::-1]
    payment["redirect"]["url"] = "http://gateway.test/redirect/" + "/".join(parts)

    page, answer = shopper.opens(payment, BROWSER), shopper.posts(payment, "action=pay")

    assert (page.status_code, answer.status_code) == (404, 404)
    assert "There is no such page" in page.text
    assert answer.json["result"]["code"] == "200.300.404"
    assert shopper.code(payment) == "000.200.000"


def test_a_page_of_the_test_host_is_unknown_on_the_live_host(shopper: Shopper) -> None:
    payment = shopper.pays()

    assert shopper.opens(payment, listener="live").status_code == 404


def test_a_payment_that_never_redirected_has_no_page(shopper: Shopper) -> None:
    payment, card = shopper.pays(), shopper.gateway.post(who=shopper.merchant).json
    payment["redirect"]["url"] = payment["redirect"]["url"].replace(payment["id"], card["id"])

    assert shopper.opens(payment).status_code == 404


def test_a_reset_sandbox_knows_no_page(shopper: Shopper) -> None:
    payment = shopper.pays()
    shopper.control("POST", "/reset", {})

    assert shopper.opens(payment, BROWSER).status_code == 404


def test_the_secret_of_a_page_stands_in_no_journal_trace_or_log(
    shopper: Shopper, caplog: pytest.LogCaptureFixture
) -> None:
    payment = shopper.pays()
    secret = path_of(payment).rpartition("/")[2]
    shopper.gateway.read(payment["id"], shopper.merchant)
    shopper.opens(payment, BROWSER)
    shopper.posts(payment, "action=buy")
    shopper.gateway.client.simulate_put(path_of(payment))
    shopper.posts(payment, "action=pay")

    for path in ("/journal", trace_of(payment), f"{trace_of(payment)}.svg"):
        answer = shopper.control("GET", path)
        assert answer.status_code == 200, path
        assert secret not in answer.text
    outside = shopper.gateway.control("GET", "/journal")
    assert secret not in outside.text
    assert secret not in caplog.text


@pytest.mark.parametrize("checkout", [None, "of a form"])
def test_the_page_back_has_the_policy_of_the_script_it_runs(checkout: str | None) -> None:
    settled = SimpleNamespace(state=State.FAILED, checkout=checkout)

    page = returning_page(settled, "https://shop.example/")
    (script,) = re.findall(r"<script>(.*?)</script>", page.html, re.DOTALL)
    assert ("frame-ancestors 'none'" in page.policy) == (checkout is None)
    (style,) = re.findall(r"<style>(.*?)</style>", page.html, re.DOTALL)
    for text in (script, style):
        digest = b64encode(sha256(text.encode()).digest()).decode()
        assert f"'sha256-{digest}'" in page.policy
