"""Mutants of terminals: encrypted accounts and PINs, chip data, what is printed."""

from features.mutants.changes import (
    accept_parameters,
    change_at,
    claim_success_for,
    refuse,
    refuse_parameters,
    replace_at,
    replace_members,
)
from features.mutants.mutant import mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer

ACCOUNT, ACCOUNT_KEY = "pos.encryptedSred.data", "pos.encryptedSred.ksn"
PIN, CHIP = "pos.encryptedPin.data", "pos.iccDataResponse"
# The first byte of the issuer's cryptogram, behind tag 91 and its length.
CRYPTOGRAM = slice(4, 6)


@mutant("SVC-19", killed_by=("A terminal pays whatever way the card was read",))
def needs_a_chip(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A terminal pays by chip alone."""
    mode = request.parameters.get("pos.entryMode", "ICC")
    answer = original.forward(request)
    return answer if mode in ("ICC", "NFC_ICC") else refuse(answer, 400, "100.100.500")


@mutant("POS-02", "SVC-19", killed_by=("Encrypted account data pays like a card",))
def reads_no_encrypted_accounts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Encrypted account data is refused."""
    sent = request.parameters
    return refuse_parameters(original.forward(request), *({ACCOUNT} & {*sent}))


@mutant("POS-02", killed_by=("Encrypted account data pays like a card",))
def knows_aes_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A key serial number of TDES DUKPT is refused."""
    short = len(request.parameters.get(ACCOUNT_KEY, "")) == 20
    return refuse_parameters(original.forward(request), *((ACCOUNT_KEY,) if short else ()))


@mutant("POS-02", killed_by=("A terminal that the gateway knows pays by encrypted account data",))
def takes_no_pin_with_a_swipe(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A PIN beside a card that was swiped is refused."""
    sent = request.parameters
    is_swipe = sent.get("pos.entryMode") == "MAGSTRIPE"
    return refuse_parameters(original.forward(request), *({PIN} & {*sent} if is_swipe else ()))


@mutant("POS-02", killed_by=("An encrypted account obeys the rules of a card",))
def trusts_encrypted_numbers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The number that a terminal encrypted is not checked."""
    at_terminal = ACCOUNT in request.parameters
    answer = original.forward(request)
    return claim_success_for(answer, "100.100.101", "100.100.501", when=at_terminal)


@mutant("POS-02", killed_by=("A key serial number is taken once",))
def takes_keys_twice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A key serial number is taken as often as it is sent."""
    return claim_success_for(original.forward(request), "200.200.106")


@mutant("POS-02", killed_by=("A key for PINs decrypts no account",))
def takes_any_key(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Any key of a terminal decrypts its account data."""
    return claim_success_for(original.forward(request), "600.300.101")


@mutant("POS-02", killed_by=("A key serial number of no method is refused",))
def takes_any_serial_number(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A key serial number may have any form."""
    return accept_parameters(original.forward(request), ACCOUNT_KEY)


@mutant("POS-02", killed_by=("Account data that was cut is refused",))
def takes_cut_accounts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Account data that was cut on its way pays."""
    return accept_parameters(original.forward(request), ACCOUNT)


@mutant("POS-02", killed_by=("Encrypted account data pays like a card",))
def shows_encrypted_numbers(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The number that a terminal encrypted is answered in the clear."""
    answer, sent = original.forward(request), request.parameters
    return replace_at(answer, "card.number", "4200000000000000") if ACCOUNT in sent else answer


@mutant(
    "SVC-19",
    killed_by=(
        "A debit at a terminal is refunded without the card",
        "An authorization at a terminal is reversed without the card",
    ),
)
def gives_back_at_terminals_alone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A refund or reversal has to name a terminal."""
    gives_back = request.parameters.get("paymentType") in ("RF", "RV")
    answer = original.forward(request)
    names_one = "pos.terminalId" in request.parameters
    return refuse(answer, 400, "700.400.200") if gives_back and not names_one else answer


@mutant("POS-02", killed_by=("A wrong PIN is refused, the third one for good",))
def takes_any_pin(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment with a wrong PIN succeeds."""
    return claim_success_for(original.forward(request), "800.100.166", "800.100.178")


@mutant("POS-02", killed_by=("A wrong PIN is refused, the third one for good",))
def counts_no_tries(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A PIN may be wrong as often as the holder likes."""
    answer = original.forward(request)
    if answer.code != "800.100.178":
        return answer
    return replace_at(answer, "result.code", "800.100.166")


@mutant("POS-03", killed_by=("A chip with its PIN pays, and accepts the answer of its issuer",))
def answers_no_chip(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The chip gets no answer of its issuer."""
    return replace_at(original.forward(request), CHIP, None)


@mutant("POS-03", killed_by=("A chip with its PIN pays, and accepts the answer of its issuer",))
def signs_chips_wrongly(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The issuer's answer to the chip has a wrong cryptogram."""
    return change_at(original.forward(request), CHIP, _with_another_cryptogram)


@mutant("POS-04", killed_by=("The status text says what became of a payment",))
def prints_nothing(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """There is no status text."""
    return replace_at(original.forward(request), "pos.statusText", None)


@mutant(
    "POS-04",
    killed_by=("The acquirer's status text stands in place of approved or declined",),
)
def prints_its_own_words(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The status text is always one of two."""
    return change_at(
        original.forward(request),
        "pos.statusText",
        lambda text: text if text in ("APPROVED", "DECLINED") else "APPROVED",
    )


@mutant("POS-04", killed_by=("A wrong PIN has a status text of its own",))
def prints_declined_for_a_wrong_pin(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A wrong PIN is printed as any decline."""
    return change_at(
        original.forward(request),
        "pos.statusText",
        lambda text: "DECLINED" if text == "PINWRONG" else text,
    )


@mutant("POS-05", killed_by=("A terminal gets the facts for its receipt",))
def keeps_the_clearing_to_itself(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The answer lacks what the clearing says."""
    return replace_at(original.forward(request), "pos.clearing", None)


@mutant("POS-05", killed_by=("A terminal gets the facts for its receipt",))
def writes_times_with_a_zone(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The time of a terminal payment has a zone."""
    return change_at(original.forward(request), "pos.timestamp", lambda time: f"{time}+0000")


@mutant(
    "POS-05", killed_by=("A terminal that the gateway knows is answered what its receipt needs",)
)
def names_no_merchant_after_a_swipe(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A receipt of a card that was swiped lacks the number of the merchant."""
    answer = original.forward(request)
    is_swipe = request.parameters.get("pos.entryMode") == "MAGSTRIPE"
    return replace_at(answer, "pos.merchantId", None) if is_swipe else answer


@mutant("POS-05", killed_by=("A payment that is read later has the same facts for its receipt",))
def forgets_what_was_printed(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that is read later has no facts for a receipt."""
    answer = original.forward(request)
    return replace_at(answer, "pos", None) if request.method == "GET" else answer


@mutant("POS-05", killed_by=("A payment without a terminal has no facts for a receipt",))
def prints_for_everybody(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment without a terminal has a status text too."""
    answer = original.forward(request)
    is_payment = "paymentType" in request.parameters
    return replace_members(answer, pos={"statusText": "APPROVED"}) if is_payment else answer


@mutant("POS-07", killed_by=("Six models of terminals pay",))
def knows_five_models(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An unattended terminal is not known."""
    is_unattended = request.parameters.get("pos.deviceType", "").endswith("UNATTENDED")
    names = ("pos.deviceType",) if is_unattended else ()
    return refuse_parameters(original.forward(request), *names)


@mutant("POS-07", killed_by=("Another model is refused where the models are a list",))
def takes_any_model(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A terminal may be of any model."""
    return accept_parameters(original.forward(request), "pos.deviceType")


def _with_another_cryptogram(chip: str) -> str:
    """The same data with another first byte of the cryptogram."""
    other = f"{int(chip[CRYPTOGRAM], 16) ^ 0xFF:02X}"
    return chip[: CRYPTOGRAM.start] + other + chip[CRYPTOGRAM.stop :]
