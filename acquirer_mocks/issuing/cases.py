"""What an issuer is asked when a card is at a terminal: the payment, and the card it knows."""

from collections.abc import Callable
from typing import NamedTuple

from acquirer_mocks.issuer import IssuerCase
from acquirer_mocks.issuing.checks import CHIP_READ, TAPPED, TerminalPayment
from acquirer_mocks.issuing.chip_data import data_objects
from acquirer_mocks.issuing.cryptograms import Objects, card_keys, is_valid, lacking
from acquirer_mocks.issuing.tracks import TrackData, track_data
from scenarios.terminal_cards import TerminalCard, terminal_card, terminal_cards
from simulator.domain.acquiring.chip_cards import ChipCard, chip_card_id
from simulator.domain.acquiring.issuing import EFFECTS
from simulator.domain.acquiring.requests import AcquirerRequest
from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.currencies import number_of
from simulator.domain.core.money import ZERO
from simulator.domain.core.ports import Clock, Store

SEQUENCE = "5F34"
READ_BY_KEYS = CHIP_READ | TAPPED


class Issuer(NamedTuple):
    """What the issuer of one sandbox works with; `zone_key` gives the key of PIN blocks."""

    store: Store
    clock: Clock
    zone_key: Callable[[], bytes | None]


class ChipCase(NamedTuple):
    """A payment at a terminal by a card with a profile: its account, what its issuer checks, and
    the card as the issuer knows it.
    """

    ask: AcquirerRequest
    read: TerminalData
    account: IssuerCase
    payment: TerminalPayment
    state: ChipCard


def chip_case_of(account: IssuerCase, ask: AcquirerRequest, issuer: Issuer) -> ChipCase | None:
    """The case of a payment at a terminal; None where no terminal read a card of the profiles."""
    found = terminal_card(ask.number or "")
    if found is None or ask.terminal is None:
        return None
    name, card = found
    payment = _payment_of(card, ask, ask.terminal, issuer)
    identity = chip_card_id(name, payment.sequence, ask.host)
    state = issuer.store.get(ChipCard, identity) or ChipCard(id=identity)
    return ChipCase(ask, ask.terminal, account, payment, state)


def _payment_of(
    card: TerminalCard, ask: AcquirerRequest, read: TerminalData, issuer: Issuer
) -> TerminalPayment:
    bank, chip = terminal_cards().issuer, _objects_in(read.chip)
    sequence = _sequence_of(card, read, chip)
    keys = card_keys(bank, card, sequence)
    money, effect = ask.money, EFFECTS.get(ask.type)
    is_own_currency = money is not None and f"0{number_of(money.currency)}" == bank.currency
    return TerminalPayment(
        issuer=bank,
        card=card,
        sequence=sequence,
        keys=keys,
        entry_mode=read.entry_mode,
        now=issuer.clock.now(),
        money=money,
        amount=money.amount if money is not None and is_own_currency else ZERO,
        is_charge=effect is not None and effect.charges,
        chip=chip,
        is_authentic=chip is not None and not lacking(chip) and is_valid(keys, chip),
        track=_track_in(read.track),
        pin_block=read.pin_block,
        zone_key=None if read.pin_block is None else issuer.zone_key(),
    )


def _objects_in(chip: str | None) -> Objects | None:
    try:
        return None if chip is None else data_objects(chip)
    except ValueError:
        return {}


def _track_in(track: str | None) -> TrackData | None:
    try:
        return None if track is None else track_data(track)
    except ValueError:
        return None


def _sequence_of(card: TerminalCard, read: TerminalData, chip: Objects | None) -> str:
    """Two digits: of field 23, else of the chip, else as the profile has it. Only keys show which
    card it is that was read: one that was swiped or typed in is that of the profile.
    """
    if read.entry_mode[:2] not in READ_BY_KEYS:
        return card.sequence
    in_chip = (chip or {}).get(SEQUENCE, b"").hex()
    found = (read.sequence or in_chip)[-2:]
    return found if len(found) == 2 and found.isascii() and found.isdigit() else card.sequence
