"""Payments at a terminal: what was encrypted becomes a card, and a PIN block for the card host.

Called for payments with pos.entryMode alone. Choices: D-409, D-410, D-411.
"""

from collections.abc import Mapping
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from simulator.domain.acquiring.terminal_data import TerminalData
from simulator.domain.core.contexts import ChannelContext
from simulator.domain.core.ports import HasStore
from simulator.domain.payments.initial import PaymentAttempt
from simulator.domain.ports.terminals import HasSecurityModule
from simulator.domain.terminals.accounts import TerminalAccount, read_account
from simulator.domain.terminals.errors import UnknownKeyError, UnreadableDataError, UsedKeyError
from simulator.domain.terminals.reading import (
    PIN,
    PIN_SERIAL,
    SRED,
    SRED_SERIAL,
    TERMINAL_ID,
    bytes_in,
    chip_data,
    terminal_data,
    violation,
    with_account,
)
from simulator.domain.terminals.serials import KeySerial, Usage, read_serial
from simulator.domain.terminals.terminals import KEYS, InitialKey, TerminalKeys

NUMBER = "card.number"


class ReadingPorts(HasSecurityModule, HasStore, Protocol):
    """What a terminal's data is read with."""


class UsedKey(NamedTuple):
    """A serial number that a payment was sent with, and the parameter it stood in."""

    field: str
    serial: KeySerial


class TerminalReading(NamedTuple):
    """What a terminal read of a card, and the keys it used for it."""

    data: TerminalData
    used: tuple[UsedKey, ...]


def read_terminal_data(
    context: ChannelContext[ReadingPorts], sent: Mapping[str, str]
) -> tuple[Mapping[str, str], TerminalReading]:
    """`sent` with the card that the terminal has read, and what else the terminal sent. Raises
    Violations, UnknownKeyError.

    A card that is sent in the clear, or that a registration has, is the one that pays: what is
    encrypted beside it is not opened.
    """
    used: tuple[UsedKey, ...] = ()
    account: TerminalAccount | None = None
    pin_block = None
    chip = chip_data(sent)
    if SRED in sent and NUMBER not in sent:
        account, key = _account_in(context, sent)
        sent, used = with_account(sent, account), (key,)
    if PIN in sent and NUMBER in sent:
        pin_block, key = _pin_block_in(context, sent)
        used = (*used, key)
    data = terminal_data(sent, account=account, chip=chip, pin_block=pin_block)
    return sent, TerminalReading(data, used)


def count_used_keys(
    ports: ReadingPorts, attempt: PaymentAttempt, used: tuple[UsedKey, ...]
) -> PaymentAttempt:
    """The attempt, which stores the counters of the keys it was encrypted with: of two at once with
    one counter, one conflicts. Raises UsedKeyError, UnknownKeyError.
    """
    counted = tuple(_counted(ports, each) for each in used)
    return replace(attempt, records=(*attempt.records, *counted))


def _counted(ports: ReadingPorts, used: UsedKey) -> InitialKey:
    key = ports.store.get(InitialKey, used.serial.key)
    if key is None:
        raise UnknownKeyError(used.field)
    if used.serial.counter <= key.counter:
        raise UsedKeyError(used.field)
    return replace(key, counter=used.serial.counter)


def _account_in(
    context: ChannelContext[ReadingPorts], sent: Mapping[str, str]
) -> tuple[TerminalAccount, UsedKey]:
    data, serial = bytes_in(sent, SRED), read_serial(sent.get(SRED_SERIAL, ""), SRED_SERIAL)
    sealed = _base_keys(context, sent, UsedKey(SRED_SERIAL, serial), "DATA")
    try:
        account = read_account(context.ports.hsm.decrypt_data(sealed, serial, data))
    except UnreadableDataError:
        rule = f"must be account data, encrypted with the key of {SRED_SERIAL}"
        raise violation(SRED, rule) from None
    return account, UsedKey(SRED_SERIAL, serial)


def _pin_block_in(
    context: ChannelContext[ReadingPorts], sent: Mapping[str, str]
) -> tuple[str, UsedKey]:
    block, serial = bytes_in(sent, PIN), read_serial(sent.get(PIN_SERIAL, ""), PIN_SERIAL)
    sealed = _base_keys(context, sent, UsedKey(PIN_SERIAL, serial), "PIN")
    try:
        translated = context.ports.hsm.translate_pin(sealed, serial, block, sent[NUMBER])
    except UnreadableDataError:
        rule = f"must be a PIN block, encrypted with the key of {PIN_SERIAL}"
        raise violation(PIN, rule, "D-409") from None
    return translated, UsedKey(PIN_SERIAL, serial)


def _base_keys(
    context: ChannelContext[ReadingPorts], sent: Mapping[str, str], used: UsedKey, usage: Usage
) -> str:
    """The sealed base keys, for a key that was loaded into the terminal that sends it, on this
    channel and for this use. Raises UnknownKeyError.
    """
    store = context.ports.store
    key, keys = store.get(InitialKey, used.serial.key), store.get(TerminalKeys, KEYS)
    if key is None or keys is None:
        raise UnknownKeyError(used.field)
    loaded = (key.terminal, key.channel, key.usage, key.method)
    if loaded != (sent[TERMINAL_ID], context.channel.id, usage, used.serial.method):
        raise UnknownKeyError(used.field)
    return keys.sealed
