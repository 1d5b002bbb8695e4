"""Mutants of transport: paths, encoding, hosts and throttling."""

from collections.abc import Mapping
from dataclasses import replace
from http.client import HTTPException
from urllib.parse import parse_qsl

from features.mutants.changes import (
    change_at,
    claim_success,
    refuse,
    refuse_parameters,
    replace_members,
    report_not_found,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer, form_of

THROTTLED = "800.120.100"
FORM = "application/x-www-form-urlencoded; charset=UTF-8"


def without_slash(target: Mapping[str, str]) -> dict[str, str]:
    """A target file whose live_url has no trailing slash."""
    return {**target, "live_url": target["live_url"].rstrip("/")}


def without_tls(target: Mapping[str, str]) -> dict[str, str]:
    """A target file whose tls_url is the address without TLS."""
    return {**target, "tls_url": target["base_url"].replace("http:", "https:", 1)}


@mutant(
    "TRN-01", killed_by=("A plain request is refused where TLS is required",),
    describe=without_tls,
)  # fmt: skip
def answers_without_tls(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A plain request is accepted where TLS is required."""
    return original.forward(request)


@mutant("HOST-02", killed_by=("Every base address ends with a slash",), describe=without_slash)
def writes_addresses_without_a_slash(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The address of the live host has no trailing slash."""
    return original.forward(request)


@mutant("END-10", killed_by=("A payment whose answer was lost is found by its reference",))
def forgets_payments_with_their_answers(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A payment whose answer was lost is in no report."""
    lost = original.memory.setdefault("lost", set())
    try:
        answer = original.forward(request)
    except (OSError, HTTPException):
        lost.add(request.parameters.get("merchantTransactionId"))
        raise
    asked = dict(parse_qsl(request.target.partition("?")[2])).get("merchantTransactionId")
    return replace_members(answer, payments=[]) if asked in lost else answer


@mutant("END-10", killed_by=("A payment that did not arrive is in no report",))
def sends_payments_again(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that did not arrive is sent a second time, and its answer is lost."""
    try:
        return original.forward(request)
    except (OSError, HTTPException):
        if request.is_payment:
            original.forward(request)
        raise


@mutant("SVC-01", killed_by=("One answer is lost, the next one is not",))
def throttles_who_lost_an_answer(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Once the answer to a payment was lost, all further ones are refused as too many."""
    caller = request.headers.get("authorization")
    lost = original.memory.setdefault("lost", set())
    try:
        answer = original.forward(request)
    except (OSError, HTTPException):
        lost.add(caller)
        raise
    return refuse(answer, 429, THROTTLED) if request.is_payment and caller in lost else answer


@mutant("TRN-04", killed_by=("Responses are declared as JSON",))
def declares_plain_text(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Responses are declared as plain text."""
    answer = original.forward(request)
    return replace(answer, headers={**answer.headers, "content-type": "text/plain"})


@mutant("END-09", killed_by=("An unknown path is answered with 404",))
def shows_a_page_for_404(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A path that does not exist is answered in HTML."""
    answer = original.forward(request)
    page = Answer(404, {"content-type": "text/html"}, b"<html><h1>Not Found</h1></html>")
    return page if answer.status == 404 else answer


@mutant("VER-01", "VER-03", killed_by=("An unknown version is answered with 404",))
def answers_under_any_version(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A version that does not exist is accepted."""
    other = request.target.startswith(("v0/", "v2/"))
    return original.forward(
        replace(request, target=f"v1/{request.target[3:]}") if other else request
    )


@mutant("END-09", killed_by=("An unknown path is answered with 404",))
def answers_mistyped_paths(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A mistyped path is accepted."""
    path = request.target.replace("paymnets", "payments").replace("Payments", "payments")
    return original.forward(replace(request, target=path))


@mutant("TRN-03", killed_by=("A form is accepted with every content type that clients send",))
def takes_one_content_type(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A form is accepted with one spelling of its content type only."""
    other = request.method == "POST" and request.headers.get("content-type") != FORM
    answer = original.forward(request)
    return refuse(answer, 415, "200.300.404") if other else answer


@mutant("TRN-02", killed_by=("Values beyond ASCII are UTF-8",))
def reads_another_encoding(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Values are read as ISO 8859-1."""

    def garbled(sent: dict[str, str]) -> dict[str, str]:
        return {name: text.encode().decode("latin-1") for name, text in sent.items()}

    return change_at(original.forward(request), "customParameters", garbled)


@mutant("TRN-02", killed_by=("Bytes that are not UTF-8 are refused",))
def takes_broken_text(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Bytes that are not UTF-8 are ignored."""
    answer = original.forward(request)
    broken = b"%FF" in request.body or b"%C3" in request.body
    return claim_success(answer) if broken and answer.status == 400 else answer


@mutant("TRN-02", killed_by=("Repeated names and invalid characters are refused",))
def takes_the_last_of_two(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The last value of a repeated parameter is used."""
    twice = request.is_payment and request.body.count(b"amount=") > 1
    return original.forward(
        replace(request, body=form_of(request.parameters)) if twice else request
    )


@mutant("TRN-06", killed_by=("Indexes start at 0 and leave no gap",))
def closes_gaps(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An index may start at 1."""
    body = (
        request.body
        if b"items[0]" in request.body
        else request.body.replace(b"items[1]", b"items[0]")
    )
    return original.forward(replace(request, body=body))


@mutant("TRN-07", killed_by=("A map without a key is refused",))
def takes_maps_without_a_key(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A map without a key is ignored."""
    body = request.body.replace(b"&customParameters[]=a", b"")
    return original.forward(replace(request, body=body))


@mutant("TRN-07", killed_by=("Maps take their keys in square brackets",))
def loses_every_key_but_one(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Only the last entry of a map is echoed."""

    def last(sent: dict[str, str]) -> dict[str, str]:
        return dict(list(sent.items())[-1:])

    return change_at(original.forward(request), "customParameters", last)


@mutant(
    "ERR-04", "ERR-05", killed_by=("A throttled request is answered with an id and an explanation",)
)
def explains_no_throttling(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A throttled request gets no explanation."""
    answer = original.forward(request)
    curt = {"code": answer.code, "description": "refused"}
    return replace_members(answer, result=curt) if answer.code == THROTTLED else answer


@mutant("ERR-04", killed_by=("A throttled request is answered with an id and an explanation",))
def gives_throttled_requests_no_id(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A throttled request has no id."""
    answer = original.forward(request)
    return replace_members(answer, id=None) if answer.code == THROTTLED else answer


@mutant("LIM-01", "LIM-02", killed_by=("An operation accepts its limit in a minute and no more",))
def lets_one_too_many_through(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The first request beyond the limit is accepted."""
    answer = original.forward(request)
    if answer.code != THROTTLED or request.headers["authorization"] in original.memory:
        return answer
    original.memory[request.headers["authorization"]] = True
    return claim_success(answer)


@mutant("LIM-01", killed_by=("Reads of one payment are limited",))
def has_no_limits(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """No request is throttled."""
    answer = original.forward(request)
    return claim_success(answer) if answer.code == THROTTLED else answer


@mutant("LIM-02", killed_by=("The next minute accepts the limit again",))
def throttles_for_good(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A throttled merchant stays throttled in the next minute."""
    token = request.headers.get("authorization", "")
    answer = original.forward(request)
    if answer.code == THROTTLED:
        original.memory[token] = answer
    throttled: Answer = original.memory.get(token, answer)
    return throttled


@mutant("LIM-01", killed_by=("The test host and the live host have separate limits",))
def throttles_one_host_for_both(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The live host has the limit of the test host."""
    if request.interface != "live":
        return original.forward(request)
    entity = request.parameters.get("entityId", "")
    taken = original.memory.get(entity, 0)
    original.memory[entity] = taken + 1
    answer = original.forward(request)
    return refuse(answer, 429, THROTTLED) if taken else answer


@mutant("HOST-01", killed_by=("A payment of the live host is unknown to the test host",))
def has_one_store_for_both_hosts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment of one host can be read on the other."""
    answer = original.forward(request)
    hidden = request.method == "GET" and answer.status == 404
    return original.responses.get(request.path.rpartition("/")[2], answer) if hidden else answer


@mutant("HOST-03", "AUTH-04", killed_by=("A token of the test host is unknown to the live host",))
def takes_any_token_on_the_live_host(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The live host accepts tokens of the test host."""
    answer = original.forward(request)
    return claim_success(answer) if request.interface == "live" and answer.status == 403 else answer


@mutant("HOST-01", "HOST-03", killed_by=("A payment succeeds on the live host",))
def takes_nothing_live(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The live host accepts no payment."""
    answer = original.forward(request)
    return report_not_found(answer) if request.interface == "live" else answer


@mutant("END-10", killed_by=("A report of one transaction",))
def finds_no_reports(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A report finds no payment."""
    answer = original.forward(request)
    return report_not_found(answer) if request.path.startswith("v1/query") else answer


@mutant("END-02", killed_by=("A read with a form content type is accepted",))
def refuses_unknown_content_types_of_reads(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A read request with a content type is refused."""
    declared = request.method == "GET" and "content-type" in request.headers
    return refuse_parameters(original.forward(request), "content-type", when=declared)
