"""What a script lets the acquirer say is an answer that the documents describe."""

import pytest

from simulator.tests.kit.gateway import Gateway

ARMED = (
    "x", "a\nb\tc\r\n", "<script>", "'\"&", "\xfc\u20ac\U0001f600", "\uffff\ufffe", "{{7*7}}",
    "x" * 255, "=1+1",
)  # fmt: skip
REFUSED = (
    "", "x" * 256, "\x00", "\x1b[31m", "a\x0b", "\x7f", "\x85", "\u2028", "\u202eabc", "\u2066",
    "\ufffd",
)  # fmt: skip


def arm(gateway: Gateway, details: dict[str, str]) -> tuple[int, str]:
    """Status and text of the answer to a script that adds these members to resultDetails."""
    sandbox = gateway.control("GET", "/sandboxes").json["sandboxes"][0]["id"]
    script = {"behaviour": {"steps": {"acquirer": {"approve": {"details": details}}}}}
    answer = gateway.control("POST", f"/sandboxes/{sandbox}/scripts", script)
    return answer.status_code, answer.text


@pytest.mark.parametrize("text", ARMED)
def test_a_text_that_can_be_shown_comes_back(gateway: Gateway, text: str) -> None:
    name = f"N{text}"[:64]
    assert arm(gateway, {"Note": text, name: "x", "AcquirerResponse": text})[0] == 201
    paid = gateway.post()
    found = paid.json["resultDetails"]
    assert (found["Note"], found[name], paid.status_code) == (text, "x", 200)
    assert gateway.read(paid.json["id"]).json["resultDetails"]["Note"] == text


@pytest.mark.parametrize("text", REFUSED)
def test_any_other_text_is_refused_before_an_acquirer_says_it(gateway: Gateway, text: str) -> None:
    status, said = arm(gateway, {"Note": text})
    assert status == 400 and "details.Note" in said
    assert arm(gateway, {text: "x"})[0] == 400
    assert gateway.post().json["result"]["code"] == "000.100.110"
    if text and len(text) < 10:
        assert "text without control characters" in said
