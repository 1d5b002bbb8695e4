"""Each response gets a verdict by its request: a wrong success fails like a wrong decline."""

import hashlib
from base64 import b64encode

import msgspec
import pytest

from load.ledger.records import (
    EXPECTED_DECLINE,
    FAILED,
    NO_RESPONSE,
    SUCCEEDED,
    THROTTLED,
)
from load.traffic.forms import OPEN_FORM, OPENED, form_script, pay_in_form
from load.traffic.payloads import Payloads, create_shoppers
from load.traffic.requests import (
    EXCEEDED,
    OpenPayment,
    PlannedRequest,
    excessive_capture,
    new_checkout,
    read_payment,
    referring_payment,
    reversal,
)
from load.traffic.verdicts import (
    ResponseBody,
    ResponseDetails,
    ResponseResult,
    decode_body,
    second_of,
    stored_id,
    verdict_of,
)

PAYMENT = OpenPayment("8" * 32, "PA", 10_00, "root")
CAPTURE = referring_payment("CP", PAYMENT, 5_00)
SHARED_CAPTURE = referring_payment("CP", PAYMENT, 5_00, decline_codes=EXCEEDED)
OVERDRAFT = excessive_capture(PAYMENT)
DECLINED = PlannedRequest("create_payment", "POST", "v1/payments", decline_codes=("800.100.203",),
                 must_decline=True, stores_decline=True, type="DB", cents=5_00)  # fmt: skip
CHARGEBACK = referring_payment("CB", PAYMENT, 5_00)


def body(code: str, **other: str) -> ResponseBody:
    return ResponseBody(ResponseResult(code), id="9" * 32, **other)


@pytest.mark.parametrize(
    ("planned", "status", "answer", "verdict"),
    [
        (CAPTURE, 200, body("000.100.110", amount="5.00", payment_type="CP"), SUCCEEDED),
        (CAPTURE, 200, body("000.100.110", amount="5.01", payment_type="CP"), FAILED),
        (CAPTURE, 200, body("000.100.110", amount="5.00", payment_type="DB"), FAILED),
        (CAPTURE, 200, body("000.200.000"), FAILED),
        (CAPTURE, 200, body("700.400.100"), FAILED),
        (CAPTURE, 400, body("700.400.100"), FAILED),
        (CAPTURE, 400, body("000.100.110"), FAILED),
        (CAPTURE, 500, body("000.100.110"), FAILED),
        (CAPTURE, 200, None, FAILED),
        (CAPTURE, 0, None, NO_RESPONSE),
        (CAPTURE, 429, body("800.120.100"), THROTTLED),
        (CAPTURE, 429, body("000.100.110"), FAILED),
        (CAPTURE, 400, body("800.120.100"), FAILED),
        (SHARED_CAPTURE, 400, body("700.400.100"), EXPECTED_DECLINE),
        (SHARED_CAPTURE, 200, body("000.100.110", amount="5.00", payment_type="CP"), SUCCEEDED),
        (OVERDRAFT, 400, body("700.400.100"), EXPECTED_DECLINE),
        (OVERDRAFT, 200, body("000.100.110"), FAILED),
        (OVERDRAFT, 200, body("700.400.100"), FAILED),
        (DECLINED, 400, body("800.100.203"), EXPECTED_DECLINE),
        (DECLINED, 400, body("800.100.152"), FAILED),
        (DECLINED, 200, body("000.100.110"), FAILED),
        (DECLINED, 200, body("800.100.203"), FAILED),
        (CHARGEBACK, 200, body("000.100.200", amount="5.00", payment_type="CB"), SUCCEEDED),
        (CHARGEBACK, 200, body("000.100.110"), FAILED),
        (read_payment("9" * 32, "000.100.110"), 200, body("000.100.110"), SUCCEEDED),
        (read_payment("9" * 32, "000.100.110"), 200, body("000.100.112"), FAILED),
        (read_payment("9" * 32, "800.100.203"), 400, body("800.100.203"), EXPECTED_DECLINE),
        (read_payment("9" * 32, "800.100.203"), 200, body("800.100.203"), FAILED),
        (read_payment("7" * 32, "000.100.110"), 200, body("000.100.110"), FAILED),
        (read_payment("7" * 32, "800.100.203"), 400, body("800.100.203"), FAILED),
        (reversal(PAYMENT), 200, body("000.100.110", payment_type="RV"), SUCCEEDED),
    ],
)
def test_the_verdict_follows_from_request_and_response(planned, status, answer, verdict):
    found, reason = verdict_of(planned, status, answer)

    assert found == verdict
    assert bool(reason) == (verdict in (FAILED, NO_RESPONSE))


WHOLE = body("000.100.110", amount="5.00", payment_type="CP")
CHECKOUT = PlannedRequest(
    "create_checkout", "POST", "v1/checkouts", success_codes=("000.200.100",), cents=5_00
)


@pytest.mark.parametrize(
    ("planned", "status", "empty"),
    [
        (CAPTURE, 200, msgspec.structs.replace(WHOLE, id="")),
        (CAPTURE, 200, msgspec.structs.replace(WHOLE, amount="")),
        (CAPTURE, 200, msgspec.structs.replace(WHOLE, payment_type="")),
        (reversal(PAYMENT), 200, body("000.100.110")),
        (CHECKOUT, 200, ResponseBody(ResponseResult("000.200.100"))),
        (DECLINED, 400, ResponseBody(ResponseResult("800.100.203"))),
    ],
)
def test_a_response_that_does_not_show_what_was_created_fails(planned, status, empty):
    verdict, reason = verdict_of(planned, status, empty)

    assert verdict == FAILED
    assert reason.startswith("expected") and reason.endswith("got none")


def test_a_checkout_and_a_registration_show_no_payment():
    registration = PlannedRequest("create_registration", "POST", "v1/registrations", type="RG")

    assert verdict_of(CHECKOUT, 200, body("000.200.100")) == (SUCCEEDED, "")
    assert verdict_of(registration, 200, body("000.100.110")) == (SUCCEEDED, "")


def test_a_failure_says_what_was_expected_and_received():
    _, reason = verdict_of(DECLINED, 400, body("800.100.152"))

    assert reason.startswith("expected 800.100.203, got 400 800.100.152")


@pytest.mark.parametrize(
    ("planned", "verdict", "stored"),
    [
        (CAPTURE, SUCCEEDED, "9" * 32),
        (CAPTURE, FAILED, ""),
        (OVERDRAFT, EXPECTED_DECLINE, ""),
        (DECLINED, EXPECTED_DECLINE, "9" * 32),
        (DECLINED, THROTTLED, ""),
        (read_payment("9" * 32, "000.100.110"), SUCCEEDED, ""),
    ],
)
def test_what_was_stored_is_what_was_approved_or_declined(planned, verdict, stored):
    assert stored_id(planned, verdict, body("000.100.110")) == stored


def test_other_fields_of_a_body_are_ignored():
    content = b'{"id": "1", "paymentType": "DB", "card": {}, "result": {"code": "000.100.110"}}'

    assert decode_body(content) == ResponseBody(
        ResponseResult("000.100.110"), id="1", payment_type="DB"
    )
    assert decode_body(b"<html>") is None
    assert decode_body(b"[]") is None


@pytest.mark.parametrize("content", [b'{"a":' + b"[" * 100_000, b'{"id": "\xff"}'])
def test_a_body_that_cannot_be_read_fails_and_raises_no_exception(content):
    assert verdict_of(CAPTURE, 200, decode_body(content))[0] == FAILED


def test_a_timestamp_is_read_as_a_second():
    assert second_of("2027-01-15 08:00:00+0000") == 1_800_000_000
    assert second_of("yesterday") == 0


def test_of_an_endless_response_only_the_beginning_is_recorded():
    endless = ResponseBody(ResponseResult("9" * 9_000_000, "x" * 9_000_000), id="9" * 32)
    shown = ResponseBody(ResponseResult("000.100.110"), id="9" * 32, amount="9" * 9_000_000)

    for one in (endless, shown):
        verdict, reason = verdict_of(CAPTURE, 200, one)
        assert verdict == FAILED
        assert len(reason) < 400


NUMBER = "4539578763621486"
HOSTILE = f"{'x' * 110} {NUMBER} ;{NUMBER}=30121010000000000? \x1b[2J\u202e"


@pytest.mark.parametrize(
    "answer",
    [
        ResponseBody(ResponseResult("800.900.999", HOSTILE), id="9" * 32),
        ResponseBody(ResponseResult(NUMBER), ResponseDetails(HOSTILE[100:]), id="9" * 32),
        body("000.100.110", amount=HOSTILE[105:], payment_type="CP"),
        body("000.100.110", amount="5.00", payment_type=HOSTILE[105:]),
        ResponseBody(ResponseResult("000.100.110"), id=HOSTILE[105:]),
    ],
)
@pytest.mark.parametrize("planned", [CAPTURE, DECLINED, read_payment("9" * 32, "000.100.110")])
def test_no_failure_shows_what_a_hostile_gateway_writes(planned, answer):
    for status in (200, 400):
        _, reason = verdict_of(planned, status, answer)
        assert NUMBER[4:] not in reason and NUMBER[:12] not in reason
        assert reason.isprintable()


def test_a_file_of_the_form_counts_by_its_status_and_an_opening_by_its_capability():
    script = form_script("x")
    opening = PlannedRequest(OPEN_FORM, "POST", "form/x/open", success_codes=OPENED)
    opened = ResponseBody(ResponseResult("000.200.000"), capability="c")

    assert verdict_of(script, 200, None) == (SUCCEEDED, "")
    assert verdict_of(script, 404, None) == (FAILED, "expected a file, got 404")
    assert verdict_of(opening, 200, opened) == (SUCCEEDED, "")
    assert verdict_of(opening, 200, body("000.200.000")) == (
        FAILED, "expected a capability, got none",
    )  # fmt: skip


SCRIPT = b"draw();"
HASHES = {
    kind: f"{kind}-{b64encode(hashlib.new(kind, SCRIPT).digest()).decode()}"
    for kind in ("sha256", "sha384", "sha512")
}


@pytest.mark.parametrize(
    ("integrity", "runs"),
    [
        ("", True),
        (HASHES["sha384"], True),
        (f"{HASHES['sha256']} {HASHES['sha512']}", True),
        ("sha384-AAAA", False),
        (f"{HASHES['sha256']} sha384-AAAA", False),
        ("md5-AAAA", True),
        ("none", True),
    ],
)
def test_a_script_is_run_where_its_strongest_hash_fits(integrity, runs):
    script = form_script("x", integrity)

    verdict, reason = verdict_of(script, 200, None, SCRIPT)
    assert (verdict == SUCCEEDED) is runs
    assert ("hash" in reason) is not runs


def test_a_browser_pays_without_the_token_of_the_merchant():
    payloads = Payloads("1", create_shoppers(1, 3))
    paid = pay_in_form(payloads, "x", new_checkout(payloads), capability="c")

    assert paid.by_browser and paid.headers["Authorization"] == "Checkout c"
    assert (paid.operation, paid.path) == ("pay_checkout", "v1/checkouts/x/payment")
