"""However long an entry is, what is masked of it at once is short: meanwhile all others wait.

Counted in bytes, for times differ from machine to machine.
"""

import re
from collections.abc import Callable, Mapping
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import gevent
import msgspec
import pytest
from falcon.testing import Result

import simulator
from simulator.adapters.journal import JournalRing, MemoryJournal
from simulator.domain.acquiring.requests import AcquirerRequest, AcquirerResponse
from simulator.domain.acquiring.unmatched import UnmatchedAnswer
from simulator.domain.checkouts.forms import create_form_entry
from simulator.domain.core.records import Outcome, PaymentType
from simulator.domain.journal import card_messages, entries, exchanges, stored
from simulator.domain.journal.entries import Entry, Message, Party, WebhookAttempt
from simulator.domain.risk import RiskDecision, RiskRequest
from simulator.tests.kit.checkout_shop import CARD, SESSION, Shop
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.making import NOON
from simulator.tests.kit.twins import HandClock

# A message has 16 KiB. An exchange has its parameters and its answer too.
MASKED_MAX, MASKED_OF_EXCHANGE_MAX = 48 * 1024, 128 * 1024
NUMBER = "4200000000000000"
COUNT, LONG = 9000, f"{NUMBER} a1 " * 40_000
NAMES = [f"customParameters[{int(NUMBER) + number}.a1.1.1.1.1.1.1]" for number in range(COUNT)]
MANY = dict.fromkeys(NAMES, "1")
MAKERS = re.compile(r"def (create_\w+_entry)\(")
WAY = (Party.GATEWAY, Party.ACQUIRER)
ABOUT = ("ndc", "8" * 32)
PAYMENT: Any = SimpleNamespace(
    ndc="ndc", id="8" * 32, checkout=None, created_at=NOON, shown={}, redirect=None,
    attempt=SimpleNamespace(at=NOON), state=None,
    outcome=Outcome(code="000.100.110", decided_by="script", details=MANY),
)  # fmt: skip


class Counted:
    """Counts the bytes that are looked at or masked in one piece."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch):
        self.sizes: list[int] = []
        monkeypatch.setattr(stored, "glance", self._counting(stored.glance))
        monkeypatch.setattr(stored, "masked", self._counting(stored.masked))
        monkeypatch.setattr(stored, "hidden_in", self._counting(stored.hidden_in))
        monkeypatch.setattr(exchanges, "glance", self._counting(exchanges.glance))

    def _counting(self, look: Callable[..., Any]) -> Callable[..., Any]:
        def counted(value: Any, *more: Any) -> Any:
            self.sizes.append(
                len(value if isinstance(value, bytes) else msgspec.json.encode(value))
            )
            return look(value, *more)

        return counted


def wholly_long(kind: Any, **short: Any) -> Entry:
    """An entry of a kind with all that it can have, each too long."""
    message = Message(at=NOON, sender=WAY[0], receiver=WAY[1], label=LONG, body={
        "nested": {"deep": MANY}, "names": NAMES, "mixed": [1, NAMES], "text": LONG, **MANY,
    })  # fmt: skip
    long: Mapping[str, Any] = {
        **dict.fromkeys(stored.MASKED_FIELDS, LONG),
        "request": MANY,
        "rules": tuple(NAMES),
        "near_misses": tuple(NAMES),
        "messages": (message,) * 50,
        "answer": msgspec.Raw(msgspec.json.encode(MANY)),
    }
    fields = {name: long[name] for name in kind.__struct_fields__ if name in long}
    return kind(**{"ndc": "ndc", "at": NOON, **fields, **short})


def risk_entry() -> Entry:
    request: Any = SimpleNamespace(
        **dict.fromkeys(RiskRequest.__struct_fields__)
        | {"type": "DB", "at": NOON, "parameters": MANY}
    )
    return entries.create_risk_entry(PAYMENT, request, RiskDecision(100, None, "risk system"))


def request_entry() -> Entry:
    asked = AcquirerRequest(
        type=PaymentType.DB, payment="8" * 32, entity="e", trace=1, parameters=MANY
    )
    plan = AcquirerResponse(outcome=PAYMENT.outcome, near_misses=tuple(NAMES))
    return exchanges.create_request_entry(PAYMENT, asked, plan)


def webhook_entry() -> Entry:
    attempt = WebhookAttempt(
        ndc="ndc", payment="p", event="PAYMENT", event_id="e", number=1, url="inbox", error=LONG
    )
    return entries.create_webhook_entry(attempt, NOON)


def browser_entry() -> Entry:
    return entries.create_browser_entry(PAYMENT, NOON, WAY, LONG, body=MANY)


def simulator_entry() -> Entry:
    message = entries.create_response_message(PAYMENT.outcome, NOON)
    return entries.create_simulator_entry(ABOUT, PAYMENT.outcome, tuple(NAMES), message)


def unmatched_entry() -> Entry:
    answer = UnmatchedAnswer({"t": "0110", "60": LONG}, tuple(NAMES))
    return card_messages.create_unmatched_entry(ABOUT, answer, NOON)


MADE: Mapping[str, Callable[[], Entry]] = {
    "create_late_response_entry": lambda: entries.create_late_response_entry(PAYMENT, NOON),
    "create_risk_entry": risk_entry,
    "create_browser_entry": browser_entry,
    "create_webhook_entry": webhook_entry,
    "create_simulator_entry": simulator_entry,
    "create_request_entry": request_entry,
    "create_card_request_entry": lambda: card_messages.create_card_request_entry(
        ABOUT, {"t": "0100", "60": LONG}, NOON, MANY
    ),
    "create_card_response_entry": lambda: card_messages.create_card_response_entry(
        ABOUT, {"t": "0110", "60": LONG}, NOON
    ),
    "create_unmatched_entry": unmatched_entry,
    "create_form_entry": lambda: create_form_entry(
        "checkout", NOON, SimpleNamespace(active=True, brands=NAMES)
    ),
    "create_unreadable_entry": lambda: stored.create_unreadable_entry(("ndc", "p"), NOON),
    **{
        kind.__name__: lambda kind=kind, more=more: wholly_long(kind, **more)
        for kind, more in {
            entries.ExchangeEntry: {"until": NOON, "duration_ms": 1.0, "method": "GET",
                                    "status": 200},
            entries.SimulatorEntry: {},
            entries.BrowserEntry: {},
            entries.WebhookEntry: {"event_id": "e", "number": 1},
        }.items()
    },
}  # fmt: skip


def test_every_maker_and_kind_of_entries_is_here() -> None:
    sources = [*Path(simulator.__file__).parent.rglob("*.py")]
    texts = [each.read_text() for each in sources if "tests" not in each.parts]
    makers = {name for text in texts for name in MAKERS.findall(text)}
    assert makers | {kind.__name__ for kind in Entry.__args__} == MADE.keys()


@pytest.mark.parametrize("made", MADE)
def test_what_is_masked_of_a_long_entry_is_bounded(
    monkeypatch: pytest.MonkeyPatch, made: str
) -> None:
    entry, counted, ring = MADE[made](), Counted(monkeypatch), JournalRing(5, timedelta(1))
    journal = MemoryJournal(ring, clock=HandClock(), real=HandClock())
    journal.append_entry(entry, ["secret-of-the-request"])
    is_exchange = isinstance(entry, entries.ExchangeEntry)
    # It is looked at, searched for values that are hidden by their names, and masked.
    assert sum(counted.sizes) <= 3 * (MASKED_OF_EXCHANGE_MAX if is_exchange else MASKED_MAX)
    assert len(msgspec.json.encode(ring.entry(1))) <= MASKED_OF_EXCHANGE_MAX


def by_payment(shop: Shop) -> Result:
    sent = {"entityId": shop.who.entity_id, **SESSION, **CARD, **MANY}
    return shop.gateway.send("/v1/payments", sent, shop.who)


def by_checkout(shop: Shop) -> Result:
    return shop.pay(shop.prepare({**SESSION, **MANY}))


def by_form(shop: Shop) -> Result:
    checkout = shop.prepare({**SESSION, **MANY})
    return shop.submit(checkout, shop.capability(checkout))


@pytest.mark.parametrize("ask", [by_payment, by_checkout, by_form])
@pytest.mark.parametrize("behaviour", ["", "slow"])
@pytest.mark.parametrize("checks", [[], ["risk-amount"]])
def test_what_is_masked_of_a_payment_of_many_names_is_bounded(
    gateway: Gateway,
    monkeypatch: pytest.MonkeyPatch,
    ask: Callable[[Shop], Result],
    behaviour: str,
    checks: list[str],
) -> None:
    shop = Shop(gateway, merchants=[{"channels": [{"risk": checks}]}])
    if behaviour:
        path = f"/sandboxes/{shop.sandbox}/scripts"
        assert gateway.control("POST", path, {"behaviour": behaviour}).status_code == 201
    counted = Counted(monkeypatch)
    with gevent.Timeout(60):
        paying = gevent.spawn(ask, shop)
        while not paying.ready():
            shop.advance("2s")
            gevent.sleep(0.01)
    assert paying.get().status_code == 200
    assert max(counted.sizes) <= MASKED_OF_EXCHANGE_MAX
    found = gateway.control("GET", f"/sandboxes/{shop.sandbox}/journal")
    assert "in all)" in found.text
    assert NUMBER not in found.text
