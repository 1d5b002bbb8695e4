"""Two different changes of the same record at once: none rests on what the other has changed."""

from collections.abc import Callable

import gevent
import pytest
from falcon.testing import Result

from simulator.domain.settlement.runs import SettlementDue
from simulator.tests.at_once.conftest import WAIT_S_MAX, Box, at_once, statuses
from simulator.tests.checkouts.test_form_summaries import keep, stored
from simulator.tests.kit.checkout_shop import CARD, DECLINE, Shop
from simulator.tests.kit.gateway import Gateway

# Nothing answers there.
ELSEWHERE, NOWHERE = "http://127.0.0.1:9/one", "http://127.0.0.1:9/two"
# So many turns after the first change the second one begins.
STARTS = range(0, 30, 2)
BANK = "Sandgate Bank"


def late(turns: int, call: Callable[[], Result]) -> Callable[[], Result]:
    """The same call, so many turns of others later."""

    def later() -> Result:
        for _ in range(turns):
            gevent.sleep(0)
        return call()

    return later


def endpoint_of(box: Box) -> str:
    """The path of an endpoint that leads to the inbox and is not active."""
    place = f"/webhooks/{box.made('/webhooks', {'url': 'inbox'})}"
    box.control("PATCH", place, {"active": False})
    return place


def test_a_url_that_did_not_answer_is_not_active_by_the_answer_of_the_one_before(box: Box) -> None:
    for turns in STARTS:
        place = endpoint_of(box)
        at_once(
            lambda place=place: box.control("POST", f"{place}/activate", {}),
            late(turns, lambda place=place: box.control("PATCH", place, {"url": NOWHERE})),
        )
        found = box.control("GET", place).json
        assert (found["url"], found["active"]) == (NOWHERE, False), turns


def test_of_two_urls_that_are_set_at_once_the_one_that_stays_is_as_it_was_asked_for(
    box: Box,
) -> None:
    unasked = {"url": ELSEWHERE, "skip_activation": True}
    for turns in STARTS:
        place = endpoint_of(box)
        at_once(
            lambda place=place: box.control("PATCH", place, unasked),
            late(turns, lambda place=place: box.control("PATCH", place, {"url": NOWHERE})),
        )
        found = box.control("GET", place).json
        assert (found["url"], found["active"]) in ((ELSEWHERE, True), (NOWHERE, False)), turns


def test_daily_runs_that_are_stopped_while_one_is_due_stop(gateway: Gateway) -> None:
    ending = {"institute": BANK, "daily": False}
    for turns in STARTS:
        box = Box(gateway)
        box.control("POST", "/settlements", {"institute": BANK, "daily": True})
        (standing,) = box.ports.store.firsts([SettlementDue], "due")
        due = f"{standing.due:%Y-%m-%dT%H:%M:%SZ}"
        box.control("PUT", "/clock", {"mode": "frozen", "at": due})

        stopped = late(turns, lambda box=box: box.control("POST", "/settlements", ending))()

        assert stopped.status_code == 200
        assert box.control("POST", "/drain", {}).json["drained"]
        assert box.ports.store.firsts([SettlementDue], "due") == [None], turns


@pytest.mark.parametrize(
    ("is_another", "sent"), [(True, CARD), (False, {**CARD, **DECLINE})], ids=["paid", "declined"]
)
def test_a_form_that_is_kept_while_it_or_another_is_paid_with_is_not_kept(
    gateway: Gateway, is_another: bool, sent: dict[str, str]
) -> None:
    shop = Shop(gateway)
    for turns in range(0, 48, 3):
        checkout = shop.prepare()
        own = shop.capability(checkout)
        paid = shop.capability(checkout) if is_another else own

        keeping = late(turns, lambda form=(checkout, own): keep(shop, form[0], capability=form[1]))
        paying = at_once(keeping, lambda form=(checkout, paid): shop.submit(*form, sent))[1]

        assert paying.status_code == (200 if is_another else 400), paying.text
        form = stored(shop, checkout)
        assert form is None or not form.sealed, turns


def holding(gateway: Gateway) -> Box:
    """A sandbox whose clock runs, and whose requests to the acquirer are held."""
    box = Box(gateway)
    box.control("PUT", "/clock", {"mode": "real"})
    box.control("PUT", "/breakpoints", {"parties": ["acquirer"]})
    return box


def held_by(box: Box) -> str:
    """The path of the message that is held."""
    with gevent.Timeout(WAIT_S_MAX):
        while not (held := box.control("GET", "/held").json["held"]):
            gevent.sleep(0.01)
    return f"/held/{held[0]['id']}"


@pytest.mark.parametrize(
    "change",
    [
        ("PUT", "/clock", {"mode": "scaled", "rate": 2}),
        ("POST", "/clock/advance", {"by": "1h"}),
    ],
    ids=["set", "advance"],
)
def test_a_clock_that_stands_for_a_message_while_it_is_changed_is_changed(
    gateway: Gateway, change: tuple[str, str, dict]
) -> None:
    for turns in STARTS:
        box = holding(gateway)
        paying = gevent.spawn(box.pay)

        answer = late(turns, lambda box=box: box.control(*change))()

        assert answer.status_code == 200, (turns, answer.text)
        assert box.control("POST", held_by(box), {"action": "release"}).status_code == 200
        assert paying.get(timeout=WAIT_S_MAX)["result"]["code"] == "000.100.110"


def test_of_two_answers_to_a_held_message_one_is_given_and_none_stays_behind(
    gateway: Gateway,
) -> None:
    first, second = (
        {"action": "answer", "answer": code} for code in ("800.100.151", "800.100.203")
    )
    for turns in STARTS:
        box = holding(gateway)
        paying = gevent.spawn(box.pay)
        place = held_by(box)

        answers = at_once(
            lambda at=(box, place): at[0].control("POST", at[1], first),
            late(turns, lambda at=(box, place): at[0].control("POST", at[1], second)),
        )

        assert statuses(answers) == [200, 404], turns
        assert paying.get(timeout=WAIT_S_MAX)["result"]["code"] == "800.100.151"
        armed = box.control("GET", "/scripts").json["scripts"]
        assert [each["state"] for each in armed] == ["used up"], (turns, armed)
