"""What an issuer checks of a payment at a terminal, in this order; the first that fails declines.

Pure: what it needs comes in, the answer and the changed card come out. A reason is words for the
trace and has neither number nor PIN, key or track. Choices: D-431 to D-434, D-438, D-439.
"""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from msgspec.structs import replace

from acquirer_mocks.issuing.cryptograms import (
    COUNTER,
    CRYPTOGRAM,
    CardKeys,
    Objects,
    lacking,
)
from acquirer_mocks.issuing.pins import is_pin_of
from acquirer_mocks.issuing.signed_values import differing
from acquirer_mocks.issuing.tracks import (
    TrackData,
    full_counter,
    is_code_valid,
    is_tap_code_valid,
    tap_code,
)
from scenarios.terminal_cards import CardIssuer, TerminalCard
from simulator.domain.acquiring.chip_cards import ChipCard
from simulator.domain.core.money import ZERO, Money

CONTACT = "05"
CHIP_READ = frozenset({CONTACT, "07"})
MAGSTRIPE_READ = frozenset({"80", "90"})
TAPPED = frozenset({"07", "91"})
TAPPED_MAGSTRIPE = "91"
CODE_READ = MAGSTRIPE_READ | {TAPPED_MAGSTRIPE}
# Results of cardholder verification (9F34): PIN checked by the card, and it was valid.
VERIFICATION, PIN_BY_CARD, SUCCESSFUL = "9F34", frozenset({1, 3, 4, 5}), 2
METHOD_BITS = 0x3F
CRYPTOGRAM_FAILURE, DECLINED = "88", "05"
EXPIRED, WRONG_PIN, PIN_BLOCKED, PIN_NOT_CHECKED = "54", "55", "75", "86"


class TerminalPayment(NamedTuple):
    """What an issuer is asked: the card and its keys, how it was read, and what came with it.

    `chip` are the data objects of field 55; None where they cannot be read or there are none. Where
    it `is_authentic`, their cryptogram is the one of this card over them.
    `money` is what is asked for, `amount` what of it is in the currency of the card: zero in any
    other, or where there is none.
    """

    issuer: CardIssuer
    card: TerminalCard
    sequence: str
    keys: CardKeys
    entry_mode: str
    now: datetime
    money: Money | None = None
    amount: Decimal = ZERO
    is_charge: bool = True
    chip: Objects | None = None
    is_authentic: bool = False
    track: TrackData | None = None
    pin_block: str | None = None
    zone_key: bytes | None = None

    def __repr__(self) -> str:
        return f"TerminalPayment({self.entry_mode})"

    @property
    def read(self) -> str:
        """How the card was read: the first two digits of field 22."""
        return self.entry_mode[:2]


class Verdict(NamedTuple):
    """What a check found: the card as it is afterwards, and where it fails, the response code that
    is answered, the one that it means, and why.
    """

    state: ChipCard
    response: str | None = None
    means: str | None = None
    reason: str = ""


def examined(payment: TerminalPayment, state: ChipCard) -> Verdict:
    """The verdict of the first check that fails, else one without a response code."""
    verdict = Verdict(state)
    for check in CHECKS:
        verdict = check(payment, verdict.state)
        if verdict.response is not None:
            return verdict
    return verdict


def noticed(payment: TerminalPayment, state: ChipCard) -> Verdict:
    """What is seen of a card that is not judged: whether it is authentic, and its counter."""
    verdict = check_authenticity(payment, state)
    return verdict if verdict.means == CRYPTOGRAM_FAILURE else Verdict(verdict.state)


def check_authenticity(payment: TerminalPayment, state: ChipCard) -> Verdict:
    """The cryptogram of a chip and its counter, or the code on a track. A card whose number was
    typed in has neither, and a refund needs none.
    """
    if payment.read in CHIP_READ:
        return _check_cryptogram(payment, state)
    if payment.read == TAPPED_MAGSTRIPE:
        return _check_tap_code(payment, state)
    if payment.read in MAGSTRIPE_READ:
        return _check_magstripe(payment, state)
    return Verdict(state)


def check_expiry(payment: TerminalPayment, state: ChipCard) -> Verdict:
    """The last month of the card, as the issuer knows it and as the track has it."""
    card = payment.card
    if payment.track is not None and payment.track.expiry != card.expiry:
        return Verdict(state, EXPIRED, reason="the expiry date is not that of the card")
    if payment.now.strftime("%y%m") > card.expiry:
        return Verdict(state, EXPIRED, reason="the card has expired")
    return Verdict(state)


def check_status(payment: TerminalPayment, state: ChipCard) -> Verdict:
    """A card that its profile refuses, whatever it is used for."""
    refused = payment.card.issuer.refuses
    if refused is None:
        return Verdict(state)
    return Verdict(state, refused, reason=f"the profile refuses every payment with {refused}")


def check_pin(payment: TerminalPayment, state: ChipCard) -> Verdict:
    """The PIN, where one was entered: each wrong one counts, the last try blocks it. With a number
    alone no PIN is checked, so that none is guessed and none blocked.
    """
    tries = payment.card.issuer.pin_tries
    if payment.pin_block is None:
        return Verdict(state)
    if payment.card.pvv is None or payment.zone_key is None:
        reason = "a PIN for a card without one, or no key to read it with"
        return Verdict(state, PIN_NOT_CHECKED, reason=reason)
    if not _is_proven(payment):
        reason = "a PIN with a number alone: nothing shows that the card is there"
        return Verdict(state, PIN_NOT_CHECKED, reason=reason)
    if state.wrong_pins >= tries:
        return Verdict(state, PIN_BLOCKED, reason="the PIN is blocked")
    if is_pin_of(payment.card, payment.issuer, payment.pin_block, zone_key=payment.zone_key):
        return Verdict(_new_row(replace(state, wrong_pins=0)))
    return _wrong_pin(replace(state, wrong_pins=state.wrong_pins + 1), tries)


def check_taps(payment: TerminalPayment, state: ChipCard) -> Verdict:
    """Contactless payments in a row without a PIN: their number, and their sum. A PIN that the card
    checked begins a new row; a phone that knows its holder is not counted.
    """
    if payment.read not in TAPPED:
        return Verdict(_new_row(state) if _card_checked_pin(payment) else state)
    if not _is_counted(payment):
        return Verdict(state)
    rules = payment.card.issuer
    taps, amount = state.taps + 1, state.taps_amount + payment.amount
    if taps > rules.taps:
        reason = f"tap {taps} since the last PIN, at most {rules.taps}"
        return Verdict(state, rules.taps_exceeded, reason=reason)
    if amount > rules.taps_amount:
        reason = f"{amount} by taps since the last PIN, at most {rules.taps_amount}"
        return Verdict(state, rules.taps_exceeded, reason=reason)
    return Verdict(replace(state, taps=taps, taps_amount=amount))


CHECKS: tuple[Callable[[TerminalPayment, ChipCard], Verdict], ...] = (
    check_authenticity,
    check_expiry,
    check_status,
    check_pin,
    check_taps,
)


def _check_cryptogram(payment: TerminalPayment, state: ChipCard) -> Verdict:
    if payment.chip is None and not payment.is_charge:
        return Verdict(state)
    chip = payment.chip or {}
    missing = lacking(chip)
    if missing:
        return _not_authentic(payment, state, f"chip data lacks {', '.join(missing)}")
    if not payment.is_authentic:
        kind = "of this card over this data"
        return _not_authentic(payment, state, f"{CRYPTOGRAM}: not the cryptogram {kind}")
    verdict = _check_counter(payment, state, int.from_bytes(chip[COUNTER], "big"))
    said = None
    if payment.is_charge and payment.money is not None:
        said = differing(chip, payment.money)
    # The card itself is there: its counter stays known, also where an offline approval comes late.
    return verdict if said is None else _not_authentic(payment, verdict.state, said)


def _check_counter(payment: TerminalPayment, state: ChipCard, counter: int) -> Verdict:
    """A counter that goes on from the last one seen; the card itself is authentic by now."""
    last = state.counter
    if last is not None and counter <= last:
        reason = f"ATC {counter} after {last}: a payment is repeated"
        return Verdict(state, DECLINED, means=DECLINED, reason=reason)
    known = replace(state, counter=counter)
    jump = payment.card.issuer.atc_jump
    if last is not None and counter - last > jump:
        reason = f"ATC {counter} after {last}: more than {jump} further"
        return Verdict(known, DECLINED, means=DECLINED, reason=reason)
    return Verdict(known)


def _check_tap_code(payment: TerminalPayment, state: ChipCard) -> Verdict:
    tap = payment.card.contactless
    tapped = tap_code(tap.track2, payment.track) if tap and tap.track2 and payment.track else None
    if tapped is None or payment.track is None:
        return _not_authentic(payment, state, "track 2 has no dynamic code")
    counter = full_counter(tapped.counter, state.counter or 0)
    if not is_tap_code_valid(
        payment.issuer, payment.card, payment.track, sequence=payment.sequence, counter=counter
    ):
        return _not_authentic(payment, state, "the dynamic code is not that of this card and tap")
    return _check_counter(payment, state, counter)


def _check_magstripe(payment: TerminalPayment, state: ChipCard) -> Verdict:
    track = payment.track
    if track is None:
        return _not_authentic(payment, state, "track 2 cannot be read")
    if not is_code_valid(payment.issuer, payment.card, track, in_chip=False):
        return _not_authentic(payment, state, "the code on the magstripe is not valid")
    return Verdict(state)


def _is_proven(payment: TerminalPayment) -> bool:
    """Whether the card itself is there, once `check_authenticity` found nothing wrong."""
    return payment.is_authentic if payment.read in CHIP_READ else payment.read in CODE_READ


def _not_authentic(payment: TerminalPayment, state: ChipCard, reason: str) -> Verdict:
    return Verdict(
        state,
        payment.card.issuer.wrong_cryptogram,
        means=CRYPTOGRAM_FAILURE,
        reason=reason,
    )


def _wrong_pin(state: ChipCard, tries: int) -> Verdict:
    left = tries - state.wrong_pins
    if left <= 0:
        return Verdict(state, PIN_BLOCKED, reason="PIN not valid, no try left: the PIN is blocked")
    word = "try" if left == 1 else "tries"
    return Verdict(state, WRONG_PIN, reason=f"PIN not valid, {left} {word} left")


def _new_row(state: ChipCard) -> ChipCard:
    return replace(state, taps=0, taps_amount=ZERO)


def _is_counted(payment: TerminalPayment) -> bool:
    """Whether a tap belongs to the row: it charges, and nothing says who holds the card."""
    device = payment.card.contactless
    is_verified = payment.pin_block is not None or (device is not None and device.device_verified)
    return payment.is_charge and not is_verified


def _card_checked_pin(payment: TerminalPayment) -> bool:
    result = (payment.chip or {}).get(VERIFICATION, b"")
    if payment.read not in CHIP_READ or len(result) != 3:
        return False
    return result[0] & METHOD_BITS in PIN_BY_CARD and result[2] == SUCCESSFUL
