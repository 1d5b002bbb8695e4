"""Custom parameters, and where the shopper and the result go."""

from simulator.grammar.formats import callback_url, map_key, text
from simulator.grammar.parameters import CONDITIONAL, OPTIONAL, Param, table

# fmt: off
CUSTOM_PARAMETERS = table("Custom parameters", (
    Param("customParameters[name]", text(2048, min=0), CONDITIONAL,
          "echoed back in the response. Names sent from the client side of the hosted payment "
          "form must start with SHOPPER_", key=map_key()),
), echo=True)

ASYNCHRONOUS = table("Asynchronous payment parameters", (
    Param("shopperResultUrl", callback_url(2048, min=6), CONDITIONAL,
          "receives the result of an asynchronous payment"),
    Param("notificationUrl",  callback_url(2048, min=6), OPTIONAL,
          "receives the asynchronous notification where applicable"),
))
# fmt: on
