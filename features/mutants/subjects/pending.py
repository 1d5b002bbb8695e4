"""Mutants of pending payments, of redirected shoppers, and of time limits."""

import json
import re
from dataclasses import replace

from features.mutants.changes import accept_parameters, claim_success, replace_code, replace_members
from features.mutants.mutant import ALL_INTERFACES, mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

PENDING = "000.200.000"
DAY_S = 86_400
SECONDS = {"s": 1, "m": 60, "h": 3600, "d": DAY_S}


@mutant("STATE-01", killed_by=("A payment without an outcome is pending",))
def decides_at_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A pending payment is answered as a success."""
    answer = original.forward(request)
    return claim_success(answer) if answer.code == PENDING and answer.id else answer


@mutant("STATE-01", killed_by=("A pending payment becomes final when its outcome is due",))
def never_decides(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A pending payment never becomes final."""
    answer = original.forward(request)
    if answer.code == PENDING and answer.id:
        original.memory[answer.id] = True
    return (
        replace_code(replace(answer, status=200), PENDING)
        if answer.id in original.memory
        else answer
    )


@mutant("ASYNC-01", killed_by=("An authorization may be asynchronous",))
def redirects_without_parameters(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A redirect without parameters has no list of them."""
    answer = original.forward(request)
    redirect = answer.at("redirect")
    return replace_members(answer, redirect={"url": redirect["url"]}) if redirect else answer


@mutant("ASYNC-01", killed_by=("A redirected payment requires a shopperResultUrl",))
def redirects_without_a_return_address(
    request: ProxiedRequest, original: OriginalGateway
) -> Answer:
    """A redirected payment needs no shopperResultUrl."""
    return accept_parameters(original.forward(request), "shopperResultUrl")


@mutant("ASYNC-01", killed_by=("A card payment does not redirect the shopper",))
def redirects_card_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card payment redirects the shopper."""
    answer = original.forward(request)
    away = {"url": "https://bank.example/", "parameters": []}
    return replace_members(answer, redirect=away) if answer.at("card.bin") else answer


@mutant(
    "ASYNC-01",
    killed_by=("The shopper returns to the shop with id, resourcePath and the shop's own query",),
)
def forgets_the_shops_own_query(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The shopper returns without the shop's own query."""
    answer = original.forward(request)
    back = answer.headers.get("location", "").replace("order=4711&", "")
    return replace(answer, headers={**answer.headers, "location": back}) if back else answer


@mutant("ERR-02", killed_by=("A scripted shopper is returned as soon as the redirect page opens",))
def returns_shoppers_by_302(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The shopper is returned by status 302 instead of 307."""
    answer = original.forward(request)
    return replace(answer, status=302) if answer.status == 307 else answer


@mutant(
    "FORM-01",
    "LIM-03",
    "EVT-04",
    "LIM-02",
    killed_by=(
        "A checkout is valid for 30 minutes",
        "An unread payment is not called back before 29 minutes",
        "A minute begins at the full minute of the sandbox clock",
    ),
    interfaces=ALL_INTERFACES,
)
def is_a_second_fast(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every time limit ends one second early."""
    return original.forward(shift_clock(request, by=1))


@mutant(
    "FORM-01",
    "STATE-01",
    "EVT-06",
    killed_by=(
        "An unused checkout stops being valid after 30 minutes",
        "A pending payment becomes final when its outcome is due",
        "A notification is delivered again after increasing intervals",
    ),
    interfaces=ALL_INTERFACES,
)
def is_a_second_slow(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Every time limit ends one second late."""
    return original.forward(shift_clock(request, by=-1))


@mutant(
    "JOB-04",
    "RCN-04",
    killed_by=(
        "A month from the 31st ends with a shorter month",
        "A file without times of orders has the time it was parsed",
    ),
    interfaces=ALL_INTERFACES,
)
def drifts_a_second_a_day(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The clock of the gateway gains a second a day."""
    return original.forward(shift_clock(request, by=int(parse_seconds(request) // DAY_S)))


def shift_clock(request: ProxiedRequest, *, by: int) -> ProxiedRequest:
    """A request to advance the clock, by so many seconds more; any other request as it is."""
    seconds = parse_seconds(request)
    if not seconds or not by:
        return request
    return replace(request, body=json.dumps({"by": f"{seconds + by}s"}).encode())


def parse_seconds(request: ProxiedRequest) -> int:
    """The seconds by which a request advances the clock; 0 for any other request."""
    span = request.parse_json().get("by", "") if request.path.endswith("/clock/advance") else ""
    return sum(int(number) * SECONDS[unit] for number, unit in re.findall(r"(\d+)([smhd])", span))
