"""Every path of the gateway is in an OpenAPI document, or left out of both for a reason."""

import re

import pytest

from simulator.catalogue.choices import CHOICES
from simulator.catalogue.operations.endpoints import OPERATIONS
from simulator.derive.openapi.merchant import openapi_document
from simulator.derive.openapi.without_token import ROWS as OPEN_READS
from simulator.grammar.choices import choose
from simulator.tests.kit.described import CHOICES as CHOICES_KEY
from simulator.tests.kit.described import UndescribedAnswerError, demand_described
from simulator.tests.kit.gateway import Gateway
from simulator.web.control.access import PREFIX
from simulator.web.control.description.openapi import control_openapi_document

PLACE = re.compile(r"{\w+}")
# Why a route is in neither document.
LEFT_OUT = {
    "pages for people": r"/|/docs|/_sandbox/docs|/reference|/lessons/shop|/try/{}|/console.*",
    "pages for shoppers, who are sent there, and what the ACS posts": (
        r"/redirect/.*|/threeDSecure/.*|/form/{}|/form/{}/confirm"
    ),
    "the form itself: its script, its frames, and what they ask": (
        r"/v1/paymentWidgets.js|/form/(number|cvv|relay|style.css|brands/.*|{}/(kept|open|wallet))"
    ),
    "files of a page": r"/docs/{}",
    "a document": r"(/docs|/_sandbox|/_sandbox/v1|)/openapi.json|/_sandbox/behaviour.schema.json",
    "for those who watch the server": r"/_sandbox/(health|ready|metrics)",
}


def test_every_route_is_documented_or_left_out_for_a_reason(gateway: Gateway) -> None:
    documents = (
        ("", openapi_document(choose(CHOICES, "specification"))),
        (PREFIX, control_openapi_document()),
    )
    documented = {
        (method.upper(), PLACE.sub("{}", f"{start}{path}"))
        for start, document in documents
        for path, item in document["paths"].items()
        for method in item.keys() - {"parameters"}
    }
    served = {
        (method, PLACE.sub("{}", path))
        for path, methods in gateway._built.application._router.methods.items()
        for method in methods
        if method != "OPTIONS"
    }

    left_out = {each: reason_to_leave_out(each[1]) for each in served - documented}
    assert [each for each, reasons in left_out.items() if len(reasons) != 1] == []
    assert {reason for reasons in left_out.values() for reason in reasons} == LEFT_OUT.keys()
    assert documented - served == set()


def reason_to_leave_out(path: str) -> list[str]:
    return [reason for reason, pattern in LEFT_OUT.items() if re.fullmatch(pattern, path)]


def test_the_page_to_try_it_out_shows_each_operation_once(gateway: Gateway) -> None:
    document = gateway.client.simulate_get("/docs/openapi.json").json

    shown = [each["operationId"] for item in document["paths"].values() for each in item.values()]
    assert sorted(shown) == sorted([*OPERATIONS, *(row.id for row in OPEN_READS)])


@pytest.mark.parametrize("path", ["/checkouts", "/v1/resultcodes", "/v1/fastcheckout/integrity"])
def test_an_answer_of_every_path_is_held_against_the_document(gateway: Gateway, path: str) -> None:
    env = {"REQUEST_METHOD": "POST" if path == "/checkouts" else "GET", "PATH_INFO": path}
    env[CHOICES_KEY] = choose(CHOICES, "specification")
    answer = gateway.client.simulate_request(env["REQUEST_METHOD"], path)
    demand_described(env, answer.status_code, [*answer.headers.items()], answer.content)

    with pytest.raises(UndescribedAnswerError):
        demand_described(env, 200, [*answer.headers.items()], b"{}")
