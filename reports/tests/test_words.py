"""The words all reports share: the verdict, and texts that are safe to show."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports.run import run_of
from reports.tests.streams import HOSTILE, aside, events_of, failed, one_of_each, passed
from reports.words import duration, headline_of, moment, readable

WAIVED, UNCHECKABLE, UNJUDGED = (
    aside(verdict, "why") for verdict in ("waived", "not-checkable", "not-judged")
)
FORMAT = passed(3, file="features/boundaries/test_fields.py")


@pytest.mark.parametrize(
    ("cases", "state", "title", "words"),
    [
        ([passed()], "passed", "Passed", "The one case passed."),
        ([passed(), passed(2)], "passed", "Passed", "All 2 cases passed."),
        ([passed(), WAIVED], "passed", "Passed", "1 of 2 cases passed; 1 waived."),
        ([passed(), UNJUDGED], "passed", "Passed", "1 of 2 cases passed; 1 not evaluated."),
        ([passed(), failed()], "failed", "Failed", "1 of 2 cases failed. "),
        ([passed(), UNCHECKABLE], "not-checkable", "Incomplete",
         "Nothing failed, but 1 of 2 cases could not be checked here."),
        ([WAIVED], "not-checkable", "Incomplete", "Nothing was proven: no case passed."),
        ([passed(), passed(2), FORMAT], "passed", "Passed",
         "All 2 cases and all 1 field formats passed."),
        ([failed(), passed(), FORMAT], "failed", "Failed",
         "1 of 2 cases and 0 of 1 field formats failed. "),
        ([FORMAT, FORMAT], "passed", "Passed", "All 2 field formats passed."),
        ([], "not-checkable", "Incomplete", "Nothing was proven: no case passed."),
    ],
)  # fmt: skip
def test_the_verdict_never_counts_a_skip_as_passed(cases, state, title, words):
    assert headline_of(run_of(events_of(cases))) == (state, title, words)


def test_the_verdict_of_a_stream_that_was_cut_off_says_so():
    cut = headline_of(run_of(events_of([passed()], ends=False)))
    failed_too = headline_of(run_of(events_of(one_of_each(), ends=False)))

    assert (cut.title, failed_too.title) == ("Incomplete", "Failed and incomplete")
    assert "cut off" in cut.words and "cut off" in failed_too.words


@given(st.text() | st.just(HOSTILE))
def test_a_readable_text_has_no_character_that_a_report_cannot_hold(text):
    shown = readable(text)

    assert {c for c in shown if unicodedata.category(c) == "Cc"} <= {"\n", "\t"}
    assert not {"\u202e", "\u2066", "\ufffe", "\uffff"} & set(shown)
    assert readable(shown) == shown


def test_what_can_be_shown_stays_as_it_is():
    assert readable("naïve \U0001f4b3\n\tعربي") == "naïve \U0001f4b3\n\tعربي"
    assert readable("a\x00\x1b[2J\u202eb\r") == "a\u2400\u241b[2J\u27e8U+202E\u27e9b\u240d"


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0.085, "85 ms"), (12.34, "12.3 s"), (192, "3 min 12 s"), (3_700, "1 h 1 min")],
)
def test_a_duration_is_reported_in_its_own_unit(seconds, words):
    assert duration(seconds) == words


def test_a_time_is_reported_in_words_and_anything_else_as_it_came():
    assert moment("2026-11-22T10:23:56+01:00") == "22 November 2026, 09:23:56 UTC"
    assert moment("yesterday") == "yesterday"


@pytest.mark.parametrize("at", ["0001-01-01T00:00:00+23:59", "9999-12-31T23:59:59-23:59"])
def test_a_time_that_is_in_no_year_in_utc_is_shown_as_it_is(at):
    assert moment(at) == at
