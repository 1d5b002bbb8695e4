"""People at the console: the first link, a payment, a token, another person, in small and large.

Screenshots of what they see lie in the temporary folder of each test.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page

from simulator.client import VISA, Client, Control
from simulator.tests.browser.form_page import violations_in
from simulator.tests.browser.windows import LARGE, SMALL, cut_on_paper, window
from simulator.tests.console.visitor import PASSWORD
from simulator.tests.kit.running import serving

pytestmark = pytest.mark.timeout(600)

PAGES = (
    "start", "payments", "payments/{payment}", "journal", "journal/{ndc}", "webhooks",
    "webhooks/events/{event}", "scripts", "clock", "shell", "risk",
    "tokens", "settlements", "settlements/{run}", "stage",
    "checkouts", "registrations", "payments?digits=0000", "payments?state=failed", "inbox",
    "workbench", "ledger", "throttles", "merchants", "terminals", "schedules",
)  # fmt: skip
TABS_MAX = 60
OFFICE = ("", "/people", "/audit", "/lessons", "/classes", "/classes/{group}")
OUTSIDE = ("{join}", "{invitation}", "/nothing-is-here/payments")
LONG = "A merchant with a name as long as names of companies in some countries are"
SCHEDULED = {"job.expression": "0 0 12 ? * * *", "amount": "12345678.90", "currency": "EUR"}


@pytest.fixture(scope="module")
def facts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A gateway that is served."""
    with serving(tmp_path_factory.mktemp("console")) as server:
        yield server.facts


@pytest.fixture(scope="module")
def state(browser: Browser, facts: Any) -> Any:
    """The cookie of an administrator who has joined by the first link, with the keyboard alone."""
    with window(browser) as page:
        page.goto(facts["console_url"])
        page.keyboard.type("anna")
        page.keyboard.press("Tab")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_url("**/console")
        return page.context.storage_state()


@pytest.fixture(scope="module")
def payment(facts: Any) -> dict[str, Any]:
    """A payment that a person has made."""
    client = Client(facts["base_url"], token=facts["token"], entity_id=facts["entity_id"])
    sent = {**VISA, "paymentType": "PA", "amount": "92.00", "currency": "EUR"}
    return dict(client.post("v1/payments", sent).body)


@pytest.fixture(scope="module")
def ids(facts: Any, state: Any, payment: dict[str, Any]) -> dict[str, str]:
    """Ids that paths may name, in a sandbox that has something of everything, also long values."""
    control = Control(facts["control_url"], facts["control_key"])
    sandbox = facts["sandbox_id"]
    merchant = control.sandbox(sandbox)["merchants"][0]
    channel = {"name": "A shop in the middle of nowhere", "risk": ["risk-amount", "risk-velocity"]}
    control.add_merchant(sandbox, name=LONG, channels=[channel])
    control.change_channel(sandbox, merchant["id"], facts["entity_id"], risk=["risk-amount"])
    control.create_webhook(sandbox, "inbox")
    receiver = f"http://127.0.0.1:9/{'a-long-path/' * 8}"
    control.create_webhook(sandbox, receiver, skip_activation=True)
    control.arm_script(sandbox, "approve", times=3)
    control.create_terminal(sandbox)
    client = Client(facts["base_url"], token=facts["token"], entity_id=facts["entity_id"])
    sale = {**VISA, "paymentType": "DB", "amount": "12345678.90", "currency": "EUR"}
    client.post("v1/payments", {**sale, "merchantMemo": "m" * 255})
    paid = client.post("v1/payments", {**sale, "amount": "92.00", "createRegistration": "true"})
    client.post(f"v1/payments/{paid.id}", {**sale, "paymentType": "RF", "amount": "1.00"})
    client.post("v1/checkouts", {"paymentType": "DB", "amount": "92.00", "currency": "EUR"})
    scheduled = {**SCHEDULED, "paymentType": "DB", "registrationId": paid.body["registrationId"]}
    client.post("scheduling/v1/schedules", scheduled)
    control.drain(sandbox)
    control.advance_clock(sandbox, by="4d")
    settled = control.settle(sandbox, institute="Sandgate Clearing")
    event = control.notices(sandbox)[0]["id"]
    invitation = control.invite_person("carl", "viewer")["link"]
    control.close()
    return {
        "payment": paid.id,
        "ndc": paid.body["ndc"],
        "run": str(next(each["id"] for each in settled if each["lines"])),
        "event": event,
        "invitation": urlsplit(invitation).path.removeprefix("/console"),
    }


@pytest.fixture(scope="module")
def training(browser: Browser, facts: Any, state: Any) -> dict[str, str]:
    """The paths of a class and of its link, and of a stage where a message is held."""
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/classes")
        page.get_by_role("button", name="Begin").click()
        link = page.locator("code.secret").inner_text()
        page.get_by_role("link", name="See the participants").click()
        group = urlsplit(page.url).path.rpartition("/")[2]
        for name in ("Ada", "Bob with a name of the longest length it may"[:40]):
            with window(browser, SMALL) as phone:
                phone.goto(link)
                phone.get_by_label("Your name").fill(name)
                phone.keyboard.press("Enter")
                phone.get_by_role("button", name="Be declined").click()
        return {"group": group, "join": urlsplit(link).path.removeprefix("/console")}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
def test_every_page_fits_and_axe_finds_nothing(
    browser: Browser,
    facts: Any,
    state: Any,
    ids: dict[str, str],
    training: dict[str, str],
    tmp_path: Path,
    *,
    size: tuple[int, int],
    scheme: Any,
) -> None:
    with window(browser, size, storage_state=state, color_scheme=scheme) as page:
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for number, path in enumerate(_paths(facts, {**ids, **training})):
            answer = page.goto(path)
            assert answer is not None and (answer.ok or "nothing-is-here" in path), path
            # A stage shows its last message.
            assert path.endswith("/stage") or page.evaluate("scrollY") == 0, path
            assert_good(page, tmp_path / f"{number:02}.png", size[0])
        page.goto(f"{facts['base_url']}console/{facts['sandbox_id']}/payments")
        page.get_by_role("button", name="Live", exact=True).click()
        page.get_by_text("The live host is only looked at").wait_for()
        assert_good(page, tmp_path / "live.png", size[0])
        page.get_by_role("button", name="Test", exact=True).click()
        assert {urlsplit(url).netloc for url in asked} == {urlsplit(facts["base_url"]).netloc}
        assert [each for each in page.said if "404" not in each] == []


def assert_good(page: Page, picture: Path, width: int) -> None:
    """The page fits into its window, axe finds nothing; and a picture of it."""
    page.screenshot(path=picture, full_page=True)
    assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url
    assert violations_in(page) == [], page.url


def test_pages_are_printed_whole(browser: Browser, facts: Any, state: Any, ids: dict[str, str]):
    with window(browser, (720, 1000), storage_state=state, color_scheme="dark") as page:
        for path in ("payments/{payment}", "journal/{ndc}", "stage", "merchants"):
            page.goto(f"{facts['base_url']}console/{facts['sandbox_id']}/{path.format(**ids)}")
            assert cut_on_paper(page) == [], path
            assert page.evaluate("getComputedStyle(document.body).color") == "rgb(28, 36, 48)"


def test_a_payment_is_captured_by_the_keyboard_and_a_token_shown(
    browser: Browser, facts: Any, state: Any, payment: dict[str, Any]
) -> None:
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console")
        _press(page, f"a[href$='{facts['sandbox_id']}/payments']")
        page.wait_for_url("**/payments")
        _press(page, "a[href='payments/{}']".format(payment["id"]))
        page.wait_for_url("**/payments/*")
        _press(page, "form[action$='/act'] button")
        page.wait_for_selector("h1:has-text('CP 92.00 EUR')")
        _press(page, "a[href$='/tokens']")
        page.wait_for_url("**/tokens")
        assert facts["token"] not in page.content()
        _press(page, "form[action$='/reveal'] button")
        page.wait_for_selector(f"text={facts['token']}")


def test_a_webhook_is_delivered_again_by_the_keyboard(
    browser: Browser, facts: Any, state: Any, ids: dict[str, str]
) -> None:
    control = Control(facts["control_url"], facts["control_key"])
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/{facts['sandbox_id']}/payments/{ids['payment']}")
        _press(page, "a[href*='/webhooks/events/']")
        page.wait_for_url("**/webhooks/events/*")
        event = page.url.rpartition("/")[2]
        with page.expect_response("**/resend"):
            _press(page, "form[action$='/resend'] button")
        control.drain(facts["sandbox_id"])
        received = control.inbox(facts["sandbox_id"])
        assert [each["event_id"] for each in received].count(event) == 2
        assert page.said == []
    control.close()


def test_an_operator_is_invited_and_sees_no_value(browser: Browser, facts: Any, state: Any) -> None:
    control = Control(facts["control_url"], facts["control_key"])
    link = control.invite_person("ben", "operator")["link"]
    control.close()
    with window(browser) as page:
        page.goto(link)
        page.get_by_label("Password").fill(PASSWORD)
        page.get_by_role("button", name="Join").click()
        page.wait_for_url("**/console")
        page.goto(f"{facts['base_url']}console/{facts['sandbox_id']}/tokens")
        assert page.get_by_role("button", name="Show value").count() == 0
        assert facts["token"] not in page.content()
        _sign_out(page)


def test_a_lesson_is_held_changed_and_taken_back_by_the_keyboard(
    browser: Browser, facts: Any, state: Any, tmp_path: Path
) -> None:
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/lessons")
        page.get_by_role("button", name="Begin The first payment").press("Enter")
        page.wait_for_url("**/stage")
        page.keyboard.press("p")
        page.get_by_role("checkbox", name="acquirer", checked=True).wait_for()
        page.keyboard.press("Space")
        for held in ("risk system", "acquirer"):
            page.get_by_text(f"Held: gateway → {held}").wait_for()
            page.keyboard.press("c" if held == "acquirer" else "Space")
        page.keyboard.type("lost-card")
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        page.get_by_text("Otherwise than the story expects").wait_for()
        page.screenshot(path=tmp_path / "stage.png", full_page=True)
        assert violations_in(page) == []
        page.keyboard.press("ArrowLeft")
        page.get_by_text("step 1: the shop received 800.100.165").wait_for()
        page.keyboard.press("p")
        page.get_by_role("checkbox", name="acquirer", checked=False).wait_for()
        page.keyboard.press("Space")
        page.get_by_text("000.100.110").first.wait_for()
        assert page.said == []


def test_a_lesson_is_shown_message_by_message_by_the_mouse_and_whole_to_spectators(
    browser: Browser, facts: Any, state: Any, tmp_path: Path
) -> None:
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/lessons")
        page.get_by_role("button", name="Begin The first payment").click()
        page.wait_for_url("**/stage")
        stage = page.url
        page.goto(f"{facts['base_url']}console/classes")
        page.get_by_label("Sandbox whose stage").fill(urlsplit(stage).path.split("/")[2])
        page.get_by_role("button", name="Begin").click()
        link = page.locator("code.secret").inner_text()
        with window(browser, SMALL) as phone:
            phone.goto(link)
            phone.get_by_label("Your name").fill("Ada")
            phone.get_by_role("button", name="Watch the stage").click()
            phone.wait_for_url("**/stage")
            page.goto(stage)
            page.get_by_role("button", name="Next step").click()
            page.get_by_text("000.100.110").first.wait_for()
            sent = page.locator("li.row:has(.message)").count()
            assert sent > 2
            more = page.get_by_role("button", name="Next message")
            for shown in range(1, sent):
                assert page.locator("li.row:has(.message):visible").count() == shown
                assert not page.get_by_role("button", name="Next step").is_visible()
                more.click()
            assert page.locator("li.row:has(.message):visible").count() == sent
            assert not more.is_visible()
            page.keyboard.press("m")
            page.locator(".message.lit[open]").wait_for()
            phone.locator("li.row:has(.message)").nth(sent - 1).wait_for()
            assert phone.locator("li.row:has(.message):visible").count() == sent
            phone.screenshot(path=tmp_path / "spectator.png", full_page=True)
            assert phone.said == []
        page.keyboard.press("r")
        page.locator("li.row:has(.message)").first.wait_for(state="detached")
        assert page.said == []


def test_the_workbench_says_what_would_be_refused_while_one_types(
    browser: Browser, facts: Any, state: Any
) -> None:
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/{facts['sandbox_id']}/workbench")
        amount = page.locator('[name="v:amount"]')
        amount.fill("92.000")
        page.locator("#check .problem", has_text="amount").wait_for()
        amount.fill("92.00")
        page.locator("#check .problem", has_text="amount").wait_for(state="detached")
        assert page.said == []


def test_a_page_loaded_again_after_a_request_does_not_send_it_again(
    browser: Browser, facts: Any, state: Any
) -> None:
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/{facts['sandbox_id']}/workbench")
        page.locator('[name="v:amount"]').fill("7.31")
        page.get_by_role("button", name="Send").click()
        page.locator("#answer").wait_for()
        page.reload()
        assert page.locator('[name="v:amount"]').input_value() == "7.31"
        rows = page.locator("tbody tr", has_text="7.31")
        assert rows.count() == 1
        assert page.said == []


def test_the_shop_and_the_phone_are_used_beside_the_stage(
    browser: Browser, facts: Any, state: Any, tmp_path: Path
) -> None:
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/lessons")
        page.get_by_role("button", name="Begin The shopper is challenged").click()
        page.wait_for_url("**/stage")
        page.keyboard.press("Space")
        page.get_by_text("000.200.000").first.wait_for()
        page.get_by_text("What the parties see").click()
        phone = page.frame_locator("iframe[data-view=phone]").frame_locator("iframe")
        code = phone.locator("input[type=text], input[inputmode=numeric]").first
        code.wait_for()
        page.screenshot(path=tmp_path / "phone.png", full_page=True)
        made = _checkout_in(facts, urlsplit(page.url).path.split("/")[2])
        shop = page.frame_locator("iframe[data-view=shop]")
        shop.get_by_role("button").first.wait_for()
        page.screenshot(path=tmp_path / "shop.png", full_page=True)
        assert made in str(page.locator("iframe[data-view=shop]").get_attribute("src"))
        page.locator("h1").first.click()
        for _ in range(60):
            page.keyboard.press("Space")
            page.wait_for_timeout(200)
            if page.get_by_text("The end.").is_visible():
                break
        page.get_by_text("No shopper is asked for anything.").wait_for()
        # Chromium says that a frame of another origin may not take the focus.
        assert [each for each in page.said if "autofocusing" not in each] == []


def _checkout_in(facts: Any, sandbox: str) -> str:
    """The id of a checkout that was prepared in a sandbox, with a token of its own."""
    control = Control(facts["control_url"], facts["control_key"])
    merchant = control.sandbox(sandbox)["merchants"][0]
    token = control.issue_token(sandbox, merchant["id"], host="test")["token"]
    control.close()
    client = Client(facts["base_url"], token=token, entity_id=merchant["channels"][0]["id"])
    sent = {"paymentType": "DB", "amount": "42.00", "currency": "EUR"}
    return client.post("v1/checkouts", sent).id


def test_a_class_of_three_joins_by_its_link(
    browser: Browser, facts: Any, state: Any, tmp_path: Path
) -> None:
    with window(browser, storage_state=state) as page:
        page.goto(f"{facts['base_url']}console/classes")
        page.get_by_role("button", name="Begin").click()
        link = page.locator("code.secret").inner_text()
        assert violations_in(page) == []
        page.get_by_role("link", name="See the participants").click()
        for name in ("Ada", "Bob", "Cem"):
            with window(browser, SMALL) as phone:
                phone.goto(link)
                assert violations_in(phone) == []
                phone.get_by_label("Your name").fill(name)
                phone.keyboard.press("Enter")
                phone.get_by_role("button", name="Be declined").click()
                phone.get_by_role("heading", name="DB 92.00 EUR").wait_for()
                assert phone.said == []
        page.locator("#follow li", has_text="800.100.203").nth(2).wait_for()
        page.screenshot(path=tmp_path / "class.png", full_page=True)
        assert violations_in(page) == []
        assert page.said == []


def _press(page: Page, selector: str) -> None:
    """Walk to an element with the tabulator alone, and press Enter on it."""
    is_there = "selector => document.activeElement.matches(selector)"
    for _ in range(TABS_MAX):
        page.keyboard.press("Tab")
        if page.evaluate(is_there, selector):
            page.keyboard.press("Enter")
            return
    raise AssertionError(f"expected {selector} within {TABS_MAX} presses of the tabulator")


def _sign_out(page: Page) -> None:
    page.get_by_role("button", name="Sign out ben").click()
    page.wait_for_url("**/console/sign-in")


def _paths(facts: Any, ids: dict[str, str]) -> Iterator[str]:
    base = f"{facts['base_url']}console"
    yield f"{base}/sign-in"
    yield from (f"{base}{path.format(**ids)}" for path in (*OFFICE, *OUTSIDE))
    yield from (f"{base}/{facts['sandbox_id']}/{path.format(**ids)}" for path in PAGES)
