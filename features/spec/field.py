"""The forms, members and texts that existing clients match on, in the suite's own copy."""

# Members of a successful payment, in the order clients have recorded; others may stand between.
PAYMENT_MEMBERS = (
    "id", "paymentType", "paymentBrand", "amount", "currency", "descriptor", "result", "card",
    "billing", "risk", "buildNumber", "timestamp", "ndc",
)  # fmt: skip
CARD_MEMBERS = {"bin", "last4Digits", "holder", "expiryMonth", "expiryYear"}
# What closes every answer, an error as well.
CLOSING = ("result.code", "result.description", "buildNumber", "timestamp", "ndc")
CONTENT_TYPE = "application/json;charset=UTF-8"
ACTIVATION = ("test", "webhook activation")

FORMS = {
    "an id of profile field": r"8[0-9a-f]{31}",
    "a checkout id of profile field": r"[0-9A-F]{32}\.[a-z0-9-]+",
    "a request id of profile field": r"[0-9a-f]{32}_[0-9a-f]{32}",
    "a bare request id": r"[0-9a-f]{32}",
    "a generated descriptor": r"[0-9]{4}\.[0-9]{4}\.[0-9]{4} \S.*",
    "an instant in UTC": r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\+0000",
}
# The path that a client insists on before it asks how a checkout ended.
RESOURCE_PATH = r"/v[0-9]+/checkouts/[a-zA-Z0-9.-]+/payment"
