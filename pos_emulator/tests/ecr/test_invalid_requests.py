"""What a till sends wrong is refused with what was expected and received, and changes nothing."""

import json
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pos_emulator.ecr.nexo.interface import SERVICES, TillInterface
from pos_emulator.ecr.nexo.outcomes import UnreadableMessageError
from pos_emulator.ecr.nexo.schemas import BODIES, CATEGORIES, HEADER, schema_of, violations_of
from pos_emulator.ecr.nexo.settings import NexoSettings
from pos_emulator.tests.ecr.recording_terminal import AT, RecordingTerminal

CARD = "4242424242424242"


@pytest.fixture(scope="module")
def quiet(tmp_path_factory):
    """An interface without a server, shared by tests that change nothing."""
    settings = NexoSettings(folder=tmp_path_factory.mktemp("quiet"))
    interface = TillInterface(RecordingTerminal(), settings, now=lambda: AT)
    yield interface
    interface.close()


def refused(till, category, body):
    answer = till.ask(category, body)
    assert answer["Response"]["Result"] == "Failure"
    assert CARD not in json.dumps(answer)
    return answer["Response"]["ErrorCondition"], answer["Response"]["AdditionalResponse"]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"", "no valid JSON"),
        (b"{", "no valid JSON"),
        (b"\xff\xfe", "no valid JSON"),
        (b'{"SaleToPOIRequest":' + b"[" * 20_000, "no valid JSON"),
        (b'{"SaleToPOIRequest":{"a":' + b"9" * 10_000 + b"}}", "no valid JSON"),
        (b"[1]", "a list"),
        (b'"' + CARD.encode() + b'"', "a text of 16 characters"),
        (b"{}", "SaleToPOIRequest"),
        (b'{"SaleToPOIRequest": []}', "SaleToPOIRequest"),
        (b'{"SaleToPOIRequest": {}}', "MessageHeader.MessageCategory: expected one of"),
        (b'{"SaleToPOIRequest": {"MessageHeader": 3}}', "MessageHeader: expected an object"),
        (b'{"SaleToPOIRequest": {"MessageHeader": null}}', "MessageHeader: expected an object"),
    ],
)
def test_what_is_no_request_is_rejected(quiet, content, expected):
    with pytest.raises(UnreadableMessageError) as raised:
        quiet.answer(content)

    event = json.loads(quiet.reject(raised.value))["SaleToPOIRequest"]
    assert event["MessageHeader"]["MessageType"] == "Notification"
    assert event["EventNotification"]["EventToNotify"] == "Reject"
    assert expected in event["EventNotification"]["EventDetails"]
    assert CARD not in event["EventNotification"]["EventDetails"]


@pytest.mark.parametrize(
    ("member", "value"),
    [
        ("ProtocolVersion", "2.0"),
        ("MessageClass", "service"),
        ("MessageCategory", "Pay"),
        ("MessageType", "Response"),
        ("ServiceID", ""),
        ("ServiceID", "x" * 37),
        ("ServiceID", "a/b"),
        ("ServiceID", "12\n"),
        ("SaleID", "till\n"),
        ("ProtocolVersion", "3.0\n"),
        ("SaleID", 7),
        ("POIID", None),
    ],
)
def test_a_header_is_checked(till, terminal, member, value):
    answer = till.ask("Login", {}, **{member: value})

    details = answer["SaleToPOIRequest"]["EventNotification"]["EventDetails"]
    assert details.startswith(f"MessageHeader.{member}: expected ")
    assert "received" in details


def test_the_terminal_that_is_meant_is_checked(till):
    till.poi = "87654321"

    assert refused(till, "Diagnosis", {}) == (
        "MessageFormat", "message format: POIID: expected 10291604, received another"
    )  # fmt: skip


@pytest.mark.parametrize("category", sorted(set(CATEGORIES) - set(SERVICES)))
def test_what_the_terminal_does_not_do_is_unavailable(till, category):
    condition, text = refused(till, category, {})

    assert condition == "UnavailableService"
    assert text.endswith(f"received {category}")


PAYMENT = {
    "SaleData": {"SaleTransactionID": {"TransactionID": "1", "TimeStamp": "2026-11-23T09:00:00Z"}},
    "PaymentTransaction": {"AmountsReq": {"Currency": "EUR", "RequestedAmount": 1}},
}


def with_amounts(**amounts):
    return {**PAYMENT, "PaymentTransaction": {"AmountsReq": {"Currency": "EUR", **amounts}}}


@pytest.mark.parametrize(
    ("body", "condition", "expected"),
    [
        ({}, "MessageFormat", "PaymentRequest.SaleData: expected an object, received nothing"),
        ([], "MessageFormat", "PaymentRequest: expected an object, received a list"),
        (with_amounts(RequestedAmount=-1), "MessageFormat", "RequestedAmount: expected an amount"),
        (with_amounts(RequestedAmount=CARD), "MessageFormat", "received a text of 16 characters"),
        (with_amounts(RequestedAmount=1e300), "MessageFormat", "received a number"),
        (with_amounts(RequestedAmount="1.005"), "MessageFormat", "2 decimals of EUR"),
        (with_amounts(), "MessageFormat", "RequestedAmount: expected an amount"),
        (with_amounts(RequestedAmount="5\n"), "MessageFormat", "RequestedAmount: expected"),
        (with_amounts(RequestedAmount="1_000"), "MessageFormat", "RequestedAmount: expected"),
        (with_amounts(RequestedAmount="\uff11"), "MessageFormat", "RequestedAmount: expected"),
        (with_amounts(RequestedAmount=1, Currency="EUR\n"), "MessageFormat", "Currency: expected"),
        (with_amounts(RequestedAmount=True), "MessageFormat", "received true or false"),
        (with_amounts(RequestedAmount=1, CashBackAmount=2), "MessageFormat", "CashBackAmount"),
        (
            with_amounts(RequestedAmount=3, CashBackAmount=2, TipAmount=2),
            "MessageFormat",
            "TipAmount",
        ),
        (
            with_amounts(RequestedAmount=1, Currency="XYZ"),
            "MessageFormat",
            "AmountsReq.Currency: expected",
        ),
        (
            {**PAYMENT, "PaymentData": {"PaymentType": "Instalment"}},
            "UnavailableService",
            "received Instalment",
        ),
        (
            {**PAYMENT, "PaymentData": {"PaymentInstrumentData": {"CardData": {"PAN": CARD}}}},
            "NotAllowed",
            "a card at the terminal",
        ),
    ],
)
def test_a_payment_is_checked(till, terminal, body, condition, expected):
    answered, text = refused(till, "Payment", body)

    assert (answered, expected in text) == (condition, True), text
    assert terminal.orders == []


@pytest.mark.parametrize(
    ("category", "body"),
    [
        ("Login", {"DateTime": "today"}),
        ("Login", {"SaleSoftware": CARD}),
        ("Login", []),
        ("Reversal", {}),
        ("Reversal", {"OriginalPOITransaction": {"POITransactionID": {"TransactionID": 5}}}),
        ("Reversal", {"OriginalPOITransaction": {}, "ReversalReason": CARD}),
        ("Reversal", {"SaleData": None}),
        ("TransactionStatus", {"MessageReference": CARD}),
        ("TransactionStatus", {"MessageReference": {"ServiceID": "a" * 99}}),
        ("TransactionStatus", {"MessageReference": {"MessageCategory": CARD}}),
        ("Reconciliation", {}),
        ("Reconciliation", {"ReconciliationType": "Daily"}),
        ("Reconciliation", {"ReconciliationType": {}}),
        ("Diagnosis", {"HostDiagnosisFlag": "yes"}),
        ("Diagnosis", CARD),
        ("Diagnosis", {"HostDiagnosisFlag": None}),
        ("EnableService", {}),
        ("EnableService", {"TransactionAction": "Stop"}),
        ("EnableService", {"TransactionAction": "AbortTransaction", "ServicesEnabled": []}),
    ],
)
def test_every_body_is_checked(till, terminal, category, body):
    condition, text = refused(till, category, body)

    assert condition == "MessageFormat"
    assert f"{category}Request" in text
    assert terminal.orders == []


@pytest.mark.parametrize(
    "body", [{}, {"MessageReference": {}}, {"MessageReference": {"ServiceID": "/"}}, CARD]
)
def test_an_abort_that_is_invalid_is_rejected(till, body):
    answer = till.ask("Abort", body)["SaleToPOIRequest"]["EventNotification"]

    assert answer["EventToNotify"] == "Reject"
    assert "AbortRequest" in answer["EventDetails"]
    assert CARD not in json.dumps(answer)


def test_a_service_id_is_used_once(till, terminal):
    message = till.message("Payment", PAYMENT)

    till.send(message)
    again = till.send(message)["SaleToPOIResponse"]["PaymentResponse"]["Response"]

    assert again["ErrorCondition"] == "MessageFormat"
    assert "Repeated Message" in again["AdditionalResponse"]
    assert len(terminal.orders) == 1


def test_a_request_that_was_invalid_may_be_sent_again(till, terminal):
    message = till.message("Payment", {})
    till.send(message)

    message["SaleToPOIRequest"]["PaymentRequest"] = PAYMENT

    answer = till.send(message)["SaleToPOIResponse"]["PaymentResponse"]
    assert answer["Response"] == {"Result": "Success"}


def test_members_that_no_row_names_are_ignored(till, terminal):
    body = {**PAYMENT, "LoyaltyData": [{"LoyaltyAmount": {}}]}

    assert till.ask("Payment", body)["Response"] == {"Result": "Success"}
    assert terminal.orders[0].amount == Decimal("1.00")


def test_schemas_are_computed_from_the_rows():
    schema = schema_of(HEADER)
    assert "POIID" in schema["required"]
    assert "DeviceID" not in schema["required"]
    display = schema_of(BODIES["Display"])["properties"]["DisplayOutput"]["items"]
    assert display["required"] == ["Device", "InfoQualify", "OutputContent"]
    assert violations_of({}, "LogoutRequest") == []


SCALARS = (
    st.none() | st.booleans() | st.integers() | st.decimals(-9, 9).map(float) | st.text(max_size=9)
)
VALUES = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
NAMES = sorted({row.path.split(".")[0].removesuffix("[]") for row in sum(BODIES.values(), ())})


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(CATEGORIES)), st.dictionaries(st.sampled_from(NAMES), VALUES))
def test_any_body_is_answered(quiet, category, body):
    message = {
        "SaleToPOIRequest": {
            "MessageHeader": {
                "MessageClass": "Service", "MessageCategory": category, "MessageType": "Request",
                "ServiceID": "1", "SaleID": "1", "POIID": "10291604",
            },
            CATEGORIES[category].member: body,
        }
    }  # fmt: skip
    try:
        answer = quiet.answer(json.dumps(message).encode())
    except UnreadableMessageError:
        assert category == "Abort"
        return
    assert answer == b"" if category == "Abort" else b"SaleToPOIResponse" in answer
