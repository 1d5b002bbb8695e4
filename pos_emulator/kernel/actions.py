"""Action analysis: what the findings so far mean. Source: EMV Book 3, 10.7."""

from enum import Enum

from pos_emulator.kernel.dialog import Dialog

NOTHING, EVERYTHING = bytes(5), b"\xff" * 5


class CardAction(Enum):
    """What the terminal asks the card for, by the bits of GENERATE AC."""

    DECLINE = 0x00
    APPROVE = 0x40
    GO_ONLINE = 0x80


def analyze(dialog: Dialog) -> CardAction:
    """The action before going online: decline, go online, or approve offline."""
    rules, values = dialog.accepted.actions, dialog.values
    if _meets(dialog, rules.denial, values.get("9F0E", NOTHING)):
        return CardAction.DECLINE
    if dialog.terminal.is_online_only:
        return CardAction.GO_ONLINE
    if dialog.terminal.is_offline_only:
        return analyze_default(dialog)
    if _meets(dialog, rules.online, values.get("9F0F", EVERYTHING)):
        return CardAction.GO_ONLINE
    return CardAction.APPROVE


def analyze_default(dialog: Dialog) -> CardAction:
    """The action where the host cannot be reached: decline or approve offline."""
    issuer = dialog.values.get("9F0D", EVERYTHING)
    if _meets(dialog, dialog.accepted.actions.default, issuer):
        return CardAction.DECLINE
    return CardAction.APPROVE


def _meets(dialog: Dialog, terminal: bytes, issuer: bytes) -> bool:
    """Whether a finding is among those that terminal or issuer name."""
    found = int.from_bytes(dialog.values["95"], "big")
    return bool(found & (int.from_bytes(terminal, "big") | int.from_bytes(issuer[:5], "big")))
