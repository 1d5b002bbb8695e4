"""A database that is gone when the response to a stored attempt comes: the attempt ends by itself
once it is back.
"""

from pathlib import Path

import gevent

from simulator.domain.core.errors import UnreachableStoreError
from simulator.domain.core.records import Payment
from simulator.tests.acquiring.test_external import Shop, code_of
from simulator.tests.adapters.postgresql.cluster import Cluster
from simulator.tests.adapters.postgresql.relay import Relay
from simulator.tests.kit.gateway import Gateway

SLOW = {"acquirer": {"approve": {}, "latency": {"fixed": {"seconds": 40}}}}
MONEY = {"amount": "92.00", "currency": "EUR"}
WAIT_S_MAX = 60


def is_open(shop: Shop) -> bool:
    try:
        return bool(shop.ports.store.find(Payment, "open", "yes"))
    except UnreachableStoreError:
        return True


def test_a_capture_whose_response_was_not_stored_is_reversed_without_a_restart(
    cluster: Cluster, tmp_path: Path
) -> None:
    relay = Relay(cluster.socket)
    name = cluster.create().partition("///")[2].partition("?")[0]
    through = f"postgresql://sandgate@127.0.0.1:{relay.port}/{name}?sslmode=disable"
    gateway = Gateway(tmp_path, store=through)
    shop = Shop(gateway, clock={"mode": "scaled", "rate": 40})
    paid = shop.pay("INTERNAL", paymentType="PA")
    shop.arm(SLOW, times=1)
    sent = {"entityId": shop.who.entity_id, "paymentType": "CP", **MONEY}

    asked = gevent.spawn(gateway.send, f"/v1/payments/{paid['id']}", sent, shop.who)
    with gevent.Timeout(WAIT_S_MAX):
        while not is_open(shop):
            gevent.sleep(0.01)
        with relay.unreachable():
            answer = asked.get()
        while is_open(shop):
            gevent.sleep(0.05)

    assert (answer.status_code, code_of(answer.json)) == (500, "999.999.999")
    assert code_of(shop.refer(paid["id"], "CP", **MONEY)) == "000.100.110"
    gateway.close()
    relay.close()
