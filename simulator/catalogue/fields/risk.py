"""Gift cards and risk checks."""

from simulator.grammar.formats import (
    amount,
    amount_two_decimals,
    choice_of,
    switched,
    text,
    timestamp,
)
from simulator.grammar.parameters import OPTIONAL, Param, table
from simulator.grammar.relations import limit_with

OCCASION = choice_of(
    "ANNIVERSARY", "BIRTHDAY", "CONGRATULATIONS", "APRIL_FOOLS_DAY", "EASTER", "FATHERS_DAY",
    "GRADUATION", "HOLIDAY", "SEASONS_GREETINGS", "PASSOVER", "KWANZAA", "HALLOWEEN", "MOTHERS_DAY",
    "NEW_YEARS_DAY", "BOSSES_DAY", "ST_PATRICKS_DAY", "SWEETEST_DAY", "CHRISTMAS", "BABY_SHOWER",
    "THANKSGIVING", "OTHER", "VALENTINES_DAY", "WEDDING", "SECRETARYS_DAY", "CHINESE_NEW_YEAR",
    "HANUKKAH", "CELEBRATE_FALL", "GRANDPARENTS_DAY", "INDEPENDENCE_DAY", notation="AN16",
)  # fmt: skip
# Existing clients send the amount of the payment, which may be whole. Choice: D-273.
RISK_AMOUNT = switched(amount_two_decimals(), "risk_amount", amount(12))
SCREENING_SERVICE_ID_LENGTH = 1
SCREENING_CHANNEL_ID_LENGTH = 12

# fmt: off
GIFT_CARD = table("Gift card", (
    Param("giftCard.message", text(160, min=2), OPTIONAL),
    Param("giftCard.type",    OCCASION,         OPTIONAL),
), echo=True, personal=("giftCard.message",))

RISK = table("Risk", (
    Param("risk.channelId",        text(255),             OPTIONAL,
          "channel id in the risk system; normally configured, may be set per request. For "
          "the third-party fraud screening service the length is limited to 12 and a "
          "different rule set runs"),
    Param("risk.serviceId",        text(255),             OPTIONAL,
          "service id in the risk system. For that service length is limited to 1 and it "
          "selects the screening service"),
    Param("risk.amount",           RISK_AMOUNT,           OPTIONAL,
          "used for risk and for 3D Secure"),
    Param("risk.orderTimestamp",   timestamp(),           OPTIONAL,
          "defaults to the time set automatically. Use it when the payment was executed at "
          "another time than the risk request"),
    Param("risk.brand",            text(255),             OPTIONAL,
          "defaults to paymentBrand. Use it for a brand format outside the service"),
    Param("risk.parameters[name]", text(2048),            OPTIONAL,
          "custom risk data", key=text(64)),
    Param("risk.merchantWebsite",  text(60),              OPTIONAL),
    Param("risk.accountToken",     text(64),              OPTIONAL,
          "merchant-set account token", secret=True),
))

# A service id of one character selects the third-party fraud screening service. Choice: D-56.
RISK_RELATIONS = (
    limit_with(
        "RISK-01", "risk.channelId", SCREENING_CHANNEL_ID_LENGTH,
        other="risk.serviceId", of_length=SCREENING_SERVICE_ID_LENGTH,
    ),
)
# fmt: on
