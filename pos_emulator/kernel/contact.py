"""A payment with a card in the reader, from its insertion to its removal, step by step.

Read `pay_with_chip` from top to bottom: these are the steps of EMV Book 3, 8.2, in their order.
"""

from dataclasses import replace

from pos_emulator.bits import Tvr
from pos_emulator.card.records import Interface
from pos_emulator.card.slot import CardMuteError, CardRemovedError
from pos_emulator.kernel.actions import CardAction, analyze, analyze_default
from pos_emulator.kernel.completion import (
    AFTER,
    APPROVED_CODES,
    BEFORE,
    ask_host,
    authenticate_issuer,
    first_cryptogram,
    run_scripts,
    second_cryptogram,
    with_code,
)
from pos_emulator.kernel.cvm import verify_holder
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.offline_auth import authenticate_data
from pos_emulator.kernel.reading import read_application, start_application
from pos_emulator.kernel.records import (
    CardOutcome,
    CardPayment,
    CardResult,
    Devices,
    EndError,
    EntryMode,
    KernelTerminal,
    OnlineResponse,
)
from pos_emulator.kernel.restrictions import check_restrictions
from pos_emulator.kernel.risk import manage_risk
from pos_emulator.kernel.selection import candidates, choose, select_final

WRONG_PIN = "55"


def pay_with_chip(terminal: KernelTerminal, payment: CardPayment, devices: Devices) -> CardOutcome:
    """How a payment with an inserted card ended; nothing is raised for what a card may do."""
    dialog = Dialog(terminal, payment, devices, EntryMode.ICC)
    try:
        _read(dialog)
        authenticate_data(dialog)
        check_restrictions(dialog)
        verify_holder(dialog)
        manage_risk(dialog)
        given = first_cryptogram(dialog, analyze(dialog))
        if given is CardAction.GO_ONLINE:
            return _complete_online(dialog)
        return _complete_offline(dialog, given)
    except EndError as end:
        return dialog.outcome(end.result, end.reason)


def read_chip(terminal: KernelTerminal, payment: CardPayment, devices: Devices) -> Dialog:
    """What an inserted card says before anything is asked of it: its application, its records.

    Raises EndError.
    """
    dialog = Dialog(terminal, payment, devices, EntryMode.ICC)
    _read(dialog)
    return dialog


def _read(dialog: Dialog) -> None:
    _power(dialog)
    _select(dialog)
    read_application(dialog)


def _power(dialog: Dialog) -> None:
    try:
        dialog.devices.card.power(Interface.CONTACT)
    except CardMuteError:
        raise EndError(CardResult.CARD_ERROR, "the chip does not answer to its reset") from None
    except CardRemovedError:
        raise EndError(CardResult.CARD_REMOVED, "the card was removed") from None
    dialog.say("the card is in the reader and under power", step="insertion")


def _select(dialog: Dialog) -> None:
    """Choose and start an application; one that refuses is taken off the list."""
    shared = candidates(dialog)
    while True:
        candidate = choose(dialog, shared)
        if select_final(dialog, candidate) and start_application(dialog):
            return
        dialog.say(f"{candidate.label} cannot be used", step="choice")
        shared = [other for other in shared if other != candidate]


def _complete_offline(dialog: Dialog, given: CardAction) -> CardOutcome:
    """The first cryptogram was final: approved (Y1) or declined (Z1) without the host."""
    is_approved = given is CardAction.APPROVE and not dialog.found(Tvr.CDA_FAILED)
    code = "Y1" if is_approved else "Z1"
    with_code(dialog, code)
    if is_approved:
        outcome = dialog.outcome(CardResult.APPROVED, "approved offline")
    else:
        outcome = dialog.outcome(CardResult.DECLINED, "declined offline")
    return replace(outcome, code=code, is_offline=True)


def _complete_online(dialog: Dialog) -> CardOutcome:
    """Ask the host, hand over the answer, get the second cryptogram."""
    if dialog.found(Tvr.CDA_FAILED):
        return _refuse_false_signature(dialog)
    response = ask_host(dialog)
    if response is None:
        return _complete_without_host(dialog)
    is_approved = response.code in APPROVED_CODES
    dialog.values["9F37"] = dialog.devices.random_bytes(4)
    try:
        authenticate_issuer(dialog, response)
        run_scripts(dialog, response, BEFORE)
        asked = CardAction.APPROVE if is_approved else CardAction.DECLINE
        given = second_cryptogram(dialog, asked)
        run_scripts(dialog, response, AFTER)
    except EndError as end:
        return replace(
            dialog.outcome(end.result, end.reason),
            code=response.code,
            must_reverse=is_approved,
            authorization=response.authorization,
        )
    return _judge(dialog, response, given)


def _judge(dialog: Dialog, response: OnlineResponse, given: CardAction) -> CardOutcome:
    """Host and card must both approve; what only the host approved is reversed."""
    host_approved = response.code in APPROVED_CODES
    card_approved = given is CardAction.APPROVE
    if host_approved and card_approved:
        outcome = dialog.outcome(CardResult.APPROVED, "approved online")
    elif host_approved:
        outcome = dialog.outcome(CardResult.DECLINED, "the card declined what the host approved")
    else:
        outcome = dialog.outcome(CardResult.DECLINED, "the host declined")
    return replace(
        outcome,
        code=response.code,
        must_reverse=host_approved and not card_approved,
        pin_was_wrong=response.code == WRONG_PIN,
        authorization=response.authorization,
    )


def _complete_without_host(dialog: Dialog) -> CardOutcome:
    """The host cannot be reached: the default action codes decide (Y3 or Z3)."""
    asked = CardAction.DECLINE
    if not dialog.terminal.is_online_only:
        asked = analyze_default(dialog)
    with_code(dialog, "Y3" if asked is CardAction.APPROVE else "Z3")
    given = second_cryptogram(dialog, asked)
    is_approved = given is CardAction.APPROVE
    code = "Y3" if is_approved else "Z3"
    with_code(dialog, code)
    result = CardResult.APPROVED if is_approved else CardResult.DECLINED
    outcome = dialog.outcome(result, f"{result.value} offline, the host cannot be reached")
    return replace(outcome, code=code, is_offline=True)


def _refuse_false_signature(dialog: Dialog) -> CardOutcome:
    """The signature on the cryptogram does not hold: the payment is declined at once."""
    with_code(dialog, "Z1")
    second_cryptogram(dialog, CardAction.DECLINE)
    outcome = dialog.outcome(CardResult.DECLINED, "the signature of the card does not hold")
    return replace(outcome, code="Z1", is_offline=True)
