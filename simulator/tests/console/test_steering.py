"""Clock, scripts and webhooks by the pages of the console."""

import re

import pytest

from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

DECLINED = "800.100.152"


@pytest.fixture
def root(sandbox: str) -> str:
    """Where the pages of the sandbox are."""
    return f"/console/{sandbox}"


def code_of(gateway: Gateway) -> str:
    """The result code of another payment."""
    return str(gateway.post().json["result"]["code"])


def test_a_script_is_armed_for_some_requests_and_disarmed(
    gateway: Gateway, anna: Visitor, root: str, sandbox: str
) -> None:
    anna.get(f"{root}/scripts")
    assert anna.post(f"{root}/scripts", {"behaviour": "decline", "times": "1"}).status_code == 303

    assert [code_of(gateway) == DECLINED for _ in range(2)] == [True, False]
    page = anna.get(f"{root}/scripts").text
    (script,) = gateway.control("GET", f"/sandboxes/{sandbox}/scripts").json["scripts"]
    assert script["id"] in page and "used up" in page
    assert anna.post(f"{root}/scripts/{script['id']}/disarm").status_code == 303
    assert "No script is armed" in anna.get(f"{root}/scripts").text


@pytest.mark.parametrize(
    "sent",
    [
        {"behaviour": "no-such-behaviour"},
        {"behaviour": ""},
        {"behaviour": "decline", "times": "0"},
        {"behaviour": "decline", "times": "-1"},
        {"behaviour": "decline", "times": "1" * 400},
        {"behaviour": "<b>"},
    ],
)
def test_a_script_that_cannot_be_is_refused(
    gateway: Gateway, anna: Visitor, root: str, sent: dict[str, str]
) -> None:
    anna.get(f"{root}/scripts")
    answer = anna.post(f"{root}/scripts", sent)

    assert answer.status_code == 400 and "<b>" not in answer.text
    assert gateway.control("GET", f"{root.replace('/console', '/sandboxes')}/scripts").json == {
        "scripts": []
    }


def test_the_clock_is_set_and_advanced(anna: Visitor, root: str) -> None:
    anna.get(f"{root}/clock")
    at = {"mode": "frozen", "at": "2027-01-31T12:00:00Z"}
    assert anna.post(f"{root}/clock", at).status_code == 303
    assert anna.post(f"{root}/clock/advance", {"by": "1d"}).status_code == 303

    page = anna.get(f"{root}/clock").text

    assert "2027-02-01 12:00:00" in page and "frozen" in page


@pytest.mark.parametrize(
    ("path", "sent"),
    [
        ("clock", {"mode": "backwards"}),
        ("clock", {"mode": "frozen", "at": "yesterday"}),
        ("clock", {}),
        ("clock/advance", {"by": "-1d"}),
        ("clock/advance", {"by": ""}),
        ("clock/advance", {"by": "9" * 30 + "d"}),
    ],
)
def test_a_time_that_cannot_be_is_refused(
    anna: Visitor, root: str, path: str, sent: dict[str, str]
) -> None:
    anna.get(f"{root}/clock")

    assert anna.post(f"{root}/{path}", sent).status_code == 400


def test_an_event_is_shown_in_clear_and_delivered_again(
    gateway: Gateway, anna: Visitor, root: str, sandbox: str
) -> None:
    gateway.control("POST", f"/sandboxes/{sandbox}/webhooks", {"url": "inbox"})
    payment = gateway.post().json["id"]
    (event,) = gateway.control("GET", f"/sandboxes/{sandbox}/notices?payment={payment}").json[
        "notices"
    ]

    listed = anna.get(f"{root}/webhooks?payment={payment}").text
    page = anna.get(f"{root}/webhooks/events/{event['id']}").text

    assert event["id"] in listed and payment in page
    assert "4200000000000000" not in page
    assert anna.post(f"{root}/webhooks/events/{event['id']}/resend").status_code == 303


def test_a_bank_day_is_settled_and_drawn(gateway: Gateway, anna: Visitor, root: str) -> None:
    gateway.post(amount="92.00")
    assert "No bank day was settled yet" in anna.get(f"{root}/settlements").text
    anna.post(f"{root}/clock/advance", {"by": "4d"})

    assert anna.post(f"{root}/settlements").status_code == 303

    runs = re.findall(rf'href="({root}/settlements/[^"]+)"', anna.get(f"{root}/settlements").text)
    (path,) = [each for each in runs if "92.00 EUR" in anna.get(each).text]
    page = anna.get(path).text
    assert "delivered" in page and ">agrees<" in page and ".csv" in page
    assert "Sales 92.00 EUR" in anna.get(f"{path}/picture.svg").text
