"""Who may read the page, and who may press its keys."""

from email.message import Message

import pytest

from pos_emulator.web.guard import BODY_BYTES_MAX, JSON, TOKEN_HEADER, Guard
from simulator.client.listener import ReceivedRequest

PORT = 8092


@pytest.fixture
def guard() -> Guard:
    made = Guard()
    made.listen_on(PORT)
    return made


def headers(**given: str) -> Message:
    made = Message()
    for name, text in ({"Host": f"127.0.0.1:{PORT}"} | given).items():
        made[name.replace("_", "-")] = text
    return made


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({}, 0),
        ({"Host": f"localhost:{PORT}"}, 0),
        ({"Host": f"[::1]:{PORT}"}, 0),
        ({"Host": "127.0.0.1"}, 421),
        ({"Host": f"rebound.example:{PORT}"}, 421),
        ({"Host": f"127.0.0.1.rebound.example:{PORT}"}, 421),
        ({"Host": ""}, 421),
        ({"Content_Length": str(BODY_BYTES_MAX)}, 0),
        ({"Content_Length": str(BODY_BYTES_MAX + 1)}, 413),
        ({"Content_Length": "9" * 30}, 400),
        ({"Content_Length": "-1"}, 400),
        ({"Content_Length": "many"}, 400),
        ({"Transfer_Encoding": "chunked"}, 411),
    ],
)
def test_a_request_is_admitted_by_its_headers(guard: Guard, given: dict, status: int) -> None:
    assert guard.admit(headers(**given)) == status


def test_no_request_is_admitted_before_there_is_a_port() -> None:
    assert Guard().admit(headers()) == 421


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({}, ""),
        ({"origin": "http://127.0.0.1:8092", "sec-fetch-site": "same-origin"}, ""),
        ({"content-type": "application/json; charset=utf-8"}, ""),
        ({"origin": "http://evil.example"}, "origin"),
        ({"origin": "https://127.0.0.1:8092"}, "origin"),
        ({"origin": "http://127.0.0.1:8093"}, "origin"),
        ({"origin": "null"}, "origin"),
        ({"sec-fetch-site": "cross-site"}, "another site"),
        ({"sec-fetch-site": "same-site"}, "another site"),
        ({TOKEN_HEADER: ""}, "token"),
        ({TOKEN_HEADER: "ü" * 32}, "token"),
        ({"content-type": "text/plain"}, "Content-Type"),
        ({"content-type": "application/x-www-form-urlencoded"}, "Content-Type"),
    ],
)
def test_only_the_page_itself_changes_anything(guard: Guard, changed: dict, word: str) -> None:
    sent = {TOKEN_HEADER: guard.token, "content-type": JSON} | changed

    complaint = guard.complaint_about(ReceivedRequest("POST", "/do/pin", sent, b"{}"))

    assert word in complaint and bool(complaint) is bool(word)
    assert guard.token not in complaint


def test_each_start_has_a_token_of_its_own() -> None:
    assert Guard().token != Guard().token
