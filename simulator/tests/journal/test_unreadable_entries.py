"""One entry that cannot be read keeps no other from being read."""

from datetime import timedelta

import pytest
from falcon import Response
from hypothesis import example, given
from hypothesis import strategies as st
from msgspec import Raw

from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.domain.journal.entries import (
    ExchangeEntry,
    Party,
    SimulatorEntry,
    listing_key,
)
from simulator.domain.journal.exchanges import MaskedExchange
from simulator.domain.journal.search import Search
from simulator.domain.journal.stored import UNREADABLE, encode_entry
from simulator.domain.journal.trace import trace_of, trace_text
from simulator.service.journal import read_entry, search_journal
from simulator.tests.kit.twins import HandClock
from simulator.web.http.answers import CONTENT_TYPE
from simulator.web.http.journaling import NOTHING, document_in

NOW = HandClock().now()
BAD = [b"", b"<html></html>", b'{"id": ', b'{"a": 1} b', b"nul", b'{"id": "\xff"}', b"\x00"]
ABOUT = ("ndc of it", "payment of it")


def exchange(answer: bytes, **more: object) -> ExchangeEntry:
    return ExchangeEntry(
        ndc=ABOUT[0], at=NOW, until=NOW, real=NOW, duration_ms=1, payments=ABOUT[1:],
        sender=Party.SHOPPER, method="POST", path="/v1/payments", status=200, answer=Raw(answer),
        **more,
    )  # fmt: skip


def journal() -> tuple[MemoryJournal, JournalRing]:
    ring = JournalRing(10, timedelta(days=1))
    made = MemoryJournal(ring, clock=HandClock(), real=HandClock())
    made.append_entry(SimulatorEntry(ndc="before", at=NOW))
    return made, ring


def shown(made: MemoryJournal) -> dict:
    """The entry, read by every way; the one before it is there too."""
    newest, before = search_journal(made, Search(), limit=10).entries
    assert before["ndc"] == "before"
    assert read_entry(made, ABOUT[0])["ndc"] == ABOUT[0]
    assert trace_text(trace_of(ABOUT[1], (), made.find_entries(ABOUT[1])))
    assert ring_of(made).dump()
    return newest


def ring_of(made: MemoryJournal) -> JournalRing:
    return made._ring


ANSWERS = given(answer=st.binary(max_size=20) | st.sampled_from(BAD))


@ANSWERS
@example(answer=b"")
def test_an_answer_that_is_no_document_is_left_out_of_a_recorded_exchange(answer: bytes) -> None:
    made, _ = journal()
    made.append_exchange(MaskedExchange(exchange(answer), "", ""))
    assert shown(made)["kind"] == "exchange"


@ANSWERS
@example(answer=b"<html>4200000000000000</html>")
def test_and_of_one_that_is_masked_when_it_is_stored(answer: bytes) -> None:
    made, _ = journal()
    made.append_entry(exchange(answer, error="card 4200000000000000"))
    assert "4200000000000000" not in str(shown(made))


@given(body=st.binary(max_size=20) | st.just(encode_entry(exchange(b"{}"))[:-3]))
def test_of_a_stored_entry_that_cannot_be_read_it_is_said_what_it_is_about(body: bytes) -> None:
    made, ring = journal()
    ring.append((*ABOUT, listing_key("a registration")), body, NOW)
    assert (shown(made)["decided_by"], shown(made)["payments"]) == (UNREADABLE, [ABOUT[1]])


@pytest.mark.parametrize("data", [None, *BAD[:5]])
def test_what_is_no_document_is_not_taken_for_one(data: bytes | None) -> None:
    resp = Response()
    resp.content_type, resp.data = CONTENT_TYPE, data
    assert document_in(resp) == NOTHING
    resp.data = b'{"id": "1"}'
    assert document_in(resp) == resp.data
    resp.content_type = "text/html"
    assert document_in(resp) == NOTHING
