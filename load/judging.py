"""Whether an answer is right: as asked for, refused as expected, throttled, or a failure. Pure."""

from datetime import datetime
from functools import lru_cache

import msgspec

from features.spec.results import TOO_MANY_REQUESTS
from load.ledger import FAILED, KEPT, REFUSED, THROTTLED, UNANSWERED, Verdict
from load.orders import Order
from load.payloads import amount_of

SHOWN = 120
# Twice as long as any code: what a hostile gateway sends is no memory of ours.
CODE_LENGTH_MAX = 22
# What these answer with is no payment: it has an id, and neither amount nor type.
WITHOUT_PAYMENT = frozenset({"create_checkout", "create_registration"})


class Result(msgspec.Struct, frozen=True):
    """The result of an answer."""

    code: str = ""
    description: str = ""


class Body(msgspec.Struct, frozen=True, rename="camel"):
    """What a user looks at in an answer; the rest is passed over."""

    result: Result = Result()
    id: str = ""
    payment_type: str = ""
    amount: str = ""
    timestamp: str = ""


_DECODER = msgspec.json.Decoder(Body)


def body_of(content: bytes) -> Body | None:
    """The body of an answer, or None where it is no JSON of an answer."""
    try:
        return _DECODER.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None


def verdict_of(order: Order, status: int, body: Body | None) -> tuple[Verdict, str]:
    """The verdict about an answer, and the reason where it is a failure. Status 0 is no answer."""
    if status == 0:
        return UNANSWERED, "no answer"
    if body is None:
        return FAILED, f"expected JSON with a result, got status {status} and something else"
    code = body.result.code[:CODE_LENGTH_MAX]
    if status == 429 and code == TOO_MANY_REQUESTS:
        return THROTTLED, ""
    if 400 <= status < 500 and code in order.refusals:
        wrong = _wrong_id(order, body, is_needed=order.stores)
        return (FAILED, wrong) if wrong else (REFUSED, "")
    if status == 200 and code.startswith(order.right) and not order.only_refusal:
        return _as_ordered(order, body)
    came = f"{status} {code} {body.result.description[:SHOWN]}"
    return FAILED, f"expected {_expected(order)}, got {came}"


def stored_id(order: Order, verdict: Verdict, body: Body | None) -> str:
    """The id of what an answer says was stored; empty where nothing was, or nothing of its own."""
    stored = verdict == KEPT or (verdict == REFUSED and order.stores)
    return body.id if body and stored and order.type else ""


@lru_cache(maxsize=64)
def second_of(timestamp: str) -> int:
    """The second since 1970 that the timestamp of an answer shows; 0 for none that can be read."""
    try:
        return int(datetime.strptime(timestamp, "%Y-%m-%d %H:%M:%S%z").timestamp())
    except ValueError:
        return 0


def _as_ordered(order: Order, body: Body) -> tuple[Verdict, str]:
    """A success has to have an id, and to show the amount and the type that were asked for."""
    wrong = _wrong_id(order, body, is_needed=order.method == "POST")
    if wrong:
        return FAILED, wrong
    if order.operation in WITHOUT_PAYMENT:
        return KEPT, ""
    wanted = amount_of(order.cents)
    if order.cents and body.amount != wanted:
        return FAILED, f"expected amount {wanted}, got {body.amount[:SHOWN] or 'none'}"
    if order.type and body.payment_type != order.type:
        return FAILED, f"expected type {order.type}, got {body.payment_type[:SHOWN] or 'none'}"
    return KEPT, ""


def _wrong_id(order: Order, body: Body, *, is_needed: bool) -> str:
    """What is wrong with the id of an answer: what is kept has to be found again, a decline too."""
    if order.shows and body.id != order.shows:
        return f"expected the id {order.shows}, got {body.id[:SHOWN] or 'none'}"
    return "expected an id, got none" if is_needed and not body.id else ""


def _expected(order: Order) -> str:
    successes = () if order.only_refusal else tuple(f"{code}..." for code in order.right)
    return " or ".join((*successes, *order.refusals))[:SHOWN]
