"""Risk checks: what is asked, what is declined, what is counted, and what is left out."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from falcon.testing import Result

from scenarios.records import DenyList, RiskSteps
from simulator.catalogue.fields.adjustments import NOT_SCREENED
from simulator.domain.core.errors import Violations
from simulator.domain.core.ports import Unit
from simulator.domain.core.records import Payment, Script
from simulator.domain.risk import Sighting, request_of, sighting_of
from simulator.domain.steering.risk_checks import verdict_of
from simulator.grammar.choices import PROFILES
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.gateway import Credentials, Gateway
from simulator.tests.kit.making import BROWSER, CARD, NOON, Answering, a_context, new_ids

PAID = {"paymentType": "DB", "amount": "10.00", "currency": "EUR", **CARD}
OTHER_CARD = {"paymentBrand": "MASTER", "card.number": "5454545454545454"}
DEVICE = {"customer.browserFingerprint.id": "a-device"}
NAME = {"customer.givenName": "Jane", "customer.surname": "Jones"}


def pay(context: object, **more: str) -> Payment:
    return take_payment(context, {**PAID, **more}, new_ids(context))


def checked_by(*names: str, **channel: object) -> tuple[object, Answering]:
    """A context of a channel with these checks, and its acquirer."""
    acquirer = Answering()
    return a_context(acquirer=acquirer, channel={"risk": names, **channel}), acquirer


def code_of(payment: Payment) -> str:
    return payment.outcome.code


def test_a_payment_that_passes_goes_on_with_its_score() -> None:
    context, acquirer = checked_by("risk-amount")
    payment = pay(context)
    assert (code_of(payment), payment.outcome.risk_score) == ("000.100.110", 100)
    assert len(acquirer.asks) == 1


def test_a_declined_payment_is_stored_and_never_reaches_the_acquirer() -> None:
    context, acquirer = checked_by("risk-denied")
    payment = pay(context)
    assert (code_of(payment), payment.outcome.risk_score) == ("100.400.142", -500)
    assert payment.outcome.decided_by == "risk check risk-denied"
    assert context.ports.store.get(Payment, payment.id).state == "failed"
    assert acquirer.asks == []


@pytest.mark.parametrize("kind", ["CD"])
def test_a_payout_is_not_checked(kind: str) -> None:
    context, _ = checked_by("risk-denied")
    assert code_of(pay(context, paymentType=kind)) == "000.100.110"


@pytest.mark.parametrize(
    ("check", "sent", "code"),
    [
        ("risk-amount", {"amount": "500.00"}, None),
        ("risk-amount", {"amount": "500.01"}, "100.380.100"),
        ("risk-amount", {"amount": "900.00", "risk.amount": "10.00"}, None),
        ("risk-amount", {"amount": "9.00", "risk.amount": "500.01"}, "100.380.100"),
        ("risk-country", {"billing.country": "DE", "shipping.country": "DE"}, None),
        ("risk-country", {"billing.country": "DE", "shipping.country": "de"}, None),
        ("risk-country", {"billing.country": "DE"}, None),
        ("risk-country", {"billing.country": "DE", "shipping.country": "FR"}, "100.400.021"),
        ("risk-fingerprint", DEVICE, None),
        ("risk-fingerprint", {}, "100.400.243"),
        ("risk-fingerprint", {"customer.browserFingerprint.id": "denied-device"}, "100.400.242"),
        ("risk-deny-list", {"billing.country": "AQ"}, "800.300.102"),
        ("risk-deny-list", {"customer.email": "fraud@example.com"}, "800.300.200"),
        ("risk-deny-list", {"customer.ip": "192.0.2.1"}, "800.300.301"),
        ("risk-deny-list", {"card.number": "4111111111111111"}, "800.300.401"),
        ("risk-deny-list", {"billing.country": "DE", "customer.ip": "192.0.2.2"}, None),
    ],
)
def test_a_check_declines_what_it_finds_with_its_own_code(
    check: str, sent: dict, code: str | None
) -> None:
    context, _ = checked_by(check)
    assert code_of(pay(context, **sent)) == (code or "000.100.110")


def test_an_account_may_be_denied() -> None:
    context, _ = checked_by("risk-deny-list")
    account = {"paymentBrand": "VIRTUAL_ACCOUNT", "virtualAccount.accountId": "DENIED"}
    sent = {"paymentType": "DB", "amount": "1.00", "currency": "EUR", **account}
    assert code_of(take_payment(context, sent, new_ids(context))) == "800.300.101"


def test_the_fourth_payment_of_an_hour_is_one_too_many() -> None:
    context, _ = checked_by("risk-velocity")
    assert [code_of(pay(context)) for _ in range(4)] == ["000.100.110"] * 3 + ["800.120.101"]
    assert code_of(pay(context, **OTHER_CARD)) == "000.100.110"
    context.ports.clock.advance(timedelta(hours=1, seconds=1))
    assert code_of(pay(context)) == "000.100.110"


DEBIT = {
    "paymentType": "DB",
    "amount": "1.00",
    "currency": "EUR",
    "paymentBrand": "DIRECTDEBIT_SEPA",
    "bankAccount.holder": "Jane Jones",
}
IBANS = ("DE89370400440532013000", "de89370400440532013000", "De89370400440532013000")


def debit(context: object, **more: str) -> Payment:
    return take_payment(context, {**DEBIT, **more}, new_ids(context))


def test_an_account_in_another_letter_case_is_the_same_account() -> None:
    context, _ = checked_by("risk-velocity")
    codes = [code_of(debit(context, **{"bankAccount.iban": iban})) for iban in (*IBANS, IBANS[1])]
    assert codes == ["000.100.110"] * 3 + ["800.120.101"]


def test_an_email_address_in_another_letter_case_is_the_same_address() -> None:
    context, _ = checked_by("risk-velocity-email")
    written = ("jane@shop.example", "jane@SHOP.example", "JANE@shop.example")
    codes = [code_of(pay(context, **NAME, **{"customer.email": each})) for each in written * 2]
    assert codes == ["000.100.110"] * 5 + ["800.120.103"]


def test_an_ip_address_in_another_spelling_is_the_same_address() -> None:
    written = ("192.0.2.1", "::ffff:192.0.2.1", "::FFFF:C000:201", "0:0:0:0:0:ffff:c000:0201")
    asked = [request_of(pay(a_context()), {"customer.ip": each}) for each in written]
    assert {sighting_of(each).ip for each in asked} == {"192.0.2.1"}


def test_an_account_in_national_notation_is_another_one_than_its_iban() -> None:
    context = a_context()
    written = (
        {"bankAccount.iban": "DE89370400440532013000"},
        {"bankAccount.number": "0532013000", "bankAccount.bankCode": "37040044"},
        {"bankAccount.number": "532013000", "bankAccount.bankCode": "37040044"},
    )
    seen = set()
    for each in written:
        payment = debit(context, **each)
        seen.add(sighting_of(request_of(payment, payment.sent)).account)
    assert len(seen) == len(written)


@pytest.mark.parametrize("iban", IBANS)
@pytest.mark.parametrize("listed", [IBANS[0], "de89 3704 0044 0532 0130 00"])
def test_a_listed_account_is_denied_however_it_is_written(iban: str, listed: str) -> None:
    steps = RiskSteps(deny=DenyList(accounts=(listed,)))
    context = a_context()
    payment = debit(context, **{"bankAccount.iban": iban})
    verdict = verdict_of(steps, request_of(payment, payment.sent), lambda *_: 0)
    assert verdict.code == "800.300.101"


@pytest.mark.parametrize(
    ("name", "value", "listed", "code"),
    [
        ("customer.email", "Fraud@EXAMPLE.com", DenyList(emails=("fraud@example.com",)), "200"),
        ("customer.email", "fraud@example.com", DenyList(emails=("Fraud@Example.com",)), "200"),
        ("customer.ip", "2001:db8::a", DenyList(ips=("2001:DB8::A",)), "301"),
        ("customer.ip", "2001:0db8:0:0:0:0:0:000A", DenyList(ips=("2001:db8::a",)), "301"),
        ("customer.ip", "::ffff:192.0.2.1", DenyList(ips=("192.0.2.1",)), "301"),
        ("customer.ip", "192.0.2.1", DenyList(ips=("::FFFF:c000:201",)), "301"),
        ("customer.ip", " Unknown", DenyList(ips=("unknown",)), "301"),
        ("billing.country", "aq", DenyList(countries=("AQ",)), "102"),
        ("billing.country", "AQ", DenyList(countries=("aq",)), "102"),
    ],
)
def test_what_is_listed_is_denied_however_it_is_written(
    name: str, value: str, listed: DenyList, code: str
) -> None:
    payment = pay(a_context(), **NAME)
    asked = request_of(payment, {**payment.sent, name: value})
    verdict = verdict_of(RiskSteps(deny=listed), asked, lambda *_: 0)
    assert verdict.code == f"800.300.{code}"


def test_a_declined_payment_counts_as_well() -> None:
    context, _ = checked_by("risk-velocity", "risk-amount")
    for _ in range(3):
        assert code_of(pay(context, amount="501.00")) == "100.380.100"
    assert code_of(pay(context)) == "800.120.101"


def test_a_payment_that_is_tried_again_after_a_crash_does_not_count_itself() -> None:
    context, _ = checked_by("risk-velocity")
    payment = [pay(context) for _ in range(3)][-1]
    for _ in range(2):
        again = context.ports.risk.screen(request_of(payment, PAID))
        assert again.code is None, "two payments came before it"
    assert code_of(pay(context)) == "800.120.101"


def test_a_request_that_is_refused_after_it_was_screened_does_not_count() -> None:
    context, _ = checked_by("risk-velocity", three_d_secure={"VISA": "2.1.0"})
    with pytest.raises(Violations, match="challengeIndicator"):
        pay(context, **BROWSER, **{"threeDSecure.challengeIndicator": "05"})
    assert context.ports.journal.newest == 1, "it was screened"
    assert list(context.ports.store.between(Sighting, "host_account", "", "~")) == []


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("tests", ["test", "live"])
@pytest.mark.parametrize(
    ("check", "before", "named", "code"),
    [
        ("risk-velocity", 3, {}, "800.120.101"),
        ("risk-velocity-email", 5, {**NAME, "customer.email": "jane@example.com"}, "800.120.103"),
    ],
)
def test_payments_of_one_host_do_not_count_on_the_other(
    gateway: Gateway, profile: str, tests: str, *, check: str, before: int, named: dict, code: str
) -> None:
    asked = {"profile": profile, "merchants": [{"channels": [{"risk": [check]}]}]}
    made = gateway.control("POST", "/sandboxes", asked).json
    test = Credentials(made["token"], made["entity_id"])
    live = Credentials(made["live_token"], made["entity_id"], "live")
    here, there = (test, live) if tests == "test" else (live, test)
    ended = {test: "000.100.110", live: "000.000.000"}

    def codes(who: Credentials, count: int) -> list[str]:
        posted = [gateway.post(who=who, **named).json for _ in range(count)]
        return [answer["result"]["code"] for answer in posted]

    assert codes(here, before + 1) == [ended[here]] * before + [code]
    assert codes(there, before + 1) == [ended[there]] * before + [code]


def test_the_order_time_is_when_a_payment_was_made() -> None:
    context, _ = checked_by("risk-velocity")
    early = {"risk.orderTimestamp": f"{NOON - timedelta(days=1):%Y-%m-%d %H:%M:%S}"}
    for _ in range(3):
        assert code_of(pay(context, **early)) == "000.100.110"
    assert code_of(pay(context)) == "000.100.110"
    assert code_of(pay(context, **early)) == "800.120.101"


@pytest.mark.parametrize("ordered", ["0001-01-01 00:00:00", "9999-12-31 23:59:59"])
def test_an_order_may_be_of_any_time(ordered: str) -> None:
    context, _ = checked_by("risk-velocity")
    sent = {"risk.orderTimestamp": ordered}
    codes = [code_of(pay(context, **sent)) for _ in range(4)]
    assert codes == ["000.100.110"] * 3 + ["800.120.101"]


def test_the_defaults_of_a_request() -> None:
    context, _ = checked_by("risk-amount")
    payment = pay(context)
    plain = request_of(payment, payment.sent)
    assert (plain.brand, plain.at, plain.money) == ("VISA", NOON, payment.money)
    assert plain.service is None
    sent = {"risk.brand": "House Card", "risk.amount": "3.00", "risk.serviceId": "S",
            "risk.orderTimestamp": "2026-01-02 03:04:05"}  # fmt: skip
    asked = request_of(payment, {**payment.sent, **sent})
    assert (asked.brand, str(asked.money), asked.service) == ("House Card", "3.00 EUR", "S")
    assert asked.at.isoformat() == "2026-01-02T03:04:05+00:00"


def test_mandate_and_due_date_are_never_shown_to_a_risk_system() -> None:
    context, _ = checked_by("risk-amount")
    payment = pay(context)
    hidden = {row.name: "x" for row in NOT_SCREENED}
    assert len(hidden) == 3
    sent = {**PAID, **hidden, "bankAccount.holder": "Jane Jones"}
    asked = request_of(payment, sent).parameters
    assert not asked.keys() & (hidden.keys() | {"card.number", "card.cvv"})
    assert asked["bankAccount.holder"] == "Jane Jones"


def test_another_set_of_rules_runs_for_the_screening_service() -> None:
    context, _ = checked_by("risk-denied", screening=("risk-amount",))
    assert code_of(pay(context)) == "100.400.142"
    assert code_of(pay(context, **{"risk.serviceId": "S"})) == "000.100.110"
    assert code_of(pay(context, amount="501.00", **{"risk.serviceId": "S"})) == "100.380.100"


def test_nothing_is_remembered_where_nothing_counts() -> None:
    context, _ = checked_by("risk-amount")
    pay(context)
    assert list(context.ports.store.between(Sighting, "host_account", "", "~")) == []


class Shop:
    """A merchant of a sandbox whose channel has risk checks."""

    def __init__(self, gateway: Gateway, **channel: object):
        self.gateway = gateway
        made = gateway.control(
            "POST", "/sandboxes", {"merchants": [{"channels": [channel]}], "profile": "field"}
        ).json
        self.id = made["id"]
        self.who = Credentials(made["token"], made["entity_id"])

    def check(self, **more: str) -> Result:
        """A risk check alone."""
        sent = {**PAID, "entityId": self.who.entity_id, **more}
        del sent["paymentType"]
        return self.gateway.send("/v1/risk", sent, self.who)


@pytest.fixture(scope="module")
def gateway(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Gateway]:
    made = Gateway(tmp_path_factory.mktemp("risk") / "data")
    yield made
    made.close()


def test_a_check_alone_returns_the_score_and_moves_nothing(gateway: Gateway) -> None:
    shop = Shop(gateway, risk=["risk-amount"])
    passed = shop.check()
    assert (passed.status_code, passed.json["result"]["code"]) == (200, "000.300.100")
    assert (passed.json["paymentType"], passed.json["risk"]["score"]) == ("RI", "100")
    denied = shop.check(amount="501.00")
    assert (denied.status_code, denied.json["result"]["code"]) == (400, "100.380.100")
    assert denied.json["risk"]["score"] == "-100"
    read = gateway.read(passed.json["id"], shop.who)
    assert (read.status_code, read.json["result"]["code"]) == (200, "000.300.100")
    sent = {"entityId": shop.who.entity_id, "paymentType": "RF", "amount": "1.00",
            "currency": "EUR"}  # fmt: skip
    refused = gateway.send(f"/v1/payments/{passed.json['id']}", sent, shop.who)
    assert (refused.status_code, refused.json["result"]["code"]) == (400, "700.400.520")


def test_a_check_alone_passes_where_none_is_set_up(gateway: Gateway) -> None:
    assert Shop(gateway).check().json["result"]["code"] == "000.300.100"


@pytest.mark.parametrize("without", ["amount", "currency", "card.number"])
def test_a_check_alone_needs_what_it_judges(gateway: Gateway, without: str) -> None:
    answer = Shop(gateway).check(**{without: ""})
    assert (answer.status_code, answer.json["result"]["code"]) == (400, "200.300.404")


def test_a_script_may_speak_for_the_risk_system(gateway: Gateway) -> None:
    shop = Shop(gateway)
    script = {"behaviour": "risk-denied", "times": 1, "match": {"amount": "13.00"}}
    armed = gateway.control("POST", f"/sandboxes/{shop.id}/scripts", script).json
    assert gateway.post(who=shop.who, amount="12.00").status_code == 200
    denied = gateway.post(who=shop.who, amount="13.00")
    assert (denied.status_code, denied.json["result"]["code"]) == (400, "100.400.142")
    assert gateway.post(who=shop.who, amount="13.00").status_code == 200
    seen = gateway.control("GET", f"/sandboxes/{shop.id}/scripts/{armed['id']}").json
    assert (seen["matched"], seen["state"]) == (1, "used up")


def test_journal_and_trace_show_what_the_risk_system_was_asked(gateway: Gateway) -> None:
    shop = Shop(gateway, risk=["risk-amount"])
    paid = gateway.post(who=shop.who, **NAME)
    trace = gateway.control("GET", f"/sandboxes/{shop.id}/payments/{paid.json['id']}/trace").text
    assert "risk system" in trace
    page = gateway.control("GET", f"/sandboxes/{shop.id}/journal").text
    assert "customer.givenName" in page and "4200000000000000" not in page


@pytest.mark.parametrize("channel", [{"risk": ["unknown"]}, {"screening": ["approve"]}])
def test_a_check_that_there_is_not_cannot_be_set_up(gateway: Gateway, channel: dict) -> None:
    answer = gateway.control("POST", "/sandboxes", {"merchants": [{"channels": [channel]}]})
    assert answer.status_code == 400
    (name,) = channel
    assert answer.json["error"]["where"] == f"merchants[0].channels[0].{name}"


@pytest.mark.parametrize(
    ("steps", "where"),
    [
        ({"decline": "000.100.110"}, "behaviour.steps.risk.decline"),
        ({"decline": "100.400.999"}, "behaviour.steps.risk.decline"),
        ({"velocity": {"by": "name", "payments": 1, "seconds": 1}},
         "behaviour.steps.risk.velocity.by"),
        ({"amount": {"over": "5"}, "guess": 1}, "behaviour.steps.risk.guess"),
    ],
)  # fmt: skip
def test_a_wrong_risk_step_is_named(gateway: Gateway, steps: dict, where: str) -> None:
    shop = Shop(gateway)
    document = {"behaviour": {"steps": {"risk": steps}}}
    answer = gateway.control("POST", f"/sandboxes/{shop.id}/scripts", document)
    assert (answer.status_code, answer.json["error"]["where"]) == (400, where)


def test_scripts_of_others_do_not_touch_the_check() -> None:
    context, _ = checked_by()
    steps = {"steps": {"webhooks": {"lose": {}}}, "name": "x", "title": "x", "description": "x"}
    script = Script(id="8" * 32, version=1, behaviour=steps, created_at=NOON)
    context.ports.store.commit(Unit((script,)))
    assert pay(context).screened_by is None
