"""Every decision that has a switch, in the order of DECISIONS.md."""

from simulator.grammar.choices import Choice

# fmt: off
CHOICES = (
    #       id      name                    specification    field
    Choice("D-01", "letters",              "unicode",       "unicode",
           "what A and letters admit", others=("ascii",)),
    Choice("D-02", "unknown_parameters",   "refuse",        "ignore",
           "a parameter the catalogue does not know"),
    Choice("D-06", "amount_digits",        "10",            "12",
           "integer digits of an amount"),
    Choice("D-07", "postcode",             "alphanumeric",  "tolerant",
           "characters of a postcode"),
    Choice("D-08", "phone",                "strict",        "tolerant",
           "characters of a phone number"),
    Choice("D-09", "short_references",     "refuse",        "accept",
           "a merchantTransactionId under 8 characters"),
    Choice("D-10", "booleans",             "words",         "digits",
           "true and false alone, or 1 and 0 as well"),
    Choice("D-11", "authorize_capture",    "refuse",        "accept",
           "paymentType PA.CP"),
    Choice("D-12", "ndc",                  "hyphen",        "underscore",
           "the sign between entity and random part of an ndc"),
    Choice("D-13", "unknown_id",           "404",           "400",
           "status of a request that names an unknown id"),
    Choice("D-14", "reverse_debit",        "refuse",        "accept",
           "RV of a DB before its cut-off"),
    Choice("D-15", "referenced_id",        "webhook",       "webhook",
           "where referencedId appears", others=("answer",)),
    Choice("D-17", "declined_amount",      "omit",          "omit",
           "amount, currency, descriptor of a declined payment", others=("show",)),
    Choice("D-20", "decline_status",       "400",           "400",
           "status of a declined payment", others=("200",)),
    Choice("D-55", "device_types",         "any",           "any",
           "a pos.deviceType we did not name", others=("listed",)),
    Choice("D-57", "registration_type",    "accept",        "refuse",
           "paymentType RG at POST /v1/payments"),
    Choice("D-81", "parent_notices",       "omit",          "omit",
           "a notification about the payment that a later one took from", others=("send",)),
    Choice("D-82", "payment_action",       "send",          "omit",
           "the action of a PAYMENT notification"),
    Choice("D-83", "webhook_extras",       "omit",          "send",
           "authentication.entityId, channelName, shortId, source, paymentMethod in notifications"),
    Choice("D-89", "throttle_status",      "429",           "429",
           "status of a throttled request", others=("400",)),
)
# fmt: on
