"""A gateway that repeats the token of a terminal: what the terminal keeps and shows has none."""

import json
from contextlib import closing
from urllib.parse import quote

from pos_emulator.terminal.gateway import Gateway
from simulator.client.listener import ListenerResponse, ReceivedRequest, listening

TOKEN = "tok~live/81+zebra-quince=="


def repeat(request: ReceivedRequest) -> ListenerResponse:
    """A refusal that repeats the token of the request, percent-encoded too."""
    token = request.headers["authorization"].partition(" ")[2]
    said = f"no {token} nor {quote(token, safe='')}" + " is active" * 50 + f" {token}"
    result = {"code": "800.100.152", "description": said}
    return ListenerResponse(400, {}, json.dumps({"id": "8a", "result": result}).encode())


def test_an_answer_is_kept_without_the_token() -> None:
    with listening(repeat) as url, closing(Gateway(url, TOKEN, "8" * 32)) as gateway:
        answer = gateway.pay({"amount": "1.00"})

    assert answer.result_code == "800.100.152"
    assert answer.reason.startswith("no *** nor *** is active")
    assert "zebra" not in repr(answer)
