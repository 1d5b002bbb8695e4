"""Which application pays: the directory of the card, or the terminal's own list, then a choice.

Source: EMV Book 1, 12.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand, CardResponse
from pos_emulator.kernel.dialog import Dialog
from pos_emulator.kernel.records import AcceptedApplication, CardResult, EndError
from pos_emulator.tlv import Node, TlvError, find, find_all, parse

CONTACT_DIRECTORY = b"1PAY.SYS.DDF01"
TAP_DIRECTORY = b"2PAY.SYS.DDF01"
RECORDS_MAX = 16
PARTIAL_MAX = 16
LAST = 16
CONFIRM, PRIORITY = 0x80, 0x0F


@dataclass(frozen=True)
class Candidate:
    """An application that card and terminal share."""

    name: bytes
    label: str
    priority: int
    needs_confirmation: bool
    accepted: AcceptedApplication


def candidates(dialog: Dialog) -> list[Candidate]:
    """The shared applications in the card's order. Raises EndError if the card is blocked."""
    found: list[Candidate] = []
    if dialog.terminal.uses_directory:
        found = list(_from_directory(dialog))
    if not found:
        found = list(_from_list(dialog))
    unique = {candidate.name: candidate for candidate in reversed(found)}
    return sorted(unique.values(), key=lambda candidate: candidate.priority or LAST)


def tap_candidates(dialog: Dialog) -> list[Candidate]:
    """The shared applications that the card offers to a tap."""
    response = select_by_name(dialog, TAP_DIRECTORY)
    if not response.is_ok:
        return []
    found = _in_entries(dialog, response.data)
    return sorted(found, key=lambda candidate: candidate.priority or LAST)


def choose(dialog: Dialog, shared: Sequence[Candidate]) -> Candidate:
    """The application to pay with; the holder chooses where there is a choice or a wish for one."""
    if not shared:
        raise EndError(CardResult.NOT_ACCEPTED, "no application that the terminal accepts")
    if len(shared) == 1 and not shared[0].needs_confirmation:
        return shared[0]
    if not any(candidate.needs_confirmation for candidate in shared):
        return shared[0]
    place = dialog.devices.choose([candidate.label for candidate in shared])
    if place is None or not 0 <= place < len(shared):
        raise EndError(CardResult.CANCELED, "the holder chose no application")
    dialog.say(f"the holder chose {shared[place].label}", step="choice")
    return shared[place]


def select_final(dialog: Dialog, candidate: Candidate) -> bool:
    """Select the chosen application; False if the card refuses it, and another may be tried."""
    response = select_by_name(dialog, candidate.name)
    if not response.is_ok:
        return False
    nodes = _control_information(response)
    name = find(nodes, "84")
    if name is None:
        return False
    dialog.application = candidate.accepted
    dialog.values.update({"9F09": candidate.accepted.version, "9F06": name, "4F": name})
    dialog.take((node.tag, node.value) for node in nodes_in(nodes))
    return True


def select_by_name(dialog: Dialog, name: bytes, *, is_next: bool = False) -> CardResponse:
    """SELECT by name, or the next application whose name begins so."""
    command = CardCommand(0x00, 0xA4, 0x04, 0x02 if is_next else 0x00, name, 0)
    return dialog.send(command)


def nodes_in(nodes: Sequence[Node]) -> Iterator[Node]:
    """The data objects of a selection, without the templates around them."""
    for node in nodes:
        if node.is_constructed:
            yield from nodes_in(node.children)
        else:
            yield node


def _from_directory(dialog: Dialog) -> Iterator[Candidate]:
    response = select_by_name(dialog, CONTACT_DIRECTORY)
    if response.sw == apdu.FUNCTION_NOT_SUPPORTED:
        raise EndError(CardResult.NOT_ACCEPTED, "the card is blocked")
    file = find(_control_information(response), "88") if response.is_ok else None
    if not file or not 1 <= file[0] <= 10:
        return
    for number in range(1, RECORDS_MAX + 1):
        record = dialog.send(CardCommand(0x00, 0xB2, number, file[0] << 3 | 4, expected=0))
        if not record.is_ok:
            return
        yield from _in_entries(dialog, record.data)


def _in_entries(dialog: Dialog, data: bytes) -> Iterator[Candidate]:
    for entry in find_all(_parsed(data), "61"):
        name = find(entry.children, "4F")
        accepted = _accepting(dialog, name) if name else None
        if name and accepted:
            yield _candidate(name, entry.children, accepted)


def _accepting(dialog: Dialog, name: bytes) -> AcceptedApplication | None:
    for accepted in dialog.terminal.applications:
        if name == accepted.aid or (accepted.is_partial and name.startswith(accepted.aid)):
            return accepted
    return None


def _from_list(dialog: Dialog) -> Iterator[Candidate]:
    for accepted in dialog.terminal.applications:
        response = select_by_name(dialog, accepted.aid)
        if response.sw == apdu.FUNCTION_NOT_SUPPORTED:
            raise EndError(CardResult.NOT_ACCEPTED, "the card is blocked")
        for _ in range(PARTIAL_MAX):
            nodes = _control_information(response)
            name = find(nodes, "84")
            if name is None or response.sw not in (apdu.OK, apdu.INVALIDATED):
                break
            is_exact = name == accepted.aid
            if response.is_ok and (is_exact or accepted.is_partial):
                yield _candidate(name, nodes, accepted)
            if is_exact or not accepted.is_partial:
                break
            response = select_by_name(dialog, accepted.aid, is_next=True)


def _candidate(name: bytes, nodes: Sequence[Node], accepted: AcceptedApplication) -> Candidate:
    indicator = (find(nodes, "87") or b"\x00")[0]
    label = find(nodes, "9F12") or find(nodes, "50") or name.hex().upper().encode()
    return Candidate(
        name,
        label.decode("ascii", "replace"),
        indicator & PRIORITY,
        bool(indicator & CONFIRM),
        accepted,
    )


def _control_information(response: CardResponse) -> tuple[Node, ...]:
    return _parsed(response.data)


def _parsed(data: bytes) -> tuple[Node, ...]:
    try:
        return parse(data)
    except TlvError:
        return ()
