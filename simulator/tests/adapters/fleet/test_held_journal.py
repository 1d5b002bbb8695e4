"""What is left to the home is not in the journal of the member that tried it."""

import pytest

from simulator.adapters.fleet.held_journal import HeldJournal
from simulator.tests.adapters.test_journal import (
    a_journal,
    a_recorded_exchange,
    an_acquirer_exchange,
)


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
