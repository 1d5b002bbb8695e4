"""What is left to the home is not in the journal of the member that tried it."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from msgspec.structs import replace

from simulator.adapters.fleet.held_journal import HeldJournal
from simulator.adapters.journal import STEPS_MAX
from simulator.domain.journal.entries import (
    NO_ANSWER,
    BrowserEntry,
    ExchangeEntry,
    SimulatorEntry,
    WebhookAttempt,
)
from simulator.domain.ports.journal import Journal
from simulator.tests.adapters.test_journal import (
    a_journal,
    a_recorded_exchange,
    an_acquirer_exchange,
    keep,
    ndcs,
)
from simulator.tests.kit.twins import HandClock

NOW = HandClock().now()
ENTRY = SimulatorEntry(ndc="n", at=NOW)
STEP = BrowserEntry(ndc="n", at=NOW, payments=("p",))
ATTEMPT = WebhookAttempt(
    ndc="n", payment="p", event="PAYMENT CREATED", event_id="e", number=1, url="https://shop.test",
    took=timedelta(),
)  # fmt: skip


@pytest.mark.parametrize(("is_left", "count"), [(True, 0), (False, 1)])
def test_what_went_to_the_acquirer_is_left_with_its_request(is_left: bool, count: int) -> None:
    journal, _, _ = a_journal()
    held = HeldJournal(journal, lambda: False)
    held.hold_acquirer_exchange(an_acquirer_exchange("a"))
    held.end(is_left=is_left)

    assert held.newest == count


@pytest.mark.parametrize("has_stored", [True, False])
def test_what_was_stored_is_in_the_journal_at_once(has_stored: bool) -> None:
    journal, _, _ = a_journal()
    held = HeldJournal(journal, lambda: has_stored)
    held.append_exchange(a_recorded_exchange("a"))
    assert journal.newest == has_stored
    held.end(is_left=False)
    held.end(is_left=False)

    assert journal.newest == 1


def test_what_was_held_before_it_was_stored_comes_first() -> None:
    journal, _, _ = a_journal()
    stored: list[bool] = []
    held = HeldJournal(journal, lambda: bool(stored))
    held.append_entry(replace(ENTRY, ndc="before"))
    stored.append(True)
    held.append_entry(replace(ENTRY, ndc="after"))

    assert ndcs(journal.iterate_newest_first()) == ["after", "before"]


# fmt: off
APPENDS: tuple[tuple[str, Callable[[Journal], None]], ...] = (
    ("entry",    lambda journal: journal.append_entry(ENTRY)),
    ("encoded",  lambda journal: journal.append_encoded(replace(ENTRY, real=NOW), b"{}")),
    ("step",     lambda journal: journal.append_step(STEP)),
    ("exchange", lambda journal: journal.append_exchange(a_recorded_exchange("n"))),
    ("attempt",  lambda journal: journal.append_attempt(ATTEMPT)),
)
# fmt: on


@pytest.mark.parametrize("append", [each for _, each in APPENDS], ids=[name for name, _ in APPENDS])
@pytest.mark.parametrize("is_left", [True, False])
def test_what_a_request_appends_is_left_with_it(
    append: Callable[[Journal], None], is_left: bool
) -> None:
    journal, _, ring = a_journal()
    keep(journal, "before")
    held, before = HeldJournal(journal, lambda: False), ring.dump()
    append(held)
    while_held = ring.dump()
    held.end(is_left=is_left)

    assert while_held == before
    assert (ring.dump() == before) is is_left
    assert journal.newest == (1 if is_left else 2)


def test_what_is_held_has_the_time_at_which_it_came() -> None:
    journal, clock, _ = a_journal(count=STEPS_MAX)
    held, came = HeldJournal(journal, lambda: False), clock.now()
    for append in (held.append_entry, held.append_step):
        append(STEP)
    clock.advance(timedelta(seconds=1))
    held.end(is_left=False)

    assert [entry.real for _, entry in journal.iterate_newest_first()] == [came, came]


def test_a_browser_fills_no_journal_with_what_is_held() -> None:
    journal, _, ring = a_journal(count=2 * STEPS_MAX)
    held = HeldJournal(journal, lambda: False)
    for _ in range(STEPS_MAX + 2):
        held.append_step(STEP)
    held.end(is_left=False)

    assert ring.steps_of("p") == STEPS_MAX


def test_what_is_forgotten_is_also_what_is_held() -> None:
    journal, _, _ = a_journal()
    held = HeldJournal(journal, lambda: False)
    held.append_exchange(a_recorded_exchange("n"))
    held.forget_content("n")
    held.end(is_left=False)

    ((_, entry),) = held.find_entries("n")
    assert isinstance(entry, ExchangeEntry) and entry.answer == NO_ANSWER
