"""Simultaneous captures of one authorization: never more than the authorized amount.

All requests of a round are sent before the first response is read. In every other round the
acquirer delays its responses, so that the captures reserve their amounts while they wait.
"""

import json
from collections import Counter
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from load.bench.generator import KeepAliveConnection, open_connections, send_at_once
from load.bench.payment import address_of, format_post
from load.gateway.server import start_gateway
from load.proof.merchant import ProofMerchant, create_merchant
from load.traffic.requests import SUCCESS

AT_ONCE = 32
AUTHORIZED_CENTS, CAPTURED_CENTS = 100_00, 7_00
CAPTURES_MAX = AUTHORIZED_CENTS // CAPTURED_CENTS
DELAY_S = 0.005


class CaptureRounds(NamedTuple):
    """The result of some rounds: captures by result code, and the faults."""

    rounds: int
    codes: Counter[str]
    faults: list[str]


def capture_at_once(folder: Path, rounds: int) -> CaptureRounds:
    """Run rounds of simultaneous captures against a gateway of their own."""
    codes: Counter[str] = Counter()
    faults: list[str] = []
    with start_gateway(folder) as server:
        fast, slow = create_merchant(server), create_merchant(server)
        slow.delay_responses(DELAY_S)
        with open_connections(address_of(server.base_url), AT_ONCE) as connections:
            for number in range(rounds):
                merchant = slow if number % 2 else fast
                faults += _run_round(merchant, connections, codes)
    return CaptureRounds(rounds, codes, faults)


def _run_round(
    merchant: ProofMerchant, connections: list[KeepAliveConnection], total: Counter[str]
) -> list[str]:
    payment_id = merchant.authorize(AUTHORIZED_CENTS).id
    codes = [_code(each) for each in send_at_once(connections, _requests(merchant, payment_id))]
    total.update(codes)
    captures = sum(code.startswith(SUCCESS) for code in codes)
    left_cents = AUTHORIZED_CENTS - captures * CAPTURED_CENTS
    fault = merchant.check_remainder(payment_id, "CP", [left_cents])
    faults = [fault] if fault else []
    if captures != CAPTURES_MAX:
        faults.append(f"{payment_id}: expected {CAPTURES_MAX} approved captures, got {captures}")
    return faults


def _requests(merchant: ProofMerchant, payment_id: str) -> list[bytes]:
    body = urlencode(merchant.form_of("CP", CAPTURED_CENTS))
    path, client = f"/v1/payments/{payment_id}", merchant.client
    one = format_post(address_of(client.base_url), path, token=client.token, body=body)
    return [one] * AT_ONCE


def _code(response: bytes) -> str:
    return str(json.loads(response.partition(b"\r\n\r\n")[2])["result"]["code"])
