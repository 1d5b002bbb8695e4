"""3-D Secure between the risk check and the acquirer, with a small directory server."""

from datetime import timedelta

import pytest

from simulator.catalogue.messages.three_d_secure_outcomes import ENDS
from simulator.derive.schemas.three_d_secure import wrong_with
from simulator.domain.core.errors import NoResponseError, Refusal, UnknownReferenceError, Violations
from simulator.domain.core.records import (
    Origin,
    Payment,
    PaymentSource,
    State,
)
from simulator.service.challenges import (
    read_authentication,
)
from simulator.service.payments.pipeline import take_payment
from simulator.tests.kit.authenticating import (
    ORDER,
    SHOP,
    VALUE,
    asking,
    authentication_of,
    challenged,
    pay,
    saying,
    secured,
)
from simulator.tests.kit.making import (
    Answering,
    Frictionless,
    ares_to,
    ledger_entries_in,
    new_ids,
)
from simulator.tests.merchants.test_requirements import MPI


def code(payment: Payment) -> str:
    return payment.outcome.code


@pytest.mark.parametrize("status", ["Y", "A"])
def test_an_authentication_without_a_challenge_is_sent_to_the_acquirer(status: str) -> None:
    acquirer, directory = Answering(), saying(status)
    payment = pay(secured(directory, acquirer))

    assert (payment.state, [what for what, _ in directory.asked]) == (
        State.COMPLETED, ["lookup", "areq"]
    )  # fmt: skip
    (ask,) = acquirer.asks
    assert ask.cvv == "123"
    received = {
        name: ask.parameters.get(f"threeDSecure.{name}")
        for name in (
            "eci",
            "verificationId",
            "dsTransactionId",
            "version",
            "authenticationStatus",
            "flow",
        )
    }
    assert received == {
        "eci": "05", "verificationId": VALUE, "version": "2.2.0", "authenticationStatus": status,
        "dsTransactionId": "d0000000-0000-4000-8000-000000000001", "flow": None,
    }  # fmt: skip
    assert payment.shown["threeDSecure.flow"] == "frictionless"
    assert payment.shown["threeDSecure.acsTransactionId"].startswith("a0000000")


@pytest.mark.parametrize(("status", "reason"), [key for key in ENDS if key[0] != "C"])
def test_any_other_status_declines_without_asking_the_acquirer(status: str, reason: str) -> None:
    acquirer = Answering()
    context = secured(saying(status, transStatusReason=reason or "99"), acquirer)
    payment = pay(context)
    alone = pay(context, paymentType="3D")

    assert payment.state is State.FAILED
    assert (code(payment), code(alone)) == tuple(ENDS[status, reason])
    assert acquirer.asks == [] and ledger_entries_in(context, [payment, alone]) == []


def unreachable(*_: object) -> bytes:
    raise NoResponseError("unknown")


@pytest.mark.parametrize(
    ("answers", "expected", "alone"),
    [
        ({"lookup": {"enrolled": False, "messageVersions": []}}, "100.390.109", "000.400.109"),
        ({"lookup": b"no JSON"}, "100.390.109", "000.400.109"),
        ({"lookup": {"enrolled": True, "messageVersions": ["2.3.1"]}}, "100.390.116",
         "000.400.113"),
        ({"lookup": unreachable}, "100.390.111", "000.400.107"),
        ({"areq": unreachable}, "100.390.111", "000.400.107"),
        ({"areq": b"no JSON"}, "100.390.115", "000.400.103"),
        ({"areq": lambda _, areq: ares_to(areq, "Y")}, "100.390.115", "000.400.103"),
        ({"areq": {"messageType": "Erro"}}, "100.390.112", "000.400.103"),
        ({"areq": lambda _, areq: ares_to({**areq, "threeDSServerTransID": "0" * 8 + "-0000" * 3
          + "-" + "0" * 12}, "U", transStatusReason="22")}, "100.390.117", "100.390.117"),
    ],
)  # fmt: skip
def test_an_authentication_that_comes_to_nothing_declines(
    answers: dict, expected: str, alone: str
) -> None:
    acquirer = Answering()
    context = secured(Frictionless(**answers), acquirer)

    assert code(pay(context)) == expected
    assert code(pay(context, paymentType="3D")) == alone
    assert acquirer.asks == []


@pytest.mark.parametrize(
    ("channel", "more", "origin"),
    [
        ({"three_d_secure": {}}, {}, Origin()),
        ({"three_d_secure": {"VISA": "1.0.2"}}, {}, Origin()),
        ({"three_d_secure": {"AMEX": "2.2.0"}}, {}, Origin()),
        ({}, MPI, Origin()),
        ({}, {"recurringType": "REPEATED"}, Origin()),
        ({}, {"paymentType": "CD"}, Origin()),
        ({}, {"paymentType": "RG"}, Origin()),
        ({}, {}, Origin(source=PaymentSource.SCHEDULER)),
    ],
)
def test_no_directory_server_is_asked_without_a_shopper_or_a_range(
    channel: dict, more: dict, origin: Origin
) -> None:
    directory = Frictionless(lookup=unreachable)

    assert pay(secured(directory, **channel), origin, **more).state is not State.FAILED
    assert directory.asked == []


def test_a_payment_that_the_risk_check_declines_is_not_authenticated() -> None:
    directory = saying("Y")
    payment = pay(secured(directory, risk=["risk-denied"]))

    assert (payment.state, directory.asked) == (State.FAILED, [])


def test_what_the_risk_check_said_is_kept_through_a_challenge() -> None:
    context = secured(asking(), risk=["risk-amount"])
    begun = pay(context)

    assert begun.outcome.risk_score == challenged(context, begun).outcome.risk_score == 100


def test_the_request_is_a_message_of_the_protocol() -> None:
    directory = saying("Y")
    pay(secured(directory))
    (_, lookup), (_, areq) = directory.asked

    assert wrong_with(areq, "AReq") is None
    assert lookup["acctNumber"] == areq["acctNumber"] == "4200000000000000"
    assert areq["cardExpiryDate"] == "3405"
    assert (areq["purchaseAmount"], areq["purchaseExponent"]) == ("9200", "2")
    assert (areq["purchaseCurrency"], areq["billAddrCountry"]) == ("978", "276")
    assert areq["threeDSCompInd"] == "U"
    data = areq["messageExtension"][0]["data"]
    assert data["brand"] == "VISA" and "card.cvv" not in str(data)


# fmt: off
@pytest.mark.parametrize(("sent", "field", "expected"), [
    ({"risk.amount": "100.01"}, "purchaseAmount", "10001"),
    ({"currency": "JPY"}, "purchaseAmount", "92"),
    ({"currency": "JPY", "amount": "92.50"}, "purchaseAmount", "9250"),
    ({"currency": "KWD"}, "purchaseAmount", "92000"),
    ({"threeDSecure.challengeIndicator": "04"}, "threeDSRequestorChallengeInd", "04"),
    ({"threeDSecure.exemptionFlag": "02"}, "threeDSRequestorChallengeInd", "05"),
    ({"threeDSecure.exemptionFlag": "02", "threeDSecure.challengeIndicator": "04"},
     "threeDSRequestorChallengeInd", "04"),
    ({"threeDSecure.v2.visa.requestorId": "shop"}, "threeDSRequestorID", "shop"),
    ({"threeDSecure.v2.visa.requestorName": "Shop"}, "threeDSRequestorName", "Shop"),
    ({"threeDSecure.v2.amex.requestorId": "other"}, "merchantName", "Sandgate Merchant"),
    ({"merchant.name": "Corner Shop"}, "merchantName", "Corner Shop"),
    ({"merchant.name": "Corner Shop", "threeDSecure.merchant.name": "Corner Shop Berlin"},
     "merchantName", "Corner Shop Berlin"),
    ({"threeDSecure.merchant.country": "DEU"}, "merchantCountryCode", "276"),
    ({"customer.browser.screenColorDepth": "24"}, "browserColorDepth", "24"),
    ({"customer.browser.screenColorDepth": "30"}, "browserColorDepth", None),
    ({"standingInstruction.type": "RECURRING", "standingInstruction.mode": "INITIAL",
      "standingInstruction.source": "CIT", "standingInstruction.expiry": "2030-01-31",
      "standingInstruction.frequency": "0030"}, "recurringExpiry", "20300131"),
])
# fmt: on
def test_parameters_become_fields(sent: dict, field: str, expected: str | None) -> None:
    directory = saying("Y")
    pay(secured(directory), **sent)
    _, areq = directory.asked[-1]

    assert areq.get(field) == expected
    assert wrong_with(areq, "AReq") is None


@pytest.mark.parametrize(
    ("name", "value"),
    [("challengeIndicator", "05"), ("challengeIndicator", "09"),
     *(("exemptionFlag", each) for each in ("01", "02", "03", "04"))],
)  # fmt: skip
def test_a_wish_of_a_newer_version_is_refused_where_the_channel_has_an_older_one(
    name: str, value: str
) -> None:
    context = secured(saying("Y"))
    master = {"paymentBrand": "MASTER", "card.number": "5200000000000056"}

    with pytest.raises(Violations) as raised:
        pay(context, **master, **{f"threeDSecure.{name}": value})
    (wrong,) = raised.value.violations
    assert (wrong.name, wrong.rule) == (f"threeDSecure.{name}", "TDS-04")
    payment = pay(context, **master, **{"threeDSecure.challengeIndicator": "04"})
    assert payment.shown["threeDSecure.version"] == "2.1.0"


def test_an_authentication_alone_moves_nothing() -> None:
    acquirer = Answering()
    context = secured(asking(), acquirer)
    begun = pay(context, paymentType="3D")
    payment = challenged(context, begun)

    assert (begun.state, code(payment)) == (State.PENDING, "000.100.110")
    assert read_authentication(context, payment.id).id == payment.id
    assert acquirer.asks == [] and ledger_entries_in(context, [payment]) == []
    assert code(pay(secured(saying("Y")), paymentType="3D")) == "000.400.110"
    assert code(pay(secured(saying("I")), paymentType="3D")) == "000.400.120"


@pytest.mark.parametrize("setup", [{}, {"MASTER": "2.2.0"}, {"VISA": "1.0.2", "AMEX": "1.0.2"}])
@pytest.mark.parametrize(
    "account",
    [
        {},
        {"paymentBrand": "AMEX", "card.number": "375987000000062", "card.cvv": "1234"},
        {"paymentBrand": "MADA"},
    ],
    ids=["scheme", "other scheme", "named card"],
)
def test_an_authentication_alone_on_a_channel_without_is_refused(
    setup: dict, account: dict
) -> None:
    acquirer = Answering()
    context = secured(saying("Y"), acquirer, three_d_secure=setup)

    payment = pay(context, paymentType="3D", **account)

    assert (code(payment), payment.state) == ("000.400.104", State.FAILED)
    assert acquirer.asks == [] and ledger_entries_in(context, [payment]) == []


@pytest.mark.parametrize("brand", ["EPS", "PAYPAL", "SEPA", "VIRTUAL_ACCOUNT"])
def test_an_authentication_alone_of_no_card_is_refused_by_the_same_code(brand: str) -> None:
    acquirer = Answering()
    with pytest.raises(Refusal) as refused:
        pay(secured(saying("Y"), acquirer), paymentType="3D", paymentBrand=brand)
    assert (refused.value.code, acquirer.asks) == ("000.400.104", [])


def test_a_payment_is_no_authentication() -> None:
    context = secured(saying("Y"))
    payment = pay(context)

    with pytest.raises(UnknownReferenceError):
        read_authentication(context, payment.id)


def test_nothing_of_a_card_stands_in_what_is_kept() -> None:
    context = secured(asking())
    payment = pay(context)
    kept = authentication_of(context, payment)
    entries = str(list(context.ports.journal.iterate_newest_first()))

    assert "4200000000000000" not in str(kept) + entries
    assert kept.secret not in entries
    assert SHOP in payment.sent["shopperResultUrl"]


def test_a_whole_order_is_taken_as_it_stands() -> None:
    context = secured(saying("Y"))

    assert take_payment(context, ORDER, new_ids(context)).state is State.COMPLETED


def test_an_authentication_under_way_counts_as_in_flight() -> None:
    under_way = []

    def slow(_: str, areq: dict) -> dict:
        under_way.append(context.ports.in_flight.count)
        return ares_to(areq, "Y", eci="05", authenticationValue=VALUE)

    context = secured(Frictionless(areq=slow))
    pay(context)

    assert under_way == [1]
    assert context.ports.in_flight.count == 0


def test_the_acquirer_is_asked_after_the_issuer_and_receives_its_answer() -> None:
    def slow(_: str, areq: dict) -> dict:
        context.ports.clock.advance(timedelta(seconds=1))
        return ares_to(areq, "Y", eci="05", authenticationValue=VALUE)

    context = secured(Frictionless(areq=slow))
    payment = pay(context)
    exchange = context.ports.journal.take_acquirer_exchange(payment.id)
    asked = exchange.to_entry().messages[0]

    assert asked.at == payment.created_at + timedelta(seconds=1)
    assert asked.body["threeDSecure.eci"] == "05"
    assert asked.body["threeDSecure.version"] == "2.2.0"
    assert asked.body["threeDSecure.verificationId"] == f"{VALUE[:4]}***"
