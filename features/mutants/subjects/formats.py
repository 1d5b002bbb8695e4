"""Faults of formats: values are taken that should be refused, or refused that should be taken."""

from features.mutants.changes import changing, forgiving, naming
from features.mutants.mutant import fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer

NAMES = ("customer.givenName", "customer.surname")


@fault("CUST-02", caught_by=("A name longer than 48 characters is cut and not refused",))
def refuses_long_names(asked: Asked, sound: Sound) -> Answer:
    """A name over 48 characters is refused instead of cut."""
    sent = asked.sent
    return naming(sound.answer(asked), *[name for name in NAMES if len(sent.get(name, "")) > 48])


@fault("CUST-02", caught_by=("A name longer than 48 characters is cut and not refused",))
def keeps_long_names(asked: Asked, sound: Sound) -> Answer:
    """A name over 48 characters is shown in full."""
    name = asked.sent.get("customer.givenName", "")
    return changing(sound.answer(asked), "customer.givenName", lambda _: name)


@fault(
    "CUST-01",
    caught_by=("A customer has a given name and a surname as soon as anything of it is sent",),
)
def knows_customers_without_names(asked: Asked, sound: Sound) -> Answer:
    """A customer needs no name."""
    return forgiving(sound.answer(asked), *NAMES)


@fault("CUST-03", caught_by=("A kind of document and its number require each other",))
def takes_documents_without_a_kind(asked: Asked, sound: Sound) -> Answer:
    """The number of a document needs no kind of it, and no kind a number."""
    return forgiving(sound.answer(asked), "customer.identificationDoc")


@fault("CUST-05", caught_by=("A shipping customer has no fingerprint and no device",))
def takes_devices_of_recipients(asked: Asked, sound: Sound) -> Answer:
    """Who gets the parcel may have a device."""
    return forgiving(sound.answer(asked), "shipping.customer.browser")


@fault("CUST-05", "CUST-06", caught_by=("Every field of a shipping customer may stand alone",))
def demands_names_of_recipients(asked: Asked, sound: Sound) -> Answer:
    """Who gets the parcel has to have a name."""
    sent = asked.sent
    known = any(name.startswith("shipping.customer.") for name in sent)
    return naming(sound.answer(asked), "shipping.customer.surname", when=known)


@fault("CUST-07", caught_by=("A phone number of another form is refused",))
def takes_letters_in_phones(asked: Asked, sound: Sound) -> Answer:
    """A phone number may have letters."""
    return forgiving(sound.answer(asked), "customer.phone")


@fault("STATE-02", caught_by=("A customer is new or existing",))
def takes_old_customers(asked: Asked, sound: Sound) -> Answer:
    """A customer may have any status."""
    return forgiving(sound.answer(asked), "customer.status")


@fault("ADDR-01", caught_by=("A street of digits alone is refused without a second line as well",))
def takes_streets_of_digits(asked: Asked, sound: Sound) -> Answer:
    """A street may consist of digits."""
    return forgiving(sound.answer(asked), "billing.street1")


@fault("ADDR-03", caught_by=("A second house number requires a first",))
def takes_second_house_numbers_alone(asked: Asked, sound: Sound) -> Answer:
    """A second house number needs no first."""
    return forgiving(sound.answer(asked), "billing.houseNumber1", "shipping.houseNumber1")


@fault("SHIP-01", caught_by=("A shipping method and a shipping preference are among those listed",))
def ships_by_any_method(asked: Asked, sound: Sound) -> Answer:
    """A parcel travels by any method."""
    return forgiving(sound.answer(asked), "shipping.method")


@fault(
    "MERCH-02",
    caught_by=("Merchant data has names of 3 to 64 letters, digits, dots and underscores",),
)
def takes_short_keys(asked: Asked, sound: Sound) -> Answer:
    """A key of the merchant's data may have two characters."""
    return forgiving(sound.answer(asked), "merchant.data[ab]")


@fault("CART-01", caught_by=("A cart holds no more than a thousand items",))
def takes_a_thousand_and_one(asked: Asked, sound: Sound) -> Answer:
    """A cart may hold 1001 items."""
    return forgiving(sound.answer(asked), "cart.items[1000]")


@fault("CART-03", "STATE-02", caught_by=("A cart payment in another state is refused",))
def takes_refunded_cart_payments(asked: Asked, sound: Sound) -> Answer:
    """A payment of a cart may have any status."""
    return forgiving(sound.answer(asked), "cart.payments[0].status")


@fault("CART-04", caught_by=("Other prices, taxes and quantities are refused",))
def takes_prices_without_decimals(asked: Asked, sound: Sound) -> Answer:
    """10 is a price."""
    whole = asked.sent.get("cart.items[0].price", "").isdecimal()
    return forgiving(sound.answer(asked), "cart.items[0].price", when=whole)


@fault(
    "CART-04",
    caught_by=("Prices have two decimals, taxes up to two and quantities up to three",),
)
def refuses_quantities_with_decimals(asked: Asked, sound: Sound) -> Answer:
    """One and a half pounds cannot be bought."""
    part = "." in asked.sent.get("cart.items[0].quantity", "")
    return naming(sound.answer(asked), "cart.items[0].quantity", when=part)


@fault("CUSTOM-02", caught_by=("A custom parameter of 2049 characters is refused",))
def takes_longer_custom_parameters(asked: Asked, sound: Sound) -> Answer:
    """What the merchant calls its own may have any length."""
    return forgiving(sound.answer(asked), "customParameters[order.number]")


@fault("GIFT-01", caught_by=("A gift card for another occasion is refused",))
def takes_any_occasion(asked: Asked, sound: Sound) -> Answer:
    """A gift card is for any occasion."""
    return forgiving(sound.answer(asked), "giftCard.type")


@fault("POS-01", caught_by=("A terminal transaction says how the card was read and where",))
def takes_terminals_without_an_entry_mode(asked: Asked, sound: Sound) -> Answer:
    """How a terminal read the card need not be told."""
    return forgiving(sound.answer(asked), "pos.entryMode", when="pos.entryMode" not in asked.sent)


@fault("POS-06", caught_by=("Terminal data is among what is listed",))
def takes_any_entry_mode(asked: Asked, sound: Sound) -> Answer:
    """A terminal may read the card in any way."""
    return forgiving(sound.answer(asked), "pos.entryMode", when="pos.entryMode" in asked.sent)


@fault("TDS-02", caught_by=("Four results of an external authentication require each other",))
def takes_half_an_authentication(asked: Asked, sound: Sound) -> Answer:
    """One result of an external authentication is enough."""
    return forgiving(sound.answer(asked), "threeDSecure.enrollmentStatus", "threeDSecure.eci")


@fault("TDS-03", caught_by=("Each scheme may have a requestor of its own",))
def knows_no_requestors(asked: Asked, sound: Sound) -> Answer:
    """A scheme's own name for the merchant is unknown."""
    sent = asked.sent
    names = [name for name in sent if name.startswith(("threeDSecure.v1.", "threeDSecure.v2."))]
    return naming(sound.answer(asked), *names)


@fault("TDS-04", caught_by=("Later indicators need version 2.2 or higher",))
def takes_later_indicators_early(asked: Asked, sound: Sound) -> Answer:
    """An indicator of version 2.2 is taken with any version."""
    return forgiving(sound.answer(asked), "threeDSecure.challengeIndicator")


@fault("TDS-08", caught_by=("Data of an external authentication is taken",))
def knows_no_directory_ids(asked: Asked, sound: Sound) -> Answer:
    """The id of a directory server is refused."""
    sent = asked.sent
    named = [name for name in ("threeDSecure.dsTransactionId",) if name in sent]
    return naming(sound.answer(asked), *named)


@fault("REC-01", caught_by=("Another recurring type is refused",))
def takes_any_recurring_type(asked: Asked, sound: Sound) -> Answer:
    """A payment of a series may be marked with any word."""
    return forgiving(sound.answer(asked), "recurringType")


@fault("REC-02", caught_by=("A number of four digits is refused",))
def takes_a_thousand_installments(asked: Asked, sound: Sound) -> Answer:
    """A number of installments may have four digits."""
    return forgiving(sound.answer(asked), "recurring.numberOfInstallments")


@fault("COF-01", caught_by=("Marks of a card on file have the listed values and no other",))
def takes_any_instruction(asked: Asked, sound: Sound) -> Answer:
    """A card on file may be used for anything."""
    return forgiving(sound.answer(asked), "standingInstruction.type")


@fault("ASYNC-02", caught_by=("Addresses for a result have 6 to 2048 characters",))
def takes_any_way_back(asked: Asked, sound: Sound) -> Answer:
    """An address for the result may have five characters."""
    return forgiving(sound.answer(asked), "shopperResultUrl", "notificationUrl")


@fault("LIM-04", caught_by=("FIELD:billing.street1:too-long",))
def takes_longer_streets(asked: Asked, sound: Sound) -> Answer:
    """A street may have any length."""
    return sound.answer(asked.sending(billing__street1=asked.sent.get("billing.street1", "")[:95]))


@fault("LIM-04", caught_by=("FIELD:pos.terminalId:longest",))
def fails_on_terminals(asked: Asked, sound: Sound) -> Answer:
    """What comes from a terminal is answered with a fault of the gateway."""
    answer = sound.answer(asked)
    at_terminal = "pos.terminalId" in asked.sent
    return Answer(500, answer.headers, answer.body) if at_terminal else answer


@fault("RISK-01", caught_by=("The screening service has shorter limits",))
def has_one_limit_for_channels(asked: Asked, sound: Sound) -> Answer:
    """The screening service takes names as long as everybody."""
    return forgiving(sound.answer(asked), "risk.channelId")


@fault("AIR-01", "TRN-06", caught_by=("Passengers and their legs are counted from 0",))
def counts_passengers_from_one(asked: Asked, sound: Sound) -> Answer:
    """The first passenger may be the second."""
    return forgiving(sound.answer(asked), "airline.passengers[1]")
