"""Faults of checkouts and registrations: what lives for a while and is used again."""

from features.mutants.changes import (
    as_success,
    coded,
    forgiving,
    lost,
    naming,
    taking,
    with_at,
    with_members,
)
from features.mutants.mutant import fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer

REGISTRATIONS = "v1/registrations/"


@fault(
    "SVC-09",
    "END-03",
    caught_by=("A checkout is prepared with and without the version prefix",),
)
def prepares_nothing_without_a_version(asked: Asked, sound: Sound) -> Answer:
    """A checkout is prepared under the version's path alone."""
    answer = sound.answer(asked)
    return lost(answer) if asked.place == "checkouts" else answer


@fault("RSP-01", caught_by=("A checkout is prepared with and without the version prefix",))
def shortens_checkout_ids(asked: Asked, sound: Sound) -> Answer:
    """A checkout id has 31 characters."""
    answer = sound.answer(asked)
    prepared = asked.place.endswith("checkouts") and bool(answer.id)
    return with_members(answer, id=answer.id[:31]) if prepared else answer


@fault("FORM-06", caught_by=("Nobody pays twice in one checkout",))
def takes_a_second_payment(asked: Asked, sound: Sound) -> Answer:
    """A checkout that was paid is paid again."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.status == 404 and pays(asked) else answer


@fault(
    "FORM-05",
    "FORM-06",
    caught_by=("A shopper whose payment was declined pays with another brand",),
)
def ends_a_checkout_with_a_decline(asked: Asked, sound: Sound) -> Answer:
    """A shopper who was declined cannot try again."""
    if not pays(asked):
        return sound.answer(asked)
    tried = asked.place in sound.seen
    sound.seen[asked.place] = True
    answer = sound.answer(asked)
    return lost(answer) if tried else answer


@fault("END-04", caught_by=("What was fixed cannot be overwritten",))
def lets_the_form_change_the_price(asked: Asked, sound: Sound) -> Answer:
    """An amount that is sent to a checkout is taken in place of the one that was fixed."""
    return forgiving(sound.answer(asked), "amount", when="checkouts/" in asked.path)


@fault("PAY-06", caught_by=("A type that was fixed for one brand holds for that brand alone",))
def overrides_the_type_of_every_brand(asked: Asked, sound: Sound) -> Answer:
    """A type that was fixed for one brand holds for all of them."""
    fixed = asked.sent.get("overridePaymentType[VISA]", "")
    prepares = asked.place.endswith("checkouts") and bool(fixed)
    return sound.answer(asked.sending(paymentType=fixed) if prepares else asked)


@fault("END-05", caught_by=("A checkout in which nobody paid is pending, and has no payment",))
def ends_unpaid_checkouts_in_success(asked: Asked, sound: Sound) -> Answer:
    """A checkout in which nobody paid is read as paid."""
    return taking(sound.answer(asked), "000.200.000", when="checkouts/" in asked.path)


@fault("END-05", caught_by=("How a checkout ended may be read twice",))
def reads_an_outcome_once(asked: Asked, sound: Sound) -> Answer:
    """How a checkout ended is told once."""
    if asked.method != "GET" or "checkouts/" not in asked.place:
        return sound.answer(asked)
    again = asked.place in sound.seen
    sound.seen[asked.place] = True
    answer = sound.answer(asked)
    return lost(answer) if again else answer


@fault("END-05", caught_by=("The merchant reads the payment of a checkout",))
def forgets_who_paid(asked: Asked, sound: Sound) -> Answer:
    """How a checkout ended is told without the id of the payment."""
    answer = sound.answer(asked)
    reads = asked.method == "GET" and "checkouts/" in asked.place
    return with_members(answer, id=None) if reads else answer


@fault("FORM-12", caught_by=("Names from the form start with the shopper's prefix",))
def takes_any_name_from_the_form(asked: Asked, sound: Sound) -> Answer:
    """The form sends whatever names it likes."""
    by_form = asked.headers.get("authorization", "").startswith("Checkout ")
    return forgiving(sound.answer(asked), "customParameters", when=by_form)


@fault("END-04", caught_by=("A form posts once",))
def lets_a_form_post_for_ever(asked: Asked, sound: Sound) -> Answer:
    """What lets a form post once lets it post again."""
    by_form = asked.headers.get("authorization", "").startswith("Checkout ")
    answer = sound.answer(asked)
    return as_success(answer) if by_form and answer.status == 403 else answer


@fault("SVC-10", "END-07", caught_by=("A checkout completes a registration instead of a payment",))
def registers_nothing(asked: Asked, sound: Sound) -> Answer:
    """A checkout that only registers stays as it was."""
    answer = sound.answer(asked)
    reads = asked.method == "GET" and asked.place.endswith("/registration")
    return coded(with_members(answer, id=None, card=None), "000.200.000") if reads else answer


@fault("SVC-10", "END-06", caught_by=("A card is registered without the version prefix",))
def refuses_to_register(asked: Asked, sound: Sound) -> Answer:
    """What a shopper registers in a checkout is not found."""
    answer = sound.answer(asked)
    posts = asked.method == "POST" and asked.place.endswith("/registration")
    return lost(answer) if posts else answer


@fault("SVC-11", caught_by=("A registration is read as it was made",))
def forgets_registrations(asked: Asked, sound: Sound) -> Answer:
    """A registration that was made cannot be read."""
    answer = sound.answer(asked)
    reads = asked.method == "GET" and asked.place.startswith(REGISTRATIONS)
    return lost(answer) if reads else answer


@fault("SVC-12", "TOK-01", caught_by=("A payment leaves a registration where it is asked to",))
def forgets_to_tell_registrations(asked: Asked, sound: Sound) -> Answer:
    """A payment leaves a registration and does not say which."""
    return with_members(sound.answer(asked), registrationId=None)


@fault("TOK-01", caught_by=("A payment leaves no registration where it is not asked to",))
def registers_everybody(asked: Asked, sound: Sound) -> Answer:
    """A payment leaves a registration that nobody asked for."""
    answer = sound.answer(asked)
    unasked = asked.is_payment and asked.sent.get("createRegistration") != "true"
    return with_members(answer, registrationId="8a" * 16) if unasked and answer.id else answer


@fault("SVC-13", caught_by=("A removed registration cannot be charged",))
def charges_what_was_removed(asked: Asked, sound: Sound) -> Answer:
    """A registration that was removed is charged all the same."""
    return taking(sound.answer(asked), "100.150.202")


@fault("SVC-13", caught_by=("What a declined registration would have stored cannot be charged",))
def charges_what_was_declined(asked: Asked, sound: Sound) -> Answer:
    """A card whose registration was declined is charged all the same."""
    return taking(sound.answer(asked), "100.150.203")


@fault("TOK-02", "TOK-03", caught_by=("A holder fills an empty one, for that payment only",))
def never_fills_a_holder(asked: Asked, sound: Sound) -> Answer:
    """A holder that was sent to fill an empty one fills nothing."""
    wished = asked.sent.get("overrideHolder") == "true"
    return sound.answer(asked.sending(card__holder="", overrideHolder="") if wished else asked)


@fault("TOK-02", "TOK-03", caught_by=("A holder fills an empty one, for that payment only",))
def keeps_a_holder_for_good(asked: Asked, sound: Sound) -> Answer:
    """A holder that was sent for one payment is stored."""
    key = asked.place.removesuffix("/payments")
    if asked.sent.get("overrideHolder") == "true":
        sound.seen[key] = asked.sent.get("card.holder")
    answer = sound.answer(asked)
    kept = sound.seen.get(key) if asked.method == "GET" else None
    return with_at(answer, "card.holder", kept) if kept else answer


@fault("SVC-14", "MIG-01", caught_by=("An agreement is brought along with its card",))
def brings_along_no_agreement(asked: Asked, sound: Sound) -> Answer:
    """A card is brought along, and where it comes from is forgotten."""
    return with_members(sound.answer(asked), recurringMigration=None)


@fault("MIG-02", caught_by=("What a migration tells keeps its form",))
def takes_migrations_of_any_form(asked: Asked, sound: Sound) -> Answer:
    """What is told of an agreement that is brought along may have any form."""
    return forgiving(
        sound.answer(asked), "recurringMigration.amount", "recurringMigration.requestTimestamp"
    )


@fault("MIG-01", caught_by=("A migration is that of a payment",))
def migrates_any_payment(asked: Asked, sound: Sound) -> Answer:
    """What is brought along may have been of any type, or of none."""
    return forgiving(sound.answer(asked), "recurringMigration.paymentType")


@fault("COF-02", caught_by=("Only the shopper's first payment gets a reference",))
def gives_references_to_everybody(asked: Asked, sound: Sound) -> Answer:
    """A payment that began no series has the reference of one."""
    answer = sound.answer(asked)
    began = isinstance(answer.at("standingInstruction"), dict)
    return with_at(answer, "standingInstruction.initialTransactionId", "1") if began else answer


@fault("COF-02", caught_by=("The shopper's first payment gets a reference",))
def gives_no_references(asked: Asked, sound: Sound) -> Answer:
    """A payment that begins a series has no reference."""
    answer = sound.answer(asked)
    given = answer.at("standingInstruction.initialTransactionId")
    return with_at(answer, "standingInstruction.initialTransactionId", None) if given else answer


@fault("COF-02", caught_by=("A reference that no acquirer of the merchant gave is refused",))
def takes_references_of_anybody(asked: Asked, sound: Sound) -> Answer:
    """A reference that no acquirer gave begins a charge."""
    return taking(sound.answer(asked), "600.200.501")


@fault("COF-03", caught_by=("A series that was authenticated says how long it runs and how often",))
def authenticates_series_without_an_end(asked: Asked, sound: Sound) -> Answer:
    """A series that was authenticated may run for ever."""
    return forgiving(sound.answer(asked), "standingInstruction.")


@fault("REC-01", caught_by=("The older mark of a series is taken and answered",))
def forgets_the_mark_of_a_series(asked: Asked, sound: Sound) -> Answer:
    """Whether a payment began a series does not come back."""
    return with_members(sound.answer(asked), recurringType=None)


@fault("REC-02", caught_by=("The number of installments has up to three digits",))
def limits_installments_to_two_digits(asked: Asked, sound: Sound) -> Answer:
    """A hundred installments are too many."""
    many = len(asked.sent.get("recurring.numberOfInstallments", "")) > 2
    return naming(sound.answer(asked), "recurring.numberOfInstallments", when=many)


def pays(asked: Asked) -> bool:
    """Whether a shopper pays in a checkout."""
    is_end = asked.place.endswith("/payment") and "checkouts/" in asked.place
    return asked.method == "POST" and is_end
