"""The shopper, and the customer goods are shipped to."""

from simulator.grammar.formats import boolean, choice_of, date, digits, matching, switched, text
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, Param, renamed, table
from simulator.grammar.relations import required_if_any, together, under

# The specification gives no limit and cuts what is longer than 48; 4,096 is ours. Choice: D-53.
NAME = text(4096, notation="AN")
SEX = choice_of("M", "F", notation="A1")
STATUS = choice_of("NEW", "EXISTING", notation="A9")
DOCUMENT = choice_of("IDCARD", "PASSPORT", "TAXSTATEMENT", notation="A12")

# Starts with + or a digit. Clients in the field send `(?!?)555-5555`. Choice: D-08.
STRICT_PHONE = matching(
    "AN25, starts with + or digit, then digits, space, dot, parentheses, slash, hyphen",
    "phone",
    r"[+0-9][0-9 .()/\-]{0,24}",
    lengths=(1, 25),
)
PHONE = switched(STRICT_PHONE, "phone", text(25))

# fmt: off
CUSTOMER = table("Customer", (
    Param("customer.merchantCustomerId",       text(255),        OPTIONAL,
          "shopper id in the merchant's system"),
    Param("customer.givenName",                NAME,             CONDITIONAL,
          "required when any other customer parameter is sent. Truncated after 48 characters",
          origin="D-53"),
    Param("customer.middleName",               text(50, min=2),  OPTIONAL),
    Param("customer.surname",                  NAME,             CONDITIONAL,
          "same rule as givenName", origin="D-53"),
    Param("customer.sex",                      SEX,              OPTIONAL),
    Param("customer.birthDate",                date(),           OPTIONAL),
    Param("customer.phone",                    PHONE,            OPTIONAL,
          "needed by some risk checks"),
    Param("customer.mobile",                   PHONE,            OPTIONAL,
          "needed by some risk checks"),
    Param("customer.workPhone",                text(25),         OPTIONAL),
    Param("customer.email",                    text(128, min=6), OPTIONAL,
          "needed for some risk checks and for sending direct debit mandates"),
    Param("customer.companyName",              text(60),         OPTIONAL),
    Param("customer.identificationDocType",    DOCUMENT,         CONDITIONAL,
          "requires customer.identificationDocId. Mandatory for some payment types"),
    Param("customer.identificationDocId",      text(64, min=8),  CONDITIONAL,
          "requires customer.identificationDocType. Mandatory for some payment types"),
    Param("customer.ip",                       text(255),        OPTIONAL),
    Param("customer.browserFingerprint.id",    text(255),        OPTIONAL,
          "reference to the browser fingerprint"),
    Param("customer.browserFingerprint.value", text(4096),       OPTIONAL),
    Param("customer.browser.acceptHeader",     text(2048),       CONDITIONAL,
          "mandatory for 3D Secure v2. Exact HTTP accept header content"),
    Param("customer.browser.language",         text(8),          CONDITIONAL,
          "mandatory for 3D Secure v2. IETF BCP47 value"),
    Param("customer.browser.screenHeight",     text(6),          CONDITIONAL,
          "mandatory for 3D Secure v2. Pixels"),
    Param("customer.browser.screenWidth",      text(6),          CONDITIONAL,
          "mandatory for 3D Secure v2. Pixels"),
    Param("customer.browser.timezone",         text(5),          CONDITIONAL,
          "mandatory for 3D Secure v2. Minutes from local time to UTC: positive behind UTC, "
          "negative ahead"),
    Param("customer.browser.userAgent",        text(2048),       CONDITIONAL,
          "mandatory for 3D Secure v2"),
    Param("customer.browser.javaEnabled",      boolean(),        CONDITIONAL,
          "mandatory for 3D Secure v2"),
    Param("customer.browser.screenColorDepth", digits(1, 2),     OPTIONAL, "bits per pixel"),
    Param("customer.browser.challengeWindow",  digits(1, 2),     OPTIONAL,
          "preconfigured size code of the challenge window"),
    Param("customer.browser.deviceId",         text(32),         OPTIONAL),
    Param("customer.status",                   STATUS,           OPTIONAL),
), echo=True, personal=("customer.",))
# fmt: on

SHIPPING_CUSTOMER = table(
    "Shipping customer",
    renamed(
        CUSTOMER.rows,
        "shipping.",
        but=("customer.browserFingerprint.", "customer.browser.deviceId"),
    ),
    echo=True,
    personal=("shipping.",),
)

CUSTOMER_RELATIONS = (
    under(
        "customer_names",
        required_if_any("CUST-01", "customer.", "customer.givenName", "customer.surname"),
    ),
    together("CUST-03", "customer.identificationDocType", "customer.identificationDocId"),
)
