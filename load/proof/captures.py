"""Many captures of one authorisation at the same instant: never more than the authorised sum.

All requests of a round are sent before the first answer is read. In every other round the acquirer
takes a moment, so that the captures hold their amounts while they wait.
"""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from load.bench.generator import Link, all_at_once, open_links
from load.bench.order import address_of, post
from load.proof.merchant import Merchant, new_merchant
from load.servers import gateway

AT_ONCE = 32
AUTHORISED_CENTS, CAPTURED_CENTS = 100_00, 7_00
FITTING = AUTHORISED_CENTS // CAPTURED_CENTS
DELAY_S = 0.005


class Captures(NamedTuple):
    """What some rounds came to: how many captures were answered how, and what was wrong."""

    rounds: int
    answers: Counter[str]
    faults: list[str]


def captures_at_once(folder: Path, rounds: int) -> Captures:
    """So many rounds of captures against a gateway of its own."""
    answers: Counter[str] = Counter()
    faults: list[str] = []
    with gateway(folder) as server:
        quick, slow = new_merchant(server), new_merchant(server)
        slow.delay_answers(DELAY_S)
        with open_links(address_of(server.base_url), AT_ONCE) as links:
            for number in range(rounds):
                merchant = slow if number % 2 else quick
                faults += _round(merchant, links, answers)
    return Captures(rounds, answers, faults)


def _round(merchant: Merchant, links: list[Link], answers: Counter[str]) -> list[str]:
    authorised = merchant.authorise(AUTHORISED_CENTS).id
    codes = [_code(answer) for answer in all_at_once(links, _requests(merchant, authorised))]
    answers.update(codes)
    captured = sum(code.startswith("000.") for code in codes)
    left = AUTHORISED_CENTS - captured * CAPTURED_CENTS
    fault = merchant.fault_of_remainder(authorised, "CP", [left])
    wrong = [fault] if fault else []
    if captured != FITTING:
        wrong.append(f"{authorised}: {captured} captures approved, expected {FITTING}")
    return wrong


def _requests(merchant: Merchant, authorised: str) -> list[bytes]:
    body = urlencode(merchant.form_of("CP", CAPTURED_CENTS))
    path = f"/v1/payments/{authorised}"
    one = post(address_of(merchant.client.base_url), path, token=merchant.client.token, body=body)
    return [one] * AT_ONCE


def _code(answer: bytes) -> str:
    return str(json.loads(answer.partition(b"\r\n\r\n")[2])["result"]["code"])
