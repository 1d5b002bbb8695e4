"""Cryptograms, the issuer's answer, scripts: how a payment with a chip is completed.

Source: EMV Book 3, 10.8 to 10.11.
"""

from collections.abc import Mapping

from pos_emulator.apdu import ApduError, CardCommand, parse_command
from pos_emulator.bits import Aip, Tsi, Tvr
from pos_emulator.dol import parse_dol
from pos_emulator.kernel.actions import CardAction
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.offline_auth import read_signed_cryptogram
from pos_emulator.kernel.reading import parsed
from pos_emulator.kernel.records import (
    CardResult,
    EndError,
    HostUnreachableError,
    OnlineRequest,
    OnlineResponse,
)
from pos_emulator.tlv import TlvError, find, find_all, leaves, parse

CDA = 0x10
KIND_MASK = 0xC0
APPROVED_CODES = frozenset({"00", "08", "10", "11"})
BEFORE, AFTER = "71", "72"
SCRIPTS_SIZE_MAX = 128
SIZES: Mapping[str, int] = {"82": 2, "9F26": 8, "9F27": 1, "9F36": 2}
ISSUER_DATA_SIZE_MAX = 32
SCRIPT_OK, SCRIPT_FAILED = 0x20, 0x10


def first_cryptogram(dialog: Dialog, action: CardAction) -> CardAction:
    """GENERATE AC; what the card gave may be less than what was asked for."""
    return _generate(dialog, action, "8C", is_first=True)


def second_cryptogram(dialog: Dialog, action: CardAction) -> CardAction:
    """GENERATE AC after the host answered, or could not be reached."""
    return _generate(dialog, action, "8D", is_first=False)


def _generate(dialog: Dialog, action: CardAction, tag: str, *, is_first: bool) -> CardAction:
    try:
        data = dialog.fill(parse_dol(dialog.values[tag]))
    except TlvError:
        raise EndError(CardResult.CARD_ERROR, "the card's list of data is damaged") from None
    dialog.sent += data
    with_signature = dialog.wants_signature and action is not CardAction.DECLINE
    parameter = action.value | (CDA if with_signature else 0)
    response = dialog.send(CardCommand(0x80, 0xAE, parameter, 0x00, data, 0), _asked(action))
    if not response.is_ok:
        raise EndError(CardResult.CARD_ERROR, "the card gives no cryptogram")
    if is_first:
        dialog.note(Tsi.CARD_RISK_MANAGEMENT_PERFORMED)
    objects = _read(response.data)
    if "9F4B" in objects:
        require(objects, "9F27", "9F36")
        if not read_signed_cryptogram(dialog, response.data, sent=dialog.sent):
            return CardAction.DECLINE if not is_first else given(dialog)
    else:
        require(objects, "9F27", "9F36", "9F26")
        dialog.take(objects.items())
        if with_signature and given(dialog) is not CardAction.DECLINE:
            dialog.note(Tvr.CDA_FAILED)
    return given(dialog)


def require(objects: Mapping[str, bytes], *tags: str) -> None:
    """Raise EndError if a response lacks one of these objects, or one has another length."""
    for tag in tags:
        if len(objects.get(tag, b"")) != SIZES[tag]:
            raise EndError(CardResult.CARD_ERROR, f"the card gives no {tag}")
    if len(objects.get("9F10", b"")) > ISSUER_DATA_SIZE_MAX:
        raise EndError(CardResult.CARD_ERROR, "the card's data for its issuer are too long")


def _asked(action: CardAction) -> str:
    return f"asked to {action.name.lower().replace('_', ' ')}"


def given(dialog: Dialog) -> CardAction:
    """What the last cryptogram says. Raises EndError if there is none."""
    information = dialog.values.get("9F27", b"")
    kinds = {action.value: action for action in CardAction}
    if len(information) != 1 or information[0] & KIND_MASK not in kinds:
        raise EndError(CardResult.CARD_ERROR, "the card's cryptogram is of no known kind")
    return kinds[information[0] & KIND_MASK]


def _read(data: bytes) -> dict[str, bytes]:
    nodes = parsed(data)
    if nodes and nodes[0].tag == "80":
        content = nodes[0].value
        if len(content) < 11:
            raise EndError(CardResult.CARD_ERROR, "the cryptogram is cut off")
        parts = {"9F27": content[:1], "9F36": content[1:3], "9F26": content[3:11]}
        return parts | ({"9F10": content[11:]} if content[11:] else {})
    return {node.tag: node.value for node in leaves(nodes)}


def ask_host(dialog: Dialog) -> OnlineResponse | None:
    """The host's answer; None if it cannot be reached."""
    request = OnlineRequest(
        dialog.entry_mode,
        dialog.chip_data(),
        account=dialog.account(),
        track2=dialog.values.get("57", b""),
        sequence=dialog.values.get("5F34", b""),
        pin=dialog.pin,
    )
    try:
        response = dialog.devices.host(request)
    except HostUnreachableError:
        dialog.say("the host cannot be reached", step="host")
        return None
    dialog.say(f"the host answered {response.code}", step="host")
    dialog.values["8A"] = response.code.encode("ascii")
    return response


def authenticate_issuer(dialog: Dialog, response: OnlineResponse) -> None:
    """Hand the issuer's answer to the card: now, or with the second cryptogram."""
    if not response.issuer_data:
        return
    dialog.values["91"] = response.issuer_data
    dialog.note(Tsi.ISSUER_AUTHENTICATION_PERFORMED)
    if not dialog.has(Aip.ISSUER_AUTHENTICATION_SUPPORTED):
        return
    result = dialog.send(CardCommand(0x00, 0x82, 0x00, 0x00, response.issuer_data))
    if not result.is_ok:
        dialog.note(Tvr.ISSUER_AUTHENTICATION_FAILED)


def run_scripts(dialog: Dialog, response: OnlineResponse, tag: str) -> None:
    """The issuer's commands of template 71 (before the second cryptogram) or 72 (after it)."""
    failed = (
        Tvr.SCRIPT_PROCESSING_FAILED_BEFORE_GEN_AC
        if tag == BEFORE
        else Tvr.SCRIPT_PROCESSING_FAILED_AFTER_GEN_AC
    )
    try:
        if len(response.scripts) > SCRIPTS_SIZE_MAX:
            raise TlvError(SCRIPTS_SIZE_MAX, "the scripts are too long")
        nodes = parse(response.scripts)
    except TlvError:
        dialog.note(failed)
        return
    for script in find_all(nodes, tag):
        dialog.note(Tsi.SCRIPT_PROCESSING_PERFORMED)
        commands = [node.value for node in script.children if node.tag == "86"]
        done = _run(dialog, commands)
        if done < len(commands):
            dialog.note(failed)
        status = SCRIPT_OK if done == len(commands) else SCRIPT_FAILED | min(done + 1, 15)
        identifier = (find(script.children, "9F18") or b"").rjust(4, b"\x00")[-4:]
        results = dialog.values.get("9F5B", b"") + bytes([status]) + identifier
        dialog.values["9F5B"] = results


def _run(dialog: Dialog, commands: list[bytes]) -> int:
    """Send commands until one fails; how many were done."""
    for place, command in enumerate(commands):
        try:
            response = dialog.send(parse_command(command), "for the issuer")
        except ApduError:
            return place
        if response.sw & 0xF000 != 0x9000 and response.sw >> 8 not in (0x62, 0x63):
            return place
    return len(commands)


def with_code(dialog: Dialog, code: str) -> None:
    """Keep a response code that the terminal itself decided: Y1, Z1, Y3 or Z3."""
    dialog.values["8A"] = code.encode("ascii")
