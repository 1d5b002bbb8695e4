"""The same merchantTransactionId again, on channels that refuse or repeat."""

from pathlib import Path

import gevent
import pytest

from simulator.tests.kit.gateway import ORDER as CARD_ORDER
from simulator.tests.kit.gateway import Credentials, Gateway

ORDER = {"merchantTransactionId": "order-0001"}
SENT_BEFORE = "800.110.100"
LATE = {"steps": {"acquirer": {"latency": {"fixed": {"seconds": 0.1}}, "approve": {}}}}


def shop(gateway: Gateway, mode: str, **options: object) -> Credentials:
    """A merchant whose channel does so."""
    channel = {"repeated_merchant_transaction_id": mode, **options}
    return gateway.sandbox(merchants=[{"channels": [channel]}])


def code(answer: object) -> str:
    """Its result code."""
    return answer.json["result"]["code"]


def test_without_the_switch_each_request_is_a_payment(gateway: Gateway) -> None:
    who = gateway.sandbox()
    ids = {gateway.post(who=who, **ORDER).json["id"] for _ in range(2)}
    assert len(ids) == 2


def test_a_repeated_request_is_refused(gateway: Gateway) -> None:
    who = shop(gateway, "refuse")
    assert code(gateway.post(who=who, **ORDER)) == "000.100.110"
    again = gateway.post(who=who, **ORDER)
    assert (again.status_code, code(again)) == (400, SENT_BEFORE)
    assert code(gateway.post(who=who, merchantTransactionId="order-0002")) == "000.100.110"
    assert code(gateway.post(who=who)) == code(gateway.post(who=who)) == "000.100.110"


def test_a_repeated_request_is_answered_with_the_first_payment(gateway: Gateway) -> None:
    who = shop(gateway, "repeat")
    first = gateway.post(who=who, **ORDER)
    again = gateway.post(who=who, **ORDER)
    assert (again.status_code, again.json["id"]) == (200, first.json["id"])
    assert code(again) == "000.100.110"


NO_CARD = dict.fromkeys(name for name in CARD_ORDER if name.startswith("card."))
DEBIT = {**NO_CARD, "paymentBrand": "DIRECTDEBIT_SEPA", "bankAccount.holder": "Jane Jones",
         "bankAccount.iban": "DE89370400440532013000",
         "bankAccount.bic": "COBADEFFXXX"}  # fmt: skip
SERIES = {"standingInstruction.mode": "INITIAL", "standingInstruction.type": "UNSCHEDULED",
          "standingInstruction.source": "CIT", "createRegistration": "true"}  # fmt: skip


@pytest.mark.parametrize("profile", ["specification", "field"])
@pytest.mark.parametrize(
    ("more", "other"),
    [
        ({"createRegistration": "true"}, {"createRegistration": "false"}),
        (DEBIT, {"bankAccount.holder": "John Jones"}),
        (SERIES, {"standingInstruction.type": "RECURRING"}),
    ],
)
def test_what_the_gateway_adds_to_a_payment_is_not_compared(
    gateway: Gateway, profile: str, more: dict, other: dict
) -> None:
    channel = {"repeated_merchant_transaction_id": "repeat"}
    who = gateway.sandbox(merchants=[{"channels": [channel]}], profile=profile)
    first, again = (gateway.post(who=who, **ORDER, **more) for _ in range(2))
    assert first.status_code == 200, first.json
    assert (again.status_code, again.json.get("id")) == (200, first.json["id"])
    assert code(gateway.post(who=who, **ORDER, **{**more, **other})) == SENT_BEFORE


@pytest.mark.parametrize(
    "more",
    [{"amount": "92.01"}, {"paymentType": "PA"}, {"card.number": "4111111111111111"},
     {"customParameters[shelf]": "B4"}, {"testMode": "EXTERNAL"}, {"descriptor": "Book shop"}],
)  # fmt: skip
def test_another_request_with_the_same_reference_is_never_answered_so(
    gateway: Gateway, more: dict
) -> None:
    who = shop(gateway, "repeat")
    gateway.post(who=who, **ORDER)
    assert code(gateway.post(who=who, **ORDER, **more)) == SENT_BEFORE


def test_the_usual_test_mode_is_the_same_whether_it_is_sent_or_not(gateway: Gateway) -> None:
    who = shop(gateway, "repeat")
    first = gateway.post(who=who, **ORDER)
    again = gateway.post(who=who, **ORDER, testMode="INTERNAL")
    assert (again.status_code, again.json["id"]) == (200, first.json["id"])


@pytest.mark.parametrize("mode", ["refuse", "repeat"])
def test_a_declined_payment_leaves_the_reference_free(gateway: Gateway, mode: str) -> None:
    who = shop(gateway, mode)
    declined = {"card.holder": "800.100.151"}
    for _ in range(2):
        assert code(gateway.post(who=who, **ORDER, **declined)) == "800.100.151"
    assert code(gateway.post(who=who, **ORDER)) == "000.100.110"


@pytest.mark.parametrize("mode", ["refuse", "repeat"])
def test_captures_and_refunds_may_have_the_reference(gateway: Gateway, mode: str) -> None:
    who = shop(gateway, mode)
    held = gateway.post(who=who, paymentType="PA", **ORDER).json["id"]
    sent = {"entityId": who.entity_id, "paymentType": "CP", "amount": "1.00", "currency": "EUR"}
    for _ in range(2):
        assert code(gateway.send(f"/v1/payments/{held}", {**sent, **ORDER}, who)) == "000.100.110"


@pytest.mark.parametrize("mode", ["refuse", "repeat"])
def test_a_checkout_is_not_paid_twice_under_one_reference(gateway: Gateway, mode: str) -> None:
    who = shop(gateway, mode)
    money = {"amount": "92.00", "currency": "EUR", "paymentType": "DB", **ORDER}
    card = {"card.number": "4200000000000000", "card.expiryMonth": "05", "card.expiryYear": "2034"}
    entity, codes = {"entityId": who.entity_id}, []
    both = [gateway.send("/v1/checkouts", {**entity, **money}, who).json["id"] for _ in range(2)]
    for made in both:
        codes.append(code(gateway.send(f"/v1/checkouts/{made}/payment", {**entity, **card}, who)))
    assert codes == ["000.100.110", SENT_BEFORE]


CARD = {"card.number": "4111111111111111", "card.expiryMonth": "05", "card.expiryYear": "2034"}
RETURN = {"shopperResultUrl": "https://shop.example/return"}


def prepare(gateway: Gateway, who: Credentials) -> str:
    """The path of a checkout with the reference."""
    money = {"amount": "92.00", "currency": "EUR", "paymentType": "DB", **ORDER, **RETURN}
    made = gateway.send("/v1/checkouts", {"entityId": who.entity_id, **money}, who).json["id"]
    return f"/v1/checkouts/{made}/payment"


@pytest.mark.parametrize("mode", ["refuse", "repeat"])
@pytest.mark.parametrize("left", [{"paymentBrand": "EPS"}, {"paymentBrand": "PAYPAL"}])
def test_a_shopper_who_left_a_page_pays_in_the_same_checkout(
    gateway: Gateway, mode: str, left: dict
) -> None:
    who = shop(gateway, mode)
    entity, path = {"entityId": who.entity_id}, prepare(gateway, who)
    begun = gateway.send(path, {**entity, **left}, who)
    assert code(begun) == "000.200.000"
    other = prepare(gateway, who)
    assert code(gateway.send(other, {**entity, **CARD}, who)) == SENT_BEFORE
    assert code(gateway.read(begun.json["id"], who)) == "000.200.000"
    assert code(gateway.send(path, {**entity, **CARD}, who)) == "000.100.110"
    assert code(gateway.read(begun.json["id"], who)) == "100.396.104"
    assert code(gateway.send(other, {**entity, **CARD}, who)) == SENT_BEFORE


@pytest.mark.parametrize("mode", ["refuse", "repeat"])
def test_of_many_at_once_one_charges(gateway: Gateway, mode: str) -> None:
    channel = {"repeated_merchant_transaction_id": mode}
    made = gateway.control("POST", "/sandboxes", {"merchants": [{"channels": [channel]}]}).json
    who = Credentials(made["token"], made["entity_id"])
    gateway.control("POST", f"/sandboxes/{made['id']}/scripts", {"behaviour": LATE})
    jobs = [gevent.spawn(gateway.post, who=who, **ORDER) for _ in range(16)]
    answers = [job.get() for job in gevent.joinall(jobs)]
    assert len({each.json["id"] for each in answers if each.status_code == 200}) == 1
    if mode == "refuse":
        assert sorted(map(code, answers)) == ["000.100.110"] + [SENT_BEFORE] * 15
    report = {"date.from": "2001-01-01", "date.to": "2099-01-01", "entityId": who.entity_id}
    listed = gateway.client.simulate_get(
        "/v1/query", params=report, headers={"Authorization": f"Bearer {who.token}"}
    )
    assert len(listed.json["payments"]) == 1


@pytest.mark.parametrize("mode", ["refuse", "repeat"])
def test_the_reference_is_kept_over_a_restart(tmp_path: Path, mode: str) -> None:
    first = Gateway(tmp_path / "data", durability="os")
    who = shop(first, mode)
    paid = first.post(who=who, **ORDER).json["id"]
    first.close()
    second = Gateway(tmp_path / "data", durability="os")
    again = second.post(who=who, **ORDER)
    assert code(again) == {"refuse": SENT_BEFORE, "repeat": "000.100.110"}[mode]
    assert (again.json["id"] == paid) == (mode == "repeat")
    second.close()


def in_time(gateway: Gateway, **channel: object) -> tuple[Credentials, str]:
    """A merchant whose channel repeats and whose clock stands still, and its sandbox."""
    channels = [{"repeated_merchant_transaction_id": "repeat", **channel}]
    document = {"merchants": [{"channels": channels}],
                "clock": {"mode": "frozen", "at": "2027-01-04T09:00:00Z"}}  # fmt: skip
    made = gateway.control("POST", "/sandboxes", document).json
    return Credentials(made["token"], made["entity_id"]), made["id"]


SOON = {"card.expiryMonth": "01", "card.expiryYear": "2027"}
PLAN = {"standingInstruction.mode": "INITIAL", "standingInstruction.source": "CIT",
        "standingInstruction.expiry": "2027-01-31"}  # fmt: skip


@pytest.mark.parametrize(
    ("sent", "span", "code_later"),
    [
        (SOON, "30d", "100.100.303"),
        ({**DEBIT, "transactionDueDate": "2027-01-20"}, "30d", "100.500.301"),
        (PLAN, "30d", "600.200.501"),
    ],
)
def test_a_request_is_repeated_though_what_it_sent_is_over(
    gateway: Gateway, sent: dict, span: str, code_later: str
) -> None:
    who, sandbox = in_time(gateway)
    first = gateway.post(who=who, **ORDER, **sent)
    assert first.status_code == 200, first.json
    gateway.control("POST", f"/sandboxes/{sandbox}/clock/advance", {"by": span})
    again = gateway.post(who=who, **ORDER, **sent)
    assert (again.status_code, again.json.get("id")) == (200, first.json["id"])
    other = gateway.post(who=who, merchantTransactionId="order-0002", **sent)
    assert code(other) == code_later
    assert gateway.post(who=who, **ORDER, **{**sent, "amount": "1.00"}).status_code == 400


def test_a_wallet_payment_is_repeated_though_its_token_is_old(gateway: Gateway) -> None:
    who, sandbox = in_time(gateway)
    made = gateway.control(
        "POST", f"/sandboxes/{sandbox}/wallet/tokens", {"amount": "92.00", "currency": "EUR"}
    ).json
    sent = {**NO_CARD, "paymentBrand": "APPLEPAY", "mobileWallet.paymentToken": made["token"]}
    first = gateway.post(who=who, **ORDER, **sent)
    assert first.status_code == 200, first.json
    gateway.control("POST", f"/sandboxes/{sandbox}/clock/advance", {"by": "6m"})
    again = gateway.post(who=who, **ORDER, **sent)
    assert (again.status_code, again.json.get("id")) == (200, first.json["id"])
    assert code(gateway.post(who=who, merchantTransactionId="order-0002", **sent)) == "200.100.602"
