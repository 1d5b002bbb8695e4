"""A payment that many refer to: its trace has all of them, is read once, and others are served."""

from collections.abc import Iterator

import gevent
import pytest

from simulator.domain.core.records import Payment
from simulator.service import journal
from simulator.tests.kit.gateway import Credentials, Gateway

# A slice of long work is two milliseconds, and to trace the tree takes more than twenty.
TURNS_MIN = 5


class Tree:
    """A payment with captures, and refunds of the first of them."""

    def __init__(self, gateway: Gateway, *, captures: int, refunds: int):
        self._gateway = gateway
        made = gateway.control("POST", "/sandboxes", {}).json
        self.identity = made["id"]
        self.who = Credentials(made["token"], made["entity_id"])
        self.top = gateway.post(who=self.who, paymentType="PA", amount="5000.00").json["id"]
        self.captures = [self._refer(self.top, "CP", "1.00") for _ in range(captures)]
        self.refunds = [self._refer(self.captures[0], "RF", "0.01") for _ in range(refunds)]
        self.all = [self.top, *self.captures, *self.refunds]

    def _refer(self, to: str, kind: str, amount: str) -> str:
        sent = {"entityId": self.who.entity_id, "paymentType": kind, "amount": amount,
                "currency": "EUR"}  # fmt: skip
        answer = self._gateway.send(f"/v1/payments/{to}", sent, self.who)
        assert answer.status_code == 200, answer.text
        return answer.json["id"]

    def traced(self, identity: str) -> list[str]:
        """The ids of the payments in a trace."""
        path = f"/sandboxes/{self.identity}/payments/{identity}/trace.json"
        return [each["id"] for each in self._gateway.control("GET", path).json["payments"]]

    def reported(self, path: str, name: str, **sent: str) -> list[str]:
        """The ids of a report of the path with all that its payments are linked to."""
        linked = {"entityId": self.who.entity_id, "includeLinkedTransactions": "true"}
        answer = self._gateway.client.simulate_get(
            path, params=linked | sent, headers={"Authorization": f"Bearer {self.who.token}"}
        )
        return [each["id"] for each in answer.json[name]]


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tree]:
    gateway = Gateway(tmp_path_factory.mktemp("trees") / "data", is_described=False)
    yield Tree(gateway, captures=990, refunds=100)
    gateway.close()


def test_a_trace_has_all_payments_of_the_tree(tree: Tree) -> None:
    assert sorted(tree.traced(tree.top)) == sorted(tree.all)
    assert sorted(tree.traced(tree.refunds[-1])) == sorted(tree.all)


@pytest.mark.parametrize("path", ["/v1/query", "/v3/query"])
def test_a_report_leaves_out_none_of_what_is_linked(tree: Tree, path: str) -> None:
    """It ended after a thousand payments, so that the newest were in no report."""
    name = {"/v1/query": "payments", "/v3/query": "records"}[path]
    newest = tree.refunds[-1]
    assert tree.reported(f"{path}/{tree.top}", name) == tree.all
    assert tree.reported(f"{path}/{newest}", name) == [newest, *tree.all[:-1]]
    days = {"date.from": "2000-01-01", "date.to": "9999-12-31", "limit": "1"}
    assert tree.reported(path, name, **days) == tree.all


def test_a_trace_of_the_largest_tree_is_cut_and_walks_it_once(tree: Tree, monkeypatch) -> None:
    monkeypatch.setattr(journal, "TREE_MAX", 500)
    walked: list[str] = []
    walk = journal.tree_below

    def counted(ports: object, top: Payment) -> object:
        for payment in walk(ports, top):
            walked.append(payment.id)
            yield payment

    monkeypatch.setattr(journal, "tree_below", counted)
    assert tree.traced(tree.top) == walked == tree.all[:500]


def test_others_have_their_turn_while_a_large_tree_is_traced(tree: Tree) -> None:
    turns: list[None] = []

    def take_turns() -> None:
        while True:
            turns.append(None)
            gevent.sleep(0.001)

    other = gevent.spawn(take_turns)
    tree.traced(tree.top)
    other.kill()
    assert len(turns) > TURNS_MIN
