"""Custom parameters, and where the shopper and the result go."""

from simulator.catalogue.brands import BRANDS
from simulator.catalogue.payment_types import CHARGING_TYPES
from simulator.grammar.formats import callback_url, map_key, text, web_url
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, Param, table
from simulator.grammar.relations import required_where

# Payments that take money while the shopper is there, by brands that ask him on their own pages.
# A registration and a payout ask no shopper, nor does a payment of the merchant.
# Choices: D-123, D-139.
REDIRECTED_BRANDS = tuple(brand.value for brand in BRANDS.values() if brand.redirects)

# fmt: off
CUSTOM_PARAMETERS = table("Custom parameters", (
    Param("customParameters[name]", text(2048, min=0), CONDITIONAL,
          "echoed back in the response. Names sent from the client side of the hosted payment "
          "form must start with SHOPPER_", key=map_key()),
), echo=True)

ASYNCHRONOUS = table("Asynchronous payment parameters", (
    Param("shopperResultUrl", callback_url(2048, min=6), CONDITIONAL,
          "receives the result of an asynchronous payment"),
    Param("notificationUrl",  web_url(2048, min=6),      OPTIONAL,
          "receives the asynchronous notification where applicable"),
))
WAY_BACK = required_where(
    "ASYNC-01", "shopperResultUrl",
    ("paymentBrand", REDIRECTED_BRANDS), ("paymentType", CHARGING_TYPES),
    rests=(
        (("standingInstruction.source", ("MIT",)),),
        (("standingInstruction.source", ()), ("standingInstruction.mode", ()),
         ("recurringType", ("REPEATED",))),
    ),
    says="must be present so the shopper's browser can be redirected back to you after being "
         "redirected to the third party's website",
)
# fmt: on
