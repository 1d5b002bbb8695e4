"""The record of what went over the wire: complete, masked, and no longer than people read."""

import time

import pytest

from features.conformance.document_start import LOOKED_AT_MAX, NOT_WHOLE
from features.conformance.recording import (
    BODY_LENGTH_MAX,
    SENT_MAX,
    TEXT_LENGTH_MAX,
    ExchangeRecorder,
)
from features.target.records import Target
from simulator.client import Answer, OutgoingRequest

BASE, CONTROL = "http://gateway.example/", "http://gateway.example/control/"
TOKEN = "of-the-target-itself"
OF_A_SANDBOX = "6592b8ea207b01ec498c65eb7874a9115516ef12def7e791"
FORM = {"Content-Type": "application/x-www-form-urlencoded", "Authorization": f"Bearer {TOKEN}"}
FINE = Answer(200, {"content-type": "application/json"}, {"id": "1"})


@pytest.fixture
def recorder() -> ExchangeRecorder:
    return ExchangeRecorder(Target(BASE, TOKEN, "e", control_url=CONTROL))


def posted(body: bytes, *, base_url: str = BASE, path: str = "v1/payments") -> OutgoingRequest:
    return OutgoingRequest(base_url, "POST", path, FORM, body)


def test_a_form_is_kept_with_its_answer_and_shows_no_secret(recorder: ExchangeRecorder) -> None:
    asked = posted(b"amount=92.00&card.number=4200000000000000&card.cvv=123&amount=1.00")
    assert recorder.around(asked, lambda: FINE) == FINE
    (kept,) = recorder.taken()
    assert recorder.taken() == []
    assert (kept.surface, kept.method, kept.path) == ("merchant", "POST", "v1/payments")
    assert kept.sent == {
        "amount": "92.00", "card.number": "420000******0000", "card.cvv": "***",
        "amount (again)": "1.00",
    }  # fmt: skip
    assert kept.sent_headers["Authorization"] == "***"
    assert (kept.status, kept.body, kept.error) == (200, {"id": "1"}, "")


def test_a_token_that_a_sandbox_brings_is_hidden_from_then_on(recorder: ExchangeRecorder) -> None:
    made = Answer(201, {}, {"token": OF_A_SANDBOX, "id": "a-sandbox"})
    recorder.around(posted(b"{}", base_url=CONTROL), lambda: made)
    answered = Answer(200, {"x-seen": OF_A_SANDBOX}, {"description": f"{OF_A_SANDBOX} and {TOKEN}"})
    recorder.around(posted(b"", path=f"v1/payments?userId={OF_A_SANDBOX}"), lambda: answered)
    first, second = recorder.taken()
    assert (first.surface, first.body) == ("control", {"token": "***", "id": "a-sandbox"})
    assert second.path == "v1/payments?userId=***"
    assert second.headers == {"x-seen": "***"}
    assert second.body == {"description": "*** and ***"}
    assert recorder.masking.text(f"stderr: {OF_A_SANDBOX}") == "stderr: ***"


def test_the_secret_of_an_address_is_hidden_wherever_it_stands(recorder: ExchangeRecorder) -> None:
    stem = f"threeDSecure/{'a' * 32}/{'b' * 32}"
    url = f"{BASE}{stem}/{OF_A_SANDBOX}"
    answered = {"redirect": {"url": url, "preconditions": [{"url": url}]}}
    headers = {"Content-Type": "application/json"}
    asked = OutgoingRequest(
        BASE, "POST", f"{stem}/{OF_A_SANDBOX}", headers, f'{{"at": "{url}"}}'.encode()
    )
    recorder.around(asked, lambda: Answer(200, {"location": url}, answered))
    (kept,) = recorder.taken()
    assert kept.path == f"{stem}/***"
    assert kept.sent == {"at": f"{BASE}{stem}/***"}
    assert kept.headers == {"location": f"{BASE}{stem}/***"}
    assert OF_A_SANDBOX not in str(kept)


@pytest.mark.parametrize("presented", ["Bearer {}", "{}", "Basic  {}"])
def test_credentials_that_were_presented_are_hidden_where_they_are_repeated(
    recorder: ExchangeRecorder, presented: str
) -> None:
    headers = {"authorization": presented.format(TOKEN[:-1])}
    answered = Answer(403, {}, {"description": f"{TOKEN[:-1]!r} is unknown"})
    recorder.around(
        OutgoingRequest(BASE, "GET", f"v1/{TOKEN[:-1]}", headers, None), lambda: answered
    )
    (kept,) = recorder.taken()
    assert (kept.path, kept.body) == ("v1/***", {"description": "'***' is unknown"})


def test_what_json_sends_is_masked_by_its_names_to_its_last_member(
    recorder: ExchangeRecorder,
) -> None:
    body = b'{"list": [{"name": "token", "value": "t"}, {"cvv": 123}], "secret": {"a": "b"}}'
    recorder.around(OutgoingRequest(CONTROL, "POST", "scripts", {}, body), lambda: FINE)
    assert recorder.taken()[0].sent == {
        "list": '[{"name": "token", "value": "***"}, {"cvv": "***"}]', "secret": "***",
    }  # fmt: skip


def test_an_answer_that_never_came_is_kept_as_what_was_raised(recorder: ExchangeRecorder) -> None:
    def broken() -> Answer:
        raise ConnectionResetError("gone")

    with pytest.raises(ConnectionResetError):
        recorder.around(posted(b"", base_url="http://elsewhere/"), broken)
    (kept,) = recorder.taken()
    assert (kept.surface, kept.status, kept.error) == ("other", 0, "ConnectionResetError: gone")


def test_what_is_long_is_cut_and_says_how_much_is_missing(recorder: ExchangeRecorder) -> None:
    many = "&".join(f"name{number}=a" for number in range(SENT_MAX + 5))
    page = b"<html>" + b"a" * (BODY_LENGTH_MAX + 94)
    recorder.around(posted(many.encode()), lambda: Answer(200, {}, page))
    recorder.around(posted(b"memo=" + b"a" * (TEXT_LENGTH_MAX + 7)), lambda: FINE)
    first, second = recorder.taken()
    assert first.sent["..."] == "5 more parameters"
    assert first.body.endswith("aaa... (100 more characters)")
    assert second.sent["memo"].endswith("aaa... (7 more characters)")


@pytest.mark.parametrize("before", [0, LOOKED_AT_MAX - 20, LOOKED_AT_MAX + 1])
def test_nothing_of_a_secret_is_shown_wherever_it_lies_in_what_is_huge(
    recorder: ExchangeRecorder, before: int
) -> None:
    memo = "1" * before + f" {TOKEN} " + "b" * LOOKED_AT_MAX
    recorder.around(posted(f"memo={memo}".encode()), lambda: FINE)
    (kept,) = recorder.taken()
    assert TOKEN[:8] not in kept.sent["memo"]
    assert kept.sent["memo"].endswith(f"({len(memo) - TEXT_LENGTH_MAX} more characters)")


def test_a_body_that_is_no_form_is_kept_as_its_members_or_its_text(
    recorder: ExchangeRecorder,
) -> None:
    for body in (b'{"behaviour": {"name": "x"}, "secret": "hidden"}', b"[1]", b"plain"):
        recorder.around(OutgoingRequest(CONTROL, "POST", "scripts", {}, body), lambda: FINE)
    assert [each.sent for each in recorder.taken()] == [
        {"behaviour": '{"name": "x"}', "secret": "***"}, {"(body)": "[1]"}, {"(body)": "plain"},
    ]  # fmt: skip


HUGE = (
    b"password=x " * 300_000,
    [1] * 300_000,
    ["ab: cd@x"] * 200_000,
    {"text": "password=x " * 300_000},
    {f"password=x{number}": "5" for number in range(100_000)},
)


@pytest.mark.parametrize("body", HUGE, ids=range(len(HUGE)))
def test_of_a_huge_answer_the_beginning_is_looked_at_and_the_rest_is_said_to_be_missing(
    recorder: ExchangeRecorder, body: object
) -> None:
    began = time.process_time()
    recorder.around(posted(b""), lambda: Answer(200, {}, body))
    assert time.process_time() - began < 0.5
    (kept,) = recorder.taken()
    assert "more characters" in kept.body or NOT_WHOLE in kept.body
    assert len(kept.body) < BODY_LENGTH_MAX + 200


@pytest.mark.parametrize("before", [0, LOOKED_AT_MAX - 20, LOOKED_AT_MAX + 1])
def test_nothing_of_a_secret_is_shown_wherever_it_lies_in_a_huge_answer(
    recorder: ExchangeRecorder, before: int
) -> None:
    text = "password=x " * (before // 11) + f" {TOKEN} " + "b" * LOOKED_AT_MAX
    for body in (text.encode(), {"text": text}, ["password=x"] * (before // 11) + [text]):
        recorder.around(posted(b""), lambda body=body: Answer(200, {}, body))
    assert not any(TOKEN[:8] in each.body for each in recorder.taken())


@pytest.mark.parametrize("before", range(LOOKED_AT_MAX - 60, LOOKED_AT_MAX, 4))
def test_no_value_of_a_huge_answer_is_shown_without_the_name_that_makes_it_a_secret(
    recorder: ExchangeRecorder, before: int
) -> None:
    pair = {"value": "tulip-12", "of": "x", "name": "password"}
    # What is before it takes three signs once it is masked.
    body = {"token": "a" * before, "pairs": [pair, pair]}
    recorder.around(posted(b""), lambda: Answer(200, {}, body))
    (kept,) = recorder.taken()
    assert "tulip-12" not in str(kept.body)
