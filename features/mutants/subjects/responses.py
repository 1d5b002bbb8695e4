"""Faults of answers: what stands in them, in what form, and what must not stand there."""

from dataclasses import replace

from features.mutants.changes import among, changing, naming, with_at, with_members
from features.mutants.mutant import fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer


@fault("ERR-03", "RSP-02", caught_by=("Every answer carries the same four things",))
def forgets_the_ndc(asked: Asked, sound: Sound) -> Answer:
    """Answers have no request id."""
    return with_members(sound.answer(asked), ndc=None)


@fault("RSP-02", caught_by=("Two answers have two request ids",))
def repeats_the_ndc(asked: Asked, sound: Sound) -> Answer:
    """Every answer has the same request id."""
    return with_members(sound.answer(asked), ndc="8a" * 16)


@fault("RSP-02", caught_by=("A request id has up to 69 letters, digits and hyphens",))
def writes_long_request_ids(asked: Asked, sound: Sound) -> Answer:
    """A request id has 70 characters."""
    return changing(sound.answer(asked), "ndc", lambda ndc: str(ndc).ljust(70, "0"))


@fault(
    "ERR-03",
    "TRN-04",
    caught_by=(
        "Every answer carries the same four things",
        "Every answer is JSON, whatever its status",
    ),
)
def writes_codes_in_words(asked: Asked, sound: Sound) -> Answer:
    """A result code is a word."""
    return changing(sound.answer(asked), "result.code", lambda _: "OK")


@fault("RSP-01", caught_by=("A payment id has exactly 32 letters and digits",))
def shortens_ids(asked: Asked, sound: Sound) -> Answer:
    """A payment id has 31 characters."""
    return changing(sound.answer(asked), "id", lambda identity: identity[:31])


@fault("RSP-01", caught_by=("Two payments have two ids",))
def uses_an_id_twice(asked: Asked, sound: Sound) -> Answer:
    """Two payments have one id."""
    answer = sound.answer(asked)
    first = sound.seen.setdefault("id", answer.id) if asked.is_payment else ""
    return with_members(answer, id=first) if first and answer.id else answer


@fault("RSP-03", caught_by=("Neither the card number nor its security code is ever returned",))
def shows_card_numbers(asked: Asked, sound: Sound) -> Answer:
    """A success shows the whole card number."""
    answer = sound.answer(asked)
    number = asked.sent.get("card.number")
    return with_at(answer, "card.number", number) if number and answer.at("card.bin") else answer


@fault("RSP-03", caught_by=("A card is shown by its first six digits and its expiry",))
def shows_no_expiry(asked: Asked, sound: Sound) -> Answer:
    """A card is shown without its expiry."""
    return changing(sound.answer(asked), "card", lambda card: {"bin": card.get("bin")})


@fault("ERR-06", caught_by=("The value of a secret is never repeated",))
def repeats_secrets(asked: Asked, sound: Sound) -> Answer:
    """A refusal shows the card number that was wrong."""
    answer = sound.answer(asked)
    for error in answer.parameter_errors:
        error["value"] = asked.sent.get(str(error["name"]))  # type: ignore[index]
    return answer


@fault("ERR-06", caught_by=("A wrong parameter is named with the value that came",))
def hides_what_was_wrong(asked: Asked, sound: Sound) -> Answer:
    """A refusal names the parameter and does not show the value that came."""
    answer = sound.answer(asked)
    errors = [{**error, "value": None} for error in answer.parameter_errors]
    return with_at(answer, "result.parameterErrors", errors) if errors else answer


@fault("ERR-06", caught_by=("Every wrong parameter is named",))
def names_one_fault_at_a_time(asked: Asked, sound: Sound) -> Answer:
    """Of several wrong parameters the first is named."""
    answer = sound.answer(asked)
    return naming(answer, *[str(error["name"]) for error in answer.parameter_errors[:1]])


@fault("ERR-06", caught_by=("A refused request stores nothing",))
def numbers_refusals(asked: Asked, sound: Sound) -> Answer:
    """A refused request has the id of a payment that was never made."""
    answer = sound.answer(asked)
    return with_members(answer, id="8a" * 16) if answer.parameter_errors else answer


@fault("RSP-07", caught_by=("Amounts are shown with two decimals",))
def shows_whole_amounts(asked: Asked, sound: Sound) -> Answer:
    """Amounts are shown without decimals where there are none to speak of."""
    return changing(sound.answer(asked), "amount", lambda amount: amount.removesuffix(".00"))


@fault("RSP-08", caught_by=("Structures of the request are echoed",))
def echoes_no_address(asked: Asked, sound: Sound) -> Answer:
    """Addresses that were sent do not come back."""
    return with_members(sound.answer(asked), billing=None, shipping=None)


@fault("RSP-08", caught_by=("A structure comes back as it was sent",))
def echoes_no_structures(asked: Asked, sound: Sound) -> Answer:
    """Gift cards, airlines and companies that were sent do not come back."""
    return with_members(sound.answer(asked), giftCard=None, airline=None, corporate=None)


@fault("CUSTOM-01", "TRN-07", caught_by=("Custom parameters are echoed",))
def forgets_custom_parameters(asked: Asked, sound: Sound) -> Answer:
    """What the merchant calls its own does not come back."""
    return with_members(sound.answer(asked), customParameters=None)


@fault("RSP-10", caught_by=("A timestamp has a date, a time and a zone",))
def tells_the_time_without_a_zone(asked: Asked, sound: Sound) -> Answer:
    """A timestamp does not say where."""
    return changing(sound.answer(asked), "timestamp", lambda instant: instant[:19])


@fault("E29", caught_by=("A successful payment has its members in order, and each in its form",))
def turns_answers_round(asked: Asked, sound: Sound) -> Answer:
    """The members of an answer come in another order."""
    answer = sound.answer(asked)
    if not isinstance(answer.body, dict):
        return answer
    return replace(answer, body=dict(reversed(answer.body.items())))


@fault("ERR-01", caught_by=("A declined payment shows its brand and no amount",))
def tells_the_money_of_declines(asked: Asked, sound: Sound) -> Answer:
    """A declined payment shows the amount that was not paid."""
    answer = sound.answer(asked)
    declined = answer.status == 400 and answer.at("card") is not None
    return with_members(answer, amount="92.00") if declined else answer


@fault("RSP-04", caught_by=("The acquirer's own code is among the details",))
def hides_the_acquirers_code(asked: Asked, sound: Sound) -> Answer:
    """What the acquirer said stays with the gateway."""
    return with_members(sound.answer(asked), resultDetails=None)


@fault("MODE-04", "RSP-04", caught_by=("A decline is the same in both test modes",))
def hides_the_acquirers_code_of_test_systems(asked: Asked, sound: Sound) -> Answer:
    """What a processor's own test system said stays with the gateway."""
    answer = sound.answer(asked)
    outside = asked.sent.get("testMode") == "EXTERNAL"
    return with_members(answer, resultDetails=None) if outside else answer


@fault(
    "ADDR-05",
    "RSP-05",
    caught_by=("The acquirer's answers to the address and to the security code are shown",),
)
def tells_no_address_check(asked: Asked, sound: Sound) -> Answer:
    """Whether the address was right is not told."""
    return changing(sound.answer(asked), "result.avsResponse", lambda _: None)


@fault("ADDR-05", caught_by=("An issuer that is sent no address compares none",))
def finds_every_address_right(asked: Asked, sound: Sound) -> Answer:
    """Every address is said to be the one the issuer knows."""
    return changing(sound.answer(asked), "result.avsResponse", lambda _: "F")


@fault("SVC-07", "RSP-06", caught_by=("A bank transfer answers with the account to pay to",))
def names_no_account_to_pay_to(asked: Asked, sound: Sound) -> Answer:
    """Answers about bank accounts do not show the merchant's."""
    return with_members(sound.answer(asked), merchant=None)


@fault("CART-02", caught_by=("Cart items are counted unless another unit is named",))
def counts_without_a_unit(asked: Asked, sound: Sound) -> Answer:
    """Items of a cart have the unit that was sent, or none."""
    if "cart.items[0].quantityUnit" in asked.sent:
        return sound.answer(asked)
    answer = sound.answer(asked)
    if not isinstance(answer.at("cart"), dict):
        return answer

    def bare(item: dict[str, object]) -> dict[str, object]:
        return {name: text for name, text in item.items() if text != "COUNT"}

    cart = among(Answer(0, {}, answer.at("cart")), "items", bare)
    return with_members(answer, cart=cart.body)


@fault("TRN-05", caught_by=("Dotted names become nested objects",))
def writes_names_flat(asked: Asked, sound: Sound) -> Answer:
    """Dotted names stay dotted in the answer."""
    answer = sound.answer(asked)
    billing = answer.at("billing")
    if not isinstance(billing, dict):
        return answer
    flat = {f"billing.{name}": text for name, text in billing.items()}
    return with_members(answer, billing=None, **flat)


@fault("ADDR-02", caught_by=("With a house number the second line of a street is ignored",))
def keeps_the_second_line(asked: Asked, sound: Sound) -> Answer:
    """The second line of a street counts though there is a house number."""
    answer, sent = sound.answer(asked), asked.sent
    for address in ("billing", "shipping"):
        if street := sent.get(f"{address}.street2"):
            answer = with_at(answer, f"{address}.street2", street)
    return answer


@fault("RSP-10", caught_by=("A timestamp tells when the answer was made",))
def tells_when_it_was_built(asked: Asked, sound: Sound) -> Answer:
    """Every answer has the same timestamp."""
    return changing(sound.answer(asked), "timestamp", lambda _: "2026-01-31 12:00:00+0000")


@fault("VER-02", caught_by=("What a release answered is answered still",))
def renames_a_member(asked: Asked, sound: Sound) -> Answer:
    """The last digits of a card have another name than they had when merchants read them first."""
    answer = sound.answer(asked)
    digits = answer.at("card.last4Digits")
    if digits is None:
        return answer
    return with_at(with_at(answer, "card.lastFour", digits), "card.last4Digits", None)


@fault("CUSTOM-02", caught_by=("A custom parameter of 2048 characters is taken",))
def cuts_what_the_merchant_calls_its_own(asked: Asked, sound: Sound) -> Answer:
    """A custom parameter comes back with 255 characters at most."""

    def cut(sent: dict[str, str]) -> dict[str, str]:
        return {name: text[:255] for name, text in sent.items()}

    return changing(sound.answer(asked), "customParameters", cut)
