"""The journal in memory: bounded by count and age, found by ndc and payment, followed."""

import gc
from datetime import timedelta

import gevent
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.adapters.journal import HELD_MAX, JournalRing, MemoryJournal
from simulator.adapters.turns import Slices
from simulator.domain.core.records import Outcome, PaymentType
from simulator.domain.journal.entries import (
    ExchangeEntry,
    SimulatorEntry,
    WebhookAttempt,
    WebhookEntry,
)
from simulator.domain.journal.exchanges import AcquirerExchange, MaskedExchange
from simulator.domain.journal.forgotten import ForgottenKeys
from simulator.domain.journal.search import Search
from simulator.service.journal import search_journal
from simulator.tests.kit.event_loop import looks_during
from simulator.tests.kit.twins import HandClock

NUMBER = "4200000000000000"
DAY = timedelta(days=1)


def a_journal(
    *, count: int = 3, age: timedelta = DAY
) -> tuple[MemoryJournal, HandClock, JournalRing]:
    """A journal, the clock of its machine, and its ring."""
    clock, ring = HandClock(), JournalRing(count, age)
    return MemoryJournal(ring, clock=HandClock(), real=clock), clock, ring


def keep(journal: MemoryJournal, ndc: str, *payments: str, code: str = "") -> None:
    journal.append_entry(
        SimulatorEntry(ndc=ndc, at=HandClock().now(), payments=payments, code=code)
    )


def ndcs(found: object) -> list[str]:
    return [entry.ndc for _, entry in found]


def test_the_newest_comes_first_and_numbers_go_on():
    journal, _, _ = a_journal()
    for ndc in "abcd":
        keep(journal, ndc)

    assert [(number, entry.ndc) for number, entry in journal.iterate_newest_first()] == [
        (4, "d"), (3, "c"), (2, "b"),
    ]  # fmt: skip
    assert ndcs(journal.iterate_newest_first(before=4)) == ["c", "b"]
    assert journal.newest == 4


def test_an_entry_that_names_one_id_twice_is_dropped_like_any():
    journal, _, _ = a_journal(count=2)
    for ndc in "abcd":
        keep(journal, ndc, ndc, "p", "p")

    assert ndcs(journal.find_entries("p")) == ["c", "d"]


def test_entries_that_are_too_old_go_at_the_next_entry_and_at_the_next_search():
    journal, clock, ring = a_journal(age=timedelta(hours=1))
    keep(journal, "a", "p")
    clock.advance(timedelta(minutes=40))
    keep(journal, "b", "p")
    clock.advance(timedelta(minutes=40))

    assert ndcs(journal.find_entries("p")) == ["b"]
    clock.advance(DAY)
    keep(journal, "c")
    assert ndcs(journal.iterate_newest_first()) == ["c"]
    assert ring.oldest == 3


def test_entries_are_found_by_ndc_and_by_payment_oldest_first():
    journal, _, _ = a_journal(count=9)
    keep(journal, "a", "p")
    keep(journal, "b", "p", "q")
    keep(journal, "a", "q")

    assert ndcs(journal.find_entries("p")) == ["a", "b"]
    assert ndcs(journal.find_entries("q")) == ["b", "a"]
    assert [number for number, _ in journal.find_entries("a")] == [1, 3]
    assert journal.find_entries("unknown") == []


KEYS = st.lists(
    st.lists(st.sampled_from("abcdef"), min_size=1, max_size=3, unique=True), max_size=40
)


@given(KEYS, st.integers(1, 7))
def test_the_ring_finds_what_a_search_through_its_last_entries_finds(kept: list, count: int):
    journal, _, ring = a_journal(count=count)
    for ndc, *payments in kept:
        keep(journal, ndc, *payments)

    left = list(enumerate(kept, 1))[-count:]
    for key in "abcdef":
        expected = [number for number, keys in left if key in keys]
        assert [number for number, _ in journal.find_entries(key)] == expected
    assert set(ring._last_of) == {key for _, keys in left for key in keys}


def test_a_ring_loads_the_dump_of_another():
    journal, _, ring = a_journal()
    for ndc in "abcde":
        keep(journal, ndc, "p")
    again, _, other = a_journal()
    other.load(ring.dump())
    keep(again, "f", "p")

    assert ndcs(again.find_entries("p")) == ["d", "e", "f"]
    assert again.newest == 6


LONG = tuple(f"near miss {number}" for number in range(300))
READERS = {
    "newest first": lambda journal, ring: list(journal.iterate_newest_first()),
    "of a payment": lambda journal, ring: journal.find_entries("p"),
    "forgotten": lambda journal, ring: journal.forget_content("p"),
    "searched": lambda journal, ring: search_journal(journal, Search(), limit=500),
    "found": lambda journal, ring: search_journal(journal, Search(payment="p"), limit=500),
}


@pytest.mark.parametrize("read", READERS.values(), ids=READERS)
def test_others_have_their_turn_while_many_entries_are_read(read: object):
    journal, _, ring = a_journal(count=1000)
    for number in range(1000):
        journal.append_entry(
            SimulatorEntry(ndc=f"{number}", at=HandClock().now(), payments=("p",), near_misses=LONG)
        )

    assert looks_during(lambda: read(journal, ring)) > 2


def test_entries_that_make_room_while_others_are_read_are_passed_over():
    journal, _, _ = a_journal(count=50)
    for number in range(50):
        journal.append_entry(
            SimulatorEntry(ndc=f"{number}", at=HandClock().now(), payments=("p",), near_misses=LONG)
        )
    adding = gevent.spawn(lambda: [keep(journal, "new", "p") for _ in range(200)])
    newest_first = journal.iterate_newest_first()
    first = next(newest_first)
    adding.join()

    assert first[0] == 50
    assert list(newest_first) == []
    journal.forget_content("p")
    assert ndcs(journal.find_entries("p")) == ["new"] * 50


@pytest.mark.parametrize("search", [Search(), Search(payment="p")], ids=["of all", "of a payment"])
def test_what_comes_while_a_page_is_read_is_on_the_next_one(search: Search):
    journal, _, _ = a_journal(count=9)
    for ndc in "abc":
        keep(journal, ndc, "p")

    def read(after: int) -> object:
        return search_journal(journal, search, limit=9, after=after, encode=keep_one_more)

    def keep_one_more(document: dict) -> str:
        if document["ndc"] != "late":
            keep(journal, "late", "p")
        return document["ndc"]

    page = read(after=0)
    assert (page.entries, page.newest) == (["c", "b", "a"], 3)
    assert read(after=page.newest).entries == ["late"] * 3


def test_a_journal_of_no_entries_keeps_none():
    journal, _, _ = a_journal(count=0)
    keep(journal, "a")
    assert list(journal.iterate_newest_first()) == []
    assert journal.find_entries("a") == []


def test_entries_are_bytes_that_the_garbage_collector_does_not_see():
    journal, _, ring = a_journal(count=100)
    for number in range(100):
        keep(journal, f"ndc-{number}", f"payment-{number}")

    assert not any(gc.is_tracked(slot) for slot in ring._slots)
    assert all(isinstance(slot.body, bytes) for slot in ring._slots)


def test_what_a_ring_has_dropped_is_nowhere_in_it():
    journal, _, ring = a_journal(count=2)
    for number in range(1000):
        keep(journal, f"ndc-{number}", f"payment-{number}")

    assert len(ring._slots) == 2
    assert len(ring._last_of) == 4


def test_an_attempt_is_dated_and_its_address_masked():
    journal, _, _ = a_journal()
    journal.append_attempt(
        WebhookAttempt(
            ndc="a", payment="p", event="PAYMENT CREATED", event_id="e", number=2, status=503,
            url=f"https://jane:hush@shop.example/{NUMBER}?key=1", took=timedelta(milliseconds=7),
        )
    )  # fmt: skip

    ((_, entry),) = journal.find_entries("p")
    assert isinstance(entry, WebhookEntry)
    assert entry.url == "https://shop.example/420000******0000?***"
    assert (entry.at, entry.duration_ms, entry.status) == (HandClock().now(), 7.0, 503)


def an_acquirer_exchange(ndc: str, payment: str = "p") -> AcquirerExchange:
    return AcquirerExchange(
        ndc=ndc,
        payment=payment,
        at=HandClock().now(),
        type=PaymentType.DB,
        money=None,
        trace=1,
        entity="e",
        original=None,
        number="420000******0000",
        has_code=True,
        parameters="amount\0currency",
        outcome=Outcome(code="000.100.110", decided_by="default"),
        near_misses=("script 1: amount",),
    )


def test_an_acquirer_exchange_that_is_held_is_taken_once():
    journal, _, _ = a_journal()
    journal.hold_acquirer_exchange(an_acquirer_exchange("a"))

    assert journal.take_acquirer_exchange("p") == an_acquirer_exchange("a")
    assert journal.take_acquirer_exchange("p") is None
    assert journal.find_entries("p") == []


def test_an_acquirer_exchange_that_is_held_is_read_as_an_entry_of_its_own():
    journal, _, _ = a_journal()
    journal.hold_acquirer_exchange(an_acquirer_exchange("a"))

    assert ndcs(journal.find_entries("p")) == ["a"]
    assert journal.take_acquirer_exchange("p") is None


def test_of_two_payments_that_share_an_ndc_each_has_its_own():
    journal, _, _ = a_journal()
    first, second = (an_acquirer_exchange("a", payment) for payment in "pq")
    journal.hold_acquirer_exchange(first)
    journal.hold_acquirer_exchange(second)

    assert journal.take_acquirer_exchange("p") == first
    assert journal.take_acquirer_exchange("q") == second


def test_exchanges_that_are_never_taken_do_not_pile_up():
    journal, _, ring = a_journal()
    for number in range(HELD_MAX + 1):
        journal.hold_acquirer_exchange(an_acquirer_exchange("a", str(number)))

    assert ring.newest == HELD_MAX + 1
    assert journal._held == {}


def a_recorded_exchange(ndc: str, exchange: AcquirerExchange | None = None) -> MaskedExchange:
    now = HandClock().now()
    entry = ExchangeEntry(
        ndc=ndc, at=now, until=now, real=now, duration_ms=1.5, payments=("p",), method="POST",
        path="/v1/payments", status=200, answer=msgspec.Raw(b'{"id":"p"}'), code="000.100.110",
    )  # fmt: skip
    return MaskedExchange(entry, "amount\0currency", "92.00\0EUR", exchange)


def test_others_have_their_turn_while_a_journal_is_written_to_a_file():
    journal, _, ring = a_journal(count=2000)
    for number in range(2000):
        ndc = f"{number}"
        journal.append_exchange(a_recorded_exchange(ndc, an_acquirer_exchange(ndc)))

    assert looks_during(ring.dump) > 2


@pytest.mark.parametrize("exchange", [None, an_acquirer_exchange("a")])
def test_a_recorded_exchange_is_complete_when_read_also_from_a_file(
    exchange: AcquirerExchange | None,
):
    journal, _, ring = a_journal()
    journal.append_exchange(a_recorded_exchange("a", exchange))
    again, _, other = a_journal()
    other.load(ring.dump())

    ((_, entry),) = journal.find_entries("p")
    assert isinstance(entry, ExchangeEntry)
    assert entry.request == {"amount": "92.00", "currency": "EUR"}
    assert entry.messages == (() if exchange is None else exchange.to_entry().messages)
    assert entry.near_misses == (() if exchange is None else exchange.near_misses)
    assert again.find_entries("p") == journal.find_entries("p")


def test_a_recorded_exchange_is_not_tracked_by_the_garbage_collector():
    journal, _, ring = a_journal(count=10)
    for number in range(10):
        journal.append_exchange(a_recorded_exchange(f"ndc-{number}"))

    assert not any(gc.is_tracked(slot) or gc.is_tracked(slot.body) for slot in ring._slots)


def test_a_follower_goes_on_with_the_next_entry():
    journal, _, ring = a_journal()
    follower = gevent.spawn(journal.wait_for_entry, 0, 5)
    gevent.sleep(0)
    assert ring.has_waiters
    keep(journal, "a")
    follower.get(timeout=1)
    assert not ring.has_waiters


@pytest.mark.parametrize("after", [0, -1])
def test_a_follower_that_is_behind_does_not_wait(after: int):
    journal, _, _ = a_journal()
    keep(journal, "a")
    journal.wait_for_entry(after, 5)


def test_following_ends_in_time_and_leaves_no_waiter_behind():
    journal, _, ring = a_journal()
    journal.wait_for_entry(0, 0.01)
    assert not ring.has_waiters


def test_an_emptied_journal_lets_its_followers_go():
    journal, _, ring = a_journal()
    follower = gevent.spawn(journal.wait_for_entry, 0, 5)
    gevent.sleep(0)
    ring.wake()
    follower.get(timeout=1)


@pytest.mark.parametrize("is_merge_first", [True, False])
@pytest.mark.parametrize("turns", range(8))
def test_what_is_forgotten_beside_a_merge_is_gone_and_nothing_else(
    is_merge_first: bool, turns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both give way after each entry, and the entries get other numbers."""
    monkeypatch.setattr(Slices, "end_if_long", lambda _: gevent.sleep(0))
    (home, _, ring), (other, _, others) = a_journal(count=40), a_journal(count=40)
    for place in range(12):
        for journal in (home, other):
            kept = {"payments": ("gone" if place % 3 else "stays",), "near_misses": ("content",)}
            journal.append_entry(SimulatorEntry(ndc=f"n{place}", at=HandClock().now(), **kept))
    ring.forgotten, dumped = ForgottenKeys(), [others.dump()]

    def begin(name: str) -> gevent.Greenlet:
        work = (ring.merge, 0, dumped) if name == "merge" else (home.forget_content, "gone")
        return gevent.spawn(*work)

    order = ("merge", "forget") if is_merge_first else ("forget", "merge")
    first = begin(order[0])
    for _ in range(turns):
        gevent.sleep(0)
    gevent.joinall([first, begin(order[1])], raise_error=True)

    found = {(each.payments, each.near_misses) for _, each in home.iterate_newest_first()}
    assert home.newest == 24
    assert found == {(("gone",), ()), (("stays",), ("content",))}
