"""A request of the workbench, written down: for a shell, a program, a story, a feature."""

import json
import shlex
from collections.abc import Mapping
from typing import NamedTuple
from urllib.parse import quote, urlencode

from simulator.catalogue.payment_types import PAYMENT_TYPES
from simulator.client.wire import Answer, form_of
from simulator.domain.console.recording import storable
from simulator.domain.core.hosts import TEST, TOKEN_NAMES
from simulator.domain.core.ports import HasStore
from simulator.domain.core.records import Payment
from simulator.grammar.operations import Operation
from simulator.grammar.payment_types import PaymentEffect
from simulator.service.console.workbench import PLACE, path_of

TOKEN_NAME = TOKEN_NAMES[TEST]
# Of parameters these are readable, and mean themselves in a form.
KEPT_IN_NAMES, KEPT_IN_VALUES = "[]", "[]()*,/:;@!$'=?{}|"
# A scenario has a sandbox of its own, so it begins with what the request is about.
BEGINNINGS: Mapping[str, tuple[str, str]] = {
    #  path begins with     what is given                                  its id
    "/v1/payments/":       ("an authorized payment of 92.00 EUR",         "{payment}"),
    "/v1/checkouts/":      ("a checkout for 92.00 EUR",                   "{checkout}"),
    "/v1/registrations/":  ("a stored card",                              "{stored}"),
    "/v1/query/":          ("an authorized payment of 92.00 EUR",         "{payment}"),
}  # fmt: skip
GIVEN_OF_EFFECT = {
    PaymentEffect.AUTHORIZATION: "an authorized payment",
    PaymentEffect.SALE: "a debit",
    PaymentEffect.CREDIT: "a credit",
}


class RequestCopies(NamedTuple):
    """The same request for others; where the token goes is named, its value left out. `gherkin` is
    empty where the suite has no sentence for it, `raw` where nothing stands in the body.
    """

    raw: str
    curl: str
    python: str
    story: str
    gherkin: str


def copies_of(
    facts: Mapping[str, str],
    operation: Operation,
    *,
    about: str,
    sent: Mapping[str, str],
    answer: Answer,
    ports: HasStore,
) -> RequestCopies:
    """A request as curl, Python, the step of a story, and a scenario that expects the same answer.
    Card numbers and codes other than published ones are replaced by test values.
    """
    safe = storable(sent)
    base_url, entity, path = facts["base_url"], facts["entity_id"], path_of(operation, about)
    whole = {"entityId": entity, **safe}
    return RequestCopies(
        form_of(whole).decode() if operation.method == "POST" else "",
        curl_of(f"{base_url}{path}", operation.method, whole, facts["token_name"]),
        _python_of(facts, operation.method, path=path, sent=safe),
        _story_of(operation.method, path, safe, answer),
        _gherkin_of(operation, safe, answer, payment=ports.store.get(Payment, about)),
    )


def curl_of(url: str, method: str, sent: Mapping[str, str], token_name: str = TOKEN_NAME) -> str:
    """A request as curl sends it, with the token in a variable. Shoppers and merchants wrote parts
    of it: none of them is more than one word of the shell, or a control character.
    """
    option = "-d" if method == "POST" else f"-X {method} -G -d"
    pairs = (
        f"{quote(name, safe=KEPT_IN_NAMES)}={quote(value, safe=KEPT_IN_VALUES)}"
        for name, value in sent.items()
    )
    data = "".join(f" \\\n  {option} {_quoted(pair)}" for pair in pairs)
    return f'curl {shlex.quote(url)} -H "Authorization: Bearer ${token_name}"{data}'


def _python_of(facts: Mapping[str, str], method: str, *, path: str, sent: Mapping[str, str]) -> str:
    base_url, entity, token = (facts[name] for name in ("base_url", "entity_id", "token_name"))
    return (
        "import os\nfrom simulator.client import Client\n\n"
        f"client = Client({base_url!r}, os.environ[{token!r}], {entity!r})\n"
        f"answer = client.{method.lower()}({path!r}, {dict(sent)!r})\n"
        "print(answer.status, answer.code)\n"
    )


def _story_of(method: str, path: str, sent: Mapping[str, str], answer: Answer) -> str:
    kind = "form" if method == "POST" else "query"
    call = {"method": method, "path": path, kind: dict(sent)}
    expected = {"status": answer.status, **({"code": answer.code} if answer.code else {})}
    return (
        f"- say: The merchant asks.\n  call: {json.dumps(call)}\n  expect: {json.dumps(expected)}\n"
    )


def _gherkin_of(
    operation: Operation, sent: Mapping[str, str], answer: Answer, *, payment: Payment | None
) -> str:
    given, path = "", operation.path
    for begins, (what, identity) in BEGINNINGS.items():
        if PLACE in path and path.startswith(begins):
            given, path = _given_of(payment) or what, path.replace(PLACE, identity)
    if PLACE in path or (operation.method == "POST" and not sent):
        return ""
    lines = [f"Scenario: {operation.id} is answered {answer.status} {answer.code}".rstrip()]
    if given:
        lines.append(f"  Given {given}")
    if operation.method == "POST":
        lines.append(f'  When the merchant posts to "{path}"')
        lines += [f"    | {_cell(name)} | {_cell(value)} |" for name, value in sent.items()]
    else:
        query = f"?{urlencode(sent)}" if sent else ""
        lines.append(f'  When the merchant {operation.method}s "{path}{query}"')
    lines.append(f"  Then the status is {answer.status}")
    if answer.code:
        lines.append(f'  And the response shows result.code "{answer.code}"')
    return "\n".join(lines) + "\n"


def _given_of(payment: Payment | None) -> str:
    if payment is None or payment.money is None:
        return ""
    kind = GIVEN_OF_EFFECT.get(PAYMENT_TYPES[payment.type.value].effect)
    return "" if kind is None else f"{kind} of {payment.money.amount} {payment.money.currency}"


def _cell(text: str) -> str:
    return text.replace("\\", "\\\\").replace("|", "\\|").replace("\n", "\\n")


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"
