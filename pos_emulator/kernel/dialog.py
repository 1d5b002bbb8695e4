"""One payment with one card, as it grows: what is known, what was found, what happened."""

from collections.abc import Iterable
from dataclasses import replace

from pos_emulator import apdu
from pos_emulator.apdu import ApduError, CardCommand, CardResponse, parse_response
from pos_emulator.bits import Aip, Tsi, Tvr, bit_name, is_set, with_bit
from pos_emulator.card.slot import CardMuteError, CardRemovedError
from pos_emulator.dol import Dol, fill_dol
from pos_emulator.kernel.history import exchange_event
from pos_emulator.kernel.records import (
    AcceptedApplication,
    CardEvent,
    CardOutcome,
    CardPayment,
    CardResult,
    Devices,
    EndError,
    EntryMode,
    KernelTerminal,
)
from pos_emulator.keys.offline_rsa import PublicKey
from pos_emulator.tags import SECRET
from pos_emulator.tlv import build

GET_RESPONSE = 0xC0
FETCHES_MAX = 4
# What the host gets of the chip (DE55); account and holder travel enciphered beside it.
SENT = (
    "82", "84", "95", "9A", "9C", "5F2A", "5F34", "9F02", "9F03", "9F09", "9F10", "9F1A", "9F1E",
    "9F26", "9F27", "9F33", "9F34", "9F35", "9F36", "9F37", "9F41", "9F6C", "8A", "9F5B",
)  # fmt: skip
ACCOUNT = ("57", "5A", "5F24", "5F20", "5F34")


class Dialog:
    """Collects data objects by tag in `values`; a later one of a tag replaces the earlier."""

    def __init__(
        self,
        terminal: KernelTerminal,
        payment: CardPayment,
        devices: Devices,
        entry_mode: EntryMode,
    ) -> None:
        self.terminal = terminal
        self.payment = payment
        self.devices = devices
        self.entry_mode = entry_mode
        self.application: AcceptedApplication | None = None
        self.read_tags: set[str] = set()
        self.sent = b""
        self.static_data = b""
        self.card_key: PublicKey | None = None
        self.wants_signature = False
        self.method_bypassed = False
        self.asks_pin_later = False
        self.pin: bytes | None = None
        self.needs_signature = False
        self.findings: set[Tvr] = set()
        self.is_sealed = self.was_asked_to_generate = False
        self.history: list[CardEvent] = []
        self.values: dict[str, bytes] = _terminal_values(terminal, payment, devices)

    @property
    def accepted(self) -> AcceptedApplication:
        """The terminal's rules for the chosen application."""
        assert self.application is not None
        return self.application

    def has(self, bit: Aip) -> bool:
        """Whether the card's interchange profile has this bit."""
        return is_set(self.values.get("82", b""), bit)

    def note(self, bit: Tvr | Tsi) -> None:
        """Set a bit of the verification results or of the status information.

        The results stay as they are once a tap's cryptogram is made over them.
        """
        tag = "95" if isinstance(bit, Tvr) else "9B"
        if isinstance(bit, Tvr):
            self.findings.add(bit)
            if self.is_sealed:
                return
        if not is_set(self.values[tag], bit):
            self.values[tag] = with_bit(self.values[tag], bit)
            self.say(bit_name(bit), step="TVR" if tag == "95" else "TSI")

    def found(self, bit: Tvr) -> bool:
        """Whether this was found in the course of the payment."""
        return bit in self.findings

    def say(self, text: str, *, step: str) -> None:
        """Add to what happened; nothing secret."""
        self._keep(CardEvent(step, text))

    def take(self, pairs: Iterable[tuple[str, bytes]]) -> None:
        """Keep data objects that the card gave. A card does not overrule the terminal's own."""
        for tag, value in pairs:
            if tag not in OWN:
                self.values[tag] = value

    def fill(self, dol: Dol) -> bytes:
        """The values that a data object list asks for."""
        return fill_dol(dol, self.values)

    def send(self, command: CardCommand, note: str = "") -> CardResponse:
        """A command to the card and its whole response, fetched if the card says 61 or 6C.

        Raises EndError if the card is silent, gone, or answers with something else.
        """
        response = self._exchange(command, note)
        for _ in range(FETCHES_MAX):
            high, low = response.sw & 0xFF00, response.sw & 0xFF
            if high == apdu.BYTES_LEFT:
                response = self._exchange(CardCommand(0x00, GET_RESPONSE, 0, 0, expected=low))
            elif high == apdu.LENGTH_IS:
                again = replace(command, expected=low)
                response = self._exchange(again, "asked again with the right length")
            else:
                return response
        raise EndError(CardResult.CARD_ERROR, "the card does not hand over its response")

    def _exchange(self, command: CardCommand, note: str = "") -> CardResponse:
        try:
            response = parse_response(self.devices.card.transmit(command.encode()))
        except CardRemovedError:
            raise EndError(CardResult.CARD_REMOVED, "the card was removed") from None
        except (CardMuteError, ApduError):
            raise EndError(CardResult.CARD_ERROR, "the chip does not answer") from None
        self._keep(exchange_event(command, response, note))
        return response

    def _keep(self, event: CardEvent) -> None:
        self.history.append(event)
        self.devices.notice(event)

    def chip_data(self) -> bytes:
        """What the host gets of the chip: data objects without account and holder."""
        return build(*((tag, self.values[tag]) for tag in SENT if tag in self.values))

    def account(self) -> bytes:
        """What is enciphered for the gateway: number, expiry, holder and track 2."""
        return build(*((tag, self.values[tag]) for tag in ACCOUNT if tag in self.values))

    def account_number(self) -> str:
        """The digits of the account number."""
        if "5A" in self.values:
            return self.values["5A"].hex().upper().rstrip("F")
        return self.values.get("57", b"").hex().upper().partition("D")[0]

    def outcome(self, result: CardResult, reason: str) -> CardOutcome:
        """How it stands, as the end of this try."""
        return CardOutcome(
            result,
            reason,
            self.entry_mode,
            code=self.values.get("8A", b"").decode("ascii"),
            icc_data=self.chip_data(),
            account=self.account(),
            needs_signature=self.needs_signature and result is CardResult.APPROVED,
            values={tag: value for tag, value in self.values.items() if tag not in SECRET},
            history=tuple(self.history),
        )


OWN = frozenset({
    "95", "9B", "9A", "9C", "9F02", "9F03", "9F1A", "9F1C", "9F1E", "9F21", "9F33", "9F34", "9F35",
    "9F37", "9F39", "9F40", "9F41", "5F2A", "5F36", "8A", "81",
})  # fmt: skip


def _terminal_values(
    terminal: KernelTerminal, payment: CardPayment, devices: Devices
) -> dict[str, bytes]:
    amount, other = payment.amount + payment.cashback, payment.cashback
    return {
        "81": min(amount, 0xFFFFFFFF).to_bytes(4, "big"),
        "95": bytes(5),
        "9B": bytes(2),
        "9A": bytes.fromhex(payment.at.strftime("%y%m%d")),
        "9F21": bytes.fromhex(payment.at.strftime("%H%M%S")),
        "9C": bytes([payment.kind.value]),
        "5F2A": bytes.fromhex(payment.currency.rjust(4, "0")),
        "5F36": bytes([payment.exponent]),
        "9F02": bytes.fromhex(f"{amount:012d}"),
        "9F03": bytes.fromhex(f"{other:012d}"),
        "9F15": bytes.fromhex(terminal.merchant_category),
        "9F1A": terminal.country,
        "9F1C": terminal.terminal_id.encode("ascii"),
        "9F1E": terminal.serial_number.encode("ascii").ljust(8)[:8],
        "9F33": terminal.capabilities,
        "9F34": bytes.fromhex("3F0000"),
        "9F35": terminal.terminal_type,
        "9F37": devices.random_bytes(4),
        "9F40": terminal.additional_capabilities,
        "9F41": bytes.fromhex(f"{payment.sequence % 10**8:08d}"),
        "9F4E": terminal.merchant_name.encode("ascii", "replace"),
        "9F66": terminal.qualifiers,
    }
