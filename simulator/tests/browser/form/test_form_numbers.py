"""What the form costs a page: requests, tasks, listeners and, where it is measured, time."""

from statistics import median

import pytest
from playwright.sync_api import Page

from simulator.tests.browser.form import shop_pages as pages
from simulator.tests.browser.form_page import wait_until_called
from simulator.tests.browser.form_shop import HEAD, FormShop

pytestmark = pytest.mark.timeout(600)

REQUESTS_MAX = 6
READY_MS_MAX, FRAMES_MS_MAX, TASK_MS_MAX = 400, 800, 50
LOADS = 20
WATCHED = (
    HEAD
    + pages.script("""var begun, tasks = [], frames = 0;
  new PerformanceObserver(function (list) { list.getEntries().forEach(function (entry) {
    tasks.push(entry.duration); }); }).observe({type: "longtask", buffered: true});
  var wpwlOptions = {
    onReadyIframeCommunication: function () { frames += 1;
      if (frames === 2) { seen.push(["frames", performance.now() - begun]); } },
    onReady: function () { seen.push(["ready", performance.now() - begun]); } };""")
    + "</head><body>"
    + pages.ELEMENT
    + pages.script("begun = performance.now();")
    + pages.TAG
    + "</body></html>"
)


def times_of(page: Page, shop: FormShop) -> dict[str, float]:
    """How long the form took to be ready and its frames to answer, and its longest task, in ms."""
    page.goto(shop.publish(WATCHED, shop.prepare()))
    wait_until_called(page, "ready")
    wait_until_called(page, "frames")
    page.wait_for_timeout(100)
    found = dict(page.evaluate("seen.map(function (each) { return each; })"))
    return {**found, "task": max(page.evaluate("tasks"), default=0)}


def test_a_form_makes_few_requests(shop: FormShop, page: Page) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    times_of(page, shop)
    of_the_form = [url for url in asked if url.startswith(shop.gateway)]

    assert len(of_the_form) <= REQUESTS_MAX, of_the_form


@pytest.mark.proof
def test_a_form_is_ready_soon_and_blocks_no_page(shop: FormShop, page: Page) -> None:
    times_of(page, shop)
    measured = [times_of(page, shop) for _ in range(LOADS)]
    medians = {name: median(each[name] for each in measured) for name in measured[0]}
    print({name: round(value, 1) for name, value in medians.items()})

    assert medians["ready"] <= READY_MS_MAX
    assert medians["frames"] <= FRAMES_MS_MAX
    assert medians["task"] <= TASK_MS_MAX


@pytest.mark.parametrize("loads", [10, pytest.param(200, marks=pytest.mark.proof)])
def test_loading_and_unloading_leaves_nothing(shop: FormShop, page: Page, loads: int) -> None:
    address = f"{shop.gateway}v1/paymentWidgets.js?checkoutId="
    page.goto(shop.publish(pages.TWO_CHECKOUTS, shop.prepare()))
    wait_until_called(page, "ready")
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable")
    counted = []
    for number in range(loads):
        page.evaluate("(address) => { load(address); }", f"{address}{shop.prepare()}")
        page.wait_for_function("(count) => seen.length >= count", arg=number + 2)
        if number % (loads // 2) == loads // 2 - 1:
            counted.append(left_over(page, session))
    assert len(page.frames) == 4
    page.evaluate("wpwl.unload()")

    assert page.locator("iframe").count() == 0
    assert counted[1]["JSEventListeners"] <= counted[0]["JSEventListeners"] + 2
    assert counted[1]["Documents"] <= counted[0]["Documents"] + 1
    assert counted[1]["Nodes"] <= counted[0]["Nodes"] * 1.1


def left_over(page: Page, session: object) -> dict[str, float]:
    """Listeners, frames and nodes that live, after what is dead was collected."""
    page.wait_for_timeout(150)
    session.send("HeapProfiler.collectGarbage")
    metrics = session.send("Performance.getMetrics")["metrics"]
    return {each["name"]: each["value"] for each in metrics}
