"""A form of a payment's page is good for one order, however often it is sent."""

import gevent
import pytest
from falcon.testing import Result

from simulator.tests.console.visitor import Visitor
from simulator.tests.kit.gateway import Gateway

LATE = {"latency": {"fixed": {"seconds": 0.2}}, "approve": {}}
SLOW = {"behaviour": {"steps": {"acquirer": LATE}}, "times": 5}


@pytest.fixture
def root(sandbox: str) -> str:
    """The pages of the default sandbox."""
    return f"/console/{sandbox}"


def form_of(anna: Visitor, page: str, kind: str, amount: str) -> dict[str, str]:
    """A form as the page of a payment has it."""
    return {"mark": anna.mark_on(page), "type": kind, "amount": amount}


@pytest.mark.parametrize(("paid", "kind"), [("DB", "RF"), ("PA", "CP")])
def test_a_form_that_is_sent_twice_does_one_thing(
    gateway: Gateway, anna: Visitor, root: str, paid: str, kind: str
) -> None:
    page = f"{root}/payments/{gateway.post(paymentType=paid).json['id']}"
    sent = form_of(anna, page, kind, "10.00")

    first, second = (anna.post(f"{page}/act", sent) for _ in range(2))

    assert first.status_code == second.status_code == 303
    assert first.headers["Location"] == second.headers["Location"]
    assert anna.get(page).text.count(f">{kind} 10.00") == 1


def test_forms_that_are_sent_at_once_do_one_thing(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    page = f"{root}/payments/{gateway.post().json['id']}"
    sent = form_of(anna, page, "RF", "10.00")

    def press() -> Result:
        return anna.post(f"{page}/act", sent)

    armed = gateway.control("POST", f"/sandboxes/{root.rpartition('/')[2]}/scripts", SLOW)
    assert armed.status_code == 201, armed.text
    pressed = [gevent.spawn(press) for _ in range(5)]
    answers = [each.get(timeout=20) for each in pressed]

    assert {each.status_code for each in answers} == {303}
    assert len({each.headers["Location"] for each in answers}) == 1
    assert anna.get(page).text.count(">RF 10.00") == 1


def test_the_page_that_is_shown_then_has_new_forms(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    page = f"{root}/payments/{gateway.post().json['id']}"

    for _ in range(2):
        assert anna.act(page, {"type": "RF", "amount": "10.00"}).status_code == 303

    assert anna.get(page).text.count(">RF 10.00") == 2


def test_a_used_form_with_another_amount_is_refused(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    page = f"{root}/payments/{gateway.post().json['id']}"
    sent = form_of(anna, page, "RF", "10.00")
    anna.post(f"{page}/act", sent)

    answer = anna.post(f"{page}/act", {**sent, "amount": "20.00"})

    assert answer.status_code == 400 and "open the page of the payment again" in answer.text
    assert ">RF 20.00" not in anna.get(page).text


def test_a_second_press_shows_a_refund_of_the_whole_amount(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    page = f"{root}/payments/{gateway.post().json['id']}"
    sent = form_of(anna, page, "RF", "92.00")

    first, second = (anna.post(f"{page}/act", sent) for _ in range(2))

    assert second.headers["Location"] == first.headers["Location"]


def test_a_form_that_was_refused_may_be_sent_again(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    page = f"{root}/payments/{gateway.post().json['id']}"
    sent = form_of(anna, page, "RF", "92.01")

    assert anna.post(f"{page}/act", sent).status_code == 400
    assert anna.post(f"{page}/act", {**sent, "amount": "92.00"}).status_code == 303


@pytest.mark.parametrize("mark", ["", "x", "0" * 31, "0" * 33, "A" * 32])
def test_a_form_without_a_mark_does_nothing(
    gateway: Gateway, anna: Visitor, root: str, mark: str
) -> None:
    page = f"{root}/payments/{gateway.post().json['id']}"
    sent = {**form_of(anna, page, "RF", "10.00"), "mark": mark}

    assert anna.post(f"{page}/act", sent).status_code == 400
    assert ">completed<" in anna.get(page).text


def test_an_amount_that_was_typed_is_not_put_back_by_the_browser(
    gateway: Gateway, anna: Visitor, root: str
) -> None:
    page = anna.get(f"{root}/payments/{gateway.post().json['id']}").text

    asked = [each for each in page.split("<input ") if each.startswith('name="amount"')]
    assert asked
    assert all('autocomplete="off"' in each for each in asked)
