"""Waivers: what they hold for, how long, and what is said of a file that is none."""

from datetime import date

import pytest

from reports.events import WaiverStatus
from reports.waivers import WaiverFileError, Waivers, read_waivers

TODAY = date(2026, 11, 22)
LONG = "FIELD:billing.street1:too-long"
FILE = """
[[waiver]]
id = "PAY-10"
reason = "the memo is shown from release 4 on"
until = 2027-02-28

[[waiver]]
id = "FIELD:billing.street1:too-long"
reason = "agreed"
until = 2026-11-21
"""


#  what a waiver names            the cases that are called so
CASES = {
    "PAY-10":                        {"The memo is not in the answer", LONG},
    "FIELD:billing.street1:too-long": {LONG},
}  # fmt: skip


def read(folder, text: str) -> Waivers:
    path = folder / "waivers.toml"
    path.write_text(text, encoding="utf-8")
    return read_waivers(path, cases_of=CASES.__getitem__, today=TODAY)


def test_a_requirement_is_waived_for_every_case_that_shows_it(tmp_path):
    waivers = read(tmp_path, FILE)

    reason = waivers.reason_for("The memo is not in the answer", TODAY)

    assert reason == "the memo is shown from release 4 on (until 2027-02-28)"
    assert waivers.reason_for("some other case", TODAY) is None


def test_a_case_is_waived_by_its_id(tmp_path):
    text = FILE[FILE.index('[[waiver]]\nid = "FIELD') :].replace("2026-11-21", "2026-11-22")

    assert read(tmp_path, text).reason_for(LONG, TODAY)


def test_what_names_no_case_is_refused_as_the_lookup_of_cases_does(tmp_path):
    with pytest.raises(KeyError, match="PAY-99"):
        read(tmp_path, FILE.replace("PAY-10", "PAY-99"))


def test_a_waiver_holds_until_the_end_of_its_day(tmp_path):
    waivers = read(tmp_path, FILE)

    assert waivers.reason_for(LONG, date(2027, 2, 28))
    assert waivers.reason_for(LONG, date(2027, 3, 1)) is None


def test_of_two_that_match_one_that_expired_hides_none_that_holds(tmp_path):
    waivers = read(tmp_path, FILE)

    assert waivers.reason_for(LONG, TODAY)


def test_every_waiver_is_shown_with_its_state(tmp_path):
    waivers = read(tmp_path, FILE)
    waivers.passed(LONG)
    waivers.passed("The memo is not in the answer")
    before = waivers.shown()
    handed_in = waivers.handed_in()
    waivers.reason_for(LONG, TODAY)

    assert [each.state for each in handed_in] == ["undecided", "undecided"]
    assert [each.state for each in before] == ["unused", "expired"]
    assert waivers.shown()[0] == WaiverStatus(
        "PAY-10", "the memo is shown from release 4 on", "2027-02-28", "in force", 2
    )


def test_every_waiver_that_names_a_failure_is_needed(tmp_path):
    """The narrow one was called unused where a broad one came before it."""
    waivers = read(tmp_path, FILE.replace("2026-11-21", "2026-11-22"))

    waivers.reason_for(LONG, TODAY)

    assert [each.state for each in waivers.shown()] == ["in force", "in force"]


@pytest.mark.parametrize(
    ("passed", "state"),
    [(set(), "not judged"), ({LONG}, "not judged"), (CASES["PAY-10"], "unused")],
)
def test_a_waiver_is_unused_only_where_all_its_cases_passed(tmp_path, passed, state):
    """With `--only PAY-01`, or where nothing was checkable, the advice was to take out PAY-10."""
    waivers = read(tmp_path, FILE)
    for case in passed:
        waivers.passed(case)

    assert waivers.shown()[0].state == state


def test_a_waiver_that_ends_while_the_run_goes_on_is_reported_as_expired(tmp_path):
    waivers = read(tmp_path, FILE.replace("2026-11-21", "2026-11-22"))

    assert waivers.reason_for(LONG, TODAY)
    assert waivers.shown()[1].state == "in force"
    assert waivers.reason_for(LONG, date(2026, 11, 23))
    assert waivers.shown()[1].state == "expired"


@pytest.mark.parametrize(
    ("reason", "shown"),
    [
        ("fails with 4200000000000000", "fails with 420000******0000"),
        ("fails with cvv: 123", "fails with cvv: ***"),
        ("needs Bearer abcdefgh1234", "needs Bearer ***"),
    ],
)
def test_a_reason_shows_no_secret(tmp_path, reason, shown):
    waivers = read(tmp_path, FILE.replace("the memo is shown from release 4 on", reason))

    assert waivers.reason_for(LONG, TODAY) == f"{shown} (until 2027-02-28)"
    assert {each.reason for each in (waivers.handed_in()[0], waivers.shown()[0])} == {shown}


def test_an_id_that_is_a_title_shows_no_card_number(tmp_path):
    path = tmp_path / "waivers.toml"
    path.write_text(FILE.replace("PAY-10", "Card 4200000000000000"))

    waivers = read_waivers(path, cases_of=lambda word: {word}, today=TODAY)

    assert waivers.shown()[0].id == "Card 420000******0000"
    assert waivers.reason_for("Card 4200000000000000", TODAY)


def test_a_file_without_entries_waives_nothing(tmp_path):
    assert read(tmp_path, "").shown() == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[[waiver", "expected TOML, got: "),
        (f"x = {'[' * 100_000}", "^expected TOML, got: what is nested too deeply"),
        ('waiver = "PAY-10"', r"expected \[\[waiver\]\] entries alone"),
        ("[[waivers]]\n", r"expected \[\[waiver\]\] entries alone, got: waivers"),
        ("waiver = [1]", "waiver 1: expected id, reason, until, got: 1"),
        ('[[waiver]]\nid = "A"\n', "waiver 1: expected id, reason, until, got: id"),
        (FILE + "owner = 1\n", "waiver 2: expected id, reason, until, got: .*owner"),
        (FILE.replace('"agreed"', '" "'), "waiver 2: expected reason as a text, got: ' '"),
        (FILE.replace('"PAY-10"', "10"), "waiver 1: expected id as a text, got: 10"),
        (FILE.replace("2027-02-28", '"soon"'), "waiver 1: expected until as a date .*: 'soon'"),
        (FILE.replace("2027-02-28", "2027-02-28T00:00:00"), "waiver 1: expected until as a date"),
        (FILE.replace("2027-02-28", "2027-11-24"),
         "waiver 1: expected until at most a year ahead, 2027-11-23, got: 2027-11-24"),
        (FILE + FILE, "waiver 3: expected an id once, got PAY-10 again"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_list_of_waivers_says_which_entry_and_why(text, said, tmp_path):
    with pytest.raises(WaiverFileError, match=said):
        read(tmp_path, text)


def test_a_file_that_is_not_there_is_no_list_of_waivers(tmp_path):
    with pytest.raises(WaiverFileError, match="^expected a file, got: No such file"):
        read_waivers(tmp_path / "none.toml", cases_of=CASES.__getitem__)
