"""What the journal and a trace have of a shopper's browser: pages, forms, and the way back."""

import json
from urllib.parse import urlencode

import pytest

from simulator.adapters.journal import STEPS_MAX, JournalRing, MemoryJournal
from simulator.domain.journal.entries import LAST_STEP, BrowserEntry, Message, Party, keys_of
from simulator.tests.adapters.test_journal import DAY
from simulator.tests.kit.authenticating import asking
from simulator.tests.kit.checkout_shop import CARD, DECLINE, Shop
from simulator.tests.kit.gateway import FORM, ORDER, Gateway
from simulator.tests.kit.shopper import BROWSER, a_shopper, trace_of
from simulator.tests.kit.twins import HandClock
from simulator.tests.three_d_secure.test_pages import Shop as SecuredShop

OWN = {"Origin": "http://falconframework.org"}


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway)


def open_form(shop: Shop, checkout: str) -> str:
    """The capability of an opened form."""
    answer = shop.gateway.client.simulate_post(
        f"/form/{checkout}/open", headers=OWN, body="locale=en", content_type=FORM
    )
    return answer.json["capability"]


def trace(gateway: Gateway, sandbox: str, identity: str) -> str:
    return gateway.control("GET", f"/sandboxes/{sandbox}/payments/{identity}/trace").text


def labels(text: str) -> list[str]:
    """Way and label of each message of a trace, blanks in one."""
    found = [" ".join(line[23:].split()) for line in text.splitlines() if " -> " in line]
    return [line.partition(" Request ")[0] for line in found]


def test_the_trace_of_a_payment_by_form_begins_with_its_checkout_and_ends_at_the_shop(
    shop: Shop,
) -> None:
    checkout = shop.prepare()
    capability = open_form(shop, checkout)
    paid = shop.submit(checkout, capability).json["id"]
    shop.get(f"/{checkout}/payment")

    text = trace(shop.gateway, shop.sandbox, paid)

    short = f"{checkout[:6]}..."
    shown = labels(text)
    assert [line.partition(" 000.")[0] for line in shown] == [
        "merchant -> gateway /v1/checkouts DB 92.00 EUR",
        "gateway -> merchant 200",
        "shopper -> gateway opens the form",
        "gateway -> shopper form with the page's brands",
        "shopper -> gateway pays by form VISA",
        "gateway -> acquirer DB 92.00 EUR",
        "acquirer -> gateway",
        "gateway -> shopper 200",
        f"merchant -> gateway GET /v1/checkouts/{short}/payment",
        "gateway -> merchant 200",
    ]
    assert "the form goes on to shopperResultUrl" in text
    assert "first read of the result since the shopper was sent back" in text
    assert trace(shop.gateway, shop.sandbox, checkout) == text


def test_the_document_of_a_trace_says_what_its_text_says(shop: Shop) -> None:
    checkout = shop.prepare()
    paid = shop.submit(checkout, open_form(shop, checkout)).json["id"]
    path = f"/sandboxes/{shop.sandbox}/payments/{paid}/trace.json"

    found = shop.gateway.control("GET", path).json

    assert found["id"] == paid
    assert found["payments"] == [
        {"id": paid, "type": "DB", "state": "completed", "amount": "92.00", "currency": "EUR",
         "referenced": None, "checkout": checkout}
    ]  # fmt: skip
    assert {tuple(each) for each in found["messages"]} == {
        ("at", "sender", "receiver", "label", "meaning", "notes", "bad")
    }
    text = trace(shop.gateway, shop.sandbox, paid)
    ways = [line[23:].strip().split("  ")[0] for line in text.splitlines() if " -> " in line]
    assert [f"{each['sender']} -> {each['receiver']}" for each in found["messages"]] == ways
    for each in found["messages"]:
        assert each["label"] in text and each["meaning"] in text
        assert all(note in text for note in each["notes"])
    unknown = f"/sandboxes/{shop.sandbox}/payments/{'8' * 32}/trace.json"
    assert shop.gateway.control("GET", unknown).status_code == 404


def test_a_trace_has_every_attempt_of_its_checkout(shop: Shop) -> None:
    checkout = shop.prepare()
    first, second = open_form(shop, checkout), open_form(shop, checkout)
    declined = shop.submit(checkout, first, {**CARD, **DECLINE}).json["id"]
    paid = shop.submit(checkout, second).json["id"]

    texts = {trace(shop.gateway, shop.sandbox, each) for each in (declined, paid, checkout)}

    (text,) = texts
    assert declined in text and paid in text
    assert text.count("pays by form VISA") == 2


def test_the_offered_brands_are_in_the_trace(shop: Shop) -> None:
    checkout = shop.prepare()
    brands = ["VISA", "MASTER", "AMEX", "DINERS", "JCB"]
    path = f"/sandboxes/{shop.sandbox}/checkouts/{checkout}/brands"
    sent = {"brands": brands, "active": True, "override": True}
    assert shop.gateway.control("PUT", path, sent).status_code == 200
    open_form(shop, checkout)

    assert "form with VISA, MASTER, AMEX and 2 more" in trace(shop.gateway, shop.sandbox, checkout)
    found = shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal").json["entries"]
    (opened,) = [each for each in found if each["kind"] == "browser"]
    assert opened["messages"][1]["body"] == {"brands": brands}


def test_nothing_secret_of_a_form_is_in_journal_or_trace(shop: Shop) -> None:
    checkout = shop.prepare()
    capability = open_form(shop, checkout)
    number = ORDER["card.number"]
    typed = {**CARD, "card.holder": number, "customParameters[SHOPPER_note]": capability}
    shop.submit(checkout, capability, typed)

    page = shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal?limit=500").json
    shown = json.dumps(page) + trace(shop.gateway, shop.sandbox, checkout)

    assert number not in shown and capability not in shown
    assert "pays by form" in shown


def test_a_form_that_is_opened_again_and_again_fills_no_journal(shop: Shop) -> None:
    checkout = shop.prepare()
    for _ in range(2 * STEPS_MAX):
        open_form(shop, checkout)

    found = shop.gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal?limit=500").json
    steps = [each for each in found["entries"] if each["kind"] == "browser"]
    assert len(steps) == STEPS_MAX
    assert LAST_STEP in trace(shop.gateway, shop.sandbox, checkout)


def test_a_redirect_page_that_is_opened_again_and_again_fills_no_journal(gateway: Gateway) -> None:
    shopper = a_shopper(gateway)
    payment, other = shopper.pays(), shopper.pays()
    for _ in range(2 * STEPS_MAX):
        shopper.opens(payment, BROWSER)
    shopper.opens(other, BROWSER)

    assert LAST_STEP in shopper.control("GET", trace_of(payment)).text
    trace_of_other = shopper.control("GET", trace_of(other)).text
    assert "opens the redirect page" in trace_of_other and LAST_STEP not in trace_of_other


def test_the_first_read_after_a_redirect_is_marked(gateway: Gateway) -> None:
    shopper = a_shopper(gateway)
    payment = shopper.pays()
    shopper.code(payment)
    shopper.posts(payment, "action=pay", BROWSER)
    shopper.code(payment)
    shopper.code(payment)

    lines = shopper.control("GET", trace_of(payment)).text.splitlines()
    marked = [number for number, line in enumerate(lines) if "first read of the result" in line]
    assert len(marked) == 1
    assert any("sent back to shopperResultUrl" in line for line in lines[: marked[0]])


def test_the_trace_of_a_challenge_has_the_pages_of_the_gateway(gateway: Gateway) -> None:
    shop = SecuredShop(gateway, asking())
    payment = shop.pays()
    shop.opens(payment, BROWSER)
    shop.send_rreq(payment)
    shop.posts(payment, "return", shop.cres(payment), headers=BROWSER)

    shown = labels(trace(gateway, shop.sandbox, payment["id"]))

    steps = [line for line in shown if "shopper" in line]
    assert steps == [
        "shopper -> gateway opens the 3-D Secure page",
        "gateway -> shopper sent on to the challenge",
        "shopper -> gateway brings the CRes",
        "gateway -> shopper sent back to shopperResultUrl",
    ]
    assert shown.index(steps[2]) < shown.index(steps[3])


def test_a_program_at_an_unknown_page_leaves_nothing_in_the_journal(gateway: Gateway) -> None:
    shop = SecuredShop(gateway, asking())
    payment = shop.pays()
    before = gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal").json["newest"]
    wrong = {**payment, "redirect": {"url": payment["redirect"]["url"][:-4] + "beef"}}
    assert shop.opens(wrong).status_code == 404
    assert shop.posts(payment, "method", urlencode({"threeDSMethodData": "x"})).status_code == 404

    assert gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal").json["newest"] == before


def a_step(payment: str) -> BrowserEntry:
    now = HandClock().now()
    sent = Message(at=now, sender=Party.SHOPPER, receiver=Party.GATEWAY, label="opens the form")
    return BrowserEntry(ndc="n", at=now, payments=(payment,), messages=(sent,))


def test_steps_are_counted_of_what_is_still_there_and_survive_a_dump() -> None:
    clock, ring = HandClock(), JournalRing(STEPS_MAX + 5, DAY)
    journal = MemoryJournal(ring, clock=HandClock(), real=clock)
    for _ in range(STEPS_MAX + 3):
        journal.append_step(a_step("p"))
    other = JournalRing(STEPS_MAX + 5, DAY)
    other.load(ring.dump())

    assert (ring.steps_of("p"), other.steps_of("p")) == (STEPS_MAX, STEPS_MAX)
    clock.advance(2 * DAY)
    other.drop_expired(clock.now())
    assert other.steps_of("p") == 0
    assert keys_of(a_step("p")) == ("n", "p")
