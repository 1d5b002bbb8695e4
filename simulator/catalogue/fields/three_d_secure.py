"""3-D Secure: data of an external MPI, and of the merchant at the directory servers."""

from simulator.grammar.formats import (
    ascii_letters,
    base64,
    choice_of,
    digits,
    matching,
    numbered,
    text,
)
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, Param, table
from simulator.grammar.relations import needs_version, required_with

ENROLLED = choice_of("Y", "U", "N")
AUTHENTICATED = choice_of("Y", "A", "U", "N")
VERSION = matching(
    "digit.digit.digit starting with 1 or 2", "version", r"[12]\.[0-9]\.[0-9]", lengths=(5, 5)
)

# Which schemes have a key is not shown. Choice: D-51.
V1_SCHEMES = ("visa", "mastercard", "maestro", "amex", "diners", "discover", "jcb")
V1_PASSWORD_SCHEMES = ("visa", "mastercard")
V2_SCHEMES = ("visa", "mastercard", "amex", "diners", "discover", "jcb")
# What says that the shopper was authenticated elsewhere.
EXTERNAL_MPI = ("threeDSecure.xid", "threeDSecure.eci", "threeDSecure.verificationId")

# fmt: off
THREE_D_SECURE = table("3D Secure", (
    Param("threeDSecure.eci",                        numbered(1, 8),      CONDITIONAL,
          "required with a third-party MPI"),
    Param("threeDSecure.verificationId",             base64(28),          CONDITIONAL,
          "CAVV or AAV. Required with a third-party MPI"),
    Param("threeDSecure.xid",                        base64(64),          CONDITIONAL,
          "if available"),
    Param("threeDSecure.enrollmentStatus",           ENROLLED,            CONDITIONAL,
          "required with a third-party MPI"),
    Param("threeDSecure.authenticationStatus",       AUTHENTICATED,       CONDITIONAL,
          "required with a third-party MPI"),
    Param("threeDSecure.merchant.name",              text(100),           OPTIONAL,
          "as defined by the scheme directory server"),
    Param("threeDSecure.merchant.url",               text(2048, min=0),   OPTIONAL),
    Param("threeDSecure.merchant.country",           ascii_letters(3),    OPTIONAL),
    Param("threeDSecure.v1.<scheme>.requestorId",    text(100),           OPTIONAL,
          "seven scheme keys exist for version 1", schemes=V1_SCHEMES, origin="D-51"),
    Param("threeDSecure.v1.<scheme>.password",       text(100),           OPTIONAL,
          "exists for two of the version 1 schemes",
          secret=True, schemes=V1_PASSWORD_SCHEMES, origin="D-51"),
    Param("threeDSecure.v2.<scheme>.requestorId",    text(100),           OPTIONAL,
          "six scheme keys exist for version 2", schemes=V2_SCHEMES, origin="D-51"),
    Param("threeDSecure.v2.<scheme>.requestorName",  text(100),           OPTIONAL,
          "same six scheme keys", schemes=V2_SCHEMES, origin="D-51"),
    Param("threeDSecure.dsTransactionId",            text(100),           OPTIONAL,
          "usually 36 chars; authenticated with 3D Secure v2 by an external MPI"),
    Param("threeDSecure.version",                    VERSION,             OPTIONAL,
          "version used by an external MPI"),
    Param("threeDSecure.challengeIndicator",         numbered(1, 9),      OPTIONAL,
          "05-09 only for version 2.2 or higher"),
    Param("threeDSecure.challengeMandatedIndicator", choice_of("Y", "N"), OPTIONAL,
          "for external MPI authentication"),
    Param("threeDSecure.authType",                   numbered(1, 4),      OPTIONAL,
          "for external MPI authentication"),
    Param("threeDSecure.exemptionFlag",              numbered(1, 4),      OPTIONAL,
          "flags an exemption at authorization; version 2.2 or higher"),
    Param("threeDSecure.transactionStatusReason",    digits(1, 2),        OPTIONAL,
          "for external MPI authentication"),
), echo=True)

# What answers show of an authentication beside what a request may send.
AUTHENTICATION_SHOWN = (
    Param("threeDSecure.acsTransactionId",           text(36, min=36),    OPTIONAL,
          "the transaction at the ACS", origin="D-196"),
    Param("threeDSecure.cardHolderInfo",             text(128),           OPTIONAL,
          "what the issuer has to say to the shopper", origin="D-196"),
    Param("threeDSecure.flow", choice_of("challenge", "frictionless"),    OPTIONAL,
          "whether the shopper was asked", origin="D-196"),
)

THREE_D_SECURE_RELATIONS = (
    required_with(
        "TDS-02", EXTERNAL_MPI, "threeDSecure.eci", "threeDSecure.verificationId",
        "threeDSecure.enrollmentStatus", "threeDSecure.authenticationStatus",
        unless="mobileWallet.source",
    ),
    needs_version(
        "TDS-04", "threeDSecure.challengeIndicator", "threeDSecure.version", "2.2",
        values=("05", "06", "07", "08", "09"),
    ),
    needs_version("TDS-04", "threeDSecure.exemptionFlag", "threeDSecure.version", "2.2"),
)
# fmt: on
