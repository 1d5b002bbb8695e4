"""An answer that cannot be matched: the trace of the payment says which field was wrong."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import gevent
import pytest
from gevent.queue import Queue

from simulator.adapters.acquiring.codec import decoded, encoded
from simulator.adapters.acquiring.link import UNMATCHED_MAX, Iso8583Link
from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.acquiring.messages import Message
from simulator.domain.acquiring.unmatched import (
    UnmatchedAnswer,
    UnmatchedAnswerError,
    problems_of,
    resembled,
)
from simulator.domain.core.errors import NoResponseError
from simulator.tests.acquiring.test_external import FAST, Shop
from simulator.tests.kit.gateway import Gateway

REQUEST = {"t": "0200", "11": "000123", "37": "123456789012", "41": "AB12CD34"}
ANSWER = {**REQUEST, "t": "0210", "39": "00"}


def without(number: str) -> Message:
    return {each: value for each, value in ANSWER.items() if each != number}


@pytest.mark.parametrize(
    ("answer", "problems"),
    [
        (ANSWER, ()),
        ({**ANSWER, "11": "000124"}, ("field 11, trace number: expected 000123, got 000124",)),
        (without("41"), ("field 41, terminal: expected AB12CD34, got none",)),
        (without("39"), ("field 39, response code: expected one, got none",)),
        ({**ANSWER, "t": "0410"}, ("type: expected 0210, got 0410",)),
    ],
)
def test_each_problem_of_an_answer_is_named(answer: Message, problems: tuple[str, ...]) -> None:
    assert problems_of(answer, REQUEST) == problems


def test_an_answer_resembles_the_request_it_has_most_in_common_with() -> None:
    others = [{**REQUEST, "11": "000999"}, {**REQUEST, "37": "210987654321"}, REQUEST]
    assert resembled(without("41"), others) is REQUEST
    assert resembled({"t": "0210", "41": "AB12CD34"}, others) is None, "many share a terminal"
    assert resembled({"t": "0210", "11": "", "37": ""}, [{"t": "0200"}]) is None


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[Shop]:
    made = Gateway(tmp_path)
    yield Shop(made, clock=FAST)
    made.close()


def test_a_trace_says_why_an_answer_was_not_matched(shop: Shop) -> None:
    shop.arm({"link": "wrong_stan"}, times=1)
    paid = shop.pay()
    assert paid["result"]["code"].startswith("900.100.30")

    path = f"/sandboxes/{shop.identity}/payments/{paid['id']}/trace"
    trace = shop.gateway.control("GET", path).text

    assert "not matched" in trace and "field 11, trace number: expected" in trace


STRANGE = (
    ({"11": "000999"}, "field 11, trace number: expected"),
    ({"t": "0210"}, "type: expected 0410, got 0210"),
    ({"39": None}, "field 39, response code: expected one"),
)


@pytest.mark.parametrize(("changed", "said"), STRANGE)
def test_an_answer_that_is_not_of_a_reversal_leaves_it_due(
    shop: Shop, monkeypatch: pytest.MonkeyPatch, changed: dict[str, str | None], said: str
) -> None:
    exchange, strange = Iso8583Link.exchange, []

    def exchanged(link: Iso8583Link, message: Message, *more: object) -> Message:
        if message["t"] != "0400" or strange:
            return exchange(link, message, *more)  # type: ignore[arg-type]
        answer = {**message, "t": "0410", "39": "00", **changed}
        answer = {key: value for key, value in answer.items() if value is not None}
        strange.append(answer)
        found = UnmatchedAnswer(answer, problems_of(answer, message))
        raise UnmatchedAnswerError("no answer in time", (found,))

    monkeypatch.setattr(Iso8583Link, "exchange", exchanged)
    shop.arm({"link": "timeout"}, times=1)
    paid = shop.pay()
    (lost,) = shop.ports.store.between(LostRequest, "due", "", "~")
    trace = shop.gateway.control(
        "GET", f"/sandboxes/{shop.identity}/payments/{paid['id']}/trace"
    ).text
    shop.settled()

    assert strange and (lost.id, lost.tries) == (paid["id"], 1)
    assert "not matched" in trace and said in trace
    assert shop.ports.store.get(CardEntry, paid["id"]).reversed_at is not None


class StrangeHost:
    """A line to a host that signs on, and answers each request with answers of its own."""

    signed_on = False

    def __init__(self, answers: list[Message]):
        self._answers = answers
        self._frames: Queue[bytes | None] = Queue()

    def send(self, raw: bytes) -> bool:
        message = decoded(raw)
        is_network = message["t"] == "0800"
        answers = [{**message, "t": "0810", "39": "00"}] if is_network else self._answers
        for each in answers:
            self._frames.put(encoded(each if is_network else {**message, **each}))
        return True

    def frames(self) -> Iterator[bytes]:
        yield from iter(self._frames.get, None)

    def close(self) -> None:
        self._frames.put(None)


REVERSAL = {**REQUEST, "t": "0400"}
ACCEPTED = {"t": "0410", "39": "00"}


@pytest.mark.parametrize(
    "strange",
    [
        {**ACCEPTED, "11": "000999"},
        {**ACCEPTED, "37": "210987654321"},
        {**ACCEPTED, "41": "OTHER999"},
        {"t": "0210", "39": "00"},
        {"t": "0430", "39": "00"},
        {"t": "0410"},
    ],
)
def test_a_reversal_takes_its_own_answer_alone(strange: Message) -> None:
    """Also where that comes after another, or comes twice."""
    link = Iso8583Link(lambda: StrangeHost([strange]), PatientClock(), "0" * 32)
    with pytest.raises(NoResponseError):
        link.exchange(REVERSAL)
    link.close()

    answers = [strange, {**ACCEPTED, "38": "FIRST1"}, {**ACCEPTED, "38": "AGAIN2"}]
    link = Iso8583Link(lambda: StrangeHost(answers), PatientClock(), "0" * 32)
    assert link.exchange(REVERSAL)["38"] == "FIRST1"
    link.close()


class PatientClock:
    """A clock that stands still, and whose waits are short."""

    def now(self) -> datetime:
        return datetime(2026, 11, 23, 12, tzinfo=UTC)

    def wait(self, span: timedelta) -> None:
        gevent.sleep(0.3)


def test_of_many_answers_a_few_are_kept_of_the_request_alone() -> None:
    flood: list[Message] = [{"t": "0210", "11": f"{number:06}", "39": "00"} for number in range(9)]
    link = Iso8583Link(lambda: StrangeHost(flood), PatientClock(), "0" * 32)
    with pytest.raises(UnmatchedAnswerError) as raised:
        link.exchange(REQUEST)
    kept = raised.value.unmatched
    assert [each.answer["11"] for each in kept] == ["000000", "000001", "000002"][:UNMATCHED_MAX]
    link.close()
