"""Faults of payments: what is taken, what is refused, and for how much."""

from features.mutants.changes import (
    as_success,
    forgiving,
    naming,
    taking,
    with_at,
    with_members,
)
from features.mutants.mutant import EVERYWHERE, fault
from features.mutants.proxy import Asked, Sound
from simulator.client import Answer


@fault(
    "SVC-01",
    "END-01",
    caught_by=("A card payment of every initial type is answered with its result",),
)
def answers_a_credit_as_a_debit(asked: Asked, sound: Sound) -> Answer:
    """Money that goes to the cardholder is answered as money that was taken from him."""
    answer = sound.answer(asked)
    return with_members(answer, paymentType="DB") if answer.at("paymentType") == "CD" else answer


@fault("PAY-01", caught_by=("An amount in any other form is refused",))
def takes_three_decimals(asked: Asked, sound: Sound) -> Answer:
    """92.000 is an amount."""
    whole, _, decimals = asked.sent.get("amount", "").partition(".")
    odd = len(decimals) == 3
    return sound.answer(asked.sending(amount=f"{whole}.{decimals[:2]}") if odd else asked)


@fault("PAY-02", caught_by=("Taxes, shipping and cart totals change nothing of what is paid",))
def charges_the_cart(asked: Asked, sound: Sound) -> Answer:
    """The total of a cart is charged in place of the amount."""
    total = asked.sent.get("cart.items[0].totalAmount")
    return sound.answer(asked.sending(amount=total) if total else asked)


@fault("PAY-03", caught_by=("Anything else is no currency",))
def takes_small_currencies(asked: Asked, sound: Sound) -> Answer:
    """A currency may be written in small letters."""
    return sound.answer(asked.sending(currency=asked.sent.get("currency", "").upper()))


@fault("PAY-03", caught_by=("A payment without a currency is refused",))
def assumes_euros(asked: Asked, sound: Sound) -> Answer:
    """A payment without a currency is one in EUR."""
    return sound.answer(asked.sending(currency="EUR") if needs(asked, "currency") else asked)


@fault("PAY-04", caught_by=("A brand nobody knows is refused",))
def takes_any_brand(asked: Asked, sound: Sound) -> Answer:
    """A brand that nobody knows is charged like the others."""
    return taking(sound.answer(asked), "100.100.501")


@fault(
    "SVC-08",
    "PAY-04",
    caught_by=("A brand left out is found from the card number and returned",),
)
def detects_no_brands(asked: Asked, sound: Sound) -> Answer:
    """A brand that was left out is not told."""
    answer = sound.answer(asked)
    return with_members(answer, paymentBrand=None) if needs(asked, "paymentBrand") else answer


@fault("PAY-05", caught_by=("A payment type that is not known is refused",))
def takes_captures_as_payments(asked: Asked, sound: Sound) -> Answer:
    """A capture that refers to nothing is taken as a debit."""
    odd = asked.is_payment and asked.sent.get("paymentType") == "CP"
    return sound.answer(asked.sending(paymentType="DB") if odd else asked)


@fault("PAY-06", caught_by=("A brand has no type of its own outside a checkout",))
def takes_types_of_brands_anywhere(asked: Asked, sound: Sound) -> Answer:
    """A type for one brand is ignored where it has no place."""
    odd = asked.is_payment and "overridePaymentType[VISA]" in asked.sent
    return sound.answer(asked.with_sent({"overridePaymentType[VISA]": ""}) if odd else asked)


@fault("PAY-07", "MERCH-01", caught_by=("The merchant's name overrides the descriptor",))
def prefers_the_descriptor(asked: Asked, sound: Sound) -> Answer:
    """The descriptor stands on the statement, whatever the merchant calls itself."""
    return sound.answer(asked.sending(merchant__name="") if named(asked, "descriptor") else asked)


@fault(
    "PAY-13",
    caught_by=("A merchant account with a fixed descriptor does not use the one sent",),
)
def uses_any_descriptor(asked: Asked, sound: Sound) -> Answer:
    """A merchant account with a fixed descriptor uses the one that was sent."""
    answer = sound.answer(asked)
    sent = asked.sent.get("descriptor")
    return with_members(answer, descriptor=sent) if answer.at("descriptor") and sent else answer


@fault("PAY-08", caught_by=("A merchant reference may be sent again",))
def takes_a_reference_once(asked: Asked, sound: Sound) -> Answer:
    """A merchant's reference that was used is refused for ever."""
    reference = asked.sent.get("merchantTransactionId", "")
    again = bool(reference) and reference in sound.seen
    sound.seen[reference] = True
    answer = sound.answer(asked)
    return naming(answer, "merchantTransactionId") if again else answer


@fault(
    "PAY-08",
    caught_by=("A receiver that demands a merchant reference refuses a payment without one",),
    doors=EVERYWHERE,
)
def never_demands_a_reference(asked: Asked, sound: Sound) -> Answer:
    """A channel that demands a reference does without."""
    demanded = asked.is_payment and needs(asked, "merchantTransactionId")
    return forgiving(sound.answer(asked), "merchantTransactionId", when=demanded)


@fault("PAY-10", caught_by=("The merchant's memo is not in the answer",))
def shows_the_memo(asked: Asked, sound: Sound) -> Answer:
    """What the merchant noted for itself stands in the answer to the payment."""
    memo = asked.sent.get("merchantMemo")
    return with_members(sound.answer(asked), **{"merchantMemo": memo} if memo else {})


@fault("PAY-11", caught_by=("A transaction category of another form is refused",))
def takes_any_category(asked: Asked, sound: Sound) -> Answer:
    """A category of the transaction may have any form."""
    return sound.answer(asked.sending(transactionCategory="") if asked.body else asked)


@fault("PAY-12", caught_by=("The merchant's own references of any other length are refused",))
def takes_short_invoice_ids(asked: Asked, sound: Sound) -> Answer:
    """An invoice id may have seven characters."""
    invoice = asked.sent.get("merchantInvoiceId", "")
    return sound.answer(asked.sending(merchantInvoiceId=invoice.ljust(8, "0") if invoice else ""))


@fault("CARD-01", caught_by=("A card payment needs no holder",))
def demands_a_holder(asked: Asked, sound: Sound) -> Answer:
    """Nobody pays by card without telling its holder."""
    lacks = named(asked, "card.number") and needs(asked, "card.holder")
    return naming(sound.answer(asked), "card.holder", when=lacks)


@fault("CARD-01", caught_by=("A card payment without the card is refused",))
def charges_no_card(asked: Asked, sound: Sound) -> Answer:
    """A payment by card needs no card number."""
    lacks = needs(asked, "card.number")
    return forgiving(sound.answer(asked), "card.number") if lacks else sound.answer(asked)


@fault("CARD-02", caught_by=("A card number that fails its check digit is refused",))
def takes_any_check_digit(asked: Asked, sound: Sound) -> Answer:
    """Check digits of a card number are not looked at."""
    return taking(sound.answer(asked), "100.100.101")


@fault("CARD-02", caught_by=("An expired card is refused",))
def takes_expired_cards(asked: Asked, sound: Sound) -> Answer:
    """A card that expired years ago is charged."""
    expired = asked.sent.get("card.expiryYear") == "2019"
    return sound.answer(asked.sending(card__expiryYear="2099") if expired else asked)


@fault("CARD-03", caught_by=("An expiry month is one of 01 to 12",))
def takes_month_thirteen(asked: Asked, sound: Sound) -> Answer:
    """A year has a thirteenth month."""
    month = asked.sent.get("card.expiryMonth", "")
    return sound.answer(asked.sending(card__expiryMonth="12") if month == "13" else asked)


@fault("CARD-04", caught_by=("An expiry year has four digits and starts with 19 or 20",))
def takes_years_of_two_digits(asked: Asked, sound: Sound) -> Answer:
    """34 is the year 2034."""
    year = asked.sent.get("card.expiryYear", "")
    return sound.answer(asked.sending(card__expiryYear=f"20{year}") if len(year) == 2 else asked)


@fault("CARD-05", caught_by=("A channel that demands the security code refuses a card without it",))
def never_demands_the_code(asked: Asked, sound: Sound) -> Answer:
    """A channel that demands the security code does without."""
    return taking(sound.answer(asked), "100.100.600")


@fault("ERR-01", caught_by=("A declined payment gives the acquirer's reason",))
def tells_a_decline_with_200(asked: Asked, sound: Sound) -> Answer:
    """A declined payment has the status of a success."""
    answer = sound.answer(asked)
    declined = answer.status == 400 and answer.code.startswith("800.100.")
    return Answer(200, answer.headers, answer.body) if declined else answer


@fault("ERR-01", caught_by=("The status tells a decline from a success",))
def takes_declined_payments(asked: Asked, sound: Sound) -> Answer:
    """What the acquirer declines is answered as a success."""
    answer = sound.answer(asked)
    return as_success(answer) if answer.code.startswith("800.100.") else answer


@fault("SVC-03", caught_by=("A wallet payment as decrypted data needs all of it",))
def takes_half_a_wallet(asked: Asked, sound: Sound) -> Answer:
    """A wallet's data pay without what the wallet signed."""
    by_wallet = asked.sent.get("paymentBrand") == "MOBILE_WALLET"
    return forgiving(sound.answer(asked), "threeDSecure.", when=by_wallet)


@fault("WAL-01", caught_by=("A wallet is used on the web or in an app",))
def takes_wallets_of_any_source(asked: Asked, sound: Sound) -> Answer:
    """A wallet may be used anywhere."""
    return forgiving(sound.answer(asked), "mobileWallet.source")


@fault("SVC-02", caught_by=("A token pays once",))
def takes_a_token_twice(asked: Asked, sound: Sound) -> Answer:
    """A wallet's token pays as often as somebody has it."""
    by_token = "mobileWallet.paymentToken" in asked.sent
    return taking(sound.answer(asked), "200.100.602", when=by_token)


@fault("SVC-02", caught_by=("A token that anything is wrong with pays nothing",))
def opens_tokens_of_others(asked: Asked, sound: Sound) -> Answer:
    """A wallet's token that is for another recipient pays."""
    return taking(sound.answer(asked), "200.100.603")


@fault("SVC-04", "VIRT-01", caught_by=("A virtual account payment is processed",))
def forgets_the_virtual_account(asked: Asked, sound: Sound) -> Answer:
    """The answer does not say which virtual account has paid."""
    return with_members(sound.answer(asked), virtualAccount=None)


@fault("VIRT-01", caught_by=("A virtual account id has up to 100 characters",))
def takes_longer_virtual_accounts(asked: Asked, sound: Sound) -> Answer:
    """The id of a virtual account may have any length."""
    account = asked.sent.get("virtualAccount.accountId", "")
    return sound.answer(asked.sending(virtualAccount__accountId=account[:100]))


@fault("MODE-02", caught_by=("The gateway's own simulators answer unless told otherwise",))
def takes_no_internal_mode(asked: Asked, sound: Sound) -> Answer:
    """The gateway's own simulators cannot be asked for by name."""
    internal = asked.sent.get("testMode") == "INTERNAL"
    return naming(sound.answer(asked), "testMode", when=internal)


@fault("MODE-01", caught_by=("A test mode is EXTERNAL or INTERNAL",))
def takes_a_live_test_mode(asked: Asked, sound: Sound) -> Answer:
    """A test mode that nobody knows is the default."""
    unknown = asked.sent.get("testMode") == "LIVE"
    return sound.answer(asked.sending(testMode="INTERNAL") if unknown else asked)


@fault("END-02", caught_by=("A payment is read by its id",))
def shows_another_brand(asked: Asked, sound: Sound) -> Answer:
    """What is read back names another brand than the one that paid."""
    answer = sound.answer(asked)
    return with_at(answer, "paymentBrand", "MASTER") if asked.method == "GET" else answer


def named(asked: Asked, name: str) -> bool:
    """Whether a new payment has a parameter."""
    return asked.is_payment and bool(asked.sent.get(name))


def needs(asked: Asked, name: str) -> bool:
    """Whether a new payment lacks a parameter."""
    return asked.is_payment and not asked.sent.get(name)
