"""How a redirected payment ends: by a script, the clock, a release; and who is notified."""

import gevent
import pytest

from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.shopper import BROWSER, Shopper, a_shopper, back_for, trace_of


@pytest.fixture
def shopper(gateway: Gateway) -> Shopper:
    """A shopper at a merchant whose clock stands still."""
    return a_shopper(gateway)


@pytest.mark.parametrize("headers", [None, BROWSER])
@pytest.mark.parametrize(
    ("behaviour", "code"),
    [
        ("shopper-pays", "000.100.110"),
        ("shopper-cancels", "100.396.101"),
        ("shopper-fails", "100.396.104"),
        ("shopper-leaves", "000.200.000"),
    ],
)
def test_a_scripted_shopper_is_sent_back_as_soon_as_the_page_is_opened(
    shopper: Shopper, behaviour: str, code: str, headers: dict | None
) -> None:
    shopper.control("POST", "/scripts", {"behaviour": behaviour, "match": {"brand": "EPS"}})
    payment = shopper.pays()
    assert shopper.code(payment) == "000.200.000"

    answer = shopper.opens(payment, headers)

    assert answer.status_code == 307
    assert answer.headers["location"] == back_for(payment)
    assert shopper.code(payment) == code


def test_a_script_for_the_acquirer_says_what_happens_once_the_shopper_paid(
    shopper: Shopper,
) -> None:
    steps = {"acquirer": {"decline": {"code": "800.100.155"}}, "bank": "pay"}
    shopper.control("POST", "/scripts", {"behaviour": {"steps": steps}, "times": 1})
    payment, other = shopper.pays(), shopper.pays()
    shopper.opens(payment)

    assert shopper.code(payment) == "800.100.155"
    assert shopper.opens(other).status_code == 200


def test_a_script_for_the_shopper_leaves_other_payments_alone(shopper: Shopper) -> None:
    shopper.control("POST", "/scripts", {"behaviour": "shopper-cancels", "times": 1})

    assert shopper.gateway.post(who=shopper.merchant).json["result"]["code"] == "000.100.110"
    payment = shopper.pays()
    shopper.opens(payment)
    assert shopper.code(payment) == "100.396.101"


def test_a_forced_code_is_what_happens_once_the_shopper_paid(shopper: Shopper) -> None:
    payment = shopper.pays(**{"customParameters[forceResultCode]": "800.100.151"})
    assert payment["result"]["code"] == "000.200.000"
    shopper.posts(payment, "action=pay")

    assert shopper.code(payment) == "800.100.151"


def test_what_is_due_comes_by_the_clock_without_a_visit(shopper: Shopper) -> None:
    shopper.control("POST", "/scripts", {"behaviour": "pending-then-declined", "times": 1})
    payment = shopper.pays()
    assert payment["redirect"]["url"]
    shopper.posts(payment, "action=pay")
    assert shopper.code(payment) == "000.200.000"
    shopper.control("POST", "/clock/advance", {"by": "60s"})

    assert shopper.code(payment) == "800.100.152"


def test_a_shopper_who_never_comes_lets_the_payment_expire(shopper: Shopper) -> None:
    payment = shopper.pays()
    shopper.control("POST", "/clock/advance", {"by": "30m"})

    assert shopper.code(payment) == "100.396.103"
    assert "The payment failed." in shopper.posts(payment, "action=pay", BROWSER).text


def test_the_trace_shows_the_shoppers_way(shopper: Shopper) -> None:
    payment = shopper.pays()
    shopper.opens(payment, BROWSER)
    shopper.posts(payment, "action=pay", BROWSER)

    trace = shopper.control("GET", trace_of(payment)).text
    wanted = ["opens the redirect page", "the page, with its choices", "pays", "000.100.110",
              "sent back to shopperResultUrl"]  # fmt: skip
    places = [trace.rindex(each) for each in wanted]
    assert places == sorted(places)
    assert "shopper" in trace and "bank" in trace


def test_the_result_is_sent_to_the_notification_url(shopper: Shopper) -> None:
    payment = shopper.pays(notificationUrl="http://127.0.0.1:1/result")
    shopper.posts(payment, "action=pay")

    found = shopper.control("GET", f"/notices?payment={payment['id']}").json["notices"]
    assert [each["type"] for each in found] == ["notificationUrl"]


def test_a_shopper_and_a_release_at_once_end_the_payment_once(shopper: Shopper) -> None:
    payment = shopper.pays()
    path = f"/pending/{payment['id']}"
    both = [
        gevent.spawn(shopper.posts, payment, "action=cancel"),
        gevent.spawn(shopper.control, "POST", path, {"outcome": "success"}),
    ]
    gevent.joinall(both, raise_error=True)

    assert both[0].value.status_code == 303
    assert both[0].value.json["result"]["code"] == shopper.code(payment)
