"""The browser of this machine and its windows: one way to open either, for all tests that do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from playwright.sync_api import Browser, Page, Playwright

from simulator.tests.browser.finding import Machine, browser_of

SMALL, LARGE = (360, 640), (1280, 900)
WAIT_MS_MAX = 15_000
# Elements of the content and of what follows it that have more in them than they show.
CUT = """() => [...document.querySelectorAll("main *, main ~ *, main ~ * *"),
    document.documentElement]
    .filter(each => !["visible", "clip"].includes(getComputedStyle(each).overflowY)
        && (each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
        && each.clientHeight > 1)
    .map(each => each.outerHTML.slice(0, 120))"""
QUIET = ("--no-proxy-server", "--disable-background-networking", "--disable-component-update",
         "--disable-dev-shm-usage", "--no-first-run")  # fmt: skip


def started(playwright: Playwright) -> Browser:
    """The browser of this machine. Only root must do without its sandbox."""
    path = browser_of(playwright.chromium.executable_path)
    args = [*QUIET, *(["--no-sandbox"] if Machine().is_root else [])]
    return playwright.chromium.launch(executable_path=path, args=args, headless=True)


@contextmanager
def window(
    browser: Browser, size: tuple[int, int] = LARGE, *, before: str = "", **options: Any
) -> Iterator[Page]:
    """A window that shares nothing with others; what the browser complains of is kept in `said`.

    `before` is a script that runs before those of each page. Nothing moves in the window, so a
    colour is never judged half way to another.
    """
    width, height = size
    motionless = {"viewport": {"width": width, "height": height}, "reduced_motion": "reduce"}
    context = browser.new_context(**motionless | options)
    context.set_default_timeout(WAIT_MS_MAX)
    if before:
        context.add_init_script(before)
    page = context.new_page()
    page.said = []
    page.on("console", lambda message: page.said.append(message.text))
    page.on("pageerror", lambda error: page.said.append(str(error)))
    try:
        yield page
    finally:
        context.close()


def cut_on_paper(page: Page) -> list[str]:
    """What of a page is not seen whole once it is printed, with all of it unfolded."""
    page.emulate_media(media="print")
    page.locator("main details").evaluate_all("all => all.forEach(each => { each.open = true })")
    return list(page.evaluate(CUT))
