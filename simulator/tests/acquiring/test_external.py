"""Card payments over the card link: the same outcomes as inside the process, and what faults
leave.
"""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import gevent
import pytest

from simulator.domain.acquiring.host_entries import CardEntry, LostRequest
from simulator.domain.core.records import Payment
from simulator.service.acquiring.reconciliation import reconcile_ledgers
from simulator.tests.kit.gateway import Credentials, Gateway

# The time that an answer has is 30 s, here 60 ms and 0.75 s: on a busy machine some come later than
# the first, so it is for what holds either way.
HASTY, FAST = ({"mode": "scaled", "rate": rate} for rate in (500, 40))
FAULTS = (
    "timeout", "late", "silent", "duplicate", "wrong_stan", "garble", "drop", "sign_off",
    "slow_start",
)  # fmt: skip
LOST = {"timeout", "late", "wrong_stan", "garble", "drop"}
ANSWERED_WITHIN_S, REPEATED_AFTER_S, WAIT_S_MAX = 30, 60, 30
REVERSED, UNANSWERED, DOWN = "900.100.301", "900.100.300", "900.100.600"


class Shop:
    """A sandbox of its own, with the clock of the machine unless it is given another."""

    def __init__(self, gateway: Gateway, *, clock: dict | None = None, **options: object):
        self.gateway = gateway
        made = gateway.control("POST", "/sandboxes", options).json
        self.identity = made["id"]
        self.who = Credentials(made["token"], made["entity_id"])
        self.live = Credentials(made["live_token"], made["entity_id"], "live")
        if clock is not None:
            put = gateway.control("PUT", f"/sandboxes/{self.identity}/clock", clock)
            assert put.status_code == 200, put.text

    @property
    def ports(self) -> object:
        return self.gateway.ports(self.identity)

    def arm(self, steps: dict, **more: object) -> str:
        words = {"name": "example", "title": "Example", "description": "For a test."}
        script = {"behaviour": {**words, "steps": steps}, **more}
        answer = self.gateway.control("POST", f"/sandboxes/{self.identity}/scripts", script)
        assert answer.status_code == 201, answer.json
        return answer.json["id"]

    def pay(self, mode: str = "EXTERNAL", **more: str) -> dict:
        return self.gateway.post(who=self.who, testMode=mode, **more).json

    def refer(self, identity: str, kind: str, **more: str) -> dict:
        sent = {"entityId": self.who.entity_id, "paymentType": kind, **more}
        return self.gateway.send(f"/v1/payments/{identity}", sent, self.who).json

    def settled(self) -> None:
        """Return when nothing waits for an answer or a reversal any more."""
        self.wait_until(lambda: not self.lost())

    def lost(self) -> list[LostRequest]:
        """The requests without an answer whose reversal is not answered either."""
        return [*self.ports.store.between(LostRequest, "due", "", "~")]

    def sent(self) -> list[str]:
        """The types of the requests about all that the host has decided, as they left."""
        entries = self.ports.store.between(CardEntry, "date", "", "~")
        return [label for each in entries for label in labels(self, each.id)]

    def advance(self, seconds: int) -> None:
        """Move a clock that stands."""
        path = f"/sandboxes/{self.identity}/clock/advance"
        assert self.gateway.control("POST", path, {"by": f"{seconds}s"}).status_code == 200

    def wait_until(self, holds: Callable[[], bool]) -> None:
        with gevent.Timeout(WAIT_S_MAX):
            while not holds():
                gevent.sleep(0.002)


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path)
    yield made
    made.close()


@pytest.fixture
def shop(gateway: Gateway) -> Shop:
    return Shop(gateway, clock=FAST)


def code_of(answer: dict) -> str:
    return answer["result"]["code"]


def test_an_external_payment_is_decided_by_the_card_host(shop: Shop) -> None:
    answer = shop.pay(paymentType="PA")
    entry = shop.ports.store.get(CardEntry, answer["id"])
    assert code_of(answer) == "000.100.112"
    assert (str(entry.money), entry.response) == ("92.00 EUR", "00")
    assert answer["resultDetails"]["AcquirerResponse"] == "00"


def test_an_internal_payment_does_not_travel(shop: Shop) -> None:
    answer = shop.pay("INTERNAL")
    assert shop.ports.store.get(CardEntry, answer["id"]) is None


@pytest.mark.parametrize("kind", ["CP", "RV", "RF", "RB"])
def test_what_refers_to_an_external_payment_travels_too(shop: Shop, kind: str) -> None:
    first = shop.pay(paymentType="DB" if kind in ("RF", "RB") else "PA")
    more = {} if kind == "RV" else {"amount": "92.00", "currency": "EUR"}
    answer = shop.refer(first["id"], kind, **more)
    assert code_of(answer) == "000.100.112"
    assert shop.ports.store.get(CardEntry, answer["id"]).original == first["id"]
    assert not reconcile_ledgers(shop.ports).differences


SAME = (
    ({"card.holder": "800.100.151"}, None),
    ({"card.holder": "900.100.400"}, None),
    ({"customParameters[forceResultCode]": "000.400.000"}, None),
    ({"customParameters[forceResultCode]": "nonsense"}, None),
    ({}, {"approve": {"avs": "Z", "cvv": "N", "details": {"Note": "grün"}}}),
    ({}, {"decline": {"code": "800.100.155", "avs": "A"}}),
    ({}, {"approve": {}, "latency": {"fixed": {"seconds": 3}}}),
    ({}, {"pending": {"seconds": 60, "then": {"approve": {}}}}),
    ({"card.number": "4200000000004309"}, None),
)


@pytest.mark.parametrize(("sent", "acquirer"), SAME)
def test_the_same_script_gives_the_same_outcome_in_both_modes(
    shop: Shop, sent: dict, acquirer: dict | None
) -> None:
    answers = {}
    for mode in ("INTERNAL", "EXTERNAL"):
        if acquirer is not None:
            shop.arm({"acquirer": acquirer}, times=1)
        answers[mode] = shop.pay(mode, **sent)
    inside, outside = (_comparable(answers[mode]) for mode in ("INTERNAL", "EXTERNAL"))
    assert outside == inside


def _comparable(answer: dict) -> dict:
    details = {**answer.get("resultDetails", {})}
    # Why a host declines does not travel in its answer.
    for other in ("ConnectorTxID1", "AuthCode", "ExtendedDescription"):
        details.pop(other, None)
    result = {**answer["result"], "code": answer["result"]["code"].replace("100.112", "100.110")}
    letters = {name: result.get(name) for name in ("avsResponse", "cvvResponse")}
    return {"code": result["code"], "details": details, "risk": answer.get("risk"), **letters}


def test_a_script_counts_once_in_either_test_mode(shop: Shop) -> None:
    script = shop.arm({"acquirer": {"decline": {"code": "800.100.155"}}}, times=1)
    codes = [code_of(shop.pay()) for _ in range(2)]
    path = f"/sandboxes/{shop.identity}/scripts/{script}"
    assert codes == ["800.100.155", "000.100.112"]
    assert shop.gateway.control("GET", path).json["matched"] == 1


@pytest.mark.parametrize("fault", FAULTS)
def test_ledgers_balance_after_a_fault_of_the_connection(shop: Shop, fault: str) -> None:
    shop.arm({"link": fault}, times=1)
    faulty, next_one = shop.pay(), shop.pay()
    shop.settled()
    expected = {"duplicate": "000.100.112", "slow_start": "000.100.112", "sign_off": DOWN}
    expected |= {"silent": UNANSWERED} | dict.fromkeys(LOST, REVERSED)
    assert code_of(faulty) == expected[fault]
    assert code_of(next_one) == "000.100.112"
    assert not reconcile_ledgers(shop.ports).differences


def test_a_reversal_is_repeated_until_it_is_answered(gateway: Gateway) -> None:
    # Its clock stands: however late an answer comes on a busy machine, it comes in time.
    shop = Shop(gateway, clock={"mode": "frozen"})
    shop.arm({"link": "silent"}, times=1)
    paying = gevent.spawn(shop.pay)
    shop.wait_until(lambda: shop.sent() == ["0200"])
    shop.advance(ANSWERED_WITHIN_S)
    shop.wait_until(lambda: shop.sent() == ["0200", "0400"])
    shop.advance(ANSWERED_WITHIN_S)
    answer = paying.get(timeout=WAIT_S_MAX)
    assert code_of(answer) == UNANSWERED
    shop.advance(REPEATED_AFTER_S)
    shop.wait_until(lambda: shop.sent() == ["0200", "0400", "0401"])
    shop.advance(ANSWERED_WITHIN_S)
    shop.wait_until(lambda: [each.tries for each in shop.lost()] == [2])
    shop.advance(REPEATED_AFTER_S)
    shop.settled()
    entry = shop.ports.store.get(CardEntry, answer["id"])
    assert entry.response == "00"
    assert entry.reversed_at is not None
    assert labels(shop, answer["id"]) == ["0200", "0400", "0401", "0401"]


def labels(shop: Shop, payment: str) -> list[str]:
    """The types of the requests about a payment, as they left."""
    messages = [each for entry in entries_about(shop, payment) for each in entry.messages]
    return [each.label for each in messages if each.receiver == "acquirer"]


def entries_about(shop: Shop, payment: str) -> list:
    """What the journal has of the messages about a payment."""
    entries = [entry for _, entry in shop.ports.journal.find_entries(payment)]
    return [entry for entry in entries if getattr(entry, "messages", ())]


def test_a_fault_inside_the_process_cannot_be(shop: Shop) -> None:
    shop.arm({"link": "drop"})
    assert code_of(shop.pay("INTERNAL")) == "000.100.110"


@pytest.mark.parametrize("kind", ["CP", "RV"])
def test_a_lost_capture_or_reversal_leaves_the_authorization_as_it_was(
    shop: Shop, kind: str
) -> None:
    first = shop.pay(paymentType="PA")
    shop.arm({"link": "timeout"}, times=1)
    more = {} if kind == "RV" else {"amount": "92.00", "currency": "EUR"}
    lost = shop.refer(first["id"], kind, **more)
    again = shop.refer(first["id"], kind, **more)
    assert [code_of(lost), code_of(again)] == [REVERSED, "000.100.112"]
    assert not reconcile_ledgers(shop.ports).differences


def test_a_late_answer_changes_nothing(shop: Shop) -> None:
    shop.arm({"link": "late"}, times=1)
    answer = shop.pay()
    gevent.sleep(0.05)
    payment = shop.ports.store.get(Payment, answer["id"])
    assert payment.outcome.code == REVERSED
    assert not reconcile_ledgers(shop.ports).differences


def test_an_attempt_open_at_start_is_taken_back_by_an_advice(tmp_path: Path) -> None:
    first = Gateway(tmp_path, durability="os")
    shop = Shop(first, clock={"mode": "frozen"})
    shop.arm({"link": "timeout"}, times=1)
    paying = gevent.spawn(shop.pay)
    with gevent.Timeout(10):
        while not any(shop.ports.store.between(CardEntry, "date", "", "~")):
            gevent.sleep(0.002)
    first.close()
    paying.kill()
    second = Gateway(tmp_path, durability="os")
    try:
        again = Shop.__new__(Shop)
        again.gateway, again.identity, again.who = second, shop.identity, shop.who
        again.settled()
        (entry,) = again.ports.store.between(CardEntry, "date", "", "~")
        assert entry.reversed_at is not None
        assert labels(again, entry.id) == ["0420"]
        assert again.ports.store.get(Payment, entry.id).outcome.code == REVERSED
        assert not reconcile_ledgers(again.ports).differences
    finally:
        second.close()


def faulty_payments(shop: Shop, seed: int, count: int) -> None:
    """Payments with random faults and amounts, many at once, and captures and refunds of them."""
    random = Random(seed)
    for fault in FAULTS:
        shop.arm({"link": fault}, match={"customParameters": {"fault": fault}})

    def one(seed: int) -> None:
        own = Random(seed)
        sent = {"customParameters[fault]": own.choice((*FAULTS, "none"))}
        kind = own.choice(("PA", "DB"))
        first = shop.pay(paymentType=kind, amount=f"{own.randint(1, 99)}.00", **sent)
        if code_of(first) == "000.100.112":
            fault = {"customParameters[fault]": own.choice((*FAULTS, "none", "none"))}
            more = {"amount": "1.00", "currency": "EUR", **fault}
            shop.refer(first["id"], "CP" if kind == "PA" else "RF", **more)

    for _ in range(0, count, 50):
        gevent.joinall(
            [gevent.spawn(one, random.getrandbits(32)) for _ in range(50)], raise_error=True
        )
    shop.settled()
    reconciliation = reconcile_ledgers(shop.ports)
    assert (reconciliation.differences, reconciliation.under_way) == ((), ())


def test_ledgers_balance_after_random_faults(gateway: Gateway) -> None:
    faulty_payments(Shop(gateway, clock=HASTY), seed=1, count=500)


@pytest.mark.proof
@pytest.mark.timeout(1800)
def test_ledgers_balance_after_ten_thousand_random_faults(gateway: Gateway) -> None:
    for seed in range(10):
        faulty_payments(Shop(gateway, clock=HASTY), seed=seed, count=1000)


def test_a_thousand_in_flight_get_their_own_answers(gateway: Gateway) -> None:
    shop = Shop(gateway)
    latency = {"lognormal": {"median_s": 0.3, "sigma": 0.4, "seed": 7}}
    shop.arm({"acquirer": {"approve": {}, "latency": latency}})

    def one(number: int) -> tuple[str, str]:
        amount = f"{number + 1}.00"
        answer = shop.pay(amount=amount)
        assert code_of(answer) == "000.100.112"
        entry = shop.ports.store.get(CardEntry, answer["id"])
        assert answer["resultDetails"]["ConnectorTxID1"] == answer["id"]
        return amount, f"{entry.money.amount}"

    jobs = [gevent.spawn(one, number) for number in range(1000)]
    gevent.joinall(jobs, raise_error=True)
    assert all(sent == booked for sent, booked in (job.value for job in jobs))
    assert not reconcile_ledgers(shop.ports).differences


def test_without_an_answer_the_journal_says_that_the_gateway_decided(shop: Shop) -> None:
    shop.arm({"link": "drop"}, times=1)
    last = [each for entry in entries_about(shop, shop.pay()["id"]) for each in entry.messages][-1]

    assert (last.sender, last.receiver, last.label) == ("gateway", "gateway", REVERSED)


@pytest.mark.parametrize(
    ("amount", "code", "internal"),
    [
        ("9999999999.99", "000.100.112", "000.100.110"),
        # An acquirer that could not settle it declines it.
        ("10000000000.00", "900.100.100", "800.100.174"),
    ],
)
def test_an_amount_of_more_digits_than_a_message_has_fails_over_the_link(
    gateway: Gateway, amount: str, code: str, internal: str
) -> None:
    shop = Shop(gateway, profile="field")
    assert code_of(shop.pay(amount=amount)) == code
    assert code_of(shop.pay("INTERNAL", amount=amount)) == internal
