"""The report of a load run in a browser: wide and narrow, light and dark, and without scripts."""

from itertools import product
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from load.closing.check import ClosingCheck, ClosingClause
from load.ledger.records import FAILED, ProcessSample
from load.oracle.limits import ClockOffset
from load.oracle.throttle_oracle import OracleFindings
from load.report.page import render_page
from load.results.knee import Knee
from load.results.thresholds import Bounds, Thresholds
from load.tests.records import BEGAN, create_outcome, create_plan, create_record

SECONDS = 60
RUN = [
    create_record(f"{second}-{n}", at=second + n / 10, duration_s=0.01 + (second % 7) / 500)
    for second in range(SECONDS) for n in range(10)
]  # fmt: skip
SAMPLES = [ProcessSample("1", BEGAN + second, 20 + second, 0.3) for second in range(SECONDS)]
CLEAN = ClosingCheck([ClosingClause("every acknowledged write is found", len(RUN), ())])
BROKEN = ClosingCheck(
    [ClosingClause("every acknowledged write is found", 3, ("DB <b>1</b> is lost",))]
)
FINDINGS = OracleFindings({"must be admitted": 590, "undecidable": 10}, (), ClockOffset(0, 0))


@pytest.fixture(scope="module")
def good(tmp_path_factory) -> Path:
    outcome = create_outcome(
        RUN, CLEAN, samples=SAMPLES, findings=FINDINGS, plan=create_plan(seconds=60.0, users=80),
        thresholds=Thresholds(Bounds(p95_ms=100), {"create_payment": Bounds(p99_ms=1)}),
    )  # fmt: skip
    path = tmp_path_factory.mktemp("pages") / "good.html"
    path.write_text(render_page(outcome, locust_page="good.locust.html"), encoding="utf-8")
    return path


def opened(browser: Browser, path: Path, *, width: int = 1280, scheme: str = "light") -> Page:
    shown = browser.new_page(viewport={"width": width, "height": 800}, color_scheme=scheme)
    asked: list[str] = []
    shown.on("request", lambda request: asked.append(request.url))
    shown.goto(path.as_uri())
    assert asked == [path.as_uri()], "the page needs something beside itself"
    return shown


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1280])
def test_the_page_fits_every_window_and_can_be_read_in_it(browser, good, width, scheme):
    shown = opened(browser, good, width=width, scheme=scheme)

    assert shown.evaluate("document.documentElement.scrollWidth") <= width
    assert shown.locator("figure svg[role=img]").count() == 4
    for element in ("body", "th", "dt", ".verdict", "td.good", "td.bad", "footer"):
        assert contrast(shown, element) >= 4.5, (element, scheme)
    shown.close()


def test_the_page_shows_figure_closing_check_thresholds_and_oracle(browser, good):
    shown = opened(browser, good)

    text = shown.inner_text("body")
    assert shown.inner_text(".verdict").startswith("Throughput: 10.0 successful responses/s")
    for said in ("every acknowledged write is found", "throttle oracle: 600 responses",
                 "time to webhook", "p95_ms", "failed", "closed: 80 users"):  # fmt: skip
        assert said in text
    assert shown.get_attribute("footer a", "href") == "good.locust.html"
    label = shown.get_attribute("figure:nth-child(2) svg", "aria-label")
    assert label.startswith("Latency in milliseconds: p50 from 10 to")
    shown.close()


def test_lines_of_a_chart_are_drawn_within_it(browser, good):
    shown = opened(browser, good)

    boxes = shown.evaluate(
        "[...document.querySelectorAll('figure > svg')].flatMap(svg =>"
        " [...svg.querySelectorAll('polyline')].map(line => {"
        "  const a = svg.getBoundingClientRect(), b = line.getBoundingClientRect();"
        "  return [b.left - a.left, b.top - a.top, a.right - b.right, a.bottom - b.bottom,"
        "          b.width / a.width]; }))"
    )
    assert len(boxes) == 6
    assert all(min(box[:4]) >= 0 and box[4] > 0.8 for box in boxes)
    shown.close()


def test_a_page_of_a_broken_run_says_what_was_wrong_and_no_figure(browser, tmp_path):
    script = "<script>alert(1)</script>"
    run = [*RUN, create_record("", verdict=FAILED, reason=f"expected 000., got 500 {script}")]
    path = tmp_path / "bad.html"
    path.write_text(
        render_page(create_outcome(run, BROKEN, knee=Knee(None, "none"))), encoding="utf-8"
    )

    shown = opened(browser, path)

    assert shown.inner_text(".verdict") == "No figure: the closing check found faults"
    assert "DB <b>1</b> is lost" in shown.inner_text(".faults")
    assert script in shown.inner_text(".faults")
    assert shown.locator("figure").count() == 0
    shown.close()


# Inches of paper, and of its margins.
PAPER = [
    ("A4", 8.27, 11.69, 1),
    ("Letter", 8.5, 11, 1),
    ("Legal", 8.5, 14, 1),
    ("A5", 5.83, 8.27, 0.8),
]
DOTS_AN_INCH = 96
SMALLEST = """Math.min(...[...document.querySelectorAll("th, td")]
    .map(each => parseFloat(getComputedStyle(each).fontSize)))"""
# Six points, which are read without a glass.
SMALLEST_PX = 8
STICKING_OUT = """() => [...document.querySelectorAll("body *")]
    .filter(each => each.getBoundingClientRect().right > innerWidth + 1)
    .map(each => each.outerHTML.slice(0, 120))"""


@pytest.fixture(scope="module")
def slow(tmp_path_factory) -> Path:
    """The page of a run with numbers as long as they get."""
    run = [create_record(f"{n}", at=n / 10, duration_s=123.456 + n / 100) for n in range(600)]
    outcome = create_outcome(
        run, CLEAN, samples=SAMPLES, findings=FINDINGS, plan=create_plan(seconds=60.0, users=80)
    )
    path = tmp_path_factory.mktemp("pages") / "slow.html"
    path.write_text(render_page(outcome, locust_page="slow.locust.html"), encoding="utf-8")
    return path


def test_a_printed_report_is_whole(browser, good, slow):
    """As wide as the paper is between its margins, upright and across."""
    for page in (good, slow):
        shown = opened(browser, page)
        shown.emulate_media(media="print")
        for name, upright, across, margin in PAPER:
            for side, left_out in product((upright, across), (0, 0.4, margin)):
                width = int((side - 2 * left_out) * DOTS_AN_INCH)
                shown.set_viewport_size({"width": width, "height": 800})
                assert shown.evaluate(STICKING_OUT) == [], (name, side, left_out)
                assert shown.evaluate(SMALLEST) >= SMALLEST_PX
        shown.close()


def contrast(shown: Page, element: str) -> float:
    """The contrast of an element's text and the page behind it, as WCAG counts it."""
    return shown.evaluate(
        """name => {
          const element = document.querySelector(name);
          const light = text => { const [r, g, b] = text.match(/[0-9.]+/g).map(Number)
            .map(c => c / 255).map(c => c <= .03928 ? c / 12.92 : ((c + .055) / 1.055) ** 2.4);
            return .2126 * r + .7152 * g + .0722 * b; };
          let behind = element;
          while (getComputedStyle(behind).backgroundColor === 'rgba(0, 0, 0, 0)')
            behind = behind.parentElement;
          const [a, b] = [getComputedStyle(element).color,
            getComputedStyle(behind).backgroundColor].map(light).sort((x, y) => y - x);
          return (a + .05) / (b + .05); }""",
        element,
    )
