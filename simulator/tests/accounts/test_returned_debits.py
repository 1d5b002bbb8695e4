"""A direct debit that its bank returns: while a refund of it is pending, or after very many."""

from decimal import Decimal

import pytest
from msgspec.structs import replace

from simulator.domain.chargebacks import Return
from simulator.domain.core.ports import unit_of
from simulator.domain.core.records import Payment
from simulator.domain.payments.references import REFERENCES_MAX
from simulator.service.chargebacks import charge_back_return
from simulator.tests.kit.gateway import ORDER, Credentials, Gateway

NO_CARD = dict.fromkeys(name for name in ORDER if name.startswith("card."))
DEBIT = {**NO_CARD, "amount": "60.00", "paymentBrand": "SEPA", "bankAccount.holder": "Jane Jones",
         "bankAccount.iban": "DE89370400440532013000",
         "bankAccount.bic": "COBADEFFXXX"}  # fmt: skip
RETURNED = ("CB", "60.00", "000.100.203")


class Bank:
    """A debit that is returned after five days, in a sandbox whose clock stands still."""

    def __init__(self, gateway: Gateway):
        clock = {"mode": "frozen", "at": "2027-01-04T09:00:00Z"}
        made = gateway.control("POST", "/sandboxes", {"clock": clock}).json
        self.gateway, self.path = gateway, f"/sandboxes/{made['id']}"
        self.who = Credentials(made["token"], made["entity_id"])
        self.script("returned-debit", "DB")
        self.debit = gateway.post(who=self.who, **DEBIT).json["id"]

    def script(self, behaviour: str, kind: str) -> None:
        """Let the acquirer respond so to a type, once."""
        document = {"behaviour": behaviour, "match": {"type": kind}, "times": 1}
        assert self.gateway.control("POST", f"{self.path}/scripts", document).status_code == 201

    def advance(self, by: str) -> None:
        """Move the clock."""
        self.gateway.control("POST", f"{self.path}/clock/advance", {"by": by})

    def refund(self, amount: str) -> str:
        """The id of a refund."""
        money = {"amount": amount, "currency": "EUR", "paymentType": "RF"}
        entity = {"entityId": self.who.entity_id}
        return self.gateway.send(f"/v1/payments/{self.debit}", {**entity, **money}, self.who).json[
            "id"
        ]

    @property
    def tree(self) -> list[tuple[str, str, str]]:
        """Type, amount and code of what refers to the debit."""
        found = self.gateway.client.simulate_get(
            f"/v3/query/{self.debit}",
            params={"entityId": self.who.entity_id, "includeLinkedTransactions": "true"},
            headers={"Authorization": f"Bearer {self.who.token}"},
        ).json["records"]
        return [
            (each["paymentType"], each.get("amount", ""), each["result"]["code"])
            for each in found
            if each["id"] != self.debit
        ]


@pytest.mark.parametrize("amount", ["60.00", "20.00"])
def test_a_return_waits_for_a_refund_that_is_pending_and_then_declined(
    gateway: Gateway, amount: str
) -> None:
    bank = Bank(gateway)
    bank.advance("119h")
    bank.script("pending-then-declined", "RF")
    bank.advance("3590s")
    bank.refund(amount)
    bank.advance("15s")
    assert [kind for kind, *_ in bank.tree] == ["RF"]
    bank.advance("1h")
    assert RETURNED in bank.tree and len(bank.tree) == 2
    bank.advance("40d")
    assert len(bank.tree) == 2


def test_a_return_takes_what_a_pending_refund_leaves(gateway: Gateway) -> None:
    bank = Bank(gateway)
    bank.advance("119h")
    bank.script("pending-then-approved", "RF")
    bank.advance("3590s")
    bank.refund("20.00")
    bank.advance("1h")
    assert sorted((kind, amount) for kind, amount, _ in bank.tree) == [
        ("CB", "40.00"),
        ("RF", "20.00"),
    ]


def test_a_return_comes_as_soon_as_the_refund_is_ended_by_hand(gateway: Gateway) -> None:
    bank = Bank(gateway)
    bank.advance("119h")
    bank.script("pending-then-declined", "RF")
    bank.advance("3599s")
    refund = bank.refund("60.00")
    bank.advance("2s")
    path = f"{bank.path}/pending/{refund}"
    assert gateway.control("POST", path, {"outcome": "failure"}).status_code == 200
    bank.gateway.control("POST", f"{bank.path}/drain", {})
    assert RETURNED in bank.tree


def test_a_return_whose_channel_is_gone_does_not_keep_other_work_from_being_done(
    gateway: Gateway,
) -> None:
    bank = Bank(gateway)
    ports = gateway.ports(bank.path.rpartition("/")[2])
    (coming,) = ports.store.between(Return, "due", "", "~")
    (merchant,) = ports.sandbox.merchants
    without = replace(ports.sandbox, merchants=(replace(merchant, channels=()),))
    bank.advance("119h")

    charge_back_return(replace(ports, sandbox=without), coming)

    assert (ports.store.get(Return, coming.id), bank.tree) == (None, [])


def test_a_return_is_charged_back_however_many_payments_refer_to_the_debit(
    gateway: Gateway,
) -> None:
    bank = Bank(gateway)
    store, refund = gateway.ports(bank.path.rpartition("/")[2]).store, bank.refund("0.01")
    first = store.get(Payment, refund)
    copies = (replace(first, id=f"{each:032x}", version=0) for each in range(1, REFERENCES_MAX))
    store.commit(unit_of(*copies))
    assert store.count_found(Payment, "referenced", bank.debit) == REFERENCES_MAX

    bank.advance("30d")

    assert store.get(Payment, bank.debit).charged_back == Decimal("59.99")
