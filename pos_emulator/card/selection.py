"""SELECT, GET PROCESSING OPTIONS, READ RECORD and GET DATA: how a card is found and read.

Source: EMV Book 1, 10 to 12; EMV Book 3, 6.5.
"""

from collections.abc import Mapping
from dataclasses import replace

from pos_emulator import apdu
from pos_emulator.apdu import CardCommand, CardResponse
from pos_emulator.card.records import (
    ChipApplication,
    ChipSession,
    ChipStage,
    ChipState,
    Interface,
    Options,
)
from pos_emulator.dol import encode_dol, split_dol
from pos_emulator.tlv import TlvError, build, find, object_bytes, parse

CONTACT_DIRECTORY = b"1PAY.SYS.DDF01"
TAP_DIRECTORY = b"2PAY.SYS.DDF01"
DIRECTORY_FILE = 1
LOG_FILE = 11
LOG_RECORDS_MAX = 10
LOG_ENTRY = bytes([LOG_FILE, LOG_RECORDS_MAX])
BY_NAME, NEXT = 0x04, 0x02
ATC_MAX = 0xFFFF
NAME_SIZES = range(5, 17)

Answer = tuple[ChipState, CardResponse]


def select(state: ChipState, command: CardCommand) -> Answer:
    """Select a directory or an application by its name, or the next one of a partial name."""
    if command.p1 != BY_NAME or command.p2 not in (0x00, NEXT):
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    if len(command.data) not in NAME_SIZES:
        return state, CardResponse(apdu.WRONG_LENGTH)
    if state.memory.card_blocked:
        return state, CardResponse(apdu.FUNCTION_NOT_SUPPORTED)
    if command.data == _directory_name(state):
        return _select_directory(state)
    return _select_application(state, command)


def is_blocked(state: ChipState, application: ChipApplication) -> bool:
    """Whether the issuer has blocked this application."""
    aid = application.aid.hex().upper()
    if aid in state.memory.blocked:
        return True
    return application.is_blocked and aid not in state.memory.unblocked


def _directory_name(state: ChipState) -> bytes:
    contact = state.session.interface is Interface.CONTACT
    return CONTACT_DIRECTORY if contact else TAP_DIRECTORY


def _select_directory(state: ChipState) -> Answer:
    session = ChipSession(interface=state.session.interface, directory=True)
    if session.interface is Interface.CONTACT:
        proprietary = build(("88", bytes([DIRECTORY_FILE])), ("5F2D", b"en"), ("9F11", b"\x01"))
    else:
        entries = b"".join(_entry(application) for application in state.chip.applications)
        proprietary = object_bytes("BF0C", entries)
    content = build(("84", _directory_name(state)), ("A5", proprietary))
    return replace(state, session=session), CardResponse(apdu.OK, object_bytes("6F", content))


def _entry(application: ChipApplication) -> bytes:
    priority = application.priority | 0x80 * application.confirm
    return object_bytes("61", build(
        ("4F", application.aid),
        ("50", application.label.encode("ascii")),
        ("87", bytes([priority])),
    ))  # fmt: skip


def _select_application(state: ChipState, command: CardCommand) -> Answer:
    idle = replace(state, session=ChipSession(interface=state.session.interface))
    matching = [
        index
        for index, application in enumerate(state.chip.applications)
        if application.aid.startswith(command.data)
    ]
    if command.p2 == NEXT:
        last = state.session.application
        matching = [index for index in matching if last is not None and index > last]
    if not matching or state.options is None:
        return idle, CardResponse(apdu.FILE_NOT_FOUND)
    index = matching[0]
    session = replace(
        idle.session, stage=ChipStage.SELECTED, application=index, selected_name=command.data
    )
    status = apdu.INVALIDATED if is_blocked(state, state.chip.applications[index]) else apdu.OK
    return replace(state, session=session), CardResponse(status, _control_information(state, index))


def _control_information(state: ChipState, index: int) -> bytes:
    application, options = state.chip.applications[index], state.options
    priority = application.priority | 0x80 * application.confirm
    proprietary = build(("50", application.label.encode("ascii")), ("87", bytes([priority])))
    if options and options.pdol_bytes:
        proprietary += build(("9F38", options.pdol_bytes))
    proprietary += application.extra + object_bytes("BF0C", build(("9F4D", LOG_ENTRY)))
    return object_bytes("6F", build(("84", application.aid), ("A5", proprietary)))


def start(
    state: ChipState, command: CardCommand
) -> tuple[ChipState, Mapping[str, bytes]] | CardResponse:
    """Begin a payment: the terminal's values are read, the transaction counter goes up by one.

    The caller answers with the options, or with a cryptogram at once after a tap.
    """
    options, session = state.options, state.session
    if session.stage is not ChipStage.SELECTED or options is None or session.application is None:
        return CardResponse(apdu.CONDITIONS_NOT_MET)
    blocked = is_blocked(state, state.chip.applications[session.application])
    if blocked or state.memory.atc >= ATC_MAX:
        return CardResponse(apdu.CONDITIONS_NOT_MET)
    if (command.p1, command.p2) != (0, 0):
        return CardResponse(apdu.WRONG_PARAMETERS)
    try:
        template = find(parse(command.data), "83")
        values = split_dol(options.pdol, template or b"")
    except TlvError:
        return CardResponse(apdu.WRONG_LENGTH)
    if template is None:
        return CardResponse(apdu.WRONG_DATA)
    memory = replace(state.memory, atc=state.memory.atc + 1)
    started = replace(
        session,
        stage=ChipStage.STARTED,
        values=values,
        hashed=template,
        was_online_pending=memory.online_pending,
    )
    return replace(state, memory=memory, session=started), values


def options_answer(state: ChipState, options: Options) -> CardResponse:
    """Application interchange profile and file locator, in the format of the scheme."""
    if state.chip.scheme == "1":
        return CardResponse(apdu.OK, object_bytes("80", options.aip + options.afl))
    content = build(("82", options.aip), ("94", options.afl))
    return CardResponse(apdu.OK, object_bytes("77", content))


def read_record(state: ChipState, command: CardCommand) -> Answer:
    """A record of a file: of the directory, of the application, or of the transaction log."""
    file, number = command.p2 >> 3, command.p1
    if command.p2 & 0x07 != 0x04 or not 1 <= file <= 30 or number == 0:
        return state, CardResponse(apdu.WRONG_PARAMETERS)
    if state.session.directory and file == DIRECTORY_FILE:
        return state, _directory_record(state, number)
    if state.session.stage is ChipStage.IDLE:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    if file == LOG_FILE:
        return state, _log_record(state, number)
    if state.session.stage is ChipStage.SELECTED or state.options is None:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    record = state.options.records.get((file, number))
    return state, CardResponse(apdu.OK, record) if record else CardResponse(apdu.RECORD_NOT_FOUND)


def _directory_record(state: ChipState, number: int) -> CardResponse:
    everything = tuple((index,) for index in range(len(state.chip.applications)))
    layout = state.chip.directory or everything
    if number > len(layout):
        return CardResponse(apdu.RECORD_NOT_FOUND)
    entries = b"".join(_entry(state.chip.applications[index]) for index in layout[number - 1])
    return CardResponse(apdu.OK, object_bytes("70", entries))


def _log_record(state: ChipState, number: int) -> CardResponse:
    if number > len(state.memory.log):
        return CardResponse(apdu.RECORD_NOT_FOUND)
    return CardResponse(apdu.OK, state.memory.log[number - 1])


def get_data(state: ChipState, command: CardCommand) -> Answer:
    """A counter or limit that is in no record: 9F36, 9F13, 9F17, 9F4F, and what the issuer put."""
    if state.session.stage is ChipStage.IDLE:
        return state, CardResponse(apdu.CONDITIONS_NOT_MET)
    memory = state.memory
    known = {
        "9F36": memory.atc.to_bytes(2, "big"),
        "9F13": memory.last_online_atc.to_bytes(2, "big"),
        "9F4F": encode_dol(state.chip.log_format),
        **state.chip.limits,
        **memory.data,
    }
    if state.chip.pin_tries is not None:
        known["9F17"] = bytes([memory.pin_tries])
    tag = f"{command.p1:02X}{command.p2:02X}"
    if tag not in known:
        return state, CardResponse(apdu.DATA_NOT_FOUND)
    return state, CardResponse(apdu.OK, object_bytes(tag, known[tag]))
