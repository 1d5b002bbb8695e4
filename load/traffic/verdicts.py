"""The verdict on a response: succeeded, declined as expected, throttled, failed. Pure."""

import hashlib
from base64 import b64encode
from datetime import datetime
from functools import lru_cache

import msgspec

from features.spec.results import TOO_MANY_REQUESTS
from load.ledger.records import (
    EXPECTED_DECLINE,
    FAILED,
    NO_RESPONSE,
    SUCCEEDED,
    THROTTLED,
    Verdict,
)
from load.traffic.forms import OPEN_FORM
from load.traffic.payloads import format_amount
from load.traffic.requests import PlannedRequest
from load.traffic.shown import TEXT_LENGTH_MAX, ShownTexts, shown_text

# The kinds of hashes that browsers know, from weak to strong.
SCRIPT_HASHES = ("sha256", "sha384", "sha512")
# Twice as long as any code, so that a hostile gateway cannot fill the memory.
CODE_LENGTH_MAX = 22
# The responses to these show an id, but neither amount nor type.
WITHOUT_PAYMENT = frozenset({"create_checkout", "create_registration"})


class ResponseResult(msgspec.Struct, frozen=True):
    """The result of a response."""

    code: str = ""
    description: str = ""


class ResponseDetails(msgspec.Struct, frozen=True, rename="pascal"):
    """What explains a result."""

    extended_description: str = ""


class ResponseBody(msgspec.Struct, frozen=True, rename="camel"):
    """The part of a response that decides its verdict; other fields are ignored."""

    result: ResponseResult = ResponseResult()
    result_details: ResponseDetails = ResponseDetails()
    id: str = ""
    payment_type: str = ""
    amount: str = ""
    timestamp: str = ""
    capability: str = ""
    integrity: str = ""


_DECODER = msgspec.json.Decoder(ResponseBody)


def decode_body(content: bytes) -> ResponseBody | None:
    """Return the body of a response, or None if it is no JSON object of that form."""
    try:
        return _DECODER.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def verdict_of(
    request: PlannedRequest, status: int, body: ResponseBody | None, content: bytes = b"",
    *, shown: ShownTexts = shown_text,
) -> tuple[Verdict, str]:  # fmt: skip
    """Return the verdict on a response, and the reason of a failure. Status 0 is no response.

    `content` is that of a file. `shown` makes what the gateway wrote fit to be shown.
    """
    if status == 0:
        return NO_RESPONSE, "no response"
    if request.is_file:
        reason = _file_failure(request, status, content)
        return (FAILED, reason) if reason else (SUCCEEDED, "")
    if body is None:
        return FAILED, f"expected JSON with a result, got status {status} and something else"
    code = body.result.code[:CODE_LENGTH_MAX]
    if status == 429 and code == TOO_MANY_REQUESTS:
        return THROTTLED, ""
    if 400 <= status < 500 and code in request.decline_codes:
        reason = _id_failure(request, body, shown, is_required=request.stores_decline)
        return (FAILED, reason) if reason else (EXPECTED_DECLINE, "")
    if status == 200 and code.startswith(request.success_codes) and not request.must_decline:
        reason = _success_failure(request, body, shown)
        return (FAILED, reason) if reason else (SUCCEEDED, "")
    reason = f"{body.result.description} {body.result_details.extended_description}"
    code = shown(body.result.code, CODE_LENGTH_MAX)
    received = f"{status} {code} {shown(reason)}".strip()
    return FAILED, f"expected {_expected_codes(request)}, got {received}"


def has_integrity(content: bytes, integrity: str) -> bool:
    """Whether a browser runs a script of these bytes: a hash of the strongest kind fits, or none
    is named. Source: Subresource Integrity, "Do bytes match metadataList?".
    """
    named = [each.partition("-")[::2] for each in integrity.split()]
    known = [(kind, digest) for kind, digest in named if kind in SCRIPT_HASHES]
    strongest = max((kind for kind, _ in known), key=SCRIPT_HASHES.index, default="")
    digests = [digest for kind, digest in known if kind == strongest]
    return not known or b64encode(hashlib.new(strongest, content).digest()).decode() in digests


def kept_code(body: ResponseBody | None, shown: ShownTexts) -> str:
    """Return the code of a response as it is kept; masked before it is cut."""
    code = body.result.code if body else ""
    return code if len(code) <= CODE_LENGTH_MAX else shown(code, CODE_LENGTH_MAX)


def stored_id(request: PlannedRequest, verdict: Verdict, body: ResponseBody | None) -> str:
    """Return the id of the payment or registration a response created; empty if it did not."""
    is_stored = verdict == SUCCEEDED or (verdict == EXPECTED_DECLINE and request.stores_decline)
    return body.id if body and is_stored and request.type else ""


@lru_cache(maxsize=64)
def second_of(timestamp: str) -> int:
    """Return the second since 1970 of a response's timestamp; 0 if it cannot be read."""
    try:
        return int(datetime.strptime(timestamp, "%Y-%m-%d %H:%M:%S%z").timestamp())
    except ValueError:
        return 0


def _file_failure(request: PlannedRequest, status: int, content: bytes) -> str:
    """Return what is wrong with a file; empty where nothing is."""
    if status != 200:
        return f"expected a file, got {status}"
    fits = has_integrity(content, request.integrity)
    return "" if fits else "expected a script with the hash that its checkout showed"


def _success_failure(request: PlannedRequest, body: ResponseBody, shown: ShownTexts) -> str:
    """Return what is wrong with a success: it has to show id, amount and type as requested."""
    if request.operation == OPEN_FORM:
        return "" if body.capability else "expected a capability, got none"
    reason = _id_failure(request, body, shown, is_required=request.method == "POST")
    if reason or request.operation in WITHOUT_PAYMENT:
        return reason
    amount = format_amount(request.cents)
    if request.cents and body.amount != amount:
        return f"expected amount {amount}, got {shown(body.amount) or 'none'}"
    if request.type and body.payment_type != request.type:
        return f"expected type {request.type}, got {shown(body.payment_type) or 'none'}"
    return ""


def _id_failure(
    request: PlannedRequest, body: ResponseBody, shown: ShownTexts, *, is_required: bool
) -> str:
    """Return what is wrong with the id of a response. Declines that are stored need one too."""
    if request.expected_id and body.id != request.expected_id:
        expected, received = shown(request.expected_id), shown(body.id) or "none"
        return f"expected the id {expected}, got {received}"
    return "expected an id, got none" if is_required and not body.id else ""


def _expected_codes(request: PlannedRequest) -> str:
    codes = () if request.must_decline else tuple(f"{code}..." for code in request.success_codes)
    return " or ".join((*codes, *request.decline_codes))[:TEXT_LENGTH_MAX]
