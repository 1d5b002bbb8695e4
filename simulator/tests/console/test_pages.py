"""What the pages show, and that nothing a merchant writes becomes a part of them."""

import re

import pytest
from falcon.testing import Result

from simulator.service.console.lists import PAGE_LENGTH
from simulator.tests.console.visitor import ORIGIN, Visitor
from simulator.tests.kit.gateway import Gateway
from simulator.web.console.rendering import POLICY

# Passes the check of its last digit, and is on no list.
OWN_CARD = "4539578763621486"
HOSTILE = "<script>alert(1)</script>"


def foreign_scripts(page: Result) -> list[str]:
    """The scripts of a page but those that the package serves."""
    own = '<script type="module" src="/console/assets/'
    return [each for each in re.findall("<script[^>]*>", page.text) if not each.startswith(own)]


@pytest.fixture
def root(sandbox: str) -> str:
    """Where the pages of the sandbox are."""
    return f"/console/{sandbox}"


def test_payments_are_listed_newest_first_in_pages(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    made = [gateway.post().json["id"] for _ in range(PAGE_LENGTH + 2)]

    first = anna.get(f"{root}/payments").text
    (onward,) = re.findall(r'rel="next" href="([^"]+)"', first)
    second = anna.get(f"{root}/payments{onward.replace('&amp;', '&')}").text

    assert [each for each in made if each in first] == made[2:]
    assert first.index(made[-1]) < first.index(made[2])
    assert [each for each in made if each in second] == made[:2]
    assert 'rel="next"' not in second
    for below in ("0", "99", "x", "-1", "9" * 30):
        assert anna.get(f"{root}/payments?below={below}").status_code == 200


def test_one_payment_shows_what_was_sent_and_its_tree(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    sale = gateway.post(**{"card.number": OWN_CARD, "card.cvv": "987"}).json["id"]
    refund = gateway.refer(sale, "RF", amount="1.00", currency="EUR").json["id"]

    page = anna.get(f"{root}/payments/{sale}").text

    assert refund in page and "partly refunded" in page
    assert "card.holder" in page and "Jane Jones" in page
    assert OWN_CARD not in page and "card.cvv" in page and ">987<" not in page
    assert '<code title="format A128, 3-128\nlength 3 to 128\n' in page
    assert "curl " in page and "card.number=4200000000000000" in page
    assert gateway.merchant.token not in page and "-&gt; acquirer" in page


def test_a_trace_is_drawn(gateway: Gateway, anna: Visitor, root: str) -> None:
    sale = gateway.post().json["id"]

    drawn = anna.get(f"{root}/payments/{sale}/trace.svg")

    assert drawn.headers["Content-Type"].startswith("image/svg+xml")
    assert "acquirer" in drawn.text


@pytest.mark.parametrize(
    ("kind", "sent", "state"),
    [
        ("PA", {"type": "CP", "amount": "2.00"}, "partly captured"),
        ("PA", {"type": "RV"}, "reversed"),
        ("DB", {"type": "RF", "amount": "92.00"}, "refunded"),
    ],
)
def test_a_button_does_what_a_merchant_could(
    gateway: Gateway, anna: Visitor, root: str, kind: str, sent: dict[str, str], state: str
) -> None:
    payment = gateway.post(paymentType=kind).json["id"]

    done = anna.act(f"{root}/payments/{payment}", sent)

    assert done.status_code == 303
    assert f">{state}<" in anna.get(f"{root}/payments/{payment}").text
    assert anna.get(done.headers["Location"]).status_code == 200


@pytest.mark.parametrize(
    "sent",
    [
        {"type": "RF", "amount": "92.01"},
        {"type": "RF", "amount": "0.00"},
        {"type": "RF", "amount": "1"},
        {"type": "RF", "amount": "-1.00"},
        {"type": "CB", "amount": "1.00"},
        {"type": ""},
    ],
)
def test_what_cannot_be_done_is_said(
    gateway: Gateway, anna: Visitor, root: str, sent: dict[str, str]
) -> None:
    payment = gateway.post().json["id"]

    answer = anna.act(f"{root}/payments/{payment}", sent)

    assert answer.status_code == 400
    assert f'href="{root}/payments/{payment}"' in answer.text
    assert ">completed<" in anna.get(f"{root}/payments/{payment}").text


@pytest.mark.parametrize("by", ["id", "ndc", "merchantTransactionId"])
def test_search_finds_a_payment(gateway: Gateway, anna: Visitor, root: str, by: str) -> None:
    made = gateway.post(merchantTransactionId="order 4711").json

    found = anna.get(f"{root}/search?q={made[by]}".replace(" ", "+"))

    assert made["id"] in anna.get(found.headers["Location"]).text


def test_search_finds_a_payment_by_the_digits_that_lists_show(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    made = [str(gateway.post().json["id"]) for _ in range(3)]
    digits = made[1][:8]
    own = gateway.post(merchantTransactionId=made[0][:8]).json["id"]

    assert anna.get(f"{root}/search?q={digits}").headers["Location"].endswith(f"/{made[1]}")
    assert own in anna.get(anna.get(f"{root}/search?q={made[0][:8]}").headers["Location"]).text
    assert "reference=" in anna.get(f"{root}/search?q={'0' * 8}").headers["Location"]


def test_the_journal_shows_refused_requests_too(gateway: Gateway, anna: Visitor, root: str) -> None:
    refused = gateway.post(amount="x", **{"card.number": OWN_CARD}).json

    listed = anna.get(f"{root}/journal?code=200.300").text
    one = anna.get(f"{root}/journal/{refused['ndc']}").text

    assert refused["ndc"][-12:] in listed
    assert "200.300.404" in one and OWN_CARD not in one


@pytest.mark.parametrize("field", ["descriptor", "merchantMemo"])
def test_html_of_a_merchant_is_text(gateway: Gateway, anna: Visitor, root: str, field: str) -> None:
    made = gateway.post(**{field: HOSTILE}).json

    for path in (f"payments/{made['id']}", "payments", "journal", f"journal/{made['ndc']}"):
        assert_harmless(anna.get(f"{root}/{path}"))
    assert "&lt;script&gt;" in anna.get(f"{root}/payments/{made['id']}").text


def test_the_inbox_shows_what_was_received_and_is_emptied(
    gateway: Gateway, anna: Visitor, root: str, sandbox: str
) -> None:
    assert "Nothing was received" in anna.get(f"{root}/inbox").text
    gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"})
    made = gateway.post(descriptor=HOSTILE).json
    gateway.control("POST", f"/sandboxes/{sandbox}/drain", {})

    page = anna.get(f"{root}/inbox")

    assert made["id"] in page.text and "&lt;script&gt;" in page.text
    assert_harmless(page)
    event = re.search(r"/webhooks/events/([0-9a-f]+)", page.text)
    assert event and anna.get(f"{root}/webhooks/events/{event[1]}").status_code == 200
    assert event[1] in anna.get(f"{root}/payments/{made['id']}").text
    assert anna.post(f"{root}/inbox").status_code == 303
    assert "Nothing was received" in anna.get(f"{root}/inbox").text


def test_payments_are_filtered_in_the_address(gateway: Gateway, anna: Visitor, root: str) -> None:
    declined = gateway.post(**{"card.holder": "800.100.152"}).json["id"]
    paid = gateway.post().json["id"]
    found = {
        query: anna.get(f"{root}/payments?{query}").text
        for query in ("state=failed", "type=DB", "type=PA", "state=failed&digits=1111")
    }
    assert [declined in page for page in found.values()] == [True, True, False, False]
    assert [paid in page for page in found.values()] == [False, True, False, False]
    assert "None among the newest 2" in found["type=PA"]


def test_html_in_a_search_is_text(gateway: Gateway, anna: Visitor, root: str) -> None:
    for path in (f"payments?reference={HOSTILE}", f"journal?path={HOSTILE}", "payments?merchant=x"):
        assert_harmless(anna.get(f"{root}/{path}"))


def test_nothing_may_come_from_elsewhere(gateway: Gateway, anna: Visitor) -> None:
    page = anna.get("/console")

    assert page.headers["Content-Security-Policy"] == POLICY
    assert "unsafe" not in POLICY and "frame-ancestors 'none'" in POLICY
    assert foreign_scripts(page) == [] and " style=" not in page.text
    assert anna.get("/console/assets/console.css").headers["Content-Type"].startswith("text/css")
    assert anna.get("/console/assets/../views.py").status_code == 404


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://shop.example"},
        {"Origin": "null"},
        {"Origin": ORIGIN + ":8080"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_a_form_of_another_page_does_nothing(
    gateway: Gateway, anna: Visitor, root: str, headers: dict[str, str]
) -> None:
    payment = gateway.post().json["id"]
    sent = {"type": "RF", "amount": "1.00"}

    assert anna.post(f"{root}/payments/{payment}/act", sent, **headers).status_code == 403
    anna.form_token = "0" * 64
    assert anna.post(f"{root}/payments/{payment}/act", sent).status_code == 403
    assert ">completed<" in anna.get(f"{root}/payments/{payment}").text


def assert_harmless(page: Result) -> None:
    """The page has no element that it was not made with."""
    assert page.status_code in (200, 404)
    assert HOSTILE not in page.text and foreign_scripts(page) == []


def test_ledger_throttles_merchants_terminals_and_schedules_have_pages(
    anna: Visitor, gateway: Gateway, root: str, sandbox: str
) -> None:
    paid = gateway.post().json["id"]
    terminal = gateway.control("POST", f"/sandboxes/{sandbox}/terminals", {}).json["id"]

    ledger, throttles = (
        anna.get(f"{root}/{place}").text for place in ("ledger?compare=1", "throttles")
    )

    assert paid in ledger and "92.00 EUR" in ledger and "Both have the same" in ledger
    assert "create_payment" in throttles and 'value="1"' in throttles
    assert gateway.merchant.entity_id in anna.get(f"{root}/merchants").text
    assert terminal in anna.get(f"{root}/terminals").text
    assert "No schedule will be executed" in anna.get(f"{root}/schedules").text


def test_the_journal_is_asked_for_again_and_again(
    anna: Visitor, gateway: Gateway, root: str
) -> None:
    gateway.post()
    assert "/v1/payments" in anna.get(f"{root}/journal/now").text
    assert "follow.js" in anna.get(f"{root}/journal").text
    assert "follow.js" not in anna.get(f"{root}/journal?before=1").text
