"""What answers and notifications carry."""

from simulator.grammar.formats import (
    alphanumeric,
    amount_two_decimals,
    ascii_letters,
    choice_of,
    country,
    digits,
    matching,
    opaque,
    switched,
    text,
    timestamp,
)
from simulator.grammar.parameters import (
    CONDITIONAL,
    OPTIONAL,
    REQUIRED,
    RESPONSE,
    WEBHOOK,
    Param,
    table,
)

# A: address matches, zip does not. Z: the other way round. N: neither. F: both. U: not applicable.
AVS = choice_of("A", "Z", "N", "U", "F", notation="A1")
CHECKOUT_ID = alphanumeric(48, min=32, signs=".-")
RESULT_CODE = matching(
    "AN11, digits and dots, 2-11", "result code", r"[0-9.]{2,11}", lengths=(2, 11)
)
BIC = matching("AN11, 8 or 11 chars", "bic", "(?:[A-Za-z0-9]{8}|[A-Za-z0-9]{11})", lengths=(8, 11))
# As long as that of a request may be. Source: E17.
AMOUNT = switched(amount_two_decimals(), "amount_digits", amount_two_decimals(whole=12))
SCORE = matching("AN6, signed, from -99999 to +99999", "score", r"[+\-]?[0-9]{1,5}", lengths=(1, 6))
WIDE_NDC = alphanumeric(69, signs="_.-")
# The id of a checkout has a dot. Choices: D-12, D-133.
NDC = switched(
    switched(alphanumeric(69, signs="-"), "ndc", WIDE_NDC),
    "checkout_ndc",
    switched(alphanumeric(69, signs=".-"), "ndc", WIDE_NDC),
)
WHEN = matching(
    "yyyy-MM-dd hh:mm:ssZ",
    "response timestamp",
    r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}[+\-][0-9]{4}",
    lengths=(24, 24),
)
KIND = choice_of("PAYMENT", "REGISTRATION", notation="PAYMENT or REGISTRATION")
ACTION = choice_of("CREATED", "UPDATED", "DELETED", notation="CREATED, UPDATED or DELETED")

# The account of the merchant that shoppers pay to, in answers about bank accounts.
RECEIVING = "merchant.bankAccount."

# fmt: off
REGISTRATION_RESPONSE = table("Tokenization and registration", (
    Param("registrationId", text(32, min=32), CONDITIONAL,
          "in a payment response when createRegistration=true"),
), direction=RESPONSE)

REDIRECT = table("Asynchronous payment parameters", (
    Param("redirect.url",                 text(2048), OPTIONAL, "where the shopper must be sent"),
    Param("redirect.parameters[n].name",  text(255),  OPTIONAL, "parameter name for the redirect"),
    Param("redirect.parameters[n].value", text(255),  OPTIONAL,
          "value for the name at the same index"),
), direction=RESPONSE)

POINT_OF_SALE_RESPONSE = table("Point of sale", (
    Param("pos.clearing.authorizationAcquirerCode", alphanumeric(2048), OPTIONAL),
    Param("pos.clearing.authorizationIssuerCode",   alphanumeric(2048), OPTIONAL),
    Param("pos.clearing.identifier",                alphanumeric(2048), OPTIONAL),
    Param("pos.merchantId",                         alphanumeric(2048), OPTIONAL),
    Param("pos.iccDataResponse",                    alphanumeric(2048), OPTIONAL),
    Param("pos.statusText",                         alphanumeric(2048), OPTIONAL),
    Param("pos.timestamp",                          timestamp(),        OPTIONAL),
), direction=RESPONSE)

PAYMENT_RESPONSE = table("Payment response", (
    Param("id (checkout)",                  CHECKOUT_ID,                REQUIRED,
          "used as {id} in later checkout steps"),
    Param("id (payment)",                   alphanumeric(32, min=32),   REQUIRED,
          "used as {id} in referencing requests and as referencedPaymentId in back office"),
    Param("id (registration)",              text(32, min=32),           REQUIRED,
          "also returned as registrationId in a payment response when createRegistration=true"),
    Param("referencedId",                   text(32),                   CONDITIONAL,
          "for referencing payments such as capture or refund; appears only in webhook "
          "notifications"),
    Param("paymentBrand",                   text(32),                   CONDITIONAL),
    Param("amount",                         AMOUNT,                     CONDITIONAL),
    Param("currency",                       ascii_letters(3),           CONDITIONAL),
    Param("descriptor",                     text(127),                  CONDITIONAL),
    Param("result.code",                    RESULT_CODE,                REQUIRED,
          "result status code"),
    Param("result.description",             text(255, min=0),           OPTIONAL),
    Param("result.avsResponse",             AVS,                        CONDITIONAL,
          "address verification, see `AVS` above"),
    Param("result.cvvResponse",             ascii_letters(1),           CONDITIONAL,
          "single-letter CVV result from the acquirer. Its code list: not shown"),
    Param("resultDetails[name]",            text(2048),                 OPTIONAL,
          "bank-specific detail pairs"),
    Param("resultDetails.AcquirerResponse", text(2048),                 CONDITIONAL,
          "original acquirer response code"),
    Param("card.bin",                       digits(6, 6),               OPTIONAL,
          "first six digits of the card number"),
    Param("card.holder",                    text(128),                  OPTIONAL),
    Param("card.expiryMonth",               digits(2, 2),               OPTIONAL),
    Param("card.expiryYear",                digits(4, 4),               OPTIONAL),
    Param("merchant.bankAccount.holder",    text(128, min=4),           REQUIRED,
          "merchant's account holder (present for bank-based results)"),
    Param("merchant.bankAccount.number",    text(64, min=3),            CONDITIONAL,
          "IBAN for SEPA accounts"),
    Param("merchant.bankAccount.bic",       BIC,                        CONDITIONAL),
    Param("merchant.bankAccount.country",   country(notation="AN2"),    CONDITIONAL, "ISO 3166-1"),
    Param("risk.score",                     SCORE,                      CONDITIONAL,
          "returned for risk-only requests and for payments with risk checks"),
    Param("other structures",               opaque("as defined above"), CONDITIONAL,
          "the response can echo the request structures"),
    Param("buildNumber",                    text(255, min=0),           REQUIRED, "for support"),
    Param("timestamp",                      WHEN,                       REQUIRED,
          "generation time of the response"),
    Param("ndc",                            NDC,                        REQUIRED,
          "internal unique request id"),
), direction=RESPONSE)

WEBHOOK_RESPONSE = table("Webhook-specific response fields", (
    Param("presentationAmount",   amount_two_decimals(), CONDITIONAL),
    Param("presentationCurrency", ascii_letters(3),      CONDITIONAL),
), direction=RESPONSE)

EVENTS = table("Events", (
    Param("type",    KIND,           REQUIRED, "kind of notification"),
    Param("action",  ACTION,         CONDITIONAL, "indicates a status change"),
    Param("payload", opaque("JSON"), REQUIRED, "identical to the payment response shape"),
), direction=WEBHOOK)
# fmt: on
