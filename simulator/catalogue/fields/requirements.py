"""What a channel makes mandatory. Choices: D-146 and D-283 (3-D Secure version 2), PAY-08 (the
receiver).
"""

from simulator.grammar.needs import Needed

RECEIVER = "the receiver demands a merchant reference"
SECURE_2 = "3-D Secure version 2"

# fmt: off
NEEDS = (
    Needed("PAY-08",  ("merchantTransactionId",), RECEIVER,
           "the receiver behind this channel requires it"),
    Needed("CUST-04", (
        "customer.browser.acceptHeader",
        "customer.browser.language",
        "customer.browser.screenHeight",
        "customer.browser.screenWidth",
        "customer.browser.timezone",
        "customer.browser.userAgent",
        "customer.browser.javaEnabled",
    ), SECURE_2, "mandatory for 3D Secure version 2, for which the channel is set up",
       switch="secure_data"),
    Needed("ADDR-04", (
        "billing.street1",
        "billing.city",
        "billing.postcode",
        "billing.country",
    ), SECURE_2, "mandatory for 3D Secure version 2, for which the channel is set up",
       switch="secure_data"),
)
# fmt: on
