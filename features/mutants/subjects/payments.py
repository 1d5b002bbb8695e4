"""Mutants of payments: types, amounts, brands, cards and wallets."""

from features.mutants.changes import (
    accept_parameters,
    claim_success,
    claim_success_for,
    refuse_parameters,
    replace_at,
    replace_members,
)
from features.mutants.mutant import ALL_INTERFACES, mutant
from features.mutants.proxy import OriginalGateway, ProxiedRequest
from simulator.client import Answer


@mutant(
    "SVC-01",
    "END-01",
    killed_by=("A card payment of every initial type succeeds",),
)
def answers_a_credit_as_a_debit(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A credit is answered as a debit."""
    answer = original.forward(request)
    return replace_members(answer, paymentType="DB") if answer.at("paymentType") == "CD" else answer


@mutant("PAY-01", killed_by=("A malformed amount is refused",))
def takes_three_decimals(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """92.000 is an amount."""
    whole, _, decimals = request.parameters.get("amount", "").partition(".")
    odd = len(decimals) == 3
    return original.forward(request.change(amount=f"{whole}.{decimals[:2]}") if odd else request)


@mutant("PAY-02", killed_by=("Taxes, shipping and cart totals do not change the amount",))
def charges_the_cart(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The total of a cart is charged in place of the amount."""
    total = request.parameters.get("cart.items[0].totalAmount")
    return original.forward(request.change(amount=total) if total else request)


@mutant("PAY-03", killed_by=("An unknown or malformed currency is refused",))
def takes_small_currencies(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A currency may be written in lower case."""
    return original.forward(request.change(currency=request.parameters.get("currency", "").upper()))


@mutant("PAY-03", killed_by=("A payment without a currency is refused",))
def assumes_euros(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment without a currency is one in EUR."""
    return original.forward(
        request.change(currency="EUR") if lacks_parameter(request, "currency") else request
    )


@mutant("PAY-04", killed_by=("An unknown brand is refused",))
def takes_any_brand(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An unknown brand is charged."""
    return claim_success_for(original.forward(request), "100.100.501")


@mutant(
    "SVC-08",
    "PAY-04",
    killed_by=("A brand that is not sent is detected from the card number",),
)
def detects_no_brands(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A detected brand is not returned."""
    answer = original.forward(request)
    return (
        replace_members(answer, paymentBrand=None)
        if lacks_parameter(request, "paymentBrand")
        else answer
    )


@mutant("PAY-05", killed_by=("An unknown payment type is refused",))
def takes_captures_as_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A capture without a reference is accepted as a debit."""
    odd = request.is_payment and request.parameters.get("paymentType") == "CP"
    return original.forward(request.change(paymentType="DB") if odd else request)


@mutant("PAY-06", killed_by=("A payment type for one brand is refused outside a checkout",))
def takes_types_of_brands_anywhere(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment type for one brand is ignored outside a checkout."""
    odd = request.is_payment and "overridePaymentType[VISA]" in request.parameters
    return original.forward(
        request.change_parameters({"overridePaymentType[VISA]": ""}) if odd else request
    )


@mutant("PAY-07", "MERCH-01", killed_by=("The merchant's name overrides the descriptor",))
def prefers_the_descriptor(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The descriptor overrides the merchant's name."""
    return original.forward(
        request.change(merchant__name="") if has_parameter(request, "descriptor") else request
    )


@mutant(
    "PAY-13",
    killed_by=("A merchant account with a fixed descriptor does not use the one sent",),
)
def uses_any_descriptor(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A merchant account with a fixed descriptor uses the one that was sent."""
    answer = original.forward(request)
    sent = request.parameters.get("descriptor")
    return replace_members(answer, descriptor=sent) if answer.at("descriptor") and sent else answer


@mutant("PAY-08", killed_by=("A merchant reference may be sent again",))
def takes_a_reference_once(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A merchant reference can be used once."""
    reference = request.parameters.get("merchantTransactionId", "")
    again = bool(reference) and reference in original.memory
    original.memory[reference] = True
    answer = original.forward(request)
    return refuse_parameters(answer, "merchantTransactionId") if again else answer


@mutant(
    "PAY-08",
    killed_by=("A channel that requires a merchant reference refuses a payment without one",),
    interfaces=ALL_INTERFACES,
)
def never_demands_a_reference(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A channel that requires a reference accepts a payment without one."""
    demanded = request.is_payment and lacks_parameter(request, "merchantTransactionId")
    return accept_parameters(original.forward(request), "merchantTransactionId", when=demanded)


@mutant("PAY-10", killed_by=("The response does not show the merchant's memo",))
def shows_the_memo(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The merchant's memo is in the response."""
    memo = request.parameters.get("merchantMemo")
    return replace_members(original.forward(request), **{"merchantMemo": memo} if memo else {})


@mutant("PAY-11", killed_by=("A malformed transaction category is refused",))
def takes_any_category(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A transaction category may have any form."""
    return original.forward(request.change(transactionCategory="") if request.body else request)


@mutant("PAY-12", killed_by=("The merchant's own references of any other length are refused",))
def takes_short_invoice_ids(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An invoice id may have seven characters."""
    invoice = request.parameters.get("merchantInvoiceId", "")
    return original.forward(
        request.change(merchantInvoiceId=invoice.ljust(8, "0") if invoice else "")
    )


@mutant("CARD-01", killed_by=("A card payment needs no holder",))
def demands_a_holder(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A card payment requires a card holder."""
    lacks = has_parameter(request, "card.number") and lacks_parameter(request, "card.holder")
    return refuse_parameters(original.forward(request), "card.holder", when=lacks)


@mutant("CARD-01", killed_by=("A card payment without the card is refused",))
def charges_no_card(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment by card needs no card number."""
    lacks = lacks_parameter(request, "card.number")
    return (
        accept_parameters(original.forward(request), "card.number")
        if lacks
        else original.forward(request)
    )


@mutant("CARD-02", killed_by=("A card number with a wrong check digit is refused",))
def takes_any_check_digit(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The check digit of a card number is not verified."""
    return claim_success_for(original.forward(request), "100.100.101")


@mutant("CARD-02", killed_by=("An expired card is refused",))
def takes_expired_cards(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An expired card is charged."""
    expired = request.parameters.get("card.expiryYear") == "2019"
    return original.forward(request.change(card__expiryYear="2099") if expired else request)


@mutant("CARD-03", killed_by=("An expiry month is one of 01 to 12",))
def takes_month_thirteen(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """13 is an expiry month."""
    month = request.parameters.get("card.expiryMonth", "")
    return original.forward(request.change(card__expiryMonth="12") if month == "13" else request)


@mutant("CARD-04", killed_by=("An expiry year has four digits and starts with 19 or 20",))
def takes_years_of_two_digits(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An expiry year may have two digits."""
    year = request.parameters.get("card.expiryYear", "")
    return original.forward(
        request.change(card__expiryYear=f"20{year}") if len(year) == 2 else request
    )


@mutant(
    "CARD-05", killed_by=("A channel that requires the security code refuses a card without it",)
)
def never_demands_the_code(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A channel that requires the security code accepts a payment without it."""
    return claim_success_for(original.forward(request), "100.100.600")


@mutant("ERR-01", killed_by=("A declined payment shows the acquirer's reason",))
def answers_a_decline_with_200(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A declined payment has the status of a success."""
    answer = original.forward(request)
    declined = answer.status == 400 and answer.code.startswith("800.100.")
    return Answer(200, answer.headers, answer.body) if declined else answer


@mutant("ERR-01", killed_by=("The status of a decline differs from that of a success",))
def takes_declined_payments(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A decline by the acquirer is answered as a success."""
    answer = original.forward(request)
    return claim_success(answer) if answer.code.startswith("800.100.") else answer


@mutant("SVC-03", killed_by=("A wallet payment with decrypted data requires all of it",))
def takes_half_a_wallet(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """Wallet data are accepted without the cryptogram."""
    by_wallet = request.parameters.get("paymentBrand") == "MOBILE_WALLET"
    return accept_parameters(original.forward(request), "threeDSecure.", when=by_wallet)


@mutant("SVC-03", killed_by=("A card alone is no wallet payment",))
def takes_bare_cards_by_wallet(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A brand of a wallet takes a card without anything of the wallet."""
    sent = request.parameters
    is_bare = not any(name.startswith(("mobileWallet.", "threeDSecure.")) for name in sent)
    return accept_parameters(original.forward(request), "mobileWallet.", when=is_bare)


@mutant("WAL-01", killed_by=("A wallet source other than web and app is refused",))
def takes_wallets_of_any_source(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A wallet may have any source."""
    return accept_parameters(original.forward(request), "mobileWallet.source")


@mutant("SVC-02", killed_by=("A wallet token pays once",))
def takes_a_token_twice(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A wallet token can be used again."""
    by_token = "mobileWallet.paymentToken" in request.parameters
    return claim_success_for(original.forward(request), "200.100.602", when=by_token)


@mutant("SVC-02", killed_by=("An invalid wallet token is refused",))
def opens_tokens_of_others(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A wallet token for another recipient is accepted."""
    return claim_success_for(original.forward(request), "200.100.603")


@mutant("SVC-04", "VIRT-01", killed_by=("A virtual account payment succeeds",))
def forgets_the_virtual_account(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The response does not show the virtual account."""
    return replace_members(original.forward(request), virtualAccount=None)


@mutant("VIRT-01", killed_by=("A virtual account id has up to 100 characters",))
def takes_longer_virtual_accounts(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """The id of a virtual account may have any length."""
    account = request.parameters.get("virtualAccount.accountId", "")
    return original.forward(request.change(virtualAccount__accountId=account[:100]))


@mutant("MODE-02", killed_by=("The gateway's simulators answer by default",))
def takes_no_internal_mode(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """testMode INTERNAL is refused."""
    internal = request.parameters.get("testMode") == "INTERNAL"
    return refuse_parameters(original.forward(request), "testMode", when=internal)


@mutant("MODE-01", killed_by=("A test mode other than EXTERNAL and INTERNAL is refused",))
def takes_a_live_test_mode(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """An unknown test mode is accepted."""
    unknown = request.parameters.get("testMode") == "LIVE"
    return original.forward(request.change(testMode="INTERNAL") if unknown else request)


@mutant("END-02", killed_by=("A payment is read by its id",))
def shows_another_brand(request: ProxiedRequest, original: OriginalGateway) -> Answer:
    """A payment that is read shows another brand."""
    answer = original.forward(request)
    return replace_at(answer, "paymentBrand", "MASTER") if request.method == "GET" else answer


def has_parameter(request: ProxiedRequest, name: str) -> bool:
    """Whether a new payment has a parameter."""
    return request.is_payment and bool(request.parameters.get(name))


def lacks_parameter(request: ProxiedRequest, name: str) -> bool:
    """Whether a new payment lacks a parameter."""
    return request.is_payment and not request.parameters.get(name)
