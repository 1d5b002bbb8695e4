"""The pages: escaped, whole in themselves, and under a policy that lets nothing else in."""

import re
from base64 import b64encode
from hashlib import sha256

import pytest

from acquirer_mocks.tests.bench import BACK, CODE, SERVER_ID, Bench, packed, unpacked
from simulator.domain.core.hosts import ACS, BESIDE

NASTY = "\"><script>alert(1)</script><img src=x>&'"
METHOD_BACK = "http://gateway.test/3ds/method?a=1&b=2"


def pages():
    """One page of each kind, by name."""
    bench = Bench()
    challenge = bench.challenge(merchantName="Corner <b> Shop")
    method = {"threeDSServerTransID": SERVER_ID, "threeDSMethodNotificationURL": METHOD_BACK}
    return {
        "challenge": challenge.page,
        "wrong code": bench.browse(challenge.path, {"code": "1"}),
        "way back": bench.browse(challenge.path, {"code": CODE}),
        "method": bench.browse("acs/method", {"threeDSMethodData": packed(method)}),
        "refused": bench.browse("acs/challenge/unknown", {"code": CODE}),
        "nowhere": Bench().client.simulate_get("/x", headers={"Accept": "text/html"}),
    }


@pytest.mark.parametrize("name", list(pages()))
def test_a_page_loads_nothing_and_runs_nothing_but_its_own(name):
    page = pages()[name]
    policy = page.headers["Content-Security-Policy"]
    assert page.headers["Content-Type"].startswith("text/html")
    assert page.headers["Cache-Control"] == "no-store"
    assert page.headers["X-Content-Type-Options"] == "nosniff"
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        for text in re.findall(f"<{tag}>(.*?)</{tag}>", page.text, re.DOTALL):
            assert f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'" in policy
    assert not re.findall(r"""(?:src|href)=|style="|\son[a-z]+=|url\(|@import""", page.text)


@pytest.mark.parametrize("listener, way", [(BESIDE, "/3ds/"), (ACS, "http://gateway.test/3ds/")])
def test_beside_the_gateway_a_page_leads_back_within_its_origin(listener, way):
    bench = Bench()
    challenge = bench.challenge()
    method = {"threeDSServerTransID": SERVER_ID, "threeDSMethodNotificationURL": METHOD_BACK}
    sent = {challenge.path: f"code={CODE}", "acs/method": f"threeDSMethodData={packed(method)}"}
    for path, body in sent.items():
        page = bench.client.simulate_post(
            f"/{path}", body=body, content_type="application/x-www-form-urlencoded",
            headers={"Accept": "text/html"}, extras={"sandgate.listener": listener},
        )  # fmt: skip
        assert f'<form method="post" action="{way}' in page.text


def test_beside_the_gateway_a_page_leads_to_others_as_they_are():
    elsewhere = "http://shop.test/3ds/"
    method = {"threeDSServerTransID": SERVER_ID, "threeDSMethodNotificationURL": elsewhere}
    page = Bench().client.simulate_post(
        "/acs/method", body=f"threeDSMethodData={packed(method)}",
        content_type="application/x-www-form-urlencoded", extras={"sandgate.listener": BESIDE},
    )  # fmt: skip
    assert f'<form method="post" action="{elsewhere}"' in page.text


@pytest.mark.parametrize("name", ["merchantName", "threeDSRequestorName", "cardholderName"])
def test_what_a_merchant_wrote_is_escaped(name):
    page = Bench().challenge(**{name: NASTY[:40]}).page
    assert "<script" not in page.text
    assert "<img" not in page.text


def test_what_a_browser_brought_is_escaped():
    bench = Bench()
    challenge = bench.challenge()
    session = {"creq": packed(creq_in(bench)), "threeDSSessionData": NASTY}
    bench.browse(challenge.path, session)
    page = bench.browse(challenge.path, {"code": CODE}).text
    assert "alert" in page
    assert "<script>alert" not in page
    assert "<img" not in page


def test_a_challenge_runs_no_script_and_posts_to_its_own_address():
    page = Bench().challenge().page
    assert "script" not in page.headers["Content-Security-Policy"]
    assert "form-action 'self'" in page.headers["Content-Security-Policy"]
    assert '<form method="post" autocomplete="off">' in page.text


def test_the_method_frame_posts_back_who_it_was_for():
    page = pages()["method"].text
    assert f'action="{METHOD_BACK.replace("&", "&amp;")}"' in page
    data = page.partition('name="threeDSMethodData" value="')[2].partition('"')[0]
    assert unpacked(data) == {"threeDSServerTransID": SERVER_ID}


def test_the_way_back_posts_to_the_gateway_by_itself_or_by_a_button():
    page = pages()["way back"]
    assert f'<form method="post" action="{BACK}">' in page.text
    assert "document.forms[0].submit()" in page.text
    assert '<button class="main">Back to the shop</button>' in page.text


@pytest.mark.parametrize(
    ("name", "is_ours"), [("method", False), ("way back", False), ("challenge", True)]
)
def test_a_page_that_posts_itself_to_an_address_of_others_has_no_origin(name, is_ours):
    policy = pages()[name].headers["Content-Security-Policy"]
    assert ("sandbox allow-forms allow-scripts" not in policy) == is_ours


def test_a_page_says_whether_the_payment_is_confirmed():
    bench = Bench()
    assert "is not confirmed" in bench.browse(bench.challenge().path, {"cancel": "yes"}).text
    assert "The payment is confirmed" in bench.browse(bench.challenge().path, {"code": CODE}).text


def creq_in(bench: Bench) -> dict:
    """The CReq of the only challenge there is."""
    [[acs_id]] = bench.kept.unfinished().values()
    challenge = bench.kept.get(acs_id)
    assert challenge is not None
    return {
        "messageType": "CReq", "messageVersion": challenge.version, "challengeWindowSize": "01",
        "threeDSServerTransID": challenge.server_id, "acsTransID": challenge.acs_id,
    }  # fmt: skip
