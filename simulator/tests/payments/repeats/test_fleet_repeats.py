"""The same request again at another member, beside the home of a calm sandbox. Choice: D-285."""

from simulator.tests.adapters.fleet import test_calm
from simulator.tests.adapters.fleet.fleets import MEMBERS, Fleet
from simulator.tests.kit.gateway import Credentials

fleet = test_calm.fleet


def test_a_merchant_that_dispatches_is_charged_once(fleet: Fleet) -> None:
    """Also where rules pick another channel by then."""
    channels = [{"name": name, "repeated_merchant_transaction_id": "repeat"} for name in "AB"]
    merchant = {"channels": channels, "dispatching": [{"channel": "A"}]}
    calm = test_calm.a_sandbox(fleet, merchants=[merchant])
    made = calm.control(0, "GET", "/merchants").json["merchants"][0]
    calm = calm._replace(who=Credentials(calm.who.token, made["id"]))
    calm.calm_down()
    order = {"merchantTransactionId": "order-0001"}
    before = calm.served(1)
    first = calm.pay(1, **order)
    assert calm.served(1) == before + 1
    again = [calm.pay(member, **order) for member in range(MEMBERS)]
    to_b = {"dispatching": [{"channel": made["channels"][1]["id"]}]}
    calm.control(2, "PATCH", f"/merchants/{made['id']}", to_b)
    again += [calm.pay(member, **order) for member in range(MEMBERS)]
    assert {each.json["id"] for each in again} == {first.json["id"]}
