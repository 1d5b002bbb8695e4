"""Card payments that are pending at the card host: however one ends, gateway, card host, lines and
payout say the same of it, to the cent.
"""

from collections.abc import Mapping
from decimal import Decimal

import gevent
import pytest

from simulator.domain.core.records import Payment, State
from simulator.domain.payments.pending import Awaited
from simulator.tests.settlement.agreement.test_card_host import External, external
from simulator.tests.settlement.agreement.test_ledger_and_files import moved_in
from simulator.tests.settlement.agreement.trees import WHOLE
from simulator.tests.settlement.test_snapshots import PASSPHRASE

__all__ = ["external"]

HALF_AN_HOUR = {"seconds": 1800, "then": {"approve": {}}}
PLANS = {
    "open": {},
    "approved later": {"seconds": 60, "then": {"approve": {}}},
    "declined later": {"seconds": 60, "then": {"decline": {"code": "800.100.152"}}},
}
CARD = {"card.number": "4200000000000000", "card.expiryMonth": "05", "card.expiryYear": "2034"}
# What is pending, after the payments that it refers to.
KINDS = [
    ("DB",), ("PA",), ("CD",), ("PA.CP",), ("PA", "CP"), ("DB", "RF"), ("DB", "RV"), ("PA", "RV"),
    ("DB", "RB"), ("PA", "CP", "RF"), ("CD", "RF"),
]  # fmt: skip


Sums = Mapping[str, Decimal]


def of_payments(sums: Sums) -> Sums:
    """Those that are of payments, not of runs."""
    return {key: each for key, each in sums.items() if "." not in key}


class Shop:
    """Payments that are pending, each of its own kind, and the ways in which they end."""

    def __init__(self, external: External):
        self.external = external
        self.ports = external.ports
        self.path = f"/sandboxes/{external.id}"

    def pending(self, plan: str) -> dict[tuple[str, ...], str]:
        """One payment of each kind that waits for what is planned."""
        return {kind: self._pending(kind, PLANS[plan]) for kind in KINDS}

    def _pending(self, kind: tuple[str, ...], plan: dict) -> str:
        to = ""
        for code in kind[:-1]:
            to = self._made(code, to)
        self.arm(plan)
        made = self._made(kind[-1], to)
        payment = self.ports.store.get(Payment, made)
        assert payment.state is State.PENDING, (kind, payment.outcome)
        return made

    def _made(self, code: str, to: str) -> str:
        if not to:
            return self.external.pay(code)
        more = {} if code == "RV" else {"amount": WHOLE, "currency": "EUR"}
        return self.send(f"/v1/payments/{to}", paymentType=code, **more)

    def lost(self, plan: str, link: str) -> list[str]:
        """One payment of each kind that the host holds as pending while its answer is lost."""
        made = []
        for kind in KINDS:
            to = ""
            for code in kind[:-1]:
                to = self._made(code, to)
            self.arm(PLANS[plan], link=link)
            sending = gevent.spawn(self._made, kind[-1], to)
            while not sending.ready():
                gevent.sleep(0.01)
                self.advance("31s")
            made.append(sending.get())
        return made

    def arm(self, plan: dict, **more: str) -> None:
        """Let the next payment be pending."""
        words = {"name": "example", "title": "Example", "description": "For a test."}
        steps = {"acquirer": {"pending": plan}, **more}
        armed = {"behaviour": {**words, "steps": steps}, "times": 1}
        answer = self.external.gateway.control("POST", f"{self.path}/scripts", armed)
        assert answer.status_code == 201, answer.json

    def send(self, path: str, **sent: str) -> str:
        """The id of what is made."""
        who = self.external.who
        sent["entityId"] = who.entity_id
        return str(self.external.gateway.send(path, sent, who).json["id"])

    def checkout(self) -> str:
        """The path of one for a sale."""
        sale = {"paymentType": "DB", "amount": WHOLE, "currency": "EUR", "testMode": "EXTERNAL"}
        return f"/v1/checkouts/{self.send('/v1/checkouts', **sale)}/payment"

    def _call(self, method: str, path: str, sent: dict | None = None) -> dict:
        return dict(self.external.gateway.control(method, self.path + path, sent).json)

    def release(self, payments: list[str], outcome: str) -> None:
        for each in payments:
            self._call("POST", f"/pending/{each}", {"outcome": outcome})

    def advance(self, by: str) -> None:
        self._call("POST", "/clock/advance", {"by": by})

    def restore(self) -> None:
        """The sandbox as it was, in place."""
        client, path = self.external.gateway.client, "/_sandbox/v1/sandboxes"
        taken = client.simulate_get(f"{path}/{self.external.id}/snapshot", headers=PASSPHRASE)
        made = client.simulate_post(f"{path}/restore", headers=PASSPHRASE, body=taken.content)
        assert made.status_code == 200
        self.ports = self.external.ports = self.external.gateway.ports(self.external.id)

    def settle(self) -> None:
        """Settle every day that these payments can be of."""
        for day in (1, 2):
            self.external.begin_day(day)

    def approved(self, payments: dict[tuple[str, ...], str]) -> set[tuple[str, ...]]:
        """The kinds of those that are approved."""
        states = {each: self.ports.store.get(Payment, payments[each]).state for each in payments}
        return {each for each in payments if states[each] is not State.FAILED}

    def agree(self) -> None:
        """Both ledgers, the lines and the payouts of every run say the same."""
        assert not any(self.ports.store.between(Awaited, "due", "", "~"))
        books = self._call("GET", "/books")
        assert (books["agree"], books["differences"], books["under_way"]) == (True, [], [])
        lines = of_payments(self.external.lines())
        entries = of_payments(moved_in(self.ports.store))
        assert {
            each for each in lines.keys() | entries if self._differs(each, lines, entries)
        } == set()
        assert sum(lines.values()) == sum(entries.values())
        for run in self._call("GET", "/settlements")["runs"]:
            accounts = self._call("GET", f"/settlements/{run['id']}")["accounts"]
            assert all(each["agrees"] and not each["differs"] for each in accounts), accounts

    def _differs(self, payment: str, lines: Sums, entries: Sums) -> bool:
        """Whether its lines are not what it moved; reversed in its bank day, it has none."""
        found = self.ports.store.get(Payment, payment)
        is_taken_back = found.state is State.REVERSED or found.type == "RV"
        return lines.get(payment, 0) != entries.get(payment, 0) and not is_taken_back


@pytest.fixture
def shop(external: External) -> Shop:
    made = Shop(external)
    made.advance("10m")
    return made


@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("outcome", ["success", "failure", "expiry"])
def test_what_is_released_is_the_same_at_gateway_host_and_settlement(
    shop: Shop, outcome: str, plan: str
) -> None:
    made = shop.pending(plan)

    shop.release([*made.values()], outcome)
    shop.settle()

    assert shop.approved(made) == (set(KINDS) if outcome == "success" else set())
    shop.agree()


@pytest.mark.parametrize("plan", PLANS)
def test_what_ends_as_planned_or_at_its_time_out_is_the_same(shop: Shop, plan: str) -> None:
    made = shop.pending(plan)

    shop.advance("40m")
    shop.settle()

    assert shop.approved(made) == (set(KINDS) if plan == "approved later" else set())
    shop.agree()


@pytest.mark.parametrize("link", ["timeout", "silent", "garble"])
def test_what_was_pending_at_the_host_and_lost_is_in_no_file(shop: Shop, link: str) -> None:
    made = shop.lost("approved later", link)

    shop.advance("40m")
    shop.settle()

    states = {shop.ports.store.get(Payment, each).state for each in made}
    assert states == {State.FAILED}
    shop.agree()


@pytest.mark.parametrize("outcome", ["success", "failure"])
def test_what_is_released_after_the_cut_off_is_of_the_next_day(shop: Shop, outcome: str) -> None:
    made = shop.pending("open")

    shop.advance("25m")
    shop.release([*made.values()], outcome)
    shop.settle()

    assert shop.approved(made) == (set(KINDS) if outcome == "success" else set())
    shop.agree()


@pytest.mark.parametrize("plan", ["open", "declined later"])
def test_what_was_restored_while_pending_ends_the_same(shop: Shop, plan: str) -> None:
    made = shop.pending(plan)

    shop.restore()
    shop.release([*made.values()], "success")
    shop.settle()

    assert shop.approved(made) == set(KINDS)
    shop.agree()


def test_an_attempt_that_another_in_its_checkout_ends_is_declined_on_both_sides(shop: Shop) -> None:
    checkout = shop.checkout()
    shop.arm(PLANS["approved later"])
    left, paid = shop.send(checkout, **CARD), shop.send(checkout, **CARD)

    shop.advance("10m")
    shop.settle()

    assert shop.approved({("left",): left, ("paid",): paid}) == {("paid",)}
    shop.agree()


def test_an_attempt_that_ends_with_its_checkout_is_declined_on_both_sides(shop: Shop) -> None:
    checkout = shop.checkout()
    shop.advance("5m")
    shop.arm(HALF_AN_HOUR)
    late = shop.send(checkout, **CARD)

    shop.advance("40m")
    shop.settle()

    assert shop.approved({("late",): late}) == set()
    shop.agree()
