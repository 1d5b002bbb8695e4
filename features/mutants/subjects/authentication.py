"""Mutants of authentication: tokens, entities, and data of another merchant."""

import re
from dataclasses import replace
from urllib.parse import unquote

from features.mutants.changes import change_at, claim_success, refuse
from features.mutants.mutant import ALL_INTERFACES, mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer


@mutant("AUTH-01", killed_by=("A request without credentials is refused",))
def takes_requests_without_credentials(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A request without credentials is accepted."""
    answer = original.forward(request)
    return claim_success(answer) if "authorization" not in request.headers else answer


@mutant("AUTH-03", killed_by=("Credentials that are no bearer token are refused",))
def answers_an_unreadable_header_with_403(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """An unreadable header has the status of an unknown token."""
    answer = original.forward(request)
    return replace(answer, status=403) if answer.status == 401 else answer


@mutant("AUTH-04", killed_by=("A token that was never issued is refused",))
def answers_an_unknown_token_with_401(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An unknown token has the status of an unreadable header."""
    answer = original.forward(request)
    return replace(answer, status=401) if answer.status == 403 else answer


@mutant(
    "AUTH-04",
    killed_by=("A token without its last character is refused",),
    interfaces=ALL_INTERFACES,
)
def compares_tokens_by_their_beginning(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A token without its last character is accepted."""
    answer = original.forward(request)
    for merchant in answer.at("entities.merchants") or []:
        original.memory[f"Bearer {merchant['token']}"[:-1]] = merchant["token"]
    whole = original.memory.get(request.headers.get("authorization", ""))
    if whole is None:
        return answer
    shown = {**request.headers, "authorization": f"Bearer {whole}"}
    return original.forward(replace(request, headers=shown))


@mutant("AUTH-07", killed_by=("A token sent as a parameter does not authenticate",))
def takes_tokens_as_parameters(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A token is accepted as a parameter."""
    sent = request.parameters
    names = ("accessToken", "authentication.accessToken", "Authorization")
    token = next((sent[name] for name in names if name in sent), None)
    if token is None:
        return original.forward(request)
    bare = request.change_parameters(dict.fromkeys(names, ""))
    return original.forward(
        replace(bare, headers={**bare.headers, "authorization": f"Bearer {token}"})
    )


@mutant("AUTH-02", killed_by=("A payment names its entity by 32 lowercase hex digits",))
def takes_entities_in_capitals(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An entity id may have any form."""
    answer = original.forward(request)
    wrong = any(error["name"] == "entityId" for error in answer.parameter_errors)
    return claim_success(answer) if wrong else answer


@mutant("AUTH-06", killed_by=("A merchant cannot read the payment of another merchant",))
def shows_payments_to_any_merchant(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment can be read with the token of another merchant."""
    answer = original.forward(request)
    hidden = request.method == "GET" and answer.status == 404
    return original.responses.get(request.path.rpartition("/")[2], answer) if hidden else answer


@mutant("AUTH-06", killed_by=("Another merchant's registration can be neither read nor deleted",))
def shows_registrations_to_any_merchant(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A registration can be read and removed with the token of another merchant."""
    answer = original.forward(request)
    of_registration = request.path.startswith("v1/registrations/")
    return reveal_earlier_response(request, original, answer) if of_registration else answer


@mutant("AUTH-06", killed_by=("Another merchant cannot read the result of a checkout",))
def shows_checkouts_to_any_merchant(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The result of a checkout can be read with the token of another merchant."""
    answer = original.forward(request)
    if "checkouts/" not in request.path:
        return answer
    if request.method == "POST" and answer.status == 200:
        original.memory[request.path] = answer
    hidden = request.method == "GET" and answer.status == 404
    return original.memory.get(request.path, answer) if hidden else answer


@mutant("AUTH-06", "END-10", killed_by=("A report shows nothing of another merchant",))
def reports_to_any_merchant(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report of a payment can be read with the token of another merchant."""
    answer = original.forward(request)
    reports = request.path.startswith("v1/query/")
    return reveal_earlier_response(request, original, answer) if reports else answer


@mutant("AUTH-06", killed_by=("A merchant cannot capture the payment of another merchant",))
def captures_for_any_merchant(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment can be captured with the token of another merchant."""
    answer = original.forward(request)
    known = request.path.rpartition("/")[2] in original.responses
    return claim_success(answer) if answer.status == 404 and known else answer


@mutant(
    "AUTH-06",
    killed_by=("A merchant cannot pay with the entity of another merchant",),
    interfaces=ALL_INTERFACES,
)
def lets_merchants_pay_for_others(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A merchant may name the entity of another."""
    answer = original.forward(request)
    known = request.parameters.get("entityId") in original.memory
    if answer.status == 200:
        original.memory[request.parameters.get("entityId", "")] = True
    for merchant in answer.at("entities.merchants") or []:
        original.memory[merchant["channels"][0]["id"]] = True
    return claim_success(answer) if answer.status == 403 and known else answer


@mutant(
    "AUTH-03",
    "AUTH-04",
    killed_by=("A refusal shows neither the token nor its beginning",),
)
def repeats_the_token(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refusal repeats the unknown token."""
    answer = original.forward(request)
    said = f"unknown: {unquote(request.headers.get('authorization', ''))}"
    refused = answer.status == 403
    return change_at(answer, "result.description", lambda _: said) if refused else answer


def reveal_earlier_response(
    request: ProxiedRequest, original: OriginalGateway, answer: Answer
) -> Answer:
    """The earlier response for an id, where the original gateway refuses to show it."""
    hidden = answer.status in (400, 404)
    return original.responses.get(request.path.rpartition("/")[2], answer) if hidden else answer


@mutant("AUTH-05", killed_by=("An administrator is shown an access token on request",))
def hides_tokens_from_administrators(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """No role is shown the value of an access token."""
    answer = original.forward(request)
    return refuse(answer, 403, "800.900.300") if request.path.endswith("/reveal") else answer


@mutant("AUTH-05", killed_by=("A list of access tokens shows no value",))
def lists_tokens_without_their_digits(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The list of access tokens shows nothing of their values."""
    answer = original.forward(request)
    if not (request.path.startswith("console/") and request.path.endswith("/tokens")):
        return answer
    return replace(answer, body=re.sub(rb"\xe2\x80\xa6[0-9a-f]{4}", b"hidden", answer.body))


@mutant("AUTH-05", killed_by=("An access token is not shown without administration rights",))
def answers_a_refused_reveal_with_200(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A person without administration rights is answered as an administrator is."""
    answer = original.forward(request)
    is_reveal = request.path.endswith("/reveal") and answer.status == 403
    return replace(answer, status=200) if is_reveal else answer
