"""Breakpoints: a message waits at each party until it is released, answered or dropped, and the
clock of its sandbox stands.
"""

import json
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from time import monotonic, sleep
from urllib.parse import urlencode, urlsplit

import pytest

from simulator.client import Answer, Connection, ControlError
from simulator.client.gateway import QUIET, GatewayAccess
from simulator.client.merchant import Client
from simulator.client.processes import gateway_in
from simulator.client.sandbox import VISA, SandboxClient
from simulator.commands.control.hold import PARTIES
from simulator.domain.holding import STOPS, Stop
from simulator.tests.kit.making import BROWSER
from simulator.tests.kit.trees import ROOT

# So often are two payments answered at once.
ROUNDS = 3
# More than a card message holds.
TOO_LONG = {f"customParameters[abc{number}]": "v" * 2000 for number in range(20)}
WRONGLY_FORCED = {"card.holder": "000.100.110"}
SHOP = {"shopperResultUrl": "https://shop.example/back"}
CHALLENGED = {
    "card.number": "4200000000000018", "card.holder": "Jane Jones",
    "card.expiryMonth": "05", "card.expiryYear": "2034",
}  # fmt: skip


@pytest.fixture(scope="module")
def access(tmp_path_factory) -> Iterator[dict]:
    with gateway_in(tmp_path_factory.mktemp("holding"), *QUIET) as facts:
        yield facts


@pytest.fixture
def sandbox(access) -> Iterator[SandboxClient]:
    yield from made_in(access)


@pytest.fixture
def secured(access) -> Iterator[SandboxClient]:
    yield from made_in(access, three_d_secure={"VISA": "2.2.0"})


def made_in(access: dict, **channel: object) -> Iterator[SandboxClient]:
    gateway = GatewayAccess(access["base_url"], access["control_url"], access["control_key"])
    made = gateway.create_sandbox(merchants=[{"channels": [channel]}])
    yield made
    gateway.delete_sandbox(made)


@pytest.fixture(scope="module")
def others() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(4) as pool:
        yield pool


def pay(sandbox: SandboxClient, amount: str = "92.00", **parameters: str) -> str:
    return sandbox.pay(amount, parameters=parameters).code


def read(sandbox: SandboxClient, payment: str) -> int:
    """The status of the answer to another client of the same merchant."""
    with closing(Client(sandbox.url, sandbox.token, sandbox.entity_id)) as other:
        return other.get(f"v1/payments/{payment}").status


def held_at(sandbox: SandboxClient, count: int = 1) -> list[dict]:
    until = monotonic() + 10
    while len(found := sandbox.control.held(sandbox.id)) < count and monotonic() < until:
        sleep(0.01)
    assert len(found) == count, found
    return found


def held_payment(sandbox, others, **parameters: str) -> tuple[Future, dict]:
    paying = others.submit(pay, sandbox, **parameters)
    return paying, held_at(sandbox)[0]


@pytest.mark.parametrize("mode", ["INTERNAL", "EXTERNAL"])
@pytest.mark.parametrize(
    ("action", "answer", "code"),
    [
        ("release", "", "000.100.11"),
        ("answer", "insufficient-funds", "800.100.203"),
        ("answer", "800.100.151", "800.100.151"),
        ("drop", "", "900.100."),
    ],
)
def test_a_request_to_the_acquirer_waits(sandbox, others, mode, action, answer, code):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)

    paying, held = held_payment(sandbox, others, testMode=mode)
    stored = read(sandbox, held["payment"])
    sandbox.control.let_go(sandbox.id, held["id"], action, answer)

    assert (held["party"], held["label"]) == ("acquirer", "DB 92.00 EUR")
    assert stored == 200
    assert paying.result(10).startswith(code)
    assert "gateway -> acquirer" in sandbox.trace(held["payment"])


def test_what_cannot_be_forced_is_refused_before_it_is_held(sandbox, others):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)

    paying = others.submit(pay, sandbox, **WRONGLY_FORCED)

    assert paying.result(10) == "600.200.810"
    assert sandbox.control.held(sandbox.id) == []


def test_what_no_script_answers_any_more_as_it_goes_on_is_declined(sandbox, others):
    armed = sandbox.arm("approve")
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    paying, held = held_payment(sandbox, others, **WRONGLY_FORCED)

    sandbox.disarm(armed)
    sandbox.control.let_go(sandbox.id, held["id"], "release", "")

    assert paying.result(10) == "600.200.810"
    with closing(Client(sandbox.url, sandbox.token, sandbox.entity_id)) as other:
        assert other.get(f"v1/payments/{held['payment']}").code == "600.200.810"


def answered_at_once(
    sandbox: SandboxClient, others: ThreadPoolExecutor, answers: tuple[str, str], **sent: str
) -> list[tuple[str, str]]:
    """Which of two answers each of two equal payments was given, and the code it has."""
    paying = [others.submit(sandbox.pay, "92.00", parameters=sent) for _ in answers]
    held = held_at(sandbox, len(answers))
    for_each = [
        others.submit(sandbox.control.let_go, sandbox.id, each["id"], "answer", answer)
        for each, answer in zip(held, answers, strict=True)
    ]
    assert [each.result(10)["id"] for each in for_each] == [each["id"] for each in held]
    codes = {paid.id: paid.code for paid in (each.result(10) for each in paying)}
    return [(answer, codes[each["payment"]]) for each, answer in zip(held, answers, strict=True)]


def is_armed(sandbox: SandboxClient) -> bool:
    """Whether a script waits for a request."""
    return any(each["state"] != "used up" for each in sandbox.control.scripts(sandbox.id))


@pytest.mark.parametrize(("mode", "approved"), [("INTERNAL", "110"), ("EXTERNAL", "112")])
def test_each_of_two_equal_requests_to_the_acquirer_is_given_its_own_answer(
    sandbox, others, mode, approved
):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    for _ in range(ROUNDS):
        answers = answered_at_once(sandbox, others, ("approve", "stolen-card"), testMode=mode)
        assert answers == [("approve", f"000.100.{approved}"), ("stolen-card", "800.100.159")]
    assert not is_armed(sandbox)


def test_each_of_two_equal_areqs_is_given_its_own_answer(secured, others):
    secured.control.set_breakpoints(secured.id, Stop.DIRECTORY)
    sent = {**CHALLENGED, **BROWSER, **SHOP}
    for _ in range(ROUNDS):
        answers = answered_at_once(secured, others, ("frictionless", "reject"), **sent)
        assert answers == [("frictionless", "000.100.110"), ("reject", "100.390.118")]
    assert not is_armed(secured)


def test_each_of_two_equal_screenings_is_given_its_own_answer(sandbox, others):
    sandbox.control.set_breakpoints(sandbox.id, Stop.RISK)
    for _ in range(ROUNDS):
        answers = answered_at_once(sandbox, others, ("risk-denied", "risk-country"))
        assert answers == [("risk-denied", "100.400.142"), ("risk-country", "000.100.110")]
    assert not is_armed(sandbox)


def test_an_answer_is_not_given_to_another_payment_meanwhile(sandbox, others):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    for _ in range(ROUNDS):
        paying, held = held_payment(sandbox, others, testMode="EXTERNAL")
        sandbox.control.set_breakpoints(sandbox.id)
        beside = [others.submit(pay, sandbox, testMode="EXTERNAL") for _ in range(3)]
        sandbox.control.let_go(sandbox.id, held["id"], "answer", "stolen-card")
        assert paying.result(10) == "800.100.159"
        assert {each.result(10) for each in beside} == {"000.100.112"}
        sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)


def test_the_answer_to_a_message_that_is_never_sent_is_given_to_no_other(sandbox, others):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    paying, held = held_payment(sandbox, others, testMode="EXTERNAL", **TOO_LONG)
    sandbox.control.let_go(sandbox.id, held["id"], "answer", "stolen-card")
    assert paying.result(10) == "900.100.100"
    assert not is_armed(sandbox)
    sandbox.control.set_breakpoints(sandbox.id)
    assert pay(sandbox) == "000.100.110"


def test_an_authentication_alone_is_answered_at_the_directory_server(secured, others):
    secured.control.set_breakpoints(secured.id, Stop.DIRECTORY)
    alone = {"paymentType": "3D", "amount": "92.00", "currency": "EUR", "paymentBrand": "VISA"}
    sent = {**alone, **CHALLENGED, **BROWSER, **SHOP}
    asking = others.submit(secured.merchant.post, "v1/threeDSecure", sent)
    secured.control.let_go(secured.id, held_at(secured)[0]["id"], "answer", "reject")
    assert asking.result(10).code == "100.390.118"


def test_the_clock_stands_while_a_message_is_held_and_runs_on_from_there(sandbox, others):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    paying, held = held_payment(sandbox, others)

    stands = [sandbox.control.clock(sandbox.id) for _ in range(2)]
    sandbox.control.let_go(sandbox.id, held["id"], "release")
    paying.result(10)
    runs = [sandbox.control.clock(sandbox.id) for _ in range(2)]

    assert stands[0] == stands[1]
    assert stands[0]["mode"] == "frozen"
    assert runs[0]["mode"] == "offset"
    assert stands[0]["now"] < runs[0]["now"] < runs[1]["now"]


def test_a_clock_that_stood_before_stands_on(sandbox, others):
    sandbox.freeze("2031-01-01T00:00:00Z")
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    paying, held = held_payment(sandbox, others)
    sandbox.control.let_go(sandbox.id, held["id"], "release")
    paying.result(10)
    assert sandbox.control.clock(sandbox.id)["mode"] == "frozen"


@pytest.mark.parametrize("at", ["", "2031-01-01T00:00:00Z"])
def test_a_clock_that_is_frozen_while_a_message_is_held_stands_on(sandbox, others, at):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    paying, held = held_payment(sandbox, others)
    sandbox.freeze(*filter(None, [at]))
    frozen = sandbox.control.clock(sandbox.id)

    sandbox.control.let_go(sandbox.id, held["id"], "release")
    paying.result(10)

    assert frozen["mode"] == "frozen"
    assert sandbox.control.clock(sandbox.id) == frozen


@pytest.mark.parametrize(
    ("action", "answer", "code"),
    [("answer", "risk-denied", "100.400.142"), ("drop", "", "000.100.1")],
)
def test_a_payment_waits_at_the_risk_system(sandbox, others, action, answer, code):
    sandbox.control.set_breakpoints(sandbox.id, Stop.RISK)
    paying, held = held_payment(sandbox, others)
    assert held["receiver"] == "risk system"
    sandbox.control.let_go(sandbox.id, held["id"], action, answer)
    assert paying.result(10).startswith(code)


@pytest.mark.parametrize(
    ("action", "answer", "code"),
    [("answer", "frictionless", "000.100.1"), ("answer", "reject", "100.390.11"),
     ("drop", "", "100.390.11")],
)  # fmt: skip
def test_an_areq_waits_at_the_directory_server(secured, others, action, answer, code):
    secured.control.set_breakpoints(secured.id, Stop.DIRECTORY)
    paying, held = held_payment(secured, others, **CHALLENGED, **BROWSER, **SHOP)
    secured.control.let_go(secured.id, held["id"], action, answer)
    assert paying.result(10).startswith(code)


@pytest.mark.parametrize(
    ("action", "answer", "status", "said"),
    [("release", "", 200, "Y"), ("answer", "decline", 200, "N"), ("drop", "", 504, None)],
)
def test_what_the_shopper_confirms_waits_at_the_acs(
    secured, others, *, action, answer, status, said
):
    secured.control.set_breakpoints(secured.id, Stop.ACS)
    asked = secured.pay("92.00", card=CHALLENGED, parameters={**BROWSER, **SHOP})
    page = fetch(asked.at("redirect.url"), "GET")
    confirming = others.submit(fetch, page.body["acsURL"], "POST", {"action": "approve"})
    secured.control.let_go(secured.id, held_at(secured)[0]["id"], action, answer)
    answered = confirming.result(10)
    assert answered.status == status
    assert said is None or answered.body["transStatus"] == said


@pytest.mark.parametrize(
    ("action", "answer", "code"),
    [("release", "", "000.100.110"), ("answer", "cancel", "100.396.101"),
     ("drop", "", "000.200.000")],
)  # fmt: skip
def test_the_choice_of_the_shopper_waits_at_the_bank(sandbox, others, action, answer, code):
    sandbox.control.set_breakpoints(sandbox.id, Stop.BANK)
    asked = sandbox.pay("92.00", card={}, parameters={"paymentBrand": "EPS", **SHOP})
    choosing = others.submit(fetch, asked.at("redirect.url"), "POST", form="action=pay")
    sandbox.control.let_go(sandbox.id, held_at(sandbox)[0]["id"], action, answer)
    choosing.result(10)
    assert sandbox.merchant.get(f"v1/payments/{asked.id}").code == code


@pytest.mark.parametrize(("action", "status"), [("release", 200), ("drop", 503)])
def test_what_a_form_posts_waits_before_it_is_taken(sandbox, others, action, status):
    sandbox.control.set_breakpoints(sandbox.id, Stop.SHOPPER)
    prepared = {"amount": "92.00", "currency": "EUR", "paymentType": "DB"}
    checkout = sandbox.merchant.post("v1/checkouts", prepared).id
    capability = sandbox.control.issue_capability(sandbox.id, checkout)
    form = urlencode({**VISA, "paymentBrand": "VISA"})
    address = f"{sandbox.url}v1/checkouts/{checkout}/payment"
    paying = others.submit(fetch, address, "POST", form=form, capability=capability)
    sandbox.control.let_go(sandbox.id, held_at(sandbox)[0]["id"], action)
    assert paying.result(10).status == status


@pytest.mark.parametrize(
    ("action", "answer", "arrived"),
    [("release", "", 1), ("answer", "webhook-twice", 2), ("answer", "webhook-lost", 0),
     ("drop", "", 0)],
)  # fmt: skip
def test_an_attempt_to_deliver_waits_at_the_sender(sandbox, action, answer, arrived):
    sandbox.listen()
    sandbox.control.set_breakpoints(sandbox.id, Stop.WEBHOOKS)
    pay(sandbox)
    held = held_at(sandbox)[0]
    sandbox.control.let_go(sandbox.id, held["id"], action, answer)
    assert sandbox.drain()
    assert "webhook-late" not in held["answers"]
    assert len(sandbox.inbox()) == arrived


def test_nothing_is_held_any_more_where_the_sandbox_is_reset_or_deleted(sandbox, others):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    paying, _ = held_payment(sandbox, others)
    sandbox.control.reset(sandbox.id)
    assert paying.result(10) == "999.999.888"
    assert sandbox.control.held(sandbox.id) == []
    assert sandbox.control.clock(sandbox.id)["mode"] == "real"


def test_what_is_answered_wrongly_goes_on_waiting(sandbox, others):
    sandbox.control.set_breakpoints(sandbox.id, Stop.ACQUIRER)
    paying, held = held_payment(sandbox, others)
    for action, answer in (("answer", "pay"), ("answer", ""), ("release", "pay"), ("keep", "")):
        with pytest.raises(ControlError) as refused:
            sandbox.control.let_go(sandbox.id, held["id"], action, answer)
        assert refused.value.status == 400
    with pytest.raises(ControlError, match="404|no message"):
        sandbox.control.let_go(sandbox.id, "0" * 32, "release")
    assert held_at(sandbox) == [held]
    sandbox.control.let_go(sandbox.id, held["id"], "release")
    assert paying.result(10) == "000.100.110"
    with pytest.raises(ControlError, match="acquirer"):
        sandbox.control.set_breakpoints(sandbox.id, "everybody")


def test_every_party_has_its_page_and_its_command():
    assert tuple(Stop) == PARTIES
    page = (ROOT / "docs" / "how-to" / "hold-messages.md").read_text(encoding="utf-8")
    for stop, row in STOPS.items():
        assert f"| `{stop}` | {row.means} |" in page


def fetch(
    url: str,
    method: str,
    document: dict | None = None,
    *,
    form: str = "",
    capability: str = "",
) -> Answer:
    """The answer to a program at an address."""
    parts = urlsplit(url)
    connection = Connection(f"{parts.scheme}://{parts.netloc}/", timeout_s=15)
    kind = "application/x-www-form-urlencoded" if form else "application/json"
    body = form.encode() or (json.dumps(document).encode() if document else None)
    headers = {"Accept": "application/json"}
    if body:
        headers["Content-Type"] = kind
    if capability:
        headers["Authorization"] = f"Checkout {capability}"
    try:
        target = parts.path.lstrip("/") + (f"?{parts.query}" if parts.query else "")
        return connection.ask(method, target, headers=headers, body=body)
    finally:
        connection.close()
