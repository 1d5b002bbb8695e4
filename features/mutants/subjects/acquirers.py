"""Faults on the way to the acquirer, as the journal of a gateway shows them, and of 3-D Secure."""

from typing import Any

from features.mutants.changes import (
    as_success,
    coded,
    forgiving,
    taking,
    telling,
    told,
    with_at,
    with_members,
)
from features.mutants.mutant import EVERYWHERE, fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer

Message = dict[str, Any]
KIND = "message type"


@fault("PAY-09", caught_by=("The invoice number stays with the gateway",), doors=EVERYWHERE)
def sends_invoices_on(asked: Asked, sound: Sound) -> Answer:
    """The acquirer is told the number of an invoice, which is none of its business."""
    return telling(asked, sound.answer(asked), lambda each: told(each, merchantInvoiceId="invoice"))


@fault(
    "MERCH-03",
    caught_by=("A submerchant is told to the one scheme that has facilitators",),
    doors=EVERYWHERE,
)
def tells_every_scheme_of_submerchants(asked: Asked, sound: Sound) -> Answer:
    """Schemes that have no facilitators are told of a submerchant."""
    answer = sound.answer(asked)
    return telling(asked, answer, lambda each: told(each, merchant__submerchantId="4711"))


@fault(
    "MERCH-01",
    caught_by=("What stands on the statement is told to the acquirer",),
    doors=EVERYWHERE,
)
def keeps_the_statement_to_itself(asked: Asked, sound: Sound) -> Answer:
    """What is to stand on the statement does not reach the acquirer."""
    return telling(asked, sound.answer(asked), lambda each: told(each, merchant__city=None))


@fault(
    "SVC-15",
    caught_by=("What is said of a card on file reaches the acquirer",),
    doors=EVERYWHERE,
)
def keeps_the_card_on_file_to_itself(asked: Asked, sound: Sound) -> Answer:
    """The acquirer is not told that the shopper agreed to be charged again."""
    answer = sound.answer(asked)
    return telling(asked, answer, lambda each: told(each, standingInstruction__mode=None))


@fault(
    "SVC-18",
    caught_by=("What another system says of the authentication reaches the processor unchanged",),
    doors=EVERYWHERE,
)
def loses_the_proof(asked: Asked, sound: Sound) -> Answer:
    """What proves that the shopper was authenticated reaches the acquirer in small letters."""

    def spoiled(message: Message) -> Message:
        proof = message["body"].get("parameters", {}).get("threeDSecure.verificationId", "")
        return told(message, threeDSecure__verificationId=proof.lower() or None)

    return telling(asked, sound.answer(asked), spoiled)


@fault(
    "TDS-01",
    caught_by=("Who was authenticated elsewhere is not asked again",),
    doors=EVERYWHERE,
)
def loses_the_indicator(asked: Asked, sound: Sound) -> Answer:
    """The acquirer is not told how far the shopper was authenticated."""
    return telling(asked, sound.answer(asked), lambda each: told(each, threeDSecure__eci=None))


@fault("MODE-03", caught_by=("A payment travels as a card message",), doors=EVERYWHERE)
def never_leaves_the_house(asked: Asked, sound: Sound) -> Answer:
    """A processor's test system is never asked, whatever the test mode says."""
    return telling(asked, sound.answer(asked), lambda each: None if KIND in each["body"] else each)


@fault("MODE-03", caught_by=("What follows travels as well",), doors=EVERYWHERE)
def never_takes_back(asked: Asked, sound: Sound) -> Answer:
    """A reversal does not travel."""

    def kept(message: Message) -> Message | None:
        return None if message["body"].get(KIND) == "0400" else message

    return telling(asked, sound.answer(asked), kept)


@fault(
    "MODE-02",
    "MODE-03",
    caught_by=("Without the test mode nothing leaves the gateway",),
    doors=EVERYWHERE,
)
def leaves_the_house_unasked(asked: Asked, sound: Sound) -> Answer:
    """A payment travels to the processor though nobody asked for it."""

    def outside(message: Message) -> Message:
        return {**message, "body": {KIND: "0200", **message["body"]}}

    return telling(asked, sound.answer(asked), outside)


@fault(
    "MODE-04",
    "MODE-03",
    caught_by=("A script is counted once, wherever it decides",),
    doors=EVERYWHERE,
)
def counts_a_script_twice(asked: Asked, sound: Sound) -> Answer:
    """A script that decided outside the house is counted there and here."""
    answer = sound.answer(asked)
    reads = asked.method == "GET" and "/scripts/" in asked.place and isinstance(answer.body, dict)
    return with_members(answer, matched=answer.body["matched"] * 2) if reads else answer


@fault("SVC-01", caught_by=("The newest script answers",))
def ignores_scripts(asked: Asked, sound: Sound) -> Answer:
    """The acquirer answers as it likes."""
    answer = sound.answer(asked)
    steered = answer.status == 400 and answer.code.startswith("800.100.15")
    return as_success(answer) if steered else answer


@fault("TDS-05", caught_by=("The amount that is authenticated is risk.amount where it is sent",))
def authenticates_another_amount(asked: Asked, sound: Sound) -> Answer:
    """The bank is told the amount of the payment, whatever the merchant would have checked."""
    return sound.answer(asked.sending(risk__amount=""))


@fault("TDS-03", caught_by=("The schemes know the merchant by names of their own",))
def knows_one_name_of_the_merchant(asked: Asked, sound: Sound) -> Answer:
    """The schemes' own names of the merchant do not reach the bank."""
    return sound.answer(asked.with_sent({"threeDSecure.v2.visa.requestorId": ""}))


@fault("TDS-04", "TDS-07", caught_by=("The merchant may wish for a challenge, or for none",))
def ignores_wishes_for_a_challenge(asked: Asked, sound: Sound) -> Answer:
    """Whether the merchant wants a challenge is not told to the bank."""
    return sound.answer(asked.with_sent({"threeDSecure.challengeIndicator": ""}))


@fault("TDS-07", caught_by=("A card that its bank does not vouch for is declined",))
def charges_who_was_not_authenticated(asked: Asked, sound: Sound) -> Answer:
    """A card that its bank does not vouch for is charged."""
    return taking(sound.answer(asked), "100.390.112", "100.390.109", "100.380.401", "100.390.124")


@fault("TDS-07", caught_by=("What goes wrong at the bank never charges the card",))
def charges_whoever_has_an_answer(asked: Asked, sound: Sound) -> Answer:
    """What the bank answers is believed, whoever signed it."""
    return taking(sound.answer(asked), "100.390.117", "100.390.118")


@fault("TDS-07", caught_by=("A result that comes twice charges the card once",), doors=EVERYWHERE)
def charges_every_answer(asked: Asked, sound: Sound) -> Answer:
    """A result that comes twice charges the card twice."""
    answer = sound.answer(asked)
    if not asked.place.endswith("/trace"):
        return answer
    text = bytes(answer.body).decode()
    line = next((each for each in text.splitlines() if "gateway -> acquirer" in each), "")
    return Answer(answer.status, answer.headers, f"{text}\n{line}\n".encode())


@fault("TDS-07", caught_by=("A card whose bank asks the shopper leaves the payment pending",))
def asks_nobody(asked: Asked, sound: Sound) -> Answer:
    """A card whose bank would ask the shopper is charged without asking."""
    answer = sound.answer(asked)
    asks = answer.at("threeDSecure") is not None and answer.code == "000.200.000"
    return as_success(with_members(answer, redirect=None)) if asks else answer


@fault("TDS-07", caught_by=("Without a challenge the payment is final at once",))
def shows_no_flow(asked: Asked, sound: Sound) -> Answer:
    """How the shopper was authenticated is not told."""
    answer = sound.answer(asked)
    return with_at(answer, "threeDSecure.flow", None) if answer.at("threeDSecure.flow") else answer


@fault("TDS-07", caught_by=("An authentication alone tells whether it is him",))
def authenticates_everybody_alone(asked: Asked, sound: Sound) -> Answer:
    """An authentication without a payment always succeeds."""
    answer = sound.answer(asked)
    return coded(answer, "000.400.110") if asked.place == "v1/threeDSecure" else answer


@fault("CUST-04", caught_by=("Version 2 of 3-D Secure needs what the browser tells",))
def never_asks_for_the_browser(asked: Asked, sound: Sound) -> Answer:
    """What the bank needs to know of the browser may be missing."""
    return forgiving(sound.answer(asked), "customer.browser.")


@fault("ADDR-04", caught_by=("Version 2 of 3-D Secure needs the billing address",))
def never_asks_for_the_address(asked: Asked, sound: Sound) -> Answer:
    """What the bank needs to know of the address may be missing."""
    secured = "customer.browser.language" in asked.sent
    return forgiving(sound.answer(asked), "billing.", when=secured)
