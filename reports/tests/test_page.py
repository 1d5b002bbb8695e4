"""The page is whole by itself, says everything, and obeys nothing that it shows."""

import re
from functools import partial
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from markupsafe import escape

from reports import exchanges
from reports.events import CaseFailure, StepResult
from reports.page import OPEN_MAX, TEXT_MAX, page_of, rest_of
from reports.requirements import requirements
from reports.run import run_of
from reports.tests.anything import SOME_CASES
from reports.tests.streams import HOSTILE, aside, events_of, exchange, failed, one_of_each, passed

VOID = {"meta", "link", "input", "br"}
OURS = VOID | {
    "html", "head", "title", "style", "body", "main", "header", "section", "nav", "script",
    "h1", "h2", "h3", "h4", "p", "div", "span", "strong", "b", "a", "ul", "ol", "li", "dl", "dt",
    "dd", "pre", "code", "details", "summary", "table", "thead", "tbody", "tr", "th", "td",
    "form", "select", "option", "output", "button",
}  # fmt: skip


class Reader(HTMLParser):
    """Reads a page as a browser does, and keeps what is wrong with it."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.scripts = 0
        self.texts: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in OURS:
            self.wrong.append(f"<{tag}>")
        for name, value in attrs:
            leads_out = name in ("href", "src", "action") and not re.match("#|data:,$", value or "")
            if name.startswith("on") or leads_out:
                self.wrong.append(f"{name}={value}")
        self.scripts += tag == "script"
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}>")

    def handle_data(self, data: str) -> None:
        self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def read(judged, /, **began) -> Reader:
    reader = Reader()
    reader.feed(page_of(run_of(events_of(judged, **began))))
    reader.close()
    return reader


def keeps_shape(page: Reader) -> bool:
    return (page.wrong, page.open, page.scripts) == ([], [], 1)


@settings(max_examples=25, deadline=None)
@given(SOME_CASES)
def test_any_stream_gives_a_page_of_our_own_elements_alone(cases):
    assert keeps_shape(read(cases))


def test_what_is_hostile_is_shown_as_text():
    step = StepResult("When", HOSTILE, "failed", [exchange(body=HOSTILE, sent={HOSTILE: HOSTILE})])
    page = read([failed(title=HOSTILE, file=HOSTILE, id=HOSTILE, steps=[step], repeat=HOSTILE)],
                base_url=HOSTILE)  # fmt: skip

    assert keeps_shape(page)
    assert page.text.count("<script>alert(1)</script>") >= 6
    assert "{{ 7 * 7 }}" in page.text and "\x1b" not in page.text


def test_an_element_of_another_is_noticed():
    reader = Reader()
    reader.feed("<p><img src='//elsewhere' onerror='x()'></b>")

    assert reader.wrong == ["<img>", "src=//elsewhere", "onerror=x()", "</b>"]


def test_the_page_says_the_verdict_the_target_and_the_time():
    text = read(one_of_each()).text

    for said in (
        "Failed 1 of 5 cases failed.", "http://127.0.0.1:8080/", "described by target.toml",
        "specification", "22 November 2026, 09:30:00 UTC",
        "1 min 12 s, of which 4.5 s waited for the limits of the target",
    ):  # fmt: skip
        assert said in text
    for count in (
        "1 ✓ passed",
        "1 ✗ failed",
        "1 ! waived",
        "1 ? not checkable",
        "1 – not evaluated",
    ):
        assert count in text


def test_a_failed_case_has_all_that_is_needed_to_understand_and_repeat_it():
    text = read([failed()]).text

    for said in (
        "END-08 Referencing requests use the id of a payment", "Expected a refusal",
        "Came '000.100.110'", "✗ Then it is refused", "○ And 92.00 EUR are still reserved",
        "POST /v1/payments/8ac7a4a2", "paymentType=CP", '"code": "000.100.110"',
        failed().repeat, "warning: nothing of interest", "back_office.feature, line 31",
    ):  # fmt: skip
        assert said in text, said


cut = partial(exchanges.cut, most=2_000)
SIDES = "  expected:    {expected}\n  came:        {came}"


@pytest.mark.parametrize(
    ("expected", "came", "beside"),
    [
        ("'a refusal'", "'000.100.110'", ""),
        ("'a refusal'", "'000.100.110'", "ndc 8a, END-08"),
        ("", "first line\nsecond line", "Traceback"),
        ("a long side" + "x" * 9_000, "another one" + "y" * 9_000, "ndc 8a"),
    ],
)
def test_each_side_of_a_failure_is_shown_once(expected: str, came: str, beside: str):
    sides = SIDES.format(expected=expected, came=came)
    sides = sides if expected else sides.partition("\n")[2]
    failure = CaseFailure("result", cut(expected), cut(came), f"result\n{sides}\n{beside}")

    assert rest_of(failure) == beside
    page = page_of(run_of(events_of([failed(failure=failure)])))
    assert ("The rest of the message" in page) == bool(beside)
    assert all(page.count(side[:40]) == 1 for side in (escape(expected), escape(came)) if side)


def test_the_request_that_led_to_the_failure_is_open_and_those_before_are_folded():
    page = page_of(run_of(events_of([failed()])))
    first, second = (page.index(text) for text in ("who has reserved", "captures 92.01"))

    assert "<details>" in page[first:second]
    assert "<details>" not in page[second : page.index("Then it is refused")]


def test_waivers_are_always_shown_with_reason_and_end():
    text = read([passed()]).text

    assert "PAY-10 5 in force 2027-02-28 the memo is shown from release 4 on" in text
    assert "CARD-05 1 expired 2026-10-31 agreed with the acquirer" in text


def test_a_run_that_was_cut_off_shows_every_waiver_all_the_same():
    text = read([passed()], ends=False).text

    assert "PAY-10 5 undecided 2027-02-28 the memo is shown from release 4 on" in text
    assert "CARD-05 1 undecided 2026-10-31" in text


def test_what_was_not_checked_stands_together_by_its_reason():
    cases = [aside("not-checkable", "not checkable: no clock", id=str(n)) for n in range(7)]

    assert "no clock ? 7 not checkable" in read(cases).text


def test_the_matrix_has_every_requirement_in_words():
    text = read([passed()]).text

    assert [row.id for row in requirements() if f"{row.id} " not in text] == []
    assert requirements()[-1].statement in text


@pytest.mark.parametrize("cases", [[passed()], [failed()]])
def test_a_run_that_was_cut_off_says_so_loudly(cases):
    text = read(cases, ends=False, cases=99).text

    assert "This run is incomplete. The stream was cut off after 1 of 99 cases." in text


def test_the_policy_of_the_page_allows_its_own_script_and_nothing_else():
    page = page_of(run_of(events_of([])))

    assert "default-src &#39;none&#39;" in page
    assert re.search("script-src &#39;sha256-[^;]+&#39;;", page)
    assert "unsafe" not in page.partition("<style>")[0]


def test_a_run_of_three_thousand_cases_stays_a_page_one_can_open():
    cases = [passed(n, file=f"features/{n % 30}.feature") for n in range(3_000)]

    page = page_of(run_of(events_of(cases)))

    assert len(page) < 4_000_000
    assert page.count("<details open") == 0
    assert page.count('<details class="row passed"') == 3_000


def test_large_bodies_and_many_failures_do_not_drown_the_page():
    step = StepResult("When", "all is read", "failed", [exchange(body="x" * 1_000_000)])
    cases = [failed(id=str(n), steps=[step]) for n in range(OPEN_MAX + 10)]

    page = page_of(run_of(events_of(cases)))

    assert len(page) < len(cases) * (TEXT_MAX + 5_000) + 300_000
    assert len(re.findall(r'<details class="case failed" id="case-\d+" open>', page)) == OPEN_MAX
    assert f"[{TEXT_MAX:,} of 1,0" in page
