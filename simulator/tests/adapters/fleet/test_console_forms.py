"""A form of the console is good for one order at all members together."""

from collections.abc import Iterator

import gevent
import pytest

from simulator.tests.adapters.fleet.fleets import Fleet, start, stop
from simulator.tests.adapters.postgresql.cluster import running_cluster
from simulator.tests.console.visitor import Visitor, administrator_of

WAIT_S_MAX = 20


@pytest.fixture
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Fleet]:
    with running_cluster() as cluster:
        data, store = tmp_path_factory.mktemp("fleet"), cluster.create()
        members = [start(data, store) for _ in range(2)]
        yield Fleet(members, store, data)
        for member in members:
            stop(member)


def test_a_form_that_is_sent_to_two_members_at_once_does_one_thing(fleet: Fleet) -> None:
    first, other = fleet.gateways
    made = first.control("POST", "/sandboxes", {}).json
    who = first.merchant._replace(token=made["token"], entity_id=made["entity_id"])
    page = f"/console/{made['id']}/payments/{first.post(who=who).json['id']}"
    anna = administrator_of(first)
    elsewhere = Visitor(other)
    elsewhere.cookies, elsewhere.form_token = anna.cookies, anna.form_token
    sent = {"mark": anna.mark_on(page), "type": "RF", "amount": "10.00"}

    pressed = [
        gevent.spawn(each.post, f"{page}/act", sent) for each in (anna, elsewhere) for _ in "123"
    ]
    answers = [each.get(timeout=WAIT_S_MAX) for each in pressed]

    assert {each.status_code for each in answers} == {303}
    assert len({each.headers["Location"] for each in answers}) == 1
    assert anna.get(page).text.count(">RF 10.00") == 1
