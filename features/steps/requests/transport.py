"""Steps about paths, headers, encoding and status codes."""

from http.client import HTTPException

from pytest_bdd import parsers, then, when

from features.spec.results import is_success
from features.support.assertions import NO_ANSWER, Judge
from features.support.merchant import PAYMENTS, Merchant
from features.target.records import Target
from simulator.client import Answer, Client, Interceptor, form_of


@when(parsers.re(r'a payment is posted to "/(?P<path>[^"]*)"'), target_fixture="answer")
def post_to(merchant: Merchant, path: str) -> Answer:
    return merchant.client.post(path, merchant.debit)


@when(
    parsers.re(r'a payment is posted to "/(?P<path>[^"]*)" as "(?P<content_type>[^"]+)"'),
    target_fixture="answer",
)
def post_as(merchant: Merchant, path: str, content_type: str) -> Answer:
    headers = {"Content-Type": content_type}
    return merchant.client.request("POST", path, headers=headers, body=ordinary_form(merchant))


@when(
    parsers.re(r'a payment is posted with (?P<name>\S+) "(?P<value>[^"]*)"'),
    target_fixture="answer",
)
def post_with(merchant: Merchant, name: str, value: str) -> Answer:
    return merchant.client.post(PAYMENTS, {**merchant.debit, name: value})


@when(
    parsers.parse("a payment is posted as curl sends it, with {first} and {second}"),
    target_fixture="answer",
)
def post_unencoded(merchant: Merchant, first: str, second: str) -> Answer:
    pairs = merchant.by_card("DB", "92.00", "EUR", {"card.holder": ""})
    plain = [f"{name}={value}" for name, value in pairs.items()]
    body = "&".join([f"entityId={merchant.client.entity_id}", *plain, first, second])
    return merchant.client.request("POST", PAYMENTS, body=body.encode())


@when(parsers.parse('a payment is posted with "{tail}" appended'), target_fixture="answer")
def post_with_tail(merchant: Merchant, tail: str) -> Answer:
    body = ordinary_form(merchant) + tail.encode()
    return merchant.client.request("POST", PAYMENTS, body=body)


@when("a payment is posted with a long parameter and its amount once more",
      target_fixture="answer")  # fmt: skip
def post_amount_far_behind(merchant: Merchant) -> Answer:
    notes = "".join(f"&customParameters[note{number}]={'a' * 900}" for number in range(50))
    body = ordinary_form(merchant) + f"{notes}&amount=92.00".encode()
    return merchant.client.request("POST", PAYMENTS, body=body)


@when("a payment is posted without a token", target_fixture="answer")
def post_without_token(merchant: Merchant) -> Answer:
    return merchant.presenting(None, merchant.debit)


@when(
    parsers.parse('a payment is posted with the header Authorization "{header}"'),
    target_fixture="answer",
)
def post_with_authorization(merchant: Merchant, header: str) -> Answer:
    return merchant.presenting(header, merchant.debit)


@when(parsers.parse("a body of {size:d} MiB is posted"), target_fixture="answer")
def post_large(merchant: Merchant, size: int) -> Answer:
    body = ordinary_form(merchant) + b"&merchantMemo=" + b"a" * (size * 2**20)
    return merchant.client.request("POST", PAYMENTS, body=body)


@when(parsers.parse("a payment of {count:d} parameters is posted"), target_fixture="answer")
def post_many(merchant: Merchant, count: int) -> Answer:
    filler = {f"customParameters[name{index}]": "a" for index in range(count)}
    return merchant.client.post(PAYMENTS, {**merchant.debit, **filler})


@when(
    parsers.re(r'"/(?P<path>[^"]+)" is requested with (?P<method>[A-Z]+)'), target_fixture="answer"
)
def request_path(merchant: Merchant, path: str, method: str) -> Answer:
    return merchant.client.request(method, f"{path}?entityId={merchant.client.entity_id}")


@when(
    parsers.re(r'"/(?P<path>[^"]+)" is requested with (?P<method>[A-Z]+) without a token'),
    target_fixture="answer",
)
def request_without_token(merchant: Merchant, path: str, method: str) -> Answer:
    return merchant.client.request(method, path, headers={"Authorization": None})


@when(parsers.parse('the payment is requested under "/{path}"'), target_fixture="answer")
def read_under(merchant: Merchant, payment: Answer, path: str) -> Answer:
    return merchant.client.get(f"{path}{payment.id}")


@when(
    parsers.parse('the payment is read with the content type "{content_type}"'),
    target_fixture="answer",
)
def read_with_type(merchant: Merchant, payment: Answer, content_type: str) -> Answer:
    path = f"{PAYMENTS}/{payment.id}?entityId={merchant.client.entity_id}"
    return merchant.client.request("GET", path, headers={"Content-Type": content_type})


@when("a payment is posted without TLS to the TLS address", target_fixture="answer")
def post_without_tls(target: Target, around: Interceptor | None) -> Answer:
    address = target.tls_url.replace("https:", "http:", 1)
    client = Client(address, target.token, target.entity_id, around=around)
    try:
        return Merchant(client, card=target.card).pay_by_card("DB", "92.00", "EUR")
    except (OSError, HTTPException):
        # A closed connection is a refusal as well.
        return NO_ANSWER


@when("a payment is posted over TLS", target_fixture="answer")
def post_over_tls(target: Target, around: Interceptor | None) -> Answer:
    authority = target.ca_file or None
    client = Client(
        target.tls_url, target.token, target.entity_id, ca_file=authority, around=around
    )
    return Merchant(client, card=target.card).pay_by_card("DB", "92.00", "EUR")


@then("the payment is not accepted")
def is_not_accepted(answer: Answer, judge: Judge) -> None:
    judge.holds(
        "result of the request",
        answer,
        answer is NO_ANSWER or (answer.status >= 400 and not is_success(answer.code)),
        expected="no response, or a refusal",
        came=f"status {answer.status}, {answer.code}",
    )


@then(parsers.parse("the status is {status:d}"))
def status_is(answer: Answer, judge: Judge, status: int) -> None:
    judge.same("status", answer, expected=status, came=answer.status)


@then("the response is JSON")
def is_json(answer: Answer, judge: Judge) -> None:
    declared = answer.headers.get("content-type", "").startswith("application/json")
    judge.same(
        "declared as JSON, and a JSON object",
        answer,
        expected=(True, True),
        came=(declared, isinstance(answer.body, dict)),
    )


@then(parsers.re(r'the header (?P<name>\S+) begins with "(?P<start>[^"]+)"'))
def header_begins(answer: Answer, judge: Judge, name: str, start: str) -> None:
    came = answer.headers.get(name.lower(), "")
    judge.same(f"beginning of {name}", answer, expected=start, came=came[: len(start)])


@then(parsers.re(r'the response has (?P<name>\w+) as an object with (?P<key>\w+) "(?P<value>.*)"'))
def holds_object(answer: Answer, judge: Judge, name: str, *, key: str, value: str) -> None:
    judge.same(name, answer, expected={key: value}, came=answer.body.get(name))


def ordinary_form(merchant: Merchant) -> bytes:
    """A valid debit as the bytes of its form."""
    return form_of({"entityId": merchant.client.entity_id, **merchant.debit})
