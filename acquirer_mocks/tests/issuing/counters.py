"""A counter where cards are put into a terminal, in both test modes: the acquirer of the process is
called, and the card host over its connection.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from acquirer_mocks.internal import InternalAcquirer
from acquirer_mocks.issuing.chip_data import data_objects
from acquirer_mocks.tests.issuing.cards import ZONE_KEY, SmallCard
from acquirer_mocks.tests.test_card_host import End
from simulator.domain.acquiring.answers import plan_in
from simulator.domain.acquiring.chip_cards import ChipCard, ChipFinding
from simulator.domain.acquiring.issuing import CardAccount
from simulator.domain.acquiring.messages import message_of
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.currencies import decimals_of, number_of
from simulator.domain.core.hosts import TEST, Host
from simulator.domain.core.money import Money
from simulator.domain.core.ports import Store, unit_of
from simulator.domain.core.records import Outcome, PaymentType, Script
from simulator.domain.terminals.terminals import KEYS, TerminalKeys
from simulator.tests.adapters.store.memory_store import MemoryStore
from simulator.tests.kit.gateway import Gateway
from simulator.tests.kit.steering import channel_of, shipped_rules
from simulator.tests.kit.twins import HandClock

NOON = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)
RULES = shipped_rules()
# Where the numbers of payments of the live host begin.
LIVE_SALES = 500


class Answer(NamedTuple):
    """What a terminal gets back: outcome, response code, data for the chip by tag."""

    outcome: Outcome
    response: str
    chip: dict[str, bytes]

    @property
    def reason(self) -> str:
        return self.outcome.decided_by


class Counter(Protocol):
    """One of the two test modes."""

    store: Store
    zone_key: bytes

    def ask(self, request: AcquirerRequest) -> Answer: ...


class InternalCounter:
    """The acquirer of the process; what it changes is stored as a payment would."""

    def __init__(self, *scripts: Script, **channel: str):
        self.store, self.zone_key, self.scripts = MemoryStore(), ZONE_KEY, list(scripts)
        self.clock = HandClock(NOON)
        self.acquirer = InternalAcquirer(
            RULES,
            scripts=self._armed,
            channel_of=lambda _: channel_of(**channel),
            store=self.store,
            clock=self.clock,
            zone_key=lambda: self.zone_key,
        )

    def _armed(self) -> Sequence[Script]:
        return self.scripts

    def ask(self, request: AcquirerRequest) -> Answer:
        plan = self.acquirer.plan(request)
        self.store.commit(unit_of(*plan.books))
        response = plan.outcome.details.get("AcquirerResponse", "")
        return Answer(plan.outcome, response, data_objects(plan.outcome.chip or ""))


class ExternalCounter:
    """The card host of a gateway, over a connection of its own."""

    def __init__(self, gateway: Gateway):
        self.gateway, self.end = gateway, End(gateway)
        self.store, hsm = self.end.ports.store, self.end.ports.hsm
        keys = self.store.get(TerminalKeys, KEYS) or TerminalKeys(sealed=hsm.new_keys())
        if not keys.version:
            self.store.commit(unit_of(keys))
        self.zone_key = hsm.zone_key(keys.sealed)
        (merchant,) = self.end.ports.sandbox.merchants
        self.entity = merchant.channels[0].id

    def beside(self) -> "ExternalCounter":
        """Another counter of the same sandbox."""
        return ExternalCounter(self.gateway)

    def ask(self, request: AcquirerRequest) -> Answer:
        assert request.money is not None
        message = message_of(
            replace(request, entity=self.entity),
            self.end.sandbox,
            at=NOON,
            currency=number_of(request.money.currency),
        )
        answer = self.end.ask(message)
        is_tapped = request.terminal is not None and request.terminal.is_contactless
        outcome = plan_in(answer, is_contactless=is_tapped).outcome
        return Answer(outcome, answer["39"], data_objects(answer.get("55", "")))


class Till:
    """Sales at a counter, one after another; what lives on is how many there were."""

    def __init__(self, counter: Counter, host: Host = TEST):
        self.counter, self.host, self.sales = counter, host, 0 if host == TEST else LIVE_SALES

    def sell(
        self,
        card: SmallCard,
        amount: str = "92.00",
        *,
        read: str = "05",
        pin: str | None = None,
        kind: PaymentType = PaymentType.DB,
        currency: str = "EUR",
        is_offline: bool = False,
        **more: str | None,
    ) -> Answer:
        """A payment of a card that was read so. `more` are members of TerminalData."""
        data: dict[str, str | None] = {"sequence": f"0{card.sequence}"}
        if read in ("05", "07"):
            units = int(Decimal(amount).scaleb(decimals_of(currency)))
            data["chip"] = card.chip(amount=units, **{"5F2A": f"0{number_of(currency)}"})
        if read in ("80", "90"):
            data["track"] = card.track()
        if pin is not None:
            data |= {"pin_block": card.pin_block(pin, key=self.counter.zone_key)}
            data |= {"pin_format": "2001010100000000"}
        terminal = TerminalData(
            entry_mode=f"{read}1",
            terminal="10000042",
            is_offline=is_offline,
            **{**data, **more},
        )
        return self.counter.ask(self.request(card, amount, terminal, kind, currency))

    def request(
        self,
        card: SmallCard,
        amount: str,
        terminal: TerminalData,
        kind: PaymentType = PaymentType.DB,
        currency: str = "EUR",
    ) -> AcquirerRequest:
        self.sales += 1
        return AcquirerRequest(
            type=kind,
            payment=f"{self.sales:032x}",
            entity="8c" * 16,
            trace=self.sales,
            brand="VISA",
            number=card.profile.number,
            money=Money(Decimal(amount), currency),
            terminal=terminal,
            host=self.host,
        )

    def known(self, card: SmallCard) -> ChipCard:
        """The card as its issuer knows it."""
        found = self.counter.store.get(ChipCard, f"{card.name}.{card.sequence}")
        assert found is not None
        return found

    def findings(self) -> list[ChipFinding]:
        return list(self.counter.store.between(ChipFinding, "date", "", "~"))

    def charged(self, card: SmallCard) -> str:
        account = self.counter.store.get(CardAccount, f"{card.name}.EUR")
        return "0.00" if account is None else str(account.taken)
