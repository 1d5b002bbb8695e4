"""Faults of what follows a payment: captures, refunds, reversals, chargebacks, and reading it."""

from features.mutants.changes import (
    as_success,
    forgiving,
    lost,
    naming,
    refusing,
    taking,
    with_at,
    with_members,
)
from features.mutants.mutant import fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer

EXCEEDED = "700.400.100"


@fault("END-08", caught_by=("A capture may not exceed the authorised sum",))
def takes_what_was_never_authorised(asked: Asked, sound: Sound) -> Answer:
    """A capture over the sum succeeds."""
    return taking(sound.answer(asked), EXCEEDED)


@fault("END-08", caught_by=("An authorised payment is captured in several parts",))
def captures_once(asked: Asked, sound: Sound) -> Answer:
    """What was captured in part is captured no further."""
    again = asked.sent.get("paymentType") == "CP" and asked.place in sound.seen
    sound.seen[asked.place] = True
    return refusing(sound.answer(asked), 400, EXCEEDED) if again else sound.answer(asked)


@fault("END-08", caught_by=("A refused capture takes nothing from what may be captured",))
def counts_refused_captures(asked: Asked, sound: Sound) -> Answer:
    """A capture that was refused takes something from what may be captured."""
    spoiled = asked.sent.get("paymentType") == "CP" and asked.place in sound.seen
    answer = sound.answer(asked)
    if answer.code == EXCEEDED:
        sound.seen[asked.place] = True
    return refusing(answer, 400, EXCEEDED) if spoiled else answer


@fault("END-08", caught_by=("A refund may not exceed what was paid",))
def refunds_more_than_was_paid(asked: Asked, sound: Sound) -> Answer:
    """A refund over what was paid succeeds."""
    return taking(sound.answer(asked), "700.400.200")


@fault("END-08", caught_by=("A payment that was never captured cannot be refunded",))
def refunds_what_was_never_captured(asked: Asked, sound: Sound) -> Answer:
    """Money that was only reserved is given back."""
    return taking(sound.answer(asked), "700.400.520")


@fault("END-08", caught_by=("A reversal comes once",))
def reverses_as_often_as_asked(asked: Asked, sound: Sound) -> Answer:
    """A payment that was reversed is reversed again."""
    answer = sound.answer(asked)
    again = asked.sent.get("paymentType") == "RV" and answer.status == 400
    return as_success(answer) if again else answer


@fault("END-08", caught_by=("A reference in another currency is refused",))
def captures_in_any_currency(asked: Asked, sound: Sound) -> Answer:
    """A reference in another currency is taken as one in the currency of the payment."""
    refers = len(asked.place.rpartition("/")[2]) == 32 and "currency" in asked.sent
    return sound.answer(asked.sending(currency="EUR") if refers else asked)


@fault("END-08", caught_by=("A capture without an amount is refused",))
def captures_everything_left(asked: Asked, sound: Sound) -> Answer:
    """A capture that names no amount is for all that is left."""
    return forgiving(sound.answer(asked), "amount", when="amount" not in asked.sent)


@fault("END-08", caught_by=("A payment that nobody made cannot be captured",))
def captures_what_nobody_made(asked: Asked, sound: Sound) -> Answer:
    """A capture of a payment that does not exist succeeds."""
    answer = sound.answer(asked)
    is_capture = asked.method == "POST" and asked.sent.get("paymentType") == "CP"
    return as_success(answer) if is_capture and answer.status == 404 else answer


@fault(
    "END-02",
    "END-09",
    caught_by=(
        "A payment that nobody made is not found",
        "An id without a payment has no page",
    ),
)
def finds_what_nobody_made(asked: Asked, sound: Sound) -> Answer:
    """Reading a payment that does not exist shows an empty one."""
    answer = sound.answer(asked)
    is_read = asked.method == "GET" and asked.place.startswith("v1/payments/")
    return as_success(answer) if is_read and answer.status == 404 else answer


@fault("END-02", caught_by=("A payment is read by its id",))
def reads_half_of_it(asked: Asked, sound: Sound) -> Answer:
    """A payment that is read lacks its amount."""
    answer = sound.answer(asked)
    is_read = asked.method == "GET" and asked.place.startswith("v1/payments/")
    return with_members(answer, amount=None) if is_read else answer


@fault("END-02", caught_by=("A payment is read under its id",))
def loses_payments(asked: Asked, sound: Sound) -> Answer:
    """A payment that was made cannot be read."""
    answer = sound.answer(asked)
    is_read = asked.method == "GET" and asked.place.startswith("v1/payments/")
    return lost(answer) if is_read else answer


@fault("RSP-09", caught_by=("The id of the earlier payment appears in no answer",))
def tells_what_a_capture_refers_to(asked: Asked, sound: Sound) -> Answer:
    """The id of the earlier payment stands in the answer."""
    answer = sound.answer(asked)
    earlier = asked.path.rpartition("/")[2]
    refers = asked.method == "POST" and len(earlier) == 32
    return with_members(answer, referencedId=earlier) if refers else answer


@fault("END-08", caught_by=("An answer about an earlier payment shows no card",))
def shows_the_card_again(asked: Asked, sound: Sound) -> Answer:
    """A capture shows the card that the first payment has shown."""
    answer = sound.answer(asked)
    captured = answer.at("paymentType") == "CP"
    return with_members(answer, card={"bin": "420000"}) if captured else answer


@fault("SVC-22", caught_by=("A payment is charged back once",))
def charges_back_twice(asked: Asked, sound: Sound) -> Answer:
    """A second chargeback of a payment is booked like the first."""
    return taking(sound.answer(asked), "700.300.500")


@fault("CHB-01", caught_by=("A reason of another form is refused",))
def books_any_reason(asked: Asked, sound: Sound) -> Answer:
    """A chargeback may have any reason at all."""
    return forgiving(sound.answer(asked), "chargebackResultCode")


@fault("SVC-22", "CHB-01", caught_by=("A chargeback is booked with its reason",))
def forgets_the_reason(asked: Asked, sound: Sound) -> Answer:
    """Every chargeback is booked without its reason."""
    answer = sound.answer(asked)
    booked = answer.at("paymentType") == "CB"
    return with_at(answer, "result.code", "000.100.200") if booked else answer


@fault("SVC-22", caught_by=("What was charged back is not refunded as well",))
def refunds_what_was_charged_back(asked: Asked, sound: Sound) -> Answer:
    """What the bank took back is refunded as well."""
    if asked.sent.get("paymentType") == "CB":
        sound.seen[asked.place] = True
        return sound.answer(asked)
    answer = sound.answer(asked)
    return taking(answer, "700.400.200") if asked.place in sound.seen else answer


@fault("END-08", caught_by=("A reversal without an amount is for the whole amount",))
def demands_an_amount_to_reverse(asked: Asked, sound: Sound) -> Answer:
    """A reversal has to say for how much."""
    lacks = asked.sent.get("paymentType") == "RV" and "amount" not in asked.sent
    return naming(sound.answer(asked), "amount", when=lacks)


@fault("END-08", caught_by=("A part that is captured is shown as it was captured",))
def shows_the_whole_sum_of_a_part(asked: Asked, sound: Sound) -> Answer:
    """A capture of a part shows the amount of the payment."""
    answer = sound.answer(asked)
    captured = answer.at("paymentType") == "CP" and answer.at("amount")
    return with_members(answer, amount="92.00") if captured else answer


@fault("END-08", caught_by=("A part that is refunded is shown as it was refunded",))
def refunds_in_another_currency(asked: Asked, sound: Sound) -> Answer:
    """A refund is shown in the currency of the house."""
    answer = sound.answer(asked)
    return with_members(answer, currency="USD") if answer.at("paymentType") == "RF" else answer


@fault("END-08", caught_by=("A declined payment cannot be refunded",))
def refunds_what_was_declined(asked: Asked, sound: Sound) -> Answer:
    """Money that was never taken is given back."""
    answer = sound.answer(asked)
    if answer.code.startswith("800.100.") and answer.id:
        sound.seen[answer.id] = True
    declined = asked.place.rpartition("/")[2] in sound.seen
    return as_success(answer) if declined and asked.sent.get("paymentType") == "RF" else answer
