"""The host switch of the frame: whose records are shown, and that the live ones are kept."""

import json
from html import unescape
from pathlib import Path
from urllib.parse import quote, unquote_plus

import gevent
import pytest

from simulator.tests.console.test_classes import LINK, joined
from simulator.tests.console.visitor import Visitor, person_of
from simulator.tests.kit.gateway import Credentials, Gateway

CHECKOUT = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
LIVE_PRESSED = 'value="live" aria-pressed="true"'
CHECKED = {"name": "Shop", "risk": ["risk-amount"]}


@pytest.fixture
def root(sandbox: str) -> str:
    """Where the pages of the sandbox are."""
    return f"/console/{sandbox}"


def choose(visitor: Visitor, host: str, **more: str) -> None:
    """Press the switch in the frame."""
    visitor.get("/console")
    assert visitor.post("/console/host", {"host": host, **more}).status_code == 303


def test_the_lists_are_of_the_host_that_is_chosen(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    # A window of throttling that has passed is not listed.
    stopped = {"mode": "frozen", "at": "2030-03-01T09:00:00Z"}
    clock = f"/sandboxes/{root.rpartition('/')[2]}/clock"
    assert gateway.control("PUT", clock, stopped).status_code == 200
    made = {}
    for host, who in (("test", gateway.merchant), ("live", gateway.live)):
        paid = gateway.post(who=who, createRegistration="true").json
        whole = {"entityId": who.entity_id, **CHECKOUT}
        opened = gateway.send("/v1/checkouts", whole, who).json["id"]
        made[host] = {"payments": paid["id"], "registrations": paid["registrationId"][:8],
                      "checkouts": opened}  # fmt: skip
    for host, other in (("test", "live"), ("live", "test")):
        choose(anna, host)
        for name, identity in made[host].items():
            page = anna.get(f"{root}/{name}").text
            assert identity in page and made[other][name] not in page, (host, name)
        throttled = anna.get(f"{root}/throttles").text
        assert f"<td>{host}</td>" in throttled and f"<td>{other}</td>" not in throttled


def test_the_choice_is_kept_with_the_sign_in_and_leads_back(
    gateway: Gateway, anna: Visitor, root: str, tmp_path: Path
) -> None:
    anna.get(root + "/payments")
    moved = anna.post("/console/host", {"host": "live", "onward": f"{root}/ledger?page=1"})
    assert moved.headers["Location"] == f"{root}/ledger?page=1"
    assert LIVE_PRESSED in anna.get("/console").text
    again = Visitor(gateway)
    again.post("/console/sign-in", {"name": "anna", "password": "correct horse battery"})
    assert LIVE_PRESSED not in again.get("/console").text
    kept = json.loads((tmp_path / "data" / "people.json").read_text())["sign_ins"].values()
    assert sorted(each["host"] for each in kept) == ["live", "test"]


@pytest.mark.parametrize(
    "secret", ["9f3b" * 12, "http://shop:hunter2pass@h.example/", "password=hunter2pass"]
)
def test_no_page_repeats_a_secret_of_its_query(anna: Visitor, root: str, secret: str) -> None:
    page = anna.get(f"{root}/payments?unknown={quote(secret, safe='')}").text
    assert 'name="onward"' in page
    assert secret not in unescape(unquote_plus(page)) and "hunter2pass" not in page


@pytest.mark.parametrize("onward", ["https://evil.example", "//evil.example", "/docs", ""])
def test_the_switch_leads_nowhere_else(anna: Visitor, onward: str) -> None:
    anna.get("/console")
    moved = anna.post("/console/host", {"host": "live", "onward": onward})
    assert moved.headers["Location"] == "/console"


@pytest.mark.parametrize("host", ["", "Live", "both", "<b>"])
def test_another_host_is_refused(anna: Visitor, host: str) -> None:
    anna.get("/console")
    answer = anna.post("/console/host", {"host": host})
    assert answer.status_code == 400 and "expected test, live" in answer.text


def test_the_live_host_is_only_looked_at_until_changes_are_allowed(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    paid = gateway.post(who=gateway.live).json["id"]
    path, sent = f"{root}/payments/{paid}", {"type": "RF", "amount": "1.00"}
    choose(anna, "live")
    page = anna.get(path).text
    assert "The live host is only looked at" in page and f"{path}/act" not in page
    assert anna.post(f"{path}/act", sent).status_code == 403
    assert ">completed<" in anna.get(path).text

    choose(anna, "live", changes="1")
    assert "changes the live host" in anna.get(path).text
    assert anna.act(path, sent).status_code == 303
    assert ">partly refunded<" in anna.get(path).text

    choose(anna, "test", changes="1")
    assert anna.post(f"{path}/act", sent).status_code == 403, "the choice of another host ends it"


def test_live_payments_are_not_removed_while_they_are_only_looked_at(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    reset = {"line": "sandbox reset"}
    anna.get(f"{root}/shell")
    assert anna.post(f"{root}/shell", reset).status_code == 200, "there is no live payment"
    whole = {**CHECKOUT, "entityId": gateway.live.entity_id, "paymentBrand": "GIROPAY"}
    whole["shopperResultUrl"] = "https://shop.example/"
    paid = gateway.send("/v1/payments", whole, gateway.live).json["id"]

    refused = anna.post(f"{root}/shell", reset)

    assert refused.status_code == 403 and "only looked at" in refused.text
    assert anna.get(f"{root}/stage/phone/{paid}").status_code == 403
    assert ">pending<" in anna.get(f"{root}/payments/{paid}").text
    choose(anna, "live", changes="1")
    assert anna.get(f"{root}/stage/phone/{paid}").status_code == 200
    assert anna.post(f"{root}/shell", reset).status_code == 200
    assert anna.get(f"{root}/payments/{paid}").status_code == 404


@pytest.mark.parametrize("way", ["back", "restart"])
def test_no_step_back_removes_live_payments_that_are_only_looked_at(
    gateway: Gateway, anna: Visitor, way: str
) -> None:
    anna.get("/console/lessons")
    stage = anna.post("/console/lessons", {"story": "first-payment"}).headers["Location"]
    lesson = stage.split("/")[2]
    anna.get(stage)
    assert anna.post(f"{stage}/next", {}).status_code == 303
    (merchant,) = gateway.control("GET", f"/sandboxes/{lesson}/merchants").json["merchants"]
    path = f"/sandboxes/{lesson}/merchants/{merchant['id']}/tokens"
    token = gateway.control("POST", path, {"host": "live"}).json["token"]
    who = Credentials(token, merchant["channels"][0]["id"], "live")
    paid = gateway.post(who=who).json["id"]

    assert anna.post(f"{stage}/{way}", {}).status_code == 403

    assert gateway.read(paid, who).status_code == 200


@pytest.fixture
def held(gateway: Gateway, sandbox: str) -> str:
    """The id of a held message that says how a live payment ended."""
    base = f"/sandboxes/{sandbox}"
    assert gateway.control("POST", f"{base}/webhooks", {"url": "inbox"}).status_code == 201
    gateway.control("PUT", f"{base}/breakpoints", {"parties": ["webhooks"]})
    gateway.post(who=gateway.live)
    (message,) = _held_in(gateway, base)
    return str(message["id"])


def _held_in(gateway: Gateway, base: str) -> list[dict[str, str]]:
    with gevent.Timeout(5, False):
        while not gateway.control("GET", f"{base}/held").json["held"]:
            gevent.sleep(0.01)
    return list(gateway.control("GET", f"{base}/held").json["held"])


@pytest.mark.parametrize("deed", ["release", "drop", "answer"])
def test_a_held_message_of_a_live_payment_waits_until_changes_are_allowed(
    gateway: Gateway, anna: Visitor, root: str, held: str, deed: str
) -> None:
    path, stage = f"{root}/held/{held}", f"{root}/stage"
    answer = {"answer": "webhook-lost"} if deed == "answer" else {}
    line = {"line": " ".join(("hold", deed, held, *answer.values()))}
    page = anna.get(stage).text
    assert path not in page and "It is of a live payment" in page

    refused = anna.post(path, {"action": deed, **answer}), anna.post(f"{root}/shell", line)

    assert [each.status_code for each in refused] == [403, 403]
    assert "only looked at" in refused[1].text
    choose(anna, "live", changes="1")
    page = anna.get(stage).text
    assert path in page and "It is of a live payment" not in page
    assert anna.post(path, {"action": deed, **answer}).status_code == 303
    gone = anna.post(f"{root}/shell", line)
    assert gone.status_code == 200 and "status 404" in gone.text


def test_a_live_payment_that_is_held_at_the_acquirer_is_not_dropped(
    gateway: Gateway, anna: Visitor, sandbox: str, root: str
) -> None:
    gateway.control("PUT", f"/sandboxes/{sandbox}/breakpoints", {"parties": ["acquirer"]})
    paying = gevent.spawn(gateway.post, who=gateway.live)
    (message,) = _held_in(gateway, f"/sandboxes/{sandbox}")
    path = f"{root}/held/{message['id']}"
    anna.get(f"{root}/stage")

    assert anna.post(path, {"action": "drop"}).status_code == 403

    choose(anna, "live", changes="1")
    assert anna.post(path, {"action": "release"}).status_code == 303
    assert paying.get(timeout=5).json["result"]["code"] == "000.000.000"


def test_a_held_request_of_the_live_host_is_not_removed_before_it_is_stored(
    gateway: Gateway, anna: Visitor, sandbox: str, root: str
) -> None:
    gateway.control("PUT", f"/sandboxes/{sandbox}/breakpoints", {"parties": ["risk"]})
    paying = gevent.spawn(gateway.post, who=gateway.live)
    (message,) = _held_in(gateway, f"/sandboxes/{sandbox}")
    anna.get(f"{root}/shell")

    assert anna.post(f"{root}/shell", {"line": "sandbox reset"}).status_code == 403

    choose(anna, "live", changes="1")
    assert anna.post(f"{root}/held/{message['id']}", {"action": "release"}).status_code == 303
    assert paying.get(timeout=5).json["result"]["code"] == "000.000.000"


@pytest.mark.parametrize("deed", ["reset", "end"])
def test_no_class_drops_a_held_request_of_the_live_host_that_is_only_looked_at(
    gateway: Gateway, anna: Visitor, deed: str
) -> None:
    group, place, who = _class_with_live_access(gateway, anna)
    gateway.control("PUT", f"/sandboxes/{place}/breakpoints", {"parties": ["risk"]})
    paying = gevent.spawn(gateway.post, who=who)
    (message,) = _held_in(gateway, f"/sandboxes/{place}")

    assert anna.post(f"/console/classes/{group}", {"deed": deed}).status_code == 403

    gateway.control("POST", f"/sandboxes/{place}/held/{message['id']}", {"action": "release"})
    assert paying.get(timeout=5).json["result"]["code"] == "000.000.000"


def test_what_is_held_ends_with_a_sandbox_that_is_reset_where_changes_are_allowed(
    gateway: Gateway, anna: Visitor, sandbox: str, root: str
) -> None:
    gateway.control("PUT", f"/sandboxes/{sandbox}/breakpoints", {"parties": ["risk"]})
    paying = gevent.spawn(gateway.post, who=gateway.live)
    _held_in(gateway, f"/sandboxes/{sandbox}")
    choose(anna, "live", changes="1")

    assert anna.post(f"{root}/shell", {"line": "sandbox reset"}).status_code == 200

    answer = paying.get(timeout=5)
    assert (answer.status_code, answer.json["result"]["code"]) == (503, "999.999.888")


def test_an_event_of_a_live_payment_is_not_sent_again_while_it_is_only_looked_at(
    gateway: Gateway, anna: Visitor, sandbox: str, root: str
) -> None:
    gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"})
    for who in (gateway.live, gateway.merchant):
        gateway.post(who=who)
    notices = gateway.control("GET", f"/sandboxes/{sandbox}/notices").json["notices"]
    test, live = (f"{root}/webhooks/events/{each['id']}" for each in notices)
    resent = {"line": f"webhooks resend {notices[1]['id']}"}
    assert f"{live}/resend" not in anna.get(live).text
    assert f"{test}/resend" in anna.get(test).text

    assert anna.post(f"{live}/resend").status_code == 403
    assert anna.post(f"{root}/shell", resent).status_code == 403
    assert anna.post(f"{test}/resend").status_code == 303

    choose(anna, "live", changes="1")
    assert f"{live}/resend" in anna.get(live).text
    assert anna.post(f"{live}/resend").status_code == 303
    assert anna.post(f"{root}/shell", resent).status_code == 200


def _class_with_live_access(gateway: Gateway, anna: Visitor) -> tuple[str, str, Credentials]:
    """A class, the sandbox of its participant, and what opens that on the live host."""
    anna.get("/console/classes")
    page = anna.post("/console/classes", {"seed": "7"}).text
    group = page.split("/console/classes/")[1].split('"')[0]
    _, place = joined(gateway, LINK.search(page)[0], "Ada")
    (merchant,) = gateway.control("GET", f"/sandboxes/{place}/merchants").json["merchants"]
    tokens = f"/sandboxes/{place}/merchants/{merchant['id']}/tokens"
    token = gateway.control("POST", tokens, {"host": "live"}).json["token"]
    return group, place, Credentials(token, merchant["channels"][0]["id"], "live")


@pytest.mark.parametrize("deed", ["reset", "end"])
def test_no_class_loses_live_payments_that_are_only_looked_at(
    gateway: Gateway, anna: Visitor, deed: str
) -> None:
    group, _, who = _class_with_live_access(gateway, anna)
    paid = gateway.post(who=who).json["id"]

    assert anna.post(f"/console/classes/{group}", {"deed": deed}).status_code == 403

    assert gateway.read(paid, who).status_code == 200
    choose(anna, "live", changes="1")
    assert anna.post(f"/console/classes/{group}", {"deed": deed}).status_code == 303
    assert gateway.read(paid, who).status_code != 200


def test_the_workbench_sends_to_the_host_that_is_chosen(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    choose(anna, "live")
    anna.get(f"{root}/workbench")
    form = {"operation": "create_checkout", "deed": "send", "v:amount": "92.00",
            "v:currency": "EUR", "v:paymentType": "DB"}  # fmt: skip
    assert anna.post(f"{root}/workbench", form).status_code == 403
    checked = anna.post(f"{root}/workbench", {**form, "deed": "check"})
    assert checked.status_code == 200 and "would take" in checked.text
    choose(anna, "live", changes="1")
    sent = anna.post(f"{root}/workbench", form)
    assert sent.status_code == 200 and "$SANDGATE_LIVE_TOKEN" in sent.text
    assert "92.00" in anna.get(f"{root}/checkouts").text
    choose(anna, "test")
    assert "92.00" not in anna.get(f"{root}/checkouts").text


def test_a_viewer_looks_at_the_live_host_and_changes_nothing(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    paid = gateway.post(who=gateway.live).json["id"]
    vera = person_of(gateway, "viewer", "vera")
    choose(vera, "live", changes="1")
    assert paid in vera.get(f"{root}/payments").text
    sent = {"type": "RF", "amount": "1.00"}
    assert vera.post(f"{root}/payments/{paid}/act", sent).status_code == 403


def test_decisions_of_the_risk_system_are_shown_by_host(gateway: Gateway, anna: Visitor) -> None:
    asked = {"merchants": [{"channels": [CHECKED]}]}
    made = gateway.control("POST", "/sandboxes", asked).json
    who = gateway.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    live = who._replace(token=made["live_token"], listener="live")
    declined = gateway.post(who=who, amount="900.00").json["id"]
    passed = gateway.post(who=who, amount="90.00").json["id"]
    elsewhere = gateway.post(who=live, amount="90.00").json["id"]
    path = f"/console/{made['id']}/risk"

    page = anna.get(path).text

    assert declined in page and passed in page and elsewhere not in page
    assert page.index(passed) < page.index(declined)
    assert "100.380.100" in page and "risk check risk-amount" in page
    assert "The risk system declines over 500.00" in page
    choose(anna, "live")
    page = anna.get(path).text
    assert elsewhere in page and declined not in page


def test_the_risk_page_of_a_sandbox_without_checks_says_so(anna: Visitor, root: str) -> None:
    assert "decided nothing of late" in anna.get(f"{root}/risk").text
