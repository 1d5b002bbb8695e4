"""What an issuer keeps of cards: changed by one payment at a time, taken along by snapshots, and
without a secret.
"""

import logging
from collections.abc import Iterator
from pathlib import Path

import gevent
import pytest

from acquirer_mocks.tests.issuing.cards import FILE, ISSUER, SmallCard
from acquirer_mocks.tests.issuing.counters import ExternalCounter, InternalCounter, Till
from simulator.domain.acquiring.chip_cards import ChipCard
from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.errors import ConflictError
from simulator.domain.core.ports import unit_of
from simulator.tests.kit.gateway import Gateway
from simulator.tests.sandboxes.test_snapshots import restore, snapshot

GOLD = SmallCard("gold")


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    made = Gateway(tmp_path, durability="os")
    yield made
    made.close()


def test_two_wrong_pins_at_once_count_as_two() -> None:
    counter = InternalCounter()
    till, card = Till(counter), SmallCard("gold")
    block = card.pin_block("9999")
    requests = [
        till.request(
            card,
            "92.00",
            TerminalData(entry_mode="051", terminal="10000042", chip=card.chip(), pin_block=block),
        )
        for _ in range(2)
    ]
    plans = [counter.acquirer.plan(each) for each in requests]
    counter.store.commit(unit_of(*plans[0].books))
    with pytest.raises(ConflictError):
        counter.store.commit(unit_of(*plans[1].books))
    assert counter.ask(requests[1]).response == "55"
    assert till.known(card).wrong_pins == 2


def test_wrong_pins_over_many_connections_all_count(gateway: Gateway) -> None:
    card = SmallCard("wrong-pin-proof")
    first = ExternalCounter(gateway)
    tills = [Till(first), *(Till(first.beside()) for _ in range(4))]
    answers: list[str] = []

    def enter_wrong(number: int, till: Till) -> None:
        till.sales = 100 * number
        answers.extend(till.sell(card, read="90", pin="0000").response for _ in range(3))

    gevent.joinall(
        [gevent.spawn(enter_wrong, *each) for each in enumerate(tills)], raise_error=True
    )
    assert sorted(answers) == ["55"] * 14 + ["75"]
    assert tills[0].known(card).wrong_pins == 15


def test_a_snapshot_takes_cards_along_and_a_reset_forgets_them(gateway: Gateway) -> None:
    counter = ExternalCounter(gateway)
    till = Till(counter)
    sandbox = counter.end.sandbox
    till.sell(GOLD, pin="9999")
    taken = snapshot(gateway, sandbox).content
    till.sell(GOLD, pin="9999")
    assert till.known(GOLD).wrong_pins == 2

    assert restore(gateway, taken).status_code == 200
    restored = gateway.ports(sandbox).store.get(ChipCard, "gold.01")
    assert restored is not None
    assert restored.wrong_pins == 1

    gateway.control("POST", f"/sandboxes/{sandbox}/reset")
    assert gateway.ports(sandbox).store.get(ChipCard, "gold.01") is None


def test_nothing_secret_is_stored_logged_or_answered(
    gateway: Gateway, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    till = Till(ExternalCounter(gateway))
    card = SmallCard("wrong-pin-proof")
    pin = card.profile.pin
    assert pin is not None
    answers = [
        till.sell(card, pin="9999"),
        till.sell(card, pin=pin),
        till.sell(card, chip=SmallCard("gold").chip()),
        till.sell(card, read="90", pin=pin),
        till.sell(card, read="90", track=card.track(service_code="101")),
        till.sell(card, is_offline=True, chip="9F26"),
    ]
    keys = [*(getattr(ISSUER.master_keys, name) for name in ("ac", "smi", "smc", "cvc3"))]
    keys += [ISSUER.pvk, ISSUER.cvk, till.counter.zone_key.hex()]
    secrets = {
        card.profile.number,
        card.track(),
        card.profile.discretionary.magstripe,
        card.pin_block(pin, key=till.counter.zone_key),
        *keys,
    }
    journal = gateway.control("GET", f"/sandboxes/{till.counter.end.sandbox}/journal").text
    files = b"".join(path.read_bytes() for path in tmp_path.rglob("*") if path.is_file())
    seen = "\n".join([caplog.text, journal, repr(answers), files.decode("latin-1")]).upper()
    for secret in secrets:
        assert secret.upper() not in seen
    for key in keys:
        assert bytes.fromhex(key) not in files
    reasons = [answer.reason for answer in answers] + [each.reason for each in till.findings()]
    assert not any(pin in reason or "9999" in reason for reason in reasons)


@pytest.mark.parametrize("name", FILE.cards)
def test_a_profile_shows_nothing_in_a_traceback(name: str) -> None:
    shown = repr(FILE.cards[name]) + repr(FILE.issuer)
    assert FILE.cards[name].number not in shown
