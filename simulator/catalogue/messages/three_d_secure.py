"""3-D Secure 2: the fields of the messages between 3DS server, directory server, ACS and browser.

Those that the browser channel of a payment uses, versions 2.1.0 and 2.2.0; a field that is not
listed may be there and is passed over. Source: the EMV 3DS core protocol, data elements. Choice:
D-198.
"""

from simulator.grammar.formats import Format, base64, choice_of, digits, matching, numbered, text
from simulator.grammar.message_fields import EXTENSIONS, TRUTH, Follows, MessageField

MESSAGES = ("AReq", "ARes", "CReq", "CRes", "RReq", "RRes", "Erro")
VERSIONS = ("2.1.0", "2.2.0")

UUID = matching(
    "UUID", "uuid", "[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}",
    lengths=(36, 36),
)  # fmt: skip
DATE = "[0-9]{4}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])"
INSTANT = matching(
    "yyyyMMddHHmmss", "instant", f"{DATE}(?:[01][0-9]|2[0-3])[0-5][0-9][0-5][0-9]", lengths=(14, 14)
)
DAY = matching("yyyyMMdd", "day", DATE, lengths=(8, 8))
EXPIRY = matching("yyMM", "expiry", "[0-9]{2}(?:0[1-9]|1[0-2])", lengths=(4, 4))
ZONE = matching("minutes", "zone", r"[+\-]?[0-9]{1,4}", lengths=(1, 5))
DEPTH = choice_of("1", "4", "8", "15", "16", "24", "32", "48")
YES_NO = choice_of("Y", "N")
OPAQUE = text(100_000)


def web(longest: int) -> Format:
    """An http or https address."""
    host = r"[A-Za-z0-9.\-]{1,253}|\[[0-9A-Fa-f:.]{2,45}\]"
    body = rf"(?=.{{10,{longest}}}$)https?://(?:{host})(?::[0-9]{{1,5}})?(?:[/?][!-~]*)?"
    return matching(f"URL of at most {longest}", "web", body, lengths=(10, longest))


# fmt: off
FIELDS = (
    #            name                             format           A A C C R R E
    #                                                              R R R R R R r
    #                                                              e e e e e e r
    #                                                              q s q s q s o
    MessageField("messageType",                   choice_of(*MESSAGES),
                                                                  "R R R R R R R"),
    MessageField("messageVersion",                choice_of(*VERSIONS),
                                                                  "R R R R R R R"),
    MessageField("threeDSServerTransID",          UUID,           "R R R R R R O"),
    MessageField("dsTransID",                     UUID,           "O R . . R R O"),
    MessageField("acsTransID",                    UUID,           ". R R R R R O"),
    MessageField("acctNumber",                    digits(13, 19), "R . . . . . ."),
    MessageField("cardExpiryDate",                EXPIRY,         "R . . . . . ."),
    MessageField("purchaseAmount",                digits(1, 48),  "R . . . . . ."),
    MessageField("purchaseCurrency",              digits(3, 3),   "R . . . . . ."),
    MessageField("purchaseExponent",              digits(1, 1),   "R . . . . . ."),
    MessageField("purchaseDate",                  INSTANT,        "R . . . . . ."),
    MessageField("deviceChannel",                 choice_of("02"),
                                                                  "R . . . . . ."),
    MessageField("messageCategory",               choice_of("01"),
                                                                  "R . . . R . ."),
    MessageField("threeDSCompInd",                choice_of("Y", "N", "U"),
                                                                  "R . . . . . ."),
    MessageField("threeDSRequestorAuthenticationInd", numbered(1, 9),
                                                                  "O . . . . . ."),
    MessageField("threeDSRequestorChallengeInd",  numbered(1, 4), "O . . . . . .",
                 newer=numbered(1, 9)),
    MessageField("threeDSRequestorID",            text(35),       "R . . . . . ."),
    MessageField("threeDSRequestorName",          text(40),       "R . . . . . ."),
    MessageField("threeDSRequestorURL",           web(2048),      "O . . . . . ."),
    MessageField("threeDSServerRefNumber",        text(32),       "O . . . . . ."),
    MessageField("threeDSServerOperatorID",       text(32),       "O . . . . . ."),
    MessageField("threeDSServerURL",              web(2048),      "R . . . . . ."),
    MessageField("notificationURL",               web(256),       "R . . . . . ."),
    MessageField("acquirerBIN",                   text(11),       "O . . . . . ."),
    MessageField("acquirerMerchantID",            text(35),       "O . . . . . ."),
    MessageField("merchantName",                  text(40),       "R . . . . . ."),
    MessageField("merchantCountryCode",           digits(3, 3),   "R . . . . . ."),
    MessageField("mcc",                           digits(4, 4),   "R . . . . . ."),
    MessageField("browserAcceptHeader",           text(2048),     "R . . . . . ."),
    MessageField("browserIP",                     text(45),       "O . . . . . ."),
    MessageField("browserJavaEnabled",            OPAQUE,         "R . . . . . .", shape=TRUTH),
    MessageField("browserJavascriptEnabled",      OPAQUE,         "O . . . . . .", shape=TRUTH),
    MessageField("browserLanguage",               text(8),        "R . . . . . ."),
    MessageField("browserColorDepth",             DEPTH,          "O . . . . . ."),
    MessageField("browserScreenHeight",           digits(1, 6),   "R . . . . . ."),
    MessageField("browserScreenWidth",            digits(1, 6),   "R . . . . . ."),
    MessageField("browserTZ",                     ZONE,           "R . . . . . ."),
    MessageField("browserUserAgent",              text(2048),     "R . . . . . ."),
    MessageField("billAddrLine1",                 text(50),       "O . . . . . ."),
    MessageField("billAddrLine2",                 text(50),       "O . . . . . ."),
    MessageField("billAddrLine3",                 text(50),       "O . . . . . ."),
    MessageField("billAddrCity",                  text(50),       "O . . . . . ."),
    MessageField("billAddrPostCode",              text(16),       "O . . . . . ."),
    MessageField("billAddrState",                 text(3),        "O . . . . . ."),
    MessageField("billAddrCountry",               digits(3, 3),   "O . . . . . ."),
    MessageField("shipAddrLine1",                 text(50),       "O . . . . . ."),
    MessageField("shipAddrCity",                  text(50),       "O . . . . . ."),
    MessageField("shipAddrPostCode",              text(16),       "O . . . . . ."),
    MessageField("shipAddrCountry",               digits(3, 3),   "O . . . . . ."),
    MessageField("cardholderName",                text(45, min=2), "O . . . . . ."),
    MessageField("email",                         text(254),      "O . . . . . ."),
    MessageField("recurringExpiry",               DAY,            "O . . . . . ."),
    MessageField("recurringFrequency",            digits(1, 4),   "O . . . . . ."),
    MessageField("purchaseInstalData",            digits(1, 3),   "O . . . . . ."),
    MessageField("transStatus",                   choice_of("Y", "N", "U", "A", "C", "R"),
                                                                  ". R . . . . .",
                 newer=choice_of("Y", "N", "U", "A", "C", "R", "I")),
    MessageField("transStatus",                   choice_of("Y", "N"),
                                                                  ". . . R . . ."),
    MessageField("transStatus",                   choice_of("Y", "N", "U", "A", "R"),
                                                                  ". . . . R . ."),
    MessageField("transStatusReason",             digits(2, 2),   ". O . . O . ."),
    MessageField("eci",                           digits(2, 2),   ". O . . O . ."),
    MessageField("authenticationValue",           base64(28),     ". O . . O . ."),
    MessageField("authenticationType",            numbered(1, 3), ". O . . O . ."),
    MessageField("authenticationMethod",          numbered(1, 10), ". . . . O . ."),
    MessageField("acsURL",                        web(2048),      ". O . . . . ."),
    MessageField("acsReferenceNumber",            text(32),       ". R . . . . ."),
    MessageField("acsOperatorID",                 text(32),       ". O . . . . ."),
    MessageField("dsReferenceNumber",             text(32),       ". R . . . . ."),
    MessageField("acsChallengeMandated",          YES_NO,         ". O . . . . ."),
    MessageField("acsSignedContent",              OPAQUE,         ". O . . . . ."),
    MessageField("cardholderInfo",                text(128),      ". O . . . . ."),
    MessageField("challengeWindowSize",           numbered(1, 5), ". . R . . . ."),
    MessageField("interactionCounter",            digits(2, 2),   ". . . . R . ."),
    MessageField("challengeCancel",               numbered(1, 8), ". . . . O . ."),
    MessageField("resultsStatus",                 numbered(1, 4), ". . . . . R ."),
    MessageField("errorCode",                     digits(3, 3),   ". . . . . . R"),
    MessageField("errorComponent",                choice_of("C", "S", "D", "A"),
                                                                  ". . . . . . R"),
    MessageField("errorDescription",              text(2048),     ". . . . . . R"),
    MessageField("errorDetail",                   text(2048),     ". . . . . . R"),
    MessageField("errorMessageType",              text(4),        ". . . . . . O"),
    MessageField("messageExtension",              OPAQUE,         "O O O O O O .",
                 shape=EXTENSIONS),
)

FOLLOWS = (
    #       message  field         has one of       then there must be
    Follows("ARes", "transStatus", ("C",),          ("acsURL", "acsChallengeMandated",
                                                     "authenticationType", "acsSignedContent")),
    Follows("ARes", "transStatus", ("Y", "A"),      ("authenticationValue", "eci")),
    Follows("ARes", "transStatus", ("N", "U", "R"), ("transStatusReason",)),
    Follows("RReq", "transStatus", ("Y", "A"),      ("authenticationValue", "eci")),
    Follows("RReq", "transStatus", ("N", "U", "R"), ("transStatusReason",)),
)

ERRORS = {
    "101": "Message Received Invalid",
    "102": "Message Version Number Not Supported",
    "201": "Required Data Element Missing",
    "202": "Critical Message Extension Not Recognised",
    "203": "Format of one or more Data Elements is Invalid according to the Specification",
    "204": "Duplicate Data Element",
    "301": "Transaction ID Not Recognised",
    "303": "Access Denied, Invalid Endpoint",
    "304": "ISO Code Invalid",
    "305": "Transaction Data Not Valid",
    "402": "Transaction Timed Out",
    "403": "Transient System Failure",
    "404": "Permanent System Failure",
    "405": "System Connection Failure",
}
# fmt: on
